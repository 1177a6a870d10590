// Collections while a thread is stopped at any instruction: in the middle of an allocation, of a
// store with its barrier, or while a new object gets its first values.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "gc/card_table.h"
#include "gc/heap.h"
#include "tests/support/test_heap.h"

namespace tenure::gc {
namespace {

using abi::ObjectHeader;
using abi::Ref;

constexpr size_t kPairBytes = 32;

// The fields of a pair: two edges.
Ref* First(Ref pair) { return reinterpret_cast<Ref*>(static_cast<char*>(pair) + 16); }

class InterruptedTest : public testing::TestWithParam<CollectionKind> {
 protected:
  void CollectInterrupted() {
    heap.roots().interrupted = true;
    heap.heap().Collect(GetParam());
    heap.Verify();
    heap.roots().interrupted = false;
  }

  TestHeap heap;
};

INSTANTIATE_TEST_SUITE_P(Kinds, InterruptedTest,
                         testing::Values(CollectionKind::kMinor, CollectionKind::kMajor),
                         [](const auto& info) {
                           return info.param == CollectionKind::kMinor ? "Minor" : "Major";
                         });

TEST_P(InterruptedTest, AnAllocationGoesOnWhereItWas) {
  const Ref before = heap.Allocate(kPairType, kPairBytes);
  char* const place = heap.mutator().allocation_pointer;
  char* const limit = heap.mutator().allocation_limit;
  std::memset(place, 0xdb, static_cast<size_t>(limit - place));
  CollectInterrupted();
  EXPECT_TRUE(std::all_of(place, limit, [](char byte) { return byte == char(0xdb); }));
  // The header and half of the object are stored; the buffer's pointer has not moved yet.
  reinterpret_cast<ObjectHeader*>(place)->word = ObjectHeader::ForType(&kPairType);
  *First(place + abi::kHeaderBytes) = nullptr;
  CollectInterrupted();
  EXPECT_EQ(heap.mutator().allocation_pointer, place);
  EXPECT_EQ(heap.mutator().allocation_limit, limit);
  EXPECT_EQ(reinterpret_cast<ObjectHeader*>(place)->word, ObjectHeader::ForType(&kPairType));
  std::memset(place + abi::kHeaderBytes, 0, kPairBytes);
  heap.mutator().allocation_pointer = place + abi::kHeaderBytes + kPairBytes;
  const Ref fresh = place + abi::kHeaderBytes;
  EXPECT_EQ(*First(fresh), nullptr);
  EXPECT_TRUE(heap.heap().IsYoung(before));
  EXPECT_TRUE(heap.heap().IsYoung(fresh));
  heap.Verify();
}

TEST_P(InterruptedTest, AnArrayWhoseLengthIsStoredGoesOnWhereItWas) {
  heap.Allocate(kPairType, kPairBytes);
  char* const place = heap.mutator().allocation_pointer;
  auto* const length = reinterpret_cast<uint64_t*>(place + abi::kHeaderBytes);
  // Only the length is stored; then the header too.
  *length = 24;
  CollectInterrupted();
  EXPECT_EQ(heap.mutator().allocation_pointer, place);
  EXPECT_EQ(*length, 24u);
  reinterpret_cast<ObjectHeader*>(place)->word = ObjectHeader::ForType(&kBytesType);
  CollectInterrupted();
  EXPECT_EQ(*length, 24u);
  EXPECT_EQ(reinterpret_cast<ObjectHeader*>(place)->word, ObjectHeader::ForType(&kBytesType));
  heap.mutator().allocation_pointer = place + abi::kHeaderBytes + sizeof(uint64_t) + 24;
  heap.Verify();
  EXPECT_TRUE(heap.heap().IsYoung(length));
  EXPECT_EQ(heap.heap().ObjectContaining(length + 1), length);
}

TEST_P(InterruptedTest, WhatTheOpenPageRefersToStays) {
  const Ref target = heap.Allocate(kPairType, kPairBytes);
  heap.heap().RetireBuffer(heap.mutator());
  const Ref holder = heap.Allocate(kPairType, kPairBytes);
  *First(holder) = target;
  CollectInterrupted();
  EXPECT_EQ(*First(holder), target);
  EXPECT_EQ(ObjectHeader::Of(target)->type(), &kPairType);
  // No root refers to them any more.
  heap.CollectMajor();
  EXPECT_EQ(heap.heap().HeapBytes(), 0u);
}

TEST_P(InterruptedTest, AStoreWhoseCardIsNotYetMarkedIsNotLost) {
  heap.MakeNode("old", 1);
  heap.AddExactRoot("old");
  heap.CollectMajor();
  ASSERT_TRUE(heap.IsOld("old"));
  heap.MakeNode("young", 0);
  heap.heap().RetireBuffer(heap.mutator());
  const Ref young = heap.Find("young");
  // Compiled code keeps the stored reference in a register until the card is marked.
  heap.AddAmbiguousRoot("young");
  *NodeEdge(heap.Find("old"), 0) = young;
  CollectInterrupted();
  EXPECT_EQ(*NodeEdge(heap.Find("old"), 0), young);
  CardTable::Mark(NodeEdge(heap.Find("old"), 0));
  heap.roots().ambiguous.clear();
  heap.CollectMinor();
  heap.CollectMinor();
  heap.CollectMinor();
  EXPECT_TRUE(heap.IsLive("young"));
  EXPECT_EQ(*NodeEdge(heap.Find("old"), 0), heap.Find("young"));
  heap.Verify();
}

TEST_P(InterruptedTest, AFreshObjectNeedsNoBarrierAfterAnyNumberOfCollections) {
  // Two new objects, small and large, that the thread holds; one refers to an object on its open
  // page.
  heap.MakeNode("small", 1);
  heap.MakeNode("large", 2000);
  heap.AddAmbiguousRoot("small");
  heap.AddAmbiguousRoot("large");
  heap.heap().RetireBuffer(heap.mutator());
  heap.MakeNode("value", 0);
  for (int i = 0; i < 4; ++i) {
    CollectInterrupted();
    EXPECT_TRUE(heap.IsYoung("small"));
    EXPECT_TRUE(heap.IsYoung("large"));
  }
  *NodeEdge(heap.Find("small"), 0) = heap.Find("value");
  *NodeEdge(heap.Find("large"), 1500) = heap.Find("value");
  heap.Verify();
  heap.CollectMinor();
  heap.Verify();
  EXPECT_EQ(*NodeEdge(heap.Find("large"), 1500), heap.Find("value"));
  EXPECT_EQ(*NodeEdge(heap.Find("small"), 0), heap.Find("value"));
}

TEST_P(InterruptedTest, OldObjectsKeepTheirCardsForWhatStaysYoung) {
  heap.MakeNode("old", 1);
  heap.AddExactRoot("old");
  heap.CollectMajor();
  heap.MakeNode("young", 0);
  heap.SetEdge("old", 0, "young");
  heap.AddAmbiguousRoot("young");
  heap.heap().RetireBuffer(heap.mutator());
  CollectInterrupted();
  ASSERT_TRUE(heap.IsYoung("young"));
  heap.roots().ambiguous.clear();
  heap.CollectMinor();
  EXPECT_EQ(*NodeEdge(heap.Find("old"), 0), heap.Find("young"));
  heap.Verify();
}

// A commit displaces an object on the page of an interrupted thread's buffer and protects the page.
// The heap's own stores to this page must not trap. The heap stores there only while the world is
// stopped, because other threads could use the page while it is open.
class GovernedBufferTest : public testing::Test {
 protected:
  GovernedBufferTest() { space.world = &heap.roots(); }

  // The thread was in the middle of an allocation: there is no filler at its buffer's pointer.
  void BeginAllocation() {
    reinterpret_cast<ObjectHeader*>(place)->word = ObjectHeader::ForType(&kPairType);
  }
  bool IsFiller() const { return reinterpret_cast<ObjectHeader*>(place)->is_filler(); }
  void CommitWhileInterrupted() {
    heap.roots().interrupted = true;
    heap.heap().StopWorld();
    space.Displace(object);
    space.Protect(object);
    heap.heap().ResumeWorld();
    heap.roots().interrupted = false;
  }
  void StopOnceMore() {
    heap.roots().interrupted = true;
    heap.heap().StopWorld();
    heap.heap().ResumeWorld();
    heap.roots().interrupted = false;
  }

  TestHeap heap;
  TestPersistentSpace space{heap.heap()};
  const Ref object = heap.Allocate(kPairType, kPairBytes);
  char* const place = heap.mutator().allocation_pointer;
};

TEST_F(GovernedBufferTest, AnAllocationThatBeganGoesOnAcrossStops) {
  *reinterpret_cast<uint64_t*>(place + abi::kHeaderBytes) = 24;
  reinterpret_cast<ObjectHeader*>(place)->word = ObjectHeader::ForType(&kBytesType);
  CommitWhileInterrupted();
  StopOnceMore();
  EXPECT_EQ(heap.mutator().allocation_pointer, place);
  EXPECT_EQ(*reinterpret_cast<uint64_t*>(place + abi::kHeaderBytes), 24u);
  EXPECT_EQ(reinterpret_cast<ObjectHeader*>(place)->word, ObjectHeader::ForType(&kBytesType));
  space.Unprotect();
  heap.mutator().allocation_pointer = place + abi::kHeaderBytes + sizeof(uint64_t) + 24;
  heap.Verify();
}

TEST_F(GovernedBufferTest, TheSlowPathStoresNothingToThePageWhileOthersRun) {
  BeginAllocation();
  CommitWhileInterrupted();
  StopOnceMore();
  ASSERT_FALSE(IsFiller());
  const Result<Ref> other = heap.heap().AllocateSlow(heap.mutator(), kPairType, kPairBytes);
  ASSERT_TRUE(other.ok());
  EXPECT_FALSE(space.IsGoverned(*other));
  EXPECT_FALSE(IsFiller());
  StopOnceMore();
  EXPECT_TRUE(IsFiller());
  space.Unprotect();
  heap.Verify();
}

TEST_F(GovernedBufferTest, WhatAThreadLeavesAtItsEndIsAFillerFromTheNextStopOn) {
  BeginAllocation();
  CommitWhileInterrupted();
  heap.heap().RemoveMutator(heap.mutator());
  EXPECT_FALSE(IsFiller());
  ASSERT_TRUE(heap.heap().AddMutator(heap.mutator()).ok());
  StopOnceMore();
  EXPECT_TRUE(IsFiller());
  space.Unprotect();
  heap.Verify();
}

TEST_F(GovernedBufferTest, InAStopABufferIsClosedAtOnce) {
  BeginAllocation();
  CommitWhileInterrupted();
  heap.heap().StopWorld();
  heap.heap().RetireBuffer(heap.mutator());
  EXPECT_TRUE(IsFiller());
  heap.heap().ResumeWorld();
  EXPECT_EQ(heap.mutator().allocation_pointer, nullptr);
  space.Unprotect();
  heap.Verify();
}

}  // namespace
}  // namespace tenure::gc
