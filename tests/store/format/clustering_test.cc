#include "store/format/clustering.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/flat_table.h"

namespace tenure::store {
namespace {

struct IntHash {
  uint64_t operator()(int key) const { return SpreadBits(static_cast<uint64_t>(key)); }
};
using Numbers = Cluster<int, int, std::string, IntHash>;

std::vector<int> Place(Numbers& cluster) {
  std::vector<int> placed;
  EXPECT_TRUE(cluster.PlaceAll([&](int object) {
    placed.push_back(object);
    return true;
  }));
  return placed;
}

TEST(ClusterTest, ObjectsOfAKindComeTogether) {
  const std::string part, connection;
  Numbers cluster;
  cluster.Add(1, 1, &part, 80);
  cluster.Add(2, 2, &connection, 48);
  cluster.Add(3, 3, &part, 80);
  cluster.Add(4, 4, &connection, 48);
  EXPECT_TRUE(cluster.Contains(3));
  EXPECT_EQ(Place(cluster), (std::vector<int>{1, 3, 2, 4}));
  EXPECT_FALSE(cluster.Contains(3));
  cluster.Add(5, 5, &connection, 48);
  cluster.Add(3, 3, &part, 80);
  EXPECT_EQ(Place(cluster), (std::vector<int>{5, 3}));
}

TEST(ClusterTest, WhatHasNoReferencesStaysBehindWhatCameBefore) {
  const std::string node, record;
  Numbers cluster;
  cluster.Add(0, 0, nullptr, 32);
  cluster.Add(1, 1, &node, 32);
  cluster.Add(2, 2, &record, 32);
  cluster.Add(3, 3, nullptr, 32);
  cluster.Add(4, 4, nullptr, 32);
  cluster.Add(5, 5, &node, 32);
  cluster.Add(6, 6, nullptr, 32);
  EXPECT_EQ(Place(cluster), (std::vector<int>{0, 1, 5, 6, 2, 3, 4}));
}

TEST(ClusterTest, IsFullByBytesAndEmptyAfterAFailure) {
  const std::string kind;
  Numbers cluster;
  int objects = 0;
  for (; !cluster.full(); ++objects) cluster.Add(objects, objects, &kind, 128);
  EXPECT_EQ(objects * 128, static_cast<int>(kClusterBytes));
  int placed = 0;
  EXPECT_FALSE(cluster.PlaceAll([&](int) { return ++placed < 3; }));
  EXPECT_EQ(placed, 3);
  EXPECT_FALSE(cluster.Contains(objects - 1));
  EXPECT_FALSE(cluster.full());
  EXPECT_TRUE(Place(cluster).empty());
}

TEST(LiesApartTest, OnlyWhatIsLongAndLeadsNowhere) {
  EXPECT_TRUE(LiesApart(kLongObject + 8, true));
  EXPECT_FALSE(LiesApart(kLongObject, true));
  EXPECT_FALSE(LiesApart(kLongObject + 8, false));
}

// Places an object and returns its page.
uint64_t Put(OpenPages& pages, size_t bytes, bool apart, uint64_t* last) {
  if (pages.WithRoom(bytes, apart) == nullptr) pages.Replace(PageId{++*last}, apart);
  OpenPage& page = *pages.WithRoom(bytes, apart);
  page.offset += bytes;
  return page.page.number;
}

TEST(OpenPagesTest, WhatLiesApartHasPagesOfItsOwn) {
  OpenPages pages;
  uint64_t last = 0;
  EXPECT_EQ(Put(pages, 64, false, &last), 1u);
  EXPECT_EQ(Put(pages, 2000, true, &last), 2u);
  EXPECT_EQ(Put(pages, 64, false, &last), 1u);
  EXPECT_EQ(Put(pages, 7000, true, &last), 3u);
  EXPECT_EQ(Put(pages, 2000, true, &last), 2u);
  EXPECT_TRUE(pages.Has(PageId{3}));
  pages.Close(PageId{3});
  EXPECT_FALSE(pages.Has(PageId{3}));
}

TEST(OpenPagesTest, TheRestOfAPageIsFilledWithOtherObjectsIfItIsWorthIt) {
  OpenPages pages;
  uint64_t last = 0;
  // Page 1 is full, 2 and 3 are for separate objects, and 4 replaces 2.
  EXPECT_EQ(Put(pages, abi::kPageBytes, false, &last), 1u);
  EXPECT_EQ(Put(pages, abi::kPageBytes - kWorthMixing, true, &last), 2u);
  EXPECT_EQ(Put(pages, 5000, true, &last), 3u);
  EXPECT_EQ(Put(pages, 5000, true, &last), 4u);
  EXPECT_EQ(Put(pages, 64, false, &last), 2u);
  // Page 3, behind it, is also replaced.
  EXPECT_EQ(Put(pages, 5000, true, &last), 5u);
  EXPECT_EQ(Put(pages, kWorthMixing - 64, false, &last), 2u);
}

}  // namespace
}  // namespace tenure::store
