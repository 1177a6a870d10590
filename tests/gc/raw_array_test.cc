#include "gc/raw_array.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace tenure::gc {
namespace {

struct Odd {  // does not divide a page
  uint64_t a, b, c;
};

TEST(RawArrayTest, GrowsAndKeepsItsElements) {
  RawArray<Odd> array;
  for (uint64_t i = 0; i < 100000; ++i) array.Push({i, i + 1, i + 2});
  ASSERT_EQ(array.size(), 100000u);
  for (uint64_t i = 0; i < 100000; ++i) ASSERT_EQ(array[i].c, i + 2);
  array.Clear();
  EXPECT_TRUE(array.empty());
  array.Push({7, 8, 9});
  EXPECT_EQ(array.back().b, 8u);
}

TEST(RawArrayTest, PushesItsOwnElements) {
  RawArray<uint64_t> array;
  array.Push(42);
  for (int i = 0; i < 10000; ++i) array.Push(array[0]);
  for (const uint64_t value : array) ASSERT_EQ(value, 42u);
}

TEST(RawArrayTest, RemovesAndPops) {
  RawArray<int> array;
  for (int i = 0; i < 5; ++i) array.Push(i);
  array.RemoveUnordered(1);
  EXPECT_EQ(array.size(), 4u);
  EXPECT_EQ(array[1], 4);
  EXPECT_EQ(array.Pop(), 3);
  array.RemoveUnordered(2);
  EXPECT_EQ(array.size(), 2u);
}

}  // namespace
}  // namespace tenure::gc
