// The lock of the heap.
//
// The thread that stops the world keeps the lock until it resumes the world, and may call every
// function of the heap meanwhile; so may the objects that a collection calls (PersistentSpace,
// RootSource). Functions of the heap therefore enter by HeapEntry, which works under the lock that
// the thread has.
// docs/decisions/0027-the-heaps-lock-belongs-to-the-thread-that-stopped-the-world.md
#pragma once

#include <atomic>

#include "base/check.h"
#include "base/mutex.h"

namespace tenure::gc {

// Not recursive: lock() by the thread that holds the lock ends the process. A thread is known by an
// address of its own, not by the system's number of it, so that the child of a fork can unlock what
// the forking thread has locked in the parent.
class TN_CAPABILITY("heap lock") HeapLock {
 public:
  void lock() TN_ACQUIRE() TN_NO_LOCK_ANALYSIS {
    TN_CHECK(!HeldByThisThread());
    mutex_.lock();
    holder_.store(Self(), std::memory_order_relaxed);
  }
  void unlock() TN_RELEASE() TN_NO_LOCK_ANALYSIS {
    holder_.store(nullptr, std::memory_order_relaxed);
    mutex_.unlock();
  }
  // Any thread may ask.
  bool HeldByThisThread() const { return holder_.load(std::memory_order_relaxed) == Self(); }

 private:
  static const void* Self() {
    static thread_local char self;
    return &self;
  }

  Mutex mutex_;
  std::atomic<const void*> holder_{nullptr};
};

// While it exists the calling thread has the lock: the guard takes and releases it, unless the
// thread has it already.
// The analysis takes it for a guard that always locks.
class TN_SCOPED_CAPABILITY HeapEntry {
 public:
  explicit HeapEntry(HeapLock& lock) TN_ACQUIRE(lock) TN_NO_LOCK_ANALYSIS
      : lock_(lock),
        owns_(!lock.HeldByThisThread()) {
    if (owns_) lock_.lock();
  }
  ~HeapEntry() TN_RELEASE() TN_NO_LOCK_ANALYSIS {
    if (owns_) lock_.unlock();
  }
  HeapEntry(const HeapEntry&) = delete;
  HeapEntry& operator=(const HeapEntry&) = delete;

 private:
  HeapLock& lock_;
  const bool owns_;
};

}  // namespace tenure::gc
