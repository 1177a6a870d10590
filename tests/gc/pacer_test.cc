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
  options.incremental = false;
  return options;
}

// Size of the old generation, in megabytes, from which its collection in slices is due.
void ExpectOldBeginsAt(const Pacer& pacer, size_t megabytes) {
  EXPECT_FALSE(pacer.IsTimeForOld((megabytes - 1) * kMega)) << megabytes;
  EXPECT_TRUE(pacer.IsTimeForOld(megabytes * kMega)) << megabytes;
}

TEST(PacerTest, MinorCollectionWhenTheNurseryIsFull) {
  Pacer pacer(Options(), 1000 * kMega);
  pacer.Allocated(8 * kMega - 1);
  EXPECT_FALSE(pacer.IsTime());
  pacer.Allocated(1);
  EXPECT_TRUE(pacer.IsTime());
  EXPECT_EQ(pacer.NextKind(0), CollectionKind::kMinor);
  pacer.CollectionEnded(CollectionKind::kMinor, kMega, 2 * kMega, 0, 0);
  EXPECT_FALSE(pacer.IsTime());
}

TEST(PacerTest, MajorCollectionWhenTheOldGenerationHasDoubled) {
  Pacer pacer(Options(), 1000 * kMega);
  EXPECT_EQ(pacer.NextKind(31 * kMega), CollectionKind::kMinor);
  EXPECT_EQ(pacer.NextKind(32 * kMega), CollectionKind::kMajor);
  pacer.CollectionEnded(CollectionKind::kMajor, 0, 100 * kMega, 0, 0);
  EXPECT_EQ(pacer.NextKind(190 * kMega), CollectionKind::kMinor);
  EXPECT_EQ(pacer.NextKind(200 * kMega), CollectionKind::kMajor);
  // A minor collection does not change the size that the major one left.
  pacer.CollectionEnded(CollectionKind::kMinor, 0, 150 * kMega, 0, 0);
  EXPECT_EQ(pacer.NextKind(190 * kMega), CollectionKind::kMinor);
  // Little was left: the next cycle does not begin before the minimum.
  pacer.CollectionEnded(CollectionKind::kMajor, 0, kMega, 0, 0);
  EXPECT_EQ(pacer.NextKind(31 * kMega), CollectionKind::kMinor);
  EXPECT_EQ(pacer.NextKind(32 * kMega), CollectionKind::kMajor);
}

TEST(PacerTest, SlicesBeginBeforeTheLimitAndAFullCollectionComesFarBehindIt) {
  HeapOptions options = Options();
  options.incremental = true;
  Pacer pacer(options, 1000 * kMega);
  ExpectOldBeginsAt(pacer, 24);
  EXPECT_EQ(pacer.NextKind(63 * kMega), CollectionKind::kMinor);
  EXPECT_EQ(pacer.NextKind(64 * kMega), CollectionKind::kMajor);
  pacer.OldGenerationSwept(100 * kMega);
  ExpectOldBeginsAt(pacer, 175);
  EXPECT_EQ(pacer.NextKind(399 * kMega), CollectionKind::kMinor);
  EXPECT_EQ(pacer.NextKind(400 * kMega), CollectionKind::kMajor);
  // Near the end of memory the cycle begins sooner.
  pacer.OldGenerationSwept(500 * kMega);
  EXPECT_EQ(pacer.NextKind(750 * kMega), CollectionKind::kMajor);
}

TEST(PacerTest, SlicesBeginAsLateAsTheyDidWhileThatIsLittleMoreThanTwiceWhatLives) {
  HeapOptions options = Options();
  options.incremental = true;
  Pacer pacer(options, 1000 * kMega);
  pacer.OldCollectionBegins(200 * kMega);
  pacer.OldGenerationSwept(100 * kMega);
  ExpectOldBeginsAt(pacer, 200);
  // An earlier beginning does not change that, and a full collection comes no later for it.
  pacer.OldCollectionBegins(150 * kMega);
  pacer.OldGenerationSwept(100 * kMega);
  EXPECT_FALSE(pacer.IsTimeForOld(199 * kMega));
  EXPECT_EQ(pacer.NextKind(400 * kMega), CollectionKind::kMajor);
  // Less lives.
  pacer.OldGenerationSwept(60 * kMega);
  ExpectOldBeginsAt(pacer, 135);
  // Too little to be worth it.
  pacer.OldGenerationSwept(40 * kMega);
  ExpectOldBeginsAt(pacer, 70);
}

TEST(PacerTest, SlicesTakeAsLongAsMostMinorCollections) {
  HeapOptions options = Options();
  options.pause_goal_ms = 48;
  EXPECT_NEAR(static_cast<double>(Pacer(options, kMega).slice_ns()), 8e6, 1e5);
  options.pause_goal_ms = 1;
  EXPECT_NEAR(static_cast<double>(Pacer(options, kMega).slice_ns()), 1e6, 1e5);
}

TEST(PacerTest, ExpectsCopiesAsTheLastCollectionMadeThem) {
  Pacer pacer(Options(), 1000 * kMega);
  pacer.Allocated(6 * kMega);
  pacer.AllocatedLarge(2 * kMega);
  EXPECT_EQ(pacer.ExpectedCopies(), 6 * kMega);  // nothing is known yet
  pacer.CollectionEnded(CollectionKind::kMinor, 0, kMega, kMega, 0);
  pacer.Allocated(kMega);
  EXPECT_EQ(pacer.ExpectedCopies(), kMega);  // never more than the available memory
  pacer.Allocated(7 * kMega);
  EXPECT_EQ(pacer.ExpectedCopies(), 2 * kMega + kMega / 4);
}

TEST(PacerTest, LeavesRoomToCopyNearTheMaximum) {
  Pacer pacer(Options(), 100 * kMega);
  EXPECT_EQ(pacer.young_limit(), 8 * kMega);
  pacer.CollectionEnded(CollectionKind::kMajor, 0, 40 * kMega, 0, 0);
  EXPECT_EQ(pacer.old_limit(), 70 * kMega);  // 80 would leave less than half of the rest
  pacer.CollectionEnded(CollectionKind::kMajor, 0, 90 * kMega, 0, 0);
  EXPECT_EQ(pacer.young_limit(), 5 * kMega);
  EXPECT_EQ(pacer.old_limit(), 95 * kMega);
  pacer.CollectionEnded(CollectionKind::kMajor, 0, 100 * kMega, 0, 0);
  EXPECT_GT(pacer.young_limit(), 0u);
}

TEST(PacerTest, SmallHeapsHaveSmallNurseries) {
  Pacer pacer(Options(), 2 * kMega);
  EXPECT_LE(pacer.young_limit(), kMega);
  EXPECT_LE(pacer.old_limit(), kMega);
}

constexpr size_t kFew = kMega / 4;
constexpr size_t kSome = kMega / 5 * 2;

// Ends a minor collection of a full nursery that copied `copied_bytes` and scanned `card_bytes`,
// with `old_bytes` in the old generation.
void EndMinor(Pacer& pacer, size_t copied_bytes, size_t old_bytes, size_t card_bytes = 0,
              bool marking = false) {
  pacer.Allocated(pacer.young_limit());
  pacer.CollectionEnded(CollectionKind::kMinor, kMega / 2, old_bytes, copied_bytes, card_bytes,
                        marking);
}

TEST(PacerTest, TheNurseryFollowsWhatSurvives) {
  HeapOptions options = Options();
  options.nursery_bytes = 4 * kMega;
  options.nursery_max_bytes = 6 * kMega;
  Pacer pacer(options, 1000 * kMega);
  // The first nursery is larger.
  EXPECT_EQ(pacer.nursery_bytes(), 6 * kMega / 4 * 3);
  EXPECT_FALSE(pacer.PromotesEagerly());
  // Few survive: the nursery has the requested size, not more.
  for (int i = 0; i < 2; ++i) EndMinor(pacer, kFew, kMega);
  EXPECT_EQ(pacer.nursery_bytes(), 4 * kMega);
  // Half survive: the nursery shrinks so that a collection does not copy too much, and copies most
  // objects only once.
  EndMinor(pacer, 2 * kMega, kMega);
  EXPECT_EQ(pacer.nursery_bytes(), 3 * kMega);
  EXPECT_TRUE(pacer.PromotesEagerly());
  EXPECT_FALSE(pacer.PromotesAll());
  EXPECT_FALSE(pacer.PromotesInPlace());
  // All.
  EndMinor(pacer, 3 * kMega, kMega);
  EXPECT_EQ(pacer.nursery_bytes(), kMega / 2 * 3);
  EXPECT_TRUE(pacer.PromotesAll());
  EXPECT_TRUE(pacer.PromotesInPlace());
  for (int i = 0; i < 2; ++i) EndMinor(pacer, kFew, kMega);
  EXPECT_EQ(pacer.nursery_bytes(), 6 * kMega);
  EXPECT_FALSE(pacer.PromotesEagerly());
  EXPECT_FALSE(pacer.PromotesAll());
  // A collection requested before the nursery was full gives no information.
  pacer.Allocated(2 * kMega);
  pacer.CollectionEnded(CollectionKind::kMinor, kMega, kMega, 9 * kMega, 0);
  EXPECT_EQ(pacer.nursery_bytes(), 6 * kMega);
  // Many marked cards make a pause as long as many survivors do.
  EndMinor(pacer, 0, kMega, 3 * kMega);
  EXPECT_LT(pacer.nursery_bytes(), 2 * kMega);
  EXPECT_GT(pacer.nursery_bytes(), kMega);
  EXPECT_FALSE(pacer.PromotesEagerly());
}

TEST(PacerTest, AProgramThatKeepsLittleKeepsASmallNursery) {
  HeapOptions options = Options();
  options.nursery_bytes = 4 * kMega;
  options.nursery_max_bytes = 8 * kMega;
  options.nursery_start_bytes = kMega;
  const auto run = [](Pacer& pacer, size_t copied_bytes, uint64_t pause_ns) {
    uint64_t now_ns = 1;
    for (int i = 0; i < 18; ++i) {
      EndMinor(pacer, copied_bytes, kMega);
      now_ns += 1'000'000;
      pacer.PauseEnded(now_ns, now_ns + pause_ns);
      now_ns += pause_ns;
    }
  };
  Pacer little(options, 1000 * kMega);
  run(little, kMega / 16, 30'000);
  EXPECT_EQ(little.nursery_bytes(), kMega);
  EXPECT_EQ(little.young_limit(), kMega);
  run(little, kMega / 8, 30'000);
  EXPECT_GE(little.nursery_bytes(), 4 * kMega);
  // Collections take a twentieth of the time.
  Pacer often(options, 1000 * kMega);
  run(often, 0, 50'000);
  EXPECT_EQ(often.nursery_bytes(), 4 * kMega);
  EXPECT_EQ(often.young_limit(), 4 * kMega);
  run(often, 0, 50'000);
  EXPECT_EQ(often.nursery_bytes(), 4 * kMega);
}

TEST(PacerTest, AProgramWithDatabasesHasALargeFirstNursery) {
  HeapOptions options = Options();
  options.nursery_bytes = 4 * kMega;
  options.nursery_max_bytes = 8 * kMega;
  options.nursery_start_bytes = kMega;
  Pacer pacer(options, 1000 * kMega);
  pacer.SharesMemory(false);
  EXPECT_EQ(pacer.nursery_bytes(), kMega);
  pacer.SharesMemory(true);
  EXPECT_EQ(pacer.nursery_bytes(), 6 * kMega);
  EXPECT_EQ(pacer.young_limit(), 6 * kMega);
  pacer.SharesMemory(true);
  EndMinor(pacer, 0, kMega);
  EXPECT_EQ(pacer.nursery_bytes(), 4 * kMega);
}

TEST(PacerTest, AfterMistakesPromotionInPlaceRestsLongerAndLonger) {
  HeapOptions options = Options();
  options.nursery_bytes = 4 * kMega;
  Pacer pacer(options, 1000 * kMega);
  const auto rests = [&] {
    int count = 0;
    for (;; ++count) {
      EndMinor(pacer, pacer.young_limit(), kMega);
      if (pacer.PromotesInPlace()) return count;
    }
  };
  EXPECT_EQ(rests(), 0);
  pacer.PromotedInPlace(kMega, kMega - kMega / 8);
  EXPECT_EQ(rests(), 0);
  pacer.PromotedInPlace(kMega, kMega / 2);
  const int first = rests();
  EXPECT_GT(first, 2);
  pacer.PromotedInPlace(kMega, 0);
  const int second = rests();
  EXPECT_GT(second, first);
  // Correct guesses shorten the pauses again.
  for (int i = 0; i < 1000; ++i) pacer.PromotedInPlace(kMega, kMega);
  EXPECT_EQ(rests(), 0);
  pacer.PromotedInPlace(kMega, 0);
  EXPECT_EQ(rests(), first);
}

TEST(PacerTest, AMuchLargerNurseryThanTheOneOfWhichFewDiedIsCopied) {
  HeapOptions options = Options();
  Pacer pacer(options, 1000 * kMega);
  EndMinor(pacer, 8 * kMega, kMega);
  pacer.Allocated(16 * kMega);
  EXPECT_TRUE(pacer.PromotesInPlace());
  pacer.Allocated(1);
  EXPECT_FALSE(pacer.PromotesInPlace());
}

TEST(PacerTest, NothingIsCopiedTwiceWhileAllOfTheSmallestNurserySurvives) {
  HeapOptions options = Options();
  options.nursery_bytes = 4 * kMega;
  options.nursery_max_bytes = 6 * kMega;
  Pacer pacer(options, 1000 * kMega);
  // Cards take so much work that the nursery shrinks to its minimum.
  for (int i = 0; i < 4; ++i) EndMinor(pacer, kFew, kMega, 4 * kMega);
  ASSERT_EQ(pacer.nursery_bytes(), kMega / 2);
  EndMinor(pacer, kMega / 2, kMega, 4 * kMega);
  EXPECT_EQ(pacer.nursery_bytes(), kMega / 2);
  EXPECT_TRUE(pacer.PromotesAll());
}

TEST(PacerTest, WhileEveryStoreMarksItsCardTheNurseryIsStillSmaller) {
  HeapOptions options = Options();
  options.nursery_bytes = 4 * kMega;
  options.nursery_max_bytes = 6 * kMega;
  Pacer pacer(options, 1000 * kMega);
  for (int i = 0; i < 4; ++i) EndMinor(pacer, kFew, kMega, 4 * kMega, true);
  EXPECT_EQ(pacer.nursery_bytes(), kMega / 8);
  // Cards that take less work than copying do not shrink the nursery.
  for (int i = 0; i < 4; ++i) EndMinor(pacer, 4 * kMega, kMega, kMega, true);
  EXPECT_EQ(pacer.nursery_bytes(), kMega / 2);
  EndMinor(pacer, kFew, kMega, 4 * kMega);
  EXPECT_EQ(pacer.nursery_bytes(), kMega / 2);
}

TEST(PacerTest, TheNurseryGrowsWhileSomeSurvives) {
  HeapOptions options = Options();
  options.nursery_bytes = 4 * kMega;
  options.nursery_max_bytes = 8 * kMega;
  Pacer pacer(options, 1000 * kMega);
  for (int i = 0; i < 2; ++i) EndMinor(pacer, kSome, kMega);
  EXPECT_EQ(pacer.nursery_bytes(), 8 * kMega);
  for (int i = 0; i < 2; ++i) EndMinor(pacer, kSome, kMega);
  EXPECT_EQ(pacer.nursery_bytes(), 8 * kMega);
}

TEST(PacerTest, BesideALargeOldGenerationTheNurseryKeepsPausesShort) {
  HeapOptions options = Options();
  options.nursery_bytes = 4 * kMega;
  options.nursery_max_bytes = 8 * kMega;
  Pacer pacer(options, 10000 * kMega);
  for (int i = 0; i < 2; ++i) EndMinor(pacer, kSome, kMega);
  EXPECT_EQ(pacer.nursery_bytes(), 8 * kMega);
  EndMinor(pacer, kSome, 500 * kMega);
  EXPECT_EQ(pacer.nursery_bytes(), 4 * kMega);
  for (int i = 0; i < 9; ++i) EndMinor(pacer, 2 * kMega, 500 * kMega);
  EXPECT_EQ(pacer.nursery_bytes(), kMega / 4);
  for (int i = 0; i < 3; ++i) EndMinor(pacer, kFew / 8, 500 * kMega);
  EXPECT_EQ(pacer.nursery_bytes(), 2 * kMega);
}

TEST(PacerTest, WhoMayPauseLongerKeepsALargeNursery) {
  HeapOptions options = Options();
  options.nursery_bytes = 4 * kMega;
  options.nursery_max_bytes = 32 * kMega;
  options.pause_goal_ms = 60;
  Pacer pacer(options, 1000 * kMega);
  for (int i = 0; i < 4; ++i) EndMinor(pacer, 4 * kMega, kMega);
  EXPECT_EQ(pacer.nursery_bytes(), 32 * kMega);
  EXPECT_TRUE(pacer.PromotesEagerly());
  EndMinor(pacer, 14 * kMega, kMega);
  EXPECT_EQ(pacer.nursery_bytes(), 32 * kMega);
  EndMinor(pacer, 30 * kMega, kMega);
  EXPECT_LT(pacer.nursery_bytes(), 17 * kMega);
  EXPECT_GT(pacer.nursery_bytes(), 15 * kMega);

  options.pause_goal_ms = 6;
  Pacer shorter(options, 1000 * kMega);
  for (int i = 0; i < 4; ++i) EndMinor(shorter, 4 * kMega, kMega);
  EXPECT_LT(shorter.nursery_bytes(), kMega);
}

// Four collections of whole nurseries, which take half of the time; `homes` bytes of each moved to
// homes.
void EndWindow(Pacer& pacer, uint64_t& now_ns, size_t old_bytes, unsigned percent_survived,
               size_t homes = 0) {
  for (int i = 0; i < 4; ++i) {
    const size_t allocated = pacer.young_limit();
    pacer.WentHome(homes);
    EndMinor(pacer, allocated / 100 * percent_survived, old_bytes);
    now_ns += 2'000'000;
    pacer.PauseEnded(now_ns - 1'000'000, now_ns);
  }
}

HeapOptions YieldingOptions() {
  HeapOptions options = Options();
  options.nursery_bytes = 4 * kMega;
  options.nursery_max_bytes = 8 * kMega;
  options.pause_goal_yields = true;
  options.incremental = true;
  return options;
}

TEST(PacerTest, WhereCollectionsTakeMuchTimeTheNurseryGrowsAsFarAsWhatLives) {
  Pacer pacer(YieldingOptions(), 10000 * kMega);
  pacer.OldGenerationSwept(10 * kMega);
  uint64_t now_ns = 1;
  pacer.PauseEnded(0, now_ns);
  EndWindow(pacer, now_ns, 10 * kMega, 50);
  EXPECT_EQ(pacer.nursery_bytes(), 32 * kMega);
  EXPECT_EQ(pacer.young_limit(), 32 * kMega);
  EXPECT_NEAR(static_cast<double>(pacer.slice_ns()), 8e6, 1e5);
  // Much work does not shrink the nursery then, but with so little old data the nursery must not
  // grow.
  EndWindow(pacer, now_ns, 10 * kMega, 15);
  EXPECT_EQ(pacer.nursery_bytes(), 32 * kMega);
  pacer.OldCollectionBegins(200 * kMega);
  pacer.OldGenerationSwept(100 * kMega);
  EndWindow(pacer, now_ns, 100 * kMega, 15);
  EXPECT_EQ(pacer.nursery_bytes(), 64 * kMega);
  // Too many objects are live for such pauses.
  EndMinor(pacer, kMega, 400 * kMega);
  EXPECT_LE(pacer.nursery_bytes(), 4 * kMega);
  EndWindow(pacer, now_ns, 400 * kMega, 25);
  EXPECT_LE(pacer.nursery_bytes(), 4 * kMega);
}

TEST(PacerTest, BesideALargeNurseryTheOldGenerationIsCollectedEarlier) {
  Pacer pacer(YieldingOptions(), 10000 * kMega);
  pacer.OldCollectionBegins(300 * kMega);
  pacer.OldGenerationSwept(100 * kMega);
  EXPECT_FALSE(pacer.IsTimeForOld(224 * kMega));
  // The limit adds twice the nursery and the objects promoted meanwhile; 240 should be enough.
  ASSERT_EQ(pacer.young_limit(), 6 * kMega);
  pacer.Promoted(10 * kMega);
  ExpectOldBeginsAt(pacer, 240 - 2 * 6 - 3 * 10);
  pacer.Promoted(0);
  uint64_t now_ns = 1;
  pacer.PauseEnded(0, now_ns);
  for (unsigned percent : {50u, 15u}) EndWindow(pacer, now_ns, 110 * kMega, percent);
  ASSERT_EQ(pacer.nursery_bytes(), 64 * kMega);
  // Something must be left to collect.
  ExpectOldBeginsAt(pacer, 125);
}

TEST(PacerTest, AStretchedNurseryAndItsCopiesFitBesideTheOldGeneration) {
  Pacer pacer(YieldingOptions(), 10000 * kMega);
  pacer.OldGenerationSwept(10 * kMega);
  uint64_t now_ns = 1;
  pacer.PauseEnded(0, now_ns);
  for (unsigned percent : {50u, 25u}) EndWindow(pacer, now_ns, 10 * kMega, percent);
  ASSERT_EQ(pacer.nursery_bytes(), 32 * kMega);
  // Little is copied, so nearly all of the 48 MB that a heap may always have is free.
  EndMinor(pacer, kFew, 10 * kMega);
  EXPECT_EQ(pacer.young_limit(), 32 * kMega);
  EndMinor(pacer, kFew, 30 * kMega);
  EXPECT_LT(pacer.young_limit(), 18 * kMega);
  EXPECT_GT(pacer.young_limit(), 16 * kMega);
  // Much is copied.
  EndMinor(pacer, 12 * kMega, 12 * kMega);
  EXPECT_LT(pacer.young_limit(), 18 * kMega);
  // The nursery is stretched a little even if there is no room.
  EndMinor(pacer, 12 * kMega, 60 * kMega);
  EXPECT_EQ(pacer.young_limit(), 16 * kMega);
  // More lives.
  pacer.OldGenerationSwept(60 * kMega);
  EndMinor(pacer, 12 * kMega, 60 * kMega);
  EXPECT_NEAR(static_cast<double>(pacer.young_limit()) / kMega, 144 - 60.5 - 24.25, 0.1);
}

TEST(PacerTest, WhereNextToNothingLivesTheNurseryIsStretchedLess) {
  Pacer pacer(YieldingOptions(), 10000 * kMega);
  uint64_t now_ns = 1;
  pacer.PauseEnded(0, now_ns);
  // The budget is then 28 MB, also before any collection.
  for (unsigned percent : {16u, 12u}) EndWindow(pacer, now_ns, 3 * kMega, percent);
  EXPECT_GE(pacer.young_limit(), 16 * kMega);
  EXPECT_LE(pacer.young_limit(), 25 * kMega);
  EndMinor(pacer, kFew, 20 * kMega);
  EXPECT_LE(pacer.young_limit(), 11 * kMega);
  // A few megabytes are worth a cycle.
  ExpectOldBeginsAt(pacer, 8);
  pacer.OldGenerationSwept(2 * kMega);
  ExpectOldBeginsAt(pacer, 8);
  // More lives.
  pacer.OldGenerationSwept(5 * kMega);
  ExpectOldBeginsAt(pacer, 24);
  EndMinor(pacer, kFew, 20 * kMega);
  EXPECT_GT(pacer.young_limit(), 16 * kMega);
}

TEST(PacerTest, BesideALargeHeapFewObjectsGoHomeInOneCollection) {
  Pacer pacer(YieldingOptions(), 10000 * kMega);
  EndMinor(pacer, kMega, 300 * kMega);
  EXPECT_EQ(pacer.homes_at_once(), SIZE_MAX);
  EndMinor(pacer, kMega, 400 * kMega);
  EXPECT_LT(pacer.homes_at_once(), 5000u);
}

TEST(PacerTest, WhereMuchIsPromotedTheOldGenerationOfASmallHeapIsCollectedEarlier) {
  Pacer pacer(YieldingOptions(), 10000 * kMega);
  // A whole nursery survives, so the next ones are smaller.
  for (int i = 0; i < 2; ++i) EndMinor(pacer, 5 * kMega, kMega);
  ASSERT_LT(pacer.young_limit(), kMega);
  pacer.OldGenerationSwept(20 * kMega);
  ExpectOldBeginsAt(pacer, 35);
  pacer.Promoted(5 * kMega);
  ExpectOldBeginsAt(pacer, 32);
  // Not if the user set the nursery's size.
  HeapOptions options = Options();
  options.incremental = true;
  Pacer fixed(options, 10000 * kMega);
  fixed.OldGenerationSwept(20 * kMega);
  fixed.Promoted(4 * kMega);
  ExpectOldBeginsAt(fixed, 35);
}

TEST(PacerTest, WhatIsPromotedMeanwhileDoesNotHideThatMostDied) {
  uint64_t now_ns = 1;
  for (const bool most_died : {false, true}) {
    Pacer pacer(YieldingOptions(), 10000 * kMega);
    pacer.PauseEnded(0, now_ns);
    pacer.OldCollectionBegins(100 * kMega);
    pacer.OldGenerationSwept(110 * kMega, (most_died ? 60 : 40) * kMega);
    EndWindow(pacer, now_ns, 110 * kMega, 95);
    EXPECT_EQ(pacer.nursery_bytes() == 64 * kMega, most_died);
  }
}

TEST(PacerTest, AHardGoalDoesNotYield) {
  HeapOptions options = YieldingOptions();
  options.pause_goal_yields = false;
  Pacer pacer(options, 10000 * kMega);
  uint64_t now_ns = 1;
  pacer.PauseEnded(0, now_ns);
  for (int i = 0; i < 5; ++i) EndWindow(pacer, now_ns, 10 * kMega, 50);
  EXPECT_LE(pacer.nursery_bytes(), 8 * kMega);
}

TEST(PacerTest, HomesAreWorkThatALargerNurseryDoesNotSave) {
  Pacer pacer(YieldingOptions(), 10000 * kMega);
  uint64_t now_ns = 1;
  pacer.PauseEnded(0, now_ns);
  for (int i = 0; i < 20; ++i) {
    EndWindow(pacer, now_ns, 10 * kMega, 50, pacer.young_limit() / 128);
    EXPECT_LE(pacer.nursery_bytes(), 4 * kMega);
  }
  // A stretched nursery shrinks when the program begins to commit.
  Pacer stretched(YieldingOptions(), 10000 * kMega);
  stretched.PauseEnded(0, now_ns);
  EndWindow(stretched, now_ns, 10 * kMega, 50);
  ASSERT_EQ(stretched.nursery_bytes(), 32 * kMega);
  stretched.WentHome(stretched.young_limit() / 128);
  EndMinor(stretched, kMega, 10 * kMega);
  EXPECT_LE(stretched.nursery_bytes(), 8 * kMega);
}

TEST(PacerTest, WhatIsOldAndDisplacedIsWorthAFullCollectionWhereNoMoreIsCopied) {
  HeapOptions options = Options();
  options.incremental = true;
  Pacer pacer(options, 10000 * kMega);
  const auto kind = [&](size_t displaced, size_t old) {
    pacer.StillDisplaced(CollectionKind::kMinor, displaced * kMega);
    return pacer.NextKind(old * kMega);
  };
  EXPECT_EQ(kind(3, 4), CollectionKind::kMinor);
  EXPECT_EQ(kind(4, 8), CollectionKind::kMajor);
  EXPECT_EQ(kind(4, 9), CollectionKind::kMinor);
  // Objects that a full collection did not move are no reason for another collection.
  pacer.StillDisplaced(CollectionKind::kMajor, 4 * kMega);
  EXPECT_EQ(kind(7, 8), CollectionKind::kMinor);
  EXPECT_EQ(kind(8, 8), CollectionKind::kMajor);
  EXPECT_EQ(kind(2, 3), CollectionKind::kMinor);
  EXPECT_EQ(kind(6, 7), CollectionKind::kMajor);
  // With so much live data the pause would be too long.
  pacer.OldGenerationSwept(1000 * kMega);
  EXPECT_EQ(kind(500, 900), CollectionKind::kMinor);
}

TEST(PacerTest, AFixedNurseryStaysAsItIs) {
  Pacer pacer(Options(), 1000 * kMega);
  pacer.Allocated(6 * kMega - 1);
  EXPECT_FALSE(pacer.IsLate());
  pacer.Allocated(1);
  EXPECT_TRUE(pacer.IsLate());
  pacer.Allocated(2 * kMega);
  pacer.CollectionEnded(CollectionKind::kMinor, kMega, 0, 5 * kMega, 0);
  EXPECT_EQ(pacer.nursery_bytes(), 8 * kMega);
  EXPECT_FALSE(pacer.IsLate());
}

TEST(PacerTest, WithoutGenerationsEveryCollectionIsMajor) {
  HeapOptions options = Options();
  options.generational = false;
  Pacer pacer(options, 1000 * kMega);
  EXPECT_EQ(pacer.NextKind(0), CollectionKind::kMajor);
  EXPECT_EQ(pacer.young_limit(), options.min_old_bytes);
  pacer.CollectionEnded(CollectionKind::kMajor, 0, 100 * kMega, 0, 0);
  EXPECT_EQ(pacer.young_limit(), 100 * kMega / 100 * (options.growth_percent - 100));
}

}  // namespace
}  // namespace tenure::gc
