// Salvage of stores on disks that cannot read some places.
#include "dbtool/repair/salvage.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdint>
#include <string>
#include <vector>

#include "store/files/file_system.h"
#include "store/files/store_io.h"
#include "tests/support/crashing_page_server.h"
#include "tests/support/stored_graph.h"

namespace tenure::dbtool {
namespace {

using store::OpenMode;
using testing::OpenForCrash;
using testing::RandomGraph;
using testing::TemporaryDirectory;

// A disk that cannot read a part of a file, or only a few bytes of it at a time.
class BadDisk final : public store::FileSystem {
 public:
  explicit BadDisk(const std::string& file) { EXPECT_EQ(stat(file.c_str(), &file_), 0); }
  ssize_t Pread(int fd, void* bytes, size_t count, off_t offset) override {
    struct stat info;
    const bool of_file = fstat(fd, &info) == 0 && info.st_ino == file_.st_ino;
    const bool bad = offset < bad_end && offset + static_cast<off_t>(count) > bad_begin;
    if (of_file && (bad || count > longest)) {
      errno = EIO;
      return -1;
    }
    return FileSystem::Pread(fd, bytes, count, offset);
  }

  off_t bad_begin = 0, bad_end = 0;
  size_t longest = SIZE_MAX;

 private:
  struct stat file_;
};

class SalvageTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto server = OpenForCrash(store.path(), OpenMode::kCreate);
    ASSERT_NE(server, nullptr);
    ASSERT_TRUE(testing::StoreGraph(*server, RandomGraph(1, 20000), {}).ok());
    ASSERT_TRUE(server->Close().ok());
  }

  // What salvage says of the store on this disk. Lives as long as the process.
  Result<SalvageReport> SalvageFrom(BadDisk& disk) {
    store::FileSystem& before = store::FilesInUse();
    store::UseFileSystem(disk);
    Result<SalvageReport> report = Salvage(store.path(), target);
    store::UseFileSystem(before);
    return report;
  }

  TemporaryDirectory store;
  const std::string target = store.path() + ".target";
};

TEST_F(SalvageTest, ReadsBySectorsWhereLongReadsFail) {
  static BadDisk disk(store.path() + "/main.db");
  disk.longest = 4096;
  const Result<SalvageReport> report = SalvageFrom(disk);
  ASSERT_TRUE(report.ok()) << report.status().text();
  EXPECT_TRUE(report->complete());
  ASSERT_EQ(report->databases.size(), 1u);
  EXPECT_EQ(report->databases[0].objects, 20000u);
}

TEST_F(SalvageTest, LeavesOutWhatCannotBeReadAndNamesIt) {
  static BadDisk disk(store.path() + "/main.db");
  disk.bad_begin = 5 * 65536 + 30000;
  disk.bad_end = disk.bad_begin + 4000;
  const Result<SalvageReport> report = SalvageFrom(disk);
  ASSERT_TRUE(report.ok()) << report.status().text();
  EXPECT_FALSE(report->complete());
  EXPECT_EQ(report->unreadable,
            std::vector<std::string>(
                {"main.db: 8192 bytes at 356352 cannot be read: Input/output error"}));
  ASSERT_EQ(report->databases.size(), 1u);
  EXPECT_GT(report->databases[0].objects, 10000u);
  EXPECT_LT(report->databases[0].objects, 20000u);
  EXPECT_GT(report->databases[0].lost_references, 0u);
}

}  // namespace
}  // namespace tenure::dbtool
