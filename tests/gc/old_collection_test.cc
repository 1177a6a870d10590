// The old generation's collection in slices, driven by minor collections.
#include "gc/old_collection.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/test_heap.h"

namespace tenure::gc {
namespace {

using abi::Ref;

// A cycle begins at the first minor collection.
HeapOptions AlwaysOptions() {
  HeapOptions options = TestHeap::SmallOptions();
  options.min_old_bytes = 0;
  options.growth_percent = 100;
  options.paranoid = true;
  return options;
}

class OldCollectionTest : public ::testing::Test {
 protected:
  void TearDown() override { heap.Verify(); }

  // Makes all objects that the roots reach old.
  void Age() {
    heap.CollectMajor();
    heap.ClearRoots();
  }
  void RunCycle() {
    const uint64_t before = heap.heap().stats().old_collections;
    for (int i = 0; i < 20 && heap.heap().stats().old_collections == before; ++i) {
      heap.CollectMinor();
    }
    ASSERT_EQ(heap.heap().stats().old_collections, before + 1);
  }

  TestHeap heap{AlwaysOptions()};
};

TEST_F(OldCollectionTest, RemovesGarbageAndMovesNothing) {
  heap.Build({{"b", {}}, {"a", {"b"}}, {"dead", {"b"}}, {"loop", {"loop"}}});
  heap.AddExactRoot("a");
  heap.AddExactRoot("dead");
  heap.AddExactRoot("loop");
  Age();
  heap.AddExactRoot("a");
  const Ref a = heap.Find("a"), b = heap.Find("b");
  RunCycle();
  EXPECT_EQ(heap.Find("a"), a);
  EXPECT_EQ(heap.Find("b"), b);
  EXPECT_FALSE(heap.IsLive("dead"));
  EXPECT_FALSE(heap.IsLive("loop"));
  EXPECT_EQ(heap.heap().stats().major_collections, 1u);
}

TEST_F(OldCollectionTest, TheCollectionThatFinishesTheMarkBeginsToSweep) {
  heap.Build({{"kept", {}}, {"dead", {}}});
  heap.AddExactRoot("kept");
  heap.AddExactRoot("dead");
  Age();
  heap.AddExactRoot("kept");
  heap.CollectMinor();  // marks
  EXPECT_TRUE(heap.IsLive("dead"));
  heap.CollectMinor();
  EXPECT_FALSE(heap.IsLive("dead"));
}

TEST_F(OldCollectionTest, FreesPagesAndLargeObjects) {
  heap.Build({{"large", {}}}, /*spare_edges=*/5000);
  heap.Build({{"kept", {}}}, /*spare_edges=*/5000);
  heap.AddExactRoot("large");
  heap.AddExactRoot("kept");
  Age();
  heap.AddExactRoot("kept");
  const size_t before = heap.heap().HeapBytes();
  RunCycle();
  EXPECT_FALSE(heap.IsLive("large"));
  EXPECT_TRUE(heap.IsLive("kept"));
  EXPECT_LE(heap.heap().HeapBytes(), before - 40000);
}

TEST_F(OldCollectionTest, WhatIsStoredDuringTheMarkLives) {
  heap.Build({{"child", {}}, {"found", {"child"}}, {"a", {""}}});
  heap.AddExactRoot("a");
  heap.AddExactRoot("found");
  Age();
  heap.AddExactRoot("a");
  WeakRefs& weak = heap.heap().weak_refs();
  const uint64_t id = weak.Register(heap.Find("found"), 0, false);
  heap.CollectMinor();  // marks `a`, and all objects that it reaches then
  const Ref found = weak.Get(id);
  ASSERT_EQ(found, heap.Find("found"));
  StoreReference(NodeEdge(heap.Find("a"), 0), found);
  RunCycle();
  EXPECT_EQ(weak.Get(id), found);
  EXPECT_EQ(heap.Find("found"), found);
  EXPECT_TRUE(heap.IsLive("child"));
}

TEST_F(OldCollectionTest, YoungObjectsAndStacksHoldOldOnes) {
  heap.Build({{"by_young", {}}, {"by_stack", {}}, {"dead", {}}});
  for (const char* name : {"by_young", "by_stack", "dead"}) heap.AddExactRoot(name);
  Age();
  heap.AddAmbiguousRoot("by_stack", 4);
  heap.CollectMinor();  // the mark has begun
  heap.Build({{"young", {"by_young"}}});
  heap.AddAmbiguousRoot("young");  // pinned, so that it stays young
  RunCycle();
  EXPECT_TRUE(heap.IsYoung("young"));
  EXPECT_TRUE(heap.IsOld("by_young"));
  EXPECT_TRUE(heap.IsOld("by_stack"));
  EXPECT_FALSE(heap.IsLive("dead"));
}

TEST_F(OldCollectionTest, WhatLeavesAPageOfPinnedObjectsIsFollowedWhileObjectsAreMarked) {
  heap.roots().waits = true;
  heap.MakeNode("old", 1);
  heap.AddExactRoot("old");
  Age();
  heap.AddExactRoot("old");
  heap.Build({{"pinned", {}}, {"mate", {}}});
  heap.AddAmbiguousRoot("pinned");
  heap.AddAmbiguousRoot("mate");
  heap.SetEdge("old", 0, "mate");
  heap.CollectMinor();  // the mark has begun; both have stayed
  const Ref mate = heap.Find("mate");
  heap.roots().ambiguous.clear();
  heap.AddAmbiguousRoot("pinned");
  heap.CollectMinor();
  EXPECT_TRUE(heap.IsOld("pinned"));
  EXPECT_NE(*NodeEdge(heap.Find("old"), 0), mate);
  EXPECT_EQ(*NodeEdge(heap.Find("old"), 0), heap.Find("mate"));
}

TEST_F(OldCollectionTest, WeakReferencesAndCleanups) {
  heap.Build({{"used", {}}, {"user", {"used"}}, {"plain", {}}});
  heap.AddExactRoot("user");
  heap.AddExactRoot("plain");
  Age();
  WeakRefs& weak = heap.heap().weak_refs();
  const uint64_t user = weak.Register(heap.Find("user"), 1, true);
  const uint64_t used = weak.Register(heap.Find("used"), 2, true);
  const uint64_t plain = weak.Register(heap.Find("plain"), 3, false);
  RunCycle();
  EXPECT_EQ(weak.Get(user), nullptr);
  EXPECT_NE(weak.Get(used), nullptr);  // its user's clean-up comes first
  EXPECT_EQ(weak.Get(plain), nullptr);
  EXPECT_FALSE(heap.IsLive("plain"));
  WeakRefs::Cleanup cleanup;
  ASSERT_TRUE(weak.TakeCleanup(&cleanup));
  EXPECT_EQ(cleanup.cookie, 1u);
  EXPECT_EQ(*NodeEdge(cleanup.object, 0), heap.Find("used"));
  EXPECT_FALSE(weak.TakeCleanup(&cleanup));
  RunCycle();
  ASSERT_TRUE(weak.TakeCleanup(&cleanup));
  EXPECT_EQ(cleanup.cookie, 2u);
  RunCycle();
  EXPECT_FALSE(heap.IsLive("user"));
  EXPECT_FALSE(heap.IsLive("used"));
}

TEST_F(OldCollectionTest, DisplacedObjectsAndFramesAreRoots) {
  TestPersistentSpace database(heap.heap());
  heap.Build(
      {{"by_displaced", {}}, {"by_root", {}}, {"displaced", {"by_displaced"}}, {"dead", {}}});
  for (const char* name : {"displaced", "by_root", "dead"}) heap.AddExactRoot(name);
  Age();
  database.Displace(heap.Find("displaced"));
  database.roots.push_back(heap.Find("by_root"));
  RunCycle();
  EXPECT_TRUE(heap.IsLive("displaced"));
  EXPECT_TRUE(heap.IsLive("by_displaced"));
  EXPECT_TRUE(heap.IsLive("by_root"));
  EXPECT_FALSE(heap.IsLive("dead"));
  heap.CollectMajor();  // moves it to its home
}

TEST_F(OldCollectionTest, AFullCollectionEndsItAnywhere) {
  for (int minors = 0; minors < 6; ++minors) {
    const std::string turn = std::to_string(minors);
    const std::string a = "a" + turn, b = "b" + turn, dead = "dead" + turn;
    heap.Build({{b, {}}, {a, {b}}, {dead, {b}}});
    heap.AddExactRoot(a);
    heap.AddExactRoot(dead);
    Age();
    heap.AddExactRoot(a);
    for (int i = 0; i < minors; ++i) heap.CollectMinor();
    heap.CollectMajor();
    EXPECT_TRUE(heap.IsLive(a));
    EXPECT_TRUE(heap.IsLive(b));
    EXPECT_FALSE(heap.IsLive(dead));
    heap.ClearRoots();
  }
}

TEST(OldCollectionOffTest, NoCycleBegins) {
  HeapOptions options = AlwaysOptions();
  options.incremental = false;
  TestHeap heap(options);
  for (int i = 0; i < 10; ++i) heap.CollectMinor();
  EXPECT_EQ(heap.heap().stats().old_collections, 0u);
}

}  // namespace
}  // namespace tenure::gc
