// The order of decoded values.
#pragma once

#include <optional>

#include "dbtool/values/value.h"

namespace tenure::dbtool {

// Less than 0, 0, more than 0; nothing: the two have no order, or are of different kinds. Texts are
// ordered by their characters' codes, enumerations by their elements' order. References to texts
// must have been resolved.
std::optional<int> CompareData(const Datum& a, const Datum& b);

// The ordinal that the value is in an ordinal type, perhaps outside of its bounds: 3 and 3.0 in
// [0..9], 'b' and "b" in CHAR. Nothing: it is of another kind, or between two ordinals.
std::optional<__int128> OrdinalIn(const ValueType& type, const Datum& value);
// The same in INTEGER.
std::optional<__int128> WholeNumber(const Datum& value);

}  // namespace tenure::dbtool
