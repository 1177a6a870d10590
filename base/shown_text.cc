#include "base/shown_text.h"

#include <cstdio>
#include <optional>

#include "base/utf8.h"

namespace tenure {

bool IsControl(uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x61C ||
         (code >= 0x200E && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF;
}

std::string ReplaceControls(std::string_view text, std::string (*instead)(uint32_t code)) {
  std::string shown;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    std::optional<uint32_t> code = TakeUtf8(text, &at);
    if (!code) code = static_cast<unsigned char>(text[at++]);
    if (IsControl(*code)) {
      shown += instead(*code);
    } else {
      shown += text.substr(begin, at - begin);
    }
  }
  return shown;
}

std::string ShownText(std::string_view text) {
  return ReplaceControls(text, [](uint32_t code) {
    if (code == '\n' || code == '\t') return std::string(1, static_cast<char>(code));
    char escape[8];
    std::snprintf(escape, sizeof escape, code < 256 ? "\\%03o" : "\\x%04x", code);
    return std::string(escape);
  });
}

}  // namespace tenure
