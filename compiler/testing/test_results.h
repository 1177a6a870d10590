// The results of tests: what a test program has written about them, and how its process ended.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/testing/isolated_run.h"

namespace tenure::compiler {

enum class TestStatus : uint8_t { kPassed, kSkipped, kFailed };

struct TestMessage {
  bool is_failure = false;  // else a line of the log
  std::string place;        // "FILE:LINE", or empty
  std::string text;
};

// A test or subtest, a whole program in `tests`, or a benchmark.
struct TestResult {
  std::string name;
  TestStatus status = TestStatus::kFailed;
  bool crashed = false;  // its process did not end as a test's does
  double seconds = 0;
  std::string skip_reason;
  std::vector<TestMessage> messages;
  std::string output;  // of its process; of a subtest: empty

  bool IsSubtest() const { return name.find('/') != std::string::npos; }
};

// The times of a benchmark's calls.
struct BenchSamples {
  uint64_t iterations = 0;          // of each call
  uint64_t bytes = 0;               // bytes that an iteration handles; 0: not told
  std::vector<double> nanoseconds;  // of one iteration, by call
};

// The results of the process that ran the test `name`, in the order in which they began: first the
// test, then its subtests. `results` is the text of the file that the process wrote. A test that
// had not ended has failed, with the process's end as its message.
std::vector<TestResult> ReadResults(const std::string& name, std::string_view results,
                                    const IsolatedRun& run, const RunOutcome& outcome,
                                    BenchSamples* samples = nullptr);

}  // namespace tenure::compiler
