#include "store/format/slot_types.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "store/format/nested_arrays.h"

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

TEST(ReferentsInArrays, FollowFromTheTypesText) {
  const std::vector<std::string_view> both = {"Main.T", "TEXT"};
  const auto of = [&](std::string_view type, size_t slots) {
    return ReferentsInArrays(type, slots, both);
  };
  EXPECT_THAT(of("RECORD a: ARRAY [0..1] OF Main.T; b: TEXT END", 3),
              Optional(ElementsAre(0u, 0u, 1u)));
  EXPECT_THAT(of("ARRAY [-1..0] OF RECORD n: INTEGER; a: ARRAY {Red, Green} OF Main.T; s: SET OF "
                 "CHAR; b: TEXT END",
                 6),
              Optional(ElementsAre(0u, 0u, 1u, 0u, 0u, 1u)));
  EXPECT_THAT(of("RECORD a: RECORD b: ARRAY BOOLEAN OF RECORD c: Main.T END END; d: ARRAY [3..4] "
                 "OF TEXT END",
                 4),
              Optional(ElementsAre(0u, 0u, 1u, 1u)));
  // Named types that are not references.
  EXPECT_THAT(of("RECORD p: Main.Proc; a: ARRAY [0..1] OF Main.T; q: Main.Ptr; b: TEXT END", 3),
              Optional(ElementsAre(0u, 0u, 1u)));
  const std::vector<std::string_view> anonymous = {"REF RECORD x: INTEGER; y: CHAR END", "TEXT"};
  EXPECT_THAT(ReferentsInArrays("RECORD a: ARRAY [0..1] OF REF RECORD x: INTEGER; y: CHAR END; "
                                "p: PROCEDURE (n: INTEGER; t: TEXT): TEXT; b: TEXT END",
                                3, anonymous),
              Optional(ElementsAre(0u, 0u, 1u)));
}

TEST(ReferentsInArrays, AreNotGuessed) {
  const std::vector<std::string_view> both = {"Main.T", "TEXT"};
  for (const char* const type : {"", "RECORD", "RECORD a: ARRAY [0..1] OF Main.T; b: TEXT",
                                 "RECORD a: ARRAY [0..2] OF Main.T; b: TEXT END",
                                 "RECORD a: ARRAY Main.Three OF Main.T; b: TEXT END",
                                 "RECORD a: ARRAY [1..0] OF Main.T; b: TEXT END",
                                 "RECORD a: ARRAY [0..9223372036854775807] OF Main.T; b: TEXT END",
                                 "RECORD a: ARRAY [0..1] OF Main.T; b: TEXT... END",
                                 "RECORD a: ARRAY [0..1] OF Main.T; b: Main.U; c: Main.V END"}) {
    EXPECT_THAT(ReferentsInArrays(type, 3, both), Eq(std::nullopt)) << type;
  }
  std::string deep;
  for (int i = 0; i < 10000; ++i) deep += "ARRAY [0..0] OF ";
  EXPECT_THAT(ReferentsInArrays(deep + "Main.T", 1, std::vector<std::string_view>{"Main.T"}),
              Eq(std::nullopt));
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
