// The requests that threads have sent to page servers without the session's lock
// (stabilize/session/page_requests.h).
#pragma once

#include <condition_variable>
#include <cstdint>
#include <new>

#include "stabilize/state/session_lock.h"

namespace tenure::stabilize {

// Needs the session's lock.
class RequestsUnderWay {
 public:
  bool any() const { return count_ != 0; }
  // How many operations have begun: an answer is of use only if none began since it was asked for.
  uint64_t operations() const { return operations_; }

  void Begin() { ++count_; }
  void End() {
    if (--count_ == 0) none_.notify_all();
  }
  // Releases the lock meanwhile.
  void AwaitNone(SessionLock& lock) {
    none_.wait(lock, [&] { return count_ == 0; });
  }
  void BeginOperation(SessionLock& lock) {
    AwaitNone(lock);
    ++operations_;
  }
  // In the child of a fork: no other thread waits.
  void AfterForkInChild() { new (&none_) std::condition_variable_any; }

 private:
  uint64_t count_ = 0;
  uint64_t operations_ = 0;
  std::condition_variable_any none_;
};

}  // namespace tenure::stabilize
