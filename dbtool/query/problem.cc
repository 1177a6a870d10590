#include "dbtool/query/problem.h"

#include <algorithm>

namespace tenure::dbtool {

std::string ShowProblem(const QueryProblem& problem, std::string_view text) {
  const size_t begin = std::min(problem.begin, text.size());
  size_t line = begin == 0 ? std::string_view::npos : text.rfind('\n', begin - 1);
  line = line == std::string_view::npos ? 0 : line + 1;
  const size_t line_end = std::min(text.find('\n', begin), text.size());
  const size_t end = std::clamp(problem.end, begin + 1, std::max(line_end, begin + 1));
  const auto columns = [&](size_t from, size_t to) {
    size_t count = 0;
    for (size_t i = from; i < std::min(to, text.size()); ++i) {
      if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) ++count;
    }
    return count;
  };
  return problem.what + "\n  " + std::string(text.substr(line, line_end - line)) + "\n  " +
         std::string(columns(line, begin), ' ') +
         std::string(std::max<size_t>(columns(begin, end), 1), '^');
}

}  // namespace tenure::dbtool
