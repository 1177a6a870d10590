#include "base/signals_blocked.h"

#include <gtest/gtest.h>

#include <thread>

namespace tenure {
namespace {

bool IsBlocked(int signal) {
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  return sigismember(&blocked, signal) == 1;
}

TEST(SignalsBlockedTest, BlocksAllAndRestoresWhatWasBlockedBefore) {
  sigset_t before;
  sigemptyset(&before);
  sigaddset(&before, SIGUSR2);
  sigset_t outside;
  pthread_sigmask(SIG_SETMASK, &before, &outside);
  {
    const SignalsBlocked blocked;
    EXPECT_TRUE(IsBlocked(SIGUSR1));
    EXPECT_TRUE(IsBlocked(SIGINT));
  }
  EXPECT_FALSE(IsBlocked(SIGUSR1));
  EXPECT_TRUE(IsBlocked(SIGUSR2));
  pthread_sigmask(SIG_SETMASK, &outside, nullptr);
}

TEST(SignalsBlockedTest, AThreadStartedWhileTheyAreKeepsThemBlocked) {
  bool blocked_in_thread = false;
  std::thread thread;
  {
    const SignalsBlocked blocked;
    thread = std::thread([&blocked_in_thread] { blocked_in_thread = IsBlocked(SIGTERM); });
  }
  thread.join();
  EXPECT_TRUE(blocked_in_thread);
}

}  // namespace
}  // namespace tenure
