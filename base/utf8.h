// Characters of UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tenure {

// The code point at *at, which goes behind it; nothing, and *at stays: not UTF-8 there. *at is less
// than the text's size.
inline std::optional<uint32_t> TakeUtf8(std::string_view text, size_t* at) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(*at);
  if (first < 0x80) {
    ++*at;
    return first;
  }
  const size_t more = first >= 0xF0 && first < 0xF5   ? 3
                      : first >= 0xE0 && first < 0xF0 ? 2
                      : first >= 0xC2 && first < 0xE0 ? 1
                                                      : 0;
  if (more == 0 || text.size() - *at <= more) return std::nullopt;
  uint32_t code = first & (0x3Fu >> more);
  for (size_t i = 1; i <= more; ++i) {
    if ((byte(*at + i) & 0xC0) != 0x80) return std::nullopt;
    code = code << 6 | (byte(*at + i) & 0x3F);
  }
  if ((more == 2 && code < 0x800) || (more == 3 && code < 0x10000) || code > 0x10FFFF ||
      (code >= 0xD800 && code < 0xE000)) {
    return std::nullopt;
  }
  *at += more + 1;
  return code;
}

}  // namespace tenure
