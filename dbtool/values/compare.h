// The order of decoded values.
#pragma once

#include <optional>

#include "dbtool/values/value.h"

namespace tenure::dbtool {

// Less than 0, 0, more than 0; nothing: the two have no order, or are of different kinds. Texts are
// ordered by their characters' codes, enumerations by their elements' order. References to texts
// must have been resolved.
std::optional<int> CompareData(const Datum& a, const Datum& b);

}  // namespace tenure::dbtool
