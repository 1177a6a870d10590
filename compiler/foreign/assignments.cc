// Assignments and calls in the forms of other languages.
#include "compiler/parse/parse_state.h"

namespace tenure::compiler {

// INC or DEC of the target, which the source spells by two signs in front of it or behind.
ast::Stmt* Repairer::ParseStepStatement(TokenKind sign, ast::Expr* target, uint32_t begin) {
  const SourceSpan whole = p_.SpanFrom(begin);
  const std::string written =
      std::string(sign == kPlus ? "INC" : "DEC") + "(" + std::string(target->span.text()) + ")";
  p_.RepairForeign(ForeignForm::kIncrement, whole, {std::string(whole.text()), written})
      .Fix(whole, written);
  ast::CallExpr* call = p_.New<ast::CallExpr>();
  ast::NameExpr* name = p_.New<ast::NameExpr>();
  name->name = p_.interner_.Intern("INC");
  name->span = target->span;
  call->callee = name;
  ast::Actual actual;
  actual.value = target;
  actual.span = target->span;
  call->actuals.push_back(actual);
  ast::CallStmt* stmt = p_.New<ast::CallStmt>();
  stmt->call = p_.Finish(call, begin);
  return p_.Finish(stmt, begin);
}

ast::Stmt* Repairer::ParseForeignAssignment(ast::Expr* target, uint32_t begin) {
  const std::string name(target->span.text());
  const auto assign = [&](size_t tokens) {
    p_.AdvanceTo(p_.position_ + tokens);
    ast::AssignStmt* stmt = p_.New<ast::AssignStmt>();
    stmt->target = target;
    stmt->value = p_.ParseExpr();
    return p_.Finish(stmt, begin);
  };
  const auto is_split = p_.At(kColon) && p_.PeekKind(1) == kEqual;
  if (is_split || p_.AtJoined(kLess, kMinus)) {
    const SourceSpan mark = p_.SpanTo(1);
    p_.RepairForeign(is_split ? ForeignForm::kSplitAssign : ForeignForm::kArrowAssign, mark)
        .Fix(mark, ":=");
    return assign(2);
  }
  if (p_.At(kEqual)) {
    const size_t last = p_.AtJoined(kEqual, kEqual) ? 1 : 0;
    const SourceSpan mark = p_.SpanTo(last);
    if (p_.MayRepair()) p_.Repair(MessageId::kAssignWithEqual, mark).Fix(mark, ":=");
    return assign(last + 1);
  }
  // `x++`.
  const TokenKind sign = p_.kind();
  if ((sign == kPlus || sign == kMinus) && p_.AtJoined(sign, sign) &&
      !p_.StartsExpr(p_.PeekKind(2))) {
    p_.Advance();
    p_.Advance();
    return ParseStepStatement(sign, target, begin);
  }
  if (ast::Stmt* stmt = ParseCompoundAssignment(target, begin)) return stmt;
  // `cout << x`.
  if (p_.AtJoined(kLess, kLess) && target->kind != ast::ExprKind::kCall) {
    p_.ReportForeign(ForeignForm::kStream, p_.SpanTo(1), {name});
    return SkipForeignStatement();
  }
  // `a, b := b, a`.
  if (p_.At(kComma)) {
    size_t i = p_.position_;
    while (tokens_[i].kind == kComma || tokens_[i].kind == kIdentifier || tokens_[i].kind == kDot ||
           tokens_[i].kind == kCaret) {
      ++i;
    }
    if (tokens_[i].kind == kAssign || tokens_[i].kind == kEqual) {
      const SourceSpan targets = file_.Span(begin, tokens_[i - 1].end);
      p_.ReportForeign(ForeignForm::kSeveralTargets, targets);
      return SkipForeignStatement();
    }
  }
  return ParseCallWithoutParentheses(target, begin);
}

// `x += e`, at the operator.
ast::Stmt* Repairer::ParseCompoundAssignment(ast::Expr* target, uint32_t begin) {
  switch (p_.kind()) {
    case kPlus:
    case kMinus:
    case kStar:
    case kSlash:
    case kAmpersand:
    case kMod:
    case kDiv: break;
    default: return nullptr;
  }
  if (!p_.AtJoined(p_.kind(), kEqual)) return nullptr;
  const std::string name(target->span.text());
  const SourceSpan mark = p_.SpanTo(1);
  std::string op(TokenSpelling(p_.kind()));
  p_.Advance();
  p_.Advance();
  const uint32_t value_begin = p_.token().begin;
  if (p_.At(kTextLiteral) && op == "+") op = "&";
  const bool is_simple = p_.ParseExpr()->kind != ast::ExprKind::kBinary;
  const std::string value(file_.Span(value_begin, p_.previous_end_).text());
  const std::string written =
      name + " := " + name + " " + op + " " + (is_simple ? value : "(" + value + ")");
  const std::string also = op == "/"   ? ", for integers with DIV"
                           : op == "+" ? ", or INC(" + name + ", ...)"
                           : op == "-" ? ", or DEC(" + name + ", ...)"
                                       : "";
  DiagnosticBuilder error = p_.RepairForeign(ForeignForm::kCompoundAssign, mark,
                                             {std::string(mark.text()), written + also});
  if (op != "/") error.Fix(p_.SpanFrom(begin), written);
  ast::AssignStmt* stmt = p_.New<ast::AssignStmt>();
  stmt->target = target;
  p_.Finish(stmt, begin);
  // The kind of the operation does not matter to a program that is wrong anyway.
  stmt->value = p_.MakeErrorExpr();
  return stmt;
}

// `print "x"`, behind the name; null if no such value follows.
ast::Stmt* Repairer::ParseCallWithoutParentheses(ast::Expr* target, uint32_t begin) {
  const bool same_line =
      file_.PhysicalLine(p_.previous_end_) == file_.PhysicalLine(p_.token().begin);
  if (!same_line || target->kind == ast::ExprKind::kCall ||
      (!p_.AtAny({kTextLiteral, kNumber, kCharLiteral}))) {
    return nullptr;
  }
  const SourceSpan before = p_.AfterPrevious();
  ast::CallExpr* call = p_.New<ast::CallExpr>();
  call->callee = target;
  DiagnosticBuilder error = p_.RepairForeign(ForeignForm::kCallWithoutParentheses, p_.TokenSpan(),
                                             {std::string(target->span.text())});
  error.Fix(file_.Span(before.begin, p_.token().begin), "(");
  do {
    call->actuals.push_back(p_.ParseActual());
  } while (p_.Accept(kComma));
  error.Fix(p_.AfterPrevious(), ")");
  ast::CallStmt* stmt = p_.New<ast::CallStmt>();
  stmt->call = p_.Finish(call, begin);
  return p_.Finish(stmt, begin);
}

}  // namespace tenure::compiler
