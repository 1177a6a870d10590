#include "gc/allocation_buffer.h"

#include <gtest/gtest.h>

#include "abi/object_header.h"

namespace tenure::gc {
namespace {

alignas(8) char memory[256];

TEST(RegionTest, TakesInOrderUntilItIsFull) {
  Region region = {memory, memory + 64};
  EXPECT_EQ(region.Take(24), memory);
  EXPECT_EQ(region.Take(48), nullptr);
  EXPECT_EQ(region.Take(40), memory + 24);
  EXPECT_EQ(region.Take(8), nullptr);
  EXPECT_EQ(region.bytes(), 0u);
}

TEST(RegionTest, ClosingLeavesAFiller) {
  Region region = {memory + 64, memory + 128};
  region.Close();
  auto* header = reinterpret_cast<abi::ObjectHeader*>(memory + 64);
  EXPECT_TRUE(header->is_filler());
  EXPECT_EQ(header->filler_bytes(), 64u);
  EXPECT_EQ(region.pointer, nullptr);
  region.Close();  // nothing to do
}

TEST(AllocationBuffersTest, EachMutatorHasOne) {
  AllocationBuffers buffers;
  abi::MutatorState a = {memory, memory}, b = {};
  buffers.Add(a);
  buffers.Add(b);
  EXPECT_EQ(a.allocation_pointer, nullptr);
  a = {memory, memory + 32};
  buffers.Find(b)->overflow = {memory + 128, memory + 160};
  buffers.Find(a)->MakeWalkable();
  EXPECT_EQ(reinterpret_cast<abi::ObjectHeader*>(memory)->filler_bytes(), 32u);
  EXPECT_EQ(a.allocation_pointer, memory);
  EXPECT_TRUE(buffers.Remove(a));
  EXPECT_FALSE(buffers.Remove(a));
  EXPECT_EQ(buffers.Find(a), nullptr);
  EXPECT_EQ(a.allocation_limit, nullptr);
  buffers.RetireAll();
  EXPECT_EQ(buffers.Find(b)->overflow.bytes(), 0u);
  EXPECT_TRUE(reinterpret_cast<abi::ObjectHeader*>(memory + 128)->is_filler());
}

}  // namespace
}  // namespace tenure::gc
