// Waiting for a word in memory to change (Linux futexes, private to the process).
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

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

// Sleeps while *word == expected, at most until `deadline` (CLOCK_MONOTONIC; null: for ever). May
// return early. False when the deadline has passed. Leaves errno alone; allowed in signal handlers.
inline bool FutexWait(const void* word, uint32_t expected, const timespec* deadline = nullptr) {
  const int saved_errno = errno;
  const long result = syscall(SYS_futex, word, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, expected,
                              deadline, nullptr, FUTEX_BITSET_MATCH_ANY);
  const bool timed_out = result != 0 && errno == ETIMEDOUT;
  errno = saved_errno;
  return !timed_out;
}

// Wakes at most `count` that sleep on the word.
inline void FutexWake(const void* word, int count = INT_MAX) {
  const int saved_errno = errno;
  syscall(SYS_futex, word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, count, nullptr, nullptr, 0);
  errno = saved_errno;
}

}  // namespace tenure
