// The disk gets full at each operation on a store's files in turn, and later there is room again:
// the store continues, or reports that it has failed and can be opened again. No acknowledged
// commit is lost, and no refused commit is there.

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "store/bdb/bdb_page_server.h"
#include "store/faults/io_faults.h"
#include "tests/support/crashing_page_server.h"
#include "tests/support/page_samples.h"

namespace tenure::store {
namespace {

using testing::CommitBuilder;
using testing::Holds;
using testing::kFaultStep;
using testing::MakePage;
using testing::PageImage;
using testing::ReadPage;
using testing::TemporaryDirectory;

// More than one batch of the double-write file.
constexpr uint64_t kPages = 600;
constexpr uint64_t kPagesAdded = 60;

// With the redo log, and without.
class FullDiskTest : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    Open(OpenMode::kCreate);
    ASSERT_NE(server_, nullptr);
    database_ = *server_->OpenDatabase("main", OpenMode::kCreate);
    ASSERT_TRUE(Commit(kPages));
    ASSERT_TRUE(server_->Close().ok());
    server_ = nullptr;
    made_.CopyFrom(store_.path());
    versions_made_ = versions_;
    expected_made_ = expected_;
  }
  void TearDown() override { Lift(); }

  void StartAgain() {
    server_ = nullptr;
    store_.CopyFrom(made_.path());
    versions_ = versions_made_;
    expected_ = expected_made_;
    Open(OpenMode::kOpen);
    ASSERT_NE(server_, nullptr);
    database_ = *server_->OpenDatabase("main", OpenMode::kOpen);
  }

  void Open(OpenMode mode) { server_ = Opened(store_.path(), mode); }

  static std::unique_ptr<BdbPageServer> Opened(const std::string& path, OpenMode mode) {
    BdbOptions options;
    options.cache_bytes = 8 << 20;
    options.checkpoint_thread = false;
    options.checkpoint_log_bytes = 256 << 10;
    options.redo = GetParam();
    options.redo_lag_bytes = 256 << 10;
    Result<std::unique_ptr<BdbPageServer>> opened = BdbPageServer::Open(path, mode, options);
    EXPECT_TRUE(opened.ok()) << opened.status().text();
    return opened.ok() ? *std::move(opened) : nullptr;
  }

  // Rewrites each third page and adds some. False: the commit did not happen.
  bool Commit(uint64_t added) {
    const uint64_t serial = ++commits_;
    std::vector<PageImage> images;
    std::vector<uint64_t> pages;
    for (uint64_t page = 1 + serial % 3; page <= expected_.size(); page += 3) {
      pages.push_back(page);
    }
    for (uint64_t i = 1; i <= added; ++i) pages.push_back(expected_.size() + i);
    images.reserve(pages.size());
    CommitBuilder builder(*server_, database_);
    if (const Result<PageId> last = server_->MaxPage(database_);
        last.ok() && last->number < pages.back() &&
        !server_->AllocatePages(database_, pages.back() - last->number).ok()) {
      return false;
    }
    for (const uint64_t page : pages) {
      images.push_back(MakePage(page * 1000 + serial));
      builder.Whole(PageId{page}, page <= versions_.size() ? versions_[page - 1] : 0,
                    images.back());
    }
    const CommitId id = NewCommitId();
    CommitAnswer answer = builder.Commit(id);
    if (answer.outcome == CommitOutcome::kUnknown) {
      Lift();
      OpenAgain();
      const std::optional<uint64_t> outcome = *server_->Outcome({id});
      if (!outcome) return false;
      answer = {CommitOutcome::kCommitted, *outcome, Status::Ok()};
    }
    if (answer.outcome != CommitOutcome::kCommitted) {
      EXPECT_EQ(answer.status.code(), refusal_) << answer.status.text();
      return false;
    }
    for (const uint64_t page : pages) {
      if (page > expected_.size()) {
        expected_.push_back(0);
        versions_.push_back(0);
      }
      expected_[page - 1] = page * 1000 + serial;
      versions_[page - 1] = answer.version;
    }
    return true;
  }

  // The system has all space again.
  void Lift() {
    SetIoFault(IoFault::kNone);
    if (descriptors_) {
      EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &*descriptors_), 0);
    }
  }

  void OpenAgain() {
    EXPECT_FALSE(server_->Close().ok());
    server_ = nullptr;
    ++opened_again_;
    ASSERT_NO_FATAL_FAILURE(Open(OpenMode::kOpen));
    database_ = *server_->OpenDatabase("main", OpenMode::kOpen);
  }

  // The state that another process finds if this one is killed now.
  void ExpectAllIn(const std::string& copy) {
    std::unique_ptr<BdbPageServer> other = Opened(copy, OpenMode::kOpen);
    ASSERT_NE(other, nullptr);
    std::swap(server_, other);
    const DatabaseId database =
        std::exchange(database_, *server_->OpenDatabase("main", OpenMode::kOpen));
    ExpectAll();
    database_ = database;
    std::swap(server_, other);
  }

  void ExpectAll() {
    for (uint64_t page = 1; page <= expected_.size(); ++page) {
      ASSERT_TRUE(
          Holds(*ReadPage(*server_, database_, PageId{page}), MakePage(expected_[page - 1])))
          << "page " << page;
    }
    EXPECT_EQ(server_->Info(database_)->pages, expected_.size());
  }

  TemporaryDirectory made_, store_, killed_;
  std::unique_ptr<BdbPageServer> server_;
  DatabaseId database_;
  uint64_t commits_ = 0;
  std::vector<uint64_t> expected_, expected_made_;  // of MakePage
  std::vector<uint64_t> versions_, versions_made_;
  std::optional<rlimit> descriptors_;  // space available again
  int opened_again_ = 0;
  StatusCode refusal_ = StatusCode::kNoSpace;
};

TEST_P(FullDiskTest, AtEveryOperation) {
  int refused = 0;
  uint64_t at = 1;
  // Not every operation, which takes minutes; use 1 when you change this code.
  constexpr uint64_t kStep = 9;
  for (bool reached = true; reached; at += kStep * kFaultStep) {
    SCOPED_TRACE("operation " + std::to_string(at));
    ASSERT_NO_FATAL_FAILURE(StartAgain());
    const uint64_t end = IoOperations() + at;
    SetIoFault(IoFault::kWritesFail, at, ENOSPC);
    for (int i = 0; i < 3; ++i) refused += !Commit(kPagesAdded);
    reached = IoOperations() >= end;
    if (server_->failed().ok()) ExpectAll();  // on the full disk
    killed_.CopyFrom(store_.path());
    SetIoFault(IoFault::kNone);
    ASSERT_NO_FATAL_FAILURE(ExpectAllIn(killed_.path()));
    if (!server_->failed().ok()) OpenAgain();
    ASSERT_FALSE(HasFatalFailure());
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(Commit(kPagesAdded));
    ASSERT_NO_FATAL_FAILURE(ExpectAll());
    EXPECT_TRUE(server_->Close().ok());
    ASSERT_NO_FATAL_FAILURE(Open(OpenMode::kOpen));
    database_ = *server_->OpenDatabase("main", OpenMode::kOpen);
    ASSERT_NO_FATAL_FAILURE(ExpectAll());
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GT(static_cast<uint64_t>(refused), 30 / kFaultStep);
  // The case that a sync or Berkeley DB itself fails, which is rare.
  EXPECT_LE(opened_again_, 1 + refused / 10);
}

// A process with many open files: the checkpoint needs one more.
TEST_P(FullDiskTest, WithoutDescriptors) {
  ASSERT_NO_FATAL_FAILURE(StartAgain());
  ASSERT_TRUE(Commit(kPagesAdded));
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  const rlimit few{3, limit.rlim_max};
  descriptors_ = limit;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  refusal_ = StatusCode::kIo;
  // Other tests may have left unsynced directories, for which there is no descriptor either.
  for (int i = 0; i < 2; ++i) (void)Commit(kPagesAdded);
  Lift();
  if (!server_->failed().ok()) OpenAgain();
  EXPECT_TRUE(Commit(kPagesAdded));
  ASSERT_NO_FATAL_FAILURE(ExpectAll());
  EXPECT_TRUE(server_->Close().ok());
}

// Another program may take the space of the next log file before that file begins.
TEST_P(FullDiskTest, NextLogFileBeginsWithBlocks) {
  if (GetParam()) GTEST_SKIP() << "the redo log is one file";
  ASSERT_NO_FATAL_FAILURE(StartAgain());
  const auto log = [&](int number) {
    return store_.path() + "/log.000000000" + std::to_string(number);
  };
  struct stat info{};
  int last = 9;
  while (stat(log(last).c_str(), &info) != 0) --last;
  // A store that had much space looks again after this time.
  constexpr std::chrono::milliseconds kLooksAfter(21);
  constexpr uint64_t kAtOnce = 40;
  int commits = 0;
  while (stat(log(last + 1).c_str(), &info) != 0) {
    ASSERT_LT(++commits, 200);
    std::this_thread::sleep_for(kLooksAfter);
    const uint64_t serial = ++commits_;
    std::vector<PageImage> images;
    images.reserve(kAtOnce);
    CommitBuilder builder(*server_, database_);
    for (uint64_t page = 1; page <= kAtOnce; ++page) {
      images.push_back(MakePage(page * 1000 + serial));
      builder.Whole(PageId{page}, versions_[page - 1], images.back());
    }
    const CommitAnswer answer = builder.Commit(NewCommitId());
    ASSERT_EQ(answer.outcome, CommitOutcome::kCommitted) << answer.status.text();
    for (uint64_t page = 1; page <= kAtOnce; ++page) {
      versions_[page - 1] = answer.version;
      expected_[page - 1] = page * 1000 + serial;
    }
  }
  // More than the commit's records need.
  EXPECT_GT(info.st_blocks * 512, 1 << 20);
  EXPECT_NE(stat((store_.path() + "/log.spare").c_str(), &info), 0);
  ASSERT_NO_FATAL_FAILURE(ExpectAll());

  killed_.CopyFrom(store_.path());
  const std::string left = killed_.path() + "/log.spare";
  std::ofstream(left).close();
  ASSERT_NO_FATAL_FAILURE(ExpectAllIn(killed_.path()));
  EXPECT_NE(stat(left.c_str(), &info), 0);
}

INSTANTIATE_TEST_SUITE_P(Policies, FullDiskTest, ::testing::Bool(), [](const auto& info) {
  return std::string(info.param ? "Redo" : "Trees");
});

}  // namespace
}  // namespace tenure::store
