// A lock for some instructions of the threads' own bookkeeping (workers.h).
#pragma once

#include <sched.h>

#include <atomic>

namespace tenure::runtime {

// The holder is not stopped with the world, since a thread that has stopped the world may want the
// lock: the holder holds stops, or is in a safe region, or runs no code of the program.
class SpinLock {
 public:
  void lock() {
    for (int tries = 0; locked_.exchange(true, std::memory_order_acquire); ++tries) {
      while (locked_.load(std::memory_order_relaxed)) {
        __builtin_ia32_pause();
        // The holder may have lost its processor.
        if (++tries % 128 == 0) sched_yield();
      }
    }
  }
  void unlock() { locked_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> locked_{false};
};

// Holds the lock while it exists.
class SpinLocked {
 public:
  explicit SpinLocked(SpinLock& lock) : lock_(lock) { lock_.lock(); }
  ~SpinLocked() { lock_.unlock(); }
  SpinLocked(const SpinLocked&) = delete;
  SpinLocked& operator=(const SpinLocked&) = delete;

 private:
  SpinLock& lock_;
};

}  // namespace tenure::runtime
