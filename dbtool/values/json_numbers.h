// Numbers in JSON, exact for every reader.
#pragma once

#include <optional>

#include "dbtool/values/json.h"

namespace tenure::dbtool {

// Numbers that many readers of JSON would round are texts; NumberOfJson takes both, and whole
// numbers that were written with a point or an exponent. Nothing: no number.
Json JsonOfNumber(__int128 number);
std::optional<__int128> NumberOfJson(const Json& json);

}  // namespace tenure::dbtool
