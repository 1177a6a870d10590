// How the collector treats displaced objects and frames.
#include "gc/persistent_space.h"

#include <gtest/gtest.h>

#include "gc/card_table.h"
#include "tests/support/test_heap.h"

namespace tenure::gc {
namespace {

using abi::ObjectHeader;
using abi::Ref;

class PersistentSpaceTest : public ::testing::Test {
 protected:
  void TearDown() override { heap.Verify(); }
  TestHeap heap;
  TestPersistentSpace space{heap.heap()};
};

TEST_F(PersistentSpaceTest, YoungDisplacedObjectGoesHomeAtAMinorCollection) {
  heap.Build({{"holder", {"a"}}, {"a", {"b"}}, {"b", {}}});
  heap.AddExactRoot("holder");
  const Ref home = space.Displace(heap.Find("a"));
  heap.CollectMinor();
  EXPECT_EQ(space.displaced_count(), 0u);
  EXPECT_FALSE(heap.IsLive("a"));
  EXPECT_EQ(*NodeEdge(heap.Find("holder"), 0), home);
  // The home has the object's contents, and a header without flags.
  EXPECT_EQ(ObjectHeader::Of(home)->word, ObjectHeader::ForType(&kNodeType));
  EXPECT_EQ(NodeId(home), 2u);
  EXPECT_EQ(*NodeEdge(home, 0), heap.Find("b"));
  EXPECT_EQ(heap.heap().stats().objects_went_home, 1u);
  EXPECT_EQ(space.collections_begun, space.collections_ended);
}

TEST_F(PersistentSpaceTest, DisplacedObjectIsARootOfItsGeneration) {
  heap.Build({{"a", {"b"}}, {"b", {}}});
  const Ref home = space.Displace(heap.Find("a"));
  heap.CollectMinor();
  EXPECT_FALSE(heap.IsLive("a"));
  EXPECT_TRUE(heap.IsLive("b"));
  EXPECT_EQ(NodeId(home), 1u);
}

TEST_F(PersistentSpaceTest, OldDisplacedObjectWaitsForAMajorCollection) {
  heap.Build({{"a", {}}});
  heap.AddExactRoot("a");
  heap.CollectMajor();
  const Ref home = space.Displace(heap.Find("a"));
  heap.CollectMinor();
  EXPECT_EQ(space.displaced_count(), 1u);
  EXPECT_NE(heap.roots().exact[0], home);
  heap.CollectMajor();
  EXPECT_EQ(heap.roots().exact[0], home);
}

TEST_F(PersistentSpaceTest, PinnedDisplacedObjectWaits) {
  heap.Build({{"a", {}}, {"mate", {}}});
  heap.AddAmbiguousRoot("a");
  heap.AddExactRoot("mate");
  const Ref a = heap.Find("a"), mate = heap.Find("mate");
  const Ref home = space.Displace(a);
  for (int i = 0; i < 2; ++i) {
    heap.CollectMinor();
    EXPECT_EQ(heap.Find("a"), a);
    EXPECT_TRUE(ObjectHeader::Of(a)->displaced());
    EXPECT_TRUE(space.IsGoverned(a));
    // Transient objects of the page still move.
    EXPECT_NE(heap.Find("mate"), mate);
  }
  heap.ClearRoots();
  heap.CollectMinor();
  EXPECT_EQ(space.displaced_count(), 0u);
  EXPECT_EQ(NodeId(home), 1u);
}

TEST_F(PersistentSpaceTest, HeldObjectStaysAndItsReferencesAreUpdated) {
  heap.Build({{"a", {"b"}}, {"b", {}}});
  const Ref a = heap.Find("a"), b = heap.Find("b");
  space.Displace(a);
  space.held.insert(a);
  heap.CollectMinor();
  EXPECT_EQ(heap.Find("a"), a);
  EXPECT_NE(heap.Find("b"), b);
  EXPECT_EQ(*NodeEdge(a, 0), heap.Find("b"));
  heap.CollectMajor();
  EXPECT_EQ(heap.Find("a"), a);
  EXPECT_TRUE(heap.IsOld("a"));
  space.held.clear();
  heap.CollectMinor();  // old now
  EXPECT_EQ(space.displaced_count(), 1u);
  heap.CollectMajor();
  EXPECT_EQ(space.displaced_count(), 0u);
}

TEST_F(PersistentSpaceTest, FreePlacesOfGovernedPagesAreNotAllocatedInto) {
  heap.MakeNode("a", 0);
  heap.AllocateGarbage(6000);
  const Ref a = heap.Find("a");
  space.Displace(a);
  space.held.insert(a);
  heap.CollectMinor();
  ASSERT_EQ(heap.Find("a"), a);
  for (int i = 0; i < 3000; ++i) {
    const Ref other = heap.Allocate(kPairType, 32);
    ASSERT_NE(heap.heap().PagesOf(other).begin, heap.heap().PagesOf(a).begin);
  }
}

TEST_F(PersistentSpaceTest, NothingIsPromotedOntoAGovernedPage) {
  heap.MakeNode("a", 0);
  heap.AddAmbiguousRoot("a");
  heap.AllocateGarbage(6000);
  heap.CollectMajor();  // An old page with one object and a free place.
  const Ref a = heap.Find("a");
  space.Displace(a);
  heap.Build(Graph::MakeList(3000));
  heap.AddExactRoot("n0");
  heap.CollectMinor();
  heap.CollectMinor();
  ASSERT_TRUE(heap.IsOld("n2999"));
  for (Ref node = heap.roots().exact[0]; node != nullptr; node = *NodeEdge(node, 0)) {
    ASSERT_NE(heap.heap().PagesOf(node).begin, heap.heap().PagesOf(a).begin);
  }
}

TEST_F(PersistentSpaceTest, ObjectAtHomeKeepsYoungObjectsAliveByItsCards) {
  heap.Build({{"a", {""}}});
  const Ref home = space.Displace(heap.Find("a"));
  heap.CollectMinor();
  heap.MakeNode("young", 0);
  space.Store(NodeEdge(home, 0), heap.Find("young"));
  heap.CollectMinor();
  EXPECT_TRUE(heap.IsYoung("young"));
  EXPECT_EQ(*NodeEdge(home, 0), heap.Find("young"));
}

TEST_F(PersistentSpaceTest, GoingHomeMarksTheCardsOfTheHome) {
  heap.Build({{"a", {"b"}}, {"b", {}}});
  const Ref home = space.Displace(heap.Find("a"));
  CardTable::ClearRange(home, 64);
  heap.CollectMinor();
  ASSERT_TRUE(heap.IsYoung("b"));
  EXPECT_TRUE(CardTable::IsDirty(NodeEdge(home, 0)));
  heap.CollectMinor();
  EXPECT_EQ(*NodeEdge(home, 0), heap.Find("b"));
}

TEST_F(PersistentSpaceTest, ForwardOnlyLeavesTheHomeAsItIs) {
  heap.Build({{"a", {}}});
  heap.AddExactRoot("a");
  const Ref home = space.Displace(heap.Find("a"));
  space.forward_only = true;
  // The verifier wants an object where a root leads.
  ObjectHeader::Of(reinterpret_cast<Ref>(space.WriteAlias(static_cast<Ref*>(home))))->word =
      ObjectHeader::ForType(&kBytesType);
  heap.CollectMinor();
  EXPECT_EQ(heap.roots().exact[0], home);
  EXPECT_EQ(ObjectHeader::Of(home)->type(), &kBytesType);
  EXPECT_FALSE(heap.IsLive("a"));
}

TEST_F(PersistentSpaceTest, DisplacedObjectsThatReferToEachOther) {
  heap.Build({{"a", {"b"}}, {"b", {"c"}}, {"c", {"a"}}});
  const Ref a = space.Displace(heap.Find("a"));
  const Ref b = space.Displace(heap.Find("b"));
  const Ref c = space.Displace(heap.Find("c"));
  heap.CollectMinor();
  EXPECT_EQ(*NodeEdge(a, 0), b);
  EXPECT_EQ(*NodeEdge(b, 0), c);
  EXPECT_EQ(*NodeEdge(c, 0), a);
  EXPECT_EQ(heap.heap().HeapBytes(), 0u);
}

TEST_F(PersistentSpaceTest, LargeDisplacedObjectGoesHomeAtAMajorCollection) {
  heap.MakeNode("large", 3000);
  heap.MakeNode("b", 0);
  heap.SetEdge("large", 2999, "b");
  heap.AddExactRoot("large");
  heap.AddExactRoot("large");
  const Ref place = heap.Find("large");
  const Ref home = space.Displace(place);
  heap.CollectMinor();
  EXPECT_EQ(heap.Find("large"), place);
  heap.CollectMajor();
  EXPECT_EQ(heap.roots().exact[0], home);
  EXPECT_EQ(heap.roots().exact[1], home);
  EXPECT_EQ(*NodeEdge(home, 2999), heap.Find("b"));
  EXPECT_FALSE(heap.IsLive("large"));
}

TEST_F(PersistentSpaceTest, PinnedLargeDisplacedObjectWaits) {
  heap.MakeNode("large", 3000);
  heap.AddAmbiguousRoot("large", 5000);
  const Ref place = heap.Find("large");
  space.Displace(place);
  heap.CollectMajor();
  EXPECT_EQ(heap.Find("large"), place);
  heap.ClearRoots();
  heap.CollectMajor();
  EXPECT_FALSE(heap.IsLive("large"));
}

TEST_F(PersistentSpaceTest, RootsOfTheDatabaseAreExact) {
  heap.Build({{"a", {}}});
  space.roots.push_back(heap.Find("a"));
  heap.CollectMinor();
  EXPECT_EQ(space.roots[0], heap.Find("a"));
}

TEST_F(PersistentSpaceTest, WithoutRoomToCopyDisplacedObjectsStillGoHome) {
  HeapOptions options = TestHeap::SmallOptions();
  options.max_heap_bytes = 1 << 20;
  TestHeap small(options);
  TestPersistentSpace database(small.heap());
  small.Build(Graph::MakeList(6000), 14);  // 0.9 MB of 1
  small.AddExactRoot("n0");
  for (int i = 0; i < 6000; i += 2) database.Displace(small.Find("n" + std::to_string(i)));
  small.CollectMajor();
  EXPECT_EQ(database.displaced_count(), 0u);
  small.Verify();
  size_t length = 0;
  for (Ref node = small.roots().exact[0]; node != nullptr; node = *NodeEdge(node, 0)) ++length;
  EXPECT_EQ(length, 6000u);
}

}  // namespace
}  // namespace tenure::gc
