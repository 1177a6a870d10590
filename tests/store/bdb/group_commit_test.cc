// Commits of several threads become durable together: fewer syncs than commits; nothing is durable
// before its sync, and nothing that was durable is lost when a sync fails.

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "store/faults/io_faults.h"
#include "store/files/store_io.h"
#include "store/open.h"
#include "tests/support/crashing_page_server.h"
#include "tests/support/gated_files.h"
#include "tests/support/page_samples.h"

namespace tenure::store {
namespace {

using testing::CommitBuilder;
using testing::GatedFiles;
using testing::Holds;
using testing::MakePage;
using testing::PageImage;
using testing::ReadPage;
using testing::TemporaryDirectory;

// Whether the redo log is used.
class GroupCommit : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    UseFileSystem(files);
    server = Open(OpenMode::kCreate);
    ASSERT_NE(server, nullptr);
    db = *server->OpenDatabase("main", OpenMode::kCreate);
    ASSERT_TRUE(server->AllocatePages(db, kPages).ok());
    // Opens the log and makes the pages.
    for (uint64_t page = 1; page <= kPages; ++page) {
      const CommitAnswer answer = Change(page, 0, /*order=*/false);
      ASSERT_EQ(answer.outcome, CommitOutcome::kCommitted) << answer.status.text();
      versions[page] = answer.version;
    }
  }
  void TearDown() override {
    files.Open();
    server.reset();
    SetIoFault(IoFault::kNone);
  }

  std::unique_ptr<PageServer> Open(OpenMode mode) {
    StoreOptions options;
    options.mode = mode;
    options.bdb.redo = GetParam();
    options.bdb.redo_apply_seconds = 0.005;
    Result<std::unique_ptr<PageServer>> opened = OpenStore(store.path(), options);
    EXPECT_TRUE(opened.ok()) << opened.status().text();
    return opened.ok() ? *std::move(opened) : nullptr;
  }
  // Writes state `state` of the page, whole.
  CommitAnswer Change(uint64_t page, uint64_t state, bool order, CommitId id = NewCommitId()) {
    const PageImage image = MakePage(page * 1000 + state);
    CommitBuilder builder(*server, db);
    builder.Whole(PageId{page}, versions[page], image);
    return order ? builder.Order(id) : builder.Commit(id);
  }
  bool IsInState(uint64_t page, uint64_t state) {
    return Holds(*ReadPage(*server, db, PageId{page}), MakePage(page * 1000 + state));
  }

  static constexpr uint64_t kPages = 16;
  GatedFiles& files = *new GatedFiles;  // for the whole process, as UseFileSystem asks
  TemporaryDirectory store;
  std::unique_ptr<PageServer> server;
  DatabaseId db{};
  uint64_t versions[kPages + 1] = {};
};

TEST_P(GroupCommit, OneSyncServesAllThatWait) {
  const int before = files.syncs();
  const PageServerStatistics old = server->statistics();
  files.Shut();
  std::vector<std::thread> threads;
  std::atomic<int> done{0};
  for (uint64_t page = 1; page <= kPages; ++page) {
    threads.emplace_back([&, page] {
      const CommitAnswer answer = Change(page, 1, /*order=*/false);
      EXPECT_EQ(answer.outcome, CommitOutcome::kCommitted) << answer.status.text();
      EXPECT_GE(server->DurableVersion(), answer.version);
      ++done;
    });
  }
  files.AwaitSync();
  while (server->statistics().commits < old.commits + kPages) usleep(100);
  EXPECT_EQ(done, 0);
  EXPECT_EQ(server->DurableVersion(), old.commits);
  files.Open();
  for (std::thread& thread : threads) thread.join();
  // The first thread's sync, one for all others; and one of the thread that fills the trees.
  EXPECT_LE(files.syncs() - before, 3);
  EXPECT_GE(server->statistics().largest_group, kPages / 2);
  for (uint64_t page = 1; page <= kPages; ++page) EXPECT_TRUE(IsInState(page, 1));
}

TEST_P(GroupCommit, OrderedCommitsAreSeenAndNotYetDurable) {
  const uint64_t durable = server->DurableVersion();
  files.Shut();
  const CommitId id = NewCommitId();
  const CommitAnswer first = Change(1, 1, /*order=*/true, id);
  ASSERT_EQ(first.outcome, CommitOutcome::kCommitted) << first.status.text();
  EXPECT_TRUE(IsInState(1, 1));
  versions[1] = first.version;
  const CommitAnswer second = Change(1, 2, /*order=*/true);
  EXPECT_EQ(second.version, first.version + 1);
  EXPECT_EQ(server->DurableVersion(), durable);
  std::atomic<bool> told{false};
  std::thread asker([&] {
    const Result<std::optional<uint64_t>> outcome = server->Outcome({id});
    EXPECT_TRUE(outcome.ok() && *outcome == first.version);
    told = true;
  });
  files.AwaitSync();
  usleep(20'000);
  EXPECT_FALSE(told);
  EXPECT_FALSE(server->Outcome({NewCommitId()})->has_value());
  files.Open();
  asker.join();
  EXPECT_TRUE(server->AwaitDurable(second.version).ok());
  EXPECT_EQ(server->DurableVersion(), second.version);
  // A commit that writes nothing has seen the commits before it.
  EXPECT_EQ(server->Commit({NewCommitId(), {}}).version, second.version);
}

TEST_P(GroupCommit, AFailedSyncFailsAllBehindItAndNobodyBefore) {
  const uint64_t durable = server->DurableVersion();
  files.Shut();
  CommitId ids[kPages + 1];
  std::vector<std::thread> threads;
  std::atomic<int> unknown{0};
  for (uint64_t page = 1; page <= kPages; ++page) {
    ids[page] = NewCommitId();
    threads.emplace_back([&, page] {
      const CommitAnswer answer = Change(page, 1, /*order=*/false, ids[page]);
      unknown += answer.outcome == CommitOutcome::kUnknown;
      EXPECT_NE(answer.outcome, CommitOutcome::kCommitted);
    });
  }
  files.AwaitSync();
  while (server->statistics().commits < durable + kPages) usleep(100);
  files.Open(/*fails=*/true);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(unknown, kPages);
  EXPECT_EQ(server->DurableVersion(), durable);
  EXPECT_TRUE(server->AwaitDurable(durable).ok());
  EXPECT_FALSE(server->AwaitDurable(durable + 1).ok());
  EXPECT_FALSE(server->failed().ok());
  EXPECT_FALSE(server->Outcome({ids[1]}).ok());
  EXPECT_FALSE(server->Close().ok());
  SetIoFault(IoFault::kNone);
  server = Open(OpenMode::kOpen);
  ASSERT_NE(server, nullptr);
  db = *server->OpenDatabase("main", OpenMode::kOpen);
  for (uint64_t page = 1; page <= kPages; ++page) {
    const auto outcome = server->Outcome({ids[page]});
    ASSERT_TRUE(outcome.ok());
    EXPECT_TRUE(IsInState(page, outcome->has_value() ? 1 : 0)) << "page " << page;
  }
}

// A thread may still wait at the failed server when the store has been opened again.
TEST_P(GroupCommit, WhatANewOpeningWritesOutlivesTheServerThatFailed) {
  files.Shut();
  std::thread committer(
      [&] { EXPECT_EQ(Change(1, 1, /*order=*/false).outcome, CommitOutcome::kUnknown); });
  files.AwaitSync();
  files.Open(/*fails=*/true);
  committer.join();
  EXPECT_FALSE(server->Close().ok());
  SetIoFault(IoFault::kNone);
  std::unique_ptr<PageServer> failed = std::move(server);

  StoreOptions options;
  options.mode = OpenMode::kOpen;
  options.bdb.redo = GetParam();
  options.bdb.cache_bytes = 1 << 20;  // pages are written when the cache is full
  Result<std::unique_ptr<PageServer>> opened = OpenStore(store.path(), options);
  ASSERT_TRUE(opened.ok()) << opened.status().text();
  server = *std::move(opened);
  db = *server->OpenDatabase("main", OpenMode::kOpen);
  constexpr uint64_t kMore = 1000;
  ASSERT_TRUE(server->AllocatePages(db, kMore).ok());
  CommitBuilder builder(*server, db);
  std::vector<PageImage> images;
  for (uint64_t i = 1; i <= kMore; ++i) images.push_back(MakePage(i));
  for (uint64_t i = 1; i <= kMore; ++i) builder.Whole(PageId{kPages + i}, 0, images[i - 1]);
  ASSERT_EQ(builder.Commit().outcome, CommitOutcome::kCommitted);
  // Reading puts the pages into the trees, and others out of the cache.
  for (uint64_t i = 1; i <= kMore; ++i) {
    ASSERT_TRUE(ReadPage(*server, db, PageId{kPages + i})->status.ok());
  }
  failed.reset();
  ASSERT_TRUE(server->Close().ok());
  server = Open(OpenMode::kOpen);
  ASSERT_NE(server, nullptr);
  db = *server->OpenDatabase("main", OpenMode::kOpen);
  for (uint64_t i = 1; i <= kMore; ++i) {
    ASSERT_TRUE(Holds(*ReadPage(*server, db, PageId{kPages + i}), images[i - 1])) << i;
  }
}

TEST_P(GroupCommit, AClosingStoreServesThreadsThatWait) {
  files.Shut();
  std::vector<std::thread> threads;
  const uint64_t before = server->statistics().commits;
  for (uint64_t page = 1; page <= kPages; ++page) {
    threads.emplace_back([&, page] {
      const CommitAnswer answer = Change(page, 1, /*order=*/false);
      EXPECT_EQ(answer.outcome, CommitOutcome::kCommitted) << answer.status.text();
    });
  }
  files.AwaitSync();
  while (server->statistics().commits < before + kPages) usleep(100);
  std::thread closer([&] { EXPECT_TRUE(server->Close().ok()); });
  usleep(20'000);
  files.Open();
  closer.join();
  for (std::thread& thread : threads) thread.join();
  server = Open(OpenMode::kOpen);
  db = *server->OpenDatabase("main", OpenMode::kOpen);
  for (uint64_t page = 1; page <= kPages; ++page) EXPECT_TRUE(IsInState(page, 1));
}

// A commit that the redo log has no form for goes to the trees, between others that are not durable
// yet. Each kind of log is synced for the commits that it has.
TEST_P(GroupCommit, CommitsToBothLogs) {
  const Uuid other = NewUuid();
  uint64_t last = 0;
  for (uint64_t page = 1; page <= kPages; ++page) {
    if (page % 3 != 0) {
      last = Change(page, 1, /*order=*/true).version;
      continue;
    }
    const PageImage image = MakePage(page * 1000 + 1);
    CommitBuilder builder(*server, db);
    builder.Whole(PageId{page}, versions[page], image);
    const DatabaseCommit part = builder.part();
    last = server->Order({NewCommitId(), std::span(&part, 1), std::span(&other, 1)}).version;
  }
  EXPECT_LT(server->DurableVersion(), last);
  EXPECT_TRUE(server->AwaitDurable(last).ok());
  EXPECT_EQ(server->DurableVersion(), last);
  for (uint64_t page = 1; page <= kPages; ++page) EXPECT_TRUE(IsInState(page, 1));
  EXPECT_TRUE(server->Close().ok());
  server = Open(OpenMode::kOpen);
  db = *server->OpenDatabase("main", OpenMode::kOpen);
  for (uint64_t page = 1; page <= kPages; ++page) EXPECT_TRUE(IsInState(page, 1));
}

// Another store that asks carries its part out when it hears of the decision.
TEST_P(GroupCommit, ADecisionIsToldWhenItIsDurable) {
  files.Shut();
  const Uuid other = NewUuid();
  const CommitId id = NewCommitId();
  const PageImage image = MakePage(1001);
  CommitBuilder builder(*server, db);
  builder.Whole(PageId{1}, versions[1], image);
  const DatabaseCommit part = builder.part();
  ASSERT_EQ(server->Order({id, std::span(&part, 1), std::span(&other, 1)}).outcome,
            CommitOutcome::kCommitted);
  std::atomic<bool> told{false};
  std::thread asker([&] {
    const Result<bool> decided = server->Decided(id);
    EXPECT_TRUE(decided.ok() && *decided);
    told = true;
  });
  files.AwaitSync();
  usleep(20'000);
  EXPECT_FALSE(told);
  EXPECT_FALSE(*server->Decided(NewCommitId()));
  files.Open();
  asker.join();
}

INSTANTIATE_TEST_SUITE_P(Policies, GroupCommit, ::testing::Bool(), [](const auto& info) {
  return std::string(info.param ? "Redo" : "Trees");
});

// Putting pending commits into the trees makes them durable, while the sync of the redo log is
// slow.
class DrainedGroup : public GroupCommit {};

TEST_P(DrainedGroup, ThreadsThatWaitAreServedByTheTrees) {
  files.Only("REDO");
  files.Shut();
  std::thread leader(
      [&] { EXPECT_EQ(Change(1, 1, /*order=*/false).outcome, CommitOutcome::kCommitted); });
  files.AwaitSync();
  std::atomic<bool> served{false};
  std::thread follower([&] {
    EXPECT_EQ(Change(2, 1, /*order=*/false).outcome, CommitOutcome::kCommitted);
    served = true;
  });
  while (server->statistics().commits < kPages + 2) usleep(100);
  EXPECT_FALSE(served);
  // The deletion of a database drains the redo log first.
  EXPECT_EQ(server->DeleteDatabase("another").code(), StatusCode::kNotFound);
  follower.join();
  EXPECT_EQ(server->DurableVersion(), kPages + 2);
  // The log is used from its beginning while the old sync goes on.
  const CommitAnswer third = Change(3, 1, /*order=*/true);
  EXPECT_LT(server->DurableVersion(), third.version);
  files.Open();
  leader.join();
  EXPECT_TRUE(server->AwaitDurable(third.version).ok());
}

INSTANTIATE_TEST_SUITE_P(Redo, DrainedGroup, ::testing::Values(true),
                         [](const auto&) { return std::string("Redo"); });

}  // namespace
}  // namespace tenure::store
