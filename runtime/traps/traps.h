// Memory faults and arithmetic traps of compiled code. A fault in a database's pages is handed to
// stabilize/; a dereference of NIL, a stack overflow and a division by zero become run-time errors,
// raised as if the instruction had called the raise routine (docs/exceptions.md).
#pragma once

#include <cstdint>

#include "abi/program.h"
#include "base/result.h"

namespace tenure::runtime {

// The result of a fault that may be in a page of a database.
struct FaultAnswer {
  enum class Kind {
    kNotMine,   // the address belongs to no database
    kResolved,  // the access may be repeated
    kRaise,     // raise `exception` at the place of the access
  };
  Kind kind = Kind::kNotMine;
  const abi::ExceptionDescriptor* exception = nullptr;
  const char* text = nullptr;  // its argument when it is one TEXT; lives as long as the process
};

// Called in a signal handler, on its alternate stack, before the fault is taken for an error.
// `context` is the ucontext_t.
using FaultHandler = FaultAnswer (*)(uintptr_t address, bool is_write, void* context);
void SetFaultHandler(FaultHandler handler);

// Handlers for SIGSEGV, SIGBUS, SIGFPE and SIGILL. Each thread that is to use them has an alternate
// stack (Mutator::Attach).
void InstallTrapHandlers();

// Bytes of the thread's stack that raising from a trap, and a collection, need.
inline constexpr uintptr_t kStackRoomBytes = 64 << 10;

// Code that holds locks, of ours or of the C library, must not end by a stack overflow, which would
// leave them locked. So this raises StackOverflow before, as if at `place` (null: here), when
// little of the thread's stack is left. On the emergency stack it does nothing.
void RequireStackRoom(const void* place);

}  // namespace tenure::runtime
