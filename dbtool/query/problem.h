// What is wrong with a query.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tenure::dbtool {

// What is wrong with a query, and where in its text: bytes from `begin` to before `end`.
struct QueryProblem {
  std::string what;
  size_t begin = 0, end = 0;
};

// The problem, the line of the text that has it, and carets below the place.
std::string ShowProblem(const QueryProblem& problem, std::string_view text);

}  // namespace tenure::dbtool
