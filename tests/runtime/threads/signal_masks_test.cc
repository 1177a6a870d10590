// Blocking all signals for a moment changes nothing for those that compiled code needs.

#include "runtime/threads/signal_masks.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>

#include "base/sanitizers.h"
#include "base/signals_blocked.h"
#include "runtime/threads/safepoint.h"

namespace tenure::runtime {
namespace {

#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)

bool IsBlocked(int signal) {
  sigset_t now;
  pthread_sigmask(SIG_BLOCK, nullptr, &now);
  return sigismember(&now, signal) == 1;
}

// As the system does before it calls a handler.
void Block(int signal, int how) {
  const unsigned long set = 1UL << (signal - 1);
  ASSERT_EQ(syscall(SYS_rt_sigprocmask, how, &set, nullptr, sizeof set), 0);
}

TEST(SignalMasks, NeededSignalsStayUnblocked) {
  UnblockNeededSignals();
  {
    const SignalsBlocked blocked;
    EXPECT_FALSE(IsBlocked(kStopSignal));
    EXPECT_FALSE(IsBlocked(SIGSEGV));
    EXPECT_TRUE(IsBlocked(SIGUSR1));
  }
  EXPECT_FALSE(IsBlocked(SIGUSR1));
}

// A thread that reopened a store in the handler of a fault was stopped there, with the session's
// lock: starting the store's threads had unblocked the stop.
TEST(SignalMasks, AStopThatWasBlockedStaysBlocked) {
  UnblockNeededSignals();
  Block(kStopSignal, SIG_BLOCK);
  {
    const SignalsBlocked blocked;
    EXPECT_TRUE(IsBlocked(kStopSignal));
  }
  EXPECT_TRUE(IsBlocked(kStopSignal));
  EXPECT_FALSE(IsBlocked(SIGSEGV));
  Block(kStopSignal, SIG_UNBLOCK);
  EXPECT_FALSE(IsBlocked(kStopSignal));
}

#endif

}  // namespace
}  // namespace tenure::runtime
