// Forms of other languages: recognised where no Modula-3 is possible, reported with the right form,
// and parsed as the right form where the meaning is clear. This file has the common parts of the
// files foreign_*.cc, operators and operands, and headings of units.
#include "compiler/parse/foreign_spelling.h"
#include "compiler/parse/parse_state.h"

namespace tenure::compiler {

bool Parser::AtJoined(TokenKind first, TokenKind second) const {
  return At(first) && PeekKind(1) == second && token().end == tokens_[position_ + 1].begin;
}

SourceSpan Parser::JoinedSpan() const {
  return file_.Span(token().begin, tokens_[position_ + 1].end);
}

bool Parser::IsWord(size_t ahead, std::string_view upper) const {
  const size_t at = position_ + ahead;
  return at < tokens_.size() && tokens_[at].kind == TokenKind::kIdentifier &&
         Upper(tokens_[at].name.view()) == upper;
}

bool Parser::AtWord(std::string_view upper) const { return IsWord(0, upper); }

DiagnosticBuilder Parser::RepairForeign(ForeignForm form, SourceSpan span,
                                        const std::vector<std::string>& args) {
  has_repairs_ = true;
  if (!MayRepair()) return {};
  return ShowForeign(form, span, args);
}

DiagnosticBuilder Parser::ShowForeign(ForeignForm form, SourceSpan span,
                                      const std::vector<std::string>& args) {
  if (grammar_only_) return Fail();
  ForgetReading();
  return ReportForeignForm(diagnostics_, form, span, args);
}

DiagnosticBuilder Parser::ReportForeign(ForeignForm form, SourceSpan span,
                                        const std::vector<std::string>& args) {
  if (!MayReport()) return {};
  return ShowForeign(form, span, args);
}

// 1 for a bracket that opens, -1 for one that closes, else 0.
static int BracketStep(TokenKind kind) {
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

// The position behind the bracket that closes the one at `from`.
size_t Parser::BehindBrackets(size_t from) const {
  int depth = 0;
  for (size_t i = from; i + 1 < tokens_.size(); ++i) {
    const int step = BracketStep(tokens_[i].kind);
    depth += step;
    if (step < 0 && depth == 0) return i + 1;
  }
  return tokens_.size() - 1;
}

// At the opening bracket: skips to behind the closing one.
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

// --- operators ---

Parser::ForeignOperator Parser::FindForeignOperator() {
  if (!Helps(1)) return {};
  const std::string_view text = TokenSpan().text();
  switch (kind()) {
    case TokenKind::kEqual:
      if (AtJoined(TokenKind::kEqual, TokenKind::kEqual))
        return {2, TokenKind::kEqual, ForeignForm::kEquality, "=", {}};
      if (AtJoined(TokenKind::kEqual, TokenKind::kLess))
        return {2, TokenKind::kLessEqual, ForeignForm::kAtMost, "<=", {}};
      break;
    case TokenKind::kNotEqual:
      if (text == "!=") return {1, TokenKind::kNotEqual, ForeignForm::kInequality, "#", {"!="}};
      break;
    case TokenKind::kLess:
      if (AtJoined(TokenKind::kLess, TokenKind::kGreater))
        return {2, TokenKind::kNotEqual, ForeignForm::kInequality, "#", {"<>"}};
      if (AtJoined(TokenKind::kLess, TokenKind::kLess))
        return {2, TokenKind::kPlus, ForeignForm::kShift, "", {"<<", "Word.LeftShift(x, n)"}};
      break;
    case TokenKind::kGreater:
      if (AtJoined(TokenKind::kGreater, TokenKind::kGreater))
        return {2, TokenKind::kPlus, ForeignForm::kShift, "", {">>", "Word.RightShift(x, n)"}};
      break;
    case TokenKind::kAmpersand:
      if (AtJoined(TokenKind::kAmpersand, TokenKind::kAmpersand))
        return {2, TokenKind::kAnd, ForeignForm::kConjunction, "AND", {}};
      break;
    case TokenKind::kBar:
      if (AtJoined(TokenKind::kBar, TokenKind::kBar))
        return {2, TokenKind::kOr, ForeignForm::kDisjunction, "OR", {}};
      break;
    case TokenKind::kStar:
      if (AtJoined(TokenKind::kStar, TokenKind::kStar))
        return {2, TokenKind::kStar, ForeignForm::kPower, "", {}};
      break;
    case TokenKind::kMod:
      if (text == "%") return {1, TokenKind::kMod, ForeignForm::kRemainder, "MOD", {}};
      break;
    case TokenKind::kDiv:
      if (text == "//") return {1, TokenKind::kDiv, ForeignForm::kWholeDivision, "DIV", {}};
      break;
    default: break;
  }
  return {};
}

// `and`, `or`, `mod`, `div`, `in` behind an operand.
bool Parser::FixLowerCaseOperator() {
  if (!AtIdent()) return false;
  const std::string upper = Upper(token().name.view());
  if (upper != "AND" && upper != "OR" && upper != "MOD" && upper != "DIV" && upper != "IN") {
    return false;
  }
  return FixLowerCase();
}

// `*p`, `^p`, `&x` at the beginning of an operand.
ast::Expr* Parser::ParsePrefixOperator() {
  const SourceSpan mark = TokenSpan();
  const uint32_t begin = token().begin;
  const std::string text(mark.text());
  if (At(TokenKind::kAmpersand)) {
    ReportForeign(ForeignForm::kAddressOf, mark, {"&x"});
    Advance();
    return ParsePostfix();
  }
  DiagnosticBuilder error = RepairForeign(ForeignForm::kPrefixDeref, mark, {text + "p"});
  Advance();
  ast::Expr* operand = RequireValue(ParsePostfix());
  error.Fix(mark, "").Fix(AfterPrevious(), "^");
  ast::DerefExpr* deref = New<ast::DerefExpr>();
  deref->operand = operand;
  Deepen(deref, operand);
  return Finish(deref, begin);
}

ast::Expr* Parser::ParseForeignNew() {
  const uint32_t begin = token().begin;
  const SourceSpan word = TokenSpan();
  Advance();
  const uint32_t type_begin = token().begin;
  ast::TypeExpr* type = ParseType();
  const std::string type_text(file_.Span(type_begin, previous_end_).text());
  ast::CallExpr* call = New<ast::CallExpr>();
  ast::NameExpr* name = New<ast::NameExpr>();
  name->name = interner_.Intern("NEW");
  name->span = word;
  call->callee = name;
  ast::TypeAsExpr* type_expr = New<ast::TypeAsExpr>();
  type_expr->type = type;
  type_expr->span = type->span;
  ast::Actual actual;
  actual.value = type_expr;
  actual.span = type->span;
  call->actuals.push_back(actual);
  const bool has_arguments = At(TokenKind::kLeftParen) && PeekKind(1) != TokenKind::kRightParen;
  const std::string form = std::string(word.text()) + " " + type_text;
  if (has_arguments) {
    SkipBalanced(TokenKind::kLeftParen, TokenKind::kRightParen);
    unit_has_errors_ = true;
    ShowForeign(
        ForeignForm::kNew, file_.Span(begin, type->span.end),
        {form + "(...)", "NEW(" + type_text + ", field := value), with the names of the fields"});
    last_error_ = position_;
    return Finish(New<ast::ErrorExpr>(), begin);
  }
  if (Accept(TokenKind::kLeftParen)) Accept(TokenKind::kRightParen);
  const SourceSpan whole = SpanFrom(begin);
  ShowForeign(ForeignForm::kNew, whole, {std::string(whole.text()), "NEW(" + type_text + ")"})
      .Fix(whole, "NEW(" + type_text + ")");
  has_repairs_ = true;
  Deepen(call, type_expr);
  return Finish(call, begin);
}

// At `[` where an expression stands: is it a list of values, not a subrange?
bool Parser::AtArrayValue() const {
  if (!HelpsUpTo(BehindBrackets(position_))) return false;
  int depth = 0;
  for (size_t i = position_; i + 1 < tokens_.size(); ++i) {
    const int step = BracketStep(tokens_[i].kind);
    depth += step;
    if (step < 0 && depth == 0) return true;
    switch (tokens_[i].kind) {
      case TokenKind::kDotDot:
        if (depth == 1) return false;
        break;
      case TokenKind::kSemicolon:
      case TokenKind::kEnd: return false;
      default: break;
    }
  }
  return false;
}

ast::Expr* Parser::ParseArrayValue() {
  const uint32_t begin = token().begin;
  const size_t behind = BehindBrackets(position_);
  ReportForeign(ForeignForm::kArrayValue, file_.Span(begin, tokens_[behind - 1].end));
  while (position_ < behind) Advance();
  last_error_ = position_;
  return Finish(New<ast::ErrorExpr>(), begin);
}

// --- units ---

// At the first token of a file that begins no unit. False if it is not a heading of another
// language that has a Modula-3 equivalent.
bool Parser::FixForeignUnit(ast::Unit& unit) {
  if (!AtIdent() || !Helps()) return false;
  const uint32_t begin = token().begin;
  const std::string word(token().name.view());
  const std::string upper = Upper(word);
  const SourceSpan span = TokenSpan();
  if (upper == "PROGRAM" && PeekKind(1) == TokenKind::kIdentifier) {
    const std::string name(tokens_[position_ + 1].name.view());
    const bool is_main = name == "Main";
    DiagnosticBuilder error = RepairForeign(ForeignForm::kProgram, span, {word, name});
    error.Fix(span, "MODULE");
    if (!is_main) {
      const uint32_t end = tokens_[position_ + 1].end;
      error.Fix(file_.Span(end, end), " EXPORTS Main");
      unit.has_exports = true;
      unit.exports = {{interner_.Intern("Main"), span}};
    }
    Rewrite(position_).kind = TokenKind::kModule;
    return true;
  }
  const bool is_definition = upper == "DEFINITION" || upper == "FOREIGN";
  if ((is_definition || upper == "IMPLEMENTATION") &&
      (PeekKind(1) == TokenKind::kModule || IsWord(1, "MODULE"))) {
    const std::string name = PeekKind(2) == TokenKind::kIdentifier
                                 ? std::string(tokens_[position_ + 2].name.view())
                                 : "M";
    const SourceSpan both = file_.Span(begin, tokens_[position_ + 1].end);
    RepairForeign(is_definition ? ForeignForm::kDefinition : ForeignForm::kImplementation, both,
                  {name})
        .Fix(both, is_definition ? "INTERFACE" : "MODULE");
    Advance();
    Rewrite(position_).kind = is_definition ? TokenKind::kInterface : TokenKind::kModule;
    return true;
  }
  return false;
}

}  // namespace tenure::compiler
