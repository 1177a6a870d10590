// Statements (language.md 2.3; ASSERT and DEBUG 26).

#include <algorithm>
#include <utility>

#include "compiler/parse/parse_state.h"

namespace tenure::compiler {

// Tokens that end any statement list. The caller decides which of them may end this list.
bool Parser::AtListEnd() const {
  if (AtIndentedEnd() || AtNextDeclaration() || repairs_.AtWhenArm()) return true;
  switch (kind()) {
    case TokenKind::kEnd:
    case TokenKind::kEndOfFile: return true;
    case TokenKind::kElse: return followers_.else_part > 0;
    case TokenKind::kElsif: return followers_.elsif > 0;
    case TokenKind::kBar: return followers_.bar > 0;
    case TokenKind::kUntil: return followers_.until > 0;
    case TokenKind::kRightBrace: return followers_.brace > 0;
    case TokenKind::kPragmaClose: return followers_.pragma > 0;
    case TokenKind::kExcept: return followers_.handler > 0;
    case TokenKind::kFinally: return followers_.handler > 0 || followers_.finally_part > 0;
    default: return false;
  }
}

// At a word that continues a statement, where no statement around waits for it.
bool Parser::AtStrayFollower() const {
  switch (kind()) {
    case TokenKind::kElse:
    case TokenKind::kElsif:
    case TokenKind::kBar:
    case TokenKind::kUntil:
    case TokenKind::kExcept:
    case TokenKind::kFinally: return !AtListEnd();
    default: return false;
  }
}

Parser::StatementParser Parser::StatementOf(TokenKind k) {
  switch (k) {
    case TokenKind::kBegin: return &Parser::ParseBlockStmt;
    case TokenKind::kCase: return &Parser::ParseCase;
    case TokenKind::kExit: return &Parser::ParseExit;
    case TokenKind::kEval: return &Parser::ParseEval;
    case TokenKind::kFor: return &Parser::ParseFor;
    case TokenKind::kIf: return &Parser::ParseIf;
    case TokenKind::kLock: return &Parser::ParseLock;
    case TokenKind::kLoop: return &Parser::ParseLoop;
    case TokenKind::kRaise: return &Parser::ParseRaise;
    case TokenKind::kRepeat: return &Parser::ParseRepeat;
    case TokenKind::kReturn: return &Parser::ParseReturn;
    case TokenKind::kTypecase: return &Parser::ParseTypecase;
    case TokenKind::kTry: return &Parser::ParseTry;
    case TokenKind::kWhile: return &Parser::ParseWhile;
    case TokenKind::kWith: return &Parser::ParseWith;
    case TokenKind::kPragmaAssert: return &Parser::ParseAssert;
    case TokenKind::kPragmaDebug: return &Parser::ParseDebug;
    default: return nullptr;
  }
}

bool Parser::StartsStatement(TokenKind k) {
  return StatementOf(k) != nullptr || k == TokenKind::kIdentifier || k == TokenKind::kLeftParen;
}

// [Stmt {";" Stmt} [";"]].
ast::StmtList Parser::ParseStmtList() {
  ast::StmtList list;
  while (!AtListEnd()) {
    const size_t start = position_;
    if (At(TokenKind::kSemicolon)) {
      if (MayRepair()) Repair(MessageId::kEmptyStatement, TokenSpan()).Fix(TokenSpan(), "");
      while (Accept(TokenKind::kSemicolon)) {
      }
      continue;
    }
    if (AtStrayFollower()) {
      if (MayReport()) Report(MessageId::kStrayFollower, TokenSpan(), DescribeToken());
      // Behind ELSE and FINALLY are statements, behind the others a condition, labels, or
      // exceptions.
      const bool skip = !At(TokenKind::kElse) && !At(TokenKind::kFinally);
      Advance();
      if (skip) SkipToStatementStop();
      Accept(TokenKind::kSemicolon);
      continue;
    }
    if (repairs_.AtDefaultArm()) {
      RepairForeign(ForeignForm::kDefault, TokenSpan(), {std::string(token().name.view())})
          .Fix(PeekKind(1) == TokenKind::kColon || PeekKind(1) == TokenKind::kArrow ? SpanTo(1)
                                                                                    : TokenSpan(),
               "ELSE");
      if (PeekKind(1) == TokenKind::kColon || PeekKind(1) == TokenKind::kArrow) Advance();
      Rewrite(position_).kind = TokenKind::kElse;
      break;
    }
    if (repairs_.AtArmWithoutBar()) break;
    TryItem([this] {
      const ast::Stmt* stmt = ParseStmt();
      if (!Accept(TokenKind::kSemicolon) && !AtListEnd() && !EndsWithoutSemicolon(*stmt)) Fail();
    });
    ast::Stmt* stmt = repairs_.ParseForeignStatement();
    if (stmt == nullptr && AtListEnd()) break;
    if (stmt == nullptr) stmt = ParseStmt();
    list.push_back(stmt);
    if (Accept(TokenKind::kSemicolon) || AtListEnd() || EndsWithoutSemicolon(*stmt) ||
        AtStrayFollower()) {
      // The next statement, or the end of the list.
    } else if (after_brace_ == position_ || repairs_.AtArmWithoutBar() || repairs_.AtDefaultArm()) {
      // Behind a block in braces.
    } else if (AtIdent() &&
               (FixLowerCase() ||
                (PeekKind(1) != TokenKind::kAssign &&
                 FixMisspelling({TokenKind::kElsif, TokenKind::kElse, TokenKind::kUntil,
                                 TokenKind::kExcept, TokenKind::kFinally, TokenKind::kEnd},
                                "2.3")))) {
      // Continues at a name that was changed into a keyword.
      if (!AtListEnd() && !StartsStatement(kind()) && !AtDeclarationStart()) Advance();
    } else {
      if (!AtDeclarationStart()) SkipMisplacedPragmas();
      if (StartsStatement(kind()) || AtDeclarationStart()) {
        const bool same_line =
            file_.PhysicalLine(previous_end_) == file_.PhysicalLine(token().begin);
        if (indent_limit_ >= 0 && !same_line) {
          indents_.Fix(AfterPrevious(), ";");
        } else if (MayRepair()) {
          Repair(MessageId::kMissingSemicolon, AfterPrevious(), "the statement", "2.3")
              .Fix(AfterPrevious(), ";");
        } else if (same_line) {
          // This is still the statement with the error.
          SkipToStatementStop();
          Accept(TokenKind::kSemicolon);
        }
      } else {
        const bool closes_nothing = At(TokenKind::kRightParen) || At(TokenKind::kRightBracket);
        if (closes_nothing && MayRepair()) {
          Repair(MessageId::kSuperfluousBracket, TokenSpan(), DescribeToken()).Fix(TokenSpan(), "");
          Advance();
          if (Accept(TokenKind::kSemicolon) || AtListEnd()) continue;
        }
        if (stmt->kind != ast::StmtKind::kError) ReportExpected("';' or END", "2.3");
        SkipToStatementStop();
        Accept(TokenKind::kSemicolon);
      }
    }
    if (position_ == start && !AtListEnd()) Advance();
  }
  return list;
}

// A pragma statement needs no semicolon, and none before it.
bool Parser::EndsWithoutSemicolon(const ast::Stmt& stmt) const {
  return stmt.kind == ast::StmtKind::kAssert || stmt.kind == ast::StmtKind::kDebug ||
         At(TokenKind::kPragmaAssert) || At(TokenKind::kPragmaDebug);
}

ast::Stmt* Parser::ParseStmt() {
  const Nesting nesting(*this, "the statement");
  if (const StatementParser parse = StatementOf(kind())) return (this->*parse)();
  if (AtDeclarationStart() && !At(TokenKind::kImport) && !At(TokenKind::kFrom)) {
    return ParseBlockStmt();
  }
  if (AtIdent()) {
    // `while x do`: no statement begins with a name and then any of these.
    switch (PeekKind(1)) {
      case TokenKind::kAssign:
      case TokenKind::kLeftParen:
      case TokenKind::kDot:
      case TokenKind::kLeftBracket:
      case TokenKind::kCaret:
      case TokenKind::kLeftBrace:
      case TokenKind::kEqual: break;
      default:
        if (FixLowerCase()) return ParseStmt();
        if (StartsExpr(PeekKind(1)) && FixMisspelledStatement()) return ParseStmt();
    }
  }
  if (StartsExpr(kind())) return ParseExprStmt();
  ReportExpected("a statement", "2.3");
  ast::Stmt* error = Finish(New<ast::ErrorStmt>(), token().begin);
  SkipToStatementStop();
  return error;
}

// AssignSt = Expr ":=" Expr, CallSt = Expr "(" ... ")".
// The last statement of a procedure with a result is, in Rust, the result.
void Parser::ReportUnusedValue(SourceSpan value) {
  DiagnosticBuilder error = Report(MessageId::kUnusedValue, value);
  if (!in_function_ || !At(TokenKind::kEnd) || PeekKind(1) != TokenKind::kIdentifier) return;
  error.Hint("RETURN gives it as the result of the procedure")
      .Fix(file_.Span(value.begin, value.begin), "RETURN ");
}

ast::Stmt* Parser::ParseExprStmt() {
  const uint32_t begin = token().begin;
  ast::Expr* expr = nullptr;
  if (AtIdent() || At(TokenKind::kLeftParen)) {
    // A target or a call: no operator belongs to a statement.
    const Nesting nesting(*this, "the expression");
    const bool outer_allowed = type_allowed_;
    type_allowed_ = false;
    expr = RequireValue(ParsePostfix());
    type_allowed_ = outer_allowed;
    depth_ = std::max<int>(depth_, expr->depth);
    if (Helps()) {
      if (ast::Stmt* stmt = repairs_.ParseForeignAssignment(expr, begin)) return stmt;
    }
  } else {
    // A constructor; an operator or a literal begins no statement.
    if (grammar_only_ && (!StartsType(kind()) || At(TokenKind::kLeftBrace))) Fail();
    expr = ParseExpr();
  }
  if (grammar_only_ && !At(TokenKind::kAssign) && expr->kind != ast::ExprKind::kCall) {
    Fail();
  }
  if (Accept(TokenKind::kAssign)) {
    ast::AssignStmt* stmt = New<ast::AssignStmt>();
    stmt->target = expr;
    stmt->value = ParseExpr();
    return Finish(stmt, begin);
  }
  if (expr->kind == ast::ExprKind::kCall) {
    ast::CallStmt* stmt = New<ast::CallStmt>();
    stmt->call = ast::As<ast::CallExpr>(expr);
    return Finish(stmt, begin);
  }
  const bool is_name = expr->kind == ast::ExprKind::kName || expr->kind == ast::ExprKind::kSelect;
  if (is_name && (AtStatementStop() || AtListEnd())) {
    // The checker knows whether it is a procedure.
    ast::CallStmt* stmt = New<ast::CallStmt>();
    ast::CallExpr* call = New<ast::CallExpr>();
    call->callee = expr;
    call->lacks_parentheses = true;
    Deepen(call, expr);
    stmt->call = Finish(call, begin);
    return Finish(stmt, begin);
  }
  if (IsBinaryOperator(kind())) {
    // A value: take the rest of the expression.
    Advance();
    last_error_ = position_;
    ParseExpr();
    last_error_ = position_;
    ReportUnusedValue(SpanFrom(begin));
    if (!AtStatementStop()) SkipToStatementStop();
    return Finish(New<ast::ErrorStmt>(), begin);
  }
  if (AtStatementStop()) {
    if (expr->kind != ast::ExprKind::kError && MayReport()) {
      ReportUnusedValue(expr->span);
    }
  } else {
    ReportExpected("':=' or '('", "2.3");
    SkipToStatementStop();
  }
  return Finish(New<ast::ErrorStmt>(), begin);
}

ast::Stmt* Parser::ParseBlockStmt() {
  ast::BlockStmt* stmt = New<ast::BlockStmt>();
  const SourceSpan opening = TokenSpan();
  const bool at_declaration = !At(TokenKind::kBegin);
  const bool outer_block = std::exchange(in_statement_block_, at_declaration);
  const bool has_begin = ParseBlockToEnd(stmt->block, "the block", /*has_name=*/false,
                                         /*is_statement=*/at_declaration);
  in_statement_block_ = outer_block;
  if (At(TokenKind::kEnd)) stmt->block.end_span = TokenSpan();
  // If this END is the module's, the enclosing procedure has no END, which will be reported.
  // Without a BEGIN the END may also be missing; that is not reported.
  const bool at_far_end = AtOuterEnd() && tokens_[position_ + 1].name != open_names_.back();
  if (has_begin && !at_far_end) {
    ExpectEnd("BEGIN", stmt->block.begin_span);
  } else if (!AtOuterEnd()) {
    Accept(TokenKind::kEnd);
  }
  stmt->block.span = SpanFrom(opening.begin);
  return Finish(stmt, opening.begin);
}

bool Parser::ParseElse(ast::StmtList& body) {
  if (!Accept(TokenKind::kElse)) return false;
  body = ParseStmtList();
  return true;
}

template <typename Arm>
void Parser::ParseArms(std::vector<Arm>& arms, Arm (Parser::*parse_arm)()) {
  ++followers_.bar;
  ++followers_.else_part;
  Accept(TokenKind::kBar);
  repairs_.FixWhenArm();
  while (!AtAny({TokenKind::kElse, TokenKind::kEnd, TokenKind::kEndOfFile})) {
    const size_t start = position_;
    TryItem([&] {
      (this->*parse_arm)();
      RequireNext({TokenKind::kBar, TokenKind::kElse, TokenKind::kEnd});
    });
    arms.push_back((this->*parse_arm)());
    if (repairs_.FixWhenArm()) continue;
    if (repairs_.AtArmWithoutBar()) {
      // Each further arm adds its fix to the first message.
      const SourceSpan place = file_.Span(token().begin, token().begin);
      const std::string label(TokenSpan().text());
      RepairForeign(ForeignForm::kCaseBar, TokenSpan(), {label + " ..."}).Fix(place, "| ");
      continue;
    }
    if (!Accept(TokenKind::kBar)) {
      if (position_ != start && !At(TokenKind::kElse)) break;
      if (position_ == start) break;
    }
  }
  --followers_.bar;
  --followers_.else_part;
}

// CASE Expr OF [Case] {"|" Case} [ELSE S] END.
ast::Stmt* Parser::ParseCase() {
  ast::CaseStmt* stmt = New<ast::CaseStmt>();
  const SourceSpan opening = TokenSpan();
  Advance();
  stmt->selector = ParseExpr();
  if (Helps() && (AtWord("IS") || At(TokenKind::kIn))) {
    RepairForeign(ForeignForm::kCaseOf, TokenSpan()).Fix(TokenSpan(), "OF");
    Rewrite(position_).kind = TokenKind::kOf;
  }
  ExpectSkipping(TokenKind::kOf, "2.3");
  ParseArms(stmt->arms, &Parser::ParseCaseArm);
  stmt->has_else = ParseElse(stmt->else_body);
  ExpectEnd("CASE", opening);
  return Finish(stmt, opening.begin);
}

// "=>", behind the labels of an arm.
void Parser::ExpectArrow() {
  if (At(TokenKind::kColon) && Helps()) {
    RepairForeign(ForeignForm::kCaseColon, TokenSpan()).Fix(TokenSpan(), " =>");
    Advance();
  } else {
    ExpectSkipping(TokenKind::kArrow, "2.3");
  }
}

// Labels {"," Labels} "=>" S.
ast::CaseArm Parser::ParseCaseArm() {
  ast::CaseArm arm;
  const uint32_t begin = token().begin;
  do {
    const uint32_t label_begin = token().begin;
    ast::CaseLabel label;
    label.low = ParseExpr();
    if (Accept(TokenKind::kDotDot)) label.high = ParseExpr();
    label.span = SpanFrom(label_begin);
    arm.labels.push_back(label);
  } while (Accept(TokenKind::kComma));
  ExpectArrow();
  arm.body = ParseStmtList();
  arm.span = SpanFrom(begin);
  return arm;
}

ast::Stmt* Parser::ParseExit() {
  const uint32_t begin = token().begin;
  Advance();
  const bool same_line = file_.PhysicalLine(begin) == file_.PhysicalLine(token().begin);
  if (same_line && Helps() && (AtWord("WHEN") || At(TokenKind::kIf))) {
    const SourceSpan mark = file_.Span(begin, token().end);
    Advance();
    ast::IfStmt* stmt = New<ast::IfStmt>();
    ast::IfArm arm;
    arm.condition = ParseExpr();
    const std::string condition(arm.condition->span.text());
    has_repairs_ = true;
    ShowForeign(ForeignForm::kExitWhen, mark)
        .Fix(mark, "IF")
        .Fix(AfterPrevious(), " THEN EXIT END");
    arm.body.push_back(Finish(New<ast::ExitStmt>(), begin));
    arm.span = SpanFrom(begin);
    stmt->arms.push_back(std::move(arm));
    return Finish(stmt, begin);
  }
  return Finish(New<ast::ExitStmt>(), begin);
}

ast::Stmt* Parser::ParseEval() {
  ast::EvalStmt* stmt = New<ast::EvalStmt>();
  const uint32_t begin = token().begin;
  Advance();
  stmt->value = ParseExpr();
  return Finish(stmt, begin);
}

// FOR Id ":=" Expr TO Expr [BY Expr] DO S END.
ast::Stmt* Parser::ParseFor() {
  ast::ForStmt* stmt = New<ast::ForStmt>();
  const SourceSpan opening = TokenSpan();
  Advance();
  if (repairs_.AtForeignFor()) {
    if (!repairs_.ParseForeignFor(*stmt, opening)) {
      if (MayReport()) {
        ShowForeign(
            ForeignForm::kCountingFor, SpanFrom(opening.begin),
            {"FOR " + std::string(TokenSpan().text()) + " ...", "FOR i := 0 TO n - 1 DO ... END"});
      }
      while (!AtAny({TokenKind::kDo, TokenKind::kLeftBrace, TokenKind::kLoop}) &&
             !AtStatementStop()) {
        Advance();
      }
      stmt->from = stmt->to = MakeErrorExpr();
    }
    const Body body = OpenBody(TokenKind::kDo);
    stmt->body = ParseBody(body, opening);
    CloseBody(body, "FOR", opening);
    return Finish(stmt, opening.begin);
  }
  stmt->index = ExpectIdent("the loop's variable", "2.3");
  ParseVariableTrace(stmt->trace);
  if (At(TokenKind::kColon) && PeekKind(1) == TokenKind::kIdentifier && Helps()) {
    // `FOR i: INTEGER := 1 TO`
    const SourceSpan type = SpanTo(1);
    RepairForeign(ForeignForm::kForType, type).Fix(type, "");
    Advance();
    Advance();
  }
  if (At(TokenKind::kEqual)) {
    if (MayRepair()) {
      Repair(MessageId::kAssignWithoutColon, TokenSpan(), "the first value of a FOR loop")
          .Fix(TokenSpan(), ":=");
    }
    Advance();
  } else {
    Expect(TokenKind::kAssign, "2.3");
  }
  stmt->from = ParseExpr();
  if (AtWord("DOWNTO") && Helps()) {
    const SourceSpan word = TokenSpan();
    DiagnosticBuilder error = RepairForeign(ForeignForm::kDownto, word);
    Advance();
    stmt->to = ParseExpr();
    error.Fix(word, "TO").Fix(AfterPrevious(), " BY -1");
    const Body body = OpenBody(TokenKind::kDo);
    stmt->body = ParseBody(body, opening);
    CloseBody(body, "FOR", opening);
    return Finish(stmt, opening.begin);
  }
  const bool has_to = StartsExpr(kind()) ? Expect(TokenKind::kTo, "2.3") || true
                                         : ExpectSkipping(TokenKind::kTo, "2.3");
  stmt->to = has_to ? ParseExpr() : MakeErrorExpr();
  if (AtWord("STEP") && Helps()) {
    RepairForeign(ForeignForm::kStep, TokenSpan()).Fix(TokenSpan(), "BY");
    Rewrite(position_).kind = TokenKind::kBy;
  }
  if (Accept(TokenKind::kBy)) stmt->by = ParseExpr();
  const Body body = OpenBody(TokenKind::kDo);
  stmt->body = ParseBody(body, opening);
  CloseBody(body, "FOR", opening);
  return Finish(stmt, opening.begin);
}

// IF Expr THEN S {ELSIF Expr THEN S} [ELSE S] END.
ast::Stmt* Parser::ParseIf() {
  ast::IfStmt* stmt = New<ast::IfStmt>();
  const SourceSpan opening = TokenSpan();
  const SourceSpan else_if = std::exchange(else_if_, SourceSpan());
  Body body = Body::kEnd;
  ++followers_.elsif;
  ++followers_.else_part;
  do {
    ast::IfArm arm;
    const uint32_t begin = token().begin;
    Advance();
    if (AtIdent() && PeekKind(1) == TokenKind::kAssign && Helps(1) &&
        repairs_.IsStatementBeforeCondition()) {
      // `IF n := f(); n > 2 THEN`
      const uint32_t first = token().begin;
      while (!At(TokenKind::kSemicolon)) Advance();
      Advance();
      ReportForeign(ForeignForm::kIfStatement, file_.Span(first, previous_end_));
      last_error_ = position_;
      ParseHeaderExpr();
      last_error_ = position_;
      arm.condition = MakeErrorExpr();
    } else {
      arm.condition = ParseHeaderExpr();
    }
    if (At(TokenKind::kAssign)) {
      if (MayRepair()) {
        Repair(MessageId::kEqualWithAssign, TokenSpan(), "a comparison").Fix(TokenSpan(), "=");
      }
      Advance();
      ParseHeaderExpr();
      arm.condition = MakeErrorExpr();
    }
    body = OpenBody(TokenKind::kThen);
    arm.body = ParseBody(body, opening);
    arm.span = SpanFrom(begin);
    stmt->arms.push_back(std::move(arm));
  } while (AtElseOfBody(body, opening) && At(TokenKind::kElsif));
  --followers_.elsif;
  --followers_.else_part;
  if (At(TokenKind::kElse)) {
    const uint32_t else_begin = token().begin;
    Advance();
    stmt->has_else = true;
    if (body == Body::kBrace && At(TokenKind::kLeftBrace)) {
      braces_.Fix(TokenSpan(), "");
      Advance();
    } else if (body == Body::kIndented && At(TokenKind::kColon)) {
      indents_.Fix(TokenSpan(), "");
      Advance();
    } else if (At(TokenKind::kIf) && body == Body::kEnd &&
               file_.PhysicalLine(else_begin) == file_.PhysicalLine(token().begin)) {
      else_if_ = file_.Span(else_begin, token().end);
    }
    stmt->else_body = ParseBody(body, opening);
  }
  const size_t suspects = suspects_.size();
  CloseBody(body, "IF", opening);
  if (suspects_.size() == suspects && !else_if.valid()) {
    // This END is its own, so the IF behind its ELSE had one, too.
    std::erase_if(suspects_, [&](const Suspect& suspect) {
      return suspect.is_else_if && suspect.opening.begin > opening.begin;
    });
  }
  if (else_if.valid()) {
    // Its END may be the one of the IF before ELSE.
    if (suspects_.size() == suspects)
      suspects_.push_back({"IF", opening, AfterPrevious(), false, {}});
    suspects_.back().is_else_if = true;
    suspects_.back().else_if = else_if;
  }
  return Finish(stmt, opening.begin);
}

ast::Stmt* Parser::ParseLock() {
  ast::LockStmt* stmt = New<ast::LockStmt>();
  const SourceSpan opening = TokenSpan();
  Advance();
  stmt->mutex = ParseExpr();
  ExpectSkipping(TokenKind::kDo, "2.3");
  stmt->body = ParseStmtList();
  ExpectEnd("LOCK", opening);
  return Finish(stmt, opening.begin);
}

ast::Stmt* Parser::ParseLoop() {
  ast::LoopStmt* stmt = New<ast::LoopStmt>();
  const SourceSpan opening = TokenSpan();
  Advance();
  const Body body = At(TokenKind::kLeftBrace) && Helps() ? OpenBody(TokenKind::kLoop) : Body::kEnd;
  stmt->body = ParseBody(body, opening);
  CloseBody(body, "LOOP", opening);
  return Finish(stmt, opening.begin);
}

// RAISE QualId ["(" Expr ")"].
ast::Stmt* Parser::ParseRaise() {
  ast::RaiseStmt* stmt = New<ast::RaiseStmt>();
  const uint32_t begin = token().begin;
  Advance();
  if (Helps() && (At(TokenKind::kTextLiteral) || At(TokenKind::kNumber))) {
    // `RAISE "no such file"`
    const std::string value(TokenSpan().text());
    ParseExpr();
    const SourceSpan whole = SpanFrom(begin);
    if (MayReport()) {
      ShowForeign(ForeignForm::kRaiseValue, whole, {std::string(whole.text()), value});
    }
    last_error_ = position_;
    return Finish(New<ast::ErrorStmt>(), begin);
  }
  stmt->exception = ParseQualId("an exception", "2.3");
  const SourceSpan opening = TokenSpan();
  if (Accept(TokenKind::kLeftParen)) {
    stmt->argument = ParseExpr();
    CloseBracket(TokenKind::kRightParen, "')'", opening);
  } else if (Helps() && (At(TokenKind::kComma) || At(TokenKind::kWith))) {
    // `RAISE E, "x"`, `RAISE E WITH "x"`
    const SourceSpan mark = TokenSpan();
    const uint32_t before = previous_end_;
    const std::string name(stmt->exception.span.text());
    DiagnosticBuilder error =
        RepairForeign(ForeignForm::kRaiseArgument, mark,
                      {"RAISE " + name + (At(TokenKind::kComma) ? ", ..." : " WITH ..."),
                       "RAISE " + name + "(...)"});
    Advance();
    error.Fix(file_.Span(before, token().begin), "(");
    stmt->argument = ParseExpr();
    error.Fix(AfterPrevious(), ")");
  }
  return Finish(stmt, begin);
}

// REPEAT S UNTIL Expr.
ast::Stmt* Parser::ParseRepeat() {
  ast::RepeatStmt* stmt = New<ast::RepeatStmt>();
  const SourceSpan opening = TokenSpan();
  Advance();
  ++followers_.until;
  stmt->body = ParseStmtList();
  --followers_.until;
  if (Accept(TokenKind::kUntil)) {
    stmt->condition = ParseExpr();
  } else {
    if (MayReport()) Report(MessageId::kMissingUntil, opening);
    // `REPEAT ... END`: the END belongs to this loop, unless it closes the surrounding construct.
    if (At(TokenKind::kEnd) && !AtOuterEnd()) Advance();
    stmt->condition = MakeErrorExpr();
  }
  return Finish(stmt, opening.begin);
}

ast::Stmt* Parser::ParseReturn() {
  ast::ReturnStmt* stmt = New<ast::ReturnStmt>();
  const uint32_t begin = token().begin;
  Advance();
  in_return_ = At(TokenKind::kLeftParen);
  if (StartsExpr(kind()) && !At(TokenKind::kLeftBracket)) stmt->value = ParseExpr();
  in_return_ = false;
  if (At(TokenKind::kComma) && Helps()) {
    // `RETURN a, b`
    while (!AtStatementStop()) Advance();
    ReportForeign(ForeignForm::kSeveralResults, SpanFrom(begin));
    stmt->value = MakeErrorExpr();
  }
  return Finish(stmt, begin);
}

// TYPECASE Expr OF [TCase] {"|" TCase} [ELSE S] END.
ast::Stmt* Parser::ParseTypecase() {
  ast::TypecaseStmt* stmt = New<ast::TypecaseStmt>();
  const SourceSpan opening = TokenSpan();
  Advance();
  stmt->selector = ParseExpr();
  ExpectSkipping(TokenKind::kOf, "2.3");
  ParseArms(stmt->arms, &Parser::ParseTypecaseArm);
  stmt->has_else = ParseElse(stmt->else_body);
  ExpectEnd("TYPECASE", opening);
  return Finish(stmt, opening.begin);
}

// "(" Id ")" in an arm, if present.
ast::Ident Parser::ParseArmVariable(ast::Expr*& trace) {
  ast::Ident variable;
  const SourceSpan opening = TokenSpan();
  if (Accept(TokenKind::kLeftParen)) {
    variable = ExpectIdent("a variable's name", "2.3");
    ParseVariableTrace(trace);
    CloseBracket(TokenKind::kRightParen, "')'", opening);
    ParseVariableTrace(trace);
  } else if (Helps() && ((At(TokenKind::kAs) && PeekKind(1) == TokenKind::kIdentifier &&
                          PeekKind(2) == TokenKind::kArrow) ||
                         (AtIdent() && PeekKind(1) == TokenKind::kArrow))) {
    // `E AS e =>`, `Square s =>`
    const uint32_t before = previous_end_;
    const uint32_t begin = token().begin;
    Accept(TokenKind::kAs);
    const std::string ours = "(" + token().name.str() + ")";
    const SourceSpan whole = file_.Span(begin, token().end);
    RepairForeign(ForeignForm::kArmVariable, whole, {std::string(whole.text()), ours})
        .Fix(file_.Span(before, token().end), " " + ours);
    variable = ExpectIdent("a variable's name", "2.3");
  }
  return variable;
}

// Type {"," Type} ["(" Id ")"] "=>" S.
ast::TypecaseArm Parser::ParseTypecaseArm() {
  ast::TypecaseArm arm;
  const uint32_t begin = token().begin;
  do {
    arm.types.push_back(ParseType());
  } while (Accept(TokenKind::kComma));
  arm.variable = ParseArmVariable(arm.trace);
  ExpectArrow();
  arm.body = ParseStmtList();
  arm.span = SpanFrom(begin);
  return arm;
}

// TRY S EXCEPT [Handler] {"|" Handler} [ELSE S] END, TRY S FINALLY S END.
ast::Stmt* Parser::ParseTry() {
  const SourceSpan opening = TokenSpan();
  Advance();
  ++followers_.handler;
  ast::StmtList body = ParseStmtList();
  --followers_.handler;
  if (Accept(TokenKind::kFinally)) {
    ast::TryFinallyStmt* stmt = New<ast::TryFinallyStmt>();
    stmt->body = std::move(body);
    stmt->finally_body = ParseStmtList();
    ExpectEnd("TRY", opening);
    return Finish(stmt, opening.begin);
  }
  ast::TryExceptStmt* stmt = New<ast::TryExceptStmt>();
  stmt->body = std::move(body);
  if (Accept(TokenKind::kExcept)) {
    ++followers_.finally_part;
    ParseArms(stmt->handlers, &Parser::ParseHandler);
    stmt->has_else = ParseElse(stmt->else_body);
    --followers_.finally_part;
    if (At(TokenKind::kFinally) && Helps()) {
      RepairForeign(ForeignForm::kExceptFinally, TokenSpan())
          .Fix(file_.Span(opening.begin, opening.begin), "TRY ")
          .Fix(file_.Span(token().begin, token().begin), "END ");
      Advance();
      ast::TryFinallyStmt* outer = New<ast::TryFinallyStmt>();
      outer->body.push_back(Finish(stmt, opening.begin));
      outer->finally_body = ParseStmtList();
      ExpectEnd("TRY", opening);
      return Finish(outer, opening.begin);
    }
  } else if (MayReport()) {
    Report(MessageId::kTryWithoutHandler, opening);
  }
  ExpectEnd("TRY", opening);
  return Finish(stmt, opening.begin);
}

// QualId {"," QualId} ["(" Id ")"] "=>" S.
ast::Handler Parser::ParseHandler() {
  ast::Handler handler;
  const uint32_t begin = token().begin;
  do {
    const ast::QualId id = ParseQualId("an exception", "2.3");
    if (id.name.name) handler.exceptions.push_back(id);
  } while (Accept(TokenKind::kComma));
  handler.variable = ParseArmVariable(handler.trace);
  ExpectArrow();
  handler.body = ParseStmtList();
  handler.span = SpanFrom(begin);
  return handler;
}

ast::Stmt* Parser::ParseWhile() {
  ast::WhileStmt* stmt = New<ast::WhileStmt>();
  const SourceSpan opening = TokenSpan();
  Advance();
  stmt->condition = ParseHeaderExpr();
  const Body body = OpenBody(TokenKind::kDo);
  stmt->body = ParseBody(body, opening);
  CloseBody(body, "WHILE", opening);
  return Finish(stmt, opening.begin);
}

// WITH Binding {"," Binding} DO S END.
ast::Stmt* Parser::ParseWith() {
  ast::WithStmt* stmt = New<ast::WithStmt>();
  const SourceSpan opening = TokenSpan();
  Advance();
  do {
    ast::Binding binding;
    const uint32_t binding_begin = token().begin;
    if (repairs_.SkipWithAs(opening)) continue;
    binding.name = ExpectIdent("a name", "2.3");
    ParseVariableTrace(binding.trace);
    if (Helps() &&
        AtAny({TokenKind::kDo, TokenKind::kDot, TokenKind::kCaret, TokenKind::kLeftBracket})) {
      // `WITH r DO` of Pascal.
      while (!At(TokenKind::kDo) && !At(TokenKind::kComma) && !AtStatementStop()) Advance();
      const SourceSpan record = SpanFrom(binding_begin);
      if (MayReport()) {
        ShowForeign(ForeignForm::kWithRecord, record);
      }
      last_error_ = position_;
      continue;
    }
    if (At(TokenKind::kAssign)) {
      if (MayRepair()) {
        Repair(MessageId::kEqualWithAssign, TokenSpan(), "a WITH binding").Fix(TokenSpan(), "=");
      }
      Advance();
    } else {
      Expect(TokenKind::kEqual, "2.3");
    }
    binding.value = ParseExpr();
    if (binding.name.name) stmt->bindings.push_back(binding);
  } while (Accept(TokenKind::kComma));
  if (!stmt->bindings.empty() || !At(TokenKind::kDo)) {
    ExpectSkipping(TokenKind::kDo, "2.3");
  } else {
    Advance();
  }
  stmt->body = ParseStmtList();
  ExpectEnd("WITH", opening);
  return Finish(stmt, opening.begin);
}

// <*ASSERT e*>, <*ASSERT e WITH t*>, <*ASSERT e, t*>.
ast::Stmt* Parser::ParseAssert() {
  ast::AssertStmt* stmt = New<ast::AssertStmt>();
  const SourceSpan opening = TokenSpan();
  Advance();
  stmt->condition = ParseExpr();
  if (Accept(TokenKind::kWith) || Accept(TokenKind::kComma)) stmt->message = ParseExpr();
  ClosePragma(opening);
  return Finish(stmt, opening.begin);
}

// <*DEBUG t, ...*>, <*DEBUG e WITH t, ...*>.
ast::Stmt* Parser::ParseDebug() {
  ast::DebugStmt* stmt = New<ast::DebugStmt>();
  const SourceSpan opening = TokenSpan();
  Advance();
  ast::Expr* first = ParseExpr();
  if (Accept(TokenKind::kWith)) {
    stmt->condition = first;
    first = ParseExpr();
  }
  stmt->texts.push_back(first);
  while (Accept(TokenKind::kComma)) stmt->texts.push_back(ParseExpr());
  ClosePragma(opening);
  return Finish(stmt, opening.begin);
}

}  // namespace tenure::compiler
