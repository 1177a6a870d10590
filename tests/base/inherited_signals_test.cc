#include "base/inherited_signals.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace tenure {
namespace {

TEST(InheritedSignals, TheStatusOfAChildIsKeptAndSignalsArrive) {
  // In a process of its own: this one's signals stay as they are.
  const pid_t process = fork();
  if (process == 0) {
    std::signal(SIGCHLD, SIG_IGN);
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, nullptr);
    ResetInheritedSignals();
    const pid_t child = fork();
    if (child == 0) _exit(7);
    int status = 0;
    const bool is_found = waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7;
    sigset_t blocked;
    sigprocmask(SIG_BLOCK, nullptr, &blocked);
    _exit(is_found && sigismember(&blocked, SIGTERM) == 0 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(process, &status, 0), process);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace tenure
