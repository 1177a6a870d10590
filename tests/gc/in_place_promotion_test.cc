// Minor collections that promote objects in place: HeapOptions::in_place.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "abi/heap_constants.h"
#include "tests/support/test_heap.h"

namespace tenure::gc {
namespace {

using abi::Ref;

std::string Node(int i) { return "n" + std::to_string(i); }

HeapOptions AlwaysOptions() {
  HeapOptions options = TestHeap::SmallOptions();
  options.in_place = InPlacePromotion::kAlways;
  options.promotion_age = 1;
  options.paranoid = true;
  return options;
}

uintptr_t PageOf(Ref object) { return reinterpret_cast<uintptr_t>(object) / abi::kPageBytes; }

class InPlacePromotionTest : public ::testing::TestWithParam<Remembering> {
 protected:
  static HeapOptions Options() {
    HeapOptions options = AlwaysOptions();
    options.remembering = GetParam();
    return options;
  }
  void TearDown() override { heap.Verify(); }
  // A list of `nodes` nodes with garbage between them; the first node is a root.
  void MakeList(int nodes) {
    for (int i = 0; i < nodes; ++i) {
      heap.MakeNode(Node(i), 1);
      heap.MakeNode("garbage" + std::to_string(i), 3);
      if (i > 0) heap.SetEdge(Node(i - 1), 0, Node(i));
    }
    heap.AddExactRoot(Node(0));
  }

  TestHeap heap{Options()};
};

TEST_P(InPlacePromotionTest, WhatIsReachedBecomesOldAndStays) {
  constexpr int kNodes = 2000;
  MakeList(kNodes);
  std::map<int, Ref> before;
  for (int i = 0; i < kNodes; ++i) before[i] = heap.Find(Node(i));
  heap.CollectMinor();
  for (int i = 0; i < kNodes; ++i) {
    ASSERT_EQ(heap.Find(Node(i)), before[i]);
    ASSERT_TRUE(heap.IsOld(Node(i)));
    ASSERT_FALSE(heap.IsLive("garbage" + std::to_string(i)));
  }
  const HeapStats stats = heap.heap().stats();
  EXPECT_EQ(stats.objects_copied, 0u);
  EXPECT_GT(stats.bytes_in_place, kNodes * sizeof(void*));
  EXPECT_EQ(stats.bytes_in_place, stats.survived_bytes[0]);
}

TEST_P(InPlacePromotionTest, PagesWithoutAnythingReachedAreFree) {
  MakeList(10);
  heap.AllocateGarbage(512 << 10);
  const size_t before = heap.heap().HeapBytes();
  heap.CollectMinor();
  EXPECT_LE(heap.heap().HeapBytes() + (256 << 10), before);
  EXPECT_TRUE(heap.IsLive(Node(9)));
}

TEST_P(InPlacePromotionTest, PlacesBetweenAreUsedForWhatIsPromotedLater) {
  MakeList(20);
  heap.CollectMinor();
  const uintptr_t page = PageOf(heap.Find(Node(10)));
  // Objects beside a pinned one do not stay in place.
  heap.Build({{"copied", {}}, {"pinned", {}}});
  heap.AddExactRoot("copied");
  heap.AddAmbiguousRoot("pinned");
  heap.CollectMinor();
  ASSERT_TRUE(heap.IsOld("copied"));
  EXPECT_EQ(PageOf(heap.Find("copied")), page);
}

TEST_P(InPlacePromotionTest, BesideWhatIsPinnedObjectsMove) {
  heap.Build({{"pinned", {}}, {"mate", {}}});
  heap.AddAmbiguousRoot("pinned", 4);
  heap.AddExactRoot("mate");
  const Ref pinned = heap.Find("pinned"), mate = heap.Find("mate");
  heap.CollectMinor();
  EXPECT_EQ(heap.Find("pinned"), pinned);
  EXPECT_TRUE(heap.IsYoung("pinned"));
  EXPECT_NE(heap.Find("mate"), mate);
}

TEST_P(InPlacePromotionTest, WhatOldObjectsReferTo) {
  heap.MakeNode("old", 200);
  heap.AddExactRoot("old");
  heap.CollectMinor();
  ASSERT_TRUE(heap.IsOld("old"));
  for (int i = 0; i < 200; ++i) {
    heap.MakeNode(Node(i), 0);
    heap.SetEdge("old", i, Node(i));
  }
  heap.CollectMinor();
  for (int i = 0; i < 200; ++i) {
    ASSERT_TRUE(heap.IsOld(Node(i)));
    ASSERT_EQ(*NodeEdge(heap.Find("old"), i), heap.Find(Node(i)));
  }
}

TEST_P(InPlacePromotionTest, WhatRefersToYoungObjectsIsRemembered) {
  // The object is on another page, because the pinned object's page stays young.
  heap.MakeNode("pinned", 0);
  heap.AddAmbiguousRoot("pinned");
  heap.AllocateGarbage(2 * abi::kPageBytes);
  heap.MakeNode("holder", 1);
  heap.SetEdge("holder", 0, "pinned");
  heap.AddExactRoot("holder");
  heap.CollectMinor();
  ASSERT_TRUE(heap.IsOld("holder"));
  ASSERT_TRUE(heap.IsYoung("pinned"));
  heap.ClearRoots();
  heap.AddExactRoot("holder");
  heap.CollectMinor();
  EXPECT_TRUE(heap.IsLive("pinned"));
  EXPECT_EQ(*NodeEdge(heap.Find("holder"), 0), heap.Find("pinned"));
}

TEST_P(InPlacePromotionTest, WeakReferencesAndCleanups) {
  MakeList(2);
  heap.Build({{"watched", {}}, {"user", {"watched"}}});
  WeakRefs& weak = heap.heap().weak_refs();
  const uint64_t kept = weak.Register(heap.Find(Node(1)), 1, false);
  const uint64_t lost = weak.Register(heap.Find("garbage0"), 2, false);
  const uint64_t user = weak.Register(heap.Find("user"), 3, true);
  const uint64_t watched = weak.Register(heap.Find("watched"), 4, false);
  heap.CollectMinor();
  EXPECT_EQ(weak.Get(kept), heap.Find(Node(1)));
  EXPECT_EQ(weak.Get(lost), nullptr);
  EXPECT_EQ(weak.Get(user), nullptr);
  EXPECT_EQ(weak.Get(watched), heap.Find("watched"));
  WeakRefs::Cleanup cleanup;
  ASSERT_TRUE(weak.TakeCleanup(&cleanup));
  EXPECT_EQ(cleanup.cookie, 3u);
  EXPECT_EQ(*NodeEdge(cleanup.object, 0), heap.Find("watched"));
}

INSTANTIATE_TEST_SUITE_P(RememberedBy, InPlacePromotionTest,
                         ::testing::Values(Remembering::kCards, Remembering::kObjects),
                         [](const auto& remembering) {
                           return remembering.param == Remembering::kCards ? "Cards" : "Objects";
                         });

TEST(InPlacePromotionWithADatabaseTest, DisplacedObjectsGoHome) {
  TestHeap heap(AlwaysOptions());
  TestPersistentSpace database(heap.heap());
  heap.Build({{"holder", {"a"}}, {"a", {"b"}}, {"b", {}}});
  heap.AddExactRoot("holder");
  const Ref home = database.Displace(heap.Find("a"));
  heap.CollectMinor();
  EXPECT_EQ(database.displaced_count(), 0u);
  EXPECT_EQ(*NodeEdge(heap.Find("holder"), 0), home);
  EXPECT_EQ(*NodeEdge(home, 0), heap.Find("b"));
  heap.Verify();
}

// Every minor collection is in the middle of a cycle of the old generation's collection.
TEST(InPlacePromotionWhileMarkingTest, WhatIsFoundAndWhatIsNot) {
  HeapOptions options = AlwaysOptions();
  options.min_old_bytes = 0;
  options.growth_percent = 100;
  TestHeap heap(options);
  heap.MakeNode("old", 2000);
  heap.AddExactRoot("old");
  heap.CollectMajor();
  ASSERT_TRUE(heap.IsOld("old"));
  int made = 0;
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 100; ++i, ++made) {
      heap.MakeNode(Node(made), 0);
      heap.SetEdge("old", made, Node(made));
      // Pages without live objects, which the cycle must not count as its own.
      heap.AllocateGarbage(abi::kPageBytes / 4);
    }
    heap.CollectMinor();
    for (int i = 0; i < made; ++i) {
      ASSERT_EQ(*NodeEdge(heap.Find("old"), i), heap.Find(Node(i)));
    }
  }
  EXPECT_GT(heap.heap().stats().old_collections, 2u);
  heap.Verify();
}

TEST(InPlacePromotionByChoiceTest, OnlyWhereNearlyAllSurvives) {
  constexpr int kNodes = 8000;
  for (const bool most_dies : {false, true}) {
    TestHeap heap;
    heap.MakeNode("root", kNodes);
    heap.AddExactRoot("root");
    for (int i = 0; i < kNodes; ++i) {
      heap.MakeNode(Node(i), 200);
      if (!most_dies || i % 4 == 0) heap.SetEdge("root", i, Node(i));
    }
    const HeapStats stats = heap.heap().stats();
    ASSERT_GT(stats.minor_collections, 5u);
    if (most_dies) {
      EXPECT_EQ(stats.bytes_in_place, 0u);
    } else {
      EXPECT_GT(stats.bytes_in_place, stats.bytes_copied);
    }
    heap.Verify();
  }
}

}  // namespace
}  // namespace tenure::gc
