// Statements and arms of CASE in the forms of other languages.
#include <algorithm>

#include "compiler/parse/foreign_spelling.h"
#include "compiler/parse/parse_state.h"

namespace tenure::compiler {

// Skips a statement of another language: to its end, and over a block in braces.
ast::Stmt* Parser::SkipForeignStatement() {
  const uint32_t begin = token().begin;
  const uint32_t line = file_.PhysicalLine(begin);
  while (!At(TokenKind::kEndOfFile) && !At(TokenKind::kSemicolon) && !At(TokenKind::kLeftBrace)) {
    if (At(TokenKind::kLeftParen)) {
      SkipBalanced(TokenKind::kLeftParen, TokenKind::kRightParen);
      continue;
    }
    if (AtStatementStop() && file_.PhysicalLine(token().begin) != line) break;
    if (At(TokenKind::kEnd)) break;
    Advance();
  }
  if (At(TokenKind::kLeftBrace)) {
    SkipBalanced(TokenKind::kLeftBrace, TokenKind::kRightBrace);
    after_brace_ = position_;
  }
  last_error_ = position_;
  return Finish(New<ast::ErrorStmt>(), begin);
}

// A statement that begins with a word of another language, or null.
ast::Stmt* Parser::ParseForeignStatement() {
  if (grammar_only_) return nullptr;
  const uint32_t begin = token().begin;
  if (At(TokenKind::kLeftBrace)) {
    // A comment of Pascal: words on one line. Otherwise a block.
    const size_t behind = BehindBrackets(position_);
    const bool one_line =
        file_.PhysicalLine(tokens_[behind - 1].begin) == file_.PhysicalLine(begin);
    bool has_operator = false;
    for (size_t i = position_ + 1; i + 1 < behind; ++i) {
      const TokenKind k = tokens_[i].kind;
      has_operator |= k == TokenKind::kSemicolon || k == TokenKind::kAssign ||
                      k == TokenKind::kLeftParen || k == TokenKind::kEqual;
    }
    if (one_line && !has_operator) {
      RepairForeign(ForeignForm::kBraceComment, TokenSpan())
          .Fix(TokenSpan(), "(*")
          .Fix(file_.Span(tokens_[behind - 1].begin, tokens_[behind - 1].end), "*)");
      while (position_ < behind) Advance();
      return AtListEnd() ? Finish(New<ast::ErrorStmt>(), begin) : ParseStmt();
    }
    if (!braces_reported_) braces_ = RepairForeign(ForeignForm::kBraces, TokenSpan());
    braces_reported_ = true;
    braces_.Fix(TokenSpan(), "BEGIN");
    const SourceSpan opening = TokenSpan();
    Advance();
    ast::BlockStmt* block = New<ast::BlockStmt>();
    block->block.begin_span = opening;
    block->block.body = ParseBody(Body::kBrace, opening);
    CloseBody(Body::kBrace, "BEGIN", opening);
    block->block.span = SpanFrom(begin);
    return Finish(block, begin);
  }
  if (At(TokenKind::kDo)) {
    // `DO ... WHILE c;`
    ReportForeign(ForeignForm::kDoWhile, TokenSpan(), {"DO"});
    while (!At(TokenKind::kWhile) && !At(TokenKind::kUntil) && !AtOuterEnd() &&
           !At(TokenKind::kEndOfFile)) {
      Advance();
    }
    while (!At(TokenKind::kSemicolon) && !At(TokenKind::kEnd) && !At(TokenKind::kEndOfFile))
      Advance();
    last_error_ = position_;
    return Finish(New<ast::ErrorStmt>(), begin);
  }
  // `++x`, `--x`.
  for (const TokenKind sign : {TokenKind::kPlus, TokenKind::kMinus}) {
    if (AtJoined(sign, sign) && Helps()) {
      Advance();
      Advance();
      ast::Expr* target = RequireValue(ParsePostfix());
      const char* name = sign == TokenKind::kPlus ? "INC" : "DEC";
      const std::string call = std::string(name) + "(" + std::string(target->span.text()) + ")";
      const SourceSpan whole = SpanFrom(begin);
      RepairForeign(ForeignForm::kIncrement, whole, {std::string(whole.text()), call})
          .Fix(whole, call);
      return ParseStepStatement(target, begin);
    }
  }
  if (!AtIdent()) return nullptr;
  const TokenKind next = PeekKind(1);
  switch (next) {
    case TokenKind::kAssign:
    case TokenKind::kDot:
    case TokenKind::kLeftBracket:
    case TokenKind::kCaret:
    case TokenKind::kEqual: return nullptr;
    default: break;
  }
  // The grammar fails behind a name alone, or in or behind what looks like a call or a constructor.
  const bool has_brackets = next == TokenKind::kLeftParen || next == TokenKind::kLeftBrace;
  const size_t last = has_brackets ? BehindBrackets(position_ + 1) : position_ + 1;
  if (!HelpsUpTo(last)) return nullptr;
  const std::string word(token().name.view());
  const std::string upper = Upper(word);
  const SourceSpan span = TokenSpan();
  const bool ends = next == TokenKind::kSemicolon || next == TokenKind::kEnd ||
                    next == TokenKind::kElse || next == TokenKind::kElsif ||
                    next == TokenKind::kRightBrace || next == TokenKind::kBar ||
                    next == TokenKind::kUntil;
  if (upper == "DO" && next == TokenKind::kLeftBrace) {
    ReportForeign(ForeignForm::kDoWhile, span, {word});
    Advance();
    SkipBalanced(TokenKind::kLeftBrace, TokenKind::kRightBrace);
    while (!At(TokenKind::kSemicolon) && !At(TokenKind::kEnd) && !At(TokenKind::kEndOfFile))
      Advance();
    last_error_ = position_;
    return Finish(New<ast::ErrorStmt>(), begin);
  }
  if (upper == "BREAK" && ends) {
    RepairForeign(ForeignForm::kBreak, span, {word}).Fix(span, "EXIT");
    Advance();
    return Finish(New<ast::ExitStmt>(), begin);
  }
  if ((upper == "CONTINUE" || upper == "NEXT" || upper == "CYCLE") && ends) {
    ReportForeign(ForeignForm::kContinue, span, {word});
    return SkipForeignStatement();
  }
  if (upper == "PASS" && (ends || AtEndOfLine())) {
    RepairForeign(ForeignForm::kPass, span, {word});
    Advance();
    return Finish(New<ast::ErrorStmt>(), begin);
  }
  if ((upper == "SYNCHRONIZED" || upper == "SYNCHRONISED") && next == TokenKind::kLeftParen &&
      tokens_[BehindBrackets(position_ + 1)].kind == TokenKind::kDo) {
    RepairForeign(ForeignForm::kLock, span, {word}).Fix(span, "LOCK");
    Rewrite(position_).kind = TokenKind::kLock;
    return ParseLock();
  }
  static constexpr std::string_view kOtherEnds[] = {
      "ENDIF", "END_IF", "FI",      "OD",       "ENDWHILE",  "WEND",    "ENDFOR",
      "DONE",  "ESAC",   "ENDCASE", "END_CASE", "END_WHILE", "END_FOR", "ENDLOOP"};
  if (std::ranges::find(kOtherEnds, upper) != std::end(kOtherEnds) && ends) {
    RepairForeign(ForeignForm::kOtherEnd, span, {word}).Fix(span, "END");
    Rewrite(position_).kind = TokenKind::kEnd;
    return nullptr;
  }
  if (ast::Stmt* stmt = ParseStatementWord()) return stmt;
  if ((upper == "SWITCH" || upper == "MATCH" || upper == "SELECT") &&
      (next == TokenKind::kLeftParen || next == TokenKind::kIdentifier)) {
    const size_t behind =
        next == TokenKind::kLeftParen ? BehindBrackets(position_ + 1) : position_ + 2;
    if (behind < tokens_.size() && tokens_[behind].kind == TokenKind::kLeftBrace) {
      ReportForeign(ForeignForm::kSwitch, span, {word});
      return SkipForeignStatement();
    }
    if (next == TokenKind::kIdentifier || tokens_[behind].kind == TokenKind::kOf ||
        tokens_[behind].kind == TokenKind::kDo || tokens_[behind].kind == TokenKind::kWith) {
      ReportForeign(ForeignForm::kSwitch, span, {word});
      Advance();
      SkipToEnd(/*case_opens=*/false);
      return Finish(New<ast::ErrorStmt>(), begin);
    }
  }
  if ((upper == "GOTO" && (next == TokenKind::kIdentifier || next == TokenKind::kNumber)) ||
      (upper == "GO" && next == TokenKind::kTo)) {
    ReportForeign(ForeignForm::kGoto, span, {word});
    return SkipForeignStatement();
  }
  if (upper == "THROW" && next == TokenKind::kIdentifier) {
    RepairForeign(ForeignForm::kThrow, span, {word}).Fix(span, "RAISE");
    Rewrite(position_).kind = TokenKind::kRaise;
    return ParseRaise();
  }
  if (upper == "UNLESS" && next != TokenKind::kLeftParen) {
    ReportForeign(ForeignForm::kUnless, span, {word});
    return SkipForeignStatement();
  }
  if ((upper == "FOREACH" || upper == "FORALL") && next == TokenKind::kIdentifier) {
    ReportForeign(ForeignForm::kForEach, span, {word});
    return SkipForeignStatement();
  }
  if (upper == "ELIF" || upper == "ELSEIF") {
    if (followers_.elsif > 0 && next != TokenKind::kLeftParen) {
      RepairForeign(ForeignForm::kElsif, span, {word}).Fix(span, "ELSIF");
      Rewrite(position_).kind = TokenKind::kElsif;
      return nullptr;
    }
  }
  if (upper == "CATCH" || upper == "RESCUE") {
    const bool has_paren = next == TokenKind::kLeftParen;
    const TokenKind behind_paren =
        has_paren ? tokens_[BehindBrackets(position_ + 1)].kind : TokenKind::kEndOfFile;
    const bool is_call = has_paren && behind_paren == TokenKind::kSemicolon;
    if (followers_.handler > 0 && has_paren && !is_call && behind_paren != TokenKind::kLeftBrace &&
        PeekKind(2) == TokenKind::kIdentifier && PeekKind(3) == TokenKind::kRightParen) {
      // `CATCH (E)`: a handler without braces.
      const SourceSpan heading = file_.Span(begin, tokens_[position_ + 3].end);
      RepairForeign(ForeignForm::kCatch, span, {word})
          .Fix(heading, "EXCEPT " + tokens_[position_ + 2].name.str() + " =>");
      Rewrite(position_).kind = TokenKind::kExcept;
      Rewrite(position_ + 1) = tokens_[position_ + 2];
      Rewrite(position_ + 2).kind = TokenKind::kArrow;
      tokens_.erase(tokens_.begin() + static_cast<std::ptrdiff_t>(position_) + 3);
      return nullptr;
    }
    if (followers_.handler > 0 && !is_call) {
      const bool has_handler =
          next == TokenKind::kIdentifier &&
          (PeekKind(2) == TokenKind::kArrow || PeekKind(4) == TokenKind::kArrow);
      RepairForeign(ForeignForm::kCatch, span, {word})
          .Fix(span, has_handler ? "EXCEPT" : "EXCEPT ELSE");
      Rewrite(position_).kind = TokenKind::kExcept;
      if (!has_handler) {
        Token else_token = tokens_[position_];
        else_token.kind = TokenKind::kElse;
        else_token.begin = else_token.end;
        tokens_.insert(tokens_.begin() + static_cast<std::ptrdiff_t>(position_) + 1, else_token);
      }
      return nullptr;
    }
  }
  if ((upper == "DEF" || upper == "FUNC" || upper == "FN" || upper == "FUNCTION" ||
       upper == "CLASS") &&
      next == TokenKind::kIdentifier) {
    ReportForeign(upper == "CLASS" ? ForeignForm::kClassDeclaration : ForeignForm::kFunctionWord,
                  span, {word});
    return SkipForeignStatement();
  }
  // `for (`, `while (`, `if (` look like calls; a word or a brace follows the parentheses.
  if (next == TokenKind::kLeftParen &&
      (word == "for" || word == "while" || word == "if" || word == "lock" || word == "case")) {
    switch (tokens_[BehindBrackets(position_ + 1)].kind) {
      case TokenKind::kLeftBrace:
      case TokenKind::kThen:
      case TokenKind::kDo:
      case TokenKind::kOf:
      case TokenKind::kColon:
      case TokenKind::kIdentifier:
        ForgetReading();
        FixLowerCase();
        return ParseStmt();
      default: break;
    }
  }
  if (next == TokenKind::kIdentifier && FindKeyword(upper) != TokenKind::kIdentifier) {
    return nullptr;  // A keyword in small letters.
  }
  if (next == TokenKind::kIdentifier && TypeOfWord(upper).empty() && !IsDeclaringWord(upper) &&
      FixMisspelling(
          {TokenKind::kWhile, TokenKind::kReturn, TokenKind::kRepeat, TokenKind::kRaise,
           TokenKind::kEval, TokenKind::kCase, TokenKind::kWith, TokenKind::kFor, TokenKind::kLock,
           TokenKind::kTypecase, TokenKind::kElsif, TokenKind::kElse, TokenKind::kUntil},
          "2.3")) {
    return nullptr;
  }
  // `int x = 1;`, `INTEGER x;`, `let x = 1`, `x: INTEGER`.
  const bool declares =
      (next == TokenKind::kIdentifier && PeekKind(2) != TokenKind::kLeftParen &&
       (!TypeOfWord(upper).empty() || IsDeclaringWord(upper))) ||
      (next == TokenKind::kIdentifier &&
       (PeekKind(2) == TokenKind::kSemicolon || PeekKind(2) == TokenKind::kEqual ||
        PeekKind(2) == TokenKind::kAssign) &&
       file_.PhysicalLine(token().begin) == file_.PhysicalLine(tokens_[position_ + 1].begin) &&
       token().name != tokens_[position_ + 1].name && FindKeyword(upper) == TokenKind::kIdentifier);
  if (declares) {
    // `let mut x`
    const size_t at = position_ + (IsDeclaringWord(Upper(tokens_[position_ + 1].name.view())) &&
                                           PeekKind(2) == TokenKind::kIdentifier
                                       ? 2
                                       : 1);
    const std::string name(tokens_[at].name.view());
    const std::string_view type = TypeOfWord(upper);
    ReportForeign(ForeignForm::kDeclarationInStatements, file_.Span(begin, tokens_[at].end),
                  {std::string(file_.Span(begin, tokens_[at].end).text()), name,
                   !type.empty()            ? std::string(type)
                   : IsDeclaringWord(upper) ? "INTEGER"
                                            : word});
    return SkipForeignStatement();
  }
  if (next == TokenKind::kColon && followers_.bar == 0 &&
      (PeekKind(2) == TokenKind::kIdentifier || StartsType(PeekKind(2)))) {
    const std::string type(
        file_.Span(tokens_[position_ + 2].begin, tokens_[position_ + 2].end).text());
    ReportForeign(ForeignForm::kDeclarationInStatements,
                  file_.Span(begin, tokens_[position_ + 2].end), {word + ": " + type, word, type});
    return SkipForeignStatement();
  }
  return nullptr;
}

// INC or DEC of the target, which the source spells in another way.
ast::Stmt* Parser::ParseStepStatement(ast::Expr* target, uint32_t begin) {
  ast::CallExpr* call = New<ast::CallExpr>();
  ast::NameExpr* name = New<ast::NameExpr>();
  name->name = interner_.Intern("INC");
  name->span = target->span;
  call->callee = name;
  ast::Actual actual;
  actual.value = target;
  actual.span = target->span;
  call->actuals.push_back(actual);
  ast::CallStmt* stmt = New<ast::CallStmt>();
  stmt->call = Finish(call, begin);
  return Finish(stmt, begin);
}

// Behind the target of an assignment that is not written ':=', or behind a procedure whose values
// stand without parentheses. Null if neither.
ast::Stmt* Parser::ParseForeignAssignment(ast::Expr* target, uint32_t begin) {
  const std::string name(target->span.text());
  const auto assign = [&](ast::Expr* value) {
    ast::AssignStmt* stmt = New<ast::AssignStmt>();
    stmt->target = target;
    stmt->value = value;
    return Finish(stmt, begin);
  };
  const auto simple = [&](ForeignForm form, size_t tokens) {
    const SourceSpan mark = file_.Span(token().begin, tokens_[position_ + tokens - 1].end);
    RepairForeign(form, mark).Fix(mark, ":=");
    for (size_t i = 0; i < tokens; ++i) Advance();
    return assign(ParseExpr());
  };
  if (AtJoined(TokenKind::kEqual, TokenKind::kEqual)) {
    if (MayRepair()) Repair(MessageId::kAssignWithEqual, JoinedSpan()).Fix(JoinedSpan(), ":=");
    Advance();
    Advance();
    return assign(ParseExpr());
  }
  if (At(TokenKind::kEqual)) {
    if (MayRepair()) Repair(MessageId::kAssignWithEqual, TokenSpan()).Fix(TokenSpan(), ":=");
    Advance();
    return assign(ParseExpr());
  }
  if (AtJoined(TokenKind::kLess, TokenKind::kMinus)) return simple(ForeignForm::kArrowAssign, 2);
  if (At(TokenKind::kColon) && PeekKind(1) == TokenKind::kEqual) {
    return simple(ForeignForm::kSplitAssign, 2);
  }
  // `x++`.
  for (const TokenKind sign : {TokenKind::kPlus, TokenKind::kMinus}) {
    if (!AtJoined(sign, sign) || StartsExpr(PeekKind(2))) continue;
    Advance();
    Advance();
    const std::string call =
        std::string(sign == TokenKind::kPlus ? "INC" : "DEC") + "(" + name + ")";
    const SourceSpan whole = SpanFrom(begin);
    RepairForeign(ForeignForm::kIncrement, whole, {std::string(whole.text()), call})
        .Fix(whole, call);
    return ParseStepStatement(target, begin);
  }
  // `x += e`.
  switch (kind()) {
    case TokenKind::kPlus:
    case TokenKind::kMinus:
    case TokenKind::kStar:
    case TokenKind::kSlash:
    case TokenKind::kAmpersand:
    case TokenKind::kMod:
    case TokenKind::kDiv:
      if (AtJoined(kind(), TokenKind::kEqual)) {
        const SourceSpan mark = JoinedSpan();
        const std::string form(mark.text());
        std::string op(TokenSpelling(kind()));
        Advance();
        Advance();
        const uint32_t value_begin = token().begin;
        const bool is_text = At(TokenKind::kTextLiteral);
        if (is_text && op == "+") op = "&";
        ast::Expr* value = ParseExpr();
        const bool is_simple = value->kind != ast::ExprKind::kBinary;
        const std::string value_text(file_.Span(value_begin, previous_end_).text());
        std::string written = name + " := " + name + " " + op + " " +
                              (is_simple ? value_text : "(" + value_text + ")");
        DiagnosticBuilder error;
        if (op == "/") {
          error = RepairForeign(ForeignForm::kCompoundAssign, mark,
                                {form, written + ", for integers with DIV"});
        } else {
          error = RepairForeign(ForeignForm::kCompoundAssign, mark,
                                {form, written + (op == "+"   ? ", or INC(" + name + ", ...)"
                                                  : op == "-" ? ", or DEC(" + name + ", ...)"
                                                              : "")});
          error.Fix(SpanFrom(begin), written);
        }
        ast::AssignStmt* stmt = assign(value);
        // The kind of the operation does not matter to a program that is wrong anyway.
        stmt->value = MakeErrorExpr();
        return stmt;
      }
      break;
    default: break;
  }
  // `cout << x`.
  if (AtJoined(TokenKind::kLess, TokenKind::kLess) && target->kind != ast::ExprKind::kCall) {
    ReportForeign(ForeignForm::kStream, JoinedSpan(), {name});
    return SkipForeignStatement();
  }
  // `a, b := b, a`.
  if (At(TokenKind::kComma)) {
    size_t i = position_;
    while (tokens_[i].kind == TokenKind::kComma || tokens_[i].kind == TokenKind::kIdentifier ||
           tokens_[i].kind == TokenKind::kDot || tokens_[i].kind == TokenKind::kCaret) {
      ++i;
    }
    if (tokens_[i].kind == TokenKind::kAssign || tokens_[i].kind == TokenKind::kEqual) {
      const SourceSpan targets = file_.Span(begin, tokens_[i - 1].end);
      ReportForeign(ForeignForm::kSeveralTargets, targets, {std::string(targets.text())});
      return SkipForeignStatement();
    }
  }
  // `print "x"`.
  const bool same_line = file_.PhysicalLine(previous_end_) == file_.PhysicalLine(token().begin);
  if (same_line && target->kind != ast::ExprKind::kCall &&
      (At(TokenKind::kTextLiteral) || At(TokenKind::kNumber) || At(TokenKind::kCharLiteral))) {
    const SourceSpan before = AfterPrevious();
    ast::CallExpr* call = New<ast::CallExpr>();
    call->callee = target;
    DiagnosticBuilder error =
        RepairForeign(ForeignForm::kCallWithoutParentheses, TokenSpan(), {name});
    error.Fix(file_.Span(before.begin, token().begin), "(");
    do {
      call->actuals.push_back(ParseActual());
    } while (Accept(TokenKind::kComma));
    error.Fix(AfterPrevious(), ")");
    ast::CallStmt* stmt = New<ast::CallStmt>();
    stmt->call = Finish(call, begin);
    return Finish(stmt, begin);
  }
  return nullptr;
}

// --- CASE ---

// At labels and then `=>` or, as in Pascal, `:` where the arm before has no `|` behind it.
bool Parser::AtArmWithoutBar() const {
  if (grammar_only_ || followers_.bar == 0) return false;
  if (!At(TokenKind::kNumber) && !At(TokenKind::kCharLiteral) && !At(TokenKind::kTextLiteral) &&
      !AtIdent()) {
    return false;
  }
  for (size_t i = position_; i < tokens_.size() && i < position_ + 24; ++i) {
    switch (tokens_[i].kind) {
      case TokenKind::kNumber:
      case TokenKind::kCharLiteral:
      case TokenKind::kTextLiteral:
      case TokenKind::kIdentifier:
      case TokenKind::kDot:
      case TokenKind::kDotDot:
      case TokenKind::kComma:
      case TokenKind::kMinus: continue;
      case TokenKind::kArrow: return i > position_ && HelpsUpTo(i);
      case TokenKind::kColon:
        return i > position_ && HelpsUpTo(i) &&
               (tokens_[position_].kind != TokenKind::kIdentifier ||
                tokens_[position_ + 1].kind != TokenKind::kColon ||
                !StartsType(tokens_[i + 1].kind));
      default: return false;
    }
  }
  return false;
}

// At `default:`, `otherwise` or `others =>`.
bool Parser::AtDefaultArm() const {
  const TokenKind next = PeekKind(1);
  return Helps(1) && followers_.else_part > 0 && followers_.bar > 0 &&
         (AtWord("DEFAULT") || AtWord("OTHERWISE") || AtWord("OTHERS")) &&
         next != TokenKind::kLeftParen &&
         (next == TokenKind::kColon || next == TokenKind::kArrow || StartsStatement(next));
}

}  // namespace tenure::compiler
