// Part of each test program: a test that runs for more than a minute ends the program and is named.
// Otherwise a test that hangs would cost the whole time of its program, and nobody would know which
// it was. TENURE_TEST_SECONDS is another limit, 0 none; long forms and sanitizers have none.

#include <gtest/gtest.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/sanitizers.h"

namespace tenure {
namespace {

constexpr long kSeconds = 60;
char message[512];

void EndProgram(int) {
  (void)!write(STDERR_FILENO, message, strlen(message));
  _exit(1);
}

long LimitInSeconds() {
  if (const char* const given = getenv("TENURE_TEST_SECONDS")) return strtol(given, nullptr, 10);
  return getenv("TENURE_LONG") != nullptr || kAddressSanitizer || kThreadSanitizer ? 0 : kSeconds;
}

// A timer of the process: children that a test forks do not have it, and no thread is needed.
class TimeLimit : public testing::EmptyTestEventListener {
 public:
  explicit TimeLimit(long seconds) : seconds_(seconds) {
    struct sigaction action = {};
    action.sa_handler = EndProgram;
    sigaction(Signal(), &action, nullptr);
    sigevent event = {};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = Signal();
    made_ = timer_create(CLOCK_MONOTONIC, &event, &timer_) == 0;
  }

  void OnTestStart(const testing::TestInfo& test) override {
    snprintf(message, sizeof message, "%s.%s runs for more than %ld s: the program ends\n",
             test.test_suite_name(), test.name(), seconds_);
    Arm(seconds_);
  }
  void OnTestEnd(const testing::TestInfo&) override { Arm(0); }

 private:
  // No test and no part of the run time uses it.
  static int Signal() { return SIGRTMAX; }

  void Arm(long seconds) {
    const itimerspec end = {{0, 0}, {seconds, 0}};
    if (made_) timer_settime(timer_, 0, &end, nullptr);
  }

  const long seconds_;
  timer_t timer_ = {};
  bool made_ = false;
};

const bool limited = [] {
  // GoogleTest owns listeners.
  if (const long seconds = LimitInSeconds(); seconds > 0) {
    testing::UnitTest::GetInstance()->listeners().Append(new TimeLimit(seconds));
  }
  return true;
}();

}  // namespace
}  // namespace tenure
