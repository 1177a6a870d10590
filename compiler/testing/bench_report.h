// The times of benchmarks, compared with a saved run.
#pragma once

#include <map>
#include <string>

#include "compiler/testing/test_results.h"

namespace tenure::compiler {

struct BenchResult {
  uint64_t iterations = 0;
  uint64_t bytes = 0;            // bytes that an iteration handles; 0: not told
  double least = 0, median = 0;  // nanoseconds of an iteration
  double spread = 0;             // half the distance of the quartiles, as a part of the median
};

// `samples` has at least one.
BenchResult Summarize(const BenchSamples& samples);

// A saved run: a line for each benchmark, fields separated by tabs.
std::string SavedText(const std::map<std::string, BenchResult>& results);
// Leaves out lines that are no benchmark's.
std::map<std::string, BenchResult> ReadSaved(const std::string& text);

// One line about a benchmark, with a comparison unless `before` is null: a difference of the
// medians counts as a change only if it is larger than both spreads together.
std::string BenchLine(const std::string& name, const BenchResult& result,
                      const BenchResult* before);

}  // namespace tenure::compiler
