#include "base/bitmap.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/random.h"

namespace tenure {
namespace {

TEST(BitmapTest, StartsClear) {
  const Bitmap bitmap(130);
  EXPECT_EQ(bitmap.Count(), 0u);
  EXPECT_EQ(bitmap.FindNext(0), Bitmap::kNone);
  EXPECT_EQ(bitmap.FindPrevious(129), Bitmap::kNone);
  EXPECT_EQ(bitmap.FindNextClear(0), 0u);
}

TEST(BitmapTest, FindsAcrossWords) {
  Bitmap bitmap(200);
  bitmap.Set(3);
  bitmap.Set(190);
  EXPECT_EQ(bitmap.FindNext(0), 3u);
  EXPECT_EQ(bitmap.FindNext(3), 3u);
  EXPECT_EQ(bitmap.FindNext(4), 190u);
  EXPECT_EQ(bitmap.FindNext(191), Bitmap::kNone);
  EXPECT_EQ(bitmap.FindNext(200), Bitmap::kNone);
  EXPECT_EQ(bitmap.FindPrevious(199), 190u);
  EXPECT_EQ(bitmap.FindPrevious(189), 3u);
  EXPECT_EQ(bitmap.FindPrevious(2), Bitmap::kNone);
}

TEST(BitmapTest, AFullBitmapHasNoClearBitPastItsEnd) {
  Bitmap bitmap(70);
  bitmap.SetRange(0, 70);
  EXPECT_EQ(bitmap.Count(), 70u);
  EXPECT_EQ(bitmap.FindNextClear(0), Bitmap::kNone);
}

TEST(BitmapTest, ViewChangesTheCallersWords) {
  uint64_t words[2] = {0, 0};
  BitmapView view(words, 128);
  view.Set(65);
  EXPECT_EQ(words[1], 2u);
  view.Clear(65);
  EXPECT_EQ(words[1], 0u);
}

// The same operations on a vector<bool>, searched bit by bit.
TEST(BitmapTest, AgreesWithAPlainModel) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const size_t bits = 1 + random.Below(300);
    Bitmap bitmap(bits);
    std::vector<bool> model(bits);
    for (int step = 0; step < 300; ++step) {
      const size_t bit = random.Below(bits);
      const size_t to = bit + random.Below(bits - bit + 1);
      switch (random.Below(4)) {
        case 0:
          bitmap.Set(bit);
          model[bit] = true;
          break;
        case 1:
          bitmap.Clear(bit);
          model[bit] = false;
          break;
        case 2:
          bitmap.SetRange(bit, to);
          for (size_t i = bit; i < to; ++i) model[i] = true;
          break;
        case 3:
          bitmap.ClearRange(bit, to);
          for (size_t i = bit; i < to; ++i) model[i] = false;
          break;
      }
      const size_t from = random.Below(bits);
      size_t next = from;
      while (next < bits && !model[next]) ++next;
      size_t next_clear = from;
      while (next_clear < bits && model[next_clear]) ++next_clear;
      size_t previous = from;
      while (previous != Bitmap::kNone && !model[previous]) --previous;
      ASSERT_EQ(bitmap.FindNext(from), next < bits ? next : Bitmap::kNone);
      ASSERT_EQ(bitmap.FindNextClear(from), next_clear < bits ? next_clear : Bitmap::kNone);
      ASSERT_EQ(bitmap.FindPrevious(from), previous);
      ASSERT_EQ(bitmap.Test(from), model[from]);
      size_t count = 0;
      for (size_t i = 0; i < bits; ++i) count += model[i];
      ASSERT_EQ(bitmap.Count(), count);
    }
  }
}

}  // namespace
}  // namespace tenure
