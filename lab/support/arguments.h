// Options of the laboratory's programs of OO7 and OO1.
#pragma once

#include <charconv>
#include <cstdint>
#include <string_view>

namespace tenure::lab {

// The number from `least` to `most` behind `name` ("--pool=") in the option. False, and nothing
// changed: the option has no such number there.
inline bool NumberIn(std::string_view option, std::string_view name, uint32_t least, uint32_t most,
                     uint32_t* number) {
  if (!option.starts_with(name)) return false;
  option.remove_prefix(name.size());
  uint32_t value = 0;
  const char* const end = option.data() + option.size();
  const auto read = std::from_chars(option.data(), end, value);
  if (read.ec != std::errc() || read.ptr != end || value < least || value > most) return false;
  *number = value;
  return true;
}

}  // namespace tenure::lab
