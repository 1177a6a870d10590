// The process ends at every operation on a store's files in turn: the next process finds the state
// before or after the commit in progress, and the state after it if the commit had been
// acknowledged.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "store/faults/io_faults.h"
#include "store/open.h"
#include "store/server/verifier.h"
#include "tests/support/crashing_page_server.h"
#include "tests/support/page_samples.h"

namespace tenure::store {
namespace {

using testing::Acknowledgements;
using testing::CommitBuilder;
using testing::CrashAtEach;
using testing::CrashRun;
using testing::FaultText;
using testing::Holds;
using testing::kFaultStep;
using testing::MakePage;
using testing::OpenForCrash;
using testing::PageImage;
using testing::ReadPage;
using testing::RunWithFault;
using testing::TemporaryDirectory;

constexpr uint64_t kPages = 12;
constexpr uint8_t kCommits = 3;

// Page i of the sample database after `state` commits. Commit 0 makes all pages; the others rewrite
// some whole, change a region of others and add one.
PageImage SamplePage(uint64_t page, uint8_t state) {
  PageImage image = MakePage(page);
  for (uint8_t s = 1; s <= state; ++s) {
    if (page % 3 == 0) {
      image = MakePage(page * 100 + s);
    } else if (page % 3 == 1) {
      std::memcpy(image.bytes + 100, MakePage(page * 1000 + s).bytes, 600);
    }
  }
  return image;
}

uint64_t PagesIn(uint8_t state) { return kPages + state; }
PersistentRef RootIn(uint8_t state) { return PersistentRef::Object(PageId{1u + state}, 8); }

CommitAnswer CommitSample(PageServer& server, DatabaseId database, uint8_t state) {
  std::vector<PageImage> images;
  images.reserve(PagesIn(state));
  CommitBuilder builder(server, database);
  for (uint64_t page = 1; page <= PagesIn(state); ++page) {
    images.push_back(SamplePage(page, state));
    const auto old = ReadPage(server, database, PageId{page});
    if (!old->status.ok()) {
      if (!server.AllocatePages(database, 1).ok()) return {};
      builder.Whole(PageId{page}, 0, images.back());
    } else if (page % 3 == 0) {
      builder.Whole(PageId{page}, old->record.version, images.back());
    } else if (page % 3 == 1) {
      builder.Region(PageId{page}, old->record.version, images.back(), 100, 600);
    }
  }
  return builder.Root(RootIn(state)).Commit();
}

bool IsInState(PageServer& server, DatabaseId database, uint8_t state) {
  if (*server.Root(database) != RootIn(state)) return false;
  if (server.Info(database)->pages != PagesIn(state)) return false;
  for (uint64_t page = 1; page <= PagesIn(state); ++page) {
    if (!Holds(*ReadPage(server, database, PageId{page}), SamplePage(page, state))) return false;
  }
  return true;
}

constexpr int kNoState = -1;

int NoStateBecause(Status status) {
  ADD_FAILURE() << status.text();
  return kNoState;
}

// The state found, or kNoState.
int StateOf(const std::string& path) {
  StoreOptions options;
  options.bdb.checkpoint_thread = false;
  const Result<std::unique_ptr<PageServer>> opened = OpenStore(path, options);
  if (!opened.ok()) return NoStateBecause(opened.status());
  const std::unique_ptr<PageServer>& server = *opened;
  const Result<DatabaseId> database = server->OpenDatabase("main", OpenMode::kOpen);
  if (!database.ok()) return NoStateBecause(database.status());
  for (uint8_t state = 0; state <= kCommits; ++state) {
    if (IsInState(*server, *database, state)) return state;
  }
  return kNoState;
}

// Opens the store and makes the commits 1..kCommits, reporting each that was acknowledged.
int CommitAll(const std::string& path, bool redo, Acknowledgements& acknowledgements) {
  const std::unique_ptr<PageServer> server = OpenForCrash(path, OpenMode::kOpen, redo);
  if (server == nullptr) return 1;
  const Result<DatabaseId> database = server->OpenDatabase("main", OpenMode::kOpen);
  if (!database.ok()) return 2;
  for (uint8_t state = 1; state <= kCommits; ++state) {
    if (CommitSample(*server, *database, state).outcome != CommitOutcome::kCommitted) return 3;
    acknowledgements.Report(state);
  }
  return server->Close().ok() ? 0 : 4;
}

// With every fault, and with both policies of commit records.
class BdbCrash : public ::testing::TestWithParam<std::tuple<IoFault, bool>> {
 protected:
  static IoFault Fault() { return std::get<0>(GetParam()); }
  static bool Redo() { return std::get<1>(GetParam()); }

  void SetUp() override {
    const std::unique_ptr<PageServer> server =
        OpenForCrash(before.path(), OpenMode::kCreate, Redo());
    ASSERT_NE(server, nullptr);
    const DatabaseId database = *server->OpenDatabase("main", OpenMode::kCreate);
    ASSERT_EQ(CommitSample(*server, database, 0).outcome, CommitOutcome::kCommitted);
    ASSERT_TRUE(server->Close().ok());
  }

  // `acknowledged` commits returned before the crash; one more may have been in progress.
  static void ExpectOldOrNew(int found, const CrashRun& run, uint64_t at) {
    const int acknowledged = run.reported.empty() ? 0 : run.reported.back();
    EXPECT_TRUE(found == acknowledged || found == acknowledged + 1)
        << "crash at operation " << at << " after " << acknowledged << " commits; found " << found;
  }

  TemporaryDirectory before;  // a store in state 0, closed
  TemporaryDirectory store;
};

TEST_P(BdbCrash, AtEveryOperationOfCommits) {
  const uint64_t crashes = CrashAtEach(
      {.fault = Fault()}, [&] { store.CopyFrom(before.path()); },
      [&](Acknowledgements& a) { return CommitAll(store.path(), Redo(), a); },
      [&](const CrashRun& run, uint64_t at) {
        const int found = StateOf(store.path());
        if (run.crashed) return ExpectOldOrNew(found, run, at);
        EXPECT_EQ(run.status, 0) << "operation " << at;
        EXPECT_EQ(found, kCommits);
      });
  // Opening, three commits and closing write and sync at least this often.
  EXPECT_GT(crashes, 10u);
}

// What a lying disk leaves of the commits: a state that was committed, not necessarily the last
// one, or a store that says that it is damaged. Never a part of a commit.
class BdbLies : public BdbCrash {
 protected:
  // The state found; kDamaged: the store, or what was read, is said to be damaged.
  static constexpr int kDamaged = 100;
  static int WholeStateOf(const std::string& path) {
    StoreOptions options;
    options.bdb.checkpoint_thread = false;
    const auto is_damage = [](const Status& status) {
      return status.code() == StatusCode::kCorrupt || status.code() == StatusCode::kFormat;
    };
    const Result<std::unique_ptr<PageServer>> opened = OpenStore(path, options);
    if (!opened.ok()) {
      return is_damage(opened.status()) ? kDamaged : NoStateBecause(opened.status());
    }
    const Result<DatabaseId> database = (*opened)->OpenDatabase("main", OpenMode::kOpen);
    if (!database.ok()) {
      return is_damage(database.status()) ? kDamaged : NoStateBecause(database.status());
    }
    for (uint8_t state = 0; state <= kCommits; ++state) {
      if (IsInState(**opened, *database, state)) return state;
    }
    const Result<VerifyReport> report = VerifyDatabase(**opened, *database);
    return !report.ok() || !report->ok() ? kDamaged : kNoState;
  }
};

TEST_P(BdbLies, LeaveAWholeStateOrDamageThatIsNamed) {
  int older = 0, damaged = 0;
  const uint64_t crashes = CrashAtEach(
      {.fault = Fault()}, [&] { store.CopyFrom(before.path()); },
      [&](Acknowledgements& a) { return CommitAll(store.path(), Redo(), a); },
      [&](const CrashRun& run, uint64_t at) {
        const int found = WholeStateOf(store.path());
        const int acknowledged = run.reported.empty() ? 0 : run.reported.back();
        EXPECT_NE(found, kNoState) << "crash at operation " << at << " after " << acknowledged;
        if (found == kDamaged) {
          ++damaged;
        } else {
          EXPECT_LE(found, acknowledged + 1);
          older += found < acknowledged ? 1 : 0;
        }
      });
  EXPECT_GT(crashes, 10u);
  EXPECT_GT(older, 0);
  EXPECT_GT(damaged, 0);
}

// Recovery itself is interrupted, at every operation, after some of the crashes above.
TEST_P(BdbCrash, AtEveryOperationOfRecovery) {
  TemporaryDirectory crashed;
  CrashAtEach(
      {.fault = Fault(), .first = 5, .step = 14}, [&] { crashed.CopyFrom(before.path()); },
      [&](Acknowledgements& a) { return CommitAll(crashed.path(), Redo(), a); },
      [&](const CrashRun& first, uint64_t at) {
        if (!first.crashed) return;
        CrashAtEach(
            {.fault = Fault()}, [&] { store.CopyFrom(crashed.path()); },
            [&](Acknowledgements&) {
              const auto server = OpenForCrash(store.path(), OpenMode::kOpen, Redo());
              return server != nullptr && server->Close().ok() ? 0 : 1;
            },
            [&](const CrashRun& second, uint64_t again) {
              ExpectOldOrNew(StateOf(store.path()), first, at);
              EXPECT_FALSE(HasFailure()) << "then at operation " << again << " of recovery";
              EXPECT_TRUE(second.crashed || second.status == 0);
            });
      });
}

// A store or a database whose creation was interrupted is absent or empty, and can be made.
TEST_P(BdbCrash, AtEveryOperationOfCreation) {
  const auto create = [&](Acknowledgements& a) {
    const std::unique_ptr<PageServer> server =
        OpenForCrash(store.path(), OpenMode::kCreate, Redo());
    if (server == nullptr) return 1;
    a.Report(1);
    if (!server->OpenDatabase("main", OpenMode::kCreate).ok()) return 2;
    a.Report(2);
    return server->Close().ok() ? 0 : 3;
  };
  const auto check = [&](const CrashRun& run, uint64_t at) {
    const int acknowledged = run.reported.empty() ? 0 : run.reported.back();
    const Result<std::unique_ptr<PageServer>> opened = OpenStore(store.path(), StoreOptions());
    if (opened.ok()) {
      const Result<DatabaseId> database = (*opened)->OpenDatabase("main", OpenMode::kOpen);
      if (database.ok()) {
        EXPECT_TRUE((*(*opened)->Root(*database)).nil());
      } else {
        EXPECT_EQ(database.status().code(), StatusCode::kNotFound) << database.status().text();
        EXPECT_LT(acknowledged, 2) << "operation " << at;
      }
      EXPECT_TRUE((*opened)->Close().ok());
    } else {
      EXPECT_EQ(opened.status().code(), StatusCode::kNotFound) << opened.status().text();
      EXPECT_EQ(acknowledged, 0) << "operation " << at;
    }
    const std::unique_ptr<PageServer> server = OpenForCrash(store.path(), OpenMode::kOpenOrCreate);
    ASSERT_NE(server, nullptr) << "operation " << at;
    const Result<DatabaseId> made = server->OpenDatabase("main", OpenMode::kOpenOrCreate);
    EXPECT_TRUE(made.ok()) << "operation " << at << ": " << made.status().text();
    EXPECT_TRUE(run.crashed || run.status == 0);
  };
  EXPECT_GT(CrashAtEach({.fault = Fault()}, [&] { store.Clear(); }, create, check), 10u);
}

// A store that is made together with its database has it, or is not a store. The test then opens
// the store, which continues with the memory that making it has left.
TEST_P(BdbCrash, AtEveryOperationOfCreationInOneStep) {
  const auto create = [&](Acknowledgements& a) {
    StoreOptions options;
    options.bdb.redo = Redo();
    options.bdb.checkpoint_thread = false;
    if (!CreateStore(store.path(), "main", options).ok()) return 1;
    a.Report(1);
    const Result<std::unique_ptr<PageServer>> server = OpenStore(store.path(), options);
    if (!server.ok()) return 2;
    const Result<DatabaseId> database = (*server)->OpenDatabase("main", OpenMode::kOpen);
    if (!database.ok()) return 3;
    if (CommitSample(**server, *database, 0).outcome != CommitOutcome::kCommitted) return 4;
    a.Report(2);
    return (*server)->Close().ok() ? 0 : 5;
  };
  const auto check = [&](const CrashRun& run, uint64_t at) {
    EXPECT_TRUE(run.crashed || run.status == 0) << "operation " << at;
    const Result<std::unique_ptr<PageServer>> opened = OpenStore(store.path(), StoreOptions());
    if (!opened.ok()) {
      EXPECT_EQ(opened.status().code(), StatusCode::kNotFound) << opened.status().text();
      EXPECT_TRUE(run.reported.empty()) << "operation " << at;
      EXPECT_TRUE(CreateStore(store.path(), "main", StoreOptions()).ok()) << "operation " << at;
      return;
    }
    const Result<DatabaseId> database = (*opened)->OpenDatabase("main", OpenMode::kOpen);
    ASSERT_TRUE(database.ok()) << "operation " << at;
    const bool acknowledged = run.reported.size() == 2;
    const bool committed = IsInState(**opened, *database, 0);
    EXPECT_TRUE(committed || !acknowledged) << "operation " << at;
    EXPECT_TRUE(committed || (*opened)->Info(*database)->pages == 0) << "operation " << at;
    EXPECT_TRUE((*opened)->Close().ok());
    EXPECT_EQ(CreateStore(store.path(), "main", StoreOptions()).code(), StatusCode::kExists);
  };
  EXPECT_GT(CrashAtEach({.fault = Fault()}, [&] { store.Clear(); }, create, check), 10u);
}

TEST_P(BdbCrash, AtEveryOperationOfDeletion) {
  const auto remove = [&](Acknowledgements& a) {
    const std::unique_ptr<PageServer> server = OpenForCrash(store.path(), OpenMode::kOpen, Redo());
    if (server == nullptr) return 1;
    if (!server->DeleteDatabase("main").ok()) return 2;
    a.Report(1);
    return server->Close().ok() ? 0 : 3;
  };
  const auto check = [&](const CrashRun& run, uint64_t at) {
    const std::unique_ptr<PageServer> server = OpenForCrash(store.path(), OpenMode::kOpen);
    ASSERT_NE(server, nullptr) << "operation " << at;
    const Result<DatabaseId> database = server->OpenDatabase("main", OpenMode::kOpen);
    if (database.ok()) {
      EXPECT_TRUE(IsInState(*server, *database, 0)) << "operation " << at;
      EXPECT_TRUE(run.reported.empty()) << "operation " << at;
    } else {
      EXPECT_EQ(database.status().code(), StatusCode::kNotFound) << database.status().text();
    }
    EXPECT_TRUE(run.crashed || run.status == 0);
  };
  CrashAtEach({.fault = Fault()}, [&] { store.CopyFrom(before.path()); }, remove, check);
}

// The fault, and where the commit is.
std::string NameOf(const ::testing::TestParamInfo<std::tuple<IoFault, bool>>& info) {
  return std::string(FaultText(std::get<0>(info.param))) +
         (std::get<1>(info.param) ? "Redo" : "Trees");
}

INSTANTIATE_TEST_SUITE_P(Faults, BdbCrash,
                         ::testing::Combine(::testing::Values(IoFault::kCrash, IoFault::kCrashTorn,
                                                              IoFault::kCrashUnsynced,
                                                              IoFault::kCrashHalfSynced),
                                            ::testing::Bool()),
                         NameOf);

INSTANTIATE_TEST_SUITE_P(Faults, BdbLies,
                         ::testing::Combine(::testing::Values(IoFault::kCrashLied,
                                                              IoFault::kCrashSomeLied),
                                            ::testing::Bool()),
                         NameOf);

// No operation may fail unnoticed: every acknowledged commit is there, and no process crashes.
class BdbIoError : public BdbCrash {};

TEST_P(BdbIoError, AtEveryOperationOfCommits) {
  uint64_t failures = 0;
  const uint64_t limit = 400;
  for (uint64_t at = 1; at < limit; at += kFaultStep) {
    store.CopyFrom(before.path());
    const CrashRun run = RunWithFault(Fault(), at, [&](Acknowledgements& a) {
      const uint64_t start = IoOperations();
      const int status = CommitAll(store.path(), Redo(), a);
      return status == 0 && IoOperations() - start < at ? 0 : 10 + status;  // 0: never reached
    });
    ASSERT_GE(run.status, 0) << "died of a signal at operation " << at;
    const int found = StateOf(store.path());
    ExpectOldOrNew(found, run, at);
    ASSERT_FALSE(HasFailure());
    if (run.status == 0) break;
    failures += kFaultStep;
  }
  EXPECT_GT(failures, 10u);
  EXPECT_LT(failures, limit - 2);
}

INSTANTIATE_TEST_SUITE_P(Faults, BdbIoError,
                         ::testing::Combine(::testing::Values(IoFault::kError,
                                                              IoFault::kErrorForever),
                                            ::testing::Bool()),
                         NameOf);

}  // namespace
}  // namespace tenure::store
