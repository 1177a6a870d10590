// Waiting for a word in memory to change: Linux futexes, private to the process, or what a run time
// that switches threads by itself has in their place.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstdint>
#include <ctime>

namespace tenure {

// A deadline for FutexWait.
inline timespec FutexDeadline(std::chrono::steady_clock::time_point when) {
  const auto ns = std::chrono::nanoseconds(when.time_since_epoch()).count();
  return {ns / 1'000'000'000, ns % 1'000'000'000};
}

// The deadline that is `seconds` from now, or further away than any program runs.
inline timespec FutexDeadlineAfter(double seconds) {
  constexpr double kLongest = 1e9;  // fits
  const std::chrono::nanoseconds wait(static_cast<int64_t>(std::min(seconds, kLongest) * 1e9));
  return FutexDeadline(std::chrono::steady_clock::now() + wait);
}

// The kernel's own wait, which blocks the kernel thread: it sleeps while *word == expected, at most
// until `deadline` (CLOCK_MONOTONIC; null: for ever). May return early. False when the deadline has
// passed. Leaves errno alone; allowed in signal handlers. Only KernelFutexWake ends it.
inline bool KernelFutexWait(const void* word, uint32_t expected,
                            const timespec* deadline = nullptr) {
  const int saved_errno = errno;
  const long result = syscall(SYS_futex, word, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, expected,
                              deadline, nullptr, FUTEX_BITSET_MATCH_ANY);
  const bool timed_out = result != 0 && errno == ETIMEDOUT;
  errno = saved_errno;
  return !timed_out;
}

// Wakes at most `count` that sleep on the word in KernelFutexWait.
inline void KernelFutexWake(const void* word, int count = INT_MAX) {
  const int saved_errno = errno;
  syscall(SYS_futex, word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, count, nullptr, nullptr, 0);
  errno = saved_errno;
}

// What takes the place of the kernel's calls, with the same contracts. Set before any thread waits.
struct FutexCalls {
  bool (*wait)(const void* word, uint32_t expected, const timespec* deadline);
  void (*wake)(const void* word, int count);
  void (*will_block)();
};
inline std::atomic<const FutexCalls*> futex_calls{nullptr};

// KernelFutexWait, or what takes its place. Not in signal handlers.
inline bool FutexWait(const void* word, uint32_t expected, const timespec* deadline = nullptr) {
  const FutexCalls* const calls = futex_calls.load(std::memory_order_relaxed);
  return calls != nullptr ? calls->wait(word, expected, deadline)
                          : KernelFutexWait(word, expected, deadline);
}

// Wakes at most `count` that sleep on the word in FutexWait. Not in signal handlers.
inline void FutexWake(const void* word, int count = INT_MAX) {
  const FutexCalls* const calls = futex_calls.load(std::memory_order_relaxed);
  if (calls != nullptr) return calls->wake(word, count);
  KernelFutexWake(word, count);
}

// The calling thread is about to wait in the kernel for long, for a disk for instance: what runs
// other threads on its kernel thread lets them run elsewhere.
inline void WillBlock() {
  const FutexCalls* const calls = futex_calls.load(std::memory_order_relaxed);
  if (calls != nullptr) calls->will_block();
}

}  // namespace tenure
