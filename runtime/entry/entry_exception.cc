// Entry points of compiled code for exceptions.

#include "abi/entry_points.h"
#include "runtime/exceptions/exceptions.h"

using namespace tenure::runtime;

extern "C" void tn_raise(const tenure::abi::ExceptionDescriptor* exception, const void* argument,
                         const char* file, uint32_t line) {
  const ErrorPlace place = {file, line, __builtin_return_address(0)};
  Raise(*exception, argument, argument == nullptr ? 0 : exception->argument_bytes, place);
}

extern "C" void* tn_begin_catch(void* unwind_exception) {
  return BeginCatch(*ExceptionInFlight::Of(unwind_exception));
}

extern "C" void tn_end_catch(void* unwind_exception) {
  if (unwind_exception != nullptr) EndCatch(*ExceptionInFlight::Of(unwind_exception));
}

extern "C" void* tn_activation(void* unwind_exception) {
  return &ExceptionInFlight::Of(unwind_exception)->activation;
}

extern "C" void tn_reraise(void* unwind_exception) {
  Reraise(*ExceptionInFlight::Of(unwind_exception));
}
