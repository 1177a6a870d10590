#include "base/removed_by_signals.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace tenure {
namespace {

namespace fs = std::filesystem;

class RemovedBySignalsTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = fs::temp_directory_path() / "removed-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    top_ = name;
    fs::create_directories(top_ / "work" / "deep" / "deeper");
    fs::create_directory(top_ / "kept");
    std::ofstream(top_ / "kept" / "file") << "kept";
    for (int i = 0; i < 300; ++i) {
      std::ofstream(top_ / "work" / "deep" / ("a-file-with-a-long-name-" + std::to_string(i)));
    }
    fs::create_directory_symlink(top_ / "kept", top_ / "work" / "link");
  }
  void TearDown() override { fs::remove_all(top_); }

  // The status of a process that does this.
  template <typename Work>
  static int StatusOf(Work work) {
    const pid_t process = fork();
    if (process == 0) {
      work();
      _exit(0);
    }
    int status = -1;
    EXPECT_EQ(waitpid(process, &status, 0), process);
    return status;
  }

  fs::path top_;
};

TEST_F(RemovedBySignalsTest, EachEndingSignalRemovesTheTree) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    fs::create_directories(top_ / "work" / "deep");
    const int status = StatusOf([&] {
      std::signal(signal, SIG_DFL);
      RemovedBySignals::HandleEnd();
      const RemovedBySignals removed(top_ / "work");
      raise(signal);
    });
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), signal);
    EXPECT_FALSE(fs::exists(top_ / "work")) << signal;
  }
  // A link is removed, and not what it leads to.
  EXPECT_TRUE(fs::exists(top_ / "kept" / "file"));
}

TEST_F(RemovedBySignalsTest, ChildrenAndIgnoredSignalsRemoveNothing) {
  const int status = StatusOf([&] {
    std::signal(SIGTERM, SIG_DFL);
    std::signal(SIGHUP, SIG_IGN);
    RemovedBySignals::HandleEnd();
    const RemovedBySignals removed(top_ / "work");
    raise(SIGHUP);
    const int of_child = StatusOf([] { raise(SIGTERM); });
    _exit(WIFSIGNALED(of_child) ? 7 : 8);
  });
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
  EXPECT_TRUE(fs::exists(top_ / "work" / "deep"));
}

TEST_F(RemovedBySignalsTest, WhatIsFinishedStays) {
  const int status = StatusOf([&] {
    std::signal(SIGTERM, SIG_DFL);
    RemovedBySignals::HandleEnd();
    {
      const RemovedBySignals removed(top_ / "work");
    }
    raise(SIGTERM);
  });
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_TRUE(fs::exists(top_ / "work"));
}

// A command whose own child makes files, as a compiler's driver does: both end before the files are
// removed, and one that takes no notice of SIGTERM is killed.
TEST_F(RemovedBySignalsTest, ProcessesThatMakeTheFilesEndFirst) {
  for (const bool is_stubborn : {false, true}) {
    const int status = StatusOf([&] {
      std::signal(SIGTERM, SIG_DFL);
      RemovedBySignals::HandleEnd();
      const RemovedBySignals removed(top_ / "made");
      int ready[2];
      ASSERT_EQ(pipe(ready), 0);
      const pid_t leader = fork();
      if (leader == 0) {
        std::signal(SIGTERM, is_stubborn ? SIG_IGN : SIG_DFL);
        setpgid(0, 0);
        if (fork() == 0) {
          (void)!write(ready[1], "", 1);
          while (true) std::ofstream(top_ / "made") << "again";
        }
        while (true) pause();
      }
      char byte;
      (void)!read(ready[0], &byte, 1);
      const EndedBySignals ended(leader);
      raise(SIGTERM);
    });
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), SIGTERM);
    usleep(20'000);
    EXPECT_FALSE(fs::exists(top_ / "made")) << is_stubborn;
  }
}

}  // namespace
}  // namespace tenure
