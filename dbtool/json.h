// As much JSON as the tool writes and reads back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tenure::dbtool {

// `text` as a string literal. Bytes that are not UTF-8 become U+FFFD.
std::string Quoted(std::string_view text);

// A value that was read. Numbers are kept as they were written.
struct Json {
  enum class Kind : uint8_t { kNull, kBoolean, kNumber, kString, kArray, kObject };

  Kind kind = Kind::kNull;
  std::string text;  // of a number or string; "true", "false"
  std::vector<Json> items;
  std::map<std::string, Json, std::less<>> members;

  // Nothing unless `text` is one value and no more; nested to 64 levels at most.
  static std::optional<Json> Parse(std::string_view text);

  // A member, or null.
  const Json* Find(std::string_view name) const;
  std::optional<uint64_t> AsNumber() const;
};

}  // namespace tenure::dbtool
