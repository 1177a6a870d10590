// Checked run-time errors (language.md 23): their names, and how they are raised.
#pragma once

#include <cstdint>

#include "abi/program.h"

namespace tenure::runtime {

// "ValueOutOfRange", the name in RuntimeError.T; "Unknown" for a number that is not a code.
const char* RuntimeErrorName(abi::RuntimeErrorCode code);

// "value out of range".
const char* RuntimeErrorText(abi::RuntimeErrorCode code);

// Where an error arose. `file` is null when only the code address is known.
struct ErrorPlace {
  const char* file = nullptr;
  uint32_t line = 0;
  const void* code = nullptr;  // return address in, or address of, the failing instruction
};

// Raises RuntimeError.E where a handler for it is in force; otherwise reports and ends the process
// with status 4. `detail`, which is copied, replaces the standard text in the report; null for
// none. Leaves C++ frames without running destructors.
[[noreturn]] void RaiseRuntimeError(abi::RuntimeErrorCode code, const char* detail,
                                    const ErrorPlace& place);

}  // namespace tenure::runtime
