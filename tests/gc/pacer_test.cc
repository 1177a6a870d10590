#include "gc/pacer.h"

#include <gtest/gtest.h>

namespace tenure::gc {
namespace {

constexpr size_t kMega = 1 << 20;

HeapOptions Options() {
  HeapOptions options;
  options.nursery_bytes = 8 * kMega;
  options.min_old_bytes = 32 * kMega;
  options.growth_percent = 200;
  return options;
}

TEST(PacerTest, MinorCollectionWhenTheNurseryIsFull) {
  Pacer pacer(Options(), 1000 * kMega);
  pacer.Allocated(8 * kMega - 1);
  EXPECT_FALSE(pacer.IsTime());
  pacer.Allocated(1);
  EXPECT_TRUE(pacer.IsTime());
  EXPECT_EQ(pacer.NextKind(0), CollectionKind::kMinor);
  pacer.CollectionEnded(CollectionKind::kMinor, kMega, 2 * kMega);
  EXPECT_FALSE(pacer.IsTime());
}

TEST(PacerTest, MajorCollectionWhenTheOldGenerationHasDoubled) {
  Pacer pacer(Options(), 1000 * kMega);
  EXPECT_EQ(pacer.NextKind(31 * kMega), CollectionKind::kMinor);
  EXPECT_EQ(pacer.NextKind(32 * kMega), CollectionKind::kMajor);
  pacer.CollectionEnded(CollectionKind::kMajor, 0, 100 * kMega);
  EXPECT_EQ(pacer.NextKind(190 * kMega), CollectionKind::kMinor);
  EXPECT_EQ(pacer.NextKind(200 * kMega), CollectionKind::kMajor);
  // A minor collection does not change what the major one left.
  pacer.CollectionEnded(CollectionKind::kMinor, 0, 150 * kMega);
  EXPECT_EQ(pacer.NextKind(190 * kMega), CollectionKind::kMinor);
  // Little left: not before the minimum.
  pacer.CollectionEnded(CollectionKind::kMajor, 0, kMega);
  EXPECT_EQ(pacer.NextKind(31 * kMega), CollectionKind::kMinor);
  EXPECT_EQ(pacer.NextKind(32 * kMega), CollectionKind::kMajor);
}

TEST(PacerTest, LeavesRoomToCopyNearTheMaximum) {
  Pacer pacer(Options(), 100 * kMega);
  EXPECT_EQ(pacer.young_limit(), 8 * kMega);
  pacer.CollectionEnded(CollectionKind::kMajor, 0, 40 * kMega);
  EXPECT_EQ(pacer.old_limit(), 70 * kMega);  // 80 would leave less than half of the rest
  pacer.CollectionEnded(CollectionKind::kMajor, 0, 90 * kMega);
  EXPECT_EQ(pacer.young_limit(), 5 * kMega);
  EXPECT_EQ(pacer.old_limit(), 95 * kMega);
  pacer.CollectionEnded(CollectionKind::kMajor, 0, 100 * kMega);
  EXPECT_GT(pacer.young_limit(), 0u);
}

TEST(PacerTest, SmallHeapsHaveSmallNurseries) {
  Pacer pacer(Options(), 2 * kMega);
  EXPECT_LE(pacer.young_limit(), kMega);
  EXPECT_LE(pacer.old_limit(), kMega);
}

TEST(PacerTest, TheNurseryGrowsWhenMuchSurvives) {
  HeapOptions options = Options();
  options.nursery_max_bytes = 20 * kMega;
  Pacer pacer(options, 1000 * kMega);
  pacer.Allocated(8 * kMega);
  pacer.CollectionEnded(CollectionKind::kMinor, kMega / 2, 0);
  EXPECT_EQ(pacer.nursery_bytes(), 8 * kMega);
  pacer.Allocated(8 * kMega);
  pacer.CollectionEnded(CollectionKind::kMinor, kMega / 2, kMega);
  EXPECT_EQ(pacer.nursery_bytes(), 16 * kMega);
  // Asked for before the nursery was full: it tells nothing.
  pacer.Allocated(2 * kMega);
  pacer.CollectionEnded(CollectionKind::kMinor, 2 * kMega, kMega);
  EXPECT_EQ(pacer.nursery_bytes(), 16 * kMega);
  pacer.Allocated(16 * kMega);
  pacer.CollectionEnded(CollectionKind::kMinor, 2 * kMega, 2 * kMega);
  EXPECT_EQ(pacer.nursery_bytes(), 20 * kMega);
  EXPECT_EQ(pacer.young_limit(), 20 * kMega);
}

TEST(PacerTest, WithoutGenerationsEveryCollectionIsMajor) {
  HeapOptions options = Options();
  options.generational = false;
  Pacer pacer(options, 1000 * kMega);
  EXPECT_EQ(pacer.NextKind(0), CollectionKind::kMajor);
  EXPECT_EQ(pacer.young_limit(), options.min_old_bytes);
  pacer.CollectionEnded(CollectionKind::kMajor, 0, 100 * kMega);
  EXPECT_EQ(pacer.young_limit(), 100 * kMega / 100 * (options.growth_percent - 100));
}

}  // namespace
}  // namespace tenure::gc
