#include "gc/remembered_objects.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gc/card_table.h"
#include "tests/support/test_heap.h"

namespace tenure::gc {
namespace {

using abi::Ref;

HeapOptions ObjectsOptions() {
  HeapOptions options = TestHeap::SmallOptions();
  options.remembering = Remembering::kObjects;
  options.paranoid = true;
  return options;
}

class RememberedObjectsTest : public ::testing::Test {
 protected:
  void TearDown() override { heap.Verify(); }

  void BuildOld(const std::string& name, size_t edges) {
    heap.Build({{name, {}}}, edges);
    heap.AddExactRoot(name);
    heap.CollectMajor();
    ASSERT_TRUE(heap.IsOld(name));
  }
  // The number of remembered objects that the next minor collection visits.
  uint64_t LookedAtByNext() {
    const uint64_t before = heap.heap().stats().objects_remembered;
    heap.CollectMinor();
    return heap.heap().stats().objects_remembered - before;
  }
  bool IsDirty(const std::string& name, size_t edge) {
    return CardTable::IsDirty(NodeEdge(heap.Find(name), edge));
  }

  TestHeap heap{ObjectsOptions()};
};

TEST(RememberedObjectsListTest, TakesEachOnceAndMayAddItAgain) {
  alignas(abi::kPageBytes) static char memory[abi::kPageBytes];
  PageTable pages;
  ASSERT_TRUE(pages.Create(reinterpret_cast<uintptr_t>(memory), sizeof memory).ok());
  RememberedObjects objects;
  ASSERT_TRUE(objects.Create(pages).ok());
  std::vector<Ref> all;
  for (size_t i = 0; i < 20; ++i) all.push_back(memory + 8 + 16 * i);
  for (const Ref object : all) objects.Add(object);
  objects.Add(all[3]);
  EXPECT_EQ(objects.size(), 20u);
  EXPECT_TRUE(objects.Has(all[3]));
  std::vector<Ref> taken;
  objects.TakeAll([&](Ref object) {
    EXPECT_FALSE(objects.Has(object));
    taken.push_back(object);
    if (object == all[4] || object == all[9]) objects.Add(object);
    if (object == all[10]) objects.Add(all[2]);
  });
  EXPECT_EQ(taken, all);
  EXPECT_EQ(objects.size(), 3u);
  objects.Retain([&](Ref object) { return object != all[9]; });
  EXPECT_FALSE(objects.Has(all[9]));
  EXPECT_TRUE(objects.Has(all[2]));
  EXPECT_TRUE(objects.Has(all[4]));
  objects.Clear();
  EXPECT_EQ(objects.size(), 0u);
  EXPECT_FALSE(objects.Has(all[4]));
}

TEST_F(RememberedObjectsTest, AnObjectIsRememberedWhileItRefersToAYoungOne) {
  BuildOld("old", 2);
  heap.Build({{"young", {}}});
  heap.SetEdge("old", 1, "young");
  ASSERT_TRUE(IsDirty("old", 1));
  EXPECT_EQ(LookedAtByNext(), 0u);  // the card told
  ASSERT_TRUE(heap.IsYoung("young"));
  EXPECT_FALSE(IsDirty("old", 1));
  EXPECT_EQ(LookedAtByNext(), 1u);
  ASSERT_TRUE(heap.IsOld("young"));
  EXPECT_FALSE(IsDirty("old", 1));
  EXPECT_EQ(LookedAtByNext(), 0u);
}

TEST_F(RememberedObjectsTest, TheWholeObjectIsLookedAt) {
  const size_t kEdges = 300;  // on ten cards
  BuildOld("old", kEdges);
  for (size_t edge = 0; edge < kEdges; edge += 50) {
    heap.Build({{"young" + std::to_string(edge), {}}});
    heap.SetEdge("old", edge, "young" + std::to_string(edge));
  }
  heap.CollectMinor();
  for (size_t edge = 0; edge < kEdges; edge += 50) ASSERT_FALSE(IsDirty("old", edge));
  EXPECT_EQ(LookedAtByNext(), 1u);
  for (size_t edge = 0; edge < kEdges; edge += 50) {
    EXPECT_EQ(*NodeEdge(heap.Find("old"), edge), heap.Find("young" + std::to_string(edge)));
  }
}

TEST_F(RememberedObjectsTest, AStoreIntoARememberedObjectIsSeen) {
  BuildOld("old", 2);
  heap.Build({{"first", {}}});
  heap.SetEdge("old", 0, "first");
  heap.CollectMinor();
  heap.Build({{"second", {}}});
  heap.SetEdge("old", 1, "second");
  EXPECT_EQ(LookedAtByNext(), 1u);
  ASSERT_TRUE(heap.IsOld("first"));
  ASSERT_TRUE(heap.IsYoung("second"));
  EXPECT_EQ(LookedAtByNext(), 1u);
  EXPECT_TRUE(heap.IsOld("second"));
}

TEST_F(RememberedObjectsTest, APromotedObjectIsRemembered) {
  heap.Build({{"a", {}}}, 1);
  heap.AddExactRoot("a");
  heap.CollectMinor();
  heap.Build({{"b", {}}});
  heap.SetEdge("a", 0, "b");
  heap.CollectMinor();
  ASSERT_TRUE(heap.IsOld("a"));
  ASSERT_TRUE(heap.IsYoung("b"));
  EXPECT_FALSE(IsDirty("a", 0));
  EXPECT_EQ(LookedAtByNext(), 1u);
  EXPECT_TRUE(heap.IsOld("b"));
}

TEST_F(RememberedObjectsTest, AMajorCollectionForgetsAll) {
  BuildOld("old", 1);
  heap.Build({{"young", {}}});
  heap.SetEdge("old", 0, "young");
  heap.CollectMinor();
  heap.CollectMajor();
  EXPECT_EQ(LookedAtByNext(), 0u);
  EXPECT_EQ(*NodeEdge(heap.Find("old"), 0), heap.Find("young"));
}

// At the next minor collection the object's place may be a filler.
TEST_F(RememberedObjectsTest, WhatTheOldCollectionFindsDeadIsForgotten) {
  HeapOptions options = ObjectsOptions();
  options.min_old_bytes = 0;
  options.growth_percent = 100;
  options.promotion_age = 30;
  TestHeap cycling(options);
  cycling.Build({{"dead", {}}, {"kept", {}}}, 1);
  cycling.AddExactRoot("dead");
  cycling.AddExactRoot("kept");
  cycling.CollectMajor();
  cycling.Build({{"young", {}}});
  cycling.SetEdge("dead", 0, "young");
  cycling.SetEdge("kept", 0, "young");
  cycling.CollectMinor();
  cycling.ClearRoots();
  cycling.AddExactRoot("kept");
  // The running cycle may have marked the object as live.
  const uint64_t wanted = cycling.heap().stats().old_collections + 2;
  for (int i = 0; i < 25 && cycling.heap().stats().old_collections < wanted; ++i) {
    cycling.CollectMinor();
  }
  ASSERT_EQ(cycling.heap().stats().old_collections, wanted);
  EXPECT_FALSE(cycling.IsLive("dead"));
  const uint64_t before = cycling.heap().stats().objects_remembered;
  cycling.CollectMinor();
  EXPECT_EQ(cycling.heap().stats().objects_remembered - before, 1u);
  EXPECT_TRUE(cycling.IsYoung("young"));
}

TEST_F(RememberedObjectsTest, TheVerifierFindsWhatIsNotRemembered) {
  BuildOld("old", 1);
  heap.Build({{"young", {}}});
  heap.SetEdge("old", 0, "young");
  Ref* const slot = NodeEdge(heap.Find("old"), 0);
  *CardTable::CardOf(slot) = abi::kCardClean;
  EXPECT_DEATH(heap.Verify(), "card is clean");
  *CardTable::CardOf(slot) = abi::kCardDirty;
}

}  // namespace
}  // namespace tenure::gc
