// Commits that are ordered before they are durable: what a session knows of them, and what becomes
// of memory when a sync fails after later transactions have begun.
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/deferring_page_server.h"
#include "tests/support/session_world.h"
#include "tests/support/traps.h"

namespace tenure::stabilize {
namespace {

using abi::Ref;
using testing::Catch;
using testing::SessionWorld;
using testing::SyncControl;
using testing::WordOf;

class OrderedCommitsOfSession : public ::testing::Test {
 protected:
  OrderedCommitsOfSession() : world(FaultTier::kMprotect, PageServerKind::kBdb) {
    world.faults = testing::Deferring(control);
    world.Start();
    world.Create();
    world.Open();
    const uint64_t transaction = world.Begin();
    world.SetRoot(world.NewCell(0, 4));
    EXPECT_TRUE(world.session->Commit(transaction).ok());
    // The objects of the commits that follow are at home.
    world.CollectMajor();
  }

  // A transaction that adds 1 to the root's word.
  uint64_t CommitOne(Status expected = Status::Ok()) {
    const uint64_t transaction = world.Begin();
    ++WordOf(world.Root());
    uint64_t ordered = 0;
    const Status status = world.session->Commit(transaction, &ordered);
    EXPECT_EQ(status.code(), expected.code()) << status.text();
    return ordered;
  }
  uint64_t ReadWord() {
    const uint64_t transaction = world.Begin();
    const uint64_t word = WordOf(world.Root());
    EXPECT_TRUE(world.session->Commit(transaction).ok());
    return word;
  }
  // As a process reads it that opens the store now.
  uint64_t StoredWord() {
    world.faults = nullptr;
    world.Start();
    world.Open();
    return ReadWord();
  }
  Status Outcome(uint64_t ordered) {
    const std::optional<Status> known = world.session->ordered_commits().Await(ordered);
    return known ? *known : world.session->SettleCommit(ordered);
  }
  bool IsDurable(uint64_t ordered) {
    return world.session->ordered_commits().Outcome(ordered).has_value();
  }
  void ExpectClosedBecauseAhead() {
    EXPECT_FALSE(world.database->open());
    const uint64_t transaction = world.Begin();
    const Result<Ref> root = world.session->GetRoot(world.database);
    ASSERT_FALSE(root.ok());
    EXPECT_EQ(root.status().code(), StatusCode::kClosed);
    EXPECT_NE(std::string(root.status().text()).find("ahead"), std::string::npos)
        << root.status().text();
    EXPECT_TRUE(world.session->Abort(transaction).ok());
  }

  std::shared_ptr<SyncControl> control = std::make_shared<SyncControl>();
  SessionWorld world;
};

TEST_F(OrderedCommitsOfSession, LaterTransactionsBeginBeforeACommitIsDurable) {
  control->Hold();
  std::vector<uint64_t> ordered;
  for (int i = 0; i < 5; ++i) ordered.push_back(CommitOne());
  for (size_t i = 0; i < ordered.size(); ++i) {
    EXPECT_FALSE(IsDurable(ordered[i]));
    if (i > 0) {
      EXPECT_GT(ordered[i], ordered[i - 1]);
    }
  }
  std::thread waiter([&] { EXPECT_TRUE(Outcome(ordered[2]).ok()); });
  while (control->waiting() == 0) std::this_thread::yield();
  // Nothing that the waiting thread needs is locked meanwhile.
  const uint64_t next = CommitOne();
  EXPECT_FALSE(IsDurable(ordered[0]));
  control->Sync();
  waiter.join();
  EXPECT_TRUE(Outcome(next).ok());
  EXPECT_TRUE(IsDurable(ordered[0]));
  EXPECT_EQ(StoredWord(), 6u);
}

TEST_F(OrderedCommitsOfSession, ACommitThatChangesNothingIsDurableWithWhatItHasSeen) {
  control->Hold();
  const uint64_t changed = CommitOne();
  uint64_t transaction = world.Begin();
  EXPECT_EQ(WordOf(world.Root()), 1u);
  uint64_t seen = 0;
  ASSERT_TRUE(world.session->Commit(transaction, &seen).ok());
  EXPECT_EQ(seen, changed);
  // One that must be durable when it returns waits.
  transaction = world.Begin();
  std::thread sync([&] {
    while (control->waiting() == 0) std::this_thread::yield();
    control->Sync();
  });
  EXPECT_TRUE(world.session->Commit(transaction).ok());
  sync.join();
  EXPECT_TRUE(IsDurable(changed));
  transaction = world.Begin();
  ASSERT_TRUE(world.session->Commit(transaction, &seen).ok());
  EXPECT_EQ(seen, 0u);
}

TEST_F(OrderedCommitsOfSession, WhenASyncFailsWhoseCommitsTookPlaceAllGoesOn) {
  control->Hold();
  std::vector<uint64_t> ordered;
  for (int i = 0; i < 3; ++i) ordered.push_back(CommitOne());
  const uint64_t transaction = world.Begin();
  ++WordOf(world.Root());
  control->Fail(3);
  EXPECT_TRUE(Outcome(ordered[1]).ok());
  EXPECT_TRUE(Outcome(ordered[2]).ok());
  // The open transaction has lost nothing.
  EXPECT_TRUE(world.session->IsOpen(transaction));
  EXPECT_EQ(WordOf(world.Root()), 4u);
  ASSERT_TRUE(world.session->Commit(transaction).ok());
  EXPECT_EQ(ReadWord(), 4u);
  EXPECT_EQ(StoredWord(), 4u);
}

TEST_F(OrderedCommitsOfSession, WhenACommitWasLostTheOpenTransactionIsRolledBack) {
  control->Hold();
  std::vector<uint64_t> ordered;
  for (int i = 0; i < 3; ++i) ordered.push_back(CommitOne());
  const uint64_t transaction = world.Begin();
  const uint64_t child = world.Begin();
  const Ref root = world.Root();
  ++WordOf(root);
  control->Fail(2);
  EXPECT_TRUE(Outcome(ordered[0]).ok());
  EXPECT_TRUE(Outcome(ordered[1]).ok());
  EXPECT_EQ(Outcome(ordered[2]).code(), StatusCode::kAborted);
  EXPECT_FALSE(world.session->IsOpen(transaction));
  EXPECT_TRUE(world.session->EndedByFailure(transaction));
  EXPECT_TRUE(world.session->EndedByFailure(child));
  EXPECT_FALSE(world.session->EndedByFailure(child + 1));
  EXPECT_EQ(Catch([&] { WordOf(root) = 7; }), FaultAnswer::Error::kFailure);
  ExpectClosedBecauseAhead();
  // The store itself is whole, also for this process.
  world.Open();
  EXPECT_EQ(ReadWord(), 2u);
  EXPECT_EQ(StoredWord(), 2u);
}

TEST_F(OrderedCommitsOfSession, TheNextBeginFindsThatACommitWasLost) {
  control->Hold();
  const uint64_t ordered = CommitOne();
  control->Fail(0);
  std::thread waiter([&] {
    // Its own question comes later.
    EXPECT_FALSE(world.session->ordered_commits().Await(ordered).has_value());
  });
  waiter.join();
  const uint64_t transaction = world.Begin();
  EXPECT_TRUE(world.session->Abort(transaction).ok());
  EXPECT_EQ(Outcome(ordered).code(), StatusCode::kAborted);
  ExpectClosedBecauseAhead();
  EXPECT_EQ(StoredWord(), 0u);
}

TEST_F(OrderedCommitsOfSession, ALaterCommitOnTheFailedStoreDoesNotTakePlace) {
  control->Hold();
  const uint64_t ordered = CommitOne();
  const uint64_t transaction = world.Begin();
  ++WordOf(world.Root());
  control->Fail(0);
  EXPECT_FALSE(world.session->ordered_commits().Await(ordered).has_value());
  uint64_t later = 0;
  const Status status = world.session->Commit(transaction, &later);
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(Outcome(ordered).code(), StatusCode::kAborted);
  ExpectClosedBecauseAhead();
  EXPECT_EQ(StoredWord(), 0u);
}

TEST_F(OrderedCommitsOfSession, ACommitThatIsDurableAtReturnRollsMemoryBackWhenTheSyncFails) {
  control->Fail(0);
  const uint64_t transaction = world.Begin();
  ++WordOf(world.Root());
  EXPECT_EQ(world.session->Commit(transaction).code(), StatusCode::kAborted);
  EXPECT_TRUE(world.database->open());
  EXPECT_EQ(ReadWord(), 0u);
  EXPECT_EQ(StoredWord(), 0u);
}

TEST_F(OrderedCommitsOfSession, ClosingADatabaseMakesItsCommitsDurable) {
  control->Hold();
  const uint64_t ordered = CommitOne();
  std::thread sync([&] {
    while (control->waiting() == 0) std::this_thread::yield();
    control->Sync();
  });
  world.heap->ClearRoots();
  EXPECT_TRUE(world.session->CloseDatabase(world.database).ok());
  sync.join();
  EXPECT_TRUE(Outcome(ordered).ok());
  EXPECT_EQ(StoredWord(), 1u);
}

TEST_F(OrderedCommitsOfSession, ClosingADatabaseTellsThatACommitWasLost) {
  control->Hold();
  const uint64_t ordered = CommitOne();
  control->Fail(0);
  world.heap->ClearRoots();
  const Status status = world.session->CloseDatabase(world.database);
  EXPECT_EQ(status.code(), StatusCode::kClosed);
  EXPECT_NE(std::string(status.text()).find("ahead"), std::string::npos) << status.text();
  EXPECT_EQ(Outcome(ordered).code(), StatusCode::kAborted);
  EXPECT_EQ(StoredWord(), 0u);
}

// The server ended for good. A begin finds that and closes the store; a thread that waits for its
// commit asks afterwards.
TEST_F(OrderedCommitsOfSession, OutcomesAreUnknownWhenTheStoreWasClosedBecauseItIsGone) {
  control->Hold();
  const uint64_t ordered = CommitOne();
  std::thread waiter(
      [&] { EXPECT_FALSE(world.session->ordered_commits().Await(ordered).has_value()); });
  while (control->waiting() == 0) std::this_thread::yield();
  control->Vanish();
  waiter.join();
  world.heap->ClearRoots();
  const Result<uint64_t> begun = world.session->Begin(false);
  EXPECT_EQ(begun.status().code(), StatusCode::kClosed);
  EXPECT_FALSE(world.database->open());
  const Status outcome = world.session->SettleCommit(ordered);
  EXPECT_EQ(outcome.code(), StatusCode::kUnknownOutcome);
  EXPECT_NE(std::string(outcome.text()).find("the server is gone"), std::string::npos);
}

TEST_F(OrderedCommitsOfSession, CheckpointAndChainAreOrderedAndStayOpen) {
  control->Hold();
  const uint64_t transaction = world.Begin();
  ++WordOf(world.Root());
  uint64_t first = 0, second = 0, third = 0;
  ASSERT_TRUE(world.session->Checkpoint(transaction, &first).ok());
  ++WordOf(world.Root());
  ASSERT_TRUE(world.session->Chain(transaction, &second).ok());
  ++WordOf(world.Root());
  ASSERT_TRUE(world.session->Commit(transaction, &third).ok());
  EXPECT_FALSE(IsDurable(first));
  EXPECT_LT(first, second);
  EXPECT_LT(second, third);
  control->Sync();
  EXPECT_TRUE(Outcome(third).ok());
  EXPECT_EQ(StoredWord(), 3u);
}

TEST_F(OrderedCommitsOfSession, AThreadOfItsOwnMakesCommitsDurable) {
  control->Hold();
  std::vector<uint64_t> ordered;
  for (int i = 0; i < 300; ++i) ordered.push_back(CommitOne());
  world.session->ordered_commits().MakeDurableInBackground(ordered.back());
  while (control->waiting() == 0) std::this_thread::yield();
  EXPECT_FALSE(IsDurable(ordered.front()));
  control->Sync();
  while (!IsDurable(ordered.back())) std::this_thread::yield();
  EXPECT_TRUE(Outcome(ordered.front()).ok());
}

// What is seen of a store is durable before another store's commit is.
TEST_F(OrderedCommitsOfSession, ACommitOfAnotherStoreWaitsForEarlierOnes) {
  testing::TemporaryDirectory other;
  ASSERT_TRUE(world.session->CreateDatabase(other.path()).ok());
  Result<Database*> second = world.session->OpenDatabase(other.path());
  ASSERT_TRUE(second.ok());
  control->Hold();
  const uint64_t ordered = CommitOne();
  const uint64_t transaction = world.Begin();
  ASSERT_TRUE(world.session->SetRoot(*second, world.NewCell(7, 0)).ok());
  std::thread sync([&] {
    while (control->waiting() == 0) std::this_thread::yield();
    EXPECT_FALSE(IsDurable(ordered));
    control->Sync();
  });
  uint64_t later = 0;
  ASSERT_TRUE(world.session->Commit(transaction, &later).ok());
  sync.join();
  EXPECT_TRUE(IsDurable(ordered));
  EXPECT_TRUE(Outcome(later).ok());
}

TEST_F(OrderedCommitsOfSession, ACommitBesideOthersIsTheSameCommit) {
  control->Hold();
  const uint64_t transaction = **world.session->BeginTop(Reach::kBesideOthers, /*read_only=*/false);
  ASSERT_NE(transaction, 0u);
  const std::optional<Result<Ref>> found =
      world.session->GetRoot(Reach::kBesideOthers, world.database, transaction);
  ASSERT_TRUE(found.has_value() && found->ok());
  const Ref root = **found;
  ++WordOf(root);
  uint64_t ordered = 0;
  const std::optional<TransactionEnded> done =
      world.session->End(Reach::kBesideOthers, transaction, TransactionEnd::kCommit, &ordered);
  ASSERT_TRUE(done.has_value());
  EXPECT_TRUE(done->status.ok());
  EXPECT_FALSE(IsDurable(ordered));
  // The page is protected again: the next transaction's first write is seen.
  EXPECT_EQ(Catch([&] { return WordOf(root) = 9; }), FaultAnswer::Error::kTransactionNotInProgress);

  // A new object needs a stop of the world. Nothing was done.
  const uint64_t next = world.Begin();
  world.SetEdge(root, 0, world.NewCell(5, 0));
  EXPECT_FALSE(world.session->End(Reach::kBesideOthers, next, TransactionEnd::kCommit, &ordered)
                   .has_value());
  EXPECT_TRUE(world.session->IsOpen(next));
  world.SetEdge(root, 1, world.NewCell(6, 0));
  ASSERT_TRUE(world.session->Commit(next, &ordered).ok());
  control->Sync();
  EXPECT_TRUE(Outcome(ordered).ok());
  EXPECT_EQ(StoredWord(), 1u);
  const uint64_t last = world.Begin();
  EXPECT_EQ(WordOf(SessionWorld::Edge(world.Root(), 0)), 5u);
  EXPECT_EQ(WordOf(SessionWorld::Edge(world.Root(), 1)), 6u);
  world.Commit(last);
}

}  // namespace
}  // namespace tenure::stabilize
