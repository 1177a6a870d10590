#include "gc/object_visitor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "tests/support/test_heap.h"

namespace tenure::gc {
namespace {

using abi::ObjectHeader;
using abi::Ref;

alignas(8) char memory[8192];

Ref MakeMatrix(uint64_t rows, uint64_t columns) {
  ObjectHeader::Of(memory + 8)->word = ObjectHeader::ForType(&kMatrixType);
  abi::OpenLengths(kMatrixType, memory + 8)[0] = rows;
  abi::OpenLengths(kMatrixType, memory + 8)[1] = columns;
  return memory + 8;
}

// For any range: the slots that ForEachReference finds there, each once, and whether each word is a
// slot.
void ExpectEveryRangeRight(const abi::TypeDescriptor& type, Ref object) {
  std::vector<uintptr_t> all;
  abi::ForEachReference(type, object,
                        [&](void** slot) { all.push_back(reinterpret_cast<uintptr_t>(slot)); });
  const uintptr_t first = reinterpret_cast<uintptr_t>(object) - abi::kHeaderBytes;
  for (size_t at = 0; at < abi::kHeaderBytes + abi::PayloadBytes(type, object); at += 8) {
    EXPECT_EQ(IsTracedSlot(type, object, reinterpret_cast<void*>(first + at)),
              std::count(all.begin(), all.end(), first + at) == 1)
        << at;
  }
  const uintptr_t base = reinterpret_cast<uintptr_t>(object) - 64;
  const size_t bytes = abi::PayloadBytes(type, object) + 128;
  for (uintptr_t begin = base; begin < base + bytes; begin += 8) {
    for (const size_t length : {size_t{0}, size_t{8}, size_t{24}, size_t{64}, size_t{512}, bytes}) {
      std::multiset<uintptr_t> expected, found;
      for (const uintptr_t slot : all) {
        if (slot >= begin && slot < begin + length) expected.insert(slot);
      }
      ForEachReferenceWithin(type, object, begin, begin + length,
                             [&](Ref* slot) { found.insert(reinterpret_cast<uintptr_t>(slot)); });
      ASSERT_EQ(found, expected) << begin - base << " " << length;
    }
  }
}

TEST(ForEachReferenceWithinTest, FixedFields) { ExpectEveryRangeRight(kPairType, memory + 8); }

TEST(ForEachReferenceWithinTest, ElementsLargerThanOneSlot) {
  ExpectEveryRangeRight(kMatrixType, MakeMatrix(7, 6));
  ExpectEveryRangeRight(kMatrixType, MakeMatrix(0, 5));
}

TEST(ForEachReferenceWithinTest, RunsWithGaps) {
  static const abi::SlotRun runs[] = {{8, 20, 24, abi::SlotKind::kReference},
                                      {16, 20, 24, abi::SlotKind::kUntraced},
                                      {500, 1, 8, abi::SlotKind::kTransientReference}};
  abi::TypeDescriptor type = {};
  type.payload_bytes = 512;
  type.slot_runs = runs;
  type.slot_run_count = 3;
  ExpectEveryRangeRight(type, memory + 8);
}

TEST(ForEachObjectBetweenTest, ObjectsAndFillers) {
  auto* words = reinterpret_cast<uint64_t*>(memory);
  words[0] = ObjectHeader::ForFiller(8);
  words[1] = ObjectHeader::ForType(&kPairType);  // 40 bytes
  words[6] = ObjectHeader::ForFiller(16);
  words[8] = ObjectHeader::ForFiller(24);
  words[11] = ObjectHeader::ForType(&kPairType) | ObjectHeader::kAgeMask;
  std::vector<size_t> found;
  auto visit = [&](ObjectHeader* header) {
    found.push_back(static_cast<size_t>(reinterpret_cast<uint64_t*>(header) - words));
  };
  ForEachObjectBetween(memory, memory + 16 * 8, visit);
  EXPECT_EQ(found, (std::vector<size_t>{1, 11}));
}

}  // namespace
}  // namespace tenure::gc
