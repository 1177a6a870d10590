// The words, numbers, texts and symbols of a query's text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dbtool/query/problem.h"

namespace tenure::dbtool {

enum class TokenKind : uint8_t {
  kEnd,
  kName,
  kQuotedName,
  kNumber,
  kReal,
  kText,
  kCharacter,
  kReference,
  kSymbol
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  size_t begin = 0, end = 0;
  std::string text;  // a name, a symbol, the characters of a text as UTF-8
  __int128 number = 0;
  double real = 0;
};

// Nothing: *problem says why. The last token is kEnd.
std::optional<std::vector<Token>> TokensOf(std::string_view text, QueryProblem* problem);

// The text with ASCII letters in lower case: words of the language ignore case.
std::string LowerWord(std::string_view text);

}  // namespace tenure::dbtool
