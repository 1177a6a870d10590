// Locks that clang's thread safety analysis knows (base/thread_annotations.h). They are the
// standard library's: std's own carry no annotations.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <utility>

#include "base/thread_annotations.h"

namespace tenure {

// Not recursive. A thread that takes the lock twice waits for ever.
class TN_CAPABILITY("mutex") Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock() TN_ACQUIRE() { mutex_.lock(); }
  void unlock() TN_RELEASE() { mutex_.unlock(); }
  bool try_lock() TN_TRY_ACQUIRE(true) { return mutex_.try_lock(); }

 private:
  friend class MutexLock;
  std::mutex mutex_;
};

// Many readers, or one writer.
class TN_CAPABILITY("mutex") SharedMutex {
 public:
  SharedMutex() = default;
  SharedMutex(const SharedMutex&) = delete;
  SharedMutex& operator=(const SharedMutex&) = delete;

  void lock() TN_ACQUIRE() { mutex_.lock(); }
  void unlock() TN_RELEASE() { mutex_.unlock(); }
  bool try_lock() TN_TRY_ACQUIRE(true) { return mutex_.try_lock(); }
  void lock_shared() TN_ACQUIRE_SHARED() { mutex_.lock_shared(); }
  void unlock_shared() TN_RELEASE_SHARED() { mutex_.unlock_shared(); }

 private:
  std::shared_mutex mutex_;
};

// Holds a Mutex while it exists; may release it for a while and take it again.
class TN_SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) TN_ACQUIRE(mutex) : lock_(mutex.mutex_) {}
  // For a mutex that the calling thread holds already, as after try_lock().
  MutexLock(Mutex& mutex, std::adopt_lock_t) TN_REQUIRES(mutex)
      : lock_(mutex.mutex_, std::adopt_lock) {}
  ~MutexLock() TN_RELEASE() {}
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  void lock() TN_ACQUIRE() { lock_.lock(); }
  void unlock() TN_RELEASE() { lock_.unlock(); }
  bool owns_lock() const { return lock_.owns_lock(); }

 private:
  friend class CondVar;
  std::unique_lock<std::mutex> lock_;
};

// Holds any lock alone while it exists.
template <class Lock>
class TN_SCOPED_CAPABILITY LockGuard {
 public:
  explicit LockGuard(Lock& lock) TN_ACQUIRE(lock) : lock_(lock) { lock_.lock(); }
  // For a lock that the calling thread holds already, as after try_lock().
  LockGuard(Lock& lock, std::adopt_lock_t) TN_REQUIRES(lock) : lock_(lock) {}
  ~LockGuard() TN_RELEASE() { lock_.unlock(); }
  LockGuard(const LockGuard&) = delete;
  LockGuard& operator=(const LockGuard&) = delete;

 private:
  Lock& lock_;
};

// Holds a SharedMutex beside other readers while it exists.
class TN_SCOPED_CAPABILITY ReaderLock {
 public:
  explicit ReaderLock(SharedMutex& mutex) TN_ACQUIRE_SHARED(mutex) : mutex_(mutex) {
    mutex_.lock_shared();
  }
  ~ReaderLock() TN_RELEASE_GENERIC() { mutex_.unlock_shared(); }
  ReaderLock(const ReaderLock&) = delete;
  ReaderLock& operator=(const ReaderLock&) = delete;

 private:
  SharedMutex& mutex_;
};

// Waits release the lock and have it again when they return. They may return without a notice. The
// analysis does not look into a wait: the lock is held before and after it. A condition is a lambda
// of the caller and names the lock that it needs: [&]() TN_REQUIRES(mutex_) { return ready_; }.
class CondVar {
 public:
  void notify_one() { changed_.notify_one(); }
  void notify_all() { changed_.notify_all(); }

  void wait(MutexLock& lock) { changed_.wait(lock.lock_); }
  template <class Condition>
  void wait(MutexLock& lock, Condition condition) TN_NO_LOCK_ANALYSIS {
    changed_.wait(lock.lock_, std::move(condition));
  }
  template <class Rep, class Period>
  std::cv_status wait_for(MutexLock& lock, std::chrono::duration<Rep, Period> time) {
    return changed_.wait_for(lock.lock_, time);
  }
  // Whether the condition holds at the end.
  template <class Rep, class Period, class Condition>
  bool wait_for(MutexLock& lock, std::chrono::duration<Rep, Period> time,
                Condition condition) TN_NO_LOCK_ANALYSIS {
    return changed_.wait_for(lock.lock_, time, std::move(condition));
  }

 private:
  std::condition_variable changed_;
};

}  // namespace tenure
