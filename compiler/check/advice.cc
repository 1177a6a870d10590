#include "compiler/check/advice.h"

#include <cctype>

#include "compiler/types/describe.h"

namespace tenure::compiler {

namespace {

constexpr size_t kLongestSource = 60;

}  // namespace

std::string ShortSource(SourceSpan span) {
  const std::string_view text = span.text();
  if (text.size() > kLongestSource || text.find_first_of("\r\n") != std::string_view::npos) {
    return "...";
  }
  return std::string(text);
}

std::string RangeToString(Type* type) {
  Type* base = BaseType(type);
  return ElementToString(base, FirstOf(type), "") + ".." + ElementToString(base, LastOf(type), "");
}

bool IsNumberLiteral(SourceSpan span) {
  std::string_view text = span.text();
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0])) == 0) return false;
  // A sign stands in an exponent only.
  for (size_t i = 1; i < text.size(); ++i) {
    const char c = text[i];
    const bool sign =
        (c == '-' || c == '+') && std::isalpha(static_cast<unsigned char>(text[i - 1]));
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '_' && !sign)
      return false;
  }
  return true;
}

std::string BuiltinForm(BuiltinName name) {
  const auto form = [&]() -> std::string_view {
    switch (name) {
      case BuiltinName::kAbs: return "(number)";
      case BuiltinName::kMax:
      case BuiltinName::kMin: return "(a, b)";
      case BuiltinName::kFloat: return "(number) or FLOAT(number, LONGREAL)";
      case BuiltinName::kFloor:
      case BuiltinName::kCeiling:
      case BuiltinName::kRound:
      case BuiltinName::kTrunc: return "(x)";
      case BuiltinName::kOrd: return "(element)";
      case BuiltinName::kVal: return "(number, type)";
      case BuiltinName::kFirst:
      case BuiltinName::kLast:
      case BuiltinName::kNumber: return "(array) or of an ordinal type";
      case BuiltinName::kBitsize:
      case BuiltinName::kBytesize:
      case BuiltinName::kAdrsize: return "(variable or type)";
      case BuiltinName::kIstype:
      case BuiltinName::kNarrow: return "(reference, type)";
      case BuiltinName::kTypecode: return "(reference or type)";
      case BuiltinName::kSubarray: return "(array, first, count)";
      case BuiltinName::kInc:
      case BuiltinName::kDec: return "(variable) or with an amount behind it";
      case BuiltinName::kDispose:
      case BuiltinName::kAdr: return "(variable)";
      case BuiltinName::kLoophole: return "(value, type)";
      case BuiltinName::kNew: return "(type, field := value, ...)";
    }
    return "";
  };
  return std::string(BuiltinSpelling(name)) + std::string(form());
}

}  // namespace tenure::compiler
