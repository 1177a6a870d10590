#include "store/remote/remote_page_server.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <thread>

#include "store/open.h"
#include "store/server/store_path.h"
#include "tests/support/crashing_page_server.h"
#include "tests/support/no_new_threads.h"
#include "tests/support/page_samples.h"
#include "tests/support/served_store.h"

namespace tenure::store {
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
    // The next pages exist, and no session holds them.
    const PageId next = server_->AllocatePages(database_, 3)->first;
    ASSERT_EQ(next, page_ + 1);
    CommitBuilder more(*server_, database_);
    for (uint64_t i = 0; i < 3; ++i) more.Whole(next + i, 0, image_);
    ASSERT_EQ(more.Commit().outcome, CommitOutcome::kCommitted);
    const PageId pages[] = {next, next + 1, next + 2};
    ASSERT_TRUE(server_->Release(database_, pages).ok());
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

// As a disk collection does.
TEST_F(RemotePageServerTest, APageIsRemovedByWhoeverMayWriteIt) {
  const std::unique_ptr<RemotePageServer> other = Connect();
  const DatabaseId same = *other->OpenDatabase("main", OpenMode::kOpen);
  const auto collect = [&](RemotePageServer& by, DatabaseId database) {
    const Candidate dead{PersistentRef::Object(page_, abi::kHeaderBytes), abi::kPageBytes};
    ASSERT_TRUE(by.OfferCandidates(database, std::span(&dead, 1)).ok());
    ASSERT_EQ(*by.HeldCandidates(database), std::vector<bool>{false});
  };
  const auto remove = [&](RemotePageServer& by, DatabaseId database) {
    const PageWrite write{.page = page_, .expected_version = version_, .remove = true};
    const DatabaseCommit commit{database, std::span(&write, 1), std::nullopt};
    return by.Commit({NewCommitId(), std::span(&commit, 1)}).outcome;
  };
  collect(*other, same);
  EXPECT_EQ(remove(*other, same), CommitOutcome::kConflict);
  ASSERT_TRUE(server_->WantWrite(database_, std::span(&page_, 1)).ok());
  // The session's own collections have not found the object dead.
  EXPECT_EQ(remove(*server_, database_), CommitOutcome::kFailed);
  collect(*server_, database_);
  EXPECT_EQ(remove(*server_, database_), CommitOutcome::kCommitted);
  EXPECT_EQ(ReadPage(*other, same, page_)->status.code(), StatusCode::kNotFound);
  // The number is free now, and the permission does not belong to the remover.
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

// The other program asks for a new page as soon as the server knows the page, while the server
// notes the many others that it hands out together with the page.
TEST_F(RemotePageServerTest, APageThatIsWantedBeforeItsNumberArrivesIsNotTakenForWritable) {
  constexpr uint64_t kRounds = 20, kPages = 5000;
  const PageId first = page_ + 4;
  std::thread reader([&] {
    const std::unique_ptr<RemotePageServer> other = Connect();
    const DatabaseId same = *other->OpenDatabase("main", OpenMode::kOpen);
    for (uint64_t i = 0; i < kRounds; ++i) {
      const PageId page = first + i * kPages;
      while (!other->WantRead(same, std::span(&page, 1)).ok()) {
      }
      EXPECT_TRUE(other->Release(same, std::span(&page, 1)).ok());
    }
  });
  for (uint64_t i = 0; i < kRounds; ++i) {
    const PageId page = server_->AllocatePages(database_, kPages)->first;
    EXPECT_EQ(page, first + i * kPages);
    ASSERT_TRUE(server_->StartTransaction().ok());
    EXPECT_TRUE(server_->WantWrite(database_, std::span(&page, 1)).ok());
    EXPECT_EQ(CommitBuilder(*server_, database_).Whole(page, 0, image_).Commit().outcome,
              CommitOutcome::kCommitted)
        << i;
    server_->EndTransaction();
  }
  reader.join();
}

TEST_F(RemotePageServerTest, WhoHasLostAwaitsItsTurnAndKeepsNothingFromTheWinner) {
  const std::unique_ptr<RemotePageServer> other = Connect();
  const DatabaseId same = *other->OpenDatabase("main", OpenMode::kOpen);
  const PageId first = page_ + 1, second = page_ + 2, third = page_ + 3;
  ASSERT_TRUE(server_->StartTransaction().ok());
  ASSERT_TRUE(server_->WantWrite(database_, std::span(&first, 1)).ok());
  ASSERT_TRUE(other->StartTransaction().ok());
  ASSERT_TRUE(other->WantWrite(same, std::span(&second, 1)).ok());
  ASSERT_TRUE(other->WantWrite(same, std::span(&third, 1)).ok());
  Status of_winner;
  std::thread winner([&] { of_winner = server_->WantWrite(database_, std::span(&second, 1)); });
  EXPECT_EQ(other->WantWrite(same, std::span(&first, 1)).code(), StatusCode::kConflict);
  other->EndTransaction();
  std::atomic<bool> has_turn{false};
  std::thread loser([&] {
    other->AwaitTurn();
    has_turn = true;
  });
  winner.join();
  EXPECT_TRUE(of_winner.ok());
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_FALSE(has_turn);
  EXPECT_TRUE(server_->WantWrite(database_, std::span(&third, 1)).ok());
  EXPECT_FALSE(has_turn);
  server_->EndTransaction();
  loser.join();
  ASSERT_TRUE(other->StartTransaction().ok());
  for (const PageId page : {first, second, third}) {
    EXPECT_TRUE(other->WantWrite(same, std::span(&page, 1)).ok());
  }
  other->EndTransaction();
}

// A commit of several stores that this one takes part in, prepared and not decided.
class PreparedCommitTest : public RemotePageServerTest {
 protected:
  void SetUp() override {
    RemotePageServerTest::SetUp();
    ASSERT_TRUE(server_->StartTransaction().ok());
    ASSERT_TRUE(server_->WantWrite(database_, std::span(&page_, 1)).ok());
    const PageWrite write{.page = page_,
                          .expected_version = version_,
                          .checksum = PageChecksum(page_, {}, after_.bytes),
                          .contents = after_.bytes};
    const DatabaseCommit commit{database_, std::span(&write, 1), std::nullopt};
    const Coordinator coordinator{decider_->store_uuid(),
                                  StoreHint(directory_.path(), decider_directory_.path())};
    const Status status = server_->Prepare({id_, std::span(&commit, 1)}, coordinator);
    ASSERT_TRUE(status.ok()) << status.text();
  }
  // Like another program, which waits while the commit has the page.
  PageImage Seen() {
    const std::unique_ptr<RemotePageServer> other = Connect();
    const DatabaseId same = *other->OpenDatabase("main", OpenMode::kOpen);
    PageImage image;
    std::memcpy(image.bytes, ReadPage(*other, same, page_)->record.contents, sizeof image.bytes);
    EXPECT_TRUE(other->Prepared()->empty());
    return image;
  }

  const CommitId id_ = NewCommitId();
  const PageImage after_ = MakePage(2);
  testing::TemporaryDirectory decider_directory_;
  testing::ServedStore decider_served_{decider_directory_.path()};
  std::unique_ptr<RemotePageServer> decider_ =
      *RemotePageServer::Connect(decider_directory_.path());
};

TEST_F(PreparedCommitTest, IsCarriedOut) {
  EXPECT_TRUE(server_->Prepared()->empty());  // its program lives
  const CommitAnswer answer = server_->Resolve(id_, true);
  ASSERT_EQ(answer.outcome, CommitOutcome::kCommitted) << answer.status.text();
  EXPECT_GT(answer.version, version_);
  // The page may still be written without a request.
  const uint64_t before = server_->messages();
  EXPECT_TRUE(server_->WantWrite(database_, std::span(&page_, 1)).ok());
  EXPECT_EQ(server_->messages(), before);
  server_->EndTransaction();
  EXPECT_TRUE(Seen() == after_);
  // Repeating it does no harm: the commit has happened.
  EXPECT_EQ(server_->Resolve(id_, true).outcome, CommitOutcome::kCommitted);
}

TEST_F(PreparedCommitTest, IsForgotten) {
  EXPECT_TRUE(server_->Resolve(id_, false).status.ok());
  server_->EndTransaction();
  EXPECT_TRUE(Seen() == image_);
}

// A stranger could carry out or forget the part of a program that lives; and to whoever asked for
// its outcome the server said that the commit had not taken place, and carried it out later.
TEST_F(PreparedCommitTest, BelongsToTheProgramThatPreparedIt) {
  const std::unique_ptr<RemotePageServer> stranger = Connect();
  for (const bool commit : {true, false}) {
    const CommitAnswer answer = stranger->Resolve(id_, commit);
    EXPECT_EQ(answer.outcome, CommitOutcome::kFailed) << commit;
    EXPECT_EQ(answer.status.code(), StatusCode::kPermission) << commit;
  }
  EXPECT_EQ(stranger->Outcome({.id = id_}).status().code(), StatusCode::kUnknownOutcome);
  EXPECT_EQ(server_->Outcome({.id = id_}).status().code(), StatusCode::kUnknownOutcome);
  EXPECT_EQ(server_->Resolve(id_, true).outcome, CommitOutcome::kCommitted);
  server_->EndTransaction();
  EXPECT_TRUE(Seen() == after_);
  EXPECT_TRUE(stranger->Outcome({.id = id_})->has_value());
}

TEST_F(PreparedCommitTest, IsNotPreparedAfterItWasSaidNotToHaveTakenPlace) {
  const CommitId late = NewCommitId();
  const std::unique_ptr<RemotePageServer> program = Connect();
  ASSERT_TRUE(program->Outcome({.id = late}).ok());
  EXPECT_FALSE(program->Outcome({.id = late})->has_value());
  const DatabaseId same = *program->OpenDatabase("main", OpenMode::kOpen);
  const PageId root{0};
  ASSERT_TRUE(program->WantWrite(same, std::span(&root, 1)).ok());
  const DatabaseCommit commit{same, {}, PersistentRef::Nil()};
  const Coordinator coordinator{decider_->store_uuid(),
                                StoreHint(directory_.path(), decider_directory_.path())};
  EXPECT_EQ(program->Prepare({late, std::span(&commit, 1)}, coordinator).code(),
            StatusCode::kConflict);
}

TEST_F(PreparedCommitTest, OfADeadProgramIsAskedFor) {
  server_.reset();
  EXPECT_TRUE(Seen() == image_);
  // The answer that a commit has not taken place stays true for ever.
  const DatabaseId there = *decider_->OpenDatabase("main", OpenMode::kCreate);
  const PageId root{0};
  ASSERT_TRUE(decider_->WantWrite(there, std::span(&root, 1)).ok());
  const DatabaseCommit commit{there, {}, PersistentRef::Nil()};
  EXPECT_EQ(decider_->Commit({id_, std::span(&commit, 1)}).outcome, CommitOutcome::kConflict);
}

TEST_F(PreparedCommitTest, OfADeadProgramIsCarriedOutWhenItWasDecided) {
  const DatabaseId there = *decider_->OpenDatabase("main", OpenMode::kCreate);
  const PageId page = decider_->AllocatePages(there, 1)->first;
  const PageWrite write{.page = page,
                        .expected_version = 0,
                        .checksum = PageChecksum(page, {}, image_.bytes),
                        .contents = image_.bytes};
  const DatabaseCommit commit{there, std::span(&write, 1), std::nullopt};
  const Uuid participant = server_->participant();
  ASSERT_EQ(decider_->Commit({id_, std::span(&commit, 1), std::span(&participant, 1)}).outcome,
            CommitOutcome::kCommitted);
  EXPECT_TRUE(*decider_->Decided(id_));
  server_.reset();
  EXPECT_TRUE(Seen() == after_);
  // The commit is acknowledged a moment later.
  for (int i = 0; i < 500 && *decider_->Decided(id_); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_FALSE(*decider_->Decided(id_));
}

// Two sessions that wait for each other, each at another server.
// --- Who comes again

class ComingAgainTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Serve();
    server_ = *RemotePageServer::Connect(directory_.path());
    database_ = *server_->OpenDatabase("main", OpenMode::kCreate);
    page_ = server_->AllocatePages(database_, 1)->first;
    ASSERT_EQ(CommitBuilder(*server_, database_).Whole(page_, 0, image_).Commit().outcome,
              CommitOutcome::kCommitted);
  }
  void Serve() { served_ = std::make_unique<testing::ServedStore>(directory_.path()); }
  // In the next transaction.
  Status Outlook() {
    const Result<bool> started = server_->StartTransaction();
    if (!started.ok()) return started.status();
    const Status status = server_->WantRead(database_, std::span(&page_, 1));
    server_->EndTransaction();
    return status;
  }

  testing::TemporaryDirectory directory_;
  std::unique_ptr<testing::ServedStore> served_;
  std::unique_ptr<RemotePageServer> server_;
  const PageImage image_ = MakePage(1);
  DatabaseId database_;
  PageId page_;
};

TEST_F(ComingAgainTest, AServerThatIsStartedAgainKnowsWhatAProgramHas) {
  for (int i = 0; i < 3; ++i) {
    served_.reset();
    Serve();
    if (i == 1) {
      EXPECT_TRUE(Outlook().ok());
    }
  }
  EXPECT_TRUE(Outlook().ok());
}

TEST_F(ComingAgainTest, NoPlacesAreGivenAgainWhileAProgramIsAway) {
  served_.reset();
  {
    const auto alone = *OpenStore(directory_.path(), {});
    const Status away = alone->GivePlacesAgain();
    EXPECT_EQ(away.code(), StatusCode::kInUse);
    EXPECT_EQ(away.number(), getpid());
  }
  Serve();
  EXPECT_TRUE(Outlook().ok());
  server_.reset();
  served_.reset();
  EXPECT_TRUE((*OpenStore(directory_.path(), {}))->GivePlacesAgain().ok());
}

TEST_F(ComingAgainTest, AfterARewritingItMustOpenAnew) {
  served_.reset();
  {
    const auto alone = *OpenStore(directory_.path(), {});
    const DatabaseId made = *alone->CreateReplacement("main");
    ASSERT_TRUE(alone->CloseReplacing(std::span(&made, 1)).ok());
  }
  Serve();
  EXPECT_EQ(Outlook().code(), StatusCode::kClosed);
  EXPECT_EQ(Outlook().code(), StatusCode::kClosed);
  const PageWrite write{.page = page_, .expected_version = 1, .remove = true};
  const DatabaseCommit commit{database_, std::span(&write, 1), std::nullopt};
  EXPECT_EQ(server_->Commit({NewCommitId(), std::span(&commit, 1)}).outcome,
            CommitOutcome::kFailed);
  EXPECT_TRUE(server_->CloseDatabase(database_).ok());
  database_ = *server_->OpenDatabase("main", OpenMode::kOpen);
  EXPECT_EQ(ReadPage(*server_, database_, page_)->status.code(), StatusCode::kNotFound);
}

TEST_F(ComingAgainTest, AnotherDatabaseOfTheNameIsNotTheSame) {
  served_.reset();
  {
    const auto alone = *OpenStore(directory_.path(), {});
    ASSERT_TRUE(alone->DeleteDatabase("main").ok());
    ASSERT_TRUE(alone->OpenDatabase("main", OpenMode::kCreate).ok());
  }
  Serve();
  EXPECT_EQ(Outlook().code(), StatusCode::kClosed);
}

TEST_F(RemotePageServerTest, WithoutThreadsConnectingFails) {
  // In a child, since the server is in this process and makes one for the connection.
  const pid_t child = fork();
  if (child == 0) {
    const testing::NoNewThreads none;
    const auto refused = RemotePageServer::Connect(directory_.path());
    _exit(refused.status().code() == StatusCode::kNoMemory ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

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
}  // namespace tenure::store
