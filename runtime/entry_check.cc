// Entry points of compiled code for checked run-time errors.

#include <cstdlib>
#include <cstring>
#include <string>

#include "abi/entry_points.h"
#include "runtime/runtime_errors.h"
#include "runtime/text.h"

using namespace tenure::runtime;
using tenure::abi::RuntimeErrorCode;

extern "C" void tn_runtime_error(uint32_t error, const char* file, uint32_t line) {
  RaiseRuntimeError(static_cast<RuntimeErrorCode>(error), nullptr,
                    {file, line, __builtin_return_address(0)});
}

extern "C" void tn_assert_failed(tenure::abi::Ref text, const char* file, uint32_t line) {
  // Kept: the error may be caught, carried on and reported later.
  const char* detail = text == nullptr ? nullptr : strdup(CopyOfText(text).c_str());
  RaiseRuntimeError(RuntimeErrorCode::kAssertFailed, detail,
                    {file, line, __builtin_return_address(0)});
}
