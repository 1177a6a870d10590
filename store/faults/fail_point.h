// A fault that a test asks for with @M3dbfail=POINT:N: the Nth operation of the kind that POINT
// names, counted from 1 since the store was opened, fails as POINT says; all others work.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tenure::store {

enum class FailPointKind : uint8_t {
  kNone,
#define TN_FAIL_POINT(kind, name, meaning) kind,
#include "store/faults/fail_points.def"
#undef TN_FAIL_POINT
};

struct FailPoint {
  FailPointKind kind = FailPointKind::kNone;
  uint64_t count = 0;  // which operation; from 1
};

// "POINT:N". kInvalidArgument, with the points that there are, for anything else.
Result<FailPoint> ParseFailPoint(std::string_view text);

// For the help text: a line for each point, with its name and its effect.
std::string FailPointHelp();

}  // namespace tenure::store
