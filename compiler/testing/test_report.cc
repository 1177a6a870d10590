#include "compiler/testing/test_report.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "compiler/testing/clean_text.h"

namespace tenure::compiler {

namespace fs = std::filesystem;

namespace {

// Each line of the text, behind the indent.
std::string Indented(const std::string& text, const std::string& indent) {
  std::string lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines += indent + text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return lines;
}

std::string Headline(const TestResult& result) {
  const char* word = result.status == TestStatus::kPassed    ? "ok      "
                     : result.status == TestStatus::kSkipped ? "skipped "
                                                             : "FAILED  ";
  char time[32] = "";
  if (result.seconds >= 0.01) std::snprintf(time, sizeof time, " (%.2f s)", result.seconds);
  std::string line = word + CleanText(result.name) + time;
  if (!result.skip_reason.empty()) line += ": " + CleanText(result.skip_reason);
  return line + "\n";
}

std::string PlaceFrom(const std::string& place, const std::string& directory) {
  const std::string file = place.substr(0, place.rfind(':'));
  std::error_code ignored;
  if (place.empty() || place[0] == '/' || fs::exists(file, ignored)) return place;
  const std::string there = (fs::path(directory) / place).lexically_normal().string();
  return fs::exists(fs::path(directory) / file, ignored) ? there : place;
}

}  // namespace

std::string ReportTest(const std::vector<TestResult>& results, bool verbose,
                       const std::string& directory) {
  constexpr const char* kIndent = "        ";
  std::string text;
  for (const TestResult& result : results) {
    const bool failed = result.status == TestStatus::kFailed;
    // A subtest of a test that has passed, or that has passed itself, is of little interest.
    if (result.IsSubtest() && !failed && !verbose) continue;
    text += Headline(result);
    if (!failed && !verbose) continue;
    for (const TestMessage& message : result.messages) {
      const std::string place = PlaceFrom(message.place, directory);
      const std::string body = CleanText(message.text);
      text += Indented((place.empty() ? "" : CleanText(place) + ": ") + body, kIndent);
    }
    if (!result.output.empty()) {
      text += std::string(kIndent) + "output:\n";
      text += Indented(CleanText(result.output), std::string(kIndent) + "| ");
    }
  }
  return text;
}

}  // namespace tenure::compiler
