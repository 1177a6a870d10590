// Read-only transactions of several threads, as the run time begins and ends them, with a store of
// this process alone and with a served one.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>

#include "stabilize/frames/fault_tiers.h"
#include "store/faults/linked_faults.h"
#include "store/remote/remote_page_server.h"
#include "tests/support/served_store.h"
#include "tests/support/session_world.h"
#include "tests/support/traps.h"

namespace tenure::stabilize {
namespace {

using abi::Ref;
using testing::Catch;
using testing::ServedStore;
using testing::SessionWorld;
using testing::TemporaryDirectory;
using testing::WordOf;

using Error = FaultAnswer::Error;

// The number of a read-only transaction that begins beside others; nothing: it cannot.
std::optional<uint64_t> BeginBeside(Session& session) {
  const auto begun = session.BeginTop(Reach::kBesideOthers, /*read_only=*/true);
  return begun && begun->ok() ? std::optional(**begun) : std::nullopt;
}

std::optional<uint64_t> ChildBeside(Session& session, uint64_t top) {
  const auto begun = session.BeginChild(Reach::kBesideOthers, top, /*read_only=*/true);
  return begun && begun->ok() ? std::optional(**begun) : std::nullopt;
}

std::optional<Status> EndBeside(Session& session, uint64_t transaction, TransactionEnd how) {
  const auto ended = session.End(Reach::kBesideOthers, transaction, how);
  return ended ? std::optional(ended->status) : std::nullopt;
}

class ReadOnly : public ::testing::TestWithParam<FaultTier> {
 protected:
  void SetUp() override {
    if (GetParam() == FaultTier::kUserfaultfd && !ProbeUserfaultfd().ok()) {
      GTEST_SKIP() << ProbeUserfaultfd().text();
    }
  }
  // A displaced root of word 10, and a transient object beside it of word 20.
  void Make(SessionWorld& world) {
    world.Create();
    world.Open();
    world.MakeRootAndNeighbour(&root, &neighbour);
  }
  // A root that is at home and not read yet. The next read of a page meets the fault.
  void MakeAbsent(SessionWorld& world, FailPoint fail = {}) {
    Make(world);
    world.Start(fail);
    world.Open();
  }

  Ref root = nullptr, neighbour = nullptr;
};

TEST_P(ReadOnly, SeveralAreOpenAndEachEndsOnItsOwn) {
  SessionWorld world(GetParam(), PageServerKind::kBdb);
  world.Start();
  Make(world);
  Session& session = *world.session;
  ASSERT_TRUE(session.MayBegin(false));
  const uint64_t a = **session.BeginTop(Reach::kAlone, /*read_only=*/true);
  const uint64_t b = BeginBeside(session).value();
  const uint64_t child = ChildBeside(session, a).value();
  EXPECT_FALSE(session.MayBegin(false));
  EXPECT_TRUE(session.MayBegin(true));
  EXPECT_EQ(session.TopOf(child), a);
  EXPECT_EQ(session.DepthOf(a), 2u);
  EXPECT_EQ(world.session->CreateDatabase(world.path() + ":x").code(),
            StatusCode::kTransactionOpen);

  EXPECT_TRUE(session.Commit(a).ok());
  EXPECT_FALSE(session.IsOpen(a));
  EXPECT_FALSE(session.IsOpen(child));
  EXPECT_TRUE(session.IsOpen(b));
  EXPECT_EQ(session.Commit(a).code(), StatusCode::kNoTransaction);
  EXPECT_FALSE(session.MayBegin(false));
  EXPECT_TRUE(EndBeside(session, b, TransactionEnd::kAbort).value().ok());
  EXPECT_TRUE(session.MayBegin(false));
  EXPECT_FALSE(ChildBeside(session, b).has_value());
  // One that writes.
  const uint64_t writer = world.Begin();
  EXPECT_FALSE(session.MayBegin(true));
  EXPECT_FALSE(BeginBeside(session).has_value());
  WordOf(root) = 11;
  world.Commit(writer);
}

TEST_P(ReadOnly, AThreadOutsideOfThemHasNoPartInThem) {
  SessionWorld world(GetParam(), PageServerKind::kBdb);
  world.Start();
  MakeAbsent(world);
  const uint64_t a = **world.session->BeginTop(Reach::kAlone, /*read_only=*/true);
  const Ref object = **world.session->GetRoot(Reach::kBesideOthers, world.database, a);
  EXPECT_EQ(world.session->HandleFault(object, false, 0).error, Error::kTransactionNotInProgress);
  EXPECT_EQ(world.session->HandleFault(object, false, a + 1).error,
            Error::kTransactionNotInProgress);
  EXPECT_EQ(world.session->GetRoot(world.database, 0).status().code(), StatusCode::kNoTransaction);
  EXPECT_EQ(world.session->HandleFault(object, true, a).error, Error::kReadOnly);
  EXPECT_EQ(world.session->HandleFault(object, false, a).kind, FaultAnswer::Kind::kResolved);
  EXPECT_EQ(WordOf(object), 10u);
  EXPECT_EQ(Catch([&] { WordOf(object) = 11; }), Error::kReadOnly);
  EXPECT_EQ(world.session->SetRoot(world.database, nullptr, a).code(), StatusCode::kReadOnly);
  EXPECT_EQ(world.session->LockForWriting(object).code(), StatusCode::kReadOnly);
  EXPECT_TRUE(world.session->Commit(a).ok());
}

TEST_P(ReadOnly, AfterAConflictEachOfThemIsToldOnce) {
  SessionWorld world(GetParam(), PageServerKind::kBdb);
  world.Start();
  MakeAbsent(world, {FailPointKind::kReadConflict, 1});
  Session& session = *world.session;
  const uint64_t victim = **session.BeginTop(Reach::kAlone, /*read_only=*/true);
  const uint64_t toucher = BeginBeside(session).value();
  const uint64_t ender = BeginBeside(session).value();
  const uint64_t child = ChildBeside(session, ender).value();
  const Ref object = *session.GetRoot(world.database, victim);
  EXPECT_EQ(session.HandleFault(object, false, victim).error, Error::kAborted);
  session.FinishAbort();
  EXPECT_FALSE(session.IsOpen(victim));
  // Nobody writes what the others still read.
  EXPECT_FALSE(session.MayBegin(false));
  EXPECT_FALSE(session.MayBegin(true));
  EXPECT_TRUE(session.IsOpen(toucher));
  EXPECT_EQ(session.HandleFault(object, false, toucher).error, Error::kAborted);
  EXPECT_FALSE(session.abort_pending());
  EXPECT_FALSE(session.IsOpen(toucher));
  EXPECT_EQ(session.HandleFault(object, false, toucher).error, Error::kTransactionNotInProgress);
  // The abort of a child tells nobody; the commit of its parent does.
  EXPECT_TRUE(session.Abort(child).ok());
  EXPECT_TRUE(session.IsOpen(ender));
  EXPECT_EQ(EndBeside(session, ender, TransactionEnd::kCommit)->code(), StatusCode::kAborted);
  EXPECT_FALSE(session.IsOpen(ender));
  EXPECT_TRUE(session.MayBegin(false));
  // Again.
  const uint64_t again = **session.BeginTop(Reach::kAlone, /*read_only=*/true);
  EXPECT_EQ(session.HandleFault(object, false, again).kind, FaultAnswer::Kind::kResolved);
  EXPECT_TRUE(session.Commit(again).ok());
}

TEST_P(ReadOnly, AWriteThatNoTrapTellsOfIsUndoneAtTheEnd) {
  SessionWorld world(GetParam(), PageServerKind::kBdb);
  world.Start();
  Make(world);
  Session& session = *world.session;
  for (const TransactionEnd how :
       {TransactionEnd::kCommit, TransactionEnd::kAbort, TransactionEnd::kCheckpoint}) {
    const uint64_t a = **session.BeginTop(Reach::kAlone, /*read_only=*/true);
    EXPECT_EQ(Catch([&] { WordOf(root) = 11; }), Error::kReadOnly);
    EXPECT_EQ(Catch([&] { ++WordOf(neighbour); }), Error::kNone);
    EXPECT_EQ(Catch([&] { WordOf(root) = 11; }), Error::kNone);
    EXPECT_FALSE(EndBeside(session, a, how).has_value());
    const Status status = how == TransactionEnd::kCommit  ? session.Commit(a)
                          : how == TransactionEnd::kAbort ? session.Abort(a)
                                                          : session.Checkpoint(a);
    EXPECT_EQ(status.code(), StatusCode::kReadOnly);
    EXPECT_FALSE(session.IsOpen(a));
    EXPECT_EQ(WordOf(root), 10u);
  }
  EXPECT_EQ(WordOf(neighbour), 23u);
}

// All may have seen it, and any of them may have done it.
TEST_P(ReadOnly, WhoHasWrittenAmongSeveralIsFoundAlone) {
  SessionWorld world(GetParam(), PageServerKind::kBdb);
  world.Start();
  Make(world);
  Session& session = *world.session;
  const uint64_t a = **session.BeginTop(Reach::kAlone, /*read_only=*/true);
  const uint64_t b = BeginBeside(session).value();
  WordOf(neighbour) = 21;
  WordOf(root) = 11;
  EXPECT_EQ(session.Commit(a).code(), StatusCode::kAborted);
  EXPECT_EQ(WordOf(root), 10u);
  EXPECT_FALSE(session.MayBegin(true));
  EXPECT_EQ(session.Checkpoint(b).code(), StatusCode::kAborted);
  EXPECT_FALSE(session.IsOpen(b));

  const uint64_t again = **session.BeginTop(Reach::kAlone, /*read_only=*/true);
  EXPECT_FALSE(session.MayBegin(true));
  EXPECT_FALSE(BeginBeside(session).has_value());
  EXPECT_TRUE(session.Commit(again).ok());
  const uint64_t guilty = **session.BeginTop(Reach::kAlone, /*read_only=*/true);
  WordOf(neighbour) = 22;
  WordOf(root) = 11;
  EXPECT_EQ(session.Commit(guilty).code(), StatusCode::kReadOnly);
  EXPECT_EQ(WordOf(root), 10u);
}

TEST_P(ReadOnly, AStoreOfTheRunTimeLeavesThePageProtected) {
  SessionWorld world(GetParam(), PageServerKind::kBdb);
  world.Start();
  Make(world);
  Session& session = *world.session;
  EXPECT_FALSE(session.StoreNumber(5, reinterpret_cast<void**>(&WordOf(neighbour))));
  const uint64_t a = **session.BeginTop(Reach::kAlone, /*read_only=*/true);
  EXPECT_TRUE(session.StoreNumber(5, reinterpret_cast<void**>(&WordOf(neighbour))));
  EXPECT_EQ(WordOf(neighbour), 5u);
  EXPECT_EQ(Catch([&] { WordOf(root) = 11; }), Error::kReadOnly);
  EXPECT_EQ(Catch([&] { WordOf(neighbour) = 6; }), Error::kNone);
  EXPECT_TRUE(session.Commit(a).ok());
  EXPECT_EQ(WordOf(root), 10u);
}

TEST_P(ReadOnly, TheChildOfATransactionThatWrites) {
  SessionWorld world(GetParam(), PageServerKind::kBdb);
  world.Start();
  Make(world);
  Session& session = *world.session;
  const uint64_t top = world.Begin();
  WordOf(root) = 11;
  const uint64_t child = *session.Begin(/*read_only=*/true);
  EXPECT_EQ(Catch([&] { WordOf(root) = 12; }), Error::kReadOnly);
  const uint64_t grandchild = *session.Begin();
  WordOf(neighbour) = 21;
  WordOf(root) = 13;
  EXPECT_EQ(session.Commit(grandchild).code(), StatusCode::kReadOnly);
  EXPECT_EQ(WordOf(root), 11u);
  EXPECT_TRUE(session.IsOpen(child));
  WordOf(neighbour) = 22;
  WordOf(root) = 14;
  EXPECT_EQ(session.Abort(child).code(), StatusCode::kReadOnly);
  EXPECT_EQ(WordOf(root), 11u);
  world.Commit(top);
  world.Reopen();
  const uint64_t last = world.Begin();
  EXPECT_EQ(WordOf(world.Root()), 11u);
  world.Commit(last);
}

// While another program wants a page that they have read, no other one begins, so that the page
// is given up some time.
TEST_P(ReadOnly, APageThatAnotherProgramWantsKeepsNewOnesOut) {
  TemporaryDirectory directory;
  ServedStore served(directory.path());
  SessionWorld world(GetParam(), PageServerKind::kBdb, directory.path());
  world.Start();
  MakeAbsent(world);
  Session& session = *world.session;
  const std::unique_ptr<RemotePageServer> other = *RemotePageServer::Connect(directory.path());
  const DatabaseId same = *other->OpenDatabase("main", OpenMode::kOpen);
  const PageId page = other->Root(same)->page();

  const uint64_t a = **session.BeginTop(Reach::kAlone, /*read_only=*/true);
  const uint64_t b = BeginBeside(session).value();
  const Ref object = *session.GetRoot(world.database, a);
  EXPECT_EQ(WordOf(object), 10u);
  std::atomic<bool> granted = false;
  std::thread writer([&] {
    EXPECT_TRUE(other->StartTransaction().ok());
    const Status wanted = other->WantWrite(same, std::span(&page, 1));
    EXPECT_TRUE(wanted.ok()) << wanted.text();
    granted = true;
    other->EndTransaction();
  });
  // The lock is free between the questions: who is called back does not wait for the lock.
  for (int i = 0; i < 10'000 && session.MayBegin(true); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_FALSE(BeginBeside(session).has_value());
  EXPECT_FALSE(granted);
  EXPECT_TRUE(session.KeepsPagesFromOthers(a));
  EXPECT_TRUE(session.Commit(a).ok());
  EXPECT_FALSE(granted);
  // The only one gives pages up when it chains.
  EXPECT_FALSE(session.KeepsPagesFromOthers(b));
  EXPECT_TRUE(session.Chain(b).ok());
  writer.join();
  EXPECT_TRUE(granted);
  EXPECT_TRUE(session.IsOpen(b));
  EXPECT_TRUE(session.MayBegin(true));
  EXPECT_EQ(WordOf(object), 10u);
  EXPECT_TRUE(session.Commit(b).ok());
  EXPECT_TRUE(session.MayBegin(false));
  ASSERT_TRUE(other->Close().ok());
}

INSTANTIATE_TEST_SUITE_P(Tiers, ReadOnly,
                         ::testing::Values(FaultTier::kUserfaultfd, FaultTier::kMprotect),
                         [](const auto& info) {
                           return info.param == FaultTier::kUserfaultfd ? "Userfaultfd"
                                                                        : "Mprotect";
                         });

}  // namespace
}  // namespace tenure::stabilize
