#include "base/shared_processor.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <future>
#include <thread>

#include "base/worker_thread.h"

namespace tenure {
namespace {

using std::chrono::milliseconds;
using Clock = SharedProcessor::Clock;

cpu_set_t OwnProcessors() {
  cpu_set_t set;
  EXPECT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
  return set;
}

int OwnCount() {
  const cpu_set_t set = OwnProcessors();
  return CPU_COUNT(&set);
}

// Waits at most some seconds for the calling thread to be let go.
bool IsLetGo() {
  for (int i = 0; i < 5000 && SharedProcessor::IsMember(); ++i) {
    std::this_thread::sleep_for(milliseconds(1));
  }
  return !SharedProcessor::IsMember();
}

class SharedProcessorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    before_ = OwnProcessors();
    if (CPU_COUNT(&before_) < 2) GTEST_SKIP() << "one processor";
  }

  static SharedProcessor::Limits Patient() {
    return {std::chrono::hours(1), std::chrono::hours(1), milliseconds(1)};
  }

  cpu_set_t before_;
};

TEST_F(SharedProcessorTest, MembersRunOnOneProcessorAndMayRunEverywhereAfterwards) {
  SharedProcessor shared(Patient());
  shared.Join();
  EXPECT_TRUE(SharedProcessor::IsMember());
  const cpu_set_t first = OwnProcessors();
  EXPECT_EQ(CPU_COUNT(&first), 1);
  std::thread([&] {
    // Threads that the standard library makes get the processors of their maker.
    sched_setaffinity(0, sizeof before_, &before_);
    shared.Join();
    const cpu_set_t second = OwnProcessors();
    EXPECT_TRUE(CPU_EQUAL(&first, &second));
    SharedProcessor::LeaveHere();
    const cpu_set_t after = OwnProcessors();
    EXPECT_TRUE(CPU_EQUAL(&before_, &after));
  }).join();
  EXPECT_TRUE(SharedProcessor::IsMember());
  SharedProcessor::LeaveHere();
  EXPECT_FALSE(SharedProcessor::IsMember());
  const cpu_set_t after = OwnProcessors();
  EXPECT_TRUE(CPU_EQUAL(&before_, &after));
}

TEST_F(SharedProcessorTest, AThreadThatMayNotRunThereDoesNotJoin) {
  SharedProcessor shared(Patient());
  shared.Join();
  const cpu_set_t here = OwnProcessors();
  std::thread([&] {
    cpu_set_t others;
    CPU_XOR(&others, &before_, &here);
    ASSERT_EQ(sched_setaffinity(0, sizeof others, &others), 0);
    shared.Join();
    EXPECT_FALSE(SharedProcessor::IsMember());
    const cpu_set_t after = OwnProcessors();
    EXPECT_TRUE(CPU_EQUAL(&others, &after));
  }).join();
  SharedProcessor::LeaveHere();
}

TEST_F(SharedProcessorTest, AThreadThatWorksLongIsLetGo) {
  SharedProcessor::Limits limits = Patient();
  limits.longest_work = milliseconds(2);
  SharedProcessor shared(limits);
  shared.Join();
  std::this_thread::sleep_for(milliseconds(50));
  EXPECT_TRUE(SharedProcessor::IsMember()) << "it has waited";
  SharedProcessor::NoteWork(Clock::now());
  EXPECT_TRUE(IsLetGo());
  EXPECT_EQ(OwnCount(), CPU_COUNT(&before_));
  shared.Join();
  EXPECT_TRUE(SharedProcessor::IsMember());
  SharedProcessor::LeaveHere();
}

TEST_F(SharedProcessorTest, TheProcessorIsChosenAnewAfterATime) {
  SharedProcessor shared({milliseconds(2), milliseconds(20), milliseconds(100)});
  shared.Join();
  EXPECT_TRUE(IsLetGo());
  shared.Join();
  EXPECT_FALSE(SharedProcessor::IsMember()) << "in the pause";
  std::this_thread::sleep_for(milliseconds(110));
  shared.Join();
  EXPECT_TRUE(SharedProcessor::IsMember());
  SharedProcessor::LeaveHere();
}

TEST_F(SharedProcessorTest, WhatAnotherHasSetIsKept) {
  SharedProcessor shared(Patient());
  shared.Join();
  ASSERT_EQ(sched_setaffinity(0, sizeof before_, &before_), 0);
  SharedProcessor::LeaveHere();
  EXPECT_EQ(OwnCount(), CPU_COUNT(&before_));
}

TEST_F(SharedProcessorTest, ThreadsThatAMemberStartsAreNotBound) {
  SharedProcessor shared(Patient());
  shared.Join();
  std::promise<int> count;
  ASSERT_TRUE(WorkerThread::StartDetached([&count] { count.set_value(OwnCount()); }));
  EXPECT_EQ(count.get_future().get(), CPU_COUNT(&before_));
  SharedProcessor::LeaveHere();
}

TEST_F(SharedProcessorTest, AChildOfAForkIsNotBound) {
  SharedProcessor::OfProcess().Join();
  ASSERT_TRUE(SharedProcessor::IsMember());
  const pid_t child = fork();
  if (child == 0) {
    bool good = !SharedProcessor::IsMember() && OwnCount() == CPU_COUNT(&before_);
    SharedProcessor::OfProcess().Join();
    good = good && SharedProcessor::IsMember() && OwnCount() == 1;
    _exit(good ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(SharedProcessor::IsMember());
  SharedProcessor::LeaveHere();
}

}  // namespace
}  // namespace tenure
