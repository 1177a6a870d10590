#include "abi/object_header.h"

#include <gtest/gtest.h>

#include <vector>

namespace tenure::abi {
namespace {

alignas(kDescriptorAlignment) TypeDescriptor record = {};
alignas(kDescriptorAlignment) TypeDescriptor matrix = {};

const SlotRun kRecordRuns[] = {{8, 2, 16, SlotKind::kReference},
                               {16, 1, 8, SlotKind::kUntraced},
                               {32, 1, 8, SlotKind::kTransientReference},
                               {40, 1, 8, SlotKind::kProcedure}};
const SlotRun kElementRun = {4, 2, 8, SlotKind::kReference};

class ObjectHeaderTest : public ::testing::Test {
 protected:
  ObjectHeaderTest() {
    record.payload_bytes = 48;
    record.slot_runs = kRecordRuns;
    record.slot_run_count = 4;
    matrix.flags = kTypeOpenArray;
    matrix.open_dimensions = 2;
    matrix.element_bytes = 20;
    matrix.element_runs = &kElementRun;
    matrix.element_run_count = 1;
  }
  alignas(8) char memory[4096] = {};
  void* payload = memory + kHeaderBytes;
};

TEST_F(ObjectHeaderTest, TypeSurvivesEveryFlag) {
  ASSERT_LT(reinterpret_cast<uintptr_t>(&record), uintptr_t{1} << 32) << "linked as PIE?";
  ObjectHeader* header = ObjectHeader::Of(payload);
  ASSERT_EQ(static_cast<void*>(header), memory);
  header->word = ObjectHeader::ForType(&record);
  EXPECT_FALSE(header->displaced());
  header->word |= ObjectHeader::kMarkBit | ObjectHeader::kDisplacedBit | ObjectHeader::kPinnedBit |
                  ObjectHeader::kAgeMask;
  EXPECT_EQ(header->type(), &record);
  EXPECT_TRUE(header->displaced());
  EXPECT_FALSE(header->is_filler());
  EXPECT_FALSE(header->is_forwarded());
}

TEST_F(ObjectHeaderTest, FillersAndForwardingAreToldApart) {
  ObjectHeader header;
  for (const uint32_t bytes : {8u, 16u, 8192u, 0xfffffff8u}) {
    header.word = ObjectHeader::ForFiller(bytes);
    EXPECT_TRUE(header.is_filler());
    EXPECT_FALSE(header.is_forwarded());
    EXPECT_EQ(header.filler_bytes(), bytes);
  }
  header.word = ObjectHeader::ForForwarding(payload);
  EXPECT_TRUE(header.is_forwarded());
  EXPECT_FALSE(header.is_filler());
  EXPECT_EQ(header.forwarding(), payload);
}

TEST_F(ObjectHeaderTest, FlagsDoNotOverlap) {
  const uint64_t flags[] = {0xffffffffu, ObjectHeader::kMarkBit, ObjectHeader::kDisplacedBit,
                            ObjectHeader::kPinnedBit, ObjectHeader::kAgeMask};
  uint64_t all = 0;
  for (const uint64_t flag : flags) {
    EXPECT_EQ(all & flag, 0u);
    all |= flag;
  }
}

TEST_F(ObjectHeaderTest, SizesAreRoundedAndNeverEmpty) {
  TypeDescriptor type = {};
  for (const auto& [bytes, expected] : {std::pair{0, 8}, {1, 8}, {8, 8}, {9, 16}, {48, 48}}) {
    type.payload_bytes = static_cast<uint32_t>(bytes);
    EXPECT_EQ(PayloadBytes(type, nullptr), static_cast<size_t>(expected));
  }
}

TEST_F(ObjectHeaderTest, OpenArraysHaveLengthsThenElements) {
  OpenLengths(matrix, payload)[0] = 3;
  OpenLengths(matrix, payload)[1] = 5;
  EXPECT_EQ(ElementCount(matrix, payload), 15u);
  EXPECT_EQ(ElementsOffset(matrix), 16u);
  EXPECT_EQ(PayloadBytes(matrix, payload), RoundUpToGranule(16 + 15 * 20));
  OpenLengths(matrix, payload)[1] = 0;
  EXPECT_EQ(PayloadBytes(matrix, payload), 16u);
}

TEST_F(ObjectHeaderTest, SlotsByKind) {
  std::vector<std::pair<ptrdiff_t, SlotKind>> all;
  ForEachSlot(record, payload, [&](void** slot, SlotKind kind) {
    all.push_back({reinterpret_cast<char*>(slot) - static_cast<char*>(payload), kind});
  });
  EXPECT_EQ(all, (std::vector<std::pair<ptrdiff_t, SlotKind>>{{8, SlotKind::kReference},
                                                              {24, SlotKind::kReference},
                                                              {16, SlotKind::kUntraced},
                                                              {32, SlotKind::kTransientReference},
                                                              {40, SlotKind::kProcedure}}));
  std::vector<ptrdiff_t> traced;
  ForEachReference(record, payload, [&](void** slot) {
    traced.push_back(reinterpret_cast<char*>(slot) - static_cast<char*>(payload));
  });
  EXPECT_EQ(traced, (std::vector<ptrdiff_t>{8, 24, 32}));
}

TEST_F(ObjectHeaderTest, SlotsOfElements) {
  OpenLengths(matrix, payload)[0] = 1;
  OpenLengths(matrix, payload)[1] = 2;
  std::vector<ptrdiff_t> traced;
  ForEachReference(matrix, payload, [&](void** slot) {
    traced.push_back(reinterpret_cast<char*>(slot) - static_cast<char*>(payload));
  });
  EXPECT_EQ(traced, (std::vector<ptrdiff_t>{20, 28, 40, 48}));
}

TEST_F(ObjectHeaderTest, PureTypesHaveNoReferences) {
  TypeDescriptor pure = matrix;
  pure.flags |= kTypePure;
  OpenLengths(pure, payload)[0] = 4;
  OpenLengths(pure, payload)[1] = 4;
  ForEachReference(pure, payload, [](void**) { ADD_FAILURE(); });
}

}  // namespace
}  // namespace tenure::abi
