#include "dbtool/json.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

namespace tenure::dbtool {

namespace {

// The length of the UTF-8 sequence at the start of `text`; 0: none.
size_t SequenceLength(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const size_t length = first < 0x80                    ? 1
                        : first >= 0xC2 && first < 0xE0 ? 2
                        : first >= 0xE0 && first < 0xF0 ? 3
                        : first >= 0xF0 && first < 0xF5 ? 4
                                                        : 0;
  if (length == 0 || length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  return length;
}

void AppendCharacter(std::string& text, uint32_t character) {
  if (character < 0x80) {
    text += static_cast<char>(character);
  } else if (character < 0x800) {
    text += static_cast<char>(0xC0 | character >> 6);
    text += static_cast<char>(0x80 | (character & 0x3F));
  } else {
    text += static_cast<char>(0xE0 | character >> 12);
    text += static_cast<char>(0x80 | (character >> 6 & 0x3F));
    text += static_cast<char>(0x80 | (character & 0x3F));
  }
}

class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  std::optional<Json> Run() {
    std::optional<Json> value = Value(0);
    SkipSpace();
    if (!rest_.empty()) return std::nullopt;
    return value;
  }

 private:
  static constexpr int kDepthMost = 64;

  void SkipSpace() {
    const size_t at = rest_.find_first_not_of(" \t\r\n");
    rest_.remove_prefix(at == std::string_view::npos ? rest_.size() : at);
  }
  bool Take(std::string_view word) {
    SkipSpace();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  std::optional<Json> Value(int depth) {
    if (depth > kDepthMost) return std::nullopt;
    SkipSpace();
    if (rest_.empty()) return std::nullopt;
    Json value;
    if (Take("{")) {
      value.kind = Json::Kind::kObject;
      if (Take("}")) return value;
      do {
        std::optional<Json> name = String();
        if (!name || !Take(":")) return std::nullopt;
        std::optional<Json> member = Value(depth + 1);
        if (!member) return std::nullopt;
        value.members[name->text] = *std::move(member);
      } while (Take(","));
      if (!Take("}")) return std::nullopt;
      return value;
    }
    if (Take("[")) {
      value.kind = Json::Kind::kArray;
      if (Take("]")) return value;
      do {
        std::optional<Json> item = Value(depth + 1);
        if (!item) return std::nullopt;
        value.items.push_back(*std::move(item));
      } while (Take(","));
      if (!Take("]")) return std::nullopt;
      return value;
    }
    if (rest_.front() == '"') return String();
    for (std::string_view word : {"null", "true", "false"}) {
      if (!Take(word)) continue;
      value.kind = word == "null" ? Json::Kind::kNull : Json::Kind::kBoolean;
      value.text = word;
      return value;
    }
    const size_t end = std::min(rest_.find_first_not_of("+-.0123456789eE"), rest_.size());
    if (end == 0) return std::nullopt;
    value.kind = Json::Kind::kNumber;
    value.text = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return value;
  }

  std::optional<Json> String() {
    SkipSpace();
    if (rest_.empty() || rest_.front() != '"') return std::nullopt;
    rest_.remove_prefix(1);
    Json value;
    value.kind = Json::Kind::kString;
    while (!rest_.empty()) {
      const char c = rest_.front();
      rest_.remove_prefix(1);
      if (c == '"') return value;
      if (c != '\\') {
        value.text += c;
        continue;
      }
      if (rest_.empty()) return std::nullopt;
      const char escape = rest_.front();
      rest_.remove_prefix(1);
      switch (escape) {
        case 'n': value.text += '\n'; break;
        case 't': value.text += '\t'; break;
        case 'r': value.text += '\r'; break;
        case 'b': value.text += '\b'; break;
        case 'f': value.text += '\f'; break;
        case '"':
        case '\\':
        case '/': value.text += escape; break;
        case 'u': {
          uint32_t character = 0;
          if (rest_.size() < 4) return std::nullopt;
          const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + 4, character, 16);
          if (error != std::errc() || end != rest_.data() + 4) return std::nullopt;
          rest_.remove_prefix(4);
          AppendCharacter(value.text, character);
          break;
        }
        default: return std::nullopt;
      }
    }
    return std::nullopt;
  }

  std::string_view rest_;
};

}  // namespace

std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  while (!text.empty()) {
    const size_t length = SequenceLength(text);
    const char c = text.front();
    if (length == 0) {
      quoted += "\\ufffd";
    } else if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (c == '\n') {
      quoted += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      char escape[8];
      snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned char>(c));
      quoted += escape;
    } else {
      quoted += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return quoted + "\"";
}

std::optional<Json> Json::Parse(std::string_view text) { return Parser(text).Run(); }

const Json* Json::Find(std::string_view name) const {
  const auto it = members.find(name);
  return it == members.end() ? nullptr : &it->second;
}

std::optional<uint64_t> Json::AsNumber() const {
  if (kind != Kind::kNumber) return std::nullopt;
  uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end) return std::nullopt;
  return number;
}

}  // namespace tenure::dbtool
