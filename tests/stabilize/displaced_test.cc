#include "stabilize/displaced.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace tenure::stabilize {
namespace {

using abi::Ref;

class DisplacedTest : public ::testing::Test {
 protected:
  // Place i of a heap that is only addresses; its home is on page 1 + i / 100.
  static Ref Place(size_t i) { return reinterpret_cast<Ref>(0x10000 + 64 * i); }
  void Add(size_t i, bool young = true) {
    objects.Add(
        {Place(i), nullptr, PersistentRef::Object(PageId{1 + i / 100}, 8 + 64 * (i % 100)), 64},
        young);
  }
  std::vector<Ref> SortedPlaces() {
    std::vector<Ref> places = objects.Places();
    std::sort(places.begin(), places.end());
    return places;
  }
  std::vector<Ref> Young(size_t first_old) {
    std::vector<Ref> asked;
    objects.ForEachYoung([&](Ref place) { return place < Place(first_old); },
                         [&](Ref place) { asked.push_back(place); });
    std::sort(asked.begin(), asked.end());
    return asked;
  }

  DisplacedObjects objects;
};

TEST_F(DisplacedTest, PlacesFollowAddAndRemove) {
  for (size_t i = 0; i < 200; ++i) Add(i);
  // The first, the last and some between.
  for (size_t i = 0; i < 200; i += 3) objects.Remove(Place(i));
  objects.Remove(Place(199));
  Add(0);
  std::vector<Ref> expected = {Place(0)};
  for (size_t i = 0; i < 199; ++i) {
    if (i % 3 != 0) expected.push_back(Place(i));
  }
  EXPECT_EQ(SortedPlaces(), expected);
  EXPECT_EQ(objects.size(), expected.size());
  for (const Ref place : expected) EXPECT_EQ(objects.Find(place)->place, place);
  for (const Ref place : expected) objects.Remove(place);
  EXPECT_TRUE(objects.Places().empty());
}

TEST_F(DisplacedTest, WhatIsOldOrGoneDoesNotComeAgain) {
  for (size_t i = 0; i < 10; ++i) Add(i);
  objects.Remove(Place(2));
  EXPECT_EQ(Young(5), (std::vector<Ref>{Place(0), Place(1), Place(3), Place(4)}));
  objects.Remove(Place(0));
  Add(4096);
  EXPECT_EQ(Young(10), (std::vector<Ref>{Place(1), Place(3), Place(4)}));
  EXPECT_EQ(Young(3), (std::vector<Ref>{Place(1)}));
  EXPECT_EQ(Young(5000), (std::vector<Ref>{Place(1)}));
  EXPECT_EQ(objects.size(), 9u);
}

TEST_F(DisplacedTest, WhatWasOldFromTheFirstNeverComes) {
  for (size_t i = 0; i < 10; ++i) Add(i, i % 2 == 0);
  objects.Remove(Place(1));
  objects.Remove(Place(2));
  EXPECT_EQ(Young(100), (std::vector<Ref>{Place(0), Place(4), Place(6), Place(8)}));
  EXPECT_EQ(objects.size(), 8u);
}

TEST_F(DisplacedTest, AnObjectMayGoWhileItIsAskedAbout) {
  for (size_t i = 0; i < 10; ++i) Add(i);
  objects.ForEachYoung([](Ref) { return true; }, [&](Ref place) { objects.Remove(place); });
  EXPECT_EQ(objects.size(), 0u);
  EXPECT_TRUE(Young(10).empty());
}

}  // namespace
}  // namespace tenure::stabilize
