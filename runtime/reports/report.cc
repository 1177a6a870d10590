#include "runtime/reports/report.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "abi/object_header.h"
#include "abi/value_descriptor.h"
#include "base/shown_text.h"
#include "base/standard_error.h"
#include "runtime/heap/text.h"
#include "runtime/reports/dereferences.h"
#include "runtime/reports/stack_trace.h"
#include "runtime/reports/value_text.h"
#include "runtime/start/exit_actions.h"

namespace tenure::runtime {
namespace {

// Without the `inlined` innermost frames, in which the error did not arise.
std::string TraceText(const ErrorPlace& place, size_t inlined = 0) {
  StackTrace trace = CaptureStackTrace(place.code);
  inlined = std::min(inlined, trace.frames.size());
  trace.frames.erase(trace.frames.begin(), trace.frames.begin() + static_cast<ptrdiff_t>(inlined));
  trace.cut -= std::min(trace.cut, inlined);
  if (place.file != nullptr) {
    // The place that compiled code passes is exact; an optimised line table may not be.
    if (trace.frames.empty()) trace.frames.emplace_back();
    trace.frames[0].file = PathForPeople(place.file);
    trace.frames[0].line = static_cast<int>(place.line);
  }
  std::string text;
  for (size_t i = 0; i < trace.frames.size(); ++i) {
    if (i == trace.cut && trace.frames_left_out > 0) {
      text += "    ... " + std::to_string(trace.frames_left_out) + " more\n";
    }
    text += (i == 0 ? "*** at " : "    from ") + FrameText(trace.frames[i]) + "\n";
  }
  return text;
}

// The text to write at the end. An exit action may fail itself: then its report is appended, and
// the remaining actions run, further down the stack.
std::string& Pending() {
  static auto* text = new std::string;
  return *text;
}

// The argument as people read it: the characters of a text or of atoms, any other value as in the
// source. Empty: nothing to show.
std::string TextOfArgument(const abi::ExceptionDescriptor& exception, const void* argument) {
  if (argument == nullptr || exception.argument_bytes == 0) return {};
  if (exception.argument == nullptr) return {};
  const bool is_reference = exception.argument->kind == abi::ValueKind::kReference ||
                            exception.argument->kind == abi::ValueKind::kText;
  if (is_reference) {
    abi::Ref object;
    std::memcpy(&object, argument, sizeof object);
    if (object == nullptr) return {};
    if (exception.argument->kind == abi::ValueKind::kText) return CopyOfText(object);
    std::string text = TextOfAtoms(object);
    if (!text.empty()) return text;
  }
  return ValueText(*exception.argument, argument);
}

// The text behind an exception's name in a report.
std::string ExceptionText(const abi::ExceptionDescriptor& exception, const void* argument,
                          const char* detail) {
  std::string text = TextOfArgument(exception, argument);
  if (detail != nullptr) {
    if (!text.empty()) text += ": ";
    text += detail;
  }
  return text;
}

// A failed write to a pipe without a reader is the one error of the system with this number.
void EndIfForLackOfReader(std::string_view text) {
  static const std::string number = "(errno=" + std::to_string(EPIPE) + ")";
  if (OutputIsUnread() && text.find(number) != std::string_view::npos) EndUnread();
}

[[noreturn]] void End(const std::string& headline, const ErrorPlace& place, size_t inlined = 0) {
  ClaimTheEnd();
  Pending() += ShownText(headline) + "\n" + TraceText(place, inlined);
  RunExitActions();
  FlushAtTheEnd();
  WriteToStandardError(Pending());
  _exit(kExitRuntimeError);
}

}  // namespace

std::string FrameText(const StackFrame& frame) {
  std::string text;
  if (frame.file.empty()) {
    char address[32];
    std::snprintf(address, sizeof address, "0x%lx", static_cast<unsigned long>(frame.code));
    text = address;
  } else {
    text = frame.file + ":" + std::to_string(frame.line);
  }
  return text + " in " + (frame.procedure.empty() ? "?" : frame.procedure);
}

std::string RuntimeErrorHeadline(abi::RuntimeErrorCode code, const char* detail) {
  return std::string("run-time error: ") + RuntimeErrorName(code) + ": " +
         (detail != nullptr ? detail : RuntimeErrorText(code));
}

std::string UnhandledExceptionText(const abi::ExceptionDescriptor& exception, const void* argument,
                                   const char* detail) {
  const std::string text = ExceptionText(exception, argument, detail);
  return std::string("unhandled exception: ") + exception.name + (text.empty() ? "" : ": " + text);
}

std::string BlockedExceptionText(const abi::ExceptionDescriptor& exception, const char* what,
                                 const void* procedure) {
  const StackFrame frame = DescribeProcedure(procedure);
  std::string text = std::string("exception ") + exception.name + " may not leave procedure " +
                     (frame.procedure.empty() ? "?" : frame.procedure);
  if (what != nullptr && what[0] != '\0') text += std::string(": ") + what;
  return text;
}

void ReportRuntimeError(abi::RuntimeErrorCode code, const char* detail, const ErrorPlace& place) {
  if (detail == nullptr || place.code == nullptr || std::strcmp(detail, kNilText) != 0) {
    End("*** " + RuntimeErrorHeadline(code, detail), place);
  }
  // Looking up the designator takes long; other threads must not go on during that.
  ClaimTheEnd();
  const NilDereference found = DescribeNil(place.code, CaptureStackTrace(place.code).frames);
  End("*** " + RuntimeErrorHeadline(code, found.text.c_str()), place, found.frame);
}

void ReportBlockedException(const abi::ExceptionDescriptor& exception, const char* what,
                            const void* procedure, const ErrorPlace& place) {
  if (what != nullptr) EndIfForLackOfReader(what);
  // Looking up the procedure's name may take long; other threads must not go on during that.
  ClaimTheEnd();
  ReportRuntimeError(abi::RuntimeErrorCode::kBlockedException,
                     BlockedExceptionText(exception, what, procedure).c_str(), place);
}

void ReportUnhandledException(const abi::ExceptionDescriptor& exception, const void* argument,
                              const char* detail, const ErrorPlace& place) {
  const std::string headline = UnhandledExceptionText(exception, argument, detail);
  EndIfForLackOfReader(headline);
  End("*** " + headline, place);
}

void CopyExceptionText(const abi::ExceptionDescriptor& exception, const void* argument,
                       const char* detail, char* text, size_t bytes) {
  const std::string words = ExceptionText(exception, argument, detail);
  const size_t length = std::min(words.size(), bytes - 1);
  std::memcpy(text, words.data(), length);
  text[length] = '\0';
}

void ReportCrash(std::string_view message, const ErrorPlace& place) {
  End("*** " + std::string(message), place);
}

void WriteStackTrace(const void* code) { WriteToStandardError(TraceText({nullptr, 0, code})); }

void ReportAndEndAtOnce(const char* message) {
  WriteToStandardError("*** ");
  WriteToStandardError(message);
  WriteToStandardError("\n");
  _exit(kExitRuntimeError);
}

}  // namespace tenure::runtime
