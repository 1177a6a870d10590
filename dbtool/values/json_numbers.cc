#include "dbtool/values/json_numbers.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>

namespace tenure::dbtool {

namespace {

// Programs that read JSON keep numbers as doubles: larger integers are written as texts.
constexpr __int128 kExact = static_cast<__int128>(1) << 53;

}  // namespace

Json JsonOfNumber(__int128 number) {
  if (number >= -kExact && number <= kExact) return static_cast<int64_t>(number);
  return number < 0 ? std::to_string(static_cast<int64_t>(number))
                    : std::to_string(static_cast<uint64_t>(number));
}

std::optional<__int128> NumberOfJson(const Json& json) {
  if (json.is_number_unsigned()) return json.get<uint64_t>();
  if (json.is_number_integer()) return json.get<int64_t>();
  if (json.is_number_float()) {
    // jq writes 1e3 and 1.0 for whole numbers.
    const double number = json.get<double>();
    if (number != std::floor(number) || std::abs(number) > static_cast<double>(kExact)) {
      return std::nullopt;
    }
    return static_cast<int64_t>(number);
  }
  if (!json.is_string()) return std::nullopt;
  const std::string& text = json.get_ref<const std::string&>();
  const char* const end = text.data() + text.size();
  if (text.starts_with('-')) {
    int64_t number = 0;
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && stop == end ? std::optional<__int128>(number) : std::nullopt;
  }
  uint64_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end ? std::optional<__int128>(number) : std::nullopt;
}

}  // namespace tenure::dbtool
