// Headings of FOR in the forms of C, Go, Rust, Python and Ada.
#include "compiler/parse/foreign_spelling.h"
#include "compiler/parse/parse_state.h"

namespace tenure::compiler {

// Behind FOR: is the heading another language's?
bool Parser::AtForeignFor() const {
  if (!Helps() && (At(TokenKind::kLeftParen) || At(TokenKind::kVar))) return false;
  if (At(TokenKind::kLeftParen) || At(TokenKind::kVar)) return true;
  if (!AtIdent() || grammar_only_) return false;
  const TokenKind next = PeekKind(1);
  if (next == TokenKind::kIdentifier || next == TokenKind::kIn) return Helps(1);
  if (next == TokenKind::kComma && PeekKind(2) == TokenKind::kIdentifier) return Helps(1);
  if (next != TokenKind::kAssign && next != TokenKind::kEqual) return false;
  for (size_t i = position_ + 2; i + 1 < tokens_.size(); ++i) {
    switch (tokens_[i].kind) {
      case TokenKind::kSemicolon: return HelpsUpTo(i);
      case TokenKind::kTo:
      case TokenKind::kDo:
      case TokenKind::kEnd: return false;
      default: break;
    }
  }
  return false;
}

// The headings of C, Go, Rust, Python and Ada. False if the heading was not understood; then it is
// skipped.
bool Parser::ParseForeignFor(ast::ForStmt& stmt, SourceSpan opening) {
  const size_t first = position_;
  const bool has_paren = At(TokenKind::kLeftParen);
  const size_t behind = has_paren ? BehindBrackets(position_) : SIZE_MAX;
  if (has_paren) Advance();
  const auto heading = [&] { return file_.Span(opening.begin, previous_end_); };
  while ((AtIdent() && PeekKind(1) == TokenKind::kIdentifier && !IsWord(1, "IN") &&
          !IsWord(1, "OF")) ||
         At(TokenKind::kVar) || At(TokenKind::kConst)) {
    Advance();
  }
  if (!AtIdent()) return false;
  stmt.index = ExpectIdent("the loop's variable", "2.3");
  const std::string index(stmt.index.name.view());

  if (At(TokenKind::kComma)) {
    // `FOR i, v := RANGE a`
    while (!At(TokenKind::kDo) && !At(TokenKind::kLeftBrace) && !AtStatementStop()) Advance();
    const SourceSpan span = heading();
    if (MayReport()) {
      ShowForeign(ForeignForm::kForEach, span, {std::string(span.text())});
    }
    // The body uses names that are not declared.
    unit_has_errors_ = true;
    stmt.from = stmt.to = MakeErrorExpr();
    return true;
  }
  if (At(TokenKind::kIn) || AtWord("IN") || AtWord("OF")) {
    Advance();
    AtWord("REVERSE") ? Advance() : void();
    const bool is_range = AtWord("RANGE") && PeekKind(1) == TokenKind::kLeftParen;
    ast::Expr* value = ParseHeaderExpr();
    std::string low, high;
    if (is_range && value->kind == ast::ExprKind::kCall) {
      const auto& actuals = ast::As<ast::CallExpr>(value)->actuals;
      if (actuals.empty() || actuals.size() > 2) return false;
      low = actuals.size() == 1 ? "0" : std::string(actuals[0].span.text());
      high = OneLess(actuals.back().span.text());
    } else if (Accept(TokenKind::kDotDot)) {
      const bool is_inclusive = Accept(TokenKind::kEqual) || !has_paren;
      low = value->span.text();
      ast::Expr* last = ParseHeaderExpr();
      high = last->span.text();
      (void)is_inclusive;
    } else {
      if (has_paren) Accept(TokenKind::kRightParen);
      const SourceSpan span = heading();
      if (MayReport()) {
        ShowForeign(ForeignForm::kForEach, span, {std::string(span.text())});
      }
      stmt.from = stmt.to = MakeErrorExpr();
      return true;
    }
    if (has_paren) Accept(TokenKind::kRightParen);
    const std::string written = "FOR " + index + " := " + low + " TO " + high;
    has_repairs_ = true;
    ShowForeign(ForeignForm::kCountingFor, heading(), {std::string(heading().text()), written})
        .Fix(file_.Span(opening.end, previous_end_), written.substr(3));
    stmt.from = stmt.to = MakeErrorExpr();
    return true;
  }

  if (Accept(TokenKind::kColon)) ParseType();
  if (!Accept(TokenKind::kAssign) && !Accept(TokenKind::kEqual)) return false;
  ast::Expr* from = ParseExpr();
  if (!Accept(TokenKind::kSemicolon)) return false;
  if (!AtIdent() || token().name != stmt.index.name) return false;
  Advance();
  const TokenKind relation =
      AtJoined(TokenKind::kLess, TokenKind::kGreater) ? TokenKind::kNotEqual : kind();
  if (relation != TokenKind::kLess && relation != TokenKind::kLessEqual &&
      relation != TokenKind::kGreater && relation != TokenKind::kGreaterEqual &&
      relation != TokenKind::kNotEqual) {
    return false;
  }
  Advance();
  const uint32_t limit_begin = token().begin;
  ParseHeaderExpr();
  const std::string limit(file_.Span(limit_begin, previous_end_).text());
  if (!Accept(TokenKind::kSemicolon)) return false;
  // i++, ++i, i += k, i = i + k.
  std::string step = "1";
  const bool is_down = relation == TokenKind::kGreater || relation == TokenKind::kGreaterEqual;
  const size_t step_begin = position_;
  while (!At(TokenKind::kEndOfFile) && !At(TokenKind::kRightParen) && !At(TokenKind::kLeftBrace) &&
         !At(TokenKind::kDo) && !At(TokenKind::kSemicolon)) {
    if (At(TokenKind::kNumber)) step = TokenSpan().text();
    if (position_ - step_begin > 8) return false;
    Advance();
  }
  if (has_paren && !Accept(TokenKind::kRightParen)) return false;
  std::string high = limit;
  if (relation == TokenKind::kLess || relation == TokenKind::kNotEqual) high = OneLess(limit);
  if (relation == TokenKind::kGreater) high = limit == "0" ? "1" : limit + " + 1";
  std::string written = "FOR " + index + " := " + std::string(from->span.text()) + " TO " + high;
  if (is_down) {
    written += " BY -" + step;
  } else if (step != "1") {
    written += " BY " + step;
  }
  has_repairs_ = true;
  ShowForeign(ForeignForm::kCountingFor, heading(), {std::string(heading().text()), written})
      .Fix(file_.Span(opening.end, previous_end_), written.substr(3));
  stmt.from = from;
  stmt.to = MakeErrorExpr();
  (void)first;
  (void)behind;
  return true;
}

}  // namespace tenure::compiler
