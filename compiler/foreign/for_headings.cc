// Headings of FOR in the forms of C, Go, Rust, Python and Ada.
#include "compiler/foreign/tables/words.h"
#include "compiler/parse/parse_state.h"

namespace tenure::compiler {

bool Repairer::AtForeignFor() const {
  if (!p_.Helps() && (p_.At(kLeftParen) || p_.At(kVar))) return false;
  if (p_.At(kLeftParen) || p_.At(kVar)) return true;
  if (!p_.AtIdent() || p_.grammar_only_) return false;
  const TokenKind next = p_.PeekKind(1);
  if (next == kIdentifier || next == kIn) return p_.Helps(1);
  if (next == kComma && p_.PeekKind(2) == kIdentifier) return p_.Helps(1);
  if (next != kAssign && next != kEqual) return false;
  for (size_t i = p_.position_ + 2; i + 1 < tokens_.size(); ++i) {
    switch (tokens_[i].kind) {
      case kSemicolon: return p_.HelpsUpTo(i);
      case kTo:
      case kDo:
      case kEnd: return false;
      default: break;
    }
  }
  return false;
}

// Reports the heading, up to the cursor, as a loop over the elements of a collection.
void Repairer::ReportForEach(ast::ForStmt& stmt, SourceSpan opening) {
  const SourceSpan span = p_.SpanFrom(opening.begin);
  if (p_.MayReport()) {
    p_.ShowForeign(ForeignForm::kForEach, span);
  }
  stmt.from = stmt.to = p_.MakeErrorExpr();
}

// Reports the heading, up to the cursor, with ours.
void Repairer::ReportCounting(SourceSpan opening, const std::string& ours) {
  const SourceSpan span = p_.SpanFrom(opening.begin);
  p_.has_repairs_ = true;
  p_.ShowForeign(ForeignForm::kCountingFor, span, {std::string(span.text()), "FOR " + ours})
      .Fix(file_.Span(opening.end, p_.previous_end_), " " + ours);
}

bool Repairer::ParseForeignFor(ast::ForStmt& stmt, SourceSpan opening) {
  const bool has_paren = p_.Accept(kLeftParen);
  while ((p_.AtIdent() && p_.PeekKind(1) == kIdentifier && !p_.IsWord(1, "IN") &&
          !p_.IsWord(1, "OF")) ||
         p_.At(kVar) || p_.At(kConst)) {
    p_.Advance();
  }
  if (!p_.AtIdent()) return false;
  stmt.index = p_.ExpectIdent("the loop's variable", "2.3");
  if (p_.At(kComma)) {
    // `FOR i, v := RANGE a`
    while (!p_.At(kDo) && !p_.At(kLeftBrace) && !p_.AtStatementStop()) {
      p_.Advance();
    }
    ReportForEach(stmt, opening);
    // The body uses names that are not declared.
    p_.unit_has_errors_ = true;
    return true;
  }
  if (p_.At(kIn) || p_.AtWord("IN") || p_.AtWord("OF")) {
    return ParseForIn(stmt, opening, has_paren);
  }
  return ParseForOfThree(stmt, opening, has_paren);
}

// `i in range(10)`, `i in 0..10`, `x of list`, at the word behind the variable.
bool Repairer::ParseForIn(ast::ForStmt& stmt, SourceSpan opening, bool has_paren) {
  p_.Advance();
  if (p_.AtWord("REVERSE")) p_.Advance();
  const bool is_range = p_.AtWord("RANGE") && p_.PeekKind(1) == kLeftParen;
  ast::Expr* value = p_.ParseHeaderExpr();
  std::string low, high;
  if (is_range && value->kind == ast::ExprKind::kCall) {
    const auto& actuals = ast::As<ast::CallExpr>(value)->actuals;
    if (actuals.empty() || actuals.size() > 2) return false;
    low = actuals.size() == 1 ? "0" : std::string(actuals[0].span.text());
    high = OneLess(actuals.back().span.text());
  } else if (p_.Accept(kDotDot)) {
    p_.Accept(kEqual);
    low = value->span.text();
    high = p_.ParseHeaderExpr()->span.text();
  } else {
    if (has_paren) p_.Accept(kRightParen);
    ReportForEach(stmt, opening);
    return true;
  }
  if (has_paren) p_.Accept(kRightParen);
  ReportCounting(opening, stmt.index.name.str() + " := " + low + " TO " + high);
  stmt.from = stmt.to = p_.MakeErrorExpr();
  return true;
}

// `i = 0; i < n; i++`, behind the variable.
bool Repairer::ParseForOfThree(ast::ForStmt& stmt, SourceSpan opening, bool has_paren) {
  if (p_.Accept(kColon)) p_.ParseType();
  if (!p_.Accept(kAssign) && !p_.Accept(kEqual)) return false;
  ast::Expr* from = p_.ParseExpr();
  if (!p_.Accept(kSemicolon)) return false;
  if (!p_.AtIdent() || p_.token().name != stmt.index.name) return false;
  p_.Advance();
  const TokenKind relation = p_.AtJoined(kLess, kGreater) ? kNotEqual : p_.kind();
  switch (relation) {
    case kLess:
    case kLessEqual:
    case kGreater:
    case kGreaterEqual:
    case kNotEqual: break;
    default: return false;
  }
  p_.Advance();
  const uint32_t limit_begin = p_.token().begin;
  p_.ParseHeaderExpr();
  std::string limit(file_.Span(limit_begin, p_.previous_end_).text());
  if (!p_.Accept(kSemicolon)) return false;
  // i++, ++i, i += k, i = i + k.
  std::string step = "1";
  const size_t step_begin = p_.position_;
  while (!p_.AtAny({kEndOfFile, kRightParen, kLeftBrace, kDo, kSemicolon})) {
    if (p_.At(kNumber)) step = p_.TokenSpan().text();
    if (p_.position_ - step_begin > 8) return false;
    p_.Advance();
  }
  if (has_paren && !p_.Accept(kRightParen)) return false;
  const bool is_down = relation == kGreater || relation == kGreaterEqual;
  if (relation == kLess || relation == kNotEqual) limit = OneLess(limit);
  if (relation == kGreater) limit = limit == "0" ? "1" : limit + " + 1";
  const std::string by = is_down ? " BY -" + step : (step != "1" ? " BY " + step : "");
  ReportCounting(opening, stmt.index.name.str() + " := " + std::string(from->span.text()) + " TO " +
                              limit + by);
  stmt.from = from;
  stmt.to = p_.MakeErrorExpr();
  return true;
}

}  // namespace tenure::compiler
