// Statements (language.md 2.3; ASSERT and DEBUG 26).

#include "compiler/parse/parse_state.h"

namespace tenure::compiler {

// Tokens that end any statement list. The caller decides which of them may end this list.
bool Parser::AtListEnd() const {
  switch (kind()) {
    case TokenKind::kEnd:
    case TokenKind::kEndOfFile: return true;
    case TokenKind::kElse: return followers_.else_part > 0;
    case TokenKind::kElsif: return followers_.elsif > 0;
    case TokenKind::kBar: return followers_.bar > 0;
    case TokenKind::kUntil: return followers_.until > 0;
    case TokenKind::kPragmaClose: return followers_.pragma > 0;
    case TokenKind::kExcept:
    case TokenKind::kFinally: return followers_.handler > 0;
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

bool Parser::StartsStatement(TokenKind k) const {
  switch (k) {
    case TokenKind::kBegin:
    case TokenKind::kCase:
    case TokenKind::kExit:
    case TokenKind::kEval:
    case TokenKind::kFor:
    case TokenKind::kIf:
    case TokenKind::kLock:
    case TokenKind::kLoop:
    case TokenKind::kRaise:
    case TokenKind::kRepeat:
    case TokenKind::kReturn:
    case TokenKind::kTypecase:
    case TokenKind::kTry:
    case TokenKind::kWhile:
    case TokenKind::kWith:
    case TokenKind::kPragmaAssert:
    case TokenKind::kPragmaDebug:
    case TokenKind::kIdentifier:
    case TokenKind::kLeftParen: return true;
    default: return false;
  }
}

// [Stmt {";" Stmt} [";"]].
ast::StmtList Parser::ParseStmtList() {
  ast::StmtList list;
  while (!AtListEnd()) {
    const size_t start = position_;
    if (At(TokenKind::kSemicolon)) {
      if (MayReport()) Report(MessageId::kEmptyStatement, TokenSpan()).Fix(TokenSpan(), "");
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
    ast::Stmt* stmt = ParseStmt();
    list.push_back(stmt);
    const bool is_pragma =
        stmt->kind == ast::StmtKind::kAssert || stmt->kind == ast::StmtKind::kDebug;
    if (Accept(TokenKind::kSemicolon) || AtListEnd() || is_pragma || At(TokenKind::kPragmaAssert) ||
        At(TokenKind::kPragmaDebug) || AtStrayFollower()) {
      // A pragma statement needs no semicolon, and none before it.
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
        if (MayReport()) {
          Report(MessageId::kMissingSemicolon, AfterPrevious(), "the statement", "2.3")
              .Fix(AfterPrevious(), ";");
        } else if (same_line) {
          // This is still the statement with the error.
          SkipToStatementStop();
          Accept(TokenKind::kSemicolon);
        }
      } else {
        if (stmt->kind != ast::StmtKind::kError) ReportExpected("';' or END", "2.3");
        SkipToStatementStop();
        Accept(TokenKind::kSemicolon);
      }
    }
    if (position_ == start && !AtListEnd()) Advance();
  }
  return list;
}

ast::Stmt* Parser::ParseStmt() {
  const Nesting nesting(*this, "the statement");
  switch (kind()) {
    case TokenKind::kCase: return ParseCase();
    case TokenKind::kExit: return ParseExit();
    case TokenKind::kEval: return ParseEval();
    case TokenKind::kFor: return ParseFor();
    case TokenKind::kIf: return ParseIf();
    case TokenKind::kLock: return ParseLock();
    case TokenKind::kLoop: return ParseLoop();
    case TokenKind::kRaise: return ParseRaise();
    case TokenKind::kRepeat: return ParseRepeat();
    case TokenKind::kReturn: return ParseReturn();
    case TokenKind::kTypecase: return ParseTypecase();
    case TokenKind::kTry: return ParseTry();
    case TokenKind::kWhile: return ParseWhile();
    case TokenKind::kWith: return ParseWith();
    case TokenKind::kPragmaAssert: return ParseAssert();
    case TokenKind::kPragmaDebug: return ParseDebug();
    case TokenKind::kImport:
    case TokenKind::kFrom: break;
    default:
      if (AtDeclarationStart()) return ParseBlockStmt();
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
        if (StartsExpr(PeekKind(1)) &&
            FixMisspelling({TokenKind::kWhile, TokenKind::kReturn, TokenKind::kRepeat,
                            TokenKind::kRaise, TokenKind::kEval, TokenKind::kCase, TokenKind::kWith,
                            TokenKind::kFor, TokenKind::kLock, TokenKind::kTypecase,
                            TokenKind::kElsif, TokenKind::kElse, TokenKind::kUntil},
                           "2.3")) {
          return ParseStmt();
        }
    }
  }
  if (StartsExpr(kind())) return ParseExprStmt();
  ReportExpected("a statement", "2.3");
  ast::Stmt* error = Finish(New<ast::ErrorStmt>(), token().begin);
  SkipToStatementStop();
  return error;
}

// AssignSt = Expr ":=" Expr, CallSt = Expr "(" ... ")".
ast::Stmt* Parser::ParseExprStmt() {
  const uint32_t begin = token().begin;
  ast::Expr* expr = ParseExpr();
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
  const auto* binary = ast::DynAs<ast::BinaryExpr>(static_cast<const ast::Expr*>(expr));
  if (binary != nullptr && binary->op == ast::BinaryOp::kEqual) {
    // The error in `i += 1`, whose operand is missing, was already reported.
    const auto* sum = ast::DynAs<ast::BinaryExpr>(static_cast<const ast::Expr*>(binary->left));
    const bool was_told = sum != nullptr && sum->right->kind == ast::ExprKind::kError;
    if (!was_told && MayReport()) {
      Report(MessageId::kAssignWithEqual, binary->op_span).Fix(binary->op_span, ":=");
    }
    ast::AssignStmt* stmt = New<ast::AssignStmt>();
    stmt->target = binary->left;
    stmt->value = binary->right;
    return Finish(stmt, begin);
  }
  if (AtStatementStop()) {
    if (expr->kind != ast::ExprKind::kError && MayReport()) {
      Report(MessageId::kUnusedValue, expr->span);
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
  const bool has_begin = ParseBlockToEnd(stmt->block, "the block", /*has_name=*/false);
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
  while (!At(TokenKind::kElse) && !At(TokenKind::kEnd) && !At(TokenKind::kEndOfFile)) {
    const size_t start = position_;
    arms.push_back((this->*parse_arm)());
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
  ExpectSkipping(TokenKind::kOf, "2.3");
  ParseArms(stmt->arms, &Parser::ParseCaseArm);
  stmt->has_else = ParseElse(stmt->else_body);
  ExpectEnd("CASE", opening);
  return Finish(stmt, opening.begin);
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
  ExpectSkipping(TokenKind::kArrow, "2.3");
  arm.body = ParseStmtList();
  arm.span = SpanFrom(begin);
  return arm;
}

ast::Stmt* Parser::ParseExit() {
  const uint32_t begin = token().begin;
  Advance();
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
  stmt->index = ExpectIdent("the loop's variable", "2.3");
  ParseVariableTrace(stmt->trace);
  if (At(TokenKind::kEqual)) {
    if (MayReport()) {
      Report(MessageId::kAssignWithoutColon, TokenSpan(), "the first value of a FOR loop")
          .Fix(TokenSpan(), ":=");
    }
    Advance();
  } else {
    Expect(TokenKind::kAssign, "2.3");
  }
  stmt->from = ParseExpr();
  const bool has_to = StartsExpr(kind()) ? Expect(TokenKind::kTo, "2.3") || true
                                         : ExpectSkipping(TokenKind::kTo, "2.3");
  stmt->to = has_to ? ParseExpr() : MakeErrorExpr();
  if (Accept(TokenKind::kBy)) stmt->by = ParseExpr();
  ExpectSkipping(TokenKind::kDo, "2.3");
  stmt->body = ParseStmtList();
  ExpectEnd("FOR", opening);
  return Finish(stmt, opening.begin);
}

// IF Expr THEN S {ELSIF Expr THEN S} [ELSE S] END.
ast::Stmt* Parser::ParseIf() {
  ast::IfStmt* stmt = New<ast::IfStmt>();
  const SourceSpan opening = TokenSpan();
  ++followers_.elsif;
  ++followers_.else_part;
  do {
    ast::IfArm arm;
    const uint32_t begin = token().begin;
    Advance();
    arm.condition = ParseExpr();
    if (At(TokenKind::kAssign)) {
      if (MayReport()) {
        Report(MessageId::kEqualWithAssign, TokenSpan(), "a comparison").Fix(TokenSpan(), "=");
      }
      Advance();
      ParseExpr();
      arm.condition = MakeErrorExpr();
    }
    ExpectSkipping(TokenKind::kThen, "2.3");
    arm.body = ParseStmtList();
    arm.span = SpanFrom(begin);
    stmt->arms.push_back(std::move(arm));
  } while (At(TokenKind::kElsif));
  --followers_.elsif;
  --followers_.else_part;
  stmt->has_else = ParseElse(stmt->else_body);
  ExpectEnd("IF", opening);
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
  stmt->body = ParseStmtList();
  ExpectEnd("LOOP", opening);
  return Finish(stmt, opening.begin);
}

// RAISE QualId ["(" Expr ")"].
ast::Stmt* Parser::ParseRaise() {
  ast::RaiseStmt* stmt = New<ast::RaiseStmt>();
  const uint32_t begin = token().begin;
  Advance();
  stmt->exception = ParseQualId("an exception", "2.3");
  const SourceSpan opening = TokenSpan();
  if (Accept(TokenKind::kLeftParen)) {
    stmt->argument = ParseExpr();
    CloseBracket(TokenKind::kRightParen, "')'", opening);
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
  if (StartsExpr(kind()) && !At(TokenKind::kLeftBracket)) stmt->value = ParseExpr();
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
  ExpectSkipping(TokenKind::kArrow, "2.3");
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
    ParseArms(stmt->handlers, &Parser::ParseHandler);
    stmt->has_else = ParseElse(stmt->else_body);
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
  ExpectSkipping(TokenKind::kArrow, "2.3");
  handler.body = ParseStmtList();
  handler.span = SpanFrom(begin);
  return handler;
}

ast::Stmt* Parser::ParseWhile() {
  ast::WhileStmt* stmt = New<ast::WhileStmt>();
  const SourceSpan opening = TokenSpan();
  Advance();
  stmt->condition = ParseExpr();
  ExpectSkipping(TokenKind::kDo, "2.3");
  stmt->body = ParseStmtList();
  ExpectEnd("WHILE", opening);
  return Finish(stmt, opening.begin);
}

// WITH Binding {"," Binding} DO S END.
ast::Stmt* Parser::ParseWith() {
  ast::WithStmt* stmt = New<ast::WithStmt>();
  const SourceSpan opening = TokenSpan();
  Advance();
  do {
    ast::Binding binding;
    binding.name = ExpectIdent("a name", "2.3");
    ParseVariableTrace(binding.trace);
    if (At(TokenKind::kAssign)) {
      if (MayReport()) {
        Report(MessageId::kEqualWithAssign, TokenSpan(), "a WITH binding").Fix(TokenSpan(), "=");
      }
      Advance();
    } else {
      Expect(TokenKind::kEqual, "2.3");
    }
    binding.value = ParseExpr();
    if (binding.name.name) stmt->bindings.push_back(binding);
  } while (Accept(TokenKind::kComma));
  ExpectSkipping(TokenKind::kDo, "2.3");
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
