#include "store/format/slot_types.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tenure::store {
namespace {

using abi::FieldDescriptor;
using abi::SlotKind;
using abi::SlotRun;
using abi::TypeDescriptor;
using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::Optional;

TEST(ReferentsOfSlots, FollowFromTheTypesText) {
  EXPECT_THAT(ReferentsOfSlots("Main.T", 1, 1), Optional(ElementsAre(0u)));
  EXPECT_THAT(ReferentsOfSlots("ARRAY [0..2] OF Main.T", 3, 1), Optional(ElementsAre(0u, 0u, 0u)));
  EXPECT_THAT(ReferentsOfSlots("RECORD a: Main.T; b: TEXT END", 2, 2),
              Optional(ElementsAre(0u, 1u)));
  EXPECT_THAT(ReferentsOfSlots("ARRAY [0..1] OF RECORD a: Main.T; b: TEXT END", 4, 2),
              Optional(ElementsAre(0u, 1u, 0u, 1u)));
  EXPECT_THAT(
      ReferentsOfSlots("ARRAY [0..1] OF ARRAY BOOLEAN OF RECORD a: Main.T; b: TEXT END", 8, 2),
      Optional(ElementsAre(0u, 1u, 0u, 1u, 0u, 1u, 0u, 1u)));
}

TEST(ReferentsOfSlots, AreNotGuessed) {
  EXPECT_THAT(ReferentsOfSlots("RECORD a: ARRAY [0..1] OF Main.T; b: TEXT END", 3, 2),
              Eq(std::nullopt));
  EXPECT_THAT(ReferentsOfSlots("RECORD a: ARRAY [0..2] OF Main.T; b: TEXT END", 4, 2),
              Eq(std::nullopt));
  EXPECT_THAT(ReferentsOfSlots("RECORD a: ARRAY Main.Three OF Main.T; b: TEXT END", 4, 2),
              Eq(std::nullopt));
  EXPECT_THAT(ReferentsOfSlots("RECORD a: REF ARRAY OF Main.T; b: TEXT END", 2, 2),
              Optional(ElementsAre(0u, 1u)));
  EXPECT_THAT(ReferentsOfSlots("RECORD a: INTEGER END", 0, 0), Eq(std::nullopt));
}

// A record of an integer, a procedure, two references to one type, one to its subtype.
TEST(SlotTypes, SlotsOfOneDeclaredTypeLieTogether) {
  TypeDescriptor wide{}, narrow{}, other{};
  wide.typecode = 5;
  wide.last_subtype = 6;
  narrow.typecode = narrow.last_subtype = 6;
  other.typecode = other.last_subtype = 7;
  const TypeDescriptor* const to_wide[] = {&wide};
  const TypeDescriptor* const to_narrow[] = {&narrow};
  const FieldDescriptor fields[] = {
      {"n", "INTEGER", nullptr, 0, 64, nullptr, 0, 0},
      {"p", "PROCEDURE ()", nullptr, 64, 64, nullptr, 0, 0},
      {"both", "ARRAY [0..1] OF Main.Wide", nullptr, 128, 128, to_wide, 1, 0},
      {"one", "Main.Narrow", nullptr, 256, 64, to_narrow, 1, 0},
  };
  const SlotRun runs[] = {{8, 1, 8, SlotKind::kProcedure}, {16, 3, 8, SlotKind::kReference}};
  TypeDescriptor record{};
  record.typecode = record.last_subtype = 8;
  record.payload_bytes = 40;
  record.slot_runs = runs;
  record.slot_run_count = 2;
  record.fields = fields;
  record.field_count = 4;

  const SlotTypes types(record);
  ASSERT_EQ(types.runs().size(), 3u);
  EXPECT_EQ(types.runs()[0].slots.kind, SlotKind::kProcedure);
  const TypedSlotRun& first = types.runs()[1];
  EXPECT_EQ(first.slots.offset, 16u);
  EXPECT_EQ(first.slots.count, 2u);
  EXPECT_TRUE(first.required->Accepts(wide));
  EXPECT_TRUE(first.required->Accepts(narrow));
  EXPECT_FALSE(first.required->Accepts(other));
  const TypedSlotRun& second = types.runs()[2];
  EXPECT_EQ(second.slots.offset, 32u);
  EXPECT_FALSE(second.required->Accepts(wide));
  EXPECT_TRUE(second.required->Accepts(narrow));
  EXPECT_TRUE(types.own().Accepts(record));
}

}  // namespace
}  // namespace tenure::store
