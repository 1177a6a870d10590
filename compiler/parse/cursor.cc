// The parser's place in the list of tokens, and what stands there.
#include <algorithm>

#include "compiler/foreign/tables/words.h"
#include "compiler/parse/parse_state.h"

namespace tenure::compiler {

TokenKind Parser::PeekKind(size_t ahead) const {
  return tokens_[std::min(position_ + ahead, tokens_.size() - 1)].kind;
}

void Parser::Advance() {
  if (At(TokenKind::kEndOfFile)) return;
  if (grammar_only_ && (token().is_foreign || token().is_damaged)) {
    Fail();
    return;
  }
  if (token().is_damaged) unit_has_errors_ = true;
  previous_end_ = token().end;
  ++position_;
}

bool Parser::Accept(TokenKind k) {
  if (!At(k)) return false;
  Advance();
  return true;
}

SourceSpan Parser::SpanFrom(uint32_t begin) const {
  return file_.Span(begin, std::max(begin, previous_end_));
}

bool Parser::AtJoined(TokenKind first, TokenKind second) const {
  return At(first) && PeekKind(1) == second && token().end == tokens_[position_ + 1].begin;
}

bool Parser::IsWord(size_t ahead, std::string_view upper) const {
  const size_t at = position_ + ahead;
  return at < tokens_.size() && tokens_[at].kind == TokenKind::kIdentifier &&
         Upper(tokens_[at].name.view()) == upper;
}

bool Parser::AtAny(std::initializer_list<TokenKind> kinds) const {
  return std::ranges::find(kinds, kind()) != kinds.end();
}

void Parser::SkipTo(std::initializer_list<TokenKind> kinds) {
  while (!AtAny(kinds) && !At(TokenKind::kEndOfFile)) Advance();
}

int Parser::BracketStep(TokenKind kind) {
  switch (kind) {
    case TokenKind::kLeftParen:
    case TokenKind::kLeftBracket:
    case TokenKind::kLeftBrace: return 1;
    case TokenKind::kRightParen:
    case TokenKind::kRightBracket:
    case TokenKind::kRightBrace: return -1;
    default: return 0;
  }
}

size_t Parser::BehindBrackets(size_t from) const {
  int depth = 0;
  for (size_t i = from; i + 1 < tokens_.size(); ++i) {
    const int step = BracketStep(tokens_[i].kind);
    depth += step;
    if (step < 0 && depth == 0) return i + 1;
  }
  return tokens_.size() - 1;
}

void Parser::SkipBalanced(TokenKind open, TokenKind close) {
  if (!At(open)) return;
  int depth = 0;
  while (!At(TokenKind::kEndOfFile)) {
    if (At(open)) ++depth;
    if (At(close) && --depth == 0) {
      Advance();
      return;
    }
    Advance();
  }
}

bool Parser::IsFirstInLine(const Token& token) const {
  const uint32_t start = file_.LineStart(file_.PhysicalLine(token.begin));
  const std::string_view before = file_.text().substr(start, token.begin - start);
  return before.find_first_not_of(" \t") == std::string_view::npos;
}

uint32_t Parser::ColumnOf(const Token& token) const {
  return token.begin - file_.LineStart(file_.PhysicalLine(token.begin));
}

}  // namespace tenure::compiler
