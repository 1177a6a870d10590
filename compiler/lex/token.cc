#include "compiler/lex/token.h"

#include <iterator>
#include <unordered_map>
#include <utility>

namespace tenure::compiler {

namespace {

enum class TokenClass : uint8_t { kOther, kKeyword, kPunctuation, kPragma };

struct TokenInfo {
  std::string_view spelling;
  TokenClass token_class;
};

constexpr TokenInfo kTokens[] = {
#define TN_TOKEN(kind, spelling) {spelling, TokenClass::kOther},
#define TN_KEYWORD(kind, spelling) {spelling, TokenClass::kKeyword},
#define TN_PUNCTUATION(kind, spelling) {spelling, TokenClass::kPunctuation},
#define TN_PRAGMA(kind, spelling) {spelling, TokenClass::kPragma},
#include "compiler/lex/tokens.def"
};

using TokenTable = std::unordered_map<std::string_view, TokenKind>;

TokenTable MakeTable(TokenClass token_class) {
  TokenTable table;
  for (size_t i = 0; i < std::size(kTokens); ++i) {
    if (kTokens[i].token_class == token_class) {
      table.emplace(kTokens[i].spelling, static_cast<TokenKind>(i));
    }
  }
  return table;
}

TokenKind Find(const TokenTable& table, std::string_view spelling, TokenKind otherwise) {
  const auto found = table.find(spelling);
  return found == table.end() ? otherwise : found->second;
}

}  // namespace

std::string_view TokenSpelling(TokenKind kind) { return kTokens[static_cast<int>(kind)].spelling; }

bool IsKeyword(TokenKind kind) {
  return kTokens[static_cast<int>(kind)].token_class == TokenClass::kKeyword;
}

bool IsPragma(TokenKind kind) {
  return kTokens[static_cast<int>(kind)].token_class == TokenClass::kPragma;
}

TokenKind FindKeyword(std::string_view spelling) {
  static const TokenTable table = MakeTable(TokenClass::kKeyword);
  // Most words are not keywords, and most of these show it by their first letter.
  if (spelling[0] < 'A' || spelling[0] > 'Z') return TokenKind::kIdentifier;
  return Find(table, spelling, TokenKind::kIdentifier);
}

TokenKind FindPragma(std::string_view word) {
  static const TokenTable table = MakeTable(TokenClass::kPragma);
  return Find(table, word, TokenKind::kEndOfFile);
}

std::pair<TokenKind, uint32_t> FindPunctuation(std::string_view text) {
  static const TokenTable table = MakeTable(TokenClass::kPunctuation);
  for (uint32_t length = text.size() < 2 ? 1 : 2; length > 0; --length) {
    const auto found = table.find(text.substr(0, length));
    if (found != table.end()) return {found->second, length};
  }
  return {TokenKind::kEndOfFile, 0};
}

}  // namespace tenure::compiler
