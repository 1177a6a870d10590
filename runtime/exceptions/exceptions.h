// Raising Modula-3 exceptions. libgcc's two-phase unwinder finds handlers through the tables that
// LLVM writes (personality.cc); without a raise, handlers cost nothing. docs/exceptions.md
// explains.
#pragma once

#include <unwind.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "abi/program.h"
#include "runtime/exceptions/runtime_errors.h"
#include "runtime/reports/stack_trace.h"

namespace tenure::runtime {

class Mutator;

// "TENUREM3": ours among the exceptions of other languages.
inline constexpr uint64_t kExceptionClass = 0x54454e5552454d33;

// The view that Compiler.ThisException gives of an exception: RT0.RaiseActivation.
struct RaiseActivation {
  const abi::ExceptionDescriptor* descriptor;
  const void* argument;  // null: none
  const char* file;      // of the RAISE; null: unknown
  int64_t line;
};

// One raised exception, from Raise to EndCatch. Allocated with malloc, and linked into its thread's
// list, through which the collector finds the references in the argument.
struct ExceptionInFlight {
  _Unwind_Exception unwind;
  const abi::ExceptionDescriptor* descriptor;
  ExceptionInFlight* next;
  ErrorPlace place;
  char* detail;  // for the report, behind the argument; null: none
  // For a BlockedException: the exception that may not leave, and the procedure. Null otherwise.
  struct Blocked {
    const abi::ExceptionDescriptor* exception = nullptr;
    const void* procedure = nullptr;
  } blocked;
  // The stack pointer of the frame whose handler or cleanup runs, or UINTPTR_MAX while none does.
  // When the thread's stack is above it, that frame is gone and the exception was abandoned (a
  // FINALLY part that raised another one).
  uintptr_t landed_stack;
  // The stack pointer at the raise.
  uintptr_t raised_stack;
  // A frame whose raises set does not allow the exception; null: none was met in the search.
  const void* blocked_by;
  RaiseActivation activation;
  alignas(16) unsigned char argument[];

  static ExceptionInFlight* Of(void* unwind_exception) {
    return static_cast<ExceptionInFlight*>(unwind_exception);
  }
};
static_assert(offsetof(ExceptionInFlight, unwind) == 0);

// Raises the exception with a copy of `argument_bytes` bytes of argument (the rest of the
// descriptor's argument_bytes is zero) and of `detail`: more words for the report of an exception
// that nobody handles, null for none. Does not return: it resumes at a handler, or reports that
// there is none (or that a raises set does not let it pass) and ends the process with status 4,
// having run no FINALLY part. C++ frames between are left without destructors.
[[noreturn]] void Raise(const abi::ExceptionDescriptor& exception, const void* argument,
                        size_t argument_bytes, const ErrorPlace& place,
                        const char* detail = nullptr);

// More words for the report of the next exception that the calling thread raises without a detail.
void ExplainNext(std::string_view words);

// Raises an exception that has landed in a handler once more, from there.
[[noreturn]] void Reraise(ExceptionInFlight& exception);

// Raises an exception whose argument is one TEXT (null: NIL), or that has none: then `text` is for
// the report. May collect.
[[noreturn]] void RaiseWithText(const abi::ExceptionDescriptor& exception, const char* text,
                                const ErrorPlace& place);

// The headline in the report of an unhandled exception: "run-time error: NAME: text" or "exception
// Interface.Name: text".
std::string HeadlineOf(const ExceptionInFlight& exception);

// From now on each thread remembers where it raised its latest exception, for programs that run
// tests.
void RememberRaises();
// The frames of the raise, the innermost first, without the run time's own; empty unless the
// exception is the latest that the calling thread has raised, after RememberRaises. A deep stack is
// cut off.
std::vector<StackFrame> RememberedRaise(const ExceptionInFlight& exception);

// In a landing pad: where the argument lies. After an OutOfMemory nothing is left on the dead part
// of the stack that would keep objects alive.
void* BeginCatch(ExceptionInFlight& exception);
// Frees it.
void EndCatch(ExceptionInFlight& exception);

// Frees the exceptions that an ending thread still has in flight.
void FreeExceptions(Mutator& mutator);

// Calls visit(const void* begin, const void* end) for the argument of each exception in flight.
void ForEachArgument(const Mutator& mutator,
                     void (*visit)(void* context, const void* begin, const void* end),
                     void* context);

}  // namespace tenure::runtime
