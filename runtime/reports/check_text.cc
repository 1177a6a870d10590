#include "runtime/reports/check_text.h"

#include <charconv>
#include <cstring>

#include "runtime/exceptions/runtime_errors.h"
#include "runtime/heap/text.h"
#include "runtime/reports/value_text.h"

namespace tenure::runtime {
namespace {

using abi::CheckForm;
using abi::ValueDescriptor;

std::string Elements(int64_t count) {
  if (count == 0) return "no elements";
  return std::to_string(count) + (count == 1 ? " element" : " elements");
}

// A number of more than 64 bits.
std::string WideText(__int128 value) {
  const __int128 size = value < 0 ? -value : value;
  return (value < 0 ? "-" : "") + std::to_string(static_cast<uint64_t>(size / 10)) +
         std::to_string(static_cast<uint64_t>(size % 10));
}

std::string NotIn(const std::string& value, const ValueDescriptor& type) {
  return value + " is not in " + BoundsText(type);
}

// The text for a counter that has left its type: `wrapped` is the new value's lowest 64 bits,
// `step` what was added.
std::string StepText(const ValueDescriptor& type, int64_t wrapped, __int128 step) {
  const auto old = static_cast<int64_t>(static_cast<uint64_t>(wrapped) -
                                        static_cast<uint64_t>(static_cast<int64_t>(step)));
  const __int128 exact = old + step;
  const bool fits = exact >= INT64_MIN && exact <= INT64_MAX;
  return NotIn(fits ? OrdinalText(type, static_cast<int64_t>(exact)) : WideText(exact), type);
}

std::string FloatText(int64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof value);
  char text[64];
  const std::to_chars_result end = std::to_chars(text, text + sizeof text, value);
  return std::string(text, end.ptr);
}

std::string ValuesText(const abi::CheckSite& site, int64_t a, int64_t b, int64_t c) {
  const auto* const words = static_cast<const char*>(site.detail);
  const auto& type = *static_cast<const ValueDescriptor*>(site.detail);
  switch (site.form) {
    case CheckForm::kRange: return NotIn(OrdinalText(type, a), type);
    case CheckForm::kIncrement: return StepText(type, a, b);
    case CheckForm::kDecrement: return StepText(type, a, -static_cast<__int128>(b));
    case CheckForm::kFloat:
      return std::string(words) + "(" + FloatText(a) + ") does not fit INTEGER";
    case CheckForm::kFixedSubscript:
      return NotIn(OrdinalText(type, static_cast<int64_t>(static_cast<uint64_t>(a) +
                                                          static_cast<uint64_t>(type.first))),
                   type);
    case CheckForm::kOpenSubscript:
      if (b == 0) return std::to_string(a) + ", but the array has no elements";
      return std::to_string(a) + " is not in [0.." + std::to_string(b - 1) + "], the array has " +
             Elements(b);
    case CheckForm::kSubarray:
      return "SUBARRAY from " + std::to_string(a) + " for " + std::to_string(b) +
             ", but the array has " + Elements(c);
    case CheckForm::kBitField:
      return std::to_string(b) + " bits from bit " + std::to_string(a) + ", but a word has 64 bits";
    case CheckForm::kLength:
      return "NEW with the length " + std::to_string(a) +
             (words == nullptr ? std::string() : std::string(" of ") + words);
    case CheckForm::kShape: return Elements(a) + " wanted, " + Elements(b) + " found";
    case CheckForm::kDivision: return std::to_string(a) + " " + words + " 0";
    case CheckForm::kUnsignedDivision:
      return std::to_string(static_cast<uint64_t>(a)) + " " + words + " 0";
    case CheckForm::kNarrow:
      return "found " + TypeNameOf(reinterpret_cast<abi::Ref>(a)) + ", wanted " + words;
    case CheckForm::kTypecase: {
      std::string text = "found " + TypeNameOf(reinterpret_cast<abi::Ref>(a));
      if (words != nullptr) text += std::string(", wanted ") + words;
      return text;
    }
    case CheckForm::kCase: return OrdinalText(type, a);
    case CheckForm::kNone:
    case CheckForm::kLocalProcedure:
    case CheckForm::kAssertion: break;
  }
  return {};
}

}  // namespace

std::string CheckText(const abi::CheckSite& site, int64_t a, int64_t b, int64_t c) {
  const auto code = static_cast<abi::RuntimeErrorCode>(site.error);
  if (site.form == CheckForm::kLocalProcedure) {
    return "a procedure that is declared in a procedure cannot be stored";
  }
  if (site.form == CheckForm::kNone) {
    return site.detail != nullptr ? static_cast<const char*>(site.detail) : RuntimeErrorText(code);
  }
  return std::string(RuntimeErrorText(code)) + ": " + ValuesText(site, a, b, c);
}

std::string AssertionText(const abi::CheckSite& site, abi::Ref message, const uint64_t* values) {
  const auto& assertion = *static_cast<const abi::AssertionDescriptor*>(site.detail);
  std::string text = message != nullptr ? CopyOfText(message)
                                        : RuntimeErrorText(abi::RuntimeErrorCode::kAssertFailed);
  text += std::string(": ") + assertion.condition;
  for (uint64_t i = 0; i < assertion.count; ++i) {
    const abi::AssertedValue& value = assertion.values[i];
    text += std::string(i == 0 ? " (" : ", ") + value.text + " = " +
            AssertedValueText(*value.type, values[i]);
  }
  if (assertion.count > 0) text += ")";
  return text;
}

}  // namespace tenure::runtime
