// The lock of the heap. Recursive, because what is done with the world stopped may ask the heap.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>

namespace tenure::gc {

// Unlike std::recursive_mutex it can be unlocked in the child of a fork by the thread that locked
// it in the parent: it does not know threads by the numbers that the system gives them.
class HeapLock {
 public:
  void lock() {
    const void* self = Self();
    if (owner_.load(std::memory_order_relaxed) != self) {
      mutex_.lock();
      owner_.store(self, std::memory_order_relaxed);
    }
    ++depth_;
  }
  void unlock() {
    if (--depth_ > 0) return;
    owner_.store(nullptr, std::memory_order_relaxed);
    mutex_.unlock();
  }

 private:
  static const void* Self() {
    static thread_local char self;
    return &self;
  }

  std::mutex mutex_;
  std::atomic<const void*> owner_{nullptr};
  size_t depth_ = 0;  // with mutex_
};

}  // namespace tenure::gc
