// An error in a query.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tenure::dbtool {

// An error in a query and its place in the text: bytes from `begin` to before `end`.
struct QueryProblem {
  std::string what;
  size_t begin = 0, end = 0;
};

// The problem, the line of the text that has it, and carets below the place.
std::string ShowProblem(const QueryProblem& problem, std::string_view text);

}  // namespace tenure::dbtool
