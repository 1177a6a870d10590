// Store barriers as compiled code has them: what commits and aborts make of marked blocks, and of
// stores between which and their barriers something else happens.
#include "stabilize/session/store_barriers.h"

#include <gtest/gtest.h>

#include <tuple>

#include "stabilize/frames/block_table.h"
#include "stabilize/frames/fault_tiers.h"
#include "tests/support/persistent_types.h"
#include "tests/support/session_world.h"
#include "tests/support/tiers.h"
#include "tests/support/traps.h"

namespace tenure::testing {
namespace {

using abi::Ref;
using stabilize::BlockTable;
using stabilize::FaultAnswer;
using stabilize::FaultTier;
using stabilize::SessionStatistics;

class StoreBarriersTest : public ::testing::TestWithParam<FaultTier> {
 protected:
  static constexpr size_t kCells = 400;  // on a few pages

  void SetUp() override {
    if (GetParam() == FaultTier::kUserfaultfd && !stabilize::ProbeUserfaultfd().ok()) {
      GTEST_SKIP() << stabilize::ProbeUserfaultfd().text();
    }
    ASSERT_TRUE(BlockTable::Reserve().ok());
    world_ = std::make_unique<SessionWorld>(GetParam(), store::PageServerKind::kBdb);
    world_->barriers = abi::StoreBarriers::kSoftware;
  }

  // Starts with a root of kCells cells, committed and at home. Cell i has the word 1000 + i and
  // one reference.
  void StartWithCells() {
    world_->Start();
    world_->Create();
    world_->Open();
    const uint64_t transaction = world_->Begin();
    Ref& root = world_->Keep(world_->NewCell(0, kCells));
    for (size_t i = 0; i < kCells; ++i) {
      SessionWorld::SetEdge(root, i, world_->NewCell(1000 + i, 1));
    }
    world_->SetRoot(root);
    world_->Commit(transaction);
    world_->ClearRoots();
    world_->CollectMajor();
  }
  // A new process with the same store.
  void Restart() {
    world_->Start();
    world_->Open();
  }
  Ref Cell(size_t i) { return SessionWorld::Edge(world_->Root(), i); }

  FaultAnswer Mark(void* address, uint64_t value, const uint64_t* before = nullptr) {
    return world_->session->MarkStored(address, sizeof value, &value,
                                       stabilize::Session::kWhicheverIsOpen, before);
  }
  // What compiled code does.
  FaultAnswer Store(uint64_t& word, uint64_t value) {
    const uint64_t before = *static_cast<volatile uint64_t*>(&word);
    *static_cast<volatile uint64_t*>(&word) = value;
    return *BlockTable::ByteOf(&word) < 0 ? Mark(&word, value, &before) : FaultAnswer{};
  }
  void StoreEdge(Ref cell, Ref to) {
    Ref* const slot = SlotOf(cell, kCellFirstEdge);
    const auto before = reinterpret_cast<uint64_t>(*slot);
    SessionWorld::SetEdge(cell, 0, to);
    if (*BlockTable::ByteOf(slot) < 0) Mark(slot, reinterpret_cast<uint64_t>(to), &before);
  }
  // The page of cell i is left open by the commit.
  void LeaveOpen(size_t i) {
    const uint64_t transaction = world_->Begin();
    Store(WordOf(Cell(i)), 7);
    world_->Commit(transaction);
  }
  uint64_t CommittedWord(size_t i) {
    const uint64_t transaction = world_->Begin();
    const uint64_t word = WordOf(Cell(i));
    world_->Commit(transaction);
    return word;
  }

  std::unique_ptr<SessionWorld> world_;
};

TEST_P(StoreBarriersTest, OnlyTheFirstTransactionThatStoresToAPageTraps) {
  StartWithCells();
  LeaveOpen(5);
  const SessionStatistics before = world_->session->statistics();
  EXPECT_EQ(before.write_faults, 1u);
  EXPECT_EQ(before.twins_made, 1u);
  for (uint64_t i = 0; i < 10; ++i) {
    const uint64_t transaction = world_->Begin();
    Store(WordOf(Cell(5)), 100 + i);
    Store(WordOf(Cell(5)), 200 + i);
    world_->Commit(transaction);
  }
  const SessionStatistics after = world_->session->statistics();
  EXPECT_EQ(after.write_faults, 1u);
  EXPECT_EQ(after.twins_made, 1u);
  EXPECT_EQ(after.blocks_marked - before.blocks_marked, 10u);
  EXPECT_EQ(after.barrier_calls - before.barrier_calls, 10u);
  Restart();
  EXPECT_EQ(CommittedWord(5), 209u);
  EXPECT_EQ(CommittedWord(6), 1006u);
}

TEST_P(StoreBarriersTest, AnAbortUndoesMarkedBlocks) {
  StartWithCells();
  LeaveOpen(5);
  const uint64_t transaction = world_->Begin();
  const Ref cell = Cell(5);
  const Ref neighbour = Cell(6);
  Store(WordOf(cell), 8);
  StoreEdge(neighbour, world_->NewCell(1, 0));
  ASSERT_TRUE(world_->session->Abort(transaction).ok());
  // Outside of a transaction, too.
  EXPECT_EQ(WordOf(cell), 7u);
  EXPECT_EQ(SessionWorld::Edge(neighbour, 0), nullptr);
  LeaveOpen(6);
  Restart();
  EXPECT_EQ(CommittedWord(5), 7u);
  EXPECT_EQ(CommittedWord(6), 7u);
}

TEST_P(StoreBarriersTest, AStoreOutsideATransactionLeavesNothing) {
  StartWithCells();
  LeaveOpen(5);
  const uint64_t transaction = world_->Begin();
  const Ref cell = Cell(5);
  world_->Commit(transaction);
  const FaultAnswer answer = Store(WordOf(cell), 8);
  EXPECT_EQ(answer.error, FaultAnswer::Error::kTransactionNotInProgress);
  EXPECT_EQ(CommittedWord(5), 7u);
  LeaveOpen(6);
  Restart();
  EXPECT_EQ(CommittedWord(5), 7u);
}

TEST_P(StoreBarriersTest, AStoreWhoseMarkComesBehindACommitIsInTheNextOne) {
  StartWithCells();
  LeaveOpen(5);
  uint64_t transaction = world_->Begin();
  uint64_t& word = WordOf(Cell(5));
  word = 9;
  world_->Commit(transaction);
  transaction = world_->Begin();
  EXPECT_EQ(Mark(&word, 9).kind, FaultAnswer::Kind::kResolved);
  world_->Commit(transaction);
  Restart();
  EXPECT_EQ(CommittedWord(5), 9u);
}

TEST_P(StoreBarriersTest, AStoreIsRepeatedIfItsFrameHasLeftMemory) {
  StartWithCells();
  const uint64_t before = world_->Begin();
  const size_t at =
      static_cast<size_t>(static_cast<char*>(Cell(5)) - world_->database->mapping().base());
  world_->Commit(before);
  Restart();
  const uint64_t transaction = world_->Begin();
  EXPECT_EQ(Mark(world_->database->mapping().base() + at, 11).kind, FaultAnswer::Kind::kResolved);
  EXPECT_EQ(WordOf(Cell(5)), 11u);
  world_->Commit(transaction);
  Restart();
  EXPECT_EQ(CommittedWord(5), 11u);
}

TEST_P(StoreBarriersTest, ObjectsBehindMarkedBlocksBecomePersistent) {
  StartWithCells();
  LeaveOpen(5);
  const uint64_t transaction = world_->Begin();
  StoreEdge(Cell(5), world_->NewCell(77, 0));
  world_->CollectMinor();
  world_->CollectMajor();
  world_->Commit(transaction);
  Restart();
  const uint64_t again = world_->Begin();
  EXPECT_EQ(WordOf(SessionWorld::Edge(Cell(5), 0)), 77u);
  world_->Commit(again);
}

TEST_P(StoreBarriersTest, AChildUndoesItsStoresAndNoOthers) {
  StartWithCells();
  LeaveOpen(5);
  const uint64_t parent = world_->Begin();
  Store(WordOf(Cell(5)), 20);
  const uint64_t child = world_->Begin();
  Store(WordOf(Cell(5)), 21);
  Store(WordOf(Cell(6)), 22);
  ASSERT_TRUE(world_->session->Abort(child).ok());
  EXPECT_EQ(WordOf(Cell(5)), 20u);
  EXPECT_EQ(WordOf(Cell(6)), 1006u);
  Store(WordOf(Cell(7)), 23);
  world_->Commit(parent);
  Restart();
  EXPECT_EQ(CommittedWord(5), 20u);
  EXPECT_EQ(CommittedWord(6), 1006u);
  EXPECT_EQ(CommittedWord(7), 23u);
}

TEST_P(StoreBarriersTest, TheAbortOfAParentUndoesWhatItStoredBeforeItsChild) {
  StartWithCells();
  LeaveOpen(5);
  const uint64_t parent = world_->Begin();
  Store(WordOf(Cell(5)), 20);
  const uint64_t child = world_->Begin();
  Store(WordOf(Cell(6)), 22);
  world_->Commit(child);
  ASSERT_TRUE(world_->session->Abort(parent).ok());
  EXPECT_EQ(CommittedWord(5), 7u);
  EXPECT_EQ(CommittedWord(6), 1006u);
}

TEST_P(StoreBarriersTest, PagesWithTransientFieldsKeepThemInAnAbort) {
  StartWithCells();
  uint64_t transaction = world_->Begin();
  StoreEdge(Cell(5), world_->NewHolder(3));
  world_->Commit(transaction);
  world_->CollectMajor();
  transaction = world_->Begin();
  const Ref holder = SessionWorld::Edge(Cell(5), 0);
  Ref* const slot = SlotOf(holder, kHolderTransient);
  Ref& local = world_->Keep(world_->NewCell(4, 0));
  Store(reinterpret_cast<uint64_t&>(*slot), reinterpret_cast<uint64_t>(local));
  world_->Commit(transaction);
  for (int i = 0; i < 3; ++i) {
    transaction = world_->Begin();
    Store(WordOf(holder), 5);
    ASSERT_TRUE(world_->session->Abort(transaction).ok());
    EXPECT_EQ(WordOf(holder), 3u);
    ASSERT_NE(*slot, nullptr);
    EXPECT_EQ(WordOf(*slot), 4u);
  }
}

TEST_P(StoreBarriersTest, ReferencesToTransientObjectsOutliveAnAbort) {
  StartWithCells();
  LeaveOpen(5);
  const int64_t length = 0;
  uint64_t transaction = world_->Begin();
  const Ref local = world_->heap->Allocate(kLocalType, CellPayloadBytes(0), &length);
  WordOf(local) = 6;
  StoreEdge(Cell(5), local);
  world_->Commit(transaction);
  transaction = world_->Begin();
  const Ref cell = Cell(5);
  Store(WordOf(cell), 8);
  ASSERT_TRUE(world_->session->Abort(transaction).ok());
  EXPECT_EQ(WordOf(cell), 7u);
  ASSERT_NE(SessionWorld::Edge(cell, 0), nullptr);
  EXPECT_EQ(WordOf(SessionWorld::Edge(cell, 0)), 6u);
}

TEST_P(StoreBarriersTest, CodeWithoutBarriersMayStoreToAPageThatItWasGiven) {
  StartWithCells();
  LeaveOpen(5);
  for (uint64_t i = 0; i < 3; ++i) {
    const uint64_t transaction = world_->Begin();
    Store(WordOf(Cell(6)), 40 + i);
    uint64_t& word = WordOf(Cell(5));
    EXPECT_EQ(world_->session->ProtectForOthers(&word).kind, FaultAnswer::Kind::kResolved);
    word = 30 + i;
    world_->Commit(transaction);
  }
  Restart();
  EXPECT_EQ(CommittedWord(5), 32u);
  EXPECT_EQ(CommittedWord(6), 42u);
}

TEST_P(StoreBarriersTest, NewObjectsFollowOnAPageThatAnAbortHasReadAgain) {
  StartWithCells();
  LeaveOpen(kCells - 1);
  for (uint64_t i = 0; i < 5; ++i) {
    const uint64_t aborted = world_->Begin();
    Store(WordOf(Cell(kCells - 1)), 50 + i);
    StoreEdge(Cell(kCells - 1), world_->NewCell(1, 0));
    ASSERT_TRUE(world_->session->Abort(aborted).ok());
    const uint64_t transaction = world_->Begin();
    StoreEdge(Cell(i), world_->NewCell(60 + i, 0));
    world_->Commit(transaction);
    if (i % 2 == 1) world_->CollectMajor();
  }
  Restart();
  const uint64_t transaction = world_->Begin();
  for (size_t i = 0; i < 5; ++i) EXPECT_EQ(WordOf(SessionWorld::Edge(Cell(i), 0)), 60 + i);
  EXPECT_EQ(WordOf(Cell(kCells - 1)), 7u);
  world_->Commit(transaction);
}

TEST_P(StoreBarriersTest, BlocksThatWereCopiedShipOnlyWordsThatDiffer) {
  world_->recovery = stabilize::RecoveryPolicy::kSd;
  StartWithCells();
  LeaveOpen(5);
  const SessionStatistics before = world_->session->statistics();
  uint64_t transaction = world_->Begin();
  Store(WordOf(Cell(5)), 8);
  Store(WordOf(Cell(5)), 9);
  Store(WordOf(Cell(9)), WordOf(Cell(9)));  // as before
  world_->Commit(transaction);
  SessionStatistics after = world_->session->statistics();
  EXPECT_EQ(after.blocks_marked - before.blocks_marked, 2u);
  EXPECT_EQ(after.blocks_copied - before.blocks_copied, 2u);
  EXPECT_EQ(after.regions_shipped - before.regions_shipped, 1u);
  EXPECT_EQ(after.pages_shipped - before.pages_shipped, 1u);
  // A store of several words tells nothing of what was there.
  transaction = world_->Begin();
  WordOf(Cell(5)) = 10;
  Mark(&WordOf(Cell(5)), 10);
  world_->Commit(transaction);
  after = world_->session->statistics();
  EXPECT_EQ(after.blocks_copied - before.blocks_copied, 2u);
  Restart();
  EXPECT_EQ(CommittedWord(5), 10u);
  EXPECT_EQ(CommittedWord(9), 1009u);
}

TEST_P(StoreBarriersTest, BlocksOfAllSizesHaveWhatWasStored) {
  for (const auto policy : {stabilize::RecoveryPolicy::kSd, stabilize::RecoveryPolicy::kSl}) {
    for (const uint64_t block : {8, 16, 32, 64}) {
      SCOPED_TRACE(block);
      world_ = std::make_unique<SessionWorld>(GetParam(), store::PageServerKind::kBdb);
      world_->barriers = abi::StoreBarriers::kSoftware;
      world_->recovery = policy;
      world_->recovery_block = block;
      StartWithCells();
      LeaveOpen(5);
      for (uint64_t round = 0; round < 3; ++round) {
        const uint64_t transaction = world_->Begin();
        for (size_t i = round; i < kCells; i += 3 + round) {
          Store(WordOf(Cell(i)), 5000 + i + round);
          Store(WordOf(Cell(i)), 6000 + i + round);
        }
        if (round == 1) {
          ASSERT_TRUE(world_->session->Abort(transaction).ok());
        } else {
          world_->Commit(transaction);
        }
      }
      Restart();
      for (size_t i = 0; i < kCells; ++i) {
        uint64_t expected = i == 5 ? 7 : 1000 + i;
        if (i % 3 == 0) expected = 6000 + i;
        if (i >= 2 && (i - 2) % 5 == 0) expected = 6002 + i;
        EXPECT_EQ(CommittedWord(i), expected) << i;
      }
    }
  }
}

// The copy of a block has the address of an object that a collection moves home; a new object gets
// that address and is stored to the same place.
TEST_P(StoreBarriersTest, ACopyDoesNotHideAnObjectAtTheAddressOfAnother) {
  world_->recovery = stabilize::RecoveryPolicy::kSd;
  StartWithCells();
  LeaveOpen(5);
  uint64_t transaction = world_->Begin();
  StoreEdge(Cell(5), world_->NewCell(41, 1));
  world_->Commit(transaction);
  transaction = world_->Begin();
  const Ref displaced = SessionWorld::Edge(Cell(5), 0);
  StoreEdge(Cell(5), nullptr);
  world_->CollectMajor();
  // Whether or not the heap gives that address again.
  StoreEdge(Cell(5), world_->NewCell(42, 1));
  if (SessionWorld::Edge(Cell(5), 0) != displaced) {
    for (int i = 0; i < 1000 && SessionWorld::Edge(Cell(5), 0) != displaced; ++i) {
      StoreEdge(Cell(5), world_->NewCell(42, 1));
    }
  }
  world_->Commit(transaction);
  Restart();
  transaction = world_->Begin();
  EXPECT_EQ(WordOf(SessionWorld::Edge(Cell(5), 0)), 42u);
  world_->Commit(transaction);
}

TEST_P(StoreBarriersTest, ParanoidBarriersCountAStoreWithoutBarrier) {
  world_->paranoid_barriers = true;
  StartWithCells();
  uint64_t transaction = world_->Begin();
  Store(WordOf(Cell(5)), 1);
  Store(WordOf(Cell(5)), 2);
  world_->Commit(transaction);
  transaction = world_->Begin();
  Store(WordOf(Cell(5)), 3);
  WordOf(Cell(6)) = 4;
  uint64_t& late = WordOf(Cell(7));
  late = 5;
  world_->Commit(transaction);
  // A mark behind the commit is as good.
  transaction = world_->Begin();
  Mark(&late, 5);
  world_->Commit(transaction);
  ASSERT_TRUE(world_->session->Shutdown().ok());
  EXPECT_EQ(world_->session->statistics().missed_barriers, 1u);
}

TEST_P(StoreBarriersTest, HybridBarriersOpenAPageBeforeTheStore) {
  world_->barriers = abi::StoreBarriers::kHybrid;
  StartWithCells();
  for (uint64_t i = 0; i < 3; ++i) {
    const uint64_t transaction = world_->Begin();
    uint64_t& word = WordOf(Cell(5));
    EXPECT_LT(*BlockTable::ByteOf(&word), 0);
    EXPECT_EQ(world_->session->HandleFault(&word, true).kind, FaultAnswer::Kind::kResolved);
    EXPECT_GE(*BlockTable::ByteOf(&word), 0);
    word = 80 + i;
    if (i == 1) {
      ASSERT_TRUE(world_->session->Abort(transaction).ok());
      EXPECT_EQ(word, 80u);
    } else {
      world_->Commit(transaction);
    }
  }
  Restart();
  EXPECT_EQ(CommittedWord(5), 82u);
}

INSTANTIATE_TEST_SUITE_P(Tiers, StoreBarriersTest,
                         ::testing::Values(FaultTier::kUserfaultfd, FaultTier::kMprotect),
                         [](const auto& tier) {
                           return tier.param == FaultTier::kMprotect ? "Mprotect" : "Userfaultfd";
                         });

}  // namespace
}  // namespace tenure::testing
