// Threads that share the work of one collection. They are not mutators, and run while the world is
// stopped.
#pragma once

#include <pthread.h>

#include <cstddef>

#include "base/mutex.h"
#include "gc/heap_limits.h"

namespace tenure::gc {

class HelperThreads {
 public:
  // The collecting thread included.
  static constexpr size_t kMostThreads = kMostCollectorThreads;

  // Starts up to `count` threads; fewer when the system has no more. Calls malloc: no
  // thread that may have its lock is stopped.
  explicit HelperThreads(size_t count);
  // Ends them.
  ~HelperThreads();
  HelperThreads(const HelperThreads&) = delete;
  HelperThreads& operator=(const HelperThreads&) = delete;

  size_t count() const { return count_; }

  // Calls work(context, i) with i from 1 to count() on the helpers and with 0 on the calling
  // thread, and returns when all have returned.
  void Run(void (*work)(void* context, size_t i), void* context);

 private:
  struct Helper {
    HelperThreads* team;
    size_t number;
    pthread_t thread;
  };

  static void* Start(void* helper);
  void Serve(size_t number);

  Helper helpers_[kMostThreads - 1] = {};
  size_t count_ = 0;

  Mutex mutex_;  // for all below
  CondVar changed_;
  void (*work_)(void* context, size_t i) = nullptr;
  void* context_ = nullptr;
  size_t round_ TN_GUARDED_BY(mutex_) = 0;    // calls of Run
  size_t working_ TN_GUARDED_BY(mutex_) = 0;  // helpers in this round that have not returned
  bool ended_ TN_GUARDED_BY(mutex_) = false;
};

}  // namespace tenure::gc
