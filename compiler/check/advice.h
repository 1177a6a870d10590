// The proposal of a message: words, and changes of the source that together carry the proposal out.
// Internal to compiler/check.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/check/scope.h"
#include "compiler/diagnostics/diagnostics.h"
#include "compiler/types/describe.h"
#include "compiler/types/type.h"

namespace tenure::compiler {

struct Advice {
  std::string text;  // empty: no advice
  std::vector<DiagnosticFix> fixes;
  bool no_fix = false;  // a part of it cannot be written: no fix may be added

  explicit operator bool() const { return !text.empty(); }
};

// The receiver of a value, for the message that the value does not fit.
struct Receiver {
  enum class Kind : uint8_t {
    kUnnamed,
    kFormal,     // `name` of the procedure that `owner` writes
    kVariable,   // `owner`
    kField,      // `name` of `type`
    kResult,     // of the procedure `name`
    kException,  // the argument of `name`
    kElement,    // of `type`
    kIndex,      // of the array `owner`
  };
  Kind kind = Kind::kUnnamed;
  std::string_view name = {};
  SourceSpan owner = {};
  const Type* type = nullptr;
};

// The source of the span for a line of text; "..." if it is long or has several lines.
std::string ShortSource(SourceSpan span);
// The values of an ordinal type: "0..255".
std::string RangeToString(Type* type);
// A number that is written in the source, with or without a sign.
bool IsNumberLiteral(SourceSpan span);
// How a built-in operation is called: "ORD(element)".
std::string BuiltinForm(BuiltinName name);

}  // namespace tenure::compiler
