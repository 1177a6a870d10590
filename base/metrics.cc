#include "base/metrics.h"

#include <time.h>

#include <cstdio>

#include "base/mutex.h"

namespace tenure {
namespace {

// Appends "name": with what JSON wants escaped.
void AppendKey(std::string& out, const std::string& name) {
  if (out.size() > 1) out += ',';
  out += '"';
  for (const char c : name) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof(escape), "\\u%04x", static_cast<unsigned>(c));
      out += escape;
    } else {
      out += c;
    }
  }
  out += "\":";
}

template <typename Item>
Item& FindOrMake(std::deque<Item>& items, std::string_view name) {
  for (Item& item : items) {
    if (item.name() == name) return item;
  }
  return items.emplace_back(name);
}

}  // namespace

uint64_t MonotonicNanoseconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

void PhaseTimer::Record(uint64_t nanoseconds) {
  runs_.fetch_add(1, std::memory_order_relaxed);
  total_ns_.fetch_add(nanoseconds, std::memory_order_relaxed);
  uint64_t max = max_ns_.load(std::memory_order_relaxed);
  while (nanoseconds > max &&
         !max_ns_.compare_exchange_weak(max, nanoseconds, std::memory_order_relaxed)) {
  }
}

Counter& Metrics::counter(std::string_view name) {
  const MutexLock lock(mutex_);
  return FindOrMake(counters_, name);
}

PhaseTimer& Metrics::timer(std::string_view name) {
  const MutexLock lock(mutex_);
  return FindOrMake(timers_, name);
}

std::string Metrics::ToJson() const {
  const MutexLock lock(mutex_);
  std::string out = "{";
  for (const Counter& counter : counters_) {
    AppendKey(out, counter.name());
    out += std::to_string(counter.value());
  }
  for (const PhaseTimer& timer : timers_) {
    AppendKey(out, timer.name());
    out += "{\"runs\":" + std::to_string(timer.runs()) +
           ",\"total_us\":" + std::to_string(timer.total_ns() / 1000) +
           ",\"max_us\":" + std::to_string(timer.max_ns() / 1000) + "}";
  }
  return out + "}";
}

}  // namespace tenure
