#include "base/flat_table.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <unordered_map>

namespace tenure {
namespace {

struct Spread {
  uint64_t operator()(uint64_t key) const { return SpreadBits(key); }
};
// Everything collides, at the end of the array.
struct Last {
  uint64_t operator()(uint64_t) const { return ~uint64_t{0}; }
};

template <typename Hash>
void CompareWithMap(uint64_t keys, int steps) {
  FlatTable<uint64_t, uint64_t, Hash> table;
  std::unordered_map<uint64_t, uint64_t> expected;
  std::mt19937_64 random(keys);
  for (int step = 0; step < steps; ++step) {
    const uint64_t key = 1 + random() % keys;
    if (random() % 5 < 3) {
      const auto [value, fresh] = table.Insert(key);
      ASSERT_EQ(fresh, !expected.contains(key));
      if (fresh) {
        ASSERT_EQ(*value, 0u);
      }
      *value = expected[key] = random();
    } else {
      ASSERT_EQ(table.Erase(key), expected.erase(key) == 1);
    }
    ASSERT_EQ(table.size(), expected.size());
    const uint64_t other = 1 + random() % keys;
    const uint64_t* const found = table.Find(other);
    ASSERT_EQ(found != nullptr, expected.contains(other));
    if (found != nullptr) {
      ASSERT_EQ(*found, expected[other]);
    }
  }
  for (uint64_t key = 1; key <= keys; ++key) {
    ASSERT_EQ(table.Find(key) != nullptr, expected.contains(key));
  }
}

TEST(FlatTable, IsAMap) { CompareWithMap<Spread>(5000, 200000); }

TEST(FlatTable, WhereAllCollide) { CompareWithMap<Last>(60, 20000); }

TEST(FlatTable, EmptyHasNothing) {
  FlatTable<uint64_t, int, Spread> table;
  EXPECT_EQ(table.Find(3), nullptr);
  EXPECT_FALSE(table.Erase(3));
}

TEST(FlatTable, EachEntryIsVisitedOnce) {
  FlatTable<uint64_t, int, Last> table;
  std::map<uint64_t, int> expected, visited;
  for (uint64_t key = 1; key <= 100; ++key) *table.Insert(key).first = expected[key] = 3;
  EXPECT_TRUE(table.Erase(50));
  expected.erase(50);
  table.ForEach([&](uint64_t key, int& value) { visited[key] += value; });
  EXPECT_EQ(visited, expected);
}

TEST(FlatTable, ValuesMove) {
  FlatTable<uint64_t, std::unique_ptr<uint64_t>, Spread> table;
  for (uint64_t key = 1; key <= 1000; ++key) {
    *table.Insert(key).first = std::make_unique<uint64_t>(key);
  }
  for (uint64_t key = 1; key <= 1000; key += 2) EXPECT_TRUE(table.Erase(key));
  for (uint64_t key = 2; key <= 1000; key += 2) EXPECT_EQ(**table.Find(key), key);
}

}  // namespace
}  // namespace tenure
