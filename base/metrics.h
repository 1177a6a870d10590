// Counters and phase timers with names, printed as one line of JSON.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "base/mutex.h"

namespace tenure {

// Nanoseconds of the system's monotonic clock.
uint64_t MonotonicNanoseconds();

// How often something happened, or how much of it there was. Any thread.
class Counter {
 public:
  explicit Counter(std::string_view name) : name_(name) {}

  void Add(uint64_t amount = 1) { value_.fetch_add(amount, std::memory_order_relaxed); }
  uint64_t value() const { return value_.load(std::memory_order_relaxed); }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  std::atomic<uint64_t> value_{0};
};

// How often a phase ran, for how long in all, and for how long at most. Any thread.
class PhaseTimer {
 public:
  explicit PhaseTimer(std::string_view name) : name_(name) {}

  void Record(uint64_t nanoseconds);

  uint64_t runs() const { return runs_.load(std::memory_order_relaxed); }
  uint64_t total_ns() const { return total_ns_.load(std::memory_order_relaxed); }
  uint64_t max_ns() const { return max_ns_.load(std::memory_order_relaxed); }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  std::atomic<uint64_t> runs_{0};
  std::atomic<uint64_t> total_ns_{0};
  std::atomic<uint64_t> max_ns_{0};
};

// Records the time from its construction to its destruction.
class PhaseScope {
 public:
  explicit PhaseScope(PhaseTimer& timer) : timer_(timer), start_ns_(MonotonicNanoseconds()) {}
  ~PhaseScope() { timer_.Record(MonotonicNanoseconds() - start_ns_); }
  PhaseScope(const PhaseScope&) = delete;
  PhaseScope& operator=(const PhaseScope&) = delete;

 private:
  PhaseTimer& timer_;
  uint64_t start_ns_;
};

// A set of counters and timers. It owns them; what it hands out lives as long as it does, so look
// a name up once and keep the reference. Any thread.
class Metrics {
 public:
  // The metric with this name, made at the first call.
  Counter& counter(std::string_view name);
  PhaseTimer& timer(std::string_view name);

  // {"name":value,...,"name":{"runs":n,"total_us":n,"max_us":n},...} in the order of creation, on
  // one line without an end of line.
  std::string ToJson() const;

 private:
  mutable Mutex mutex_;
  std::deque<Counter> counters_ TN_GUARDED_BY(mutex_);  // deque: growth does not move the counters
  std::deque<PhaseTimer> timers_ TN_GUARDED_BY(mutex_);
};

}  // namespace tenure
