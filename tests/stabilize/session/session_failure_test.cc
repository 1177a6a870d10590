// Commits that fail at every possible point: the memory is then as before the transaction, newly
// reachable objects are transient again, and the next transaction works.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "stabilize/frames/fault_tiers.h"
#include "store/faults/io_faults.h"
#include "store/faults/linked_faults.h"
#include "store/server/verifier.h"
#include "tests/support/session_world.h"
#include "tests/support/tiers.h"
#include "tests/support/traps.h"

namespace tenure::stabilize {
namespace {

using abi::Ref;
using testing::Catch;
using testing::SessionWorld;
using testing::SlotOf;
using testing::WordOf;

testing::TextLiteral literal("literal");
testing::TextLiteral other_literal("other");

// Objects at home, a displaced object, a large object; a transaction that changes all of them and
// makes new ones.
class Scenario {
 public:
  explicit Scenario(SessionWorld& world) : world_(world) {}

  // One commit.
  void Prepare() {
    const Ref root = world_.NewCell(1, 8);
    Ref& kept = world_.Keep(root);
    for (size_t i = 0; i < 3; ++i) world_.SetEdge(kept, i, world_.NewCell(10 + i, 4));
    world_.SetEdge(kept, 3, world_.NewCell(20, 3000));
    const Ref pinned = world_.NewCell(30, 2);
    world_.SetEdge(kept, 4, pinned);
    world_.Pin(pinned);
    const uint64_t transaction = world_.Begin();
    world_.SetRoot(kept);
    world_.Commit(transaction);
    world_.CollectMajor();
    ASSERT_EQ(world_.session->statistics().objects_displaced, 1u);
  }

  // The objects that become reachable are kept by exact roots from `fresh` on.
  void Change() {
    Ref& root = world_.Keep(world_.Root());
    fresh_ = world_.heap->roots().exact.size();
    Ref& holder = world_.Keep(world_.NewHolder(40));
    Ref& large = world_.Keep(world_.NewCell(50, 90000));  // more pages than one request asks for
    Ref& small = world_.Keep(world_.NewCell(60, 3));
    Ref& local = world_.Keep(world_.NewCell(70, 0));
    gc::StoreReference(SlotOf(holder, testing::kHolderEdge), large);
    gc::StoreReference(SlotOf(holder, testing::kHolderTransient), local);
    world_.SetEdge(small, 0, literal.ref());
    world_.SetEdge(small, 1, holder);
    world_.SetEdge(large, 89999, root);
    WordOf(root) = 2;                   // at home
    WordOf(world_.Edge(root, 4)) = 31;  // displaced
    world_.SetEdge(world_.Edge(root, 4), 1, small);
    world_.SetEdge(world_.Edge(root, 3), 2999, literal.ref());  // the last page of a large one
    WordOf(world_.Edge(root, 3)) = 21;                          // its first
    world_.SetEdge(root, 1, nullptr);
    world_.SetRoot(holder);
  }

  void ExpectTransient() {
    for (size_t i = fresh_; i < fresh_ + 4; ++i) {
      const Ref object = world_.heap->roots().exact[i];
      EXPECT_TRUE(world_.heap->heap().Contains(object));
      EXPECT_FALSE(abi::ObjectHeader::Of(object)->displaced());
      EXPECT_EQ(WordOf(object), 40 + 10 * (i - fresh_));
    }
  }

 private:
  SessionWorld& world_;
  size_t fresh_ = 0;
};

class SessionFailure : public ::testing::TestWithParam<std::tuple<FaultTier, PageServerKind>> {
 protected:
  SessionFailure() : world(std::get<0>(GetParam()), std::get<1>(GetParam())) {}
  void SetUp() override {
    if (std::get<0>(GetParam()) == FaultTier::kUserfaultfd && !ProbeUserfaultfd().ok()) {
      GTEST_SKIP() << ProbeUserfaultfd().text();
    }
  }
  bool durable() const { return std::get<1>(GetParam()) == PageServerKind::kBdb; }

  void Make(FailPoint fail) {
    world.Start(fail);
    // Stores outlive failed rounds of a test.
    const std::string name = "db" + std::to_string(++databases_);
    world.Create(name);
    world.Open(name);
  }

  std::string SnapshotNow() {
    const uint64_t transaction = world.Begin();
    std::string text = world.Snapshot();
    world.Commit(transaction);
    return text;
  }

  // Another process, or at least a new opening.
  std::string SnapshotLater() {
    world.Reopen();
    return SnapshotNow();
  }

  SessionWorld world;
  int databases_ = 0;
};

struct PointAndCode {
  FailPointKind kind;
  StatusCode code;
};

TEST_P(SessionFailure, LeavesMemoryAsItWas) {
  // The changing transaction reaches each fail point for the second time.
  for (const PointAndCode& point :
       {PointAndCode{FailPointKind::kCommitConflict, StatusCode::kConflict},
        {FailPointKind::kCommitNoSpace, StatusCode::kNoSpace},
        {FailPointKind::kCommitIo, StatusCode::kIo},
        {FailPointKind::kCommitUnknownLost, StatusCode::kAborted},
        {FailPointKind::kAllocateNoSpace, StatusCode::kNoSpace},
        {FailPointKind::kTypeNoSpace, StatusCode::kNoSpace}}) {
    SCOPED_TRACE(static_cast<int>(point.kind));
    Make({point.kind, 2});
    Scenario scenario(world);
    scenario.Prepare();
    const std::string before = SnapshotNow();

    uint64_t transaction = world.Begin();
    scenario.Change();
    EXPECT_NE(world.Snapshot(), before);
    const Status status = world.session->Commit(transaction);
    EXPECT_EQ(status.code(), point.code) << status.text();
    EXPECT_FALSE(world.session->IsOpen(transaction));
    scenario.ExpectTransient();
    EXPECT_EQ(world.session->statistics().objects_displaced, 1u);
    EXPECT_EQ(SnapshotNow(), before);
    world.CollectMinor();
    world.CollectMajor();
    EXPECT_EQ(SnapshotNow(), before);

    // Without new objects: the pages that were open for them are as the store has them.
    transaction = world.Begin();
    WordOf(world.Root(), 0) = 1;
    WordOf(world.Edge(world.Root(), 0)) = 99;
    world.Commit(transaction);
    const std::string changed = SnapshotNow();
    // Opening a store on disk again resets its fail point.
    const bool again =
        point.kind == FailPointKind::kAllocateNoSpace || point.kind == FailPointKind::kTypeNoSpace;
    if (!again) {
      EXPECT_EQ(SnapshotLater(), changed);
    }

    transaction = world.Begin();
    scenario.Change();
    world.Commit(transaction);
    const uint64_t reading = world.Begin();
    const std::string after = world.Snapshot(/*transient=*/false);
    world.Commit(reading);
    EXPECT_EQ(SnapshotLater(), after);
    if (HasFailure()) return;
  }
}

// Here the program does not write the page that is open for new objects, so no twin restores it.
TEST_P(SessionFailure, PlacesOfAFailedCommitAreFreeAgain) {
  Make({FailPointKind::kCommitNoSpace, 2});
  Scenario(world).Prepare();
  uint64_t transaction = world.Begin();
  world.SetRoot(world.NewCell(1, 2));
  EXPECT_FALSE(world.session->Commit(transaction).ok());
  transaction = world.Begin();
  WordOf(world.Root()) = 2;
  world.Commit(transaction);
  const std::string now = SnapshotNow();
  EXPECT_EQ(SnapshotLater(), now);
}

TEST_P(SessionFailure, LostAnswerToACommitThatHappenedIsNoFailure) {
  Make({FailPointKind::kCommitUnknownDone, 2});
  Scenario scenario(world);
  scenario.Prepare();
  const uint64_t transaction = world.Begin();
  scenario.Change();
  world.Commit(transaction);
  const uint64_t reading = world.Begin();
  const std::string after = world.Snapshot(/*transient=*/false);
  world.Commit(reading);
  EXPECT_EQ(SnapshotLater(), after);
}

TEST_P(SessionFailure, UnknownOutcomeClosesTheDatabase) {
  Make({FailPointKind::kCommitUnknownSilent, 2});
  Scenario scenario(world);
  scenario.Prepare();
  uint64_t transaction = world.Begin();
  scenario.Change();
  const std::string after = world.Snapshot(/*transient=*/false);
  const Ref root = world.Edge(*SlotOf(*SlotOf(world.Root(), testing::kHolderEdge), 2 + 89999), 0);
  const Status status = world.session->Commit(transaction);
  if (std::get<1>(GetParam()) == PageServerKind::kBdb) {
    // The store is opened again and asked: the commit had happened.
    EXPECT_TRUE(status.ok()) << status.text();
    EXPECT_TRUE(world.database->open());
    EXPECT_EQ(SnapshotLater(), after);
    return;
  }
  EXPECT_EQ(status.code(), StatusCode::kUnknownOutcome);
  EXPECT_FALSE(world.database->open());
  EXPECT_EQ(world.session->GetRoot(world.database).status().code(), StatusCode::kClosed);
  EXPECT_EQ(Catch([&] { WordOf(root) = 5; }), FaultAnswer::Error::kFailure);
  world.ClearRoots();
  world.CollectMajor();
  // In this case the commit had happened.
  world.Open("db1");
  EXPECT_EQ(SnapshotNow(), after);
  // Objects named by the failed commit do not collide with objects named now.
  transaction = world.Begin();
  world.SetRoot(world.NewCell(7, 2000));
  world.Commit(transaction);
  const std::string now = SnapshotNow();
  EXPECT_EQ(SnapshotLater(), now);
}

TEST_P(SessionFailure, ConflictInATrapHasAbortedTheTransaction) {
  Make({FailPointKind::kWriteConflict, 2});
  Scenario(world).Prepare();
  const std::string before = SnapshotNow();
  world.Reopen();
  uint64_t transaction = world.Begin();
  Ref root = world.Root();
  const Ref large = world.Edge(root, 3);
  EXPECT_EQ(Catch([&] { WordOf(root) = 100; }), FaultAnswer::Error::kNone);
  EXPECT_EQ(Catch([&] { WordOf(large) = 101; }), FaultAnswer::Error::kAborted);
  EXPECT_FALSE(world.session->IsOpen(transaction));
  EXPECT_EQ(SnapshotNow(), before);

  Make({FailPointKind::kReadConflict, 1});
  Scenario(world).Prepare();
  world.Reopen();
  transaction = world.Begin();
  root = world.Root();
  EXPECT_EQ(Catch([&] { WordOf(root) = 100; }), FaultAnswer::Error::kAborted);
  EXPECT_FALSE(world.session->IsOpen(transaction));
  EXPECT_EQ(SnapshotNow(), before);
}

TEST_P(SessionFailure, FailedReadLeavesTheTransactionOpen) {
  for (const FailPointKind kind : {FailPointKind::kReadIo, FailPointKind::kReadCorrupt}) {
    Make({kind, 1});
    Scenario(world).Prepare();
    const std::string before = SnapshotNow();
    world.Reopen();
    const uint64_t transaction = world.Begin();
    const Ref root = world.Root();
    EXPECT_EQ(Catch([&] { WordOf(root) = 100; }), FaultAnswer::Error::kFailure);
    EXPECT_TRUE(world.session->IsOpen(transaction));
    WordOf(root) = 100;
    EXPECT_TRUE(world.session->Abort(transaction).ok());
    EXPECT_EQ(SnapshotNow(), before);
  }
}

// The files themselves fail, at operations throughout a commit: a later opening finds the state
// that the session reported.
TEST_P(SessionFailure, FailingFilesAreToldAndSurvived) {
  if (!durable()) return;
  int failed = 0;
  for (const IoFault fault : {IoFault::kError, IoFault::kErrorForever}) {
    Make({});
    Scenario scenario(world);
    scenario.Prepare();
    for (uint64_t at = 1;; ++at) {
      world.Reopen();
      const std::string before = SnapshotNow();
      uint64_t transaction = world.Begin();
      world.SetRoot(world.Keep(world.NewCell(at, 3)));
      world.SetEdge(world.Root(), 0, literal.ref());
      const std::string after = world.Snapshot();
      SetIoFault(fault, at, 5 /* EIO */);
      const Status status = world.session->Commit(transaction);
      if (status.code() != StatusCode::kUnknownOutcome) {
        EXPECT_EQ(SnapshotNow(), status.ok() ? after : before) << "operation " << at;
        // The server has failed; closing reports this.
        (void)world.session->CloseDatabase(world.database);
      }
      SetIoFault(IoFault::kNone);
      world.ClearRoots();
      world.Open("db" + std::to_string(databases_));
      if (HasFatalFailure()) return;
      const std::string found = SnapshotNow();
      if (status.ok()) {
        EXPECT_EQ(found, after) << "operation " << at;
        break;
      }
      ++failed;
      EXPECT_TRUE(found == before ||
                  (status.code() == StatusCode::kUnknownOutcome && found == after))
          << "operation " << at << ": " << status.text();
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(failed, 0);
}

// The same, and the session continues when the fault is over.
TEST_P(SessionFailure, FilesThatFailedAreUsedAgain) {
  if (!durable()) return;
  for (const IoFault fault : {IoFault::kError, IoFault::kErrorForever, IoFault::kWritesFail}) {
    Make({});
    Scenario scenario(world);
    scenario.Prepare();
    for (uint64_t at = 1;; ++at) {
      world.Reopen();
      const std::string before = SnapshotNow();
      const uint64_t transaction = world.Begin();
      world.SetRoot(world.Keep(world.NewCell(at, 3)));
      const std::string after = world.Snapshot();
      SetIoFault(fault, at, ENOSPC);
      const Status status = world.session->Commit(transaction);
      SetIoFault(IoFault::kNone);
      if (status.code() == StatusCode::kUnknownOutcome) {
        world.ClearRoots();
        world.Open("db" + std::to_string(databases_));
        continue;
      }
      ASSERT_EQ(SnapshotNow(), status.ok() ? after : before) << "operation " << at;
      const uint64_t next = world.Begin();
      WordOf(world.Root()) = 1000 + at;
      const std::string then = world.Snapshot();
      ASSERT_TRUE(world.session->Commit(next).ok()) << "operation " << at;
      ASSERT_EQ(SnapshotNow(), then) << "operation " << at;
      if (status.ok()) break;
    }
  }
}

// The server has dropped the page numbers that it allocated for the failed commit.
TEST_P(SessionFailure, PagesOfACommitThatFailedAreNotUsedAgain) {
  if (!durable()) return;
  Make({});
  Scenario scenario(world);
  scenario.Prepare();
  constexpr uint64_t kSeveralPages = 3000;
  for (uint64_t at = 1;; ++at) {
    world.Reopen();
    const uint64_t transaction = world.Begin();
    world.SetRoot(world.Keep(world.NewCell(at, kSeveralPages)));
    SetIoFault(IoFault::kError, at, EIO);
    const Status status = world.session->Commit(transaction);
    SetIoFault(IoFault::kNone);
    if (status.code() == StatusCode::kUnknownOutcome) {
      world.ClearRoots();
      world.Open("db" + std::to_string(databases_));
      continue;
    }
    const uint64_t next = world.Begin();
    world.SetRoot(world.Keep(world.NewCell(1000 + at, kSeveralPages)));
    const std::string then = world.Snapshot();
    const Status committed = world.session->Commit(next);
    ASSERT_TRUE(committed.ok()) << "operation " << at << ": " << committed.text();
    ASSERT_EQ(SnapshotNow(), then) << "operation " << at;
    if (status.ok()) break;
  }
}

INSTANTIATE_TEST_SUITE_P(Tiers, SessionFailure, testing::AllTiers(), testing::NameOf);

}  // namespace
}  // namespace tenure::stabilize
