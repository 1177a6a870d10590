#include "compiler/lower/source_words.h"

#include <cctype>
#include <string_view>

namespace tenure::compiler {

namespace {

constexpr size_t kMostCharacters = 160;

// The offset behind the comment that begins at `at`; comments nest.
size_t SkipComment(std::string_view text, size_t at) {
  int depth = 0;
  while (at + 1 < text.size()) {
    const std::string_view two = text.substr(at, 2);
    if (two == "(*") {
      ++depth;
      at += 2;
    } else if (two == "*)") {
      at += 2;
      if (--depth == 0) return at;
    } else {
      ++at;
    }
  }
  return text.size();
}

// The offset behind the literal that begins with a quote at `at`.
size_t SkipLiteral(std::string_view text, size_t at) {
  const char quote = text[at];
  for (++at; at < text.size() && text[at] != quote; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

}  // namespace

std::string SourceText(SourceSpan span) {
  const std::string_view text = span.text();
  std::string words;
  bool blank = false;
  for (size_t at = 0; at < text.size();) {
    size_t next = at + 1;
    if (text.substr(at, 2) == "(*") {
      at = SkipComment(text, at);
      blank = true;
      continue;
    }
    if (std::isspace(static_cast<unsigned char>(text[at])) != 0) {
      ++at;
      blank = true;
      continue;
    }
    if (text[at] == '"' || text[at] == '\'') next = SkipLiteral(text, at);
    if (blank && !words.empty()) words += ' ';
    blank = false;
    words += text.substr(at, next - at);
    at = next;
    if (words.size() > kMostCharacters) return words.substr(0, kMostCharacters) + "...";
  }
  return words;
}

}  // namespace tenure::compiler
