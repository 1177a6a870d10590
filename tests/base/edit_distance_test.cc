#include "base/edit_distance.h"

#include <gtest/gtest.h>

namespace tenure {
namespace {

TEST(EditDistanceTest, EqualWordsAreNotApart) {
  EXPECT_EQ(EditDistance("", ""), 0u);
  EXPECT_EQ(EditDistance("maxheap", "maxheap"), 0u);
}

TEST(EditDistanceTest, AnEmptyWordIsAsFarAsTheOtherIsLong) {
  EXPECT_EQ(EditDistance("", "nogc"), 4u);
  EXPECT_EQ(EditDistance("nogc", ""), 4u);
}

TEST(EditDistanceTest, EachSlipCountsOnce) {
  EXPECT_EQ(EditDistance("maxhep", "maxheap"), 1u);    // left out
  EXPECT_EQ(EditDistance("maxheaap", "maxheap"), 1u);  // doubled
  EXPECT_EQ(EditDistance("maxheep", "maxheap"), 1u);   // another
  EXPECT_EQ(EditDistance("maxhaep", "maxheap"), 1u);   // swapped
  EXPECT_EQ(EditDistance("axmheap", "maxheap"), 2u);
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3u);
}

}  // namespace
}  // namespace tenure
