#include "gc/throughput_goal.h"

#include <gtest/gtest.h>

namespace tenure::gc {
namespace {

constexpr uint64_t kMs = 1'000'000;
constexpr size_t kNursery = 8 << 20;

// Minor collections of whole nurseries, one every ten milliseconds.
class ThroughputGoalTest : public testing::Test {
 protected:
  // One window with this share of survivors and this share of time in collections.
  unsigned Window(unsigned percent_survived, unsigned percent_of_time, bool may_stretch = true,
                  unsigned percent_card_work = 0) {
    for (int i = 0; i < 4; ++i) {
      now_ns_ += 10 * kMs;
      goal_.MinorCollectionEnded(kNursery, kNursery / 100 * percent_survived,
                                 kNursery / 100 * percent_card_work);
      const unsigned before = goal_.stretch();
      const bool changed =
          goal_.PauseEnded(now_ns_ - percent_of_time * kMs / 10, now_ns_, may_stretch);
      EXPECT_EQ(changed, goal_.stretch() != before);
    }
    return goal_.stretch();
  }

  ThroughputGoal goal_;
  uint64_t now_ns_ = kMs;

  void SetUp() override { goal_.PauseEnded(0, now_ns_, true); }
};

TEST_F(ThroughputGoalTest, ProgramsThatCollectLittleKeepShortPauses) {
  for (int i = 0; i < 100; ++i) EXPECT_EQ(Window(50, 10), 0u);
}

TEST_F(ThroughputGoalTest, StretchesAsFarAsItMayAndStaysThereWhenThatHelps) {
  EXPECT_EQ(Window(40, 50), ThroughputGoal::kMostStretch);
  EXPECT_EQ(Window(30, 40), ThroughputGoal::kMostStretch);
  EXPECT_EQ(Window(30, 40), ThroughputGoal::kMostStretch);
}

TEST_F(ThroughputGoalTest, GoesBackWhenAsMuchSurvivesAndWaitsLongerEachTime) {
  const auto windows_until_next_attempt = [&] {
    int windows = 0;
    while (Window(40, 50) == 0) ++windows;
    EXPECT_EQ(Window(39, 50), 0u);
    return windows;
  };
  EXPECT_EQ(windows_until_next_attempt(), 0);
  const int first = windows_until_next_attempt();
  EXPECT_GT(first, 4);
  EXPECT_GE(windows_until_next_attempt(), 2 * first);
  for (int i = 0; i < 20; ++i) EXPECT_LT(windows_until_next_attempt(), 300);
}

TEST_F(ThroughputGoalTest, ComesBackWhenCollectionsTakeLittle) {
  EXPECT_EQ(Window(40, 50), 3u);
  EXPECT_EQ(Window(10, 8), 3u);
  for (unsigned stretch : {2u, 1u, 0u}) EXPECT_EQ(Window(1, 1), stretch);
}

TEST_F(ThroughputGoalTest, GoesBackToWhereItWas) {
  EXPECT_EQ(Window(40, 50), 3u);
  EXPECT_EQ(Window(10, 20), 3u);
  for (unsigned stretch : {2u, 1u}) EXPECT_EQ(Window(10, 1), stretch);
  EXPECT_EQ(Window(40, 50), 3u);
  EXPECT_EQ(Window(40, 50), 1u);
}

TEST_F(ThroughputGoalTest, WhatBuildsForLongIsNotStretchedUnlessItDiesAllTheSame) {
  EXPECT_EQ(Window(95, 60), 0u);
  goal_.OldGenerationSwept(/*most_died=*/true);
  EXPECT_EQ(Window(95, 60), 3u);
  EXPECT_EQ(Window(80, 60), 3u);
  goal_.OldGenerationSwept(/*most_died=*/false);
  for (unsigned stretch : {2u, 1u, 0u}) EXPECT_EQ(Window(70, 60), stretch);
}

TEST_F(ThroughputGoalTest, WhereTheSameCardsAreLookedAtEachTimeItHelpsThoughAllSurvives) {
  EXPECT_EQ(Window(90, 60, true, 300), 3u);
  EXPECT_EQ(Window(90, 60, true, 150), 3u);
  goal_.GiveUp();
  EXPECT_EQ(Window(90, 60, true, 150), 3u);
  EXPECT_EQ(Window(90, 60, true, 140), 0u);  // it did not
}

TEST_F(ThroughputGoalTest, WhereNextToNothingSurvivesALargerNurseryWouldNotHelp) {
  EXPECT_EQ(Window(3, 60), 0u);
}

TEST_F(ThroughputGoalTest, StaysWhereTheNurseryCannotGrowAndGivesUpAtOnce) {
  EXPECT_EQ(Window(40, 50, /*may_stretch=*/false), 0u);
  EXPECT_EQ(Window(40, 50), 3u);
  goal_.GiveUp();
  EXPECT_EQ(goal_.stretch(), 0u);
  // The window that would have been judged is discarded.
  EXPECT_EQ(Window(40, 50), 3u);
}

TEST_F(ThroughputGoalTest, PausesBetweenMinorCollectionsCount) {
  for (int i = 0; i < 4; ++i) {
    now_ns_ += 10 * kMs;
    goal_.PauseEnded(now_ns_ - 2 * kMs, now_ns_, true);
    now_ns_ += kMs;
    goal_.MinorCollectionEnded(kNursery, kNursery / 2, 0);
    goal_.PauseEnded(now_ns_ - kMs / 10, now_ns_, true);
  }
  EXPECT_EQ(goal_.stretch(), 3u);
}

}  // namespace
}  // namespace tenure::gc
