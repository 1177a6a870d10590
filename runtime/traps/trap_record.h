// The signal handler's record on the stack, for the code that raises; trap_trampoline.S knows where
// rip, rsp and r11 are.
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi/program.h"

namespace tenure::runtime {

struct TrapRecord {
  enum class Cause : uint64_t {
    kRuntimeError,  // raise it
    kFatalError,    // report it; no handler may take it
    kException,     // raise `exception`
  };

  uintptr_t rip;  // of the trapping instruction
  uintptr_t rsp;  // when it trapped
  Cause cause;
  abi::RuntimeErrorCode error;
  const abi::ExceptionDescriptor* exception;
  const char* text;  // detail of the error, or argument of the exception; may be null
  // When it trapped: the start of a procedure with a large frame finds its caller by it.
  uintptr_t r11 = 0;
  const void* place = nullptr;  // what to report instead of rip, or null
};
static_assert(offsetof(TrapRecord, rip) == 0);
static_assert(offsetof(TrapRecord, rsp) == 8);
static_assert(offsetof(TrapRecord, r11) == 48);
static_assert(sizeof(TrapRecord) % 16 == 0);

}  // namespace tenure::runtime
