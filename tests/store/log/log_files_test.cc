#include "store/log/log_files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "store/files/store_files.h"
#include "store/open.h"
#include "tests/support/crashing_page_server.h"
#include "tests/support/page_samples.h"

namespace tenure::store {
namespace {

using testing::CommitBuilder;
using testing::Holds;
using testing::MakePage;
using testing::PageImage;
using testing::ReadPage;
using testing::TemporaryDirectory;

constexpr uint64_t kPages = 200;

class LogFiles : public ::testing::Test {
 protected:
  static std::unique_ptr<PageServer> Open(const std::string& path) {
    StoreOptions options;
    options.mode = OpenMode::kOpenOrCreate;
    Result<std::unique_ptr<PageServer>> server = OpenStore(path, options);
    if (server.ok()) return *std::move(server);
    ADD_FAILURE() << server.status().text();
    return nullptr;
  }

  // One more commit of all pages, which is more than a megabyte of log.
  void Write(uint64_t state) {
    const auto server = Open(store.path());
    ASSERT_NE(server, nullptr);
    const DatabaseId db = *server->OpenDatabase("main", OpenMode::kOpenOrCreate);
    uint64_t version = 0;
    PageId first{1};
    if (state == 0) {
      first = server->AllocatePages(db, kPages)->first;
    } else {
      version = ReadPage(*server, db, first)->record.version;
    }
    std::vector<PageImage> images;
    for (uint64_t i = 0; i < kPages; ++i) images.push_back(MakePage(state * kPages + i));
    CommitBuilder builder(*server, db);
    for (uint64_t i = 0; i < kPages; ++i) builder.Whole(first + i, version, images[i]);
    ASSERT_EQ(builder.Commit().outcome, CommitOutcome::kCommitted);
    ASSERT_TRUE(server->Close().ok());
  }

  static void ExpectState(const std::string& path, uint64_t state) {
    const auto server = Open(path);
    ASSERT_NE(server, nullptr);
    const DatabaseId db = *server->OpenDatabase("main", OpenMode::kOpen);
    for (uint64_t i = 0; i < kPages; ++i) {
      ASSERT_TRUE(Holds(*ReadPage(*server, db, PageId{1 + i}), MakePage(state * kPages + i)));
    }
    ASSERT_TRUE(server->Close().ok());
  }

  static std::set<std::string> Logs(const std::string& path) {
    std::set<std::string> logs;
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      const std::string name = entry.path().filename();
      if (IsLogFile(name) || IsNewLogFile(name)) logs.insert(name);
    }
    return logs;
  }

  TemporaryDirectory store;
};

TEST_F(LogFiles, ACloseBeginsANewLogWhenThereIsAnythingInTheOldOne) {
  for (uint64_t state = 0; state < 4; ++state) {
    Write(state);
    const std::string log = "log.000000000" + std::to_string(2 + state);
    EXPECT_EQ(Logs(store.path()), (std::set<std::string>{log}));
    EXPECT_LT(std::filesystem::file_size(store.path() + "/" + log), 1000u);
  }
  // Otherwise the log is kept.
  for (int i = 0; i < 3; ++i) ExpectState(store.path(), 3);
  EXPECT_EQ(Logs(store.path()), (std::set<std::string>{"log.0000000005"}));
}

// At each point at which a version without MARK may have been interrupted when it began a new log.
TEST_F(LogFiles, WhatWasDecidedIsFinished) {
  Write(0);
  TemporaryDirectory copy;
  const auto fresh = [&] {
    copy.CopyFrom(store.path());
    std::filesystem::remove(copy.path() + "/" + std::string(kMarkFile));
  };
  const auto at = [&](const char* name) { return copy.path() + "/" + name; };
  fresh();  // switch decided; the old log is still there, with a valid header
  std::filesystem::copy(at("log.0000000002"), at("newlog.0000000003"));
  ExpectState(copy.path(), 0);
  EXPECT_EQ(Logs(copy.path()), (std::set<std::string>{"log.0000000003"}));
  fresh();  // the old log has been removed
  std::filesystem::rename(at("log.0000000002"), at("newlog.0000000002"));
  ExpectState(copy.path(), 0);
  EXPECT_EQ(Logs(copy.path()), (std::set<std::string>{"log.0000000002"}));
  fresh();  // not decided
  std::filesystem::copy(at("log.0000000002"), at("newlog.0000000003.new"));
  ExpectState(copy.path(), 0);
  EXPECT_EQ(Logs(copy.path()), (std::set<std::string>{"log.0000000002"}));
  EXPECT_FALSE(std::filesystem::exists(at("newlog.0000000003.new")));
}

TEST_F(LogFiles, AStrangeHeaderIsRefusedOrLeftAlone) {
  std::filesystem::create_directory(store.path());
  const std::string file = store.path() + "/log.0000000007";
  for (const std::string& bytes :
       {std::string(), std::string(2000, 'x'), std::string(27, '\1'), std::string(5000, '\0')}) {
    std::ofstream(file) << bytes;
    const Result<LogContents> log = ScanLog(store.path(), 1, LogPlace());
    ASSERT_TRUE(log.ok());
    EXPECT_FALSE(log->has_changes);
    EXPECT_EQ(log->damage.ok(), bytes.size() <= sizeof(LogHeader) || bytes.front() == '\0');
    EXPECT_EQ(std::filesystem::file_size(file), bytes.size());
  }
}

TEST(LogFileNames, AreThoseOfTheLog) {
  EXPECT_TRUE(IsLogFile("log.0000000001"));
  EXPECT_FALSE(IsLogFile("log.1"));
  EXPECT_FALSE(IsLogFile("log.000000000x"));
  EXPECT_TRUE(IsNewLogFile("newlog.0000000001"));
  EXPECT_FALSE(IsNewLogFile("log.0000000001"));
  EXPECT_TRUE(IsStoreFile("newlog.0000000001"));
  EXPECT_FALSE(IsStoreFile("newlog.1"));
}

}  // namespace
}  // namespace tenure::store
