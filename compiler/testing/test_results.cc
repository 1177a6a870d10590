#include "compiler/testing/test_results.h"

#include <algorithm>
#include <cstdlib>

namespace tenure::compiler {

namespace {

// The fields of a line, without their escapes.
std::vector<std::string> Fields(std::string_view line) {
  std::vector<std::string> fields(1);
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\t') {
      fields.emplace_back();
    } else if (line[i] == '\\' && i + 1 < line.size()) {
      const char escaped = line[++i];
      fields.back() += escaped == 'n'   ? '\n'
                       : escaped == 't' ? '\t'
                       : escaped == '0' ? '\0'
                                        : escaped;
    } else {
      fields.back() += line[i];
    }
  }
  return fields;
}

// For a test whose process ended before the test did.
std::string DescribeCrash(const IsolatedRun& run, const RunOutcome& outcome) {
  const bool by_itself =
      outcome.end == RunOutcome::End::kExited || outcome.end == RunOutcome::End::kSignalled;
  return (by_itself ? "the process of the test " : "") + DescribeEnd(run, outcome);
}

class ResultReader {
 public:
  explicit ResultReader(BenchSamples* samples) : samples_(samples) {}

  void Read(std::string_view text) {
    while (!text.empty()) {
      const size_t end = text.find('\n');
      if (end == std::string_view::npos) break;  // cut off by the end of the process
      Line(Fields(text.substr(0, end)));
      text.remove_prefix(end + 1);
    }
  }

  bool done() const { return done_; }
  std::vector<TestResult>& results() { return results_; }
  // The last one that has begun and not ended; null: none.
  TestResult* Open() { return open_.empty() ? nullptr : &results_[open_.back()]; }
  const std::vector<size_t>& open() const { return open_; }

 private:
  void Line(const std::vector<std::string>& fields) {
    const std::string& kind = fields[0];
    if (kind == "done") done_ = true;
    if (fields.size() < 2) return;
    if (kind == "begin") {
      open_.push_back(results_.size());
      results_.emplace_back().name = fields[1];
      return;
    }
    if (kind == "bench" && fields.size() >= 5 && samples_ != nullptr) {
      samples_->iterations = std::strtoull(fields[3].c_str(), nullptr, 10);
      samples_->bytes = std::strtoull(fields[4].c_str(), nullptr, 10);
      const auto taken = static_cast<double>(std::strtoull(fields[2].c_str(), nullptr, 10));
      samples_->nanoseconds.push_back(
          taken / static_cast<double>(std::max<uint64_t>(samples_->iterations, 1)));
      return;
    }
    TestResult* result = Find(fields[1]);
    if (result == nullptr || fields.size() < 4) return;
    if (kind == "fail" || kind == "log") {
      result->messages.push_back({kind == "fail", fields[2], fields[3]});
    } else if (kind == "skip") {
      result->skip_reason = fields[3];
    } else if (kind == "end") {
      result->status = fields[2] == "passed"    ? TestStatus::kPassed
                       : fields[2] == "skipped" ? TestStatus::kSkipped
                                                : TestStatus::kFailed;
      result->seconds = static_cast<double>(std::strtoull(fields[3].c_str(), nullptr, 10)) / 1e6;
      const auto index = static_cast<size_t>(result - results_.data());
      std::erase(open_, index);
    }
  }

  // The latest of that name.
  TestResult* Find(const std::string& name) {
    const auto found = std::find_if(results_.rbegin(), results_.rend(),
                                    [&](const TestResult& it) { return it.name == name; });
    return found == results_.rend() ? nullptr : &*found;
  }

  BenchSamples* samples_;
  std::vector<TestResult> results_;
  std::vector<size_t> open_;
  bool done_ = false;
};

}  // namespace

std::vector<TestResult> ReadResults(const std::string& name, std::string_view text,
                                    const IsolatedRun& run, const RunOutcome& outcome,
                                    BenchSamples* samples) {
  ResultReader reader(samples);
  reader.Read(text);
  std::vector<TestResult>& results = reader.results();
  if (results.empty() || results[0].name != name) {
    // The process ended before the test began.
    results.insert(results.begin(), TestResult());
    results[0].name = name;
    results[0].seconds = outcome.elapsed;
    results[0].crashed = true;
    results[0].messages.push_back({true, "", DescribeCrash(run, outcome)});
  } else if (!reader.done()) {
    TestResult* open = reader.Open();
    if (open == nullptr) open = &results[0];
    open->messages.push_back({true, "", DescribeCrash(run, outcome)});
    open->crashed = true;
    open->status = TestStatus::kFailed;
    for (const size_t index : reader.open()) {
      results[index].status = TestStatus::kFailed;
      results[index].crashed = true;
      results[index].seconds = outcome.elapsed;
    }
    results[0].status = TestStatus::kFailed;
    results[0].crashed = true;
  } else if (!(outcome.end == RunOutcome::End::kExited &&
               (outcome.number == 0 || outcome.number == 1))) {
    results[0].messages.push_back({true, "", "after the test, " + DescribeCrash(run, outcome)});
    results[0].status = TestStatus::kFailed;
    results[0].crashed = true;
  }
  results[0].output = outcome.output;
  return std::move(results);
}

}  // namespace tenure::compiler
