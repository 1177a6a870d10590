// Threads that are stopped at any instruction, wait in safe regions, hold stops, come and go, and
// were made by C code.
#include "runtime/safepoint.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "abi/entry_points.h"
#include "runtime/runtime.h"
#include "runtime/threads.h"
#include "tests/runtime/test_program.h"

namespace tenure::runtime::test {

using namespace abi;  // the entry points

namespace {

// A list of n cells, allocated in line as compiled code does it, so that stops come in between.
__attribute__((noinline)) Cell* List(int64_t n) {
  Cell* list = nullptr;
  for (int64_t i = 0; i < n; ++i) list = NewCell(i, list);
  return list;
}

int64_t Length(const Cell* list) {
  int64_t n = 0;
  for (; list != nullptr; list = list->next) ++n;
  return n;
}

gc::Heap& TheHeap() { return Runtime::Get().heap(); }

TEST(SafepointTest, ForeignThreadsAllocateWhileOthersCollect) {
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      while (!stop) {
        if (Length(List(300)) != 300) ++wrong;
      }
    });
  }
  for (int i = 0; i < 300; ++i) {
    if (i % 4 == 0) {
      TheHeap().CollectMajor();
    } else {
      TheHeap().CollectMinor();
    }
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  TheHeap().Verify();
}

TEST(SafepointTest, AWaitingThreadDoesNotKeepOthersWaiting) {
  uint64_t word = 0;
  ASSERT_TRUE(LockWord(&word).Acquire());
  std::atomic<int64_t> length{0};
  std::thread waiting([&] {
    Cell* const list = List(100);
    EXPECT_TRUE(LockWord(&word).Acquire());
    length = Length(list);
    EXPECT_TRUE(LockWord(&word).Release());
  });
  for (int i = 0; i < 50; ++i) TheHeap().CollectMajor();
  EXPECT_FALSE(LockWord(&word).Acquire());
  EXPECT_TRUE(LockWord(&word).Release());
  waiting.join();
  EXPECT_EQ(length, 100);
  EXPECT_FALSE(LockWord(&word).Release());
}

TEST(SafepointTest, AHoldDelaysTheStop) {
  std::atomic<bool> held{false};
  std::atomic<bool> collected{false};
  std::atomic<bool> early{false};
  std::thread holder([&] {
    AttachedMutator();
    HoldStops();
    HoldStops();
    held = true;
    for (int i = 0; i < 20'000'000 && !collected; ++i) __builtin_ia32_pause();
    ReleaseStops();
    early = collected.load();
    ReleaseStops();
  });
  while (!held) std::this_thread::yield();
  TheHeap().CollectMinor();
  collected = true;
  holder.join();
  EXPECT_FALSE(early);
}

TEST(SafepointTest, LocksExcludeEachOther) {
  uint64_t word = 0;
  int64_t count = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20000; ++i) {
        ASSERT_TRUE(LockWord(&word).Acquire());
        ++count;
        ASSERT_TRUE(LockWord(&word).Release());
      }
    });
  }
  for (int i = 0; i < 20; ++i) TheHeap().CollectMinor();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, 80000);
  EXPECT_EQ(word, 0u);
}

TEST(SafepointTest, TheWorldStaysStoppedUntilItIsResumed) {
  std::atomic<uint64_t> steps{0};
  std::atomic<bool> stop{false};
  std::thread running([&] {
    AttachedMutator();
    while (!stop) ++steps;
  });
  while (steps == 0) std::this_thread::yield();
  TheHeap().StopWorld();
  TheHeap().StopWorld();
  TheHeap().ResumeWorld();
  const uint64_t before = steps;
  for (int i = 0; i < 100; ++i) std::this_thread::yield();
  EXPECT_EQ(steps, before);
  TheHeap().ResumeWorld();
  while (steps == before) std::this_thread::yield();
  stop = true;
  running.join();
}

}  // namespace
}  // namespace tenure::runtime::test
