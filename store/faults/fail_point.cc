#include "store/faults/fail_point.h"

#include <charconv>

#include "store/format/status_text.h"

namespace tenure::store {

namespace {

struct PointName {
  FailPointKind kind;
  std::string_view name;
  std::string_view meaning;
};

constexpr PointName kPoints[] = {
#define TN_FAIL_POINT(kind, name, meaning) {FailPointKind::kind, name, meaning},
#include "store/faults/fail_points.def"
#undef TN_FAIL_POINT
};

}  // namespace

Result<FailPoint> ParseFailPoint(std::string_view text) {
  const size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const std::string_view digits = colon == std::string_view::npos ? "" : text.substr(colon + 1);
  uint64_t count = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  if (error == std::errc() && end == digits.data() + digits.size() && count > 0) {
    for (const PointName& point : kPoints) {
      if (point.name == name) return FailPoint{point.kind, count};
    }
  }
  std::string message = "'" + std::string(text) + "' is not POINT:N with N from 1 and POINT one of";
  for (const PointName& point : kPoints) message += " " + std::string(point.name);
  return Failure(StatusCode::kInvalidArgument, message);
}

std::string FailPointHelp() {
  std::string text;
  for (const PointName& point : kPoints) {
    text += "  " + std::string(point.name) + ": " + std::string(point.meaning) + "\n";
  }
  return text;
}

}  // namespace tenure::store
