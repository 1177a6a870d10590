#include "base/stamped_set.h"

#include <gtest/gtest.h>

#include <random>
#include <unordered_set>

namespace tenure {
namespace {

// Everything collides, at the end of the array.
struct Last {
  uint64_t operator()(uint64_t) const { return ~uint64_t{0}; }
};
struct Spread {
  uint64_t operator()(uint64_t key) const { return key * 0x9E3779B97F4A7C15u; }
};

template <typename Hash>
void CompareWithSet(uint64_t keys, int steps) {
  StampedSet<uint64_t, Hash> set;
  std::unordered_set<uint64_t> expected;
  std::mt19937_64 random(keys);
  EXPECT_FALSE(set.Contains(1));
  for (int step = 0; step < steps; ++step) {
    const uint64_t key = random() % keys;
    if (random() % 200 == 0) {
      set.Clear();
      expected.clear();
    } else {
      set.Insert(key);
      expected.insert(key);
    }
    ASSERT_EQ(set.size(), expected.size());
    const uint64_t other = random() % keys;
    ASSERT_EQ(set.Contains(other), expected.contains(other)) << "seed " << keys << " step " << step;
  }
}

TEST(StampedSetTest, IsAsASetThatIsEmptiedNowAndThen) {
  CompareWithSet<Spread>(10, 2000);
  CompareWithSet<Spread>(100000, 20000);
}

TEST(StampedSetTest, KeysThatCollideAreToldApart) { CompareWithSet<Last>(40, 4000); }

}  // namespace
}  // namespace tenure
