#include "gc/heap_lock.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace tenure::gc {
namespace {

bool AnotherThreadHasIt(HeapLock& lock) {
  bool has = true;
  std::thread([&] { has = lock.HeldByThisThread(); }).join();
  return has;
}

TEST(HeapLock, KnowsTheThreadThatHasIt) {
  HeapLock lock;
  EXPECT_FALSE(lock.HeldByThisThread());
  lock.lock();
  EXPECT_TRUE(lock.HeldByThisThread());
  EXPECT_FALSE(AnotherThreadHasIt(lock));
  lock.unlock();
  EXPECT_FALSE(lock.HeldByThisThread());
}

TEST(HeapLock, EntryInsideAnotherOneLeavesTheLockToTheOuterOne) {
  HeapLock lock;
  {
    const HeapEntry outer(lock);
    {
      const HeapEntry inner(lock);
    }
    EXPECT_TRUE(lock.HeldByThisThread());
  }
  EXPECT_FALSE(lock.HeldByThisThread());
}

TEST(HeapLock, EntryWaitsForAnotherThread) {
  HeapLock lock;
  std::atomic<bool> entered = false;
  lock.lock();
  std::thread other([&] {
    const HeapEntry entry(lock);
    entered = true;
  });
  std::this_thread::yield();
  EXPECT_FALSE(entered);
  lock.unlock();
  other.join();
  EXPECT_TRUE(entered);
}

TEST(HeapLockDeathTest, IsNotRecursive) {
  HeapLock lock;
  lock.lock();
  EXPECT_DEATH(lock.lock(), "HeldByThisThread");
  lock.unlock();
}

}  // namespace
}  // namespace tenure::gc
