// What every C++ program of OO7 prints: the lines of `oo7 measure` (bench/oo7/Main.m3).
#pragma once

#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "bench/oo7_cpp/operations.h"

namespace oo7 {

constexpr int kIterations = 5;

struct Spent {
  int64_t elapsed;       // nanoseconds
  int64_t user, system;  // microseconds
};

inline int64_t Nanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// First the time: what comes after it belongs to nobody. A beginning takes it again.
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
  std::fprintf(stderr, "oo7: %s\n", message.c_str());
  std::exit(2);
}

inline int OperationNamed(const char* name) {
  const int operation = OperationOf(name);
  if (operation < 0) Fail(std::string("'") + name + "' is no operation");
  return operation;
}

// small, medium, small-x5 ...
inline Configuration ConfigurationOf(const std::string& name) {
  Configuration configuration;
  const size_t dash = name.find("-x");
  const std::string size = name.substr(0, dash);
  if (dash != std::string::npos) configuration.modules = std::atoi(name.c_str() + dash + 2);
  if (size == "medium") {
    configuration.atomic_parts = 200;
    configuration.manual_size = 1000 * 1000;
  } else if (size != "small") {
    configuration.modules = 0;
  }
  if (configuration.modules <= 0) Fail("'" + name + "' is no configuration");
  return configuration;
}

// Five iterations of an operation, the first of them of one execution; `chain`, if `many`, is
// called after each but the last, and timed.
template <class Chain>
void Measure(Library* library, int operation, bool many, const Chain& chain) {
  Module* m = library->modules[0];
  for (int i = 1; i <= kIterations; ++i) {
    const int repeats = many || i == 1 ? 1 : kRepeats[operation];
    PrepareFor(operation, library, m);
    const Spent from = Start();
    const int64_t count = Perform(operation, library, m);
    for (int repeat = 1; repeat < repeats; ++repeat) Perform(operation, library, m, repeat);
    const Spent to = Now();
    Tell("iteration", count, from, to, repeats);
    if (many && i < kIterations) {
      chain();
      Tell("chain", 0, to, Now());
    }
  }
}

// The program of a heap that does not outlive it: NAME CONFIGURATION OPERATION.
inline int MeasureInMemory(int argc, char** argv) {
  if (argc != 3) Fail("usage: CONFIGURATION OPERATION");
  const int operation = OperationNamed(argv[2]);
  const Configuration configuration = ConfigurationOf(argv[1]);
  const Spent from = Start();
  Library* library = Build(configuration);
  Tell("build", int64_t{library->next_composite} * configuration.atomic_parts, from, Now());
  Measure(library, operation, false, [] {});
  TellMemory();
  return 0;
}

}  // namespace oo7
