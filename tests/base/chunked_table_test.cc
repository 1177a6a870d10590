#include "base/chunked_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace tenure {
namespace {

TEST(ChunkedTable, ANumberHasTheValueThatItWasGiven) {
  ChunkedTable<uint64_t> table;
  std::map<uint64_t, uint64_t> expected;
  std::mt19937_64 random(1);
  for (int step = 0; step < 20000; ++step) {
    // Neighbours, and numbers far from each other.
    const uint64_t number = step % 2 == 0 ? random() % 5000 : random();
    uint64_t& value = table.At(number);
    ASSERT_EQ(value, expected[number]);
    value = expected[number] = random();
  }
  for (const auto& [number, value] : expected) {
    ASSERT_NE(table.Find(number), nullptr);
    ASSERT_EQ(*table.Find(number), value);
  }
}

TEST(ChunkedTable, AValueOfAChunkThatNobodyAskedForIsNotFound) {
  ChunkedTable<int> table;
  EXPECT_EQ(table.Find(0), nullptr);
  table.At(1500) = 7;
  EXPECT_EQ(table.Find(0), nullptr);
  EXPECT_EQ(table.Find(3000), nullptr);
  EXPECT_EQ(table.Find(~uint64_t{0}), nullptr);
  // A neighbour in the chunk has no value yet.
  ASSERT_NE(table.Find(1501), nullptr);
  EXPECT_EQ(*table.Find(1501), 0);
}

TEST(ChunkedTable, ValuesStayWhereTheyAre) {
  ChunkedTable<int> table;
  int* const first = &table.At(1);
  for (uint64_t number = 0; number < 1000000; number += 1024) table.At(number) = 1;
  EXPECT_EQ(&table.At(1), first);
}

}  // namespace
}  // namespace tenure
