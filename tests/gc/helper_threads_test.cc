#include "gc/helper_threads.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>

namespace tenure::gc {
namespace {

struct Calls {
  std::atomic<int> of[HelperThreads::kMostThreads] = {};
};

TEST(HelperThreadsTest, EachOneWorksOnceInEachRound) {
  HelperThreads helpers(3);
  ASSERT_EQ(helpers.count(), 3u);
  Calls calls;
  for (int round = 1; round <= 100; ++round) {
    helpers.Run([](void* context, size_t i) { ++static_cast<Calls*>(context)->of[i]; }, &calls);
    for (size_t i = 0; i < HelperThreads::kMostThreads; ++i) {
      ASSERT_EQ(calls.of[i], i <= 3 ? round : 0) << i;
    }
  }
}

TEST(HelperThreadsTest, NoneIsEnough) {
  HelperThreads helpers(0);
  Calls calls;
  helpers.Run([](void* context, size_t i) { ++static_cast<Calls*>(context)->of[i]; }, &calls);
  EXPECT_EQ(calls.of[0], 1);
}

TEST(HelperThreadsTest, ThereIsALimit) {
  EXPECT_EQ(HelperThreads(1000).count() + 1, HelperThreads::kMostThreads);
}

TEST(HelperThreadsTest, SignalsAreForOtherThreads) {
  HelperThreads helpers(2);
  std::atomic<int> blocked = 0;
  helpers.Run(
      [](void* context, size_t i) {
        sigset_t mask;
        pthread_sigmask(SIG_SETMASK, nullptr, &mask);
        if (i > 0 && sigismember(&mask, SIGTERM) == 1) ++*static_cast<std::atomic<int>*>(context);
      },
      &blocked);
  EXPECT_EQ(blocked, 2);
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  EXPECT_EQ(sigismember(&mask, SIGTERM), 0);
}

}  // namespace
}  // namespace tenure::gc
