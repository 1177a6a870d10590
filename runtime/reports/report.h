// The last words of a program that fails: standard output is flushed through the exit actions, then
// stderr gets
//   *** run-time error: NAME: text        or   *** unhandled exception: Interface.Name: text
// (of an exception its argument, and what else the run time knows about the error), then
//   *** at FILE:LINE in PROC
//       from FILE:LINE in PROC            one line for each caller
// and the process ends with status 4. A program that fails because nobody reads its output any more
// ends without a report (runtime/start/exit_actions.h).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "abi/program.h"
#include "base/exit_status.h"
#include "runtime/exceptions/runtime_errors.h"
#include "runtime/reports/stack_trace.h"

namespace tenure::runtime {

// `detail` replaces the standard text of the error unless it is null.
[[noreturn]] void ReportRuntimeError(abi::RuntimeErrorCode code, const char* detail,
                                     const ErrorPlace& place);

// `detail`: more words, behind the argument; null for none.
[[noreturn]] void ReportUnhandledException(const abi::ExceptionDescriptor& exception,
                                           const void* argument, const char* detail,
                                           const ErrorPlace& place);

// The texts of these reports, without the asterisks: "run-time error: NAME: text" and "unhandled
// exception: Interface.Name: text"; the detail of a BlockedException, `what` as `text` below; a
// frame as "FILE:LINE in PROC".
std::string RuntimeErrorHeadline(abi::RuntimeErrorCode code, const char* detail);
std::string UnhandledExceptionText(const abi::ExceptionDescriptor& exception, const void* argument,
                                   const char* detail);
std::string BlockedExceptionText(const abi::ExceptionDescriptor& exception, const char* what,
                                 const void* procedure);
std::string FrameText(const StackFrame& frame);

// "*** MESSAGE" with place and trace, for Process.Crash.
[[noreturn]] void ReportCrash(std::string_view message, const ErrorPlace& place);

// Writes the calling thread's stack to stderr, and goes on. `code` as in CaptureStackTrace.
void WriteStackTrace(const void* code);

// Writes a line to stderr and calls _exit: for places where nothing else may be called.
[[noreturn]] void ReportAndEndAtOnce(const char* message);

// A BlockedException: the exception may not leave this procedure (any address in its code).
// `text` is that of CopyExceptionText.
[[noreturn]] void ReportBlockedException(const abi::ExceptionDescriptor& exception,
                                         const char* text, const void* procedure,
                                         const ErrorPlace& place);

// Writes to `text` what a report shows behind the exception's name, as a C string of at most
// `bytes` bytes: the argument, then the detail, which may be null. Not in a signal handler.
void CopyExceptionText(const abi::ExceptionDescriptor& exception, const void* argument,
                       const char* detail, char* text, size_t bytes);

}  // namespace tenure::runtime
