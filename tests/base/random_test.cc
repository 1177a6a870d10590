#include "tests/support/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace tenure {
namespace {

// Test seeds that are printed must mean the same next year.
TEST(RandomTest, SequenceOfASeedNeverChanges) {
  Random random(0);
  EXPECT_EQ(random.Next(), 0xE220A8397B1DCDAFu);
  EXPECT_EQ(random.Next(), 0x6E789E6AA1B965F4u);
  EXPECT_NE(Random(1).Next(), Random(2).Next());
}

TEST(RandomTest, BelowStaysBelowAndReachesAll) {
  Random random(3);
  std::vector<int> seen(7);
  for (int i = 0; i < 7000; ++i) ++seen.at(random.Below(7));
  for (const int count : seen) EXPECT_NEAR(count, 1000, 200);
}

TEST(RandomTest, BetweenIncludesBothEnds) {
  Random random(4);
  bool low = false, high = false;
  for (int i = 0; i < 1000; ++i) {
    const int64_t value = random.Between(-2, 2);
    ASSERT_GE(value, -2);
    ASSERT_LE(value, 2);
    low |= value == -2;
    high |= value == 2;
  }
  EXPECT_TRUE(low && high);
}

TEST(RandomTest, RealIsInTheUnitInterval) {
  Random random(5);
  double sum = 0;
  for (int i = 0; i < 10000; ++i) {
    const double value = random.Real();
    ASSERT_GE(value, 0.0);
    ASSERT_LT(value, 1.0);
    sum += value;
  }
  EXPECT_NEAR(sum / 10000, 0.5, 0.02);
}

TEST(RandomTest, ShuffleKeepsTheElements) {
  Random random(6);
  std::vector<int> numbers(100);
  for (int i = 0; i < 100; ++i) numbers[i] = i;
  std::vector<int> shuffled = numbers;
  random.Shuffle(shuffled);
  EXPECT_NE(shuffled, numbers);
  std::sort(shuffled.begin(), shuffled.end());
  EXPECT_EQ(shuffled, numbers);
}

}  // namespace
}  // namespace tenure
