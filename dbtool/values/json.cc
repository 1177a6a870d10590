#include "dbtool/values/json.h"

#include <cstdint>
#include <optional>

#include "base/shown_text.h"
#include "dbtool/values/texts.h"

namespace tenure::dbtool {

std::string LineOf(const Json& value) {
  const std::string line = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string out;
  size_t copied = 0;
  for (size_t at = 0; at < line.size();) {
    const size_t begin = at;
    if (static_cast<signed char>(line[at]) >= 0 && line[at] != 0x7F) {
      ++at;
      continue;
    }
    const std::optional<uint32_t> code = TakeUtf8(line, &at);
    if (!code) ++at;
    if (!code || !IsControl(*code)) continue;
    char escape[8];
    snprintf(escape, sizeof escape, "\\u%04x", *code);
    out += line.substr(copied, begin - copied) + escape;
    copied = at;
  }
  return copied == 0 ? line : out + line.substr(copied);
}

bool IsTooDeep(std::string_view json) {
  constexpr int kMostDepth = 1000;
  int depth = 0;
  bool quoted = false;
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (quoted && c == '\\') {
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && (c == '[' || c == '{')) {
      if (++depth > kMostDepth) return true;
    } else if (!quoted && (c == ']' || c == '}')) {
      --depth;
    }
  }
  return false;
}

}  // namespace tenure::dbtool
