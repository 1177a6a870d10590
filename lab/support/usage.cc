#include "lab/support/usage.h"

#include <sys/resource.h>

#include <chrono>
#include <cstdio>

namespace tenure::lab {

Spent Now() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  const auto us = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_usec);
  };
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return {
      static_cast<double>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count()) / 1000,
      us(usage.ru_utime), us(usage.ru_stime)};
}

void Tell(const char* what, int64_t count, const Spent& from, const Spent& to, int repeats) {
  std::printf("%s count %lld elapsed_us %.2f user_us %.0f system_us %.0f repeats %d\n", what,
              static_cast<long long>(count), to.elapsed - from.elapsed, to.user - from.user,
              to.system - from.system, repeats);
}

}  // namespace tenure::lab
