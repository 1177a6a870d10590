// Reports about a store's logs: no acknowledged commit is lost when a log is damaged, cannot be
// read once, or when power fails after a kill; an unreadable log is named.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "store/faults/io_faults.h"
#include "store/files/file_operations.h"
#include "store/files/store_files.h"
#include "store/log/log_files.h"
#include "store/log/redo_log.h"
#include "store/open.h"
#include "store/trees/tree_io.h"
#include "tests/support/crashing_page_server.h"
#include "tests/support/page_samples.h"

namespace tenure::store {
namespace {

using testing::Acknowledgements;
using testing::CommitBuilder;
using testing::CrashRun;
using testing::Holds;
using testing::kFaultStep;
using testing::MakePage;
using testing::OpenForCrash;
using testing::PageImage;
using testing::ReadPage;
using testing::RunWithFault;
using testing::TemporaryDirectory;

// The last commit is in the redo log, if there is one, and not in the trees.
constexpr uint64_t kCommits = 13;

// Commit `number` makes page `number`, with contents of its own.
bool CommitOne(PageServer& server, DatabaseId database, uint64_t number) {
  if (!server.AllocatePages(database, 1).ok()) return false;
  const PageImage image = MakePage(number);
  return CommitBuilder(server, database).Whole(PageId{number}, 0, image).Commit().outcome ==
         CommitOutcome::kCommitted;
}

// The number of complete commits in the store; -1 and `why` if it cannot be opened or read.
int CommitsIn(const std::string& path, std::string* why, StatusCode* code = nullptr) {
  const auto fail = [&](const Status& status) {
    *why = status.text();
    if (code != nullptr) *code = status.code();
    return -1;
  };
  StoreOptions options;
  options.bdb.checkpoint_thread = false;
  options.bdb.cache_bytes = 4 << 20;
  const Result<std::unique_ptr<PageServer>> server = OpenStore(path, options);
  if (!server.ok()) return fail(server.status());
  const Result<DatabaseId> database = (*server)->OpenDatabase("main", OpenMode::kOpen);
  if (!database.ok()) return fail(database.status());
  const Result<DatabaseInfo> info = (*server)->Info(*database);
  if (!info.ok()) return fail(info.status());
  for (uint64_t page = 1; page <= info->pages; ++page) {
    const auto reply = ReadPage(**server, *database, PageId{page});
    if (!reply->status.ok()) return fail(reply->status);
    if (!Holds(*reply, MakePage(page))) return fail(Status(StatusCode::kCorrupt, "another page"));
  }
  if (const Status closed = (*server)->Close(); !closed.ok()) return fail(closed);
  return static_cast<int>(info->pages);
}

void Flip(const std::string& file, uint64_t byte) {
  std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
  char old = 0;
  stream.seekg(static_cast<std::streamoff>(byte)).get(old);
  stream.seekp(static_cast<std::streamoff>(byte)).put(static_cast<char>(old ^ 4));
}

class LogTrust : public ::testing::TestWithParam<bool> {
 protected:
  static bool Redo() { return GetParam(); }

  // A store with all commits, either closed or as the end of the process leaves it.
  static int Make(const std::string& path, bool close) {
    const std::unique_ptr<PageServer> server = OpenForCrash(path, OpenMode::kCreate, Redo());
    if (server == nullptr) return 1;
    const Result<DatabaseId> database = server->OpenDatabase("main", OpenMode::kCreate);
    if (!database.ok()) return 2;
    for (uint64_t i = 1; i <= kCommits; ++i) {
      if (!CommitOne(*server, *database, i)) return 3;
    }
    if (!close) _exit(0);
    return server->Close().ok() ? 0 : 4;
  }

  void MakeClosed() {
    ASSERT_EQ(RunWithFault(IoFault::kNone, 0,
                           [&](Acknowledgements&) { return Make(before.path(), true); })
                  .status,
              0);
  }
  void MakeKilled() {
    ASSERT_EQ(RunWithFault(IoFault::kNone, 0,
                           [&](Acknowledgements&) { return Make(before.path(), false); })
                  .status,
              0);
  }

  std::string LastLog() const {
    std::string last;
    const Result<std::vector<std::string>> names = EntriesOf(before.path());
    for (const std::string& name : *names) {
      if (IsLogFile(name)) last = std::max(last, name);
    }
    return last;
  }

  TemporaryDirectory before, store;
};

TEST_P(LogTrust, ACleanCloseNeedsNoLog) {
  MakeClosed();
  std::string why;
  for (const std::string& name : {LastLog(), std::string(kMarkFile)}) {
    const uint64_t size = std::filesystem::file_size(before.path() + "/" + name);
    for (uint64_t byte = 0; byte < std::min<uint64_t>(size, 600); byte += 13) {
      store.CopyFrom(before.path());
      Flip(store.path() + "/" + name, byte);
      ASSERT_EQ(CommitsIn(store.path(), &why), static_cast<int>(kCommits))
          << name << " byte " << byte << ": " << why;
    }
  }
  store.CopyFrom(before.path());
  std::filesystem::remove(store.path() + "/" + LastLog());
  EXPECT_EQ(CommitsIn(store.path(), &why), static_cast<int>(kCommits)) << why;
  // Without the mark, too, the next position in the log is unknown.
  store.CopyFrom(before.path());
  std::filesystem::remove(store.path() + "/" + LastLog());
  std::filesystem::remove(store.path() + "/" + std::string(kMarkFile));
  StatusCode code = StatusCode::kOk;
  EXPECT_EQ(CommitsIn(store.path(), &why, &code), -1);
  EXPECT_EQ(code, StatusCode::kCorrupt) << why;
}

// A session that only reads does not change the log, nor does one that ends without a close.
TEST_P(LogTrust, ReadingASessionWritesNoLog) {
  MakeClosed();
  store.CopyFrom(before.path());
  std::string why;
  EXPECT_EQ(CommitsIn(store.path(), &why), static_cast<int>(kCommits)) << why;
  const CrashRun killed = RunWithFault(IoFault::kNone, 0, [&](Acknowledgements&) {
    const auto server = OpenForCrash(store.path(), OpenMode::kOpen, Redo());
    _exit(server != nullptr && server->OpenDatabase("main", OpenMode::kOpen).ok() ? 0 : 1);
    return 0;
  });
  EXPECT_EQ(killed.status, 0);
  const Result<LogContents> log = ScanLog(store.path(), 1, LogPlace());
  ASSERT_TRUE(log.ok());
  EXPECT_FALSE(log->has_changes);
  EXPECT_EQ(log->files.size(), 1u);
  EXPECT_EQ(CommitsIn(store.path(), &why), static_cast<int>(kCommits)) << why;
}

// The power fails before the first sync of a log file, when records have reached the disk and the
// file's header has not.
TEST_P(LogTrust, RecordsWithoutTheHeaderOfAFileThatWasNotSyncedAreNoDamage) {
  MakeClosed();
  store.CopyFrom(before.path());
  const std::string log = store.path() + "/" + LastLog();
  ASSERT_EQ(std::filesystem::file_size(log), sizeof(LogHeader));
  std::ofstream(log, std::ios::binary)
      << std::string(sizeof(LogHeader), '\0') + std::string(5000, 'x');
  std::string why;
  EXPECT_EQ(CommitsIn(store.path(), &why), static_cast<int>(kCommits)) << why;
}

TEST_P(LogTrust, DamageInTheLogOfAKilledStoreIsTold) {
  MakeKilled();
  std::string why;
  uint64_t told = 0;
  for (const std::string& name : {LastLog(), std::string(kRedoFile)}) {
    const std::string file = before.path() + "/" + name;
    if (!std::filesystem::exists(file)) continue;
    std::ifstream stream(file, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(stream)), {});
    const uint64_t end = bytes.find_last_not_of('\0') + 1;
    ASSERT_GT(end, 500u);
    for (uint64_t i = 0; i < 24; ++i) {
      const uint64_t byte = i * (end - 1) / 23;  // the last one as well
      store.CopyFrom(before.path());
      Flip(store.path() + "/" + name, byte);
      StatusCode code = StatusCode::kOk;
      const int found = CommitsIn(store.path(), &why, &code);
      if (found == -1) {
        EXPECT_EQ(code, StatusCode::kCorrupt) << why;
        ++told;
      } else {
        EXPECT_EQ(found, static_cast<int>(kCommits)) << name << " byte " << byte << " of " << end;
      }
    }
  }
  EXPECT_GT(told, 8u);
}

TEST_P(LogTrust, AFileOfTheLogThatIsMissingIsTold) {
  MakeKilled();
  std::string why;
  const std::string name = Redo() ? std::string(kRedoFile) : LastLog();
  store.CopyFrom(before.path());
  std::filesystem::remove(store.path() + "/" + name);
  StatusCode code = StatusCode::kOk;
  EXPECT_EQ(CommitsIn(store.path(), &why, &code), -1);
  EXPECT_EQ(code, StatusCode::kCorrupt) << why;
}

// Every read, list and look-up of opening, reading everything and closing fails once: the result is
// an error or no effect, and the next opening finds all commits.
TEST_P(LogTrust, EachLookFailsOnce) {
  for (const bool closed : {true, false}) {
    before.Clear();
    closed ? MakeClosed() : MakeKilled();
    for (const int error : {EIO, ENOMEM, EINTR, 0}) {
      // Errors are treated alike, and a call that the system repeats is not an error.
      const uint64_t step = kFaultStep * (error == EIO ? 2 : error == ENOMEM ? 7 : 17);
      uint64_t at = 1, failures = 0;
      for (;; at += step) {
        store.CopyFrom(before.path());
        const CrashRun run = RunWithFault(IoFault::kNone, 0, [&](Acknowledgements&) {
          const uint64_t start = IoLooks();
          SetLookFault(at, error);
          std::string why;
          const int found = CommitsIn(store.path(), &why);
          if (found != -1 && found != static_cast<int>(kCommits)) return 3;
          if (IoLooks() - start < at) return 2;
          return found == -1 ? 1 : 0;
        });
        std::string why;
        ASSERT_TRUE(run.status >= 0 && run.status <= 2) << "look " << at << ", errno " << error;
        ASSERT_EQ(CommitsIn(store.path(), &why), static_cast<int>(kCommits))
            << "after look " << at << " failed with errno " << error << ": " << why;
        failures += run.status == 1;
        if (run.status == 2) break;
      }
      const bool repeated = error == 0 || error == EINTR;
      EXPECT_EQ(failures > 0, !repeated) << "errno " << error;
      EXPECT_GT(at, 10u);
    }
  }
}

// A process is killed at each operation of a commit; another recovers the store, and power fails at
// each of its operations: data that the first process wrote and did not sync are lost, too.
TEST_P(LogTrust, PowerFailsAfterAKill) {
  MakeClosed();
  TemporaryDirectory killed, kept;
  std::filesystem::create_directory(kept.path());
  const std::string unsynced = kept.path() + "/unsynced";
  const auto commit = [&](const std::string& path, Acknowledgements& a) {
    const auto server = OpenForCrash(path, OpenMode::kOpen, Redo());
    if (server == nullptr) return 1;
    const Result<DatabaseId> database = server->OpenDatabase("main", OpenMode::kOpen);
    if (!database.ok()) return 2;
    for (uint64_t i = 1; i <= 3; ++i) {
      if (!CommitOne(*server, *database, kCommits + i)) return 3;
      a.Report(static_cast<uint8_t>(i));
    }
    return server->Close().ok() ? 0 : 4;
  };
  uint64_t pairs = 0;
  bool reached = true;
  for (uint64_t at = 1; reached; at += 5 * kFaultStep) {
    for (const uint64_t again : {2, 8, 14, 20, 26}) {
      killed.CopyFrom(before.path());
      std::filesystem::remove(unsynced);
      const CrashRun first = RunWithFault(IoFault::kCrash, at, [&](Acknowledgements& a) {
        KeepUnsyncedIn(unsynced);
        return commit(killed.path(), a);
      });
      reached = first.crashed;
      if (!reached) break;
      const int acknowledged =
          static_cast<int>(kCommits) + (first.reported.empty() ? 0 : first.reported.back());
      const CrashRun second = RunWithFault(IoFault::kCrashUnsynced, again, [&](Acknowledgements&) {
        TakeOverUnsynced(unsynced);
        std::string why;
        return CommitsIn(killed.path(), &why) >= acknowledged ? 0 : 1;
      });
      EXPECT_TRUE(second.crashed || second.status == 0)
          << "killed at " << at << ", then at " << again << ": " << second.status;
      std::string why;
      const int found = CommitsIn(killed.path(), &why);
      EXPECT_TRUE(found == acknowledged || found == acknowledged + 1)
          << "killed at " << at << ", power failed at " << again << ": " << found << " of "
          << acknowledged << " " << why;
      if (HasFailure()) return;
      ++pairs;
    }
  }
  EXPECT_GT(pairs, 30u);
}

// Berkeley DB does this when recovery fills the log's end with zeros.
TEST(TreeLook, FileWithoutPathThatCannotBeLookedAtIsAFailure) {
  const TreeLookGuard guard;
  uint32_t megabytes = 0, bytes = 0;
  EXPECT_EQ(TreeInfo(nullptr, /*fd=*/-1, &megabytes, &bytes, nullptr), EBADF);
  EXPECT_EQ(guard.error(), EBADF);
  EXPECT_EQ(guard.path(), "");
}

INSTANTIATE_TEST_SUITE_P(Policies, LogTrust, ::testing::Bool(), [](const auto& info) {
  return std::string(info.param ? "Redo" : "Trees");
});

}  // namespace
}  // namespace tenure::store
