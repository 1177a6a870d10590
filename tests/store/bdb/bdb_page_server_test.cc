// The parts specific to the page server over Berkeley DB: locks, damage, errors, formats, the log.

#include "store/bdb/bdb_page_server.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "store/faults/io_faults.h"
#include "store/open.h"
#include "tests/support/crashing_page_server.h"
#include "tests/support/page_samples.h"

namespace tenure::store {
namespace {

using testing::CommitBuilder;
using ::testing::HasSubstr;
using testing::Holds;
using testing::MakePage;
using testing::OpenForCrash;
using testing::PageImage;
using testing::ReadPage;
using testing::TemporaryDirectory;

class BdbPageServerTest : public ::testing::Test {
 protected:
  static constexpr uint64_t kPages = 30;

  void TearDown() override { SetIoFault(IoFault::kNone); }

  static std::string ReadFile(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static void WriteFile(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  }
  static void FlipByte(const std::string& path, size_t at) {
    const int fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
    ASSERT_GE(fd, 0);
    char byte;
    ASSERT_EQ(pread(fd, &byte, 1, static_cast<off_t>(at)), 1);
    byte = static_cast<char>(byte ^ 0x10);
    ASSERT_EQ(pwrite(fd, &byte, 1, static_cast<off_t>(at)), 1);
    close(fd);
  }

  // A closed store with kPages pages in database main, MakePage(i) in page i.
  void MakeStore() {
    const auto server = OpenForCrash(store.path(), OpenMode::kCreate);
    ASSERT_NE(server, nullptr);
    const DatabaseId db = *server->OpenDatabase("main", OpenMode::kCreate);
    ASSERT_TRUE(server->AllocatePages(db, kPages).ok());
    std::vector<PageImage> images;
    for (uint64_t i = 1; i <= kPages; ++i) images.push_back(MakePage(i));
    CommitBuilder builder(*server, db);
    for (uint64_t i = 1; i <= kPages; ++i) builder.Whole(PageId{i}, 0, images[i - 1]);
    ASSERT_EQ(builder.Commit().outcome, CommitOutcome::kCommitted);
    ASSERT_TRUE(server->Close().ok());
  }
  std::unique_ptr<PageServer> Open() { return OpenForCrash(store.path(), OpenMode::kOpen); }
  Status OpenStatus(OpenMode mode = OpenMode::kOpen) {
    StoreOptions options;
    options.mode = mode;
    return OpenStore(store.path(), options).status();
  }

  TemporaryDirectory store;
};

// --- Checkpoints ---

// A checkpoint of the thread ends with a record behind the commits made while it wrote pages.
// Berkeley DB takes this record for the state of rest, which needs no other checkpoint.
class BesideACheckpoint : public BdbPageServerTest {
 protected:
  static constexpr uint64_t kMany = 1500, kRounds = 4;

  std::unique_ptr<BdbPageServer> OpenChecking(OpenMode mode) {
    BdbOptions options;
    options.redo = false;
    options.checkpoint_seconds = 0;
    auto opened = BdbPageServer::Open(store.path(), mode, options);
    EXPECT_TRUE(opened.ok()) << opened.status().text();
    return opened.ok() ? *std::move(opened) : nullptr;
  }
  // Commits many pages and, while the thread writes them, one that it has already written.
  void CommitTwice(PageServer& server, DatabaseId db, uint64_t round) {
    std::vector<PageImage> images;
    for (uint64_t i = 0; i < kMany; ++i) images.push_back(MakePage(round * kMany + i));
    CommitBuilder many(server, db);
    for (uint64_t i = 0; i < kMany; ++i) many.Whole(PageId{i + 2}, versions_[0], images[i]);
    auto answer = many.Commit();
    ASSERT_EQ(answer.outcome, CommitOutcome::kCommitted) << answer.status.text();
    versions_[0] = answer.version;
    std::this_thread::sleep_for(std::chrono::milliseconds(1 + 2 * round));
    last_ = MakePage(~round);
    CommitBuilder one(server, db);
    one.Whole(PageId{1}, versions_[1], last_);
    answer = one.Commit();
    ASSERT_EQ(answer.outcome, CommitOutcome::kCommitted) << answer.status.text();
    versions_[1] = answer.version;
  }

  uint64_t versions_[2] = {0, 0};
  PageImage last_;
};

TEST_F(BesideACheckpoint, AClosedStoreHasAllCommits) {
  auto server = OpenChecking(OpenMode::kCreate);
  DatabaseId db = *server->OpenDatabase("main", OpenMode::kCreate);
  ASSERT_TRUE(server->AllocatePages(db, kMany + 1).ok());
  for (uint64_t round = 0; round < kRounds; ++round) {
    CommitTwice(*server, db, round);
    if (HasFatalFailure()) return;
    ASSERT_TRUE(server->Close().ok());
    server = OpenChecking(OpenMode::kOpen);
    ASSERT_NE(server, nullptr);
    db = *server->OpenDatabase("main", OpenMode::kOpen);
    ASSERT_TRUE(Holds(*ReadPage(*server, db, PageId{1}), last_)) << "round " << round;
  }
}

TEST_F(BesideACheckpoint, ADatabaseIsDeleted) {
  const auto server = OpenChecking(OpenMode::kCreate);
  for (uint64_t round = 0; round < kRounds; ++round) {
    const DatabaseId db = *server->OpenDatabase("main", OpenMode::kCreate);
    ASSERT_TRUE(server->AllocatePages(db, kMany + 1).ok());
    versions_[0] = versions_[1] = 0;
    CommitTwice(*server, db, round);
    if (HasFatalFailure()) return;
    ASSERT_TRUE(server->CloseDatabase(db).ok());
    ASSERT_TRUE(server->DeleteDatabase("main").ok());
    ASSERT_TRUE(server->failed().ok()) << server->failed().text();
  }
  const Status closed = server->Close();
  EXPECT_TRUE(closed.ok()) << closed.text();
}

// --- Locks -------------------------------------------------------------------------------------

TEST_F(BdbPageServerTest, AnotherProcessIsToldWhoHoldsTheStore) {
  MakeStore();
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t holder = fork();
  if (holder == 0) {
    const auto server = Open();
    char byte = server != nullptr;
    (void)!write(ready[1], &byte, 1);
    pause();
    _exit(0);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  ASSERT_EQ(byte, 1);
  const Status status = OpenStatus();
  EXPECT_EQ(status.code(), StatusCode::kInUse);
  EXPECT_EQ(status.number(), holder);
  EXPECT_THAT(status.text(), HasSubstr("held by process " + std::to_string(holder) + " ("));
  EXPECT_THAT(status.text(), HasSubstr(std::filesystem::read_symlink("/proc/self/exe").filename()));
  // The lock file of a dead process does not lock the store.
  kill(holder, SIGKILL);
  waitpid(holder, nullptr, 0);
  EXPECT_FALSE(ReadFile(store.path() + "/LOCK").empty());
  EXPECT_NE(Open(), nullptr);
  close(ready[0]);
  close(ready[1]);
}

TEST_F(BdbPageServerTest, AForkedChildDoesNotKeepTheStoreLocked) {
  MakeStore();
  auto server = Open();
  const pid_t child = fork();
  if (child == 0) {
    pause();
    _exit(0);
  }
  ASSERT_TRUE(server->Close().ok());
  EXPECT_NE(Open(), nullptr);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

// --- Directories that are not stores ---

TEST_F(BdbPageServerTest, WhatIsNotAStoreIsLeftAlone) {
  EXPECT_EQ(OpenStatus().code(), StatusCode::kNotFound);
  EXPECT_FALSE(std::filesystem::exists(store.path()));
  WriteFile(store.path(), "a file");
  EXPECT_EQ(OpenStatus().code(), StatusCode::kNotFound);
  EXPECT_EQ(OpenStatus(OpenMode::kOpenOrCreate).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(ReadFile(store.path()), "a file");
  store.Clear();
  std::filesystem::create_directory(store.path());
  EXPECT_EQ(OpenStatus().code(), StatusCode::kNotFound);
  WriteFile(store.path() + "/letter.txt", "dear");
  EXPECT_EQ(OpenStatus(OpenMode::kCreate).code(), StatusCode::kInvalidArgument);
  WriteFile(store.path() + "/letter.txt", "dear");
  std::filesystem::rename(store.path() + "/letter.txt", store.path() + "/other.db");
  EXPECT_EQ(OpenStatus(OpenMode::kCreate).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(ReadFile(store.path() + "/other.db"), "dear");
  EXPECT_FALSE(std::filesystem::exists(store.path() + "/LOCK"));
}

TEST_F(BdbPageServerTest, AnEmptyDirectoryBecomesAStore) {
  std::filesystem::create_directory(store.path());
  EXPECT_TRUE(OpenStatus(OpenMode::kCreate).ok());
  EXPECT_EQ(OpenStatus(OpenMode::kCreate).code(), StatusCode::kExists);
}

// Only a store that is marked as being created is created again.
TEST_F(BdbPageServerTest, AStoreThatHasLostFormatIsNotRemoved) {
  MakeStore();
  const std::string file = store.path() + "/FORMAT";
  const std::string format = ReadFile(file);
  const std::string database = ReadFile(store.path() + "/main.db");
  std::filesystem::remove(file);
  for (const OpenMode mode : {OpenMode::kOpen, OpenMode::kCreate, OpenMode::kOpenOrCreate}) {
    const Status status = OpenStatus(mode);
    EXPECT_EQ(status.code(), StatusCode::kCorrupt);
    EXPECT_THAT(status.text(), HasSubstr("tenure db salvage"));
  }
  EXPECT_EQ(ReadFile(store.path() + "/main.db"), database);
  WriteFile(file, format);
  EXPECT_TRUE(OpenStatus().ok());

  std::filesystem::remove(file);
  WriteFile(store.path() + "/LOCK", "creating 12345 program\n");
  EXPECT_EQ(OpenStatus().code(), StatusCode::kNotFound);
  EXPECT_TRUE(OpenStatus(OpenMode::kCreate).ok());
  EXPECT_FALSE(std::filesystem::exists(store.path() + "/main.db"));
}

TEST_F(BdbPageServerTest, AnUnwritableDirectoryIsAClearError) {
  if (geteuid() != 0) GTEST_SKIP() << "needs to become another user";
  MakeStore();
  const pid_t child = fork();
  if (child == 0) {
    if (setuid(65534) != 0) _exit(3);
    const Status status = OpenStatus();
    StoreOptions create;
    create.mode = OpenMode::kCreate;
    const Status made = OpenStore(store.path() + "/sub", create).status();
    _exit(status.code() == StatusCode::kPermission && status.number() == EACCES &&
                  made.code() == StatusCode::kPermission
              ? 0
              : 1);
  }
  // Other sessions may read but not write.
  std::filesystem::permissions(std::filesystem::path(store.path()).parent_path(),
                               std::filesystem::perms(0755));
  int result = 0;
  waitpid(child, &result, 0);
  EXPECT_EQ(WEXITSTATUS(result), 0);
  EXPECT_NE(Open(), nullptr);
}

TEST_F(BdbPageServerTest, AnUnknownFormatIsRefusedByNumber) {
  MakeStore();
  std::string format = ReadFile(store.path() + "/FORMAT");
  format.replace(format.find("version 3"), 9, "version 7");
  WriteFile(store.path() + "/FORMAT", format);
  const Status status = OpenStatus();
  EXPECT_EQ(status.code(), StatusCode::kFormat);
  EXPECT_EQ(status.number(), 7);
  EXPECT_THAT(status.text(), HasSubstr("format version 7"));
}

TEST_F(BdbPageServerTest, EveryFlippedByteOfFormatIsFound) {
  MakeStore();
  const std::string file = store.path() + "/FORMAT";
  const std::string good = ReadFile(file);
  for (size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    WriteFile(file, bad);
    const StatusCode code = OpenStatus().code();
    EXPECT_TRUE(code == StatusCode::kCorrupt || code == StatusCode::kFormat) << "byte " << at;
  }
  WriteFile(file, good);
  EXPECT_TRUE(OpenStatus().ok());
}

// --- Damage ---

// A flipped byte is never served: pages are read correctly, or the database or the page is reported
// as damaged. No file is overwritten: with the byte flipped back the store is as before.
TEST_F(BdbPageServerTest, AFlippedByteInADatabaseIsFound) {
  MakeStore();
  const std::string file = store.path() + "/main.db";
  const size_t size = ReadFile(file).size();
  TemporaryDirectory copy;
  Random random(2024);
  int found = 0, with_page = 0;
  for (int round = 0; round < 60; ++round) {
    // Some bytes are in the first page, which describes the file.
    const size_t at = round < 12 ? random.Below(512) : random.Below(size);
    copy.CopyFrom(store.path());
    FlipByte(copy.path() + "/main.db", at);
    bool here = false;
    {
      const auto server = OpenForCrash(copy.path(), OpenMode::kOpen);
      if (server == nullptr) {
        here = true;
      } else if (const auto db = server->OpenDatabase("main", OpenMode::kOpen); !db.ok()) {
        EXPECT_EQ(db.status().code(), StatusCode::kCorrupt) << db.status().text();
        EXPECT_THAT(db.status().text(), HasSubstr("main.db"));
        here = true;
      } else {
        for (uint64_t i = 1; i <= kPages; ++i) {
          const auto reply = ReadPage(*server, *db, PageId{i});
          if (reply->status.ok()) {
            EXPECT_TRUE(Holds(*reply, MakePage(i))) << "byte " << at << " page " << i;
          } else {
            EXPECT_EQ(reply->status.code(), StatusCode::kCorrupt) << reply->status.text();
            if (!here) {
              EXPECT_EQ(reply->status.number(), static_cast<int64_t>(i));
              EXPECT_THAT(reply->status.text(), HasSubstr("page " + std::to_string(i)));
              ++with_page;
            }
            here = true;
          }
        }
      }
    }
    found += here;
    FlipByte(copy.path() + "/main.db", at);
    const auto server = OpenForCrash(copy.path(), OpenMode::kOpen);
    ASSERT_NE(server, nullptr) << "byte " << at;
    const Result<DatabaseId> db = server->OpenDatabase("main", OpenMode::kOpen);
    ASSERT_TRUE(db.ok()) << "byte " << at << ": " << db.status().text();
    for (uint64_t i = 1; i <= kPages; ++i) {
      ASSERT_TRUE(Holds(*ReadPage(*server, *db, PageId{i}), MakePage(i))) << "byte " << at;
    }
  }
  // The rest lies in pages of the file that are not in use.
  EXPECT_GT(found, 40);
  EXPECT_GT(with_page, 20);
}

TEST_F(BdbPageServerTest, DamageOfTheStoreTreeAndLostFilesAreClearErrors) {
  MakeStore();
  TemporaryDirectory copy;
  for (const char* file : {"_store.db", "main.db"}) {
    copy.CopyFrom(store.path());
    std::filesystem::remove(copy.path() + "/" + file);
    const Result<std::unique_ptr<PageServer>> server = OpenStore(copy.path(), StoreOptions());
    if (server.ok()) {
      const Status status = (*server)->OpenDatabase("main", OpenMode::kOpen).status();
      EXPECT_FALSE(status.ok()) << file;
    } else {
      EXPECT_EQ(server.status().code(), StatusCode::kCorrupt) << server.status().text();
    }
  }
  for (const size_t at : {20, 40, 70000, 131000}) {
    copy.CopyFrom(store.path());
    FlipByte(copy.path() + "/_store.db", at);
    const Status status = OpenStore(copy.path(), StoreOptions()).status();
    EXPECT_EQ(status.code(), StatusCode::kCorrupt) << at << ": " << status.text();
  }
  for (const char* file : {"_store.db", "main.db"}) {
    copy.CopyFrom(store.path());
    std::filesystem::resize_file(copy.path() + "/" + file, 100);
    const Result<std::unique_ptr<PageServer>> server = OpenStore(copy.path(), StoreOptions());
    const Status status =
        server.ok() ? (*server)->OpenDatabase("main", OpenMode::kOpen).status() : server.status();
    EXPECT_EQ(status.code(), StatusCode::kCorrupt) << file << ": " << status.text();
  }
}

TEST_F(BdbPageServerTest, AFileOfSomethingElseIsNoDatabase) {
  MakeStore();
  WriteFile(store.path() + "/other.db", std::string(200000, 'x'));
  const auto server = Open();
  ASSERT_NE(server, nullptr);
  EXPECT_EQ(server->OpenDatabase("other", OpenMode::kOpen).status().code(), StatusCode::kCorrupt);
  EXPECT_EQ(server->OpenDatabase("other", OpenMode::kCreate).status().code(), StatusCode::kExists);
  EXPECT_TRUE(server->OpenDatabase("main", OpenMode::kOpen).ok());
}

// --- Errors of the system ---

TEST_F(BdbPageServerTest, AFailedSyncIsNotTriedAgain) {
  MakeStore();
  const auto server = Open();
  const DatabaseId db = *server->OpenDatabase("main", OpenMode::kOpen);
  const uint64_t version = ReadPage(*server, db, PageId{1})->record.version;
  const PageImage image = MakePage(77);
  // A commit writes the log once and syncs it.
  SetIoFault(IoFault::kError, 2, EIO);
  const CommitId id = NewCommitId();
  const CommitAnswer answer =
      CommitBuilder(*server, db).Whole(PageId{1}, version, image).Commit(id);
  EXPECT_EQ(answer.outcome, CommitOutcome::kUnknown);
  EXPECT_EQ(answer.status.code(), StatusCode::kIo) << answer.status.text();
  // The fault is over, but the server stays failed.
  EXPECT_EQ(server->Outcome({id}).status().code(), StatusCode::kIo);
  EXPECT_EQ(CommitBuilder(*server, db).Whole(PageId{2}, version, image).Commit().outcome,
            CommitOutcome::kFailed);
  const auto descriptors = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
  };
  const auto before = descriptors();
  EXPECT_FALSE(server->Close().ok());
  EXPECT_LT(descriptors(), before);
  SetIoFault(IoFault::kNone);
  const auto again = Open();
  ASSERT_NE(again, nullptr);
  const DatabaseId db2 = *again->OpenDatabase("main", OpenMode::kOpen);
  const bool happened = (*again->Outcome({id})).has_value();
  EXPECT_TRUE(Holds(*ReadPage(*again, db2, PageId{1}), happened ? image : MakePage(1)));
}

TEST_F(BdbPageServerTest, AFullDiskIsAClearError) {
  MakeStore();
  const auto server = Open();
  const DatabaseId db = *server->OpenDatabase("main", OpenMode::kOpen);
  const uint64_t version = ReadPage(*server, db, PageId{1})->record.version;
  const PageImage image = MakePage(78);
  SetIoFault(IoFault::kErrorForever, 1, ENOSPC);
  const CommitAnswer answer = CommitBuilder(*server, db).Whole(PageId{1}, version, image).Commit();
  EXPECT_NE(answer.outcome, CommitOutcome::kCommitted);
  EXPECT_EQ(answer.status.code(), StatusCode::kNoSpace) << answer.status.text();
  EXPECT_EQ(answer.status.number(), ENOSPC);
  SetIoFault(IoFault::kNone);
  static_cast<void>(server->Close());
  const auto again = Open();
  ASSERT_NE(again, nullptr);
  const DatabaseId db2 = *again->OpenDatabase("main", OpenMode::kOpen);
  EXPECT_TRUE(Holds(*ReadPage(*again, db2, PageId{1}), MakePage(1)));
}

// --- The rest ---

TEST_F(BdbPageServerTest, ACopyOpensBesideItsOriginal) {
  MakeStore();
  TemporaryDirectory copy;
  copy.CopyFrom(store.path());
  const auto a = Open();
  const auto b = OpenForCrash(copy.path(), OpenMode::kOpen);
  ASSERT_NE(a, nullptr);
  ASSERT_NE(b, nullptr);
  EXPECT_TRUE(
      Holds(*ReadPage(*b, *b->OpenDatabase("main", OpenMode::kOpen), PageId{3}), MakePage(3)));
}

TEST_F(BdbPageServerTest, AnOutcomeThatIsForgottenIsUnknown) {
  MakeStore();
  auto server = Open();
  DatabaseId db = *server->OpenDatabase("main", OpenMode::kOpen);
  std::vector<CommitId> ids;
  const uint64_t before = ReadPage(*server, db, PageId{1})->record.version;
  uint64_t version = before;
  const PageImage image = MakePage(1);
  for (uint32_t i = 0; i < BdbOptions().latest_outcomes + 10; ++i) {
    ids.push_back(NewCommitId());
    version =
        CommitBuilder(*server, db).Region(PageId{1}, version, image, 0, 8).Commit(ids[i]).version;
  }
  for (int round = 0; round < 2; ++round) {
    for (uint32_t i = 0; i < ids.size(); ++i) {
      const Result<std::optional<uint64_t>> outcome =
          server->Outcome({.id = ids[i], .above = before + i});
      if (i < 10) {
        ASSERT_EQ(outcome.status().code(), StatusCode::kUnknownOutcome) << i;
      } else {
        ASSERT_EQ(*outcome, std::optional(before + 1 + i)) << i;
      }
    }
    // A commit that has not taken place would be remembered if it had been tried lately.
    const CommitId none = NewCommitId();
    EXPECT_EQ(*server->Outcome({.id = none, .above = before + 10}), std::nullopt);
    EXPECT_EQ(server->Outcome({.id = none, .above = before + 9}).status().code(),
              StatusCode::kUnknownOutcome);
    EXPECT_EQ(server->Outcome({.id = none, .above = version + 1}).status().code(),
              StatusCode::kUnknownOutcome);
    server = nullptr;
    server = Open();
    db = *server->OpenDatabase("main", OpenMode::kOpen);
  }
}

TEST_F(BdbPageServerTest, CheckpointsInTheBackgroundLetOldLogFilesGo) {
  StoreOptions options;
  options.mode = OpenMode::kCreate;
  options.bdb.checkpoint_log_bytes = 1 << 20;
  const auto server = *OpenStore(store.path(), options);
  const DatabaseId db = *server->OpenDatabase("main", OpenMode::kCreate);
  constexpr uint64_t kMany = 1000;
  const PageId first = server->AllocatePages(db, kMany)->first;
  uint64_t version = 0;
  for (uint64_t round = 0; round < 10; ++round) {
    const PageImage image = MakePage(round);
    CommitBuilder builder(*server, db);
    for (uint64_t i = 0; i < kMany; ++i) builder.Whole(first + i, version, image);
    version = builder.Commit().version;
    ASSERT_NE(version, 0u);
  }
  EXPECT_GT(server->statistics().log_bytes, 130u << 20);
  const PageImage image = MakePage(0);
  // The background thread has its own pace; occasional commits keep it awake.
  const auto log_files = [&] {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(store.path())) {
      count += entry.path().filename().string().starts_with("log.");
    }
    return count;
  };
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (log_files() > 2 && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    CommitBuilder builder(*server, db);
    builder.Whole(first, version, image);
    version = builder.Commit().version;
    ASSERT_NE(version, 0u);
  }
  EXPECT_LE(log_files(), 2);
  ASSERT_TRUE(server->Close().ok());
}

TEST_F(BdbPageServerTest, ReopeningKeepsTheLogSmall) {
  MakeStore();
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE((*OpenStore(store.path(), StoreOptions()))->Close().ok());
  }
  struct stat info;
  const std::string log = store.path() + "/log.0000000002";
  ASSERT_EQ(stat(log.c_str(), &info), 0);
  EXPECT_LT(info.st_size, 1 << 20);
  EXPECT_LT(info.st_blocks * 512, 4 << 20);
  // Writing it need not change its length.
  const auto server = *OpenStore(store.path(), StoreOptions());
  ASSERT_EQ(stat(log.c_str(), &info), 0);
  EXPECT_EQ(info.st_size, 16 << 20);
  EXPECT_LT(info.st_blocks * 512, 4 << 20);
}

}  // namespace
}  // namespace tenure::store
