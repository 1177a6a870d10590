#include "compiler/testing/junit.h"

#include <unistd.h>

#include <cstdio>
#include <ctime>
#include <map>

#include "compiler/testing/clean_text.h"

namespace tenure::compiler {

namespace {

std::string Seconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6f", seconds);
  return text;
}

std::string Attribute(const char* name, const std::string& value) {
  // Attributes have their new lines written as references, or readers make blanks of them.
  std::string clean;
  for (const char c : CleanXml(value)) {
    if (c == '\n') {
      clean += "&#10;";
    } else if (c == '\t') {
      clean += "&#9;";
    } else {
      clean += c;
    }
  }
  return std::string(" ") + name + "=\"" + clean + "\"";
}

// "QueueTest" and "TestPush/empty" of "QueueTest.TestPush/empty"; a program has no dot outside of
// its file's name.
struct Name {
  explicit Name(const std::string& full) {
    const size_t subtest = std::min(full.find('/'), full.size());
    const size_t dot = full.rfind('.', subtest);
    if (full.ends_with(".m3") || dot == std::string::npos) {
      suite = "programs";
      test = full;
      return;
    }
    suite = full.substr(0, dot);
    test = full.substr(dot + 1);
  }
  std::string suite, test;
};

struct Counts {
  size_t tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0;

  void Add(const TestResult& result) {
    ++tests;
    failures += result.status == TestStatus::kFailed && !result.crashed;
    errors += result.status == TestStatus::kFailed && result.crashed;
    skipped += result.status == TestStatus::kSkipped;
    if (!result.IsSubtest()) seconds += result.seconds;
  }
  std::string Attributes(bool with_skipped, double time) const {
    std::string text = Attribute("tests", std::to_string(tests)) +
                       Attribute("failures", std::to_string(failures)) +
                       Attribute("errors", std::to_string(errors));
    if (with_skipped) text += Attribute("skipped", std::to_string(skipped));
    return text + Attribute("time", Seconds(time));
  }
};

std::string Case(const TestResult& result, const Name& name) {
  std::string xml = "    <testcase" + Attribute("classname", name.suite) +
                    Attribute("name", name.test) + Attribute("time", Seconds(result.seconds)) +
                    ">\n";
  std::string log;
  if (result.status == TestStatus::kSkipped) {
    xml += "      <skipped" + Attribute("message", result.skip_reason) + "/>\n";
  }
  if (result.status == TestStatus::kFailed) {
    std::string first, all;
    for (const TestMessage& message : result.messages) {
      if (!message.is_failure) continue;
      if (first.empty()) first = message.text.substr(0, message.text.find('\n'));
      all += (message.place.empty() ? "" : message.place + ": ") + message.text + "\n";
    }
    if (first.empty()) first = "a subtest failed";
    const char* element = result.crashed ? "error" : "failure";
    xml += std::string("      <") + element + Attribute("message", first) +
           Attribute("type", result.crashed ? "crash" : "check") + ">" + CleanXml(all) + "</" +
           element + ">\n";
  }
  for (const TestMessage& message : result.messages) {
    if (!message.is_failure) log += message.text + "\n";
  }
  if (!result.output.empty() || !log.empty()) {
    xml += "      <system-out>" + CleanXml(log + result.output) + "</system-out>\n";
  }
  return xml + "    </testcase>\n";
}

std::string Timestamp() {
  const std::time_t now = std::time(nullptr);
  std::tm pieces;
  gmtime_r(&now, &pieces);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &pieces);
  return text;
}

}  // namespace

std::string JunitXml(const std::vector<TestResult>& results, const std::string& package,
                     double seconds) {
  struct Suite {
    Counts counts;
    std::string cases;
  };
  std::map<std::string, Suite> suites;
  Counts all;
  for (const TestResult& result : results) {
    const Name name(result.name);
    Suite& suite = suites[name.suite];
    suite.counts.Add(result);
    suite.cases += Case(result, name);
    all.Add(result);
  }
  char host[256] = "localhost";
  gethostname(host, sizeof host - 1);
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" +
                    Attribute("name", package) + all.Attributes(false, seconds) + ">\n";
  const std::string timestamp = Timestamp();
  for (const auto& [name, suite] : suites) {
    xml += "  <testsuite" + Attribute("name", name) +
           suite.counts.Attributes(true, suite.counts.seconds) + Attribute("timestamp", timestamp) +
           Attribute("hostname", host) + ">\n" + suite.cases + "  </testsuite>\n";
  }
  return xml + "</testsuites>\n";
}

}  // namespace tenure::compiler
