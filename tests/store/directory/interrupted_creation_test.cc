// A store whose making was interrupted by a power cut can be made again, or opened if it was done;
// and no store that has commits is taken for one that was not done.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <string_view>

#include "store/faults/power_cuts.h"
#include "store/files/store_io.h"
#include "store/open.h"
#include "tests/support/crashing_page_server.h"
#include "tests/support/page_samples.h"

namespace tenure::store {
namespace {

namespace fs = std::filesystem;
using testing::CommitBuilder;
using ::testing::HasSubstr;
using testing::Holds;
using testing::kFaultStep;
using testing::MakePage;
using testing::PageImage;
using testing::ReadPage;
using testing::TemporaryDirectory;

const bool kLong = std::getenv("TENURE_LONG") != nullptr;

// Names of files and their contents.
std::map<std::string, std::string> FilesIn(const std::string& directory) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::directory_iterator(directory)) {
    std::ifstream file(entry.path(), std::ios::binary);
    files[entry.path().filename()].assign(std::istreambuf_iterator<char>(file), {});
  }
  return files;
}

// Names of files, with their lengths and the times of their last changes.
std::map<std::string, std::string> StampsIn(const std::string& directory) {
  std::map<std::string, std::string> stamps;
  for (const auto& entry : fs::directory_iterator(directory)) {
    stamps[entry.path().filename()] =
        std::to_string(entry.file_size()) + " " +
        std::to_string(entry.last_write_time().time_since_epoch().count());
  }
  return stamps;
}

// With and without the redo log.
class InterruptedCreation : public ::testing::TestWithParam<bool> {
 protected:
  InterruptedCreation() {
    options_.bdb.redo = GetParam();
    options_.bdb.checkpoint_thread = false;
  }
  ~InterruptedCreation() override { UseFileSystem(usual_); }

  Status CreateAt(const std::string& path) { return CreateStore(path, "main", options_); }
  std::unique_ptr<PageServer> OpenAt(const std::string& path) {
    Result<std::unique_ptr<PageServer>> server = OpenStore(path, options_);
    EXPECT_TRUE(server.ok()) << server.status().text();
    return server.ok() ? *std::move(server) : nullptr;
  }
  void CommitOnePage(PageServer& server) {
    const DatabaseId database = *server.OpenDatabase("main", OpenMode::kOpen);
    ASSERT_TRUE(server.AllocatePages(database, 1).ok());
    ASSERT_EQ(CommitBuilder(server, database)
                  .Whole(PageId{1}, 0, page_)
                  .Root(PersistentRef::Object(PageId{1}, 8))
                  .Commit()
                  .outcome,
              CommitOutcome::kCommitted);
  }

  StoreOptions options_;
  FileSystem& usual_ = FilesInUse();
  const PageImage page_ = MakePage(1);
  TemporaryDirectory made_, store_;
};

TEST_P(InterruptedCreation, EachPowerCutLeavesAStoreOrWhatCanBeMadeAnew) {
  PowerCuts cuts;
  UseFileSystem(cuts);
  ASSERT_TRUE(CreateAt(made_.path()).ok());
  const size_t created = cuts.operations();
  size_t committed;
  {
    const auto server = OpenAt(made_.path());
    ASSERT_NE(server, nullptr);
    CommitOnePage(*server);
    committed = cuts.operations();
    ASSERT_TRUE(server->Close().ok());
  }
  PowerCuts not_synced;  // Its syncs do nothing, so that a thousand stores take little time.
  UseFileSystem(not_synced);
  uint64_t opened = 0, made_anew = 0, told = 0, seed = 0;
  for (size_t at = 0; at <= cuts.operations(); at += kFaultStep) {
    for (const PowerCuts::Left left : PowerCuts::kEach) {
      // Short runs try two of them at each place.
      if (!kLong && left != PowerCuts::Left::kSome && static_cast<size_t>(left) != at % 5) continue;
      store_.Clear();
      cuts.Make(store_.path(), at, left, ++seed);
      SCOPED_TRACE("before operation " + std::to_string(at) + " of " +
                   std::to_string(cuts.operations()) + ", left " +
                   std::to_string(static_cast<int>(left)) + ", seed " + std::to_string(seed));
      const auto before = StampsIn(store_.path());
      Result<std::unique_ptr<PageServer>> server = OpenStore(store_.path(), options_);
      if (!server.ok()) {
        ASSERT_LT(at, created) << server.status().text();
        EXPECT_EQ(server.status().code(), StatusCode::kNotFound) << server.status().text();
        EXPECT_EQ(StampsIn(store_.path()), before);
        if (!before.empty()) {
          EXPECT_THAT(server.status().text(), HasSubstr("rm -r '" + store_.path() + "'"));
        }
        const Status status = CreateAt(store_.path());
        if (!status.ok()) {
          EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << status.text();
          EXPECT_THAT(status.text(), HasSubstr("rm -r '" + store_.path() + "'"));
          EXPECT_EQ(StampsIn(store_.path()), before);
          ++told;
          continue;
        }
        ++made_anew;
        server = OpenStore(store_.path(), options_);
        ASSERT_TRUE(server.ok()) << server.status().text();
        CommitOnePage(**server);
        ASSERT_TRUE((*server)->Close().ok());
        server = OpenStore(store_.path(), options_);
        ASSERT_TRUE(server.ok()) << server.status().text();
      } else {
        ++opened;
      }
      const Result<DatabaseId> database = (*server)->OpenDatabase("main", OpenMode::kOpen);
      ASSERT_TRUE(database.ok()) << database.status().text();
      const auto page = ReadPage(**server, *database, PageId{1});
      if (at >= committed) {
        EXPECT_TRUE(Holds(*page, page_)) << page->status.text();
      } else {
        EXPECT_TRUE(!page->status.ok() || Holds(*page, page_));
      }
      EXPECT_TRUE((*server)->Close().ok());
      ASSERT_FALSE(HasFailure());
    }
  }
  EXPECT_GT(opened, 10u);
  EXPECT_GT(made_anew, 10u);
  std::cout << opened << " stores opened, " << made_anew << " made anew, " << told << " told\n";
  // Only where neither LOCK nor the trees have got their names.
  EXPECT_LT(told, made_anew / 4);
}

TEST_P(InterruptedCreation, AStoreWithACommitIsNeverMadeAnew) {
  ASSERT_TRUE(CreateAt(made_.path()).ok());
  const auto server = OpenAt(made_.path());
  ASSERT_NE(server, nullptr);
  CommitOnePage(*server);
  TemporaryDirectory killed;
  killed.CopyFrom(made_.path());
  ASSERT_TRUE(server->Close().ok());
  const std::string zeros(40, '\0');
  for (const std::string& from : {made_.path(), killed.path()}) {
    for (const std::string* lock : {&zeros, static_cast<const std::string*>(nullptr)}) {
      // One of the signs of a commit may be lost, too.
      for (const std::string_view lost : {"", "MARK", "REDO", "log."}) {
        // The commit itself, before the store is closed.
        if (from == killed.path() && (lost == "REDO" || lost == "log.")) continue;
        store_.CopyFrom(from);
        for (const auto& [name, contents] : FilesIn(from)) {
          const bool is_lost = !lost.empty() && name.starts_with(lost);
          if (is_lost || name == "FORMAT" || name == "LOCK") fs::remove(store_.path() + "/" + name);
        }
        if (lock != nullptr) std::ofstream(store_.path() + "/LOCK") << *lock;
        const auto before = FilesIn(store_.path());
        for (const OpenMode mode : {OpenMode::kOpen, OpenMode::kCreate, OpenMode::kOpenOrCreate}) {
          StoreOptions options = options_;
          options.mode = mode;
          const Status status = OpenStore(store_.path(), options).status();
          EXPECT_EQ(status.code(), StatusCode::kCorrupt) << status.text();
          EXPECT_THAT(status.text(), HasSubstr("tenure db salvage"));
          EXPECT_EQ(FilesIn(store_.path()), before);
        }
      }
    }
  }
}

TEST_P(InterruptedCreation, FilesOfOtherProgramsAreNotTaken) {
  fs::create_directory(store_.path());
  std::ofstream(store_.path() + "/log.0000000001") << "a log of another program";
  std::ofstream(store_.path() + "/accounts.db") << "accounts";
  const auto before = FilesIn(store_.path());
  const Status status = CreateAt(store_.path());
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(status.text(), HasSubstr("rm -r '" + store_.path() + "'"));
  EXPECT_EQ(FilesIn(store_.path()), before);
}

INSTANTIATE_TEST_SUITE_P(Policies, InterruptedCreation, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "Redo" : "Trees"; });

}  // namespace
}  // namespace tenure::store
