#include "base/worker_thread.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <future>
#include <thread>

#include "tests/support/no_new_threads.h"

namespace tenure {
namespace {

TEST(WorkerThreadTest, RunsOnAnotherThreadWithoutSignals) {
  std::thread::id ran_on;
  sigset_t blocked;
  WorkerThread worker;
  EXPECT_FALSE(worker.started());
  ASSERT_TRUE(worker.Start([&] {
    ran_on = std::this_thread::get_id();
    pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  }));
  EXPECT_TRUE(worker.started());
  worker.Join();
  EXPECT_FALSE(worker.started());
  EXPECT_NE(ran_on, std::thread::id());
  EXPECT_NE(ran_on, std::this_thread::get_id());
  EXPECT_EQ(sigismember(&blocked, SIGTERM), 1);
}

TEST(WorkerThreadTest, StartsAgainAndIsJoinedAtItsEnd) {
  int runs = 0;
  {
    WorkerThread worker;
    ASSERT_TRUE(worker.Start([&runs] { ++runs; }));
    worker.Join();
    worker.Join();
    ASSERT_TRUE(worker.Start([&runs] { ++runs; }));
  }
  EXPECT_EQ(runs, 2);
}

TEST(WorkerThreadTest, ADetachedOneRuns) {
  std::promise<int> promise;
  ASSERT_TRUE(WorkerThread::StartDetached([&promise] { promise.set_value(7); }));
  EXPECT_EQ(promise.get_future().get(), 7);
}

TEST(WorkerThreadTest, ThatThereIsNoneIsAnAnswer) {
  const testing::NoNewThreads none;
  bool ran = false;
  WorkerThread worker;
  EXPECT_FALSE(worker.Start([&ran] { ran = true; }));
  EXPECT_FALSE(worker.started());
  worker.Join();
  EXPECT_FALSE(WorkerThread::StartDetached([&ran] { ran = true; }));
  EXPECT_FALSE(ran);
}

}  // namespace
}  // namespace tenure
