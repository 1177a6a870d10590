// Commits of a program at a page server that are ordered before they are durable: the program is
// told when they are, nobody else sees their pages before, and a lost connection does not make a
// lost commit seem durable.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "store/faults/io_faults.h"
#include "store/files/store_files.h"
#include "store/files/store_io.h"
#include "store/remote/remote_page_server.h"
#include "tests/support/crashing_page_server.h"
#include "tests/support/gated_files.h"
#include "tests/support/page_samples.h"
#include "tests/support/served_store.h"

namespace tenure::store {
namespace {

using testing::CommitBuilder;
using testing::GatedFiles;
using testing::Holds;
using testing::MakePage;
using testing::PageImage;
using testing::ReadPage;

class RemoteOrder : public ::testing::Test {
 protected:
  class OtherReader;

  void SetUp() override {
    UseFileSystem(files);
    Serve();
    server = *RemotePageServer::Connect(directory.path());
    db = *server->OpenDatabase("main", OpenMode::kCreate);
    page = server->AllocatePages(db, 2)->first;
    CommitBuilder builder(*server, db);
    const CommitAnswer answer =
        builder.Whole(page, 0, old_image).Whole(page + 1, 0, old_image).Commit();
    ASSERT_EQ(answer.outcome, CommitOutcome::kCommitted);
    version = answer.version;
    // The trees have the pages.
    ASSERT_EQ(server->DeleteDatabase("another").code(), StatusCode::kNotFound);
  }
  void TearDown() override {
    files.Open();
    server.reset();
    served.reset();
    SetIoFault(IoFault::kNone);
  }
  void Serve() {
    BdbOptions options;
    options.redo = true;
    options.redo_apply_seconds = 1000;
    served.emplace(directory.path(), /*checks_contents=*/false, options);
  }
  CommitAnswer Order(CommitId id = NewCommitId()) {
    return CommitBuilder(*server, db).Whole(page, version, new_image).Order(id);
  }
  // The sync of the commit fails. The signal by which the server asks to be ended is ignored, until
  // EndFailed.
  CommitAnswer OrderAndFailItsSync(CommitId id = NewCommitId()) {
    files.Shut();
    const CommitAnswer answer = Order(id);
    EXPECT_EQ(answer.outcome, CommitOutcome::kCommitted);
    files.AwaitSync();
    ::signal(SIGTERM, SIG_IGN);
    files.Open(/*fails=*/true);
    return answer;
  }
  void EndFailed() {
    served.reset();
    ::signal(SIGTERM, SIG_DFL);
  }

  GatedFiles& files = *new GatedFiles;  // for the whole process, as UseFileSystem asks
  testing::TemporaryDirectory directory;
  std::optional<testing::ServedStore> served;
  std::unique_ptr<RemotePageServer> server;
  const PageImage old_image = MakePage(1), new_image = MakePage(2);
  DatabaseId db{};
  PageId page;
  uint64_t version = 0;
};

// Another program, which reads the page in a thread and is to see the new image.
class RemoteOrder::OtherReader {
 public:
  enum class Begins : uint8_t { kAtOnce, kLater };
  explicit OtherReader(RemoteOrder& test, Begins begins = Begins::kAtOnce)
      : test_(test),
        other_(*RemotePageServer::Connect(test.directory.path())),
        same_(*other_->OpenDatabase("main", OpenMode::kOpen)) {
    if (begins == Begins::kAtOnce) Begin();
  }
  void Begin() {
    thread_ = std::thread([this] {
      EXPECT_TRUE(Holds(*ReadPage(*other_, same_, test_.page), test_.new_image));
      read_ = true;
    });
  }
  // A sync is on its way, and the page has not been given to this program.
  void ExpectWaiting() {
    test_.files.AwaitSync();
    usleep(50'000);
    EXPECT_FALSE(read_);
  }
  void Join() { thread_.join(); }

 private:
  RemoteOrder& test_;
  const std::unique_ptr<RemotePageServer> other_;
  const DatabaseId same_;
  std::atomic<bool> read_{false};
  std::thread thread_;
};

TEST_F(RemoteOrder, TheProgramIsToldWhenItsCommitIsDurable) {
  files.Shut();
  const CommitAnswer first = Order();
  ASSERT_EQ(first.outcome, CommitOutcome::kCommitted) << first.status.text();
  const CommitAnswer second =
      CommitBuilder(*server, db).Whole(page + 1, version, new_image).Order();
  EXPECT_EQ(second.version, first.version + 1);
  EXPECT_LT(server->DurableVersion(), first.version);
  std::atomic<bool> told{false};
  std::thread waiter([&] {
    EXPECT_TRUE(server->AwaitDurable(second.version).ok());
    told = true;
  });
  files.AwaitSync();
  usleep(20'000);
  EXPECT_FALSE(told);
  EXPECT_TRUE(Holds(*ReadPage(*server, db, page), new_image));
  files.Open();
  waiter.join();
  EXPECT_EQ(server->DurableVersion(), second.version);
  // What changes nothing has seen it all.
  const CommitAnswer third = server->Order({NewCommitId(), {}});
  EXPECT_EQ(third.version, second.version);
  EXPECT_TRUE(server->AwaitDurable(third.version).ok());
}

TEST_F(RemoteOrder, APageIsGivenUpWhenItsCommitIsDurable) {
  files.Shut();
  ASSERT_EQ(Order().outcome, CommitOutcome::kCommitted);
  OtherReader reader(*this);
  reader.ExpectWaiting();
  // The program wants the page again, which comes after its own release.
  std::thread again([&] { EXPECT_TRUE(Holds(*ReadPage(*server, db, page), new_image)); });
  usleep(20'000);
  files.Open();
  reader.Join();
  again.join();
  EXPECT_TRUE(server->WantWrite(db, std::span(&page, 1)).ok());
}

// So does a program that ends.
TEST_F(RemoteOrder, APageOfAProgramThatEndsIsGivenUpWhenItsCommitIsDurable) {
  ASSERT_TRUE(server->Release(db, std::span(&page, 1)).ok());
  files.Shut();
  const pid_t child = fork();
  if (child == 0) {
    const auto own = *RemotePageServer::Connect(directory.path());
    const DatabaseId opened = *own->OpenDatabase("main", OpenMode::kOpen);
    const CommitAnswer answer = CommitBuilder(*own, opened).Whole(page, version, new_image).Order();
    _exit(answer.outcome == CommitOutcome::kCommitted ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  OtherReader reader(*this);
  reader.ExpectWaiting();
  files.Open();
  reader.Join();
}

// So does a program that closes the database.
TEST_F(RemoteOrder, AClosedDatabaseIsGivenUpWhenItsCommitsAreDurable) {
  files.Shut();
  ASSERT_EQ(Order().outcome, CommitOutcome::kCommitted);
  OtherReader reader(*this, OtherReader::Begins::kLater);
  std::thread closer([&] { EXPECT_TRUE(server->CloseDatabase(db).ok()); });
  reader.Begin();
  reader.ExpectWaiting();
  files.Open();
  closer.join();
  reader.Join();
}

TEST_F(RemoteOrder, AServerThatComesBackIsAskedAboutOrderedCommits) {
  files.Shut();
  const CommitId id = NewCommitId();
  const CommitAnswer answer = Order(id);
  ASSERT_EQ(answer.outcome, CommitOutcome::kCommitted);
  std::thread waiter([&] { EXPECT_FALSE(server->AwaitDurable(answer.version).ok()); });
  std::thread opener([&] {
    files.AwaitSync();
    usleep(20'000);
    ::signal(SIGTERM, SIG_IGN);
    files.Open(/*fails=*/true);
  });
  opener.join();
  served.reset();
  waiter.join();
  ::signal(SIGTERM, SIG_DFL);
  SetIoFault(IoFault::kNone);
  Serve();
  EXPECT_EQ(*server->Outcome({id}), answer.version);
  EXPECT_TRUE(server->AwaitDurable(answer.version).ok());
  EXPECT_TRUE(server->failed().ok());
  EXPECT_TRUE(server->StartTransaction().ok());
}

TEST_F(RemoteOrder, RequestsToAServerWhoseStoreHasFailedTellOfThatFailure) {
  const std::unique_ptr<RemotePageServer> other = *RemotePageServer::Connect(directory.path());
  const DatabaseId same = *other->OpenDatabase("main", OpenMode::kOpen);
  (void)OrderAndFailItsSync();
  for (int i = 0; i < 10'000 && other->Root(same).ok(); ++i) usleep(1000);
  const PageId free = page + 1;
  const Status write = other->WantWrite(same, std::span(&free, 1));
  EXPECT_EQ(write.code(), StatusCode::kIo) << write.text();
  PageReply reply;
  const Status read = other->Read(same, std::span(&free, 1), std::span(&reply, 1));
  EXPECT_EQ(read.code(), StatusCode::kIo) << read.text();
  EndFailed();
}

TEST_F(RemoteOrder, AServerThatHasLostAnOrderedCommitIsNotUsedFurther) {
  const CommitId id = NewCommitId();
  const CommitAnswer answer = OrderAndFailItsSync(id);
  EndFailed();
  // As a power failure may leave the store: nothing of the commit has reached the disk.
  SetIoFault(IoFault::kNone);
  for (const char* const name : {"REDO", "REDO.new"}) {
    std::filesystem::remove(directory.path() + "/" + name);
  }
  Serve();
  EXPECT_FALSE(server->Outcome({id})->has_value());
  EXPECT_FALSE(server->AwaitDurable(answer.version).ok());
  EXPECT_EQ(server->failed().code(), StatusCode::kUnknownOutcome);
  EXPECT_FALSE(server->StartTransaction().ok());
  EXPECT_EQ(Order().outcome, CommitOutcome::kFailed);
  EXPECT_TRUE(server->AwaitDurable(version).ok());
  server = *RemotePageServer::Connect(directory.path());
  db = *server->OpenDatabase("main", OpenMode::kOpen);
  EXPECT_TRUE(Holds(*ReadPage(*server, db, page), old_image));
}

}  // namespace
}  // namespace tenure::store
