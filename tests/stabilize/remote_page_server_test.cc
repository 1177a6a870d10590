#include "stabilize/remote_page_server.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <thread>

#include "tests/support/crashing_page_server.h"
#include "tests/support/page_samples.h"
#include "tests/support/served_store.h"

namespace tenure::stabilize {
namespace {

using testing::CommitBuilder;
using testing::MakePage;
using testing::PageImage;
using testing::ReadPage;

class RemotePageServerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    database_ = *server_->OpenDatabase("main", OpenMode::kCreate);
    page_ = server_->AllocatePages(database_, 1)->first;
    version_ = CommitBuilder(*server_, database_).Whole(page_, 0, image_).Commit().version;
    ASSERT_NE(version_, 0u);
  }
  std::unique_ptr<RemotePageServer> Connect() {
    return *RemotePageServer::Connect(directory_.path());
  }

  testing::TemporaryDirectory directory_;
  testing::ServedStore served_{directory_.path()};
  std::unique_ptr<RemotePageServer> server_ = Connect();
  const PageImage image_ = MakePage(1);
  DatabaseId database_;
  PageId page_;
  uint64_t version_ = 0;
};

TEST_F(RemotePageServerTest, ATransactionThatIsHotSendsNothing) {
  const uint64_t before = server_->messages();
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(server_->StartTransaction().ok());
    EXPECT_TRUE(server_->WantRead(database_, std::span(&page_, 1)).ok());
    EXPECT_TRUE(server_->WantWrite(database_, std::span(&page_, 1)).ok());
    server_->EndTransaction();
  }
  EXPECT_EQ(server_->messages(), before);
}

TEST_F(RemotePageServerTest, WhatAnotherTakesMustBeAskedForAgain) {
  const std::unique_ptr<RemotePageServer> other = Connect();
  const DatabaseId same = *other->OpenDatabase("main", OpenMode::kOpen);
  ASSERT_TRUE(other->WantWrite(same, std::span(&page_, 1)).ok());
  const uint64_t before = server_->messages();
  ASSERT_TRUE(server_->StartTransaction().ok());
  EXPECT_TRUE(server_->WantRead(database_, std::span(&page_, 1)).ok());
  server_->EndTransaction();
  EXPECT_GT(server_->messages(), before);
}

TEST_F(RemotePageServerTest, APageThatIsNotThereLeavesItsPermission) {
  const PageId fresh = server_->AllocatePages(database_, 1)->first;
  EXPECT_EQ(ReadPage(*server_, database_, fresh)->status.code(), StatusCode::kNotFound);
  EXPECT_EQ(CommitBuilder(*server_, database_).Whole(fresh, 0, image_).Commit().outcome,
            CommitOutcome::kCommitted);
}

TEST_F(RemotePageServerTest, WhatOthersMustNotSeeIsRefused) {
  EXPECT_EQ(server_->CreateReplacement("main").status().code(), StatusCode::kNotSupported);
  EXPECT_EQ(server_->CloseReplacing({}).code(), StatusCode::kNotSupported);
}

// As a disk collection does it.
TEST_F(RemotePageServerTest, APageIsRemovedByWhoeverMayWriteIt) {
  const std::unique_ptr<RemotePageServer> other = Connect();
  const DatabaseId same = *other->OpenDatabase("main", OpenMode::kOpen);
  const auto remove = [&](RemotePageServer& by, DatabaseId database) {
    const PageWrite write{.page = page_, .expected_version = version_, .remove = true};
    const DatabaseCommit commit{database, std::span(&write, 1), std::nullopt};
    return by.Commit({NewCommitId(), std::span(&commit, 1)}).outcome;
  };
  EXPECT_EQ(remove(*other, same), CommitOutcome::kConflict);
  ASSERT_TRUE(server_->WantWrite(database_, std::span(&page_, 1)).ok());
  EXPECT_EQ(remove(*server_, database_), CommitOutcome::kCommitted);
  EXPECT_EQ(ReadPage(*other, same, page_)->status.code(), StatusCode::kNotFound);
  // The number is anybody's now, and the permission is not the remover's.
  EXPECT_TRUE(other->WantWrite(same, std::span(&page_, 1)).ok());
}

TEST_F(RemotePageServerTest, NobodyWritesWithoutPermission) {
  const std::unique_ptr<RemotePageServer> other = Connect();
  const DatabaseId same = *other->OpenDatabase("main", OpenMode::kOpen);
  const PageWrite write{.page = page_,
                        .expected_version = version_,
                        .checksum = PageChecksum(page_, {}, image_.bytes),
                        .contents = image_.bytes};
  const DatabaseCommit commit{same, std::span(&write, 1), std::nullopt};
  EXPECT_EQ(other->Commit({NewCommitId(), std::span(&commit, 1)}).outcome,
            CommitOutcome::kConflict);
}

// Two sessions that wait for each other, each at another server.
TEST_F(RemotePageServerTest, ACycleOverTwoServersEnds) {
  testing::TemporaryDirectory second_directory;
  testing::ServedStore second_served(second_directory.path());
  const auto second = [&] { return *RemotePageServer::Connect(second_directory.path()); };
  struct Session {
    std::unique_ptr<RemotePageServer> here, there;
    DatabaseId at_here, at_there;
    Status Want(bool at_second) {
      const PageId root{0};
      return at_second ? there->WantWrite(at_there, std::span(&root, 1))
                       : here->WantWrite(at_here, std::span(&root, 1));
    }
    void End() {
      here->EndTransaction();
      there->EndTransaction();
    }
  };
  Session sessions[2] = {{Connect(), second(), {}, {}}, {Connect(), second(), {}, {}}};
  for (Session& session : sessions) {
    session.at_here = *session.here->OpenDatabase("main", OpenMode::kOpen);
    session.at_there = *session.there->OpenDatabase("main", OpenMode::kOpenOrCreate);
    ASSERT_TRUE(session.here->StartTransaction().ok());
    ASSERT_TRUE(session.there->StartTransaction().ok());
  }
  ASSERT_TRUE(sessions[0].Want(false).ok());
  ASSERT_TRUE(sessions[1].Want(true).ok());
  Status answers[2];
  const auto begin = std::chrono::steady_clock::now();
  std::thread other([&] {
    answers[1] = sessions[1].Want(false);
    sessions[1].End();
  });
  answers[0] = sessions[0].Want(true);
  sessions[0].End();
  other.join();
  EXPECT_LT(std::chrono::steady_clock::now() - begin,
            std::chrono::seconds(2 * kSeveralServersSeconds + 2));
  EXPECT_TRUE(answers[0].code() == StatusCode::kConflict ||
              answers[1].code() == StatusCode::kConflict);
}

}  // namespace
}  // namespace tenure::stabilize
