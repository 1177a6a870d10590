#include "dbtool/query/problem.h"

#include <algorithm>

#include "base/shown_text.h"
#include "base/terminal_text.h"

namespace tenure::dbtool {

namespace {

// The text with a '?' for each character that a terminal would act upon.
std::string InCells(std::string_view text) {
  return ReplaceControls(text, [](uint32_t) { return std::string("?"); });
}

}  // namespace

std::string ShowProblem(const QueryProblem& problem, std::string_view text) {
  const size_t begin = std::min(problem.begin, text.size());
  size_t line = begin == 0 ? std::string_view::npos : text.rfind('\n', begin - 1);
  line = line == std::string_view::npos ? 0 : line + 1;
  const size_t line_end = std::min(text.find('\n', begin), text.size());
  const size_t end = std::clamp(problem.end, begin + 1, std::max(line_end, begin + 1));
  const auto columns = [&](size_t from, size_t to) {
    return CellsOf(InCells(text.substr(from, std::min(to, text.size()) - from)));
  };
  return ShownText(problem.what) + "\n  " + InCells(text.substr(line, line_end - line)) + "\n  " +
         std::string(columns(line, begin), ' ') +
         std::string(std::max<size_t>(columns(begin, end), 1), '^');
}

}  // namespace tenure::dbtool
