// Forms of other languages: recognised where no Modula-3 can stand, reported with the right form,
// and taken for it where the meaning is clear.
#include <algorithm>
#include <cctype>

#include "compiler/parse/parse_state.h"

namespace tenure::compiler {
namespace {

std::string Upper(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return upper;
}

// Words that name types in other languages, in capitals.
std::string_view TypeOfWord(std::string_view upper) {
  static constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
      {"INT", "INTEGER"},       {"INTEGER", "INTEGER"},   {"LONG", "INTEGER"},
      {"SHORT", "INTEGER"},     {"CHAR", "CHAR"},         {"STRING", "TEXT"},
      {"TEXT", "TEXT"},         {"BOOL", "BOOLEAN"},      {"FLOAT", "REAL"},
      {"DOUBLE", "LONGREAL"},   {"REAL", "REAL"},         {"BOOLEAN", "BOOLEAN"},
      {"CARDINAL", "CARDINAL"}, {"UNSIGNED", "CARDINAL"}, {"LONGREAL", "LONGREAL"},
  };
  for (const auto& [word, type] : kTypes) {
    if (word == upper) return type;
  }
  return "";
}

bool IsDeclaringWord(std::string_view upper) {
  return upper == "LET" || upper == "AUTO" || upper == "FINAL" || upper == "MUT" ||
         upper == "VAL" || upper == "STATIC" || upper == "PUBLIC" || upper == "PRIVATE";
}

// The number one less than the literal, or the text with "- 1".
std::string OneLess(std::string_view text) {
  const bool is_number =
      !text.empty() && text.size() < 18 &&
      std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  if (is_number) return std::to_string(std::stoll(std::string(text)) - 1);
  return std::string(text) + " - 1";
}

}  // namespace

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
  return ReportForeignForm(diagnostics_, form, span, args);
}

DiagnosticBuilder Parser::ReportForeign(ForeignForm form, SourceSpan span,
                                        const std::vector<std::string>& args) {
  if (!MayReport()) return {};
  return ReportForeignForm(diagnostics_, form, span, args);
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
    ReportForeignForm(
        diagnostics_, ForeignForm::kNew, file_.Span(begin, type->span.end),
        {form + "(...)", "NEW(" + type_text + ", field := value), with the names of the fields"});
    last_error_ = position_;
    return Finish(New<ast::ErrorExpr>(), begin);
  }
  if (Accept(TokenKind::kLeftParen)) Accept(TokenKind::kRightParen);
  const SourceSpan whole = SpanFrom(begin);
  ReportForeignForm(diagnostics_, ForeignForm::kNew, whole,
                    {std::string(whole.text()), "NEW(" + type_text + ")"})
      .Fix(whole, "NEW(" + type_text + ")");
  has_repairs_ = true;
  Deepen(call, type_expr);
  return Finish(call, begin);
}

// At `[` where an expression stands: is it a list of values, not a subrange?
bool Parser::AtArrayValue() const {
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

// --- statements ---

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
    if (AtJoined(sign, sign)) {
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
  if (upper == "PASS" && ends) {
    RepairForeign(ForeignForm::kPass, span, {word});
    Advance();
    return Finish(New<ast::ErrorStmt>(), begin);
  }
  static constexpr std::string_view kOtherEnds[] = {
      "ENDIF", "END_IF", "FI",      "OD",       "ENDWHILE",  "WEND",    "ENDFOR",
      "DONE",  "ESAC",   "ENDCASE", "END_CASE", "END_WHILE", "END_FOR", "ENDLOOP"};
  if (std::ranges::find(kOtherEnds, upper) != std::end(kOtherEnds) && ends) {
    RepairForeign(ForeignForm::kOtherEnd, span, {word}).Fix(span, "END");
    tokens_[position_].kind = TokenKind::kEnd;
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
    tokens_[position_].kind = TokenKind::kRaise;
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
      tokens_[position_].kind = TokenKind::kElsif;
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
      tokens_[position_].kind = TokenKind::kExcept;
      tokens_[position_ + 1] = tokens_[position_ + 2];
      tokens_[position_ + 2].kind = TokenKind::kArrow;
      tokens_.erase(tokens_.begin() + static_cast<std::ptrdiff_t>(position_) + 3);
      return nullptr;
    }
    if (followers_.handler > 0 && !is_call) {
      const bool has_handler =
          next == TokenKind::kIdentifier &&
          (PeekKind(2) == TokenKind::kArrow || PeekKind(4) == TokenKind::kArrow);
      RepairForeign(ForeignForm::kCatch, span, {word})
          .Fix(span, has_handler ? "EXCEPT" : "EXCEPT ELSE");
      tokens_[position_].kind = TokenKind::kExcept;
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
      case TokenKind::kIdentifier: FixLowerCase(); return ParseStmt();
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

// --- FOR ---

// Behind FOR: is the heading another language's?
bool Parser::AtForeignFor() const {
  if (At(TokenKind::kLeftParen) || At(TokenKind::kVar)) return true;
  if (!AtIdent()) return false;
  const TokenKind next = PeekKind(1);
  if (next == TokenKind::kIdentifier || next == TokenKind::kIn) return true;
  if (next != TokenKind::kAssign && next != TokenKind::kEqual) return false;
  for (size_t i = position_ + 2; i + 1 < tokens_.size(); ++i) {
    switch (tokens_[i].kind) {
      case TokenKind::kSemicolon: return true;
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
        ReportForeignForm(diagnostics_, ForeignForm::kForEach, span, {std::string(span.text())});
      }
      stmt.from = stmt.to = MakeErrorExpr();
      return true;
    }
    if (has_paren) Accept(TokenKind::kRightParen);
    const std::string written = "FOR " + index + " := " + low + " TO " + high;
    has_repairs_ = true;
    ReportForeignForm(diagnostics_, ForeignForm::kCountingFor, heading(),
                      {std::string(heading().text()), written})
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
  ReportForeignForm(diagnostics_, ForeignForm::kCountingFor, heading(),
                    {std::string(heading().text()), written})
      .Fix(file_.Span(opening.end, previous_end_), written.substr(3));
  stmt.from = from;
  stmt.to = MakeErrorExpr();
  (void)first;
  (void)behind;
  return true;
}

// --- CASE ---

// At labels and then `=>` or, as in Pascal, `:` where the arm before has no `|` behind it.
bool Parser::AtArmWithoutBar() const {
  if (followers_.bar == 0) return false;
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
      case TokenKind::kArrow: return i > position_;
      case TokenKind::kColon:
        return i > position_ && (tokens_[position_].kind != TokenKind::kIdentifier ||
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
  return followers_.else_part > 0 && followers_.bar > 0 &&
         (AtWord("DEFAULT") || AtWord("OTHERWISE") || AtWord("OTHERS")) &&
         next != TokenKind::kLeftParen &&
         (next == TokenKind::kColon || next == TokenKind::kArrow || StartsStatement(next));
}

// --- types ---

// At the beginning of a type: a type of another language, or null.
ast::TypeExpr* Parser::ParseForeignType() {
  const uint32_t begin = token().begin;
  const SourceSpan span = TokenSpan();
  const auto reference = [&](const std::string& form, size_t tokens) -> ast::TypeExpr* {
    const SourceSpan mark = file_.Span(begin, tokens_[position_ + tokens - 1].end);
    const bool needs_space = tokens_[position_ + tokens].begin == mark.end;
    RepairForeign(ForeignForm::kPointer, mark, {form}).Fix(mark, needs_space ? "REF " : "REF");
    for (size_t i = 0; i < tokens; ++i) Advance();
    ast::RefType* type = New<ast::RefType>();
    type->referent = ParseType();
    return Finish(type, begin);
  };
  if (At(TokenKind::kCaret)) return reference("^T", 1);
  if (At(TokenKind::kStar)) return reference("*T", 1);
  if (At(TokenKind::kAmpersand)) return reference("&T", 1);
  if (At(TokenKind::kLeftParen) && PeekKind(1) == TokenKind::kIdentifier &&
      PeekKind(2) == TokenKind::kComma) {
    const size_t behind = BehindBrackets(position_);
    const SourceSpan closing = file_.Span(tokens_[behind - 1].begin, tokens_[behind - 1].end);
    const std::string elements(file_.Span(span.end, closing.begin).text());
    RepairForeign(ForeignForm::kEnumeration, file_.Span(begin, closing.end),
                  {"(" + elements + ")", "{" + elements + "}"})
        .Fix(span, "{")
        .Fix(closing, "}");
    Advance();
    ast::EnumerationType* type = New<ast::EnumerationType>();
    type->elements = ParseIdList("an element's name", "2.4");
    CloseBracket(TokenKind::kRightParen, "',' or ')'", span);
    return Finish(type, begin);
  }
  if (At(TokenKind::kNumber) || At(TokenKind::kCharLiteral) || At(TokenKind::kMinus)) {
    // `0..9`.
    size_t i = position_ + (At(TokenKind::kMinus) ? 2 : 1);
    if (i >= tokens_.size() || tokens_[i].kind != TokenKind::kDotDot) return nullptr;
    ast::SubrangeType* type = New<ast::SubrangeType>();
    const size_t before = last_error_;
    type->low = ParseExpr();
    Advance();
    type->high = ParseExpr();
    last_error_ = before;
    const SourceSpan whole = SpanFrom(begin);
    has_repairs_ = true;
    ReportForeignForm(diagnostics_, ForeignForm::kBareSubrange, whole, {std::string(whole.text())})
        .Fix(file_.Span(whole.begin, whole.begin), "[")
        .Fix(file_.Span(whole.end, whole.end), "]");
    return Finish(type, begin);
  }
  if (ast::TypeExpr* type = ParseForeignObject()) return type;
  if (!AtIdent()) return nullptr;
  const std::string word(token().name.view());
  const std::string upper = Upper(word);
  if (ast::TypeExpr* type = ParseTypeWord()) return type;
  if (upper == "POINTER" && PeekKind(1) == TokenKind::kTo) return reference(word + " TO T", 2);
  if (upper == "POINTER" && IsWord(1, "TO")) return reference(word + " to T", 2);
  if (upper == "ACCESS" && PeekKind(1) == TokenKind::kIdentifier) return reference(word + " T", 1);
  const TokenKind next = PeekKind(1);
  const bool has_members = next == TokenKind::kIdentifier || next == TokenKind::kLeftBrace;
  if ((upper == "CLASS" || upper == "STRUCT") && has_members) {
    const bool is_class = upper == "CLASS";
    const std::string ours = is_class ? "OBJECT" : "RECORD";
    DiagnosticBuilder error = ReportForeign(
        ForeignForm::kStruct, span,
        {word, is_class ? "OBJECT fields METHODS ... OVERRIDES ... END" : "RECORD fields END"});
    if (next != TokenKind::kIdentifier) {
      Advance();
      SkipBalanced(TokenKind::kLeftParen, TokenKind::kRightParen);
      SkipBalanced(TokenKind::kLeftBrace, TokenKind::kRightBrace);
      last_error_ = position_;
      return Finish(New<ast::ErrorType>(), begin);
    }
    error.Fix(span, ours);
    tokens_[position_].kind = is_class ? TokenKind::kObject : TokenKind::kRecord;
    return ParsePrimaryType();
  }
  if (upper == "ENUM" && next == TokenKind::kLeftBrace) {
    const size_t behind = BehindBrackets(position_ + 1);
    const SourceSpan inner = file_.Span(tokens_[position_ + 1].end, tokens_[behind - 1].begin);
    const std::string ours = "{" + std::string(inner.text()) + "}";
    RepairForeign(ForeignForm::kEnumeration, span, {word, ours})
        .Fix(file_.Span(begin, tokens_[behind - 1].end), ours);
    Advance();
    Advance();
    ast::EnumerationType* type = New<ast::EnumerationType>();
    type->elements = ParseIdList("an element's name", "2.4");
    while (position_ < behind) Advance();
    return Finish(type, begin);
  }
  if (next == TokenKind::kLeftBracket && FixMisspelling({TokenKind::kArray}, "2.4")) {
    return ParsePrimaryType();
  }
  if (next == TokenKind::kLeftBracket) {
    // `STRING[20]`, `INTEGER[10]`.
    const size_t behind = BehindBrackets(position_ + 1);
    const SourceSpan whole = file_.Span(begin, tokens_[behind - 1].end);
    const std::string_view inner =
        file_.Span(tokens_[position_ + 1].end, tokens_[behind - 1].begin).text();
    const std::string_view element = TypeOfWord(upper);
    const std::string element_text = element.empty() ? word : std::string(element);
    ast::TypeExpr* type = New<ast::ErrorType>();
    if (upper == "STRING" || upper == "TEXT") {
      RepairForeign(ForeignForm::kTextLength, whole, {std::string(whole.text())})
          .Fix(whole, "TEXT");
      ast::NamedType* named = New<ast::NamedType>();
      named->id.name = {interner_.Intern("TEXT"), span};
      named->id.span = span;
      type = named;
    } else {
      const std::string ours = (inner.empty() ? std::string("ARRAY OF ")
                                              : (inner.find("..") != std::string_view::npos
                                                     ? "ARRAY [" + std::string(inner) + "] OF "
                                                     : "ARRAY [0.." + OneLess(inner) + "] OF ")) +
                               element_text;
      RepairForeign(ForeignForm::kArraySuffix, whole, {std::string(whole.text()), ours})
          .Fix(whole, ours);
    }
    while (position_ < behind) Advance();
    return Finish(type, begin);
  }
  return nullptr;
}

// --- declarations ---

// Where a declaration is expected and none begins. False if nothing of another language is
// recognised. Otherwise it is reported, and skipped or made ours.
bool Parser::FixForeignSection(ast::Block& block) {
  if (At(TokenKind::kLeftBrace)) {
    // A comment of Pascal.
    const size_t behind = BehindBrackets(position_);
    RepairForeign(ForeignForm::kBraceComment, TokenSpan())
        .Fix(TokenSpan(), "(*")
        .Fix(file_.Span(tokens_[behind - 1].begin, tokens_[behind - 1].end), "*)");
    while (position_ < behind) Advance();
    return true;
  }
  if (!AtIdent()) return false;
  const uint32_t begin = token().begin;
  const std::string word(token().name.view());
  const std::string upper = Upper(word);
  const TokenKind next = PeekKind(1);
  const SourceSpan span = TokenSpan();
  const auto skip = [&](ForeignForm form, const std::vector<std::string>& args) {
    ReportForeign(form, span, args);
    SkipForeignStatement();
    Accept(TokenKind::kSemicolon);
    while (!At(TokenKind::kEndOfFile) && !AtDeclarationStart() && !At(TokenKind::kEnd)) Advance();
    last_error_ = position_;
    return true;
  };
  if (upper == "FUNCTION" || upper == "FUNC" || upper == "SUB" || upper == "METHOD" ||
      upper == "PROC") {
    if (next != TokenKind::kIdentifier) return false;
    const size_t behind =
        PeekKind(2) == TokenKind::kLeftParen ? BehindBrackets(position_ + 2) : position_ + 2;
    bool has_brace = false;
    for (size_t i = behind; i < behind + 3 && i < tokens_.size(); ++i) {
      has_brace |= tokens_[i].kind == TokenKind::kLeftBrace;
    }
    if (has_brace) return skip(ForeignForm::kFunctionWord, {word});
    RepairForeign(ForeignForm::kFunctionWord, span, {word}).Fix(span, "PROCEDURE");
    tokens_[position_].kind = TokenKind::kProcedure;
    return true;
  }
  if (SkipSectionWord()) return true;
  if ((upper == "DEF" || upper == "FN" || upper == "VOID") && next == TokenKind::kIdentifier) {
    const size_t behind =
        PeekKind(2) == TokenKind::kLeftParen ? BehindBrackets(position_ + 2) : position_;
    if (tokens_[behind].kind == TokenKind::kEqual ||
        (behind > position_ && IsPascalStyle(tokens_[position_ + 1].name))) {
      // Only the word is another language's.
      RepairForeign(ForeignForm::kFunctionWord, span, {word}).Fix(span, "PROCEDURE");
      tokens_[position_].kind = TokenKind::kProcedure;
      return true;
    }
    return skip(ForeignForm::kFunctionWord, {word});
  }
  if (next == TokenKind::kIdentifier && PeekKind(2) == TokenKind::kLeftParen) {
    return skip(ForeignForm::kFunctionWord,
                {word + " " + std::string(tokens_[position_ + 1].name.view()) + "(...)"});
  }
  if ((upper == "CLASS" || upper == "STRUCT") && next == TokenKind::kIdentifier) {
    return skip(ForeignForm::kClassDeclaration, {word});
  }
  if (upper == "USES" || upper == "USING" || upper == "REQUIRE" || upper == "WITH" ||
      upper == "USE" || upper == "INCLUDE") {
    if (next != TokenKind::kIdentifier) return false;
    // `USES IO, Fmt;` is our import with another word.
    bool is_list = true;
    size_t i = position_ + 1;
    for (; i < tokens_.size() && tokens_[i].kind != TokenKind::kSemicolon; ++i) {
      is_list = is_list &&
                (tokens_[i].kind == TokenKind::kIdentifier || tokens_[i].kind == TokenKind::kComma);
    }
    if (!is_list || upper == "USING" || !block.declarations.empty()) {
      return skip(ForeignForm::kOtherImport, {word});
    }
    RepairForeign(ForeignForm::kOtherImport, span, {word}).Fix(span, "IMPORT");
    tokens_[position_].kind = TokenKind::kImport;
    ParseImports();
    return true;
  }
  // `int x;`, `INTEGER x;`
  if (next == TokenKind::kIdentifier &&
      (PeekKind(2) == TokenKind::kSemicolon || PeekKind(2) == TokenKind::kEqual ||
       PeekKind(2) == TokenKind::kAssign) &&
      FindKeyword(upper) == TokenKind::kIdentifier) {
    const std::string name(tokens_[position_ + 1].name.view());
    const std::string type(TypeOfWord(upper).empty() ? std::string_view(word) : TypeOfWord(upper));
    const std::string written =
        IsDeclaringWord(upper) ? "VAR " + name : "VAR " + name + ": " + type;
    const SourceSpan whole = file_.Span(begin, tokens_[position_ + 1].end);
    RepairForeign(ForeignForm::kVarMissing, whole, {word + " " + name, written})
        .Fix(whole, written);
    ast::VariableDecl* decl = New<ast::VariableDecl>();
    Advance();
    decl->names = {{token().name, TokenSpan()}};
    Advance();
    ast::TypeExpr* none = nullptr;
    ast::Expr* value = nullptr;
    if (!At(TokenKind::kSemicolon)) {
      ParseTypeAndValue(none, value, "a variable", "an initial value", decl->names[0].span);
    }
    decl->type = New<ast::ErrorType>();
    decl->type->span = whole;
    decl->span = SpanFrom(begin);
    ExpectSemicolon("the variable", "2.2");
    block.declarations.push_back(decl);
    return true;
  }
  // `x: INTEGER;` without VAR.
  if (next == TokenKind::kColon ||
      (next == TokenKind::kComma && PeekKind(2) == TokenKind::kIdentifier)) {
    RepairForeign(ForeignForm::kVarMissing, span, {word + ": ...", "VAR " + word + ": ..."})
        .Fix(file_.Span(begin, begin), "VAR ");
    ast::VariableDecl* decl = ast::As<ast::VariableDecl>(ParseVariableDecl());
    decl->span = SpanFrom(begin);
    ExpectSemicolon("the variable", "2.2");
    block.declarations.push_back(decl);
    return true;
  }
  if (next == TokenKind::kLeftParen || next == TokenKind::kDot || next == TokenKind::kAssign) {
    // Statements without BEGIN: they go on to an END, or BEGIN follows later.
    size_t behind = position_;
    while (behind + 1 < tokens_.size() && tokens_[behind].kind != TokenKind::kSemicolon) ++behind;
    ReportForeign(ForeignForm::kStatementOutside, file_.Span(begin, tokens_[position_ + 1].end),
                  {word + std::string(TokenSpelling(next)) + "..."});
    SkipToDeclaration();
    last_error_ = position_;
    return true;
  }
  return false;
}

// `INTEGER x`, `int x`, `x INTEGER`, `IN x: T`: takes one formal. False if it is ours.
bool Parser::FixForeignFormal(ast::FormalGroup& formal) {
  const std::string word(token().name.view());
  const std::string upper = Upper(word);
  const uint32_t begin = token().begin;
  if ((upper == "OUT" || upper == "INOUT" || upper == "REF" || upper == "CONST") &&
      PeekKind(1) == TokenKind::kIdentifier && PeekKind(2) == TokenKind::kColon) {
    const SourceSpan span = TokenSpan();
    RepairForeign(ForeignForm::kFormalMode, span, {word + " x: T"})
        .Fix(span, upper == "CONST" ? "READONLY" : "VAR");
    formal.mode = upper == "CONST" ? ast::Mode::kReadonly : ast::Mode::kVar;
    Advance();
    formal.names = ParseIdList("a formal's name", "2.2");
    ParseTypeAndValue(formal.type, formal.default_value, "a formal", "a default",
                      formal.names.back().span);
    return true;
  }
  if (PeekKind(1) != TokenKind::kIdentifier || TypeOfWord(upper).empty()) return false;
  const std::string name(tokens_[position_ + 1].name.view());
  const SourceSpan whole = file_.Span(begin, tokens_[position_ + 1].end);
  const std::string ours = name + ": " + std::string(TypeOfWord(upper));
  RepairForeign(ForeignForm::kTypeBeforeName, whole, {word + " " + name, ours}).Fix(whole, ours);
  ast::NamedType* type = New<ast::NamedType>();
  type->id.name = {interner_.Intern(TypeOfWord(upper)), TokenSpan()};
  type->id.span = type->span = TokenSpan();
  Advance();
  formal.names = {{token().name, TokenSpan()}};
  Advance();
  formal.type = type;
  return true;
}

void Parser::ParseTypeWithoutColon(ast::TypeExpr*& type, SourceSpan name) {
  if (MayRepair()) {
    const std::string first(name.text());
    const std::string_view meant = TypeOfWord(Upper(first));
    if (!meant.empty() && AtIdent() && TypeOfWord(Upper(TokenSpan().text())).empty()) {
      // `int x`: the first word is the type. The name that is declared is the second word.
      unit_has_errors_ = true;
      const SourceSpan whole = file_.Span(name.begin, token().end);
      const std::string ours = std::string(TokenSpan().text()) + ": " + std::string(meant);
      ReportForeignForm(diagnostics_, ForeignForm::kTypeBeforeName, whole,
                        {std::string(whole.text()), ours})
          .Fix(whole, ours);
      Advance();
      type = New<ast::ErrorType>();
      type->span = whole;
      return;
    }
    Repair(MessageId::kExpected, TokenSpan(), "':'", DescribeToken(), "2.2")
        .Fix(AfterPrevious(), ":");
  }
  type = ParseType();
}

// Behind a procedure's signature: words of other languages before the body.
void Parser::ParseForeignHeading() {
  if (AtWord("THROWS") || AtWord("THROW")) {
    const uint32_t begin = token().begin, list = token().end;
    DiagnosticBuilder error =
        RepairForeign(ForeignForm::kThrows, TokenSpan(), {std::string(token().name.view())});
    unit_has_errors_ = true;
    while (!At(TokenKind::kEqual) && !At(TokenKind::kSemicolon) && !At(TokenKind::kBegin) &&
           !At(TokenKind::kEndOfFile)) {
      Advance();
    }
    std::string_view names = file_.Span(list, previous_end_).text();
    while (names.starts_with(' ')) names.remove_prefix(1);
    if (names.find_first_of("({") == std::string_view::npos) {
      error.Fix(SpanFrom(begin), "RAISES {" + std::string(names) + "}");
    }
    last_error_ = position_;
  }
  if (AtWord("IS") || At(TokenKind::kAs)) {
    const SourceSpan span = TokenSpan();
    RepairForeign(ForeignForm::kIs, span, {std::string(span.text())}).Fix(span, "=");
    tokens_[position_].kind = TokenKind::kEqual;
  }
}

// --- units ---

// At the first token of a file that begins no unit. False if it is none of another language's
// headings that are ours in other words.
bool Parser::FixForeignUnit(ast::Unit& unit) {
  if (!AtIdent()) return false;
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
    tokens_[position_].kind = TokenKind::kModule;
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
    tokens_[position_].kind = is_definition ? TokenKind::kInterface : TokenKind::kModule;
    return true;
  }
  return false;
}

}  // namespace tenure::compiler
