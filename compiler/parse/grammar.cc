// Reading by the grammar alone. A program is first read so, as a whole: what is Modula-3 means what
// the grammar says, and no table of other languages' words is asked. If that fails, the program is
// read again, to report what is wrong. Then each item of a list that has not been read yet is again
// tried by the grammar alone, and forms of other languages are looked for only where that fails
// (Helps): an error in one place does not make legal text in another place wrong.
#include "compiler/parse/parse_state.h"

namespace tenure::compiler {

ast::Unit* Parser::ParseUnit() {
  const ReadingState begin = *this;
  grammar_only_ = true;
  ast::Unit* unit = ParseCompilation();
  if (!gave_up_) return unit;
  static_cast<ReadingState&>(*this) = begin;
  suspects_.clear();
  return ParseCompilation();
}

DiagnosticBuilder Parser::Fail() {
  if (gave_up_) return {};
  failure_ = read_until_ = position_;
  gave_up_ = true;
  position_ = tokens_.size() - 1;
  return {};
}

bool Parser::Helps(size_t ahead) const {
  if (grammar_only_) return false;
  return position_ >= read_until_ || (failure_ != SIZE_MAX && position_ + ahead >= failure_);
}

void Parser::ForgetReading() {
  read_until_ = 0;
  failure_ = SIZE_MAX;
}

Token& Parser::Rewrite(size_t position) {
  ForgetReading();
  return tokens_[position];
}

bool Parser::BeginTrial() {
  if (grammar_only_ || gave_up_ || position_ < read_until_) return false;
  ForgetReading();
  return true;
}

void Parser::RequireNext(std::initializer_list<TokenKind> kinds) {
  if (!AtAny(kinds)) Fail();
}

}  // namespace tenure::compiler
