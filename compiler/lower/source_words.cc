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

// How many parentheses in the text have no partner there.
struct Unmatched {
  int opened = 0, closed = 0;
};

Unmatched CountUnmatched(std::string_view text) {
  Unmatched unmatched;
  for (size_t at = 0; at < text.size();) {
    if (text.substr(at, 2) == "(*") {
      at = SkipComment(text, at);
    } else if (text[at] == '"' || text[at] == '\'') {
      at = SkipLiteral(text, at);
    } else {
      if (text[at] == '(') {
        ++unmatched.opened;
      } else if (text[at] == ')' && unmatched.opened > 0) {
        --unmatched.opened;
      } else if (text[at] == ')') {
        ++unmatched.closed;
      }
      ++at;
    }
  }
  return unmatched;
}

// The span of an expression does not contain the parentheses around its first or last operand.
SourceSpan WithParentheses(SourceSpan span) {
  if (!span.valid()) return span;
  const std::string_view file = span.file->text();
  const auto is_blank = [&](uint32_t at) {
    return std::isspace(static_cast<unsigned char>(file[at])) != 0;
  };
  Unmatched unmatched = CountUnmatched(span.text());
  for (uint32_t end = span.end; unmatched.opened > 0 && end < file.size(); ++end) {
    if (is_blank(end)) continue;
    if (file[end] != ')') break;
    span.end = end + 1;
    --unmatched.opened;
  }
  for (uint32_t begin = span.begin; unmatched.closed > 0 && begin > 0; --begin) {
    if (is_blank(begin - 1)) continue;
    if (file[begin - 1] != '(') break;
    span.begin = begin - 1;
    --unmatched.closed;
  }
  return span;
}

}  // namespace

std::string SourceText(SourceSpan span) {
  span = WithParentheses(span);
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
