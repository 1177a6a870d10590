#include "runtime/exceptions/runtime_errors.h"

#include <cstddef>
#include <iterator>

#include "runtime/exceptions/exceptions.h"
#include "runtime/exceptions/known_exceptions.h"
#include "runtime/reports/report.h"

namespace tenure::runtime {
namespace {

struct ErrorWords {
  const char* name;
  const char* text;
};

// In the order of abi::RuntimeErrorCode.
constexpr ErrorWords kErrors[] = {
    {"AssertFailed", "assertion failed"},
    {"ValueOutOfRange", "value out of range"},
    {"SubscriptOutOfRange", "subscript out of range"},
    {"IncompatibleArrayShape", "arrays have different shapes"},
    {"BadMemoryReference", "dereference of NIL or of a bad address"},
    {"NarrowFailed", "object is not of the required type"},
    {"NoReturnValue", "function procedure ended without RETURN"},
    {"UnhandledCase", "no label of CASE matches"},
    {"UnhandledTypecase", "no type of TYPECASE matches"},
    {"StackOverflow", "stack overflow"},
    {"OutOfMemory", "out of memory"},
    {"UnalignedAddress", "unaligned address"},
    {"UnhandledException", "exception without a handler"},
    {"BlockedException", "exception is not in the procedure's raises set"},
    {"IntegerOverflow", "integer overflow"},
    {"IntegerDivideByZero", "integer division by zero"},
    {"FloatDivideByZero", "floating-point division by zero"},
    {"FloatOverflow", "floating-point overflow"},
    {"FloatUnderflow", "floating-point underflow"},
    {"FloatInexact", "inexact floating-point result"},
    {"FloatInvalid", "invalid floating-point operation"},
    {"DuplicateBrand", "two types have the same brand"},
    {"MissingType", "a type is missing"},
    {"SupertypeCycle", "a type is its own supertype"},
    {"OpaqueTypeRedefined", "an opaque type is revealed twice"},
    {"InconsistentRevelation", "a revelation contradicts the concrete type"},
    {"UndefinedMethod", "call of a NIL method"},
    {"PrivilegedInstruction", "illegal or privileged instruction"},
    {"SystemError", "system error"},
    {"Unknown", "unknown error"},
};
static_assert(std::size(kErrors) == static_cast<size_t>(abi::RuntimeErrorCode::kUnknown) + 1);

const ErrorWords& WordsOf(abi::RuntimeErrorCode code) {
  const size_t index = static_cast<size_t>(code);
  return kErrors[index < std::size(kErrors) ? index : std::size(kErrors) - 1];
}

}  // namespace

const char* RuntimeErrorName(abi::RuntimeErrorCode code) { return WordsOf(code).name; }

const char* RuntimeErrorText(abi::RuntimeErrorCode code) { return WordsOf(code).text; }

void RaiseRuntimeError(abi::RuntimeErrorCode code, const char* detail, const ErrorPlace& place) {
  if (const abi::ExceptionDescriptor* exception = known_exceptions::RuntimeError()) {
    const uint8_t argument = static_cast<uint8_t>(code);
    Raise(*exception, &argument, sizeof argument, place, detail);
  }
  ReportRuntimeError(code, detail, place);
}

}  // namespace tenure::runtime
