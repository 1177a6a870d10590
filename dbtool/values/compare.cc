#include "dbtool/values/compare.h"

#include <algorithm>
#include <cmath>
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
    // An enumeration that has grown since: elements are the same by their names.
    if (const auto in_a = OrdinalIn(*a.type, b)) return order(a.number, *in_a);
    if (const auto in_b = OrdinalIn(*b.type, a)) return order(*in_b, b.number);
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

std::optional<__int128> WholeNumber(const Datum& value) {
  if (value.kind == DatumKind::kInteger || value.kind == DatumKind::kBits) return value.number;
  const bool whole = value.kind == DatumKind::kReal && std::abs(value.real) < 1e30 &&
                     value.real == std::floor(value.real);
  return whole ? std::optional<__int128>(static_cast<__int128>(value.real)) : std::nullopt;
}

std::optional<__int128> OrdinalIn(const ValueType& type, const Datum& value) {
  switch (type.kind) {
    case ValueKind::kInteger: return WholeNumber(value);
    case ValueKind::kBoolean:
      if (value.kind == DatumKind::kBoolean) return value.number;
      return std::nullopt;
    case ValueKind::kCharacter:
    case ValueKind::kWideCharacter: {
      if (value.kind == DatumKind::kCharacter) return value.number;
      if (value.kind != DatumKind::kText) return std::nullopt;
      const std::optional<std::u16string> codes = CodesOfUtf8(value.text);
      return codes && codes->size() == 1 ? std::optional<__int128>((*codes)[0]) : std::nullopt;
    }
    case ValueKind::kEnumeration: {
      if (value.kind != DatumKind::kEnumeration) return std::nullopt;
      if (value.type->names == type.names) return value.number;
      const auto found =
          std::ranges::find(type.names, value.type->names[static_cast<size_t>(value.number)]);
      return found == type.names.end() ? std::nullopt
                                       : std::optional<__int128>(found - type.names.begin());
    }
    default: return std::nullopt;
  }
}

}  // namespace tenure::dbtool
