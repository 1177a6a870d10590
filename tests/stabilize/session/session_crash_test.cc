// A process that runs transactions ends at an operation on the store's files: the next process
// finds the state before or after the transaction in progress, and the state after it if its commit
// had returned. Every operation is tried, with every sort of crash; TENURE_LONG makes the
// transactions many.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <iterator>
#include <string>
#include <tuple>
#include <vector>

#include "store/server/verifier.h"
#include "tests/support/crashing_page_server.h"
#include "tests/support/session_world.h"

namespace tenure::stabilize {
namespace {

using abi::Ref;
using testing::Acknowledgements;
using testing::CrashAtEach;
using testing::CrashRun;
using testing::FaultText;
using testing::SessionWorld;
using testing::SlotOf;
using testing::TemporaryDirectory;
using testing::WordOf;

const int kTransactions = getenv("TENURE_LONG") != nullptr ? 40 : 6;
testing::TextLiteral literal("literal");

// Makes the first state of a database, or the next state from the previous one, with everything
// that a commit can write: words of objects at home and displaced, new small and large objects, a
// literal, a new type, the root.
Status Transaction(SessionWorld& world, int state) {
  const uint64_t transaction = world.Begin();
  Ref& root = world.Keep(world.Root());
  if (root == nullptr) {
    root = world.NewCell(0, 40);
    for (size_t i = 0; i < 30; ++i) world.SetEdge(root, i, world.NewCell(100 + i, 20));
  } else {
    WordOf(root) = static_cast<uint64_t>(state);
    for (size_t i = static_cast<size_t>(state); i < 30; i += 7) WordOf(world.Edge(root, i)) += 1000;
    Ref& added = world.Keep(world.NewCell(static_cast<uint64_t>(200 + state), 3));
    world.SetEdge(added, 0, world.Edge(root, 30));
    world.SetEdge(root, 30, added);
    world.SetEdge(added, 1, literal.ref());
    if (state % 4 == 2) world.SetEdge(added, 2, world.NewCell(300, 4000));
    if (state % 4 == 3) world.SetEdge(added, 2, world.NewHolder(400));
    if (state % 4 == 0) {
      const Ref large = world.Edge(world.Edge(world.Edge(world.Edge(root, 30), 0), 0), 2);
      world.SetEdge(large, 3999, root);
      Ref& new_root = world.Keep(world.NewCell(500, 40));
      for (size_t i = 0; i < 31; ++i) world.SetEdge(new_root, i, world.Edge(root, i));
      world.SetEdge(new_root, 31, root);
      root = new_root;
    }
  }
  world.SetRoot(root);
  const Status status = world.session->Commit(transaction);
  // Before the next transaction some objects move to their homes, some do not.
  if (state % 2 == 0) world.heap->CollectMajor();
  return status;
}

// The next process: opens the database and goes through the transactions that are left.
int RunAll(const std::string& path, RecoveryPolicy policy, Acknowledgements* acknowledgements,
           std::vector<std::string>* snapshots) {
  SessionWorld world(FaultTier::kChoose, PageServerKind::kBdb, path);
  world.recovery = policy;
  world.Start();
  Result<Database*> opened = world.session->OpenDatabase(path);
  if (!opened.ok()) return 1;
  world.database = *opened;
  for (int state = 1; state <= kTransactions; ++state) {
    if (!Transaction(world, state).ok()) return 2;
    if (acknowledgements != nullptr) acknowledgements->Report(static_cast<uint8_t>(state));
    if (snapshots != nullptr) {
      const uint64_t transaction = world.Begin();
      snapshots->push_back(world.Snapshot());
      if (!world.session->Commit(transaction).ok()) return 3;
    }
  }
  return world.session->Shutdown().ok() ? 0 : 4;
}

class SessionCrash : public ::testing::TestWithParam<std::tuple<IoFault, RecoveryPolicy>> {
 protected:
  static IoFault Fault() { return std::get<0>(GetParam()); }
  static RecoveryPolicy Policy() { return std::get<1>(GetParam()); }

  static void SetUpTestSuite() {
    before = new TemporaryDirectory;
    snapshots = new std::vector<std::string>;
    {
      SessionWorld world(FaultTier::kChoose, PageServerKind::kBdb, before->path());
      world.Start();
      world.Create();
      world.Open();
      ASSERT_TRUE(Transaction(world, 0).ok());
      const uint64_t transaction = world.Begin();
      snapshots->push_back(world.Snapshot());
      world.Commit(transaction);
      ASSERT_TRUE(world.session->Shutdown().ok());
    }
    TemporaryDirectory copy;
    copy.CopyFrom(before->path());
    ASSERT_EQ(RunAll(copy.path(), RecoveryPolicy::kDiff, nullptr, snapshots), 0);
    ASSERT_EQ(snapshots->size(), static_cast<size_t>(kTransactions) + 1);
  }
  static void TearDownTestSuite() {
    delete before;
    delete snapshots;
  }

  static constexpr int kNoState = -1;

  // The state found by a process that comes later.
  static int StateOf(const std::string& path) {
    SessionWorld world(FaultTier::kChoose, PageServerKind::kBdb, path);
    world.Start();
    Result<Database*> opened = world.session->OpenDatabase(path);
    if (!opened.ok()) {
      ADD_FAILURE() << opened.status().text();
      return kNoState;
    }
    world.database = *opened;
    Result<VerifyReport> report = VerifyDatabase(world.database->server(), world.database->id());
    if (!report.ok() || !report->ok()) {
      ADD_FAILURE() << (report.ok() ? report->problems[0] : report.status().text());
      return kNoState;
    }
    const uint64_t transaction = world.Begin();
    const std::string found = world.Snapshot();
    world.Commit(transaction);
    for (int state = 0; state <= kTransactions; ++state) {
      if (found == (*snapshots)[static_cast<size_t>(state)]) return state;
    }
    ADD_FAILURE() << "found:\n" << found;
    return kNoState;
  }

  static TemporaryDirectory* before;  // a store in state 0, closed
  static std::vector<std::string>* snapshots;
};

TemporaryDirectory* SessionCrash::before;
std::vector<std::string>* SessionCrash::snapshots;

TEST_P(SessionCrash, FindsTheOldStateOrTheNew) {
  TemporaryDirectory store;
  const auto check = [&](const CrashRun& run, uint64_t at) {
    const int found = StateOf(store.path());
    if (!run.crashed) {
      EXPECT_EQ(run.status, 0) << "operation " << at;
      EXPECT_EQ(found, kTransactions);
      return;
    }
    const int acknowledged = run.reported.empty() ? 0 : run.reported.back();
    EXPECT_TRUE(found == acknowledged || found == acknowledged + 1)
        << "crash at operation " << at << " after " << acknowledged << " commits; found " << found;
  };
  const uint64_t crashes = CrashAtEach(
      {.fault = Fault()}, [&] { store.CopyFrom(before->path()); },
      [&](Acknowledgements& a) { return RunAll(store.path(), Policy(), &a, nullptr); }, check);
  RecordProperty("crashes", static_cast<int>(crashes));
  EXPECT_GT(crashes, 8u);
}

// The process that finds the old or the new state goes on from there, and ends regularly.
TEST_P(SessionCrash, WorkGoesOnAfterwards) {
  TemporaryDirectory store;
  const auto check = [&](const CrashRun& run, uint64_t at) {
    if (!run.crashed) return;
    const int found = StateOf(store.path());
    if (found < 0) return;
    {
      SessionWorld world(FaultTier::kChoose, PageServerKind::kBdb, store.path());
      world.recovery = Policy();
      world.Start();
      world.Open();
      for (int state = found + 1; state <= kTransactions; ++state) {
        const Status status = Transaction(world, state);
        ASSERT_TRUE(status.ok()) << status.text();
      }
      ASSERT_TRUE(world.session->Shutdown().ok());
    }
    ASSERT_EQ(StateOf(store.path()), kTransactions) << "after operation " << at;
  };
  CrashAtEach(
      {.fault = Fault(), .first = 2, .step = 3}, [&] { store.CopyFrom(before->path()); },
      [&](Acknowledgements& a) { return RunAll(store.path(), Policy(), &a, nullptr); }, check);
}

std::string NameOf(const ::testing::TestParamInfo<std::tuple<IoFault, RecoveryPolicy>>& info) {
  constexpr const char* kPolicies[] = {"Diff", "Whole", "PdRedo", "PdEsm", "Wpl"};
  return std::string(FaultText(std::get<0>(info.param))) +
         kPolicies[static_cast<int>(std::get<1>(info.param))];
}

INSTANTIATE_TEST_SUITE_P(
    Faults, SessionCrash,
    ::testing::Combine(::testing::Values(IoFault::kCrash, IoFault::kCrashTorn,
                                         IoFault::kCrashUnsynced, IoFault::kCrashHalfSynced),
                       ::testing::Values(RecoveryPolicy::kDiff, RecoveryPolicy::kWhole,
                                         RecoveryPolicy::kPdRedo, RecoveryPolicy::kPdEsm,
                                         RecoveryPolicy::kWpl)),
    NameOf);

// --- A commit with prewritten pages

constexpr size_t kCells = 150;  // of almost a page each

int CommitMuch(const std::string& path, Acknowledgements& acknowledgements) {
  SessionWorld world(FaultTier::kChoose, PageServerKind::kBdb, path);
  world.recovery = RecoveryPolicy::kPdRedo;
  world.Start();
  world.Open();
  const uint64_t transaction = world.Begin();
  Ref& root = world.Keep(world.NewCell(kCells, kCells));
  for (size_t i = 0; i < kCells; ++i) world.SetEdge(root, i, world.NewCell(i, 900));
  world.SetRoot(root);
  if (!world.session->Commit(transaction).ok()) return 1;
  acknowledgements.Report(1);
  // The commit is put into the trees at once, so the log may not have got its name.
  bool written_ahead = false;
  for (const char* name : {"/REDO", "/REDO.new"}) {
    std::ifstream file(path + name, std::ios::binary);
    const std::string log(std::istreambuf_iterator<char>(file), {});
    written_ahead = written_ahead || log.find("REDP") != std::string::npos;
  }
  if (!written_ahead) return 2;
  return world.session->Shutdown().ok() ? 0 : 3;
}

// All of it, or nothing.
bool HasMuch(const std::string& path) {
  SessionWorld world(FaultTier::kChoose, PageServerKind::kBdb, path);
  world.Start();
  world.Open();
  const Result<VerifyReport> report =
      VerifyDatabase(world.database->server(), world.database->id());
  EXPECT_TRUE(report.ok() && report->ok());
  world.Begin();
  const Ref root = world.Root();
  if (root == nullptr) return false;
  EXPECT_EQ(WordOf(root), kCells);
  for (size_t i = 0; i < kCells; ++i) EXPECT_EQ(WordOf(world.Edge(root, i)), i);
  return true;
}

class LargeCommitCrash : public ::testing::TestWithParam<IoFault> {};

TEST_P(LargeCommitCrash, LeavesAllOfItOrNothing) {
  TemporaryDirectory before, store;
  {
    SessionWorld world(FaultTier::kChoose, PageServerKind::kBdb, before.path());
    world.Start();
    world.Create();
  }
  const uint64_t crashes = CrashAtEach(
      {.fault = GetParam()}, [&] { store.CopyFrom(before.path()); },
      [&](Acknowledgements& a) { return CommitMuch(store.path(), a); },
      [&](const CrashRun& run, uint64_t at) {
        SCOPED_TRACE("operation " + std::to_string(at));
        EXPECT_TRUE(run.crashed || run.status == 0) << run.status;
        const bool found = HasMuch(store.path());
        EXPECT_TRUE(found || run.reported.empty());
      });
  EXPECT_GT(crashes, 15u);
}

INSTANTIATE_TEST_SUITE_P(Faults, LargeCommitCrash,
                         ::testing::Values(IoFault::kCrash, IoFault::kCrashTorn,
                                           IoFault::kCrashUnsynced, IoFault::kCrashHalfSynced),
                         [](const auto& info) { return FaultText(info.param); });

}  // namespace
}  // namespace tenure::stabilize
