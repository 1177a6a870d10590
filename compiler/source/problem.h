// Why a build cannot be done: a file, a directory, a tool. Errors in the source are Diagnostics.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "base/exit_status.h"
#include "base/result.h"
#include "base/shown_text.h"

namespace tenure::compiler {

// None, or the code and the text of one problem: a Status of base/result.h whose text is made at
// run time.
class [[nodiscard]] Problem {
 public:
  Problem() = default;  // none
  Problem(StatusCode code, std::string text) : code_(code), text_(std::move(text)) {}
  // A wrong use of the command. An empty text is no problem: what functions that write files
  // return.
  explicit Problem(std::string text)
      : code_(text.empty() ? StatusCode::kOk : StatusCode::kInvalidArgument),
        text_(std::move(text)) {}
  // "TEXT: " and what the system calls its error.
  static Problem OfSystem(const std::string& text, int error) {
    return {CodeOf(error), text + ": " + std::strerror(error)};
  }
  static Problem OfSystem(const std::string& text, const std::error_code& error) {
    return {CodeOf(error.value()), text + ": " + error.message()};
  }

  bool ok() const { return code_ == StatusCode::kOk; }
  StatusCode code() const { return code_; }
  const std::string& text() const { return text_; }
  // The same problem, with a text in front of its own; none stays none.
  Problem Behind(const std::string& front) const {
    return ok() ? Problem() : Problem(code_, front + text_);
  }

  // Prints the problem on stderr. Returns the exit status for it.
  int Print(ExitStatus status = kExitEnvironment) const {
    std::fprintf(stderr, "tenure: %s\n", ShownText(text_).c_str());
    return status;
  }

 private:
  static StatusCode CodeOf(int error) {
    switch (error) {
      case ENOENT:
      case ENOTDIR: return StatusCode::kNotFound;
      case EEXIST: return StatusCode::kExists;
      case EINVAL: return StatusCode::kInvalidArgument;
      case EACCES:
      case EPERM:
      case EROFS: return StatusCode::kPermission;
      case ENOSPC:
      case EDQUOT: return StatusCode::kNoSpace;
      case ENOMEM: return StatusCode::kNoMemory;
      default: return StatusCode::kIo;
    }
  }

  StatusCode code_ = StatusCode::kOk;
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

// Evaluates the expression, a Problem, and returns it from this function unless it is none.
#define TN_RETURN_IF_PROBLEM(expression)                         \
  do {                                                           \
    const ::tenure::compiler::Problem tn_problem = (expression); \
    if (!tn_problem.ok()) return tn_problem;                     \
  } while (false)
