#include "stabilize/state/session_lock.h"

#include <gtest/gtest.h>

#include <mutex>
#include <thread>

namespace tenure::stabilize {
namespace {

bool AnotherThreadGets(SessionLock& lock) {
  bool got = false;
  std::thread([&] {
    const CallbackGuard guard(lock, std::try_to_lock);
    got = guard.has_lock();
  }).join();
  return got;
}

TEST(SessionLock, ACallbackOfAnOperationWorksUnderItsLockAndLeavesIt) {
  SessionLock lock;
  const std::lock_guard operation(lock);
  {
    const CallbackGuard waiting(lock);
    const CallbackGuard trying(lock, std::try_to_lock);
    EXPECT_TRUE(trying.has_lock());
  }
  EXPECT_TRUE(lock.HeldByThisThread());
  EXPECT_FALSE(AnotherThreadGets(lock));
}

TEST(SessionLock, ACallbackOutsideOfOperationsTakesTheLockAndGivesItBack) {
  SessionLock lock;
  {
    const CallbackGuard guard(lock);
    EXPECT_TRUE(lock.HeldByThisThread());
    EXPECT_FALSE(AnotherThreadGets(lock));
  }
  EXPECT_FALSE(lock.HeldByThisThread());
  EXPECT_TRUE(AnotherThreadGets(lock));
}

TEST(SessionLock, IsNotHeldByTheThreadThatDoesNotHoldIt) {
  SessionLock lock;
  const std::lock_guard operation(lock);
  bool held = true, got = true;
  std::thread([&] {
    held = lock.HeldByThisThread();
    got = lock.try_lock();
  }).join();
  EXPECT_FALSE(held);
  EXPECT_FALSE(got);
}

TEST(SessionLockDeathTest, TakenAgainByItsHolderItEndsTheProcess) {
  SessionLock lock;
  const std::lock_guard operation(lock);
  EXPECT_FALSE(lock.try_lock());
  EXPECT_DEATH(lock.lock(), "HeldByThisThread");
}

}  // namespace
}  // namespace tenure::stabilize
