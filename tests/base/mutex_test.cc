// Which lock guards what, the compiler checks; here: that the wrappers lock.
#include "base/mutex.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace tenure {
namespace {

bool CanBeTakenByAnother(Mutex& mutex) {
  bool taken = false;
  std::thread([&] {
    taken = mutex.try_lock();
    if (taken) mutex.unlock();
  }).join();
  return taken;
}

TEST(Mutex, IsHeldWhileTheLockExistsAndHasNotReleasedIt) {
  Mutex mutex;
  {
    MutexLock lock(mutex);
    EXPECT_FALSE(CanBeTakenByAnother(mutex));
    lock.unlock();
    EXPECT_TRUE(CanBeTakenByAnother(mutex));
    lock.lock();
    EXPECT_FALSE(CanBeTakenByAnother(mutex));
  }
  EXPECT_TRUE(CanBeTakenByAnother(mutex));
}

TEST(Mutex, LockThatWasTakenBeforeIsReleasedByItsGuard) {
  Mutex mutex;
  ASSERT_TRUE(mutex.try_lock());
  {
    const MutexLock lock(mutex, std::adopt_lock);
  }
  EXPECT_TRUE(CanBeTakenByAnother(mutex));
}

TEST(SharedMutex, ReadersKeepOutAWriterAndNoReader) {
  SharedMutex mutex;
  {
    const ReaderLock lock(mutex);
    bool read = false, written = false;
    std::thread([&] {
      const ReaderLock other(mutex);
      read = true;
    }).join();
    std::thread([&] {
      written = mutex.try_lock();
      if (written) mutex.unlock();
    }).join();
    EXPECT_TRUE(read);
    EXPECT_FALSE(written);
  }
  {
    const LockGuard alone(mutex);
  }
}

TEST(CondVar, WaitReleasesTheLockAndHasItAgain) {
  Mutex mutex;
  CondVar changed;
  bool ready = false;
  std::thread other([&] {
    const MutexLock lock(mutex);
    ready = true;
    changed.notify_all();
  });
  {
    MutexLock lock(mutex);
    changed.wait(lock, [&]() TN_REQUIRES(mutex) { return ready; });
    EXPECT_TRUE(lock.owns_lock());
    EXPECT_FALSE(CanBeTakenByAnother(mutex));
  }
  other.join();
}

TEST(CondVar, WaitInVainSaysSo) {
  Mutex mutex;
  CondVar changed;
  MutexLock lock(mutex);
  EXPECT_FALSE(changed.wait_for(lock, std::chrono::milliseconds(1), [] { return false; }));
}

}  // namespace
}  // namespace tenure
