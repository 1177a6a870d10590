// Databases larger than the memory that their pages may take.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "stabilize/frames/fault_tiers.h"
#include "store/server/verifier.h"
#include "tests/support/session_world.h"
#include "tests/support/tiers.h"
#include "tests/support/traps.h"

namespace tenure::stabilize {
namespace {

using abi::kPageBytes;
using abi::Ref;
using testing::SessionWorld;
using testing::WordOf;

constexpr uint64_t kBudgetPages = 20;
constexpr uint64_t kCells = 800;  // two on a page: 20 times the budget
constexpr size_t kEdges = 490;

class FrameBudget : public ::testing::TestWithParam<std::tuple<FaultTier, PageServerKind>> {
 protected:
  FrameBudget() : world(std::get<0>(GetParam()), std::get<1>(GetParam())) {}

  void SetUp() override {
    if (std::get<0>(GetParam()) == FaultTier::kUserfaultfd && !ProbeUserfaultfd().ok()) {
      GTEST_SKIP() << ProbeUserfaultfd().text();
    }
    world.frame_bytes = kBudgetPages * kPageBytes;
    world.Start();
    world.Create();
    world.Open();
  }
  // A list of cells with words 1, 2, ..., made in pieces with a checkpoint after each.
  void Build(bool checkpoints) {
    const uint64_t transaction = world.Begin();
    Ref& head = world.Keep(nullptr);
    for (uint64_t i = kCells; i > 0; --i) {
      Ref cell = world.NewCell(i, kEdges);
      world.SetEdge(cell, 0, head);
      head = cell;
      if (checkpoints && i % 20 == 0) {
        world.SetRoot(head);
        const Status status = world.session->Checkpoint(transaction);
        ASSERT_TRUE(status.ok()) << status.text();
      }
    }
    world.SetRoot(head);
    world.Commit(transaction);
    world.ClearRoots();
  }
  // Adds to each cell and returns the sum.
  uint64_t Traverse(uint64_t add) {
    uint64_t sum = 0;
    for (Ref cell = world.Root(); cell != nullptr; cell = world.Edge(cell, 0)) {
      if (add != 0) WordOf(cell) += add;
      sum += WordOf(cell);
    }
    return sum;
  }
  void ExpectSmall() {
    EXPECT_LE(world.database->mapping().UsedBytes() + world.database->twins() * kPageBytes,
              (kBudgetPages + 4) * kPageBytes);
  }
  static constexpr uint64_t kSum = kCells * (kCells + 1) / 2;

  SessionWorld world;
};

TEST_P(FrameBudget, TraversalUpdateAbortAndCommitOfADatabaseTwentyTimesAsLarge) {
  Build(/*checkpoints=*/false);
  world.CollectMajor();
  world.Reopen();
  uint64_t transaction = world.Begin();
  EXPECT_EQ(Traverse(0), kSum);
  EXPECT_EQ(Traverse(0), kSum);
  ExpectSmall();
  EXPECT_GT(world.session->statistics().pages_dropped, kCells / 2);
  EXPECT_EQ(world.session->statistics().pages_spilled, 0u);

  EXPECT_EQ(Traverse(1), kSum + kCells);
  EXPECT_GT(world.session->statistics().pages_spilled, kCells / 4);
  ExpectSmall();
  EXPECT_EQ(Traverse(0), kSum + kCells);
  world.CollectMajor();
  ASSERT_TRUE(world.session->Abort(transaction).ok());

  transaction = world.Begin();
  EXPECT_EQ(Traverse(0), kSum);
  EXPECT_EQ(Traverse(2), kSum + 2 * kCells);
  ASSERT_TRUE(world.session->Checkpoint(transaction).ok());
  EXPECT_EQ(Traverse(1), kSum + 3 * kCells);
  ASSERT_TRUE(world.session->Abort(transaction).ok());
  transaction = world.Begin();
  EXPECT_EQ(Traverse(0), kSum + 2 * kCells);
  world.Commit(transaction);
  ExpectSmall();
  Result<VerifyReport> report = VerifyDatabase(world.database->server(), world.database->id());
  ASSERT_TRUE(report.ok());
  EXPECT_TRUE(report->ok()) << report->problems[0];
  world.Reopen();
  transaction = world.Begin();
  EXPECT_EQ(Traverse(0), kSum + 2 * kCells);
  world.Commit(transaction);
}

TEST_P(FrameBudget, AChildsAbortFindsWhatItsParentHadSpilled) {
  Build(/*checkpoints=*/false);
  world.CollectMajor();
  world.Reopen();
  const uint64_t transaction = world.Begin();
  EXPECT_EQ(Traverse(1), kSum + kCells);
  const uint64_t child = *world.session->Begin();
  EXPECT_EQ(Traverse(1), kSum + 2 * kCells);
  ASSERT_TRUE(world.session->Abort(child).ok());
  EXPECT_EQ(Traverse(0), kSum + kCells);
  world.Commit(transaction);
  world.Reopen();
  const uint64_t later = world.Begin();
  EXPECT_EQ(Traverse(0), kSum + kCells);
  world.Commit(later);
}

// Pages of a transaction that refer to its new objects may leave memory like others; the new
// objects may move meanwhile.
TEST_P(FrameBudget, PagesThatLeadToNewObjectsAreSpilledToo) {
  Build(/*checkpoints=*/false);
  world.CollectMajor();
  world.Reopen();
  constexpr size_t kNew = 5;  // the edge
  // New cells have words from this on.
  constexpr uint64_t kFirst = 1'000'000;
  const auto add_to_each = [&] {
    for (Ref cell = world.Root(); cell != nullptr; cell = world.Edge(cell, 0)) {
      world.SetEdge(cell, kNew, world.NewCell(kFirst + WordOf(cell), 1));
    }
  };
  const auto is_added = [&] {
    uint64_t found = 0;
    for (Ref cell = world.Root(); cell != nullptr; cell = world.Edge(cell, 0)) {
      const Ref added = world.Edge(cell, kNew);
      if (added != nullptr && WordOf(added) == kFirst + WordOf(cell)) ++found;
    }
    return found;
  };
  uint64_t transaction = world.Begin();
  add_to_each();
  EXPECT_GT(world.session->statistics().pages_spilled, kCells / 4);
  ExpectSmall();
  world.CollectMinor();
  EXPECT_EQ(is_added(), kCells);
  world.CollectMajor();
  EXPECT_EQ(is_added(), kCells);
  // An aborted child does not change them.
  const uint64_t child = *world.session->Begin();
  Ref first = world.Edge(world.Root(), kNew);
  WordOf(first) += 1;
  ASSERT_TRUE(world.session->Abort(child).ok());
  EXPECT_EQ(is_added(), kCells);
  ASSERT_TRUE(world.session->Abort(transaction).ok());
  transaction = world.Begin();
  EXPECT_EQ(is_added(), 0u);
  add_to_each();
  world.CollectMinor();
  world.Commit(transaction);
  world.Reopen();
  transaction = world.Begin();
  EXPECT_EQ(is_added(), kCells);
  world.Commit(transaction);
  world.CollectMajor();
}

// If no page may leave memory, a fault does not search all pages for one.
TEST_P(FrameBudget, WhatMayNotLeaveMemoryIsNotLookedForAgainAndAgain) {
  Build(/*checkpoints=*/false);
  world.CollectMajor();
  world.Reopen();
  const uint64_t transaction = world.Begin();
  const uint64_t child = *world.session->Begin();
  const uint64_t before = world.session->statistics().clock_steps;
  EXPECT_EQ(Traverse(1), kSum + kCells);
  // Each page came and was written once.
  EXPECT_LE(world.session->statistics().clock_steps - before, 16 * kCells);
  ASSERT_TRUE(world.session->Abort(child).ok());
  world.Commit(transaction);
}

TEST_P(FrameBudget, BulkCreationWithCheckpointsStaysSmall) {
  Build(/*checkpoints=*/true);
  ExpectSmall();
  // The new objects have moved out of the heap.
  EXPECT_GT(world.session->statistics().objects_moved_home, kCells / 2);
  const uint64_t transaction = world.Begin();
  EXPECT_EQ(Traverse(0), kSum);
  world.Commit(transaction);
}

// New objects of a commit are in the store: if memory has no room for their homes, a collection
// only forgets the objects in the heap.
TEST_P(FrameBudget, ObjectsGoHomeWithoutACopyWhenMemoryIsShort) {
  uint64_t transaction = world.Begin();
  Ref& head = world.Keep(nullptr);
  for (uint64_t i = kCells; i > 0; --i) {
    Ref cell = world.NewCell(i, kEdges);
    world.SetEdge(cell, 0, head);
    head = cell;
  }
  world.SetRoot(head);
  ASSERT_TRUE(world.session->Checkpoint(transaction).ok());
  head = nullptr;
  world.CollectMajor();
  EXPECT_GT(world.session->statistics().objects_moved_home, kCells / 2);
  // Without memory for more than the few that stay.
  ExpectSmall();
  EXPECT_EQ(world.session->statistics().pages_dropped, 0u);
  EXPECT_EQ(Traverse(1), kSum + kCells);
  ASSERT_TRUE(world.session->Abort(transaction).ok());
  transaction = world.Begin();
  EXPECT_EQ(Traverse(0), kSum);
  EXPECT_EQ(Traverse(2), kSum + 2 * kCells);
  world.Commit(transaction);
  Result<VerifyReport> report = VerifyDatabase(world.database->server(), world.database->id());
  ASSERT_TRUE(report.ok());
  EXPECT_TRUE(report->ok()) << report->problems[0];
  world.Reopen();
  transaction = world.Begin();
  EXPECT_EQ(Traverse(0), kSum + 2 * kCells);
  world.Commit(transaction);
}

// The steps for a page do not depend on how many pages are in memory.
TEST_P(FrameBudget, ACleanPageLeavesForEachThatComes) {
  Build(/*checkpoints=*/false);
  world.CollectMajor();
  world.Reopen();
  const uint64_t transaction = world.Begin();
  EXPECT_EQ(Traverse(0), kSum);
  EXPECT_EQ(Traverse(0), kSum);
  const SessionStatistics counted = world.session->statistics();
  EXPECT_LE(counted.pages_dropped, counted.pages_read);
  EXPECT_GE(counted.pages_dropped + kBudgetPages + 8, counted.pages_read);
  EXPECT_LE(counted.clock_steps, 8 * counted.pages_read);
  world.Commit(transaction);
}

class TwinBudget : public FrameBudget {
 protected:
  static constexpr uint64_t kTwins = 4;

  TwinBudget() { world.twin_bytes = kTwins * kPageBytes; }
  // Frames have room for all.
  void SetUp() override {
    FrameBudget::SetUp();
    if (IsSkipped()) return;
    world.frame_bytes = 0;
    world.Start();
    world.Open();
  }
};

TEST_P(TwinBudget, PagesAreComparedEarlyAndAllChangesAreCommittedOrUndone) {
  Build(/*checkpoints=*/false);
  world.CollectMajor();
  world.Reopen();
  uint64_t transaction = world.Begin();
  EXPECT_EQ(Traverse(1), kSum + kCells);
  EXPECT_LE(world.database->twins(), kTwins);
  EXPECT_GT(world.session->statistics().twins_compared_early, kCells / 4);
  // Written again, behind an earlier comparison.
  EXPECT_EQ(Traverse(1), kSum + 2 * kCells);
  EXPECT_LE(world.database->twins(), kTwins);
  world.CollectMajor();
  ASSERT_TRUE(world.session->Abort(transaction).ok());

  transaction = world.Begin();
  EXPECT_EQ(Traverse(0), kSum);
  EXPECT_EQ(Traverse(2), kSum + 2 * kCells);
  const uint64_t child = *world.session->Begin();
  EXPECT_EQ(Traverse(5), kSum + 7 * kCells);
  ASSERT_TRUE(world.session->Abort(child).ok());
  EXPECT_EQ(Traverse(0), kSum + 2 * kCells);
  const uint64_t other = *world.session->Begin();
  EXPECT_EQ(Traverse(1), kSum + 3 * kCells);
  ASSERT_TRUE(world.session->Commit(other).ok());
  const uint64_t written = world.session->statistics().bytes_written;
  world.Commit(transaction);
  // Only changed regions are sent.
  EXPECT_LT(world.session->statistics().bytes_written - written, kCells / 2 * kPageBytes / 4);
  world.Reopen();
  transaction = world.Begin();
  EXPECT_EQ(Traverse(0), kSum + 3 * kCells);
  world.Commit(transaction);
}

INSTANTIATE_TEST_SUITE_P(Tiers, TwinBudget, testing::AllTiers(), testing::NameOf);
INSTANTIATE_TEST_SUITE_P(Tiers, FrameBudget, testing::AllTiers(), testing::NameOf);

}  // namespace
}  // namespace tenure::stabilize
