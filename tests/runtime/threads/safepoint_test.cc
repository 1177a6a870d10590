// Threads that are stopped at any instruction, wait in safe regions, hold stops, come and go, and
// were made by C code.
#include "runtime/threads/safepoint.h"

#include <gtest/gtest.h>
#include <link.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <thread>
#include <vector>

#include "abi/entry_points.h"
#include "base/metrics.h"
#include "base/sanitizers.h"
#include "runtime/reports/stack_trace.h"
#include "runtime/start/exit_actions.h"
#include "runtime/start/runtime.h"
#include "runtime/threads/threads.h"
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

// Under ThreadSanitizer a thread that calls nothing is not stopped.
void MayStop() {
  if constexpr (kThreadSanitizer) usleep(1);
}

gc::Heap& TheHeap() { return Runtime::Get().heap(); }

// Collects this number of times while the threads run, then ends them.
void CollectBeside(std::vector<std::thread>& threads, std::atomic<bool>& stop, int collections) {
  for (int i = 0; i < collections; ++i) {
    if (i % 4 == 0) {
      TheHeap().CollectMajor();
    } else {
      TheHeap().CollectMinor();
    }
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
}

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
  CollectBeside(threads, stop, 300);
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

TEST(SafepointTest, ParkedThreadsAllocateAgainAndLoseNothing) {
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; !stop; ++i) {
        Cell* const list = List(50 + t);
        // Often it parks again without having allocated.
        for (int park = 0; park <= i % 3; ++park) {
          const ParkedRegion parked;
          if (i % 16 == 0) usleep(100);
        }
        if (Length(list) != 50 + t || Length(List(20)) != 20) ++wrong;
      }
    });
  }
  CollectBeside(threads, stop, 200);
  EXPECT_EQ(wrong, 0);
  TheHeap().Verify();
}

TEST(SafepointTest, WorkInSessionBeginsAlsoWhileTheWorldIsStopped) {
  AttachedMutator();
  std::atomic<bool> holds{false}, is_done{false};
  std::thread other([&] {
    AttachedMutator();
    const StopsHeldUntilWait held;
    holds = true;
    while (!AttachedMutator().stop_pending) MayStop();
    WaitInSession([](void* done) { *static_cast<std::atomic<bool>*>(done) = true; }, &is_done);
    // The stop that came during the hold is over.
    EXPECT_FALSE(AttachedMutator().stop_pending);
  });
  while (!holds) usleep(100);
  TheHeap().StopWorld();
  for (int i = 0; i < 50'000 && !is_done; ++i) usleep(100);
  const bool was_done = is_done;
  TheHeap().ResumeWorld();
  other.join();
  EXPECT_TRUE(was_done);
}

TEST(SafepointTest, ThreadsThatWaitDoNotRun) {
  AttachedMutator();
  ASSERT_FALSE(Mutator::OthersRun());
  enum Step { kRuns, kWaits, kParks, kRunsAgain, kEnds };
  std::atomic<int> step{kRuns}, seen{-1};
  std::thread other([&] {
    AttachedMutator();
    const auto await = [&](int from) {
      seen = from;
      while (step == from) MayStop();
    };
    await(kRuns);
    {
      const SafeRegion waiting;
      await(kWaits);
    }
    {
      const ParkedRegion parked;
      await(kParks);
    }
    await(kRunsAgain);
  });
  for (const int now : {kRuns, kWaits, kParks, kRunsAgain}) {
    while (seen != now) usleep(100);
    EXPECT_EQ(Mutator::OthersRun(), now == kRuns || now == kRunsAgain) << now;
    step = now + 1;
  }
  other.join();
  EXPECT_FALSE(Mutator::OthersRun());
}

TEST(SafepointTest, AStopBesideWaitingThreadsTakesTheirNumberNotItsSquare) {
  if (kThreadSanitizer || kAddressSanitizer) GTEST_SKIP() << "too many threads for a sanitizer";
  const auto quickest_stop_ns = [](size_t count) {
    uint64_t word = 0;
    EXPECT_TRUE(LockWord(&word).Acquire());
    std::atomic<size_t> started{0};
    std::vector<std::thread> threads;
    for (size_t i = 0; i < count; ++i) {
      threads.emplace_back([&] {
        AttachedMutator();
        ++started;
        EXPECT_TRUE(LockWord(&word).Acquire());
        EXPECT_TRUE(LockWord(&word).Release());
      });
    }
    while (started < count) usleep(1000);
    usleep(20'000);
    uint64_t quickest = UINT64_MAX;
    for (int i = 0; i < 9; ++i) {
      const uint64_t begin = MonotonicNanoseconds();
      TheHeap().StopWorld();
      TheHeap().ResumeWorld();
      quickest = std::min(quickest, MonotonicNanoseconds() - begin);
    }
    EXPECT_TRUE(LockWord(&word).Release());
    for (std::thread& thread : threads) thread.join();
    return quickest;
  };
  const uint64_t few = quickest_stop_ns(200);
  const uint64_t many = quickest_stop_ns(1600);
  EXPECT_LE(many, 24 * few + 1'000'000) << few;
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
    while (!stop) {
      ++steps;
      MayStop();
    }
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

// The C library takes malloc's locks between the handlers of a fork.
TEST(SafepointTest, AForkWaitsForNoStoppedThread) {
  // It is identified by its addresses, in a shared library.
  if (kAddressSanitizer) GTEST_SKIP() << "the sanitizer's malloc is a part of the program";
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      AttachedMutator();
      for (size_t bytes = 1; !stop; bytes = bytes % 5000 + 7) {
        void* const block = std::malloc(bytes);
        asm volatile("" : : "r"(block) : "memory");  // otherwise the compiler would remove both
        std::free(block);
      }
    });
  }
  for (int i = 0; i < 100; ++i) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) _exit(Length(List(100)) == 100 ? 7 : 1);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
}

// The code that stops the other threads for good at the end of the process then looks for exit
// actions.
TEST(SafepointTest, NoThreadIsStoppedWithTheLockOfExitActions) {
  std::atomic<bool> stop{false};
  std::thread registering([&] {
    AttachedMutator();
    for (int i = 0; i < 1'000'000 && !stop; ++i) RegisterExitAction([] {});
  });
  for (int i = 0; i < 300; ++i) {
    TheHeap().StopWorld();
    RegisterExitAction([] {});
    TheHeap().ResumeWorld();
  }
  stop = true;
  registering.join();
}

TEST(SafepointTest, NoThreadIsStoppedInAStackTrace) {
  std::atomic<bool> stop{false};
  std::thread tracing([&] {
    AttachedMutator();
    while (!stop) CaptureStackTrace(nullptr);
  });
  for (int i = 0; i < 100; ++i) {
    TheHeap().StopWorld();
    // Takes the dynamic linker's lock.
    dl_iterate_phdr([](dl_phdr_info*, size_t, void*) { return 1; }, nullptr);
    TheHeap().ResumeWorld();
  }
  stop = true;
  tracing.join();
}

// An interrupted function has its registers on the signal stack, and its frames on its own stack.
std::atomic<int> handlers_begun{0};
std::atomic<int> handlers_ended{0};
std::atomic<bool> collected{false};

TEST(SafepointTest, AThreadIsStoppedInAHandlerOnTheStackForSignals) {
  if (kThreadSanitizer) GTEST_SKIP() << "the sanitizer calls handlers later";
  struct sigaction action = {};
  action.sa_handler = [](int) {
    ++handlers_begun;
    // The interrupted code may hold the heap's lock.
    for (int i = 0; i < 50'000 && !collected; ++i) __builtin_ia32_pause();
    ++handlers_ended;
  };
  action.sa_flags = SA_ONSTACK | SA_RESTART;
  struct sigaction before;
  ASSERT_EQ(sigaction(SIGUSR1, &action, &before), 0);
  handlers_begun = handlers_ended = 0;
  std::atomic<bool> attached{false};
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  std::thread worker([&] {
    AttachedMutator();
    attached = true;
    while (!stop) {
      if (Length(List(300)) != 300) ++wrong;
    }
  });
  while (!attached) std::this_thread::yield();
  for (int i = 1; i <= 300; ++i) {
    collected = false;
    ASSERT_EQ(pthread_kill(worker.native_handle(), SIGUSR1), 0);
    while (handlers_begun < i) std::this_thread::yield();
    TheHeap().CollectMinor();
    TheHeap().CollectMajor();
    collected = true;
    while (handlers_ended < i) std::this_thread::yield();
  }
  stop = true;
  worker.join();
  sigaction(SIGUSR1, &before, nullptr);
  EXPECT_EQ(wrong, 0);
  TheHeap().Verify();
}

}  // namespace
}  // namespace tenure::runtime::test
