// The output of the C++ programs of OO7 and OO1: the lines of bench/support/usage, which
// measuring.parts_of reads.
#pragma once

#include <sys/resource.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace bench {

struct Spent {
  int64_t elapsed;       // nanoseconds
  int64_t user, system;  // microseconds
};

inline int64_t Nanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// Reads the time first, so that the rest of this call is not counted. A beginning reads the time
// again at its end.
inline Spent Now() {
  const int64_t elapsed = Nanoseconds();
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const auto us = [](const timeval& t) { return int64_t{t.tv_sec} * 1000000 + t.tv_usec; };
  return {elapsed, us(usage.ru_utime), us(usage.ru_stime)};
}

inline Spent Start() {
  Spent spent = Now();
  spent.elapsed = Nanoseconds();
  return spent;
}

// A line with the most memory that the process has had. The system's own figure for children also
// counts the parent before exec.
inline void TellMemory() {
  FILE* file = std::fopen("/proc/self/status", "r");
  char line[256];
  long long kilobytes;
  while (file != nullptr && std::fgets(line, sizeof line, file) != nullptr) {
    if (std::sscanf(line, "VmHWM: %lld", &kilobytes) == 1) {
      std::printf("memory peak_kb %lld\n", kilobytes);
    }
  }
  if (file != nullptr) std::fclose(file);
}

inline void Tell(const char* what, int64_t count, const Spent& from, const Spent& to,
                 int repeats = 1) {
  std::printf("%s count %lld elapsed_us %.2f user_us %lld system_us %lld repeats %d\n", what,
              static_cast<long long>(count), static_cast<double>(to.elapsed - from.elapsed) / 1000,
              static_cast<long long>(to.user - from.user),
              static_cast<long long>(to.system - from.system), repeats);
}

[[noreturn]] inline void Fail(const std::string& message) {
  std::fprintf(stderr, "%s: %s\n", program_invocation_short_name, message.c_str());
  std::exit(2);
}

}  // namespace bench
