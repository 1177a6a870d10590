// The store's list of its databases: a database whose file is missing counts as lost. It is
// reported, and not made again.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "store/bdb/bdb_records.h"
#include "store/files/store_files.h"
#include "store/open.h"
#include "tests/support/crashing_page_server.h"

namespace tenure::store {
namespace {

namespace fs = std::filesystem;

using testing::CrashAtEach;
using testing::CrashRun;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::OpenForCrash;
using testing::TemporaryDirectory;

class DatabaseNames : public ::testing::Test {
 protected:
  void Make() {
    ASSERT_TRUE(CreateStore(store.path(), "main", StoreOptions()).ok());
    const auto server = Open();
    ASSERT_TRUE(server->OpenDatabase("second", OpenMode::kCreate).ok());
    ASSERT_TRUE(server->Close().ok());
  }
  std::unique_ptr<PageServer> Open() { return OpenForCrash(store.path(), OpenMode::kOpen); }
  std::string File(const std::string& name) { return store.path() + "/" + name + ".db"; }

  // Every mode reports it; the file is not made again.
  void ExpectLost(PageServer& server, const std::string& name) {
    for (const OpenMode mode : {OpenMode::kOpen, OpenMode::kCreate, OpenMode::kOpenOrCreate}) {
      const Status status = server.OpenDatabase(name, mode).status();
      EXPECT_EQ(status.code(), StatusCode::kCorrupt) << status.text();
      EXPECT_THAT(status.text(), HasSubstr(File(name)));
      EXPECT_THAT(status.text(), HasSubstr("tenure db forget"));
    }
    EXPECT_FALSE(fs::exists(File(name)));
  }

  TemporaryDirectory store;
};

TEST_F(DatabaseNames, AFileThatIsGoneIsMissed) {
  Make();
  fs::remove(File("second"));
  const auto server = Open();
  EXPECT_THAT(*server->ListDatabases(), ElementsAre("main", "second"));
  ExpectLost(*server, "second");
  EXPECT_TRUE(server->OpenDatabase("main", OpenMode::kOpen).ok());
  EXPECT_EQ(server->OpenDatabase("third", OpenMode::kOpen).status().code(), StatusCode::kNotFound);
}

TEST_F(DatabaseNames, TheOnlyDatabaseToo) {
  ASSERT_TRUE(CreateStore(store.path(), "main", StoreOptions()).ok());
  fs::remove(File("main"));
  ExpectLost(*Open(), "main");
}

TEST_F(DatabaseNames, WhatIsGivenUpCanBeMadeAgain) {
  Make();
  fs::remove(File("second"));
  {
    const auto server = Open();
    EXPECT_TRUE(server->DeleteDatabase("second").ok());
    EXPECT_THAT(*server->ListDatabases(), ElementsAre("main"));
  }
  const auto server = Open();
  EXPECT_EQ(server->OpenDatabase("second", OpenMode::kOpen).status().code(), StatusCode::kNotFound);
  EXPECT_TRUE(server->OpenDatabase("second", OpenMode::kCreate).ok());
}

TEST_F(DatabaseNames, AFileThatComesBackIsTheDatabase) {
  Make();
  const std::string aside = store.path() + "-aside.db";
  fs::rename(File("second"), aside);
  ExpectLost(*Open(), "second");
  fs::rename(aside, File("second"));
  EXPECT_TRUE(Open()->OpenDatabase("second", OpenMode::kOpen).ok());
}

// As the files of an older store without a list.
TEST_F(DatabaseNames, FilesThatAreThereGetTheirNames) {
  Make();
  TemporaryDirectory older;
  older.CopyFrom(store.path());
  {
    const auto server = Open();
    ASSERT_TRUE(server->OpenDatabase("late", OpenMode::kCreate).ok());
    ASSERT_TRUE(server->Close().ok());
  }
  fs::copy_file(File("late"), older.path() + "/late.db");
  store.CopyFrom(older.path());
  Open().reset();
  fs::remove(File("late"));
  ExpectLost(*Open(), "late");
}

TEST_F(DatabaseNames, OneThatIsPutThereInUseGetsItsNameWhenItIsOpened) {
  Make();
  {
    const auto server = Open();
    fs::copy_file(File("main"), File("other"));
    EXPECT_TRUE(server->OpenDatabase("other", OpenMode::kOpen).ok());
    ASSERT_TRUE(server->Close().ok());
  }
  fs::remove(File("other"));
  ExpectLost(*Open(), "other");
}

// Replacing a database that did not exist creates it.
TEST_F(DatabaseNames, OneThatCameAsAReplacementIsMissedAtOnce) {
  Make();
  {
    const auto server = Open();
    const Result<DatabaseId> made = server->CreateReplacement("imported");
    ASSERT_TRUE(made.ok());
    EXPECT_THAT(*server->ListDatabases(), ElementsAre("main", "second"));
    ASSERT_TRUE(server->CloseReplacing(std::span(&*made, 1)).ok());
  }
  fs::remove(File("imported"));
  ExpectLost(*Open(), "imported");
}

TEST_F(DatabaseNames, OfAReplacementThatWasGivenUpThereIsNone) {
  Make();
  {
    const auto server = Open();
    ASSERT_TRUE(server->CreateReplacement("imported").ok());
    const Status closed = server->Close();
    ASSERT_TRUE(closed.ok()) << closed.text();
  }
  EXPECT_THAT(*Open()->ListDatabases(), ElementsAre("main", "second"));
}

TEST_F(DatabaseNames, AreReadWithTheirChecksum) {
  for (const FileStamp stamp : {FileStamp(), FileStamp{71, 12}}) {
    const std::string good = EncodeName({"main", stamp});
    const auto read = DecodeName(std::as_bytes(std::span(good)));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->name, "main");
    EXPECT_EQ(read->stamp.number, stamp.number);
    EXPECT_EQ(read->stamp.version, stamp.version);
    for (size_t i = 0; i < good.size(); ++i) {
      std::string bad = good;
      bad[i] ^= 1;
      EXPECT_FALSE(DecodeName(std::as_bytes(std::span(bad)))) << i;
    }
  }
}

class DatabaseNamesCrash : public DatabaseNames, public ::testing::WithParamInterface<IoFault> {};

// At whatever operation on `name` the process ended, the database exists or does not, and is never
// lost; from then on a missing file is reported.
TEST_P(DatabaseNamesCrash, NothingIsLostByMakingOrDeleting) {
  Make();
  TemporaryDirectory before;
  before.CopyFrom(store.path());
  const auto make = [](PageServer& server) {
    return server.OpenDatabase("third", OpenMode::kCreate).status();
  };
  const auto remove = [](PageServer& server) { return server.DeleteDatabase("second"); };
  const auto replace = [](PageServer& server) {
    const Result<DatabaseId> made = server.CreateReplacement("third");
    return made.ok() ? server.CloseReplacing(std::span(&*made, 1)) : made.status();
  };
  const auto run = [&](const std::function<Status(PageServer&)>& change, const std::string& name,
                       bool there_after) {
    const auto body = [&](testing::Acknowledgements& a) {
      const auto server = Open();
      if (server == nullptr) return 1;
      if (!change(*server).ok()) return 2;
      a.Report(1);
      (void)server->Close();
      return 0;
    };
    const auto check = [&](const CrashRun& ended, uint64_t at) {
      EXPECT_TRUE(ended.crashed || ended.status == 0) << "operation " << at;
      bool there = false;
      {
        const auto server = Open();
        ASSERT_NE(server, nullptr) << "operation " << at;
        const Status status = server->OpenDatabase(name, OpenMode::kOpen).status();
        there = status.ok();
        EXPECT_TRUE(there || status.code() == StatusCode::kNotFound)
            << "operation " << at << ": " << status.text();
        if (!ended.reported.empty()) {
          EXPECT_EQ(there, there_after) << "operation " << at;
        }
        ASSERT_TRUE(server->Close().ok());
      }
      if (!there) return;
      fs::remove(File(name));
      EXPECT_EQ(Open()->OpenDatabase(name, OpenMode::kOpenOrCreate).status().code(),
                StatusCode::kCorrupt)
          << "operation " << at;
    };
    EXPECT_GT(CrashAtEach(
                  {.fault = GetParam(), .step = 3 * testing::kFaultStep},
                  [&] { store.CopyFrom(before.path()); }, body, check),
              5u);
  };
  run(make, "third", true);
  run(remove, "second", false);
  run(replace, "third", true);
}

INSTANTIATE_TEST_SUITE_P(Faults, DatabaseNamesCrash,
                         ::testing::Values(IoFault::kCrash, IoFault::kCrashUnsynced),
                         [](const auto& info) { return testing::FaultText(info.param); });

}  // namespace
}  // namespace tenure::store
