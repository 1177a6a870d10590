#include "compiler/testing/bench_report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <vector>

namespace tenure::compiler {

namespace {

// The value below which a part of the sorted values lies.
double Quantile(const std::vector<double>& sorted, double part) {
  const double at = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(at);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (at - static_cast<double>(below));
}

std::string Time(double nanoseconds) {
  char text[32];
  if (nanoseconds < 1e3) {
    std::snprintf(text, sizeof text, "%.2f ns", nanoseconds);
  } else if (nanoseconds < 1e6) {
    std::snprintf(text, sizeof text, "%.2f us", nanoseconds / 1e3);
  } else if (nanoseconds < 1e9) {
    std::snprintf(text, sizeof text, "%.2f ms", nanoseconds / 1e6);
  } else {
    std::snprintf(text, sizeof text, "%.2f s", nanoseconds / 1e9);
  }
  return text;
}

}  // namespace

BenchResult Summarize(const BenchSamples& samples) {
  std::vector<double> sorted = samples.nanoseconds;
  std::sort(sorted.begin(), sorted.end());
  BenchResult result;
  result.iterations = samples.iterations;
  result.bytes = samples.bytes;
  result.least = sorted.front();
  result.median = Quantile(sorted, 0.5);
  if (result.median > 0) {
    result.spread = (Quantile(sorted, 0.75) - Quantile(sorted, 0.25)) / 2 / result.median;
  }
  return result;
}

std::string SavedText(const std::map<std::string, BenchResult>& results) {
  std::string text;
  for (const auto& [name, result] : results) {
    char numbers[160];
    std::snprintf(numbers, sizeof numbers, "\t%.4f\t%.4f\t%.6f\t%llu\t%llu\n", result.median,
                  result.least, result.spread, static_cast<unsigned long long>(result.iterations),
                  static_cast<unsigned long long>(result.bytes));
    text += name + numbers;
  }
  return text;
}

std::map<std::string, BenchResult> ReadSaved(const std::string& text) {
  std::map<std::string, BenchResult> results;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const size_t tab = line.find('\t');
    if (tab == std::string::npos) continue;
    BenchResult result;
    unsigned long long iterations = 0, bytes = 0;
    if (std::sscanf(line.c_str() + tab, "\t%lf\t%lf\t%lf\t%llu\t%llu", &result.median,
                    &result.least, &result.spread, &iterations, &bytes) != 5) {
      continue;
    }
    result.iterations = iterations;
    result.bytes = bytes;
    results[line.substr(0, tab)] = result;
  }
  return results;
}

std::string BenchLine(const std::string& name, const BenchResult& result,
                      const BenchResult* before) {
  char text[256];
  std::snprintf(text, sizeof text, "%-40s %12s  min %s  +-%.1f %%  %llu iterations", name.c_str(),
                Time(result.median).c_str(), Time(result.least).c_str(), 100 * result.spread,
                static_cast<unsigned long long>(result.iterations));
  std::string line = text;
  if (result.bytes > 0 && result.median > 0) {
    std::snprintf(text, sizeof text, "  %.1f MB/s",
                  static_cast<double>(result.bytes) / result.median * 1e3);
    line += text;
  }
  if (before != nullptr && before->median > 0) {
    const double change = result.median / before->median - 1;
    const bool is_noise = std::fabs(change) <= result.spread + before->spread;
    std::snprintf(text, sizeof text, "  (%s %s%+.1f %%)", Time(before->median).c_str(),
                  is_noise     ? "~ "
                  : change < 0 ? "faster "
                               : "SLOWER ",
                  100 * change);
    line += text;
  }
  return line + "\n";
}

}  // namespace tenure::compiler
