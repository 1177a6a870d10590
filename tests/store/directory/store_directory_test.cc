// A store is its directory: changes of the path, and entries in the directory that are not files.

#include "store/directory/store_directory.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "store/files/held_directory.h"
#include "store/files/store_io.h"
#include "store/open.h"
#include "store/remote/server_protocol.h"
#include "store/server/store_path.h"
#include "tests/support/crashing_page_server.h"
#include "tests/support/page_samples.h"

namespace tenure::store {
namespace {

namespace fs = std::filesystem;

using ::testing::AllOf;
using testing::CommitBuilder;
using ::testing::HasSubstr;
using testing::Holds;
using testing::MakePage;
using ::testing::Not;
using testing::OpenForCrash;
using testing::ReadPage;
using testing::TemporaryDirectory;

constexpr const char* kLetter = "dear friend";

class StoreDirectoryTest : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override { parent_ = fs::path(store_.path()).parent_path().string(); }

  static std::string ReadFile(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static void WriteFile(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  }

  std::string Beside(const std::string& name) const { return parent_ + "/" + name; }

  std::unique_ptr<PageServer> Open(OpenMode mode = OpenMode::kOpenOrCreate) {
    return OpenForCrash(store_.path(), mode, GetParam());
  }

  Status OpenStatus(const std::string& path, OpenMode mode = OpenMode::kOpen) {
    StoreOptions options;
    options.mode = mode;
    return OpenStore(path, options).status();
  }

  // Page `number`, which is new, with MakePage(number).
  static CommitAnswer CommitPage(PageServer& server, uint64_t number) {
    const DatabaseId db = *server.OpenDatabase("main", OpenMode::kOpenOrCreate);
    EXPECT_TRUE(server.AllocatePages(db, 1).ok());
    const auto image = MakePage(number);
    return CommitBuilder(server, db).Whole(PageId{number}, 0, image).Commit();
  }

  // The store has exactly the pages 1 to `pages`.
  void ExpectPages(const std::string& path, uint64_t pages) {
    const auto server = OpenForCrash(path, OpenMode::kOpen, GetParam());
    ASSERT_NE(server, nullptr) << path;
    const DatabaseId db = *server->OpenDatabase("main", OpenMode::kOpen);
    EXPECT_EQ(server->MaxPage(db)->number, pages) << path;
    for (uint64_t i = 1; i <= pages; ++i) {
      EXPECT_TRUE(Holds(*ReadPage(*server, db, PageId{i}), MakePage(i))) << path;
    }
    EXPECT_TRUE(server->Close().ok());
  }

  void MakeStore(uint64_t pages) {
    const auto server = Open(OpenMode::kCreate);
    ASSERT_NE(server, nullptr);
    for (uint64_t i = 1; i <= pages; ++i) {
      ASSERT_EQ(CommitPage(*server, i).outcome, CommitOutcome::kCommitted);
    }
    ASSERT_TRUE(server->Close().ok());
  }

  TemporaryDirectory store_;
  std::string parent_;
};

INSTANTIATE_TEST_SUITE_P(Policies, StoreDirectoryTest, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "redo" : "diff"; });

TEST_P(StoreDirectoryTest, AStoreReplacedInUseIsNotTouchedAndTheProgramIsTold) {
  MakeStore(1);
  fs::copy(store_.path(), Beside("spare"));
  auto server = Open();
  ASSERT_EQ(CommitPage(*server, 2).outcome, CommitOutcome::kCommitted);
  fs::rename(store_.path(), Beside("old"));
  const CommitAnswer gone = CommitPage(*server, 3);
  EXPECT_EQ(gone.outcome, CommitOutcome::kFailed);
  EXPECT_THAT(gone.status.text(), HasSubstr("was moved, removed or replaced"));
  fs::rename(Beside("spare"), store_.path());
  const std::string format = ReadFile(store_.path() + "/FORMAT");
  EXPECT_EQ(CommitPage(*server, 3).outcome, CommitOutcome::kFailed);
  EXPECT_EQ(server->OpenDatabase("new", OpenMode::kCreate).status().code(), StatusCode::kIo);
  // Other processes can use the store in its place meanwhile.
  const pid_t child = fork();
  if (child == 0) {
    const auto other = Open(OpenMode::kOpen);
    _exit(other != nullptr && CommitPage(*other, 2).outcome == CommitOutcome::kCommitted &&
                  other->Close().ok()
              ? 0
              : 1);
  }
  int result = 0;
  waitpid(child, &result, 0);
  EXPECT_EQ(result, 0);
  // But not this process, for which the path means the moved store.
  EXPECT_EQ(OpenStatus(store_.path()).code(), StatusCode::kInUse);
  // Moved back, the store continues.
  fs::rename(store_.path(), Beside("spare"));
  fs::rename(Beside("old"), store_.path());
  EXPECT_EQ(CommitPage(*server, 3).outcome, CommitOutcome::kCommitted);
  fs::rename(store_.path(), Beside("old"));
  EXPECT_TRUE(server->Close().ok());
  EXPECT_FALSE(fs::exists(store_.path()));
  ExpectPages(Beside("old"), 3);
  ExpectPages(Beside("spare"), 2);
}

TEST_P(StoreDirectoryTest, AReplacedLockLetsNobodyElseIn) {
  MakeStore(1);
  auto server = Open();
  const std::string lock = store_.path() + "/LOCK";
  fs::rename(lock, Beside("lock"));
  const pid_t child = fork();
  if (child == 0) {
    _exit(OpenStatus(store_.path()).code() == StatusCode::kInUse ? 0 : 1);
  }
  int result = 0;
  waitpid(child, &result, 0);
  EXPECT_EQ(result, 0);
  const CommitAnswer answer = CommitPage(*server, 2);
  EXPECT_EQ(answer.outcome, CommitOutcome::kFailed);
  EXPECT_THAT(answer.status.text(), HasSubstr("LOCK"));
  EXPECT_TRUE(server->Close().ok());
  ExpectPages(store_.path(), 1);
}

TEST_P(StoreDirectoryTest, ARelativePathIsTheSameStoreInAnotherWorkingDirectory) {
  const std::string before = fs::current_path();
  fs::current_path(parent_);
  const std::string name = fs::path(store_.path()).filename();
  auto server = OpenForCrash(name, OpenMode::kCreate, GetParam());
  ASSERT_NE(server, nullptr);
  EXPECT_EQ(CommitPage(*server, 1).outcome, CommitOutcome::kCommitted);
  fs::create_directory(Beside("elsewhere"));
  fs::current_path(Beside("elsewhere"));
  EXPECT_EQ(CommitPage(*server, 2).outcome, CommitOutcome::kCommitted);
  EXPECT_TRUE(server->Close().ok());
  EXPECT_TRUE(fs::is_empty(Beside("elsewhere")));
  fs::current_path(before);
  ExpectPages(store_.path(), 2);
}

TEST_P(StoreDirectoryTest, PagesAreWrittenTwiceAlsoWithASlashBehindThePath) {
  MakeStore(1);
  const auto server = OpenForCrash(store_.path() + "/", OpenMode::kOpen, GetParam());
  ASSERT_NE(server, nullptr);
  EXPECT_EQ(CommitPage(*server, 2).outcome, CommitOutcome::kCommitted);
  // A checkpoint is made, and the pages that it wrote are in the file until it has ended.
  const auto before = fs::last_write_time(store_.path() + "/DOUBLEWRITE");
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_TRUE(server->Close().ok());
  EXPECT_GT(fs::last_write_time(store_.path() + "/DOUBLEWRITE"), before);
}

TEST_P(StoreDirectoryTest, ALinkToTheDirectoryLeadsToTheStore) {
  MakeStore(1);
  fs::create_directory_symlink(parent_, Beside("link"));
  const std::string path = Beside("link/") + fs::path(store_.path()).filename().string();
  auto server = OpenForCrash(path, OpenMode::kOpen, GetParam());
  ASSERT_NE(server, nullptr);
  EXPECT_EQ(CommitPage(*server, 2).outcome, CommitOutcome::kCommitted);
  fs::remove(Beside("link"));
  EXPECT_EQ(CommitPage(*server, 3).outcome, CommitOutcome::kFailed);
  EXPECT_TRUE(server->Close().ok());
  ExpectPages(store_.path(), 2);
}

TEST_P(StoreDirectoryTest, WhatIsNoFileIsNamedAndNotReached) {
  MakeStore(1);
  fs::copy(store_.path(), Beside("good"));
  for (const char* const name :
       {"LOCK", "FORMAT", "REDO", "DOUBLEWRITE", "SWITCH", "log.0000000001", "newlog.0000000002",
        "_store.db", "main.db", "main.db.new", "FORMAT.new", "REDO.new", "__db.001"}) {
    const std::string file = store_.path() + "/" + name;
    for (const std::string kind : {"link", "dangling link", "hard link", "pipe", "directory"}) {
      store_.CopyFrom(Beside("good"));
      fs::remove(file);
      WriteFile(Beside("victim"), kLetter);
      if (kind == "link") fs::create_symlink(Beside("victim"), file);
      if (kind == "dangling link") fs::create_symlink(Beside("nowhere"), file);
      if (kind == "hard link") fs::create_hard_link(Beside("victim"), file);
      if (kind == "pipe") {
        ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
      }
      if (kind == "directory") fs::create_directory(file);
      const Status status = OpenStatus(store_.path());
      EXPECT_EQ(status.code(),
                kind == "hard link" ? StatusCode::kInvalidArgument : StatusCode::kCorrupt)
          << name << " " << kind << status.text();
      EXPECT_THAT(status.text(), HasSubstr(name)) << kind;
      EXPECT_EQ(ReadFile(Beside("victim")), kLetter) << name << " " << kind;
      EXPECT_FALSE(fs::exists(Beside("nowhere"))) << name << " " << kind;
    }
  }
  store_.CopyFrom(Beside("good"));
  WriteFile(store_.path() + "/DB_CONFIG", "set_lg_dir " + parent_ + "\n");
  EXPECT_EQ(OpenStatus(store_.path()).code(), StatusCode::kCorrupt);
  fs::remove(store_.path() + "/DB_CONFIG");
  ExpectPages(store_.path(), 1);
}

TEST_P(StoreDirectoryTest, ALinkInThePlaceOfASocketIsNotFollowed) {
  MakeStore(1);
  fs::create_directory(Beside("other"));
  const int listener = ListenAtStore(Beside("other"));
  ASSERT_GE(listener, 0);
  fs::create_symlink(Beside("other/SOCKET"), store_.path() + "/SOCKET");
  ExpectPages(store_.path(), 1);
  close(listener);
}

TEST_P(StoreDirectoryTest, OfAMissingFileIsNotSaidThatThereIsNoStore) {
  MakeStore(1);
  for (const auto& entry : fs::directory_iterator(store_.path())) {
    const std::string name = entry.path().filename().string();
    if (name == "LOCK" || name == "DOUBLEWRITE" || name.starts_with("log.")) continue;
    // Stores of earlier versions have none: their logs are read.
    if (name == "MARK") continue;
    fs::rename(entry.path(), Beside("away"));
    const Status status = OpenStatus(store_.path());
    // The identity of a database is found on the first request.
    if (name != "main.db") {
      EXPECT_EQ(status.code(), StatusCode::kCorrupt) << name;
    }
    fs::rename(Beside("away"), entry.path());
  }
  fs::create_symlink(Beside("nowhere"), Beside("link"));
  EXPECT_EQ(OpenStatus(Beside("link")).code(), StatusCode::kIo);
  EXPECT_EQ(OpenStatus(Beside("nothing")).code(), StatusCode::kNotFound);
  WriteFile(Beside("file"), "");
  EXPECT_EQ(OpenStatus(Beside("file/store")).code(), StatusCode::kNotFound);
}

TEST_P(StoreDirectoryTest, WhoOpensAStoreThatIsBeingMadeWaitsForIt) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t maker = fork();
  if (maker == 0) {
    Result<StoreDirectory> directory = StoreDirectory::Lock(store_.path(), OpenMode::kCreate);
    WriteFile(store_.path() + "/main.db", "half");
    char byte = 0;
    (void)!write(ready[1], &byte, 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    fs::remove(store_.path() + "/main.db");
    if (!directory.ok() || !directory->Complete().ok()) _exit(1);
    directory->Unlock(/*clean=*/true);
    _exit(0);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  const Status status = StoreDirectory::Lock(store_.path(), OpenMode::kOpen).status();
  EXPECT_TRUE(status.ok()) << status.text();
  int result = 0;
  waitpid(maker, &result, 0);
  EXPECT_EQ(result, 0);
  close(ready[0]);
  close(ready[1]);
}

TEST_P(StoreDirectoryTest, AToolIsWaitedForAndNamed) {
  MakeStore(1);
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t tool = fork();
  if (tool == 0) {
    StoreDirectory::DescribeHolder("a tool", /*ends_soon=*/true);
    const auto server = Open(OpenMode::kOpen);
    char byte = server != nullptr;
    (void)!write(ready[1], &byte, 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(2000));
    _exit(server->Close().ok() ? 0 : 1);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(OpenStatus(store_.path()).code(), StatusCode::kOk);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              HasSubstr("waiting for process " + std::to_string(tool) + " (a tool), which holds"));
  int result = 0;
  waitpid(tool, &result, 0);
  EXPECT_EQ(result, 0);
  close(ready[0]);
  close(ready[1]);
}

// In two containers two processes may have the same id.
TEST_P(StoreDirectoryTest, AProcessOfAnotherSpaceOfIdsIsNotThisOne) {
  MakeStore(1);
  const std::string lock = store_.path() + "/LOCK";
  int ready[2], done[2];
  ASSERT_EQ(pipe(ready), 0);
  ASSERT_EQ(pipe(done), 0);
  const pid_t holder = fork();
  if (holder == 0) {
    close(done[1]);
    const auto server = Open(OpenMode::kOpen);
    char byte = server != nullptr;
    (void)!write(ready[1], &byte, 1);
    (void)!read(done[0], &byte, 1);
    _exit(0);
  }
  close(done[0]);
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  const std::string own = std::to_string(getpid());
  const auto status_beside = [&](const std::string& text) {
    WriteFile(lock, text);
    return std::string(OpenStatus(store_.path()).text());
  };
  EXPECT_THAT(status_beside(own + " p\nids of pid:[1] elsewhere\n"),
              AllOf(HasSubstr("held by process " + own + " (p) of another container or machine"),
                    Not(HasSubstr("this one"))));
  // As an earlier version wrote, without the space.
  EXPECT_THAT(status_beside(own + " p\n"),
              AllOf(HasSubstr("not known here"), Not(HasSubstr("this one"))));
  close(done[1]);
  waitpid(holder, nullptr, 0);
  close(ready[0]);
  close(ready[1]);
}

TEST_P(StoreDirectoryTest, AnotherOpeningInThisProcessIsThisOne) {
  MakeStore(1);
  const auto server = Open(OpenMode::kOpen);
  const Status status = StoreDirectory::Lock(store_.path(), OpenMode::kOpen).status();
  EXPECT_THAT(status.text(), HasSubstr(", this one"));
}

TEST_P(StoreDirectoryTest, FilesThatRootMakesAreTheOwners) {
  if (geteuid() != 0) GTEST_SKIP() << "needs to make files of another user";
  constexpr uid_t kUser = 65534, kGroup = 65533;
  fs::create_directory(store_.path());
  ASSERT_EQ(chown(store_.path().c_str(), kUser, kGroup), 0);
  MakeStore(1);
  const auto expect_owner = [&](mode_t mode) {
    for (const auto& entry : fs::directory_iterator(store_.path())) {
      struct stat info;
      ASSERT_EQ(lstat(entry.path().c_str(), &info), 0);
      EXPECT_EQ(info.st_uid, kUser) << entry.path();
      EXPECT_EQ(info.st_gid, kGroup) << entry.path();
      EXPECT_EQ(info.st_mode & 07777, mode) << entry.path();
    }
  };
  expect_owner(0600);
  // The owner may share the store with a group.
  for (const auto& entry : fs::directory_iterator(store_.path())) {
    ASSERT_EQ(chmod(entry.path().c_str(), 0660), 0);
  }
  const auto server = Open();
  ASSERT_EQ(CommitPage(*server, 2).outcome, CommitOutcome::kCommitted);
  ASSERT_TRUE(server->OpenDatabase("other", OpenMode::kCreate).ok());
  const Result<DatabaseId> made = server->CreateReplacement("main");
  ASSERT_TRUE(made.ok());
  expect_owner(0660);
  ASSERT_TRUE(server->CloseDatabase(*server->OpenDatabase("main", OpenMode::kOpen)).ok());
  ASSERT_TRUE(server->CloseReplacing(std::span(&*made, 1)).ok());
  expect_owner(0660);
}

TEST(StorePathTest, AColonMayBePartOfTheName) {
  TemporaryDirectory place;
  fs::create_directories(place.path() + "/12:30");
  const auto split = [](const std::string& path) {
    const StorePath parts = SplitStorePath(path);
    return parts.store + (parts.named ? " | " + parts.database : "");
  };
  EXPECT_EQ(split("a"), "a");
  EXPECT_EQ(split("a:b"), "a | b");
  EXPECT_EQ(split("a:b:c"), "a:b | c");
  EXPECT_EQ(split("a:b/"), "a:b/");
  EXPECT_EQ(split("a:"), "a | ");
  EXPECT_EQ(split(":a"), ":a");
  EXPECT_EQ(split("a:b/c"), "a:b/c");
  EXPECT_EQ(split(place.path() + "/12:30"), place.path() + "/12:30");
  EXPECT_EQ(split(place.path() + "/12:30:x"), place.path() + "/12:30 | x");
}

}  // namespace
}  // namespace tenure::store
