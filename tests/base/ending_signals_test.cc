#include "base/ending_signals.h"

#include <gtest/gtest.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tenure {
namespace {

TEST(EndingSignalsTest, AreTakenByWhoeverWaitsForThem) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const sigset_t ending = BlockEndingSignals({SIGHUP, SIGTERM});
    raise(SIGHUP);
    raise(SIGPIPE);
    int taken = 0;
    _exit(sigwait(&ending, &taken) == 0 && taken == SIGHUP ? 7 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

}  // namespace
}  // namespace tenure
