#include "compiler/testing/clean_text.h"

#include <cstdint>
#include <cstdio>
#include <optional>

#include "base/utf8.h"

namespace tenure::compiler {

namespace {

// The length of the valid UTF-8 sequence of more than one byte that begins there, or 0. Characters
// that XML does not allow (surrogates, U+FFFE, U+FFFF) count as not valid.
size_t SequenceAt(std::string_view bytes, size_t at) {
  size_t end = at;
  const std::optional<uint32_t> code = TakeUtf8(bytes, &end);
  if (!code || *code == 0xFFFE || *code == 0xFFFF) return 0;
  if (*code < 0xA0) return 0;  // of one byte, or a control character
  return end - at;
}

bool HasSequence(std::string_view bytes) {
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (SequenceAt(bytes, i) > 0) return true;
  }
  return false;
}

// No text in Latin-1 has many control characters.
bool IsBinary(std::string_view bytes) {
  for (const char c : bytes) {
    if (c == '\0') return true;
  }
  return false;
}

void AddHex(std::string& to, uint8_t byte) {
  char hex[8];
  std::snprintf(hex, sizeof hex, "\\x%02X", byte);
  to += hex;
}

}  // namespace

std::string CleanText(std::string_view bytes) {
  const bool latin = !HasSequence(bytes) && !IsBinary(bytes);
  std::string clean;
  for (size_t i = 0; i < bytes.size();) {
    const auto byte = static_cast<uint8_t>(bytes[i]);
    if (const size_t length = SequenceAt(bytes, i); length > 0) {
      clean += bytes.substr(i, length);
      i += length;
      continue;
    }
    if (byte == '\n' || byte == '\t' || (byte >= 0x20 && byte < 0x7F)) {
      clean += static_cast<char>(byte);
    } else if (byte == '\r' && i + 1 < bytes.size() && bytes[i + 1] == '\n') {
      // a line's end in the way of other systems
    } else if (latin && byte >= 0xA0) {
      clean += static_cast<char>(0xC0 | byte >> 6);
      clean += static_cast<char>(0x80 | (byte & 0x3F));
    } else {
      AddHex(clean, byte);
    }
    ++i;
  }
  return clean;
}

std::string CleanXml(std::string_view bytes) {
  std::string xml;
  for (const char c : CleanText(bytes)) {
    switch (c) {
      case '&': xml += "&amp;"; break;
      case '<': xml += "&lt;"; break;
      case '>': xml += "&gt;"; break;
      case '"': xml += "&quot;"; break;
      default: xml += c;
    }
  }
  return xml;
}

}  // namespace tenure::compiler
