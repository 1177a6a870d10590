#include "dbtool/values/compare.h"

#include <limits>
#include <string>

#include "dbtool/values/texts.h"

namespace tenure::dbtool {

namespace {

bool IsNumber(const Datum& value) {
  return value.kind == DatumKind::kInteger || value.kind == DatumKind::kReal ||
         value.kind == DatumKind::kBits;
}

// Exact: its mantissa has 64 bits.
long double RealOf(const Datum& value) {
  static_assert(std::numeric_limits<long double>::digits >= 64);
  return value.kind == DatumKind::kReal ? value.real : static_cast<long double>(value.number);
}

}  // namespace

std::optional<int> CompareData(const Datum& a, const Datum& b) {
  const auto order = [](auto x, auto y) { return x < y ? -1 : x > y ? 1 : 0; };
  if (a.kind == DatumKind::kText && b.kind == DatumKind::kText) {
    return order(a.text.compare(b.text), 0);
  }
  if (IsNumber(a) && IsNumber(b)) {
    if (a.kind == DatumKind::kReal || b.kind == DatumKind::kReal) {
      const long double x = RealOf(a), y = RealOf(b);
      if (x != x || y != y) return std::nullopt;
      return order(x, y);
    }
    return order(a.number, b.number);
  }
  if (a.kind == DatumKind::kCharacter && b.kind == DatumKind::kText) {
    return order(Utf8OfCodes(std::u16string(1, static_cast<char16_t>(a.number))).compare(b.text),
                 0);
  }
  if (a.kind == DatumKind::kText && b.kind == DatumKind::kCharacter) {
    const std::optional<int> other = CompareData(b, a);
    return other ? std::optional<int>(-*other) : std::nullopt;
  }
  if (a.kind == DatumKind::kEnumeration && b.kind == DatumKind::kEnumeration &&
      a.type->names != b.type->names) {
    return std::nullopt;
  }
  if (a.kind != b.kind) return std::nullopt;
  switch (a.kind) {
    case DatumKind::kBoolean:
    case DatumKind::kCharacter:
    case DatumKind::kEnumeration:
    case DatumKind::kProcedure:
    case DatumKind::kImport: return order(a.number, b.number);
    case DatumKind::kReference: return order(a.reference.bits, b.reference.bits);
    case DatumKind::kNone: return 0;
    default: return std::nullopt;
  }
}

}  // namespace tenure::dbtool
