// Full collections by several threads keep the same objects as those by one thread.
#include "gc/shared_drain.h"

#include <gtest/gtest.h>

#include "gc/card_table.h"
#include "tests/support/test_heap.h"

namespace tenure::gc {
namespace {

using abi::Ref;

HeapOptions Options() {
  HeapOptions options = TestHeap::SmallOptions();
  options.nursery_bytes = 16 << 20;
  options.collector_threads = 4;
  return options;
}

class SharedDrainTest : public ::testing::Test {
 protected:
  void TearDown() override { heap.Verify(); }
  TestHeap heap{Options()};
};

TEST_F(SharedDrainTest, RandomGraphsAreAsBefore) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    Random random(seed);
    TestHeap each(Options());
    each.Build(Graph::MakeRandom(random, 8000, 8));
    for (int i = 0; i < 10; ++i) each.AddExactRoot("n" + std::to_string(random.Below(8000)));
    for (int i = 0; i < 10; ++i) {
      each.AddAmbiguousRoot("n" + std::to_string(random.Below(8000)),
                            static_cast<ptrdiff_t>(random.Below(16)));
    }
    const Graph before = each.Read();
    uint64_t copied = 0;
    for (int i = 0; i < 3; ++i) {
      each.CollectMajor();
      each.Verify();
      ASSERT_EQ(each.Read(), before) << "seed " << seed;
      // The first collection removed the garbage: each later one copies the same objects.
      const uint64_t now = each.heap().stats().objects_copied;
      EXPECT_EQ(now - copied, before.names().size() - each.heap().stats().objects_pinned / (i + 1));
      copied = now;
    }
  }
}

// All nodes refer to the same few, so that threads meet at their headers.
TEST_F(SharedDrainTest, WhatEveryThreadWantsIsCopiedOnce) {
  constexpr size_t kNodes = 30000;
  heap.MakeNode("all", kNodes);
  heap.AddExactRoot("all");
  for (int i = 0; i < 8; ++i) {
    heap.MakeNode("shared" + std::to_string(i), 0);
    heap.SetEdge("all", static_cast<size_t>(i), "shared" + std::to_string(i));
  }
  for (size_t i = 8; i < kNodes; ++i) {
    const int64_t length = 1;
    const Ref node = heap.Allocate(kNodeType, NodePayloadBytes(1), &length);
    NodeId(node) = 1000 + i;
    const Ref all = heap.roots().exact[0];
    StoreReference(NodeEdge(node, 0), *NodeEdge(all, i % 8));
    StoreReference(NodeEdge(all, i), node);
  }
  for (int round = 0; round < 5; ++round) {
    const uint64_t copied = heap.heap().stats().objects_copied;
    heap.CollectMajor();
    EXPECT_EQ(heap.heap().stats().objects_copied - copied, kNodes);
    const Ref all = heap.roots().exact[0];
    for (size_t i = 8; i < kNodes; ++i) {
      ASSERT_EQ(NodeId(*NodeEdge(all, i)), 1000 + i);
      ASSERT_EQ(*NodeEdge(*NodeEdge(all, i), 0), *NodeEdge(all, i % 8)) << i;
    }
  }
}

TEST_F(SharedDrainTest, LargeObjectsReferToEachOther) {
  for (int i = 0; i < 20; ++i) {
    heap.MakeNode("large" + std::to_string(i), 20000);
    heap.MakeNode("small" + std::to_string(i), 1);
    heap.SetEdge("large" + std::to_string(i), 19999, "small" + std::to_string(i));
    if (i > 0) heap.SetEdge("small" + std::to_string(i), 0, "large" + std::to_string(i - 1));
  }
  heap.MakeNode("dead", 20000);
  heap.AddExactRoot("large19");
  const Graph before = heap.Read();
  EXPECT_EQ(before.names().size(), 40u);
  for (int i = 0; i < 3; ++i) {
    heap.CollectMajor();
    EXPECT_EQ(heap.Read(), before);
  }
  EXPECT_FALSE(heap.IsLive("dead"));
}

TEST_F(SharedDrainTest, ALongListIsNobodysAlone) {
  heap.Build(Graph::MakeList(30000));
  heap.AddExactRoot("n0");
  heap.CollectMajor();
  EXPECT_EQ(heap.Read(), Graph::MakeList(30000));
}

TEST_F(SharedDrainTest, WithoutRootsNothingIsLeft) {
  heap.Build(Graph::MakeList(1000));
  heap.CollectMajor();
  EXPECT_EQ(heap.heap().HeapBytes(), 0u);
}

TEST_F(SharedDrainTest, PagesThatNoThreadHasFilledAreFree) {
  heap.Build(Graph::MakeList(1000));
  heap.AddExactRoot("n0");
  heap.CollectMajor();
  EXPECT_EQ(heap.Read(), Graph::MakeList(1000));
  // 1000 nodes of 48 bytes, and a page that each thread has begun.
  EXPECT_LE(heap.heap().HeapBytes(), 12 * abi::kPageBytes);
}

TEST_F(SharedDrainTest, WhereThereIsNoRoomObjectsStay) {
  HeapOptions options = Options();
  options.max_heap_bytes = 4 << 20;
  TestHeap full(options);
  full.Build(Graph::MakeList(24000), 13);
  full.AddExactRoot("n0");
  for (int i = 0; i < 3; ++i) {
    full.CollectMajor();
    full.Verify();
  }
  EXPECT_GT(full.heap().stats().evacuations_failed, 0u);
  size_t length = 0;
  for (Ref node = full.roots().exact[0]; node != nullptr; node = *NodeEdge(node, 0)) ++length;
  EXPECT_EQ(length, 24000u);
}

TEST_F(SharedDrainTest, CardsAreKeptForWhatAnInterruptedThreadKeepsYoung) {
  constexpr size_t kNodes = 2000;
  heap.MakeNode("young", 0);
  heap.MakeNode("all", kNodes);
  heap.AddExactRoot("all");
  for (size_t i = 0; i < kNodes; ++i) {
    const std::string name = "n" + std::to_string(i);
    heap.MakeNode(name, 1);
    heap.SetEdge(name, 0, "young");
    heap.SetEdge("all", i, name);
  }
  heap.AddAmbiguousRoot("young");
  heap.heap().RetireBuffer(heap.mutator());
  heap.roots().interrupted = true;
  heap.CollectMajor();
  heap.Verify();
  heap.roots().interrupted = false;
  ASSERT_TRUE(heap.IsYoung("young"));
  ASSERT_TRUE(heap.IsOld("n7"));
  heap.roots().ambiguous.clear();
  heap.CollectMinor();
  for (size_t i = 0; i < kNodes; ++i) {
    ASSERT_EQ(*NodeEdge(*NodeEdge(heap.Find("all"), i), 0), heap.Find("young"));
  }
}

class SharedDrainWithHomesTest : public SharedDrainTest {
 protected:
  TestPersistentSpace space{heap.heap()};
};

TEST_F(SharedDrainWithHomesTest, DisplacedObjectsGoHomeOrStay) {
  constexpr int kNodes = 3000;
  heap.MakeNode("all", kNodes);
  heap.AddExactRoot("all");
  for (int i = 0; i < kNodes; ++i) {
    const std::string name = "n" + std::to_string(i);
    heap.MakeNode(name, 2);
    heap.SetEdge("all", static_cast<size_t>(i), name);
    if (i > 0) heap.SetEdge(name, 0, "n" + std::to_string(i / 2));
    if (i % 3 == 0) space.Displace(heap.Find(name));
  }
  space.held.insert(heap.Find("n300"));
  const Ref held = heap.Find("n300");
  heap.CollectMajor();
  EXPECT_EQ(space.displaced_count(), 1u);
  EXPECT_EQ(*NodeEdge(heap.Find("all"), 300), held);
  for (int i = 1; i < kNodes; ++i) {
    const Ref node = *NodeEdge(heap.Find("all"), static_cast<size_t>(i));
    EXPECT_EQ(NodeId(node), NodeId(*NodeEdge(heap.Find("all"), 0)) + static_cast<uint64_t>(i));
    EXPECT_EQ(*NodeEdge(node, 0), *NodeEdge(heap.Find("all"), static_cast<size_t>(i / 2)));
    EXPECT_EQ(space.IsFrameAddress(node), i % 3 == 0 && i != 300) << i;
  }
  heap.Verify();
}

TEST_F(SharedDrainTest, UnderStressEveryCollectionIsShared) {
  HeapOptions options = Options();
  options.stress_interval = 10;
  options.stress_major_every = 1;
  options.paranoid = true;
  Random random(7);
  TestHeap stressed(options);
  stressed.Build(Graph::MakeRandom(random, 200, 4));
  for (int i = 0; i < 5; ++i) stressed.AddExactRoot("n" + std::to_string(i));
  const Graph before = stressed.Read();
  stressed.AllocateGarbage(100000);
  EXPECT_EQ(stressed.Read(), before);
  EXPECT_GT(stressed.heap().stats().major_collections, 10u);
}

}  // namespace
}  // namespace tenure::gc
