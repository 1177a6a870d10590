// Checks that stop the process because the program itself is wrong. Failures of the world (disk,
// lock, memory) are a Status (base/result.h); mistakes in a user's source are diagnostics.
#pragma once

namespace tenure {

// Prints "FILE:LINE: check failed: TEXT" to stderr and aborts. Allocates nothing and takes no lock,
// so it may be called anywhere, also in a signal handler. Any thread.
[[noreturn]] void CheckFailed(const char* file, int line, const char* text);

}  // namespace tenure

// Always on. The condition must have no side effect that anyone relies on.
#define TN_CHECK(condition)                          \
  (__builtin_expect(static_cast<bool>(condition), 1) \
       ? static_cast<void>(0)                        \
       : ::tenure::CheckFailed(__FILE__, __LINE__, #condition))

// On in builds configured with --debug; elsewhere the condition is compiled but not evaluated.
#ifdef TENURE_DEBUG
#define TN_DCHECK(condition) TN_CHECK(condition)
#else
#define TN_DCHECK(condition) static_cast<void>(sizeof(static_cast<bool>(condition)))
#endif

#define TN_UNREACHABLE() ::tenure::CheckFailed(__FILE__, __LINE__, "this place is never reached")
