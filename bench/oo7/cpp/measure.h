// The output of every C++ program of OO7: the lines of `oo7 measure` (bench/oo7/tenure/Main.m3).
#pragma once

#include <string>

#include "bench/oo7/cpp/operations.h"
#include "bench/support/cpp/usage.h"
#include "lab/oo7/configurations.h"

namespace oo7 {

using bench::Fail;
using bench::Now;
using bench::Spent;
using bench::Start;
using bench::Tell;
using bench::TellMemory;

constexpr int kIterations = 5;

inline int OperationNamed(const char* name) {
  const int operation = OperationOf(name);
  if (operation < 0) Fail(std::string("'") + name + "' is not an operation");
  return operation;
}

// small, medium, big, small-x5 ...
inline Configuration ConfigurationOf(const std::string& name) {
  Configuration configuration;
  if (!tenure::lab::oo7::ConfigurationNamed(name, &configuration)) {
    Fail("'" + name + "' is not a configuration");
  }
  return configuration;
}

// Five iterations of an operation, the first of them of one execution; `chain`, if `many`, is
// called after each iteration but the last, and timed.
template <class Chain>
void Measure(Library* library, int operation, bool many, const Chain& chain) {
  Module* m = library->modules[0];
  for (int i = 1; i <= kIterations; ++i) {
    const int repeats = many || i == 1 ? 1 : kRepeats[operation];
    Operations::PrepareFor(operation, library, m);
    const Spent from = Start();
    const int64_t count = Operations::Perform(operation, library, m);
    for (int repeat = 1; repeat < repeats; ++repeat)
      Operations::Perform(operation, library, m, repeat);
    const Spent to = Now();
    Tell("iteration", count, from, to, repeats);
    if (many && i < kIterations) {
      chain();
      Tell("chain", 0, to, Now());
    }
  }
}

// The main program for a heap that ends with the process: NAME CONFIGURATION OPERATION.
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
