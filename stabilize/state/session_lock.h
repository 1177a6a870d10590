// The lock of a session.
//
// A public operation of Session takes the lock once; functions that are given the SessionState
// expect that their caller holds it. While an operation holds the lock, a page server or the
// collector that the operation calls may call back on the same thread. Those entries, and no
// others, use CallbackGuard: they work under the lock that the operation holds.
#pragma once

#include <pthread.h>

#include <atomic>

#include "base/check.h"
#include "base/mutex.h"

namespace tenure::stabilize {

// Not recursive: lock() by the thread that holds the lock ends the process.
class TN_CAPABILITY("session lock") SessionLock {
 public:
  void lock() TN_ACQUIRE() TN_NO_LOCK_ANALYSIS {
    TN_CHECK(!HeldByThisThread());
    mutex_.lock();
    SetHolder();
  }
  // False also for the thread that holds the lock.
  bool try_lock() TN_TRY_ACQUIRE(true) TN_NO_LOCK_ANALYSIS {
    if (HeldByThisThread() || !mutex_.try_lock()) return false;
    SetHolder();
    return true;
  }
  void unlock() TN_RELEASE() TN_NO_LOCK_ANALYSIS {
    held_.store(false, std::memory_order_relaxed);
    mutex_.unlock();
  }
  // Any thread may ask.
  bool HeldByThisThread() const {
    return held_.load(std::memory_order_acquire) &&
           pthread_equal(holder_.load(std::memory_order_relaxed), pthread_self()) != 0;
  }

 private:
  void SetHolder() {
    holder_.store(pthread_self(), std::memory_order_relaxed);
    held_.store(true, std::memory_order_release);
  }

  Mutex mutex_;
  std::atomic<bool> held_ = false;
  std::atomic<pthread_t> holder_ = {};  // when held_
};

// For entries that are called from below: ensures the lock, which this thread's operation holds
// already or the guard takes.
// The analysis takes it for a guard that always locks.
class TN_SCOPED_CAPABILITY CallbackGuard {
 public:
  explicit CallbackGuard(SessionLock& lock) TN_ACQUIRE(lock) TN_NO_LOCK_ANALYSIS
      : lock_(lock),
        owns_(!lock.HeldByThisThread()) {
    if (owns_) lock_.lock();
  }
  // Does not wait: see has_lock().
  CallbackGuard(SessionLock& lock, std::try_to_lock_t) TN_ACQUIRE(lock) TN_NO_LOCK_ANALYSIS
      : lock_(lock),
        has_lock_(lock.HeldByThisThread()) {
    if (!has_lock_) has_lock_ = owns_ = lock_.try_lock();
  }
  ~CallbackGuard() TN_RELEASE() TN_NO_LOCK_ANALYSIS {
    if (owns_) lock_.unlock();
  }
  CallbackGuard(const CallbackGuard&) = delete;
  CallbackGuard& operator=(const CallbackGuard&) = delete;

  bool has_lock() const { return has_lock_; }

 private:
  SessionLock& lock_;
  bool has_lock_ = true;
  bool owns_ = false;
};

}  // namespace tenure::stabilize
