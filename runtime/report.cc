#include "runtime/report.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "abi/object_header.h"
#include "base/standard_error.h"
#include "runtime/exit_actions.h"
#include "runtime/stack_trace.h"
#include "runtime/text.h"

namespace tenure::runtime {
namespace {

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

std::string TraceText(const ErrorPlace& place) {
  StackTrace trace = CaptureStackTrace(place.code);
  if (place.file != nullptr) {
    // The place that compiled code passes is exact; an optimised line table may not be.
    if (trace.frames.empty()) trace.frames.emplace_back();
    trace.frames[0].file = place.file;
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

// Whether `object` is of the type that the library calls `name`.
bool IsNamed(abi::Ref object, std::string_view name) {
  return abi::ObjectHeader::Of(object)->type()->name == name;
}

abi::Ref FieldOf(abi::Ref object, size_t index) {
  abi::Ref field;
  std::memcpy(&field, static_cast<const char*>(object) + index * sizeof field, sizeof field);
  return field;
}

// An atom's text is its first field (stdlib/text/Atom.m3).
std::string TextOfAtom(abi::Ref atom) {
  const abi::Ref text = FieldOf(atom, 0);
  return text == nullptr ? std::string() : CopyOfText(text);
}

// The atoms of a list, head and tail (stdlib/data/List.ig): "No such file or directory (errno=2)".
// The errors of the system have their number first, for programs.
std::string TextOfAtoms(abi::Ref list) {
  constexpr int kAtomsMost = 16;
  std::string text, number;
  for (int i = 0; list != nullptr && i < kAtomsMost; ++i, list = FieldOf(list, 1)) {
    const abi::Ref atom = FieldOf(list, 0);
    if (atom == nullptr) continue;
    std::string part = TextOfAtom(atom);
    if (i == 0 && part.starts_with("errno=")) {
      number = std::move(part);
      continue;
    }
    if (!text.empty()) text += ": ";
    text += part;
  }
  if (text.empty()) return number;
  return number.empty() ? text : text + " (" + number + ")";
}

// The text of the argument: a text itself, or the texts of an atom or a list of atoms. Empty for
// any other argument.
std::string TextOfArgument(const abi::ExceptionDescriptor& exception, const void* argument) {
  const bool is_reference = exception.argument_bytes == sizeof(abi::Ref) &&
                            exception.argument_run_count == 1 &&
                            exception.argument_runs[0].kind == abi::SlotKind::kReference;
  if (!is_reference) return {};
  const abi::Ref object = FieldOf(const_cast<void*>(argument), 0);
  if (object == nullptr) return {};
  if ((exception.flags & abi::kExceptionHasText) != 0) return CopyOfText(object);
  if (IsNamed(object, "Atom.T")) return TextOfAtom(object);
  if (IsNamed(object, "AtomList.T")) return TextOfAtoms(object);
  return {};
}

[[noreturn]] void End(const std::string& headline, const ErrorPlace& place) {
  ClaimTheEnd();
  Pending() += headline + "\n" + TraceText(place);
  RunExitActions();
  FlushAtTheEnd();
  WriteToStandardError(Pending());
  _exit(kExitRuntimeError);
}

}  // namespace

void ReportRuntimeError(abi::RuntimeErrorCode code, const char* detail, const ErrorPlace& place) {
  End(std::string("*** run-time error: ") + RuntimeErrorName(code) + ": " +
          (detail != nullptr ? detail : RuntimeErrorText(code)),
      place);
}

void ReportBlockedException(const abi::ExceptionDescriptor& exception, const void* procedure,
                            const ErrorPlace& place) {
  // Looking up the procedure's name may take long; other threads must not go on during that.
  ClaimTheEnd();
  const StackFrame frame = DescribeCode(procedure);
  const std::string text = std::string("exception ") + exception.name +
                           " may not leave procedure " +
                           (frame.procedure.empty() ? "?" : frame.procedure);
  ReportRuntimeError(abi::RuntimeErrorCode::kBlockedException, text.c_str(), place);
}

void ReportUnhandledException(const abi::ExceptionDescriptor& exception, const void* argument,
                              const ErrorPlace& place) {
  std::string headline = std::string("*** unhandled exception: ") + exception.name;
  const std::string text = TextOfArgument(exception, argument);
  if (!text.empty()) headline += ": " + text;
  End(headline, place);
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
