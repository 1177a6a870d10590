// Hexadecimal digits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tenure {

// Two small digits for each byte.
inline std::string HexOf(std::span<const std::byte> bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const std::byte byte : bytes) {
    text += kDigits[static_cast<unsigned>(byte) >> 4];
    text += kDigits[static_cast<unsigned>(byte) & 15];
  }
  return text;
}

// Sixteen small digits, the highest first.
inline std::string HexOf(uint64_t number) {
  std::byte bytes[sizeof number];
  for (size_t i = 0; i < sizeof number; ++i) {
    bytes[i] = static_cast<std::byte>(number >> (56 - 8 * i));
  }
  return HexOf(bytes);
}

// The value of a digit, small or capital; nothing for another character.
constexpr std::optional<unsigned> HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

// False unless the text has only digits, two for each byte.
inline bool FromHex(std::string_view text, std::vector<std::byte>* bytes) {
  if (text.size() % 2 != 0) return false;
  bytes->clear();
  bytes->reserve(text.size() / 2);
  for (size_t i = 0; i < text.size(); i += 2) {
    const std::optional<unsigned> high = HexDigit(text[i]), low = HexDigit(text[i + 1]);
    if (!high || !low) return false;
    bytes->push_back(static_cast<std::byte>(*high << 4 | *low));
  }
  return true;
}

}  // namespace tenure
