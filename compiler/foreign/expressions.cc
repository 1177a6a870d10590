// Operators, operands and constructors in the forms of other languages.
#include "compiler/foreign/tables/words.h"
#include "compiler/parse/parse_state.h"

namespace tenure::compiler {

// "(" [Actual {"," Actual}] ")".
// Is it `Write`, `Writeln` or their like, whose values may have widths in Pascal?
static bool IsPrinting(const ast::Expr* callee) {
  std::string_view name = callee->span.text();
  if (const size_t dot = name.rfind('.'); dot != std::string_view::npos)
    name.remove_prefix(dot + 1);
  std::string small(name.substr(0, 5));
  std::ranges::transform(small, small.begin(), [](unsigned char c) { return std::tolower(c); });
  return small == "write" || small == "print" || small.starts_with("put");
}

Repairer::ForeignOperator Repairer::FindForeignOperator() {
  if (!p_.Helps(1)) return {};
  const std::string_view text = p_.TokenSpan().text();
  switch (p_.kind()) {
    case kEqual:
      if (p_.AtJoined(kEqual, kEqual)) return {2, kEqual, ForeignForm::kEquality, "=", {}};
      if (p_.AtJoined(kEqual, kLess)) return {2, kLessEqual, ForeignForm::kAtMost, "<=", {}};
      break;
    case kNotEqual:
      if (text == "!=") return {1, kNotEqual, ForeignForm::kInequality, "#", {"!="}};
      break;
    case kLess:
      if (p_.AtJoined(kLess, kGreater))
        return {2, kNotEqual, ForeignForm::kInequality, "#", {"<>"}};
      if (p_.AtJoined(kLess, kLess))
        return {2, kPlus, ForeignForm::kShift, "", {"<<", "Word.LeftShift(x, n)"}};
      break;
    case kGreater:
      if (p_.AtJoined(kGreater, kGreater))
        return {2, kPlus, ForeignForm::kShift, "", {">>", "Word.RightShift(x, n)"}};
      break;
    case kAmpersand:
      if (p_.AtJoined(kAmpersand, kAmpersand))
        return {2, kAnd, ForeignForm::kConjunction, "AND", {}};
      break;
    case kBar:
      if (p_.AtJoined(kBar, kBar)) return {2, kOr, ForeignForm::kDisjunction, "OR", {}};
      break;
    case kStar:
      if (p_.AtJoined(kStar, kStar)) return {2, kStar, ForeignForm::kPower, "", {}};
      break;
    case kMod:
      if (text == "%") return {1, kMod, ForeignForm::kRemainder, "MOD", {}};
      break;
    case kDiv:
      if (text == "//") return {1, kDiv, ForeignForm::kWholeDivision, "DIV", {}};
      break;
    default: break;
  }
  return {};
}

bool Repairer::FixLowerCaseOperator() {
  if (!p_.AtIdent()) return false;
  const std::string upper = Upper(p_.token().name.view());
  if (upper != "AND" && upper != "OR" && upper != "MOD" && upper != "DIV" && upper != "IN") {
    return false;
  }
  return p_.FixLowerCase();
}

bool Repairer::FixNotIn(uint32_t begin) {
  const bool is_not = p_.At(kNot) || p_.AtWord("NOT");
  if (!is_not || !p_.Helps() || (p_.PeekKind(1) != kIn && !p_.IsWord(1, "IN"))) return false;
  const SourceSpan both = p_.SpanTo(1);
  const std::string operand(p_.SpanFrom(begin).text());
  p_.RepairForeign(ForeignForm::kNotIn, both, {"NOT " + operand + " IN ..."})
      .Fix(file_.Span(begin, begin), "NOT ")
      .Fix(both, "IN");
  p_.Advance();
  p_.Rewrite(p_.position_).kind = kIn;
  return true;
}

bool Repairer::FixNilTest() {
  const size_t word = p_.position_ + (p_.PeekKind(1) == kNot || p_.IsWord(1, "NOT") ? 2 : 1);
  if (word >= tokens_.size() || tokens_[word].kind != kIdentifier) return false;
  const std::string upper = Upper(tokens_[word].name.view());
  if (upper != "NIL" && upper != "NONE" && upper != "NULL" && upper != "NOTHING") return false;
  const SourceSpan whole = p_.SpanOf(p_.position_, word);
  const std::string ours = word == p_.position_ + 2 ? "# NIL" : "= NIL";
  p_.RepairForeign(ForeignForm::kNilTest, whole, {std::string(whole.text()), ours})
      .Fix(whole, ours);
  p_.AdvanceTo(word + 1);
  return true;
}

bool Repairer::FixInRange(const ast::Expr* left, ast::Expr* right, uint32_t begin) {
  if (!p_.Helps()) return false;
  const auto* in_brackets = ast::DynAs<ast::TypeAsExpr>(static_cast<const ast::Expr*>(right));
  const auto* subrange =
      in_brackets == nullptr
          ? nullptr
          : ast::DynAs<ast::SubrangeType>(static_cast<const ast::TypeExpr*>(in_brackets->type));
  std::string low, high;
  if (subrange != nullptr) {
    low = subrange->low->span.text();
    high = subrange->high->span.text();
  } else if (p_.At(kDotDot)) {
    low = right->span.text();
    p_.Advance();
    high = p_.ParseSign()->span.text();
  } else {
    return false;
  }
  const std::string value(left->span.text());
  const std::string ours = "(" + low + " <= " + value + ") AND (" + value + " <= " + high + ")";
  const SourceSpan whole = p_.SpanFrom(begin);
  p_.has_repairs_ = true;
  DiagnosticBuilder error = p_.ShowForeign(ForeignForm::kInRange, whole, {low + ".." + high, ours});
  // A call would be evaluated twice.
  if (left->kind == ast::ExprKind::kName || left->kind == ast::ExprKind::kSelect) {
    error.Fix(whole, ours);
  }
  return true;
}

ast::Expr* Repairer::ParseTypeTest(int operand_level) {
  if (!p_.Helps()) return nullptr;
  if (p_.At(kAs) && p_.PeekKind(1) == kIdentifier) {
    p_.ReportForeign(ForeignForm::kAsCast, p_.SpanTo(1), {p_.Peek(1).name.str()});
    p_.Advance();
    p_.Advance();
  } else {
    const bool is_case = p_.AtWord("IS") && (p_.IsWord(1, "WHEN") || p_.PeekKind(1) == kBar);
    if (is_case || (!p_.AtWord("IS") && !p_.AtWord("INSTANCEOF") && !p_.AtWord("ISINSTANCE"))) {
      return nullptr;
    }
    if (FixNilTest()) return p_.MakeErrorExpr();
    const std::string word = p_.token().name.str();
    p_.Advance();
    if (p_.AtWord("NOT")) p_.Advance();
    --p_.position_;
    p_.ReportForeign(ForeignForm::kTypeTest, p_.TokenSpan(), {word});
    ++p_.position_;
    p_.ParseLevel(operand_level);
  }
  p_.last_error_ = p_.position_;
  return p_.MakeErrorExpr();
}

void Repairer::ReportOperator(const ForeignOperator& found, SourceSpan span) {
  if (found.fix.empty()) {
    p_.ReportForeign(found.form, span, found.args);
    return;
  }
  // `a&&b` needs spaces around the word.
  const bool is_word = IsKeyword(found.meant);
  const bool space_before = is_word && p_.previous_end_ == span.begin;
  const bool space_behind = is_word && p_.Peek(found.tokens).begin == span.end;
  p_.RepairForeign(found.form, span, found.args)
      .Fix(span, (space_before ? " " : "") + found.fix + (space_behind ? " " : ""));
}

bool Repairer::SkipStepValue(const ast::Expr* variable, uint32_t begin) {
  if (!p_.AtJoined(kPlus, kPlus) || !p_.Helps(2) ||
      (p_.PeekKind(2) != kRightBracket && p_.PeekKind(2) != kRightParen &&
       p_.PeekKind(2) != kComma)) {
    return false;
  }
  const std::string name(variable->span.text());
  p_.ReportForeign(ForeignForm::kStepValue, file_.Span(begin, p_.Peek(1).end),
                   {name + "++", "INC(" + name + ")"});
  p_.Advance();
  p_.Advance();
  p_.last_error_ = p_.position_;
  return true;
}

// --- operands ---

ast::Expr* Repairer::ParsePrefixOperator() {
  const SourceSpan mark = p_.TokenSpan();
  const uint32_t begin = p_.token().begin;
  const std::string text(mark.text());
  if (p_.At(kAmpersand)) {
    p_.ReportForeign(ForeignForm::kAddressOf, mark, {"&x"});
    p_.Advance();
    return p_.ParsePostfix();
  }
  DiagnosticBuilder error = p_.RepairForeign(ForeignForm::kPrefixDeref, mark, {text + "p"});
  p_.Advance();
  ast::Expr* operand = p_.RequireValue(p_.ParsePostfix());
  error.Fix(mark, "").Fix(p_.AfterPrevious(), "^");
  ast::DerefExpr* deref = p_.New<ast::DerefExpr>();
  deref->operand = operand;
  p_.Deepen(deref, operand);
  return p_.Finish(deref, begin);
}

ast::Expr* Repairer::ParseForeignNew() {
  const uint32_t begin = p_.token().begin;
  const SourceSpan word = p_.TokenSpan();
  p_.Advance();
  const uint32_t type_begin = p_.token().begin;
  ast::TypeExpr* type = p_.ParseType();
  const std::string type_text(file_.Span(type_begin, p_.previous_end_).text());
  ast::CallExpr* call = p_.New<ast::CallExpr>();
  ast::NameExpr* name = p_.New<ast::NameExpr>();
  name->name = p_.interner_.Intern("NEW");
  name->span = word;
  call->callee = name;
  ast::TypeAsExpr* type_expr = p_.New<ast::TypeAsExpr>();
  type_expr->type = type;
  type_expr->span = type->span;
  ast::Actual actual;
  actual.value = type_expr;
  actual.span = type->span;
  call->actuals.push_back(actual);
  const bool has_arguments = p_.At(kLeftParen) && p_.PeekKind(1) != kRightParen;
  const std::string form = std::string(word.text()) + " " + type_text;
  if (has_arguments) {
    p_.SkipBalanced(kLeftParen, kRightParen);
    p_.unit_has_errors_ = true;
    p_.ShowForeign(
        ForeignForm::kNew, file_.Span(begin, type->span.end),
        {form + "(...)", "NEW(" + type_text + ", field := value), with the names of the fields"});
    p_.last_error_ = p_.position_;
    return p_.Finish(p_.New<ast::ErrorExpr>(), begin);
  }
  if (p_.Accept(kLeftParen)) p_.Accept(kRightParen);
  const SourceSpan whole = p_.SpanFrom(begin);
  p_.ShowForeign(ForeignForm::kNew, whole, {std::string(whole.text()), "NEW(" + type_text + ")"})
      .Fix(whole, "NEW(" + type_text + ")");
  p_.has_repairs_ = true;
  p_.Deepen(call, type_expr);
  return p_.Finish(call, begin);
}

bool Repairer::AtArrayValue() const {
  if (!p_.HelpsUpTo(p_.BehindBrackets(p_.position_))) return false;
  int depth = 0;
  for (size_t i = p_.position_; i + 1 < tokens_.size(); ++i) {
    const int step = Parser::BracketStep(tokens_[i].kind);
    depth += step;
    if (step < 0 && depth == 0) return true;
    switch (tokens_[i].kind) {
      case kDotDot:
        if (depth == 1) return false;
        break;
      case kSemicolon:
      case kEnd: return false;
      default: break;
    }
  }
  return false;
}

ast::Expr* Repairer::ParseArrayValue() {
  const uint32_t begin = p_.token().begin;
  const size_t behind = p_.BehindBrackets(p_.position_);
  p_.ReportForeign(ForeignForm::kArrayValue, file_.Span(begin, tokens_[behind - 1].end));
  p_.AdvanceTo(behind);
  p_.last_error_ = p_.position_;
  return p_.Finish(p_.New<ast::ErrorExpr>(), begin);
}

ast::Expr* Repairer::ParseSlice(const ast::Expr* operand, const ast::Expr* low, uint32_t begin) {
  const bool is_inclusive = p_.At(kDotDot);
  p_.Advance();
  const ast::Expr* high = p_.At(kRightBracket) ? nullptr : p_.ParseExpr();
  p_.Accept(kRightBracket);
  const std::string first = low == nullptr ? "0" : std::string(low->span.text());
  const auto* low_number = low == nullptr ? nullptr : ast::DynAs<ast::NumberExpr>(low);
  const auto* high_number = high == nullptr ? nullptr : ast::DynAs<ast::NumberExpr>(high);
  std::string count;
  if (high == nullptr) {
    count =
        "NUMBER(" + std::string(operand->span.text()) + ")" + (first == "0" ? "" : " - " + first);
  } else if (high_number != nullptr && (low_number != nullptr || low == nullptr)) {
    const uint64_t from = low_number == nullptr ? 0 : low_number->value;
    const uint64_t to = high_number->value + (is_inclusive ? 1 : 0);
    count = std::to_string(to < from ? 0 : to - from);
  } else {
    count = std::string(high->span.text()) + (first == "0" ? "" : " - " + first) +
            (is_inclusive ? " + 1" : "");
  }
  const SourceSpan whole = p_.SpanFrom(begin);
  p_.unit_has_errors_ = true;
  p_.ShowForeign(ForeignForm::kSlice, whole,
                 {std::string(whole.text()), "SUBARRAY(" + std::string(operand->span.text()) +
                                                 ", " + first + ", " + count + ")"});
  p_.last_error_ = p_.position_;
  return p_.Finish(p_.New<ast::ErrorExpr>(), begin);
}

ast::Expr* Repairer::ParsePrefixedText() {
  const std::string_view prefix = p_.token().name.view();
  if (prefix.size() > 2 || !p_.Helps(1) || p_.PeekKind(1) != kTextLiteral ||
      p_.Peek(1).begin != p_.token().end) {
    return nullptr;
  }
  const uint32_t begin = p_.token().begin;
  const SourceSpan mark = p_.TokenSpan();
  const bool has_places =
      file_.Span(p_.Peek(1).begin, p_.Peek(1).end).text().find('{') != std::string_view::npos;
  DiagnosticBuilder error = p_.RepairForeign(ForeignForm::kTextPrefix, mark, {std::string(prefix)});
  if (!has_places) error.Fix(mark, "");
  if (has_places) p_.unit_has_errors_ = true;
  p_.Advance();
  ast::Expr* text = p_.ParsePrimary();
  return has_places ? p_.Finish(p_.MakeErrorExpr(), begin) : text;
}

void Repairer::FixNamedActual(const ast::Expr* callee, ast::Actual& actual) {
  if (!p_.At(kColon) || !p_.Helps() || IsPrinting(callee)) return;
  const auto* name = ast::DynAs<ast::NameExpr>(static_cast<const ast::Expr*>(actual.value));
  if (name == nullptr) return;
  p_.RepairForeign(ForeignForm::kNamedActual, p_.TokenSpan(), {name->name.str()})
      .Fix(p_.TokenSpan(), " :=");
  actual.keyword = {name->name, name->span};
  p_.Advance();
  actual.value = p_.ParseExpr();
  actual.span = p_.SpanFrom(name->span.begin);
}

bool Repairer::SkipPrintWidth(const ast::CallExpr& call) {
  if (!p_.At(kColon) || !p_.Helps() || p_.PeekKind(1) != kNumber || !IsPrinting(call.callee)) {
    return false;
  }
  const uint32_t begin = call.actuals.empty() ? p_.token().begin : call.actuals.back().span.begin;
  p_.ReportForeign(ForeignForm::kPrintWidth, file_.Span(begin, p_.Peek(1).end));
  while (!p_.At(kRightParen) && !p_.AtStatementStop()) p_.Advance();
  p_.Accept(kRightParen);
  p_.last_error_ = p_.position_;
  return true;
}

void Repairer::SkipActualMode() {
  if ((!p_.At(kVar) && !p_.At(kReadonly) && !p_.AtWord("REF") && !p_.AtWord("OUT")) ||
      !p_.Helps(1) || p_.PeekKind(1) != kIdentifier) {
    return;
  }
  p_.RepairForeign(ForeignForm::kActualMode, p_.TokenSpan())
      .Fix(file_.Span(p_.token().begin, p_.Peek(1).begin), "");
  p_.Advance();
}

bool Repairer::SkipLambda() {
  if (!p_.Helps(1) || ((!p_.AtIdent() || p_.PeekKind(1) != kArrow) &&
                       (!p_.AtWord("LAMBDA") || p_.PeekKind(1) != kIdentifier))) {
    return false;
  }
  p_.ReportForeign(ForeignForm::kLambda, p_.SpanTo(1));
  while (!p_.At(kRightParen) && !p_.AtStatementStop()) {
    if (p_.At(kLeftParen)) {
      p_.SkipBalanced(kLeftParen, kRightParen);
    } else {
      p_.Advance();
    }
  }
  p_.last_error_ = p_.position_;
  return true;
}

bool Repairer::SkipInParens(SourceSpan opening) {
  bool is_found = false;
  if (p_.At(kAssign) && p_.Helps()) {
    // `(c := f()) # 0`
    p_.ReportForeign(ForeignForm::kAssignInExpression, p_.TokenSpan());
    p_.Advance();
    p_.ParseExpr();
    is_found = true;
    p_.last_error_ = p_.position_;
  }
  if (p_.At(kBar) && p_.Helps() && !p_.AtJoined(kBar, kBar)) {
    // `(x | y)`
    p_.ReportForeign(ForeignForm::kBitOr, p_.TokenSpan());
    p_.Advance();
    p_.last_error_ = p_.position_;
    p_.ParseExpr();
    is_found = true;
    p_.last_error_ = p_.position_;
  }
  if (p_.At(kComma) && p_.in_return_ && p_.Helps()) {
    // `RETURN (a, b)`
    while (!p_.At(kRightParen) && !p_.AtStatementStop()) p_.Advance();
    const SourceSpan values = p_.SpanFrom(opening.begin);
    p_.ReportForeign(ForeignForm::kSeveralResults, values, {std::string(values.text()) + ")"});
    is_found = true;
    p_.last_error_ = p_.position_;
  }
  return is_found;
}

bool Repairer::SkipBehindParens(const ast::Expr* expr, SourceSpan opening) {
  if (p_.At(kBar) && p_.followers_.bar == 0 && p_.Helps() &&
      (p_.PeekKind(1) == kNumber || p_.PeekKind(1) == kIdentifier)) {
    // `(x) | y`, where no arm can begin
    p_.ReportForeign(ForeignForm::kBitOr, p_.TokenSpan());
    p_.Advance();
    p_.last_error_ = p_.position_;
    p_.ParseSign();
    p_.last_error_ = p_.position_;
    return true;
  }
  // `(int) x`
  const auto* name = ast::DynAs<ast::NameExpr>(expr);
  const bool same_line =
      file_.PhysicalLine(p_.previous_end_) == file_.PhysicalLine(p_.token().begin);
  if (name == nullptr || !same_line || !p_.Helps() || (!p_.AtIdent() && !p_.At(kNumber))) {
    return false;
  }
  for (const std::string_view ours : {"AND", "OR", "MOD", "DIV", "IN", "THEN", "DO", "IS"}) {
    if (p_.AtWord(ours)) return false;
  }
  p_.ReportForeign(ForeignForm::kCast, p_.SpanFrom(opening.begin), {name->name.str()});
  p_.Advance();
  p_.last_error_ = p_.position_;
  return true;
}

bool Repairer::SkipOtherElements() {
  if (!p_.AtWord("OTHERS") || !p_.Helps(1) || p_.PeekKind(1) != kArrow) return false;
  const uint32_t begin = p_.token().begin;
  while (!p_.At(kRightBrace) && !p_.AtStatementStop()) p_.Advance();
  const SourceSpan whole = p_.SpanFrom(begin);
  const std::string_view text = whole.text();
  std::string value(text.substr(text.find("=>") + 2));
  value.erase(0, value.find_first_not_of(' '));
  p_.RepairForeign(ForeignForm::kOtherElements, whole, {std::string(text), value + ", .."})
      .Fix(whole, value + ", ..");
  p_.unit_has_errors_ = true;
  return true;
}

}  // namespace tenure::compiler
