#include "compiler/source/output_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>

#include "compiler/source/source_file.h"

namespace tenure::compiler {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public testing::Test {
 protected:
  OutputFileTest()
      : directory_(fs::temp_directory_path() / ("output_file." + std::to_string(getpid()))) {
    fs::create_directories(directory_);
  }
  ~OutputFileTest() override { fs::remove_all(directory_); }

  std::string Path(const std::string& name) const { return (directory_ / name).string(); }
  static std::string Contents(const std::string& path) {
    std::string text;
    EXPECT_EQ(ReadWholeFile(path, text), 0) << path;
    return text;
  }
  size_t FileCount() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(directory_), fs::directory_iterator()));
  }

  const fs::path directory_;
};

// Files may grow to this length only, as on a disk that is nearly full.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : former_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &former_);
    const rlimit limit{bytes, former_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &former_);
    std::signal(SIGXFSZ, former_handler_);
  }

 private:
  rlimit former_;
  void (*former_handler_)(int);
};

TEST_F(OutputFileTest, MakesFoldersAndReplaces) {
  const std::string path = Path("a/b/file");
  EXPECT_EQ(WriteWholeFile(path, "one"), "");
  EXPECT_EQ(WriteWholeFile(path, "2"), "");
  EXPECT_EQ(Contents(path), "2");
  EXPECT_EQ(AppendToFile(path, "3"), "");
  EXPECT_EQ(Contents(path), "23");
}

TEST_F(OutputFileTest, WhatIsReplacedKeepsItsPermissions) {
  ASSERT_EQ(WriteWholeFile(Path("script"), "one"), "");
  fs::permissions(Path("script"), fs::perms::owner_all);
  ASSERT_EQ(WriteWholeFile(Path("script"), "two"), "");
  EXPECT_EQ(fs::status(Path("script")).permissions(), fs::perms::owner_all);
}

TEST_F(OutputFileTest, NoPartOfAFileIsLeftWhenThereIsNoSpace) {
  const std::string path = Path("file");
  const std::string long_text(100'000, 'x');
  {
    FileSizeLimit limit(50'000);
    EXPECT_EQ(WriteWholeFile(path, long_text), "cannot write '" + path + "': File too large");
  }
  EXPECT_FALSE(fs::exists(path));
  EXPECT_EQ(WriteWholeFile(path, "former"), "");
  {
    FileSizeLimit limit(50'000);
    EXPECT_NE(WriteIfChanged(path, long_text), "");
  }
  EXPECT_EQ(Contents(path), "former");
  EXPECT_EQ(FileCount(), 1u);
}

TEST_F(OutputFileTest, WhatIsUnchangedKeepsItsTime) {
  const std::string path = Path("file");
  ASSERT_EQ(WriteIfChanged(path, "same"), "");
  const fs::file_time_type before = fs::last_write_time(path) - std::chrono::hours(1);
  fs::last_write_time(path, before);
  EXPECT_EQ(WriteIfChanged(path, "same"), "");
  EXPECT_EQ(fs::last_write_time(path), before);
  EXPECT_EQ(WriteIfChanged(path, "other"), "");
  EXPECT_NE(fs::last_write_time(path), before);
}

TEST_F(OutputFileTest, LinksAndDevicesStayWhatTheyAre) {
  ASSERT_EQ(WriteWholeFile(Path("file"), "one"), "");
  fs::create_symlink("file", Path("link"));
  EXPECT_EQ(WriteWholeFile(Path("link"), "two"), "");
  EXPECT_TRUE(fs::is_symlink(Path("link")));
  EXPECT_EQ(Contents(Path("file")), "two");
  EXPECT_EQ(WriteWholeFile("/dev/null", "x"), "");
  EXPECT_EQ(WriteWholeFile("/dev/full", "x"), "cannot write '/dev/full': No space left on device");
}

TEST_F(OutputFileTest, ReplacesOnlyTheContentsThatWereRead) {
  ASSERT_EQ(WriteWholeFile(Path("file"), "one"), "");
  fs::create_symlink("file", Path("link"));
  EXPECT_EQ(ReplaceFile(Path("link"), "one", "two"), "");
  EXPECT_TRUE(fs::is_symlink(Path("link")));
  EXPECT_EQ(Contents(Path("file")), "two");
  EXPECT_EQ(ReplaceFile(Path("file"), "one", "three"),
            "'" + Path("file") + "' has changed since it was read: not written; try again");
  EXPECT_EQ(Contents(Path("file")), "two");
  EXPECT_EQ(ReplaceFile(Path("none"), "", "x"),
            "cannot write '" + Path("none") + "': No such file or directory");
  EXPECT_EQ(FileCount(), 2u);
}

TEST_F(OutputFileTest, ADirectoryIsNoFile) {
  EXPECT_EQ(WriteWholeFile(directory_.string(), "x"),
            "cannot write '" + directory_.string() + "': Is a directory");
}

}  // namespace
}  // namespace tenure::compiler
