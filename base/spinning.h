// Waits without sleeping. To wake a thread that sleeps takes the waker some microseconds, ten or
// more where the other processor is idle, and the thread starts later still. So a wait that will
// probably be short is better spent looking.
#pragma once

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <thread>

namespace tenure {

// Looks again and again until is_done() or for `most`; whether it is done. is_done() takes some
// nanoseconds. After each `looks_between_yields` looks the thread offers its processor to others.
template <typename IsDone>
bool SpinUntil(IsDone&& is_done, std::chrono::nanoseconds most, int looks_between_yields = 32) {
  const auto until = std::chrono::steady_clock::now() + most;
  do {
    for (int i = 0; i < looks_between_yields; ++i) {
      if (is_done()) return true;
      __builtin_ia32_pause();
    }
    // The thread that it waits for may be on this processor.
    sched_yield();
  } while (std::chrono::steady_clock::now() < until);
  return false;
}

// Whether waits of one kind should be spent so: seldom, if they have been in vain lately, because
// they are long or other processes have the processors. For one thread, or with a lock.
class SpinPatience {
 public:
  // From here on no wait is spent so: to wake a thread takes no call of the kernel.
  static void Forbid() { forbidden_ = true; }

  bool ShouldSpin() {
    static const bool has_others = std::thread::hardware_concurrency() > 1;
    if (!has_others || forbidden_) return false;
    if (to_skip_ == 0) return true;
    --to_skip_;
    return false;
  }
  void Note(bool in_vain) {
    constexpr uint32_t kMostSkipped = 255;
    vain_ = in_vain ? std::min(2 * vain_ + 1, kMostSkipped) : vain_ / 2;
    if (in_vain) to_skip_ = vain_;
  }

 private:
  static inline bool forbidden_ = false;

  uint32_t vain_ = 0, to_skip_ = 0;
};

}  // namespace tenure
