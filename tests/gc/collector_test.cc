// The effect of one collection on a graph.
#include "gc/collector.h"

#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <string>

#include "gc/card_table.h"
#include "gc/object_visitor.h"
#include "tests/support/test_heap.h"

namespace tenure::gc {
namespace {

using abi::ObjectHeader;
using abi::Ref;

class CollectorTest : public ::testing::Test {
 protected:
  void TearDown() override { heap.Verify(); }
  TestHeap heap{TestHeap::SmallOptions(), TestHeap::Layout::kPagePerObject};
};

class PackedTest : public ::testing::Test {
 protected:
  void TearDown() override { heap.Verify(); }
  TestHeap heap;
};

TEST_F(CollectorTest, AmbiguousRootPinsItsTargetButNotWhatTheTargetRefersTo) {
  heap.Build({{"a", {"b"}}, {"b", {}}, {"dead", {"b"}}});
  heap.AddAmbiguousRoot("a");
  const Ref a = heap.Find("a"), b = heap.Find("b");
  heap.CollectMinor();
  EXPECT_EQ(heap.Find("a"), a);
  EXPECT_NE(heap.Find("b"), b);
  EXPECT_FALSE(heap.IsLive("dead"));
}

TEST_F(PackedTest, PinHoldsTheObjectNotItsPageMates) {
  heap.Build({{"before", {}}, {"a", {"after"}}, {"after", {}}, {"dead", {}}});
  heap.AddAmbiguousRoot("a");
  heap.AddExactRoot("before");
  const Ref before = heap.Find("before"), a = heap.Find("a"), after = heap.Find("after");
  heap.CollectMinor();
  EXPECT_EQ(heap.Find("a"), a);
  EXPECT_NE(heap.Find("before"), before);
  EXPECT_NE(heap.Find("after"), after);
  EXPECT_FALSE(heap.IsLive("dead"));
  EXPECT_EQ(heap.heap().stats().objects_pinned, 1u);
}

// Short objects, such as most texts, are copied by a faster path.
TEST_F(PackedTest, BytesOfEveryLengthSurvive) {
  constexpr int64_t kLongest = 600;
  for (int64_t length = 0; length <= kLongest; ++length) {
    const Ref bytes = heap.Allocate(kBytesType, 8 + static_cast<size_t>(length), &length);
    memset(static_cast<char*>(bytes) + 8, static_cast<int>(length % 251), length);
    heap.roots().exact.push_back(bytes);
    // Two references to the same object: it is copied once.
    heap.roots().exact.push_back(bytes);
  }
  const std::deque<Ref> before = heap.roots().exact;
  const auto expect_same = [&] {
    for (int64_t length = 0; length <= kLongest; ++length) {
      const Ref bytes = heap.roots().exact[2 * length];
      ASSERT_EQ(heap.roots().exact[2 * length + 1], bytes);
      ASSERT_EQ(*static_cast<int64_t*>(bytes), length);
      const std::string content(static_cast<char*>(bytes) + 8, length);
      ASSERT_EQ(content, std::string(length, static_cast<char>(length % 251)));
    }
  };
  for (int i = 0; i < 4; ++i) {
    heap.CollectMinor();
    expect_same();
    heap.Verify();
    if (i == 0) {
      EXPECT_NE(heap.roots().exact[100], before[100]);
      EXPECT_NE(heap.roots().exact[1000], before[1000]);
    }
  }
  EXPECT_TRUE(heap.heap().IsOld(heap.roots().exact[100]));
  heap.CollectMajor();
  expect_same();
}

TEST_F(CollectorTest, ExactRootsFollowTheirObjects) {
  heap.Build({{"a", {"b", "", "a"}}, {"b", {"a"}}});
  heap.AddExactRoot("a");
  const Graph before = heap.Read();
  const Ref a = heap.Find("a");
  heap.CollectMinor();
  EXPECT_NE(heap.Find("a"), a);
  EXPECT_EQ(heap.roots().exact[0], heap.Find("a"));
  EXPECT_EQ(heap.Read(), before);
  heap.CollectMajor();
  EXPECT_EQ(heap.Read(), before);
}

TEST_F(CollectorTest, WithoutRootsNothingIsLeft) {
  heap.Build({{"a", {"b"}}, {"b", {"a"}}});
  heap.CollectMajor();
  EXPECT_FALSE(heap.IsLive("a"));
  EXPECT_FALSE(heap.IsLive("b"));
  EXPECT_EQ(heap.heap().HeapBytes(), 0u);
}

TEST_F(PackedTest, AmbiguousWordsAreInteriorHeaderOrJustPastTheEnd) {
  for (const ptrdiff_t offset : {ptrdiff_t{-8}, ptrdiff_t{-1}, ptrdiff_t{0}, ptrdiff_t{3},
                                 ptrdiff_t{16}, ptrdiff_t{39}, ptrdiff_t{40}}) {
    const std::string name = "node" + std::to_string(offset);
    heap.MakeNode(name, 3);  // 16 + 24 bytes of payload
    heap.AddAmbiguousRoot(name, offset);
    const Ref object = heap.Find(name);
    heap.CollectMinor();
    EXPECT_EQ(heap.Find(name), object) << offset;
    heap.ClearRoots();
    heap.CollectMajor();
    EXPECT_FALSE(heap.IsLive(name)) << offset;
  }
}

TEST_F(PackedTest, PastTheEndOfTheLastObjectOnAPage) {
  // 8192 = 8 + 16 + 8 * edges for two objects that fill a page.
  const size_t edges = (abi::kPageBytes / 2 - 24) / 8;
  heap.MakeNode("first", edges);
  heap.MakeNode("last", edges);
  heap.MakeNode("next page", 0);
  const Ref last = heap.Find("last");
  ASSERT_EQ(reinterpret_cast<uintptr_t>(last) % abi::kPageBytes, abi::kPageBytes / 2 + 8);
  heap.AddAmbiguousRoot("last", abi::kPageBytes / 2 - 8);
  heap.CollectMinor();
  EXPECT_EQ(heap.Find("last"), last);
  EXPECT_FALSE(heap.IsLive("first"));
}

TEST_F(PackedTest, WordsThatAreNoReferencesDoNoHarm) {
  heap.Build({{"a", {}}});
  heap.AddExactRoot("a");
  const uintptr_t base = reinterpret_cast<uintptr_t>(heap.Find("a")) & ~(abi::kPageBytes - 1);
  for (const uintptr_t word : {uintptr_t{0}, uintptr_t{1}, base - 8, base + 8000, base + 100000,
                               ~uintptr_t{0}, uintptr_t{1} << 63, base + (uintptr_t{1} << 40)}) {
    heap.roots().ambiguous.push_back(word);
  }
  heap.CollectMinor();
  heap.CollectMajor();
  EXPECT_TRUE(heap.IsLive("a"));
}

TEST_F(CollectorTest, ObjectsAgeBeforeTheyAreOld) {
  heap.Build({{"a", {}}});
  heap.AddExactRoot("a");
  heap.CollectMinor();
  EXPECT_TRUE(heap.IsYoung("a"));
  heap.CollectMinor();
  EXPECT_TRUE(heap.IsOld("a"));
  const Ref a = heap.Find("a");
  heap.CollectMinor();
  EXPECT_EQ(heap.Find("a"), a);
  heap.CollectMajor();
  EXPECT_NE(heap.Find("a"), a);
}

TEST_F(CollectorTest, PinnedObjectsAgeToo) {
  heap.Build({{"a", {}}});
  heap.AddAmbiguousRoot("a");
  heap.CollectMinor();
  heap.CollectMinor();
  EXPECT_TRUE(heap.IsYoung("a"));  // its page is
  heap.AddExactRoot("a");
  heap.roots().ambiguous.clear();
  heap.CollectMinor();
  EXPECT_TRUE(heap.IsOld("a"));
}

TEST_F(CollectorTest, WhatAWaitingThreadPinsBecomesOldWhereItIs) {
  heap.roots().waits = true;
  heap.Build({{"a", {}}, {"mate", {}}});
  heap.AddAmbiguousRoot("a");
  heap.AddExactRoot("mate");
  const Ref a = heap.Find("a");
  heap.CollectMinor();
  EXPECT_TRUE(heap.IsYoung("a"));
  heap.CollectMinor();
  EXPECT_TRUE(heap.IsOld("a"));
  EXPECT_EQ(heap.Find("a"), a);
  EXPECT_TRUE(heap.IsOld("mate"));
  heap.Verify();
}

TEST_F(CollectorTest, APageStaysYoungWithTheYoungestOfItsPinnedObjects) {
  heap.roots().waits = true;
  heap.Build({{"a", {}}});
  heap.AddAmbiguousRoot("a");
  heap.CollectMinor();
  heap.Build({{"b", {}}});
  heap.AddAmbiguousRoot("b");
  heap.CollectMinor();
  EXPECT_TRUE(heap.IsYoung("b"));
  heap.CollectMinor();
  EXPECT_TRUE(heap.IsOld("a"));
  EXPECT_TRUE(heap.IsOld("b"));
}

TEST_F(CollectorTest, WhatAPinnedObjectRefersToIsRememberedWhenItBecomesOld) {
  heap.roots().waits = true;
  heap.MakeNode("holder", 1);
  heap.AddAmbiguousRoot("holder");
  heap.CollectMinor();
  heap.MakeNode("late", 0);
  heap.SetEdge("holder", 0, "late");
  heap.CollectMinor();
  ASSERT_TRUE(heap.IsOld("holder"));
  ASSERT_TRUE(heap.IsYoung("late"));
  heap.CollectMinor();
  EXPECT_TRUE(heap.IsLive("late"));
  EXPECT_EQ(*NodeEdge(heap.Find("holder"), 0), heap.Find("late"));
  heap.Verify();
}

TEST_F(CollectorTest, PromotionAgeIsAnOption) {
  HeapOptions options = TestHeap::SmallOptions();
  options.promotion_age = 1;
  TestHeap at_once(options);
  at_once.Build({{"a", {}}});
  at_once.AddExactRoot("a");
  at_once.CollectMinor();
  EXPECT_TRUE(at_once.IsOld("a"));

  options.promotion_age = 5;
  TestHeap late(options);
  late.Build({{"a", {}}});
  late.AddExactRoot("a");
  for (int i = 0; i < 4; ++i) late.CollectMinor();
  EXPECT_TRUE(late.IsYoung("a"));
  late.CollectMinor();
  EXPECT_TRUE(late.IsOld("a"));
}

TEST_F(CollectorTest, OldObjectKeepsAYoungOneAlive) {
  heap.Build({{"old", {}}}, 2);
  heap.AddExactRoot("old");
  heap.CollectMajor();
  ASSERT_TRUE(heap.IsOld("old"));
  heap.Build({{"young", {}}});
  heap.SetEdge("old", 1, "young");
  heap.CollectMinor();
  EXPECT_TRUE(heap.IsYoung("young"));
  // The object is still young, so the card must stay dirty for the next collection.
  heap.Verify();
  heap.CollectMinor();
  EXPECT_TRUE(heap.IsOld("young"));
  EXPECT_FALSE(CardTable::IsDirty(NodeEdge(heap.Find("old"), 1)));
}

TEST_F(CollectorTest, CardIsCleanedWhenTheYoungReferenceIsGone) {
  heap.Build({{"old", {}}}, 1);
  heap.AddExactRoot("old");
  heap.CollectMajor();
  heap.Build({{"young", {}}});
  heap.SetEdge("old", 0, "young");
  EXPECT_TRUE(CardTable::IsDirty(NodeEdge(heap.Find("old"), 0)));
  heap.SetEdge("old", 0, "");
  heap.CollectMinor();
  EXPECT_FALSE(heap.IsLive("young"));
  EXPECT_FALSE(CardTable::IsDirty(NodeEdge(heap.Find("old"), 0)));
}

TEST_F(CollectorTest, ANumberThatLooksLikeAYoungReferenceIsLeftAloneOnADirtyCard) {
  heap.Build({{"old", {}}}, 1);
  heap.AddExactRoot("old");
  heap.CollectMajor();
  heap.Build({{"young", {}}, {"garbage", {}}});
  heap.SetEdge("old", 0, "young");
  const Ref old = heap.Find("old");
  const uint64_t id = NodeId(old);
  const auto number = reinterpret_cast<uint64_t>(heap.Find("garbage"));
  NodeId(old) = number;
  heap.CollectMinor();
  EXPECT_EQ(NodeId(old), number);
  NodeId(old) = id;
  EXPECT_TRUE(heap.IsLive("young"));
  EXPECT_FALSE(heap.IsLive("garbage"));
  heap.Verify();
}

TEST_F(CollectorTest, OnlyYoungObjectsAreWatched) {
  heap.Build({{"a", {}}}, 1);
  heap.MakeNode("large", 2000);
  heap.AddExactRoot("a");
  heap.AddExactRoot("large");
  for (const char* name : {"a", "large"}) EXPECT_TRUE(*CardTable::WatchedOf(heap.Find(name)));
  heap.CollectMinor();
  ASSERT_TRUE(heap.IsYoung("a"));
  for (const char* name : {"a", "large"}) EXPECT_TRUE(*CardTable::WatchedOf(heap.Find(name)));
  heap.CollectMinor();
  ASSERT_TRUE(heap.IsOld("a"));
  ASSERT_TRUE(heap.IsOld("large"));
  for (const char* name : {"a", "large"}) EXPECT_FALSE(*CardTable::WatchedOf(heap.Find(name)));
  EXPECT_FALSE(*CardTable::WatchedOf(nullptr));
}

// A thread that was stopped before it marked the card has already stored to the page.
TEST_F(CollectorTest, PagesStayCardedWhileAThreadIsInterrupted) {
  heap.Build({{"old", {}}}, 1);
  heap.AddExactRoot("old");
  heap.CollectMajor();
  heap.Build({{"young", {}}});
  Ref* const slot = NodeEdge(heap.Find("old"), 0);
  *slot = heap.Find("young");
  *CardTable::CardedOf(slot) = 1;
  heap.AddAmbiguousRoot("young");
  heap.roots().interrupted = true;
  heap.CollectMinor();
  heap.roots().interrupted = false;
  *CardTable::CardOf(slot) = abi::kCardDirty;
  heap.roots().ambiguous.clear();
  heap.CollectMinor();
  EXPECT_TRUE(heap.IsLive("young"));
  heap.Verify();
  for (int i = 0; i < 3; ++i) heap.CollectMinor();
  EXPECT_FALSE(*CardTable::CardedOf(slot));
}

TEST_F(CollectorTest, PromotedObjectMarksItsCards) {
  // `a` becomes old at the second collection, `b`, made between, is still young then.
  heap.Build({{"a", {}}}, 1);
  heap.AddExactRoot("a");
  heap.CollectMinor();
  heap.Build({{"b", {}}});
  heap.SetEdge("a", 0, "b");
  heap.CollectMinor();
  ASSERT_TRUE(heap.IsOld("a"));
  ASSERT_TRUE(heap.IsYoung("b"));
  EXPECT_TRUE(CardTable::IsDirty(NodeEdge(heap.Find("a"), 0)));
  heap.CollectMinor();
  EXPECT_TRUE(heap.IsOld("b"));
}

TEST_F(PackedTest, ManyOldObjectsWithOneDirtyCardEach) {
  Graph graph;
  for (int i = 0; i < 3000; ++i) graph.Add("old" + std::to_string(i), {""});
  heap.Build(graph, 3);
  for (int i = 0; i < 3000; ++i) heap.AddExactRoot("old" + std::to_string(i));
  heap.CollectMajor();
  const size_t kEvery = 37;
  std::vector<Ref> olds(heap.roots().exact.begin(), heap.roots().exact.end());
  for (size_t i = 0; i < 3000; i += kEvery) {
    StoreReference(NodeEdge(olds[i], i % 4), heap.MakeNode("young" + std::to_string(i), 0));
  }
  heap.CollectMinor();
  heap.Verify();
  heap.CollectMinor();
  for (size_t i = 0; i < 3000; i += kEvery) {
    const Ref young = *NodeEdge(olds[i], i % 4);
    EXPECT_TRUE(heap.heap().IsOld(young));
    EXPECT_EQ(young, heap.Find("young" + std::to_string(i)));
  }
}

TEST_F(PackedTest, MajorCollectionDropsOldGarbageAndMinorDoesNot) {
  heap.Build({{"a", {"b"}}, {"b", {}}});
  heap.AddExactRoot("a");
  heap.CollectMajor();
  heap.SetEdge("a", 0, "");
  heap.CollectMinor();
  EXPECT_TRUE(heap.IsLive("b"));
  heap.CollectMajor();
  EXPECT_FALSE(heap.IsLive("b"));
}

TEST_F(PackedTest, PinnedPageIsEvacuatedLater) {
  heap.Build({{"a", {}}, {"b", {}}});
  heap.AddExactRoot("a");
  heap.AddAmbiguousRoot("b");
  heap.CollectMajor();
  heap.roots().ambiguous.clear();
  const size_t bytes = heap.heap().HeapBytes();
  heap.CollectMajor();
  EXPECT_FALSE(heap.IsLive("b"));
  EXPECT_LT(heap.heap().HeapBytes(), bytes);
}

TEST_F(PackedTest, FreePlacesOnPinnedPagesAreAllocatedInto) {
  // One pinned object on each of many pages, the rest garbage.
  const int kPages = 40;
  for (int i = 0; i < kPages; ++i) {
    const std::string name = "pinned" + std::to_string(i);
    heap.MakeNode(name, 0);
    heap.AddAmbiguousRoot(name);
    heap.AllocateGarbage(6000);
    heap.heap().RetireBuffer(heap.mutator());
  }
  heap.CollectMinor();
  const size_t kept = heap.heap().HeapBytes();
  EXPECT_EQ(kept, kPages * abi::kPageBytes);
  heap.AllocateGarbage(kPages * 6000);
  EXPECT_LE(heap.heap().HeapBytes(), kept + abi::kPageBytes);
  heap.Verify();
  for (int i = 0; i < kPages; ++i) EXPECT_TRUE(heap.IsLive("pinned" + std::to_string(i)));
  heap.CollectMinor();
  EXPECT_EQ(heap.heap().HeapBytes(), kept);
}

TEST_F(PackedTest, OldGapsAreFilledByPromotionAndThenScanned) {
  // Old pages with gaps: pinned objects at a major collection.
  for (int i = 0; i < 10; ++i) {
    const std::string name = "pinned" + std::to_string(i);
    heap.MakeNode(name, 4);
    heap.AddAmbiguousRoot(name);
    heap.AllocateGarbage(7000);
    heap.heap().RetireBuffer(heap.mutator());
  }
  heap.CollectMajor();
  // Promote into the gaps while the pages have dirty cards.
  Random random(1);
  heap.Build(Graph::MakeRandom(random, 500, 4));
  for (int i = 0; i < 10; ++i) {
    heap.SetEdge("pinned" + std::to_string(i), 2, "n" + std::to_string(i * 50));
  }
  const Graph before = heap.Read();
  for (int i = 0; i < 3; ++i) {
    heap.CollectMinor();
    heap.Verify();
    EXPECT_EQ(heap.Read(), before);
  }
  const Ref promoted = heap.Find("n0");
  EXPECT_TRUE(heap.heap().IsOld(promoted));
  heap.MakeNode("late", 0);
  // An object on the page of a gap: the page's object-start map must have been rebuilt.
  StoreReference(NodeEdge(heap.Find("pinned0"), 3), heap.Find("late"));
  heap.CollectMinor();
  EXPECT_TRUE(heap.IsLive("late"));
}

TEST_F(PackedTest, RandomGraphsSurviveAnySequenceOfCollections) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    TestHeap each(TestHeap::SmallOptions());
    each.Build(Graph::MakeRandom(random, 300, 6));
    for (int i = 0; i < 10; ++i) each.AddExactRoot("n" + std::to_string(random.Below(300)));
    for (int i = 0; i < 10; ++i) {
      each.AddAmbiguousRoot("n" + std::to_string(random.Below(300)),
                            static_cast<ptrdiff_t>(random.Below(16)));
    }
    const Graph before = each.Read();
    for (int i = 0; i < 6; ++i) {
      if (random.OneIn(3)) {
        each.CollectMajor();
      } else {
        each.CollectMinor();
      }
      each.Verify();
      ASSERT_EQ(each.Read(), before) << "seed " << seed;
    }
  }
}

TEST_F(PackedTest, FieldsOfEverySortOfRunAreFollowed) {
  const Ref pair = heap.Allocate(kPairType, 32);
  heap.roots().exact.push_back(pair);
  const int64_t lengths[] = {3, 5};
  const Ref matrix = heap.Allocate(kMatrixType, 16 + 15 * 24, lengths);
  StoreReference(static_cast<Ref*>(pair) + 2, matrix);
  static_cast<Ref*>(heap.roots().exact[0])[1] = reinterpret_cast<Ref>(0x123456789);  // untraced
  heap.MakeNode("last", 0);
  auto last_edge = [&](Ref m) {
    return reinterpret_cast<Ref*>(static_cast<char*>(m) + 16 + 14 * 24 + 8);
  };
  StoreReference(last_edge(matrix), heap.Find("last"));
  heap.MakeNode("transient", 0);
  StoreReference(static_cast<Ref*>(pair) + 3, heap.Find("transient"));
  for (int i = 0; i < 3; ++i) {
    heap.CollectMinor();
    const Ref now = heap.roots().exact[0];
    EXPECT_EQ(*last_edge(static_cast<Ref*>(now)[2]), heap.Find("last"));
    EXPECT_EQ(static_cast<Ref*>(now)[3], heap.Find("transient"));
    EXPECT_EQ(static_cast<Ref*>(now)[1], reinterpret_cast<Ref>(0x123456789));
  }
}

TEST_F(PackedTest, ReferencesToStaticObjectsAreLeftAlone) {
  alignas(8) static uint64_t literal[4];
  literal[0] = ObjectHeader::ForType(&kPairType);
  heap.MakeNode("a", 1);
  heap.AddExactRoot("a");
  StoreReference(NodeEdge(heap.Find("a"), 0), &literal[1]);
  heap.roots().exact.push_back(&literal[1]);
  heap.CollectMinor();
  heap.CollectMajor();
  EXPECT_EQ(*NodeEdge(heap.Find("a"), 0), &literal[1]);
  EXPECT_EQ(literal[0], ObjectHeader::ForType(&kPairType));
}

TEST_F(PackedTest, LongListNeedsNoStack) {
  heap.Build(Graph::MakeList(20000));
  heap.AddExactRoot("n0");
  heap.CollectMinor();
  heap.CollectMajor();
  EXPECT_EQ(heap.Read(), Graph::MakeList(20000));
}

TEST_F(PackedTest, CopiesOfAnObjectAndWhatItRefersToAreNeighbours) {
  // 64 lists of 32 cells, made cell by cell in turns: each list is spread over all pages.
  const int kLists = 64, kCells = 32;
  Graph graph;
  for (int cell = kCells - 1; cell >= 0; --cell) {
    for (int list = 0; list < kLists; ++list) {
      auto name = [&](int c) { return "l" + std::to_string(list) + "c" + std::to_string(c); };
      graph.Add(name(cell), {cell + 1 < kCells ? name(cell + 1) : ""});
    }
  }
  heap.Build(graph, 20);
  for (int list = 0; list < kLists; ++list) heap.AddExactRoot("l" + std::to_string(list) + "c0");
  heap.CollectMajor();
  int same_page = 0;
  for (const Ref& head : heap.roots().exact) {
    for (Ref cell = head; *NodeEdge(cell, 0) != nullptr; cell = *NodeEdge(cell, 0)) {
      same_page += heap.heap().PagesOf(cell).begin == heap.heap().PagesOf(*NodeEdge(cell, 0)).begin;
    }
  }
  // Most links stay within a page of 40 cells; a breadth-first order would leave few.
  EXPECT_GT(same_page, kLists * (kCells - 1) / 2);
}

}  // namespace
}  // namespace tenure::gc
