// One operation on a store's files fails, and the disk is well afterwards: the process that met the
// failure closes the store, opens it again and goes on, and knows which commits took place.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "store/bdb/bdb_page_server.h"
#include "store/faults/io_faults.h"
#include "store/files/store_io.h"
#include "tests/support/crashing_page_server.h"
#include "tests/support/page_samples.h"

namespace tenure::store {
namespace {

using testing::CommitBuilder;
using testing::Holds;
using testing::MakePage;
using testing::ReadPage;

class FailedOperation : public ::testing::TestWithParam<bool> {
 protected:
  ~FailedOperation() override { SetIoFault(IoFault::kNone); }

  std::unique_ptr<BdbPageServer> Open() {
    BdbOptions options;
    options.redo = GetParam();
    options.checkpoint_thread = false;
    auto server = BdbPageServer::Open(directory_.path(), OpenMode::kOpenOrCreate, options);
    EXPECT_TRUE(server.ok()) << server.status().text();
    return server.ok() ? *std::move(server) : nullptr;
  }

  testing::TemporaryDirectory directory_;
};

TEST_P(FailedOperation, TheStoreCanBeOpenedAgain) {
  const PageId page{1};
  uint64_t number = 0;
  {
    const auto server = Open();
    const DatabaseId db = *server->OpenDatabase("main", OpenMode::kCreate);
    ASSERT_EQ(server->AllocatePages(db, 1)->first, page);
    ASSERT_EQ(CommitBuilder(*server, db).Whole(page, 0, MakePage(number)).Commit().outcome,
              CommitOutcome::kCommitted);
  }
  int failed = 0, unknown = 0;
  for (uint64_t at = 1;; ++at) {
    SCOPED_TRACE("operation " + std::to_string(at));
    auto server = Open();
    ASSERT_NE(server, nullptr);
    DatabaseId db = *server->OpenDatabase("main", OpenMode::kOpen);
    const uint64_t before = IoOperations();
    SetIoFault(IoFault::kError, at, EIO);
    std::optional<CommitId> asked;
    CommitAnswer answer;
    for (int i = 0; i < 4 && !asked; ++i) {
      const CommitId id = NewCommitId();
      const uint64_t version = ReadPage(*server, db, page)->record.version;
      answer = CommitBuilder(*server, db).Whole(page, version, MakePage(number + 1)).Commit(id);
      if (answer.outcome == CommitOutcome::kCommitted) {
        ++number;
      } else {
        asked = id;
        ++failed;
      }
    }
    (void)server->Close();
    const bool met = IoOperations() - before >= at;
    // As a process that goes on does it: nothing makes the failure forgotten.
    if (!met) SetIoFault(IoFault::kNone);
    server = Open();
    ASSERT_NE(server, nullptr);
    if (asked) {
      const Result<std::optional<uint64_t>> outcome =
          server->Outcome({.id = *asked, .above = answer.version});
      ASSERT_TRUE(outcome.ok()) << outcome.status().text();
      unknown += answer.outcome == CommitOutcome::kUnknown;
      number += outcome->has_value();
    }
    db = *server->OpenDatabase("main", OpenMode::kOpen);
    const auto reply = ReadPage(*server, db, page);
    ASSERT_TRUE(reply->status.ok()) << reply->status.text();
    ASSERT_TRUE(Holds(*reply, MakePage(number)));
    answer = CommitBuilder(*server, db)
                 .Whole(page, reply->record.version, MakePage(number + 1))
                 .Commit();
    ASSERT_EQ(answer.outcome, CommitOutcome::kCommitted) << answer.status.text();
    ++number;
    ASSERT_TRUE(server->Close().ok());
    if (!met) break;
  }
  EXPECT_GT(failed, 0);
  EXPECT_GT(unknown, 0);
}

INSTANTIATE_TEST_SUITE_P(Policies, FailedOperation, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "Redo" : "Diff"; });

// A file that was removed after a failed sync leaves its inode to another.
TEST(FailedSync, DoesNotConcernAFileThatIsMadeLater) {
  testing::TemporaryDirectory directory;
  ASSERT_EQ(StoreMkdir(directory.path().c_str()), 0);
  const std::string file = directory.path() + "/file";
  for (int i = 0; i < 20; ++i) {
    const int fd = StoreOpen(file.c_str(), O_RDWR | O_CREAT | O_EXCL);
    ASSERT_GE(fd, 0);
    ASSERT_EQ(StorePwrite(fd, "x", 1, 0), 1);
    ASSERT_EQ(StoreSync(fd), 0) << "file " << i;
    SetIoFault(IoFault::kError, 1, EIO);
    // SetIoFault has made earlier failures forgotten; this one is not.
    EXPECT_NE(StoreSync(fd), 0);
    EXPECT_NE(StoreSync(fd), 0);
    close(fd);
    ASSERT_EQ(StoreUnlink(file.c_str()), 0);
  }
  SetIoFault(IoFault::kNone);
}

TEST(FailedSync, IsForgottenByWhoeverOpensTheFileAnew) {
  testing::TemporaryDirectory directory;
  ASSERT_EQ(StoreMkdir(directory.path().c_str()), 0);
  const int fd = StoreOpen((directory.path() + "/file").c_str(), O_RDWR | O_CREAT | O_EXCL);
  ASSERT_GE(fd, 0);
  ASSERT_EQ(StoreSync(fd), 0);
  SetIoFault(IoFault::kError, 1, EIO);
  EXPECT_NE(StoreSync(fd), 0);
  EXPECT_NE(StoreSync(fd), 0);
  EXPECT_EQ(StoreSyncAnew(fd), 0);
  EXPECT_EQ(StoreSync(fd), 0);
  SetIoFault(IoFault::kErrorForever, 1, EIO);
  EXPECT_NE(StoreSyncAnew(fd), 0);
  EXPECT_NE(StoreSyncAnew(fd), 0);
  SetIoFault(IoFault::kNone);
  close(fd);
}

}  // namespace
}  // namespace tenure::store
