#include "stabilize/frames/displaced.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace tenure::stabilize {
namespace {

using abi::Ref;

class DisplacedTest : public ::testing::Test {
 protected:
  // Place i of a heap that consists only of addresses; its home is on page 1 + i / 100.
  static Ref Place(size_t i) { return reinterpret_cast<Ref>(0x10000 + 64 * i); }
  void Add(size_t i) {
    objects.Add(
        {Place(i), nullptr, PersistentRef::Object(PageId{1 + i / 100}, 8 + 64 * (i % 100)), 64});
  }
  std::vector<Ref> SortedPlaces() {
    std::vector<Ref> places = objects.Places();
    std::sort(places.begin(), places.end());
    return places;
  }
  std::vector<Ref> Young(size_t first_old) {
    std::vector<Ref> asked;
    objects.ForEachYoung([&](Ref place) { return place < Place(first_old); },
                         [&](Ref place) {
                           asked.push_back(place);
                           return true;
                         });
    return asked;
  }

  DisplacedObjects objects;
};

TEST_F(DisplacedTest, PlacesFollowAddAndRemove) {
  for (size_t i = 0; i < 200; ++i) Add(i);
  // The first place, the last one and some between.
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

// Homes that come in any order, on pages of two databases.
TEST_F(DisplacedTest, HomesLeadToPlaces) {
  const auto at = [](size_t i) { return reinterpret_cast<Database*>(0x1000 + 0x100 * (i % 2)); };
  const auto home = [](size_t i) {
    return PersistentRef::Object(PageId{1 + i % 7}, 8 + 16 * ((i * 37) % 500));
  };
  constexpr size_t kObjects = 499;
  for (size_t i = 0; i < kObjects; ++i) objects.Add({Place(i), at(i), home(i), 16});
  for (size_t i = 0; i < kObjects; i += 3) objects.Remove(Place(i));
  std::set<std::pair<Database*, uint64_t>> pages;
  for (size_t i = 0; i < kObjects; ++i) {
    EXPECT_EQ(objects.PlaceOf(at(i), home(i)), i % 3 == 0 ? nullptr : Place(i));
    EXPECT_EQ(objects.PlaceOf(at(i + 1), home(i)), nullptr);
    if (i % 3 != 0) pages.insert({at(i), home(i).page().number});
  }
  EXPECT_EQ(objects.home_pages(), pages.size());
  size_t found = 0;
  for (const auto& [database, page] : pages) {
    const PageObjects* const places = objects.WithHomeOn(database, PageId{page});
    ASSERT_NE(places, nullptr);
    found += places->size();
    EXPECT_TRUE(std::is_sorted(places->begin(), places->end(), [&](Ref a, Ref b) {
      return objects.Find(a)->home.bits < objects.Find(b)->home.bits;
    }));
  }
  EXPECT_EQ(found, objects.size());
  EXPECT_EQ(objects.WithHomeOn(at(0), PageId{8}), nullptr);
}

// The hints of headers go out of date when entries move.
TEST_F(DisplacedTest, HeadersLeadToEntries) {
  constexpr size_t kObjects = 100;
  alignas(8) static uint64_t heap[kObjects * 8];
  const auto place = [](size_t i) { return static_cast<Ref>(heap + 8 * i + 1); };
  for (size_t i = 0; i < kObjects; ++i) {
    heap[8 * i] = objects.HeaderBitsOfNext();
    objects.Add({place(i), nullptr, PersistentRef::Object(PageId{1}, 8 + 64 * i), 64});
    EXPECT_EQ(heap[8 * i] & ~DisplacedObjects::kHeaderBits, 0u);
  }
  for (size_t i = 0; i < kObjects; i += 3) objects.Remove(place(i));
  for (size_t i = 0; i < kObjects; ++i) {
    const DisplacedObject* const found = objects.FindByHeader(place(i));
    EXPECT_EQ(found, objects.Find(place(i)));
    EXPECT_EQ(found == nullptr, i % 3 == 0);
  }
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

TEST_F(DisplacedTest, AnObjectMayGoWhileItIsAskedAbout) {
  for (size_t i = 0; i < 10; ++i) Add(i);
  objects.ForEachYoung([](Ref) { return true; },
                       [&](Ref place) {
                         objects.Remove(place);
                         return false;
                       });
  EXPECT_EQ(objects.size(), 0u);
  EXPECT_TRUE(Young(10).empty());
}

}  // namespace
}  // namespace tenure::stabilize
