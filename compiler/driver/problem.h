// Why a build cannot be done: a file, a directory, a tool. Errors in the source are Diagnostics.
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <utility>

#include "base/exit_status.h"

namespace tenure::compiler {

// None, or the text of one problem. base/result.h has no text that is made at run time.
class [[nodiscard]] Problem {
 public:
  Problem() = default;  // none
  // An empty text is no problem: what functions of other rooms return.
  explicit Problem(std::string text) : text_(std::move(text)) {}

  bool ok() const { return text_.empty(); }
  const std::string& text() const { return text_; }

  // Prints the problem on stderr. Returns the exit status for it.
  int Print(ExitStatus status = kExitEnvironment) const {
    std::fprintf(stderr, "tenure: %s\n", text_.c_str());
    return status;
  }

 private:
  std::string text_;
};

// A T, or the problem that prevented it.
template <typename T>
class [[nodiscard]] OrProblem {
 public:
  OrProblem(T value) : value_(std::move(value)) {}
  OrProblem(Problem problem) : problem_(std::move(problem)) {}

  bool ok() const { return value_.has_value(); }
  const Problem& problem() const { return problem_; }
  // Only when ok().
  T& operator*() { return *value_; }
  T* operator->() { return &*value_; }

 private:
  std::optional<T> value_;
  Problem problem_;
};

}  // namespace tenure::compiler
