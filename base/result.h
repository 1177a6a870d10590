// How functions return failures of the world (disk, lock, memory). There are no C++ exceptions.
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/check.h"

namespace tenure {

enum class StatusCode : uint8_t {
  kOk,
  kInvalidArgument,
  kNotFound,
  kExists,
  kInUse,           // another process or thread has it
  kClosed,          // used after it was closed
  kPermission,      // the system does not allow it
  kIo,              // the device or the file system failed
  kNoSpace,         // the disk or a quota is full
  kNoMemory,        // memory or address space is exhausted
  kCorrupt,         // stored data is damaged
  kFormat,          // stored data has a version that we do not know
  kTypeMismatch,    // stored data has another type than the program's
  kConflict,        // another transaction won
  kAborted,         // the transaction has been aborted
  kUnknownOutcome,  // committed or not: unknown
  kNotSupported,
  // The codes from here on are a session's about itself; messages of the page server have none.
  kTransactionOpen,  // not while a transaction is open
  kNoTransaction,    // only in a transaction
  kOpenHere,         // this process has opened it already
  kReadOnly,         // a write in a read-only transaction
};

constexpr const char* StatusCodeName(StatusCode code) {
  switch (code) {
    case StatusCode::kOk: return "ok";
    case StatusCode::kInvalidArgument: return "invalid argument";
    case StatusCode::kNotFound: return "not found";
    case StatusCode::kExists: return "exists already";
    case StatusCode::kInUse: return "in use";
    case StatusCode::kClosed: return "closed";
    case StatusCode::kPermission: return "not permitted";
    case StatusCode::kIo: return "input/output error";
    case StatusCode::kNoSpace: return "no space left";
    case StatusCode::kNoMemory: return "out of memory";
    case StatusCode::kCorrupt: return "damaged data";
    case StatusCode::kFormat: return "unknown format";
    case StatusCode::kTypeMismatch: return "type mismatch";
    case StatusCode::kConflict: return "conflict";
    case StatusCode::kAborted: return "aborted";
    case StatusCode::kUnknownOutcome: return "unknown outcome";
    case StatusCode::kNotSupported: return "not supported";
    case StatusCode::kTransactionOpen: return "transaction in progress";
    case StatusCode::kNoTransaction: return "no transaction";
    case StatusCode::kOpenHere: return "open in this process";
    case StatusCode::kReadOnly: return "the transaction is read-only";
  }
  return "unknown status";
}

// Success, or what failed. It owns nothing and its destructor is trivial: raising a Modula-3
// exception leaves C++ frames without unwinding them.
class [[nodiscard]] Status {
 public:
  constexpr Status() = default;  // success

  // text: a string literal (it is kept, not copied). number: errno, a page number, or another
  // number that the text is about; 0 for none.
  constexpr Status(StatusCode code, const char* text, int64_t number = 0)
      : text_(text), number_(number), code_(code) {}

  static constexpr Status Ok() { return Status(); }

  constexpr bool ok() const { return code_ == StatusCode::kOk; }
  constexpr StatusCode code() const { return code_; }
  constexpr const char* text() const { return text_; }
  constexpr int64_t number() const { return number_; }

 private:
  const char* text_ = "";
  int64_t number_ = 0;
  StatusCode code_ = StatusCode::kOk;
};

static_assert(std::is_trivially_destructible_v<Status>);

// A T, or the Status of the failure. Trivially destructible if T is.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(Status failure) : status_(failure) { TN_CHECK(!failure.ok()); }

  bool ok() const { return value_.has_value(); }
  Status status() const { return status_; }

  // Only when ok().
  T& value() & {
    TN_CHECK(ok());
    return *value_;
  }
  const T& value() const& {
    TN_CHECK(ok());
    return *value_;
  }
  T&& value() && {
    TN_CHECK(ok());
    return std::move(*value_);
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  std::optional<T> value_;
  Status status_;
};

}  // namespace tenure

// Evaluates the expression, a Status, and returns it from this function unless it is ok.
#define TN_RETURN_IF_ERROR(expression)               \
  do {                                               \
    const ::tenure::Status tn_status = (expression); \
    if (!tn_status.ok()) return tn_status;           \
  } while (false)

// Evaluates the expression, a Result, and returns its status from this function unless it is ok;
// else moves its value to the variable, which is there already or declared:
//   TN_ASSIGN_OR_RETURN(const size_t bytes, SizeOf(file));
// These are two statements: not for an if without braces.
#define TN_ASSIGN_OR_RETURN(variable, expression) \
  TN_ASSIGN_OR_RETURN_AS(TN_RESULT_NAME(__LINE__), variable, expression)

#define TN_ASSIGN_OR_RETURN_AS(result, variable, expression) \
  auto result = (expression);                                \
  if (!result.ok()) return result.status();                  \
  variable = *std::move(result)
#define TN_RESULT_NAME(line) TN_RESULT_NAME_OF(line)
#define TN_RESULT_NAME_OF(line) tn_result_##line
