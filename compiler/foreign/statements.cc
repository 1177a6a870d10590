// Statements and arms of CASE in the forms of other languages.
#include <algorithm>

#include "compiler/foreign/tables/words.h"
#include "compiler/parse/parse_state.h"

namespace tenure::compiler {

Repairer::Repairer(Parser& parser) : p_(parser), file_(parser.file_), tokens_(parser.tokens_) {}

ast::Stmt* Repairer::ParseForeignStatement() {
  if (p_.grammar_only_) return nullptr;
  if (p_.At(kLeftBrace)) return ParseBraces();
  if (p_.At(kDo)) return SkipDoWhile("DO");
  if (ast::Stmt* stmt = ParsePrefixStep()) return stmt;
  if (!p_.AtIdent()) return nullptr;
  const TokenKind next = p_.PeekKind(1);
  switch (next) {
    case kAssign:
    case kDot:
    case kLeftBracket:
    case kCaret:
    case kEqual: return nullptr;
    default: break;
  }
  // The grammar fails behind a name alone, or in or behind what looks like a call or a constructor.
  const bool has_brackets = next == kLeftParen || next == kLeftBrace;
  if (!p_.HelpsUpTo(has_brackets ? p_.BehindBrackets(p_.position_ + 1) : p_.position_ + 1)) {
    return nullptr;
  }
  const std::string text = p_.token().name.str();
  if (p_.AtWord("DO") && next == kLeftBrace) return SkipDoWhile(text);
  const ForeignWord* word = FindForeignWord(PlacesOfStatement(), Upper(text));
  if (word != nullptr && (word->ours != "ELSIF" || p_.followers_.elsif > 0)) {
    return ParseStatementWord(*word);
  }
  return ParseOtherWord();
}

// --- words ---

bool Repairer::IsSameLine(size_t ahead) const {
  const Token& other = tokens_[std::min(p_.position_ + ahead, tokens_.size() - 1)];
  return file_.PhysicalLine(p_.token().begin) == file_.PhysicalLine(other.begin);
}

WordPlaces Repairer::PlacesOfStatement() const {
  const WordPlaces operand =
      IsSameLine(1) ? In(WordPlace::kBeforeOperand) | In(WordPlace::kBeforeCondition) : 0;
  const WordPlaces not_called = In(WordPlace::kNotCalled);
  switch (p_.PeekKind(1)) {
    case kSemicolon:
    case kEnd:
    case kElse:
    case kElsif:
    case kRightBrace:
    case kBar:
    case kUntil: return not_called | In(WordPlace::kAlone);
    case kIdentifier: return not_called | In(WordPlace::kBeforeName) | operand;
    case kNumber: return not_called | In(WordPlace::kBeforeNumber) | operand;
    case kNot: return not_called | operand;
    // `print "x"` and its like are calls without parentheses.
    case kTextLiteral: return not_called | (operand & In(WordPlace::kBeforeCondition));
    case kTo: return not_called | In(WordPlace::kBeforeTo);
    case kLeftParen: {
      const Token& behind = tokens_[p_.BehindBrackets(p_.position_ + 1)];
      return behind.kind == kDo ? In(WordPlace::kBeforeParensDo) : 0;
    }
    default: return not_called;
  }
}

// At the word: a statement, or null if it is a word of Modula-3 now.
ast::Stmt* Repairer::ParseStatementWord(const ForeignWord& word) {
  if (word.place == WordPlace::kBeforeCondition) return ParseAssertion(word);
  const SourceSpan span = p_.TokenSpan();
  const std::vector<std::string> args = {p_.token().name.str(), std::string(word.advice)};
  if (word.ours.empty()) {
    p_.ReportForeign(word.form, span, args);
    return SkipForeignStatement();
  }
  p_.RepairForeign(word.form, span, args).Fix(span, word.ours);
  p_.Rewrite(p_.position_).kind = FindKeyword(word.ours);
  return nullptr;
}

ast::Stmt* Repairer::ParseAssertion(const ForeignWord& word) {
  const uint32_t begin = p_.token().begin;
  const SourceSpan span = p_.TokenSpan();
  DiagnosticBuilder error =
      p_.RepairForeign(word.form, span, {p_.token().name.str(), std::string(word.advice)});
  p_.Advance();
  ast::AssertStmt* stmt = p_.New<ast::AssertStmt>();
  stmt->condition = p_.ParseExpr();
  if (p_.Accept(kComma)) stmt->message = p_.ParseExpr();
  error.Fix(span, "<*ASSERT").Fix(p_.AfterPrevious(), "*>");
  if (p_.At(kSemicolon)) {
    error.Fix(p_.TokenSpan(), "");
    p_.Advance();
  }
  return p_.Finish(stmt, begin);
}

// At a name that is no word of the table in its place.
ast::Stmt* Repairer::ParseOtherWord() {
  const uint32_t begin = p_.token().begin;
  const TokenKind next = p_.PeekKind(1);
  const std::string word = p_.token().name.str();
  const std::string upper = Upper(word);
  if (upper == "PASS" && ((PlacesOfStatement() & In(WordPlace::kAlone)) != 0 || !IsSameLine(1))) {
    p_.RepairForeign(ForeignForm::kPass, p_.TokenSpan(), {word});
    p_.Advance();
    return p_.Finish(p_.New<ast::ErrorStmt>(), begin);
  }
  if (upper == "SWITCH" || upper == "MATCH" || upper == "SELECT") {
    if (ast::Stmt* stmt = ParseSwitch()) return stmt;
  }
  if ((upper == "CATCH" || upper == "RESCUE") && FixCatch()) return nullptr;
  // `for (`, `while (`, `if (` look like calls; a word or a brace follows the parentheses.
  if (next == kLeftParen &&
      (word == "for" || word == "while" || word == "if" || word == "lock" || word == "case")) {
    switch (tokens_[p_.BehindBrackets(p_.position_ + 1)].kind) {
      case kLeftBrace:
      case kThen:
      case kDo:
      case kOf:
      case kColon:
      case kIdentifier:
        p_.ForgetReading();
        p_.FixLowerCase();
        return p_.ParseStmt();
      default: break;
    }
  }
  if (next == kIdentifier) {
    if (FindKeyword(upper) != kIdentifier) return nullptr;  // In small letters.
    if (TypeOfWord(upper).empty() && !IsDeclaringWord(upper) && p_.FixMisspelledStatement()) {
      return nullptr;
    }
  }
  return ParseDeclarationInStatements();
}

// `int x = 1;`, `INTEGER x;`, `let x = 1`, `x: INTEGER`.
ast::Stmt* Repairer::ParseDeclarationInStatements() {
  const std::string word = p_.token().name.str();
  const std::string upper = Upper(word);
  const TokenKind next = p_.PeekKind(1), second = p_.PeekKind(2);
  if (next == kColon && p_.followers_.bar == 0 &&
      (second == kIdentifier || Parser::StartsType(second))) {
    const Token& type_token = p_.Peek(2);
    const std::string type(file_.Span(type_token.begin, type_token.end).text());
    p_.ReportForeign(ForeignForm::kDeclarationInStatements, p_.SpanTo(2),
                     {word + ": " + type, word, type});
    return SkipForeignStatement();
  }
  if (next != kIdentifier) return nullptr;
  const std::string_view type = TypeOfWord(upper);
  const bool declares = IsDeclaringWord(upper);
  const Token& name = p_.Peek(1);
  const bool is_known = second != kLeftParen && (!type.empty() || declares);
  const bool is_declaration = (second == kSemicolon || second == kEqual || second == kAssign) &&
                              IsSameLine(1) && p_.token().name != name.name;
  if (!is_known && !is_declaration) return nullptr;
  // `let mut x`
  const size_t at = IsDeclaringWord(Upper(name.name.view())) && second == kIdentifier ? 2 : 1;
  const SourceSpan whole = p_.SpanTo(at);
  p_.ReportForeign(
      ForeignForm::kDeclarationInStatements, whole,
      {std::string(whole.text()), p_.Peek(at).name.str(),
       !type.empty() ? std::string(type) : (declares ? std::string("INTEGER") : word)});
  return SkipForeignStatement();
}

// Skips a statement of another language: to its end, and over a block in braces.
ast::Stmt* Repairer::SkipForeignStatement() {
  const uint32_t begin = p_.token().begin;
  const uint32_t line = file_.PhysicalLine(begin);
  while (!p_.AtAny({kEndOfFile, kSemicolon, kLeftBrace})) {
    if (p_.At(kLeftParen)) {
      p_.SkipBalanced(kLeftParen, kRightParen);
      continue;
    }
    if (p_.AtStatementStop() && file_.PhysicalLine(p_.token().begin) != line) break;
    if (p_.At(kEnd)) break;
    p_.Advance();
  }
  if (p_.At(kLeftBrace)) {
    p_.SkipBalanced(kLeftBrace, kRightBrace);
    p_.after_brace_ = p_.position_;
  }
  p_.last_error_ = p_.position_;
  return p_.Finish(p_.New<ast::ErrorStmt>(), begin);
}

// --- braces, DO, ++ ---

// A comment of Pascal, if these are words on one line. Otherwise a block.
ast::Stmt* Repairer::ParseBraces() {
  const uint32_t begin = p_.token().begin;
  const size_t behind = p_.BehindBrackets(p_.position_);
  bool has_operator = false;
  for (size_t i = p_.position_ + 1; i + 1 < behind; ++i) {
    const TokenKind k = tokens_[i].kind;
    has_operator |= k == kSemicolon || k == kAssign || k == kLeftParen || k == kEqual;
  }
  if (IsSameLine(behind - 1 - p_.position_) && !has_operator) {
    SkipBraceComment();
    return p_.AtListEnd() ? p_.Finish(p_.New<ast::ErrorStmt>(), begin) : p_.ParseStmt();
  }
  const SourceSpan opening = p_.TokenSpan();
  if (!p_.braces_reported_) p_.braces_ = p_.RepairForeign(ForeignForm::kBraces, opening);
  p_.braces_reported_ = true;
  p_.braces_.Fix(opening, "BEGIN");
  p_.Advance();
  ast::BlockStmt* block = p_.New<ast::BlockStmt>();
  block->block.begin_span = opening;
  block->block.body = p_.ParseBody(Parser::Body::kBrace, opening);
  p_.CloseBody(Parser::Body::kBrace, "BEGIN", opening);
  block->block.span = p_.SpanFrom(begin);
  return p_.Finish(block, begin);
}

void Repairer::SkipBraceComment() {
  const size_t behind = p_.BehindBrackets(p_.position_);
  const Token& closing = tokens_[behind - 1];
  p_.RepairForeign(ForeignForm::kBraceComment, p_.TokenSpan())
      .Fix(p_.TokenSpan(), "(*")
      .Fix(file_.Span(closing.begin, closing.end), "*)");
  p_.AdvanceTo(behind);
}

// `DO ... WHILE c;`, `do { ... } while (c);`
ast::Stmt* Repairer::SkipDoWhile(const std::string& word) {
  const uint32_t begin = p_.token().begin;
  p_.ReportForeign(ForeignForm::kDoWhile, p_.TokenSpan(), {word});
  if (p_.At(kDo)) {
    while (!p_.At(kWhile) && !p_.At(kUntil) && !p_.AtOuterEnd() && !p_.At(kEndOfFile)) {
      p_.Advance();
    }
  } else {
    p_.Advance();
    p_.SkipBalanced(kLeftBrace, kRightBrace);
  }
  p_.SkipTo({kSemicolon, kEnd});
  p_.last_error_ = p_.position_;
  return p_.Finish(p_.New<ast::ErrorStmt>(), begin);
}

// `++x`, `--x`.
ast::Stmt* Repairer::ParsePrefixStep() {
  const TokenKind sign = p_.kind();
  if (sign != kPlus && sign != kMinus) return nullptr;
  if (!p_.AtJoined(sign, sign) || !p_.Helps()) return nullptr;
  const uint32_t begin = p_.token().begin;
  p_.Advance();
  p_.Advance();
  ast::Expr* target = p_.RequireValue(p_.ParsePostfix());
  return ParseStepStatement(sign, target, begin);
}

// --- switch, catch ---

ast::Stmt* Repairer::ParseSwitch() {
  const TokenKind next = p_.PeekKind(1);
  if (next != kLeftParen && next != kIdentifier) return nullptr;
  const uint32_t begin = p_.token().begin;
  const std::string word = p_.token().name.str();
  const size_t behind = next == kLeftParen ? p_.BehindBrackets(p_.position_ + 1) : p_.position_ + 2;
  const TokenKind opener = behind < tokens_.size() ? tokens_[behind].kind : kEndOfFile;
  if (opener == kLeftBrace) {
    p_.ReportForeign(ForeignForm::kSwitch, p_.TokenSpan(), {word});
    return SkipForeignStatement();
  }
  if (next != kIdentifier && opener != kOf && opener != kDo && opener != kWith) {
    return nullptr;
  }
  p_.ReportForeign(ForeignForm::kSwitch, p_.TokenSpan(), {word});
  p_.Advance();
  SkipToEnd(/*case_opens=*/false);
  return p_.Finish(p_.New<ast::ErrorStmt>(), begin);
}

// `catch`, where handlers may follow: makes it EXCEPT. False if it is a call.
bool Repairer::FixCatch() {
  const size_t at = p_.position_;
  const TokenKind next = p_.PeekKind(1);
  const bool has_paren = next == kLeftParen;
  const TokenKind behind_paren = has_paren ? tokens_[p_.BehindBrackets(at + 1)].kind : kEndOfFile;
  if (p_.followers_.handler == 0 || (has_paren && behind_paren == kSemicolon)) {
    return false;
  }
  const SourceSpan span = p_.TokenSpan();
  const std::vector<std::string> args = {p_.token().name.str()};
  if (has_paren && behind_paren != kLeftBrace && p_.PeekKind(2) == kIdentifier &&
      p_.PeekKind(3) == kRightParen) {
    // `CATCH (E)`: a handler without braces.
    p_.RepairForeign(ForeignForm::kCatch, span, args)
        .Fix(p_.SpanTo(3), "EXCEPT " + tokens_[at + 2].name.str() + " =>");
    p_.Rewrite(at).kind = kExcept;
    tokens_[at + 1] = tokens_[at + 2];
    tokens_[at + 2].kind = kArrow;
    tokens_.erase(tokens_.begin() + static_cast<std::ptrdiff_t>(at) + 3);
    return true;
  }
  const bool has_handler =
      next == kIdentifier && (p_.PeekKind(2) == kArrow || p_.PeekKind(4) == kArrow);
  p_.RepairForeign(ForeignForm::kCatch, span, args)
      .Fix(span, has_handler ? "EXCEPT" : "EXCEPT ELSE");
  p_.Rewrite(at).kind = kExcept;
  if (!has_handler) {
    Token else_token = tokens_[at];
    else_token.kind = kElse;
    else_token.begin = else_token.end;
    tokens_.insert(tokens_.begin() + static_cast<std::ptrdiff_t>(at) + 1, else_token);
  }
  return true;
}

void Repairer::SkipToEnd(bool case_opens) {
  int depth = 1;
  for (; !p_.At(kEndOfFile); p_.Advance()) {
    switch (p_.kind()) {
      case kCase: depth += case_opens ? 1 : 0; break;
      case kBegin:
      case kIf:
      case kFor:
      case kWhile:
      case kLoop:
      case kTry:
      case kLock:
      case kTypecase:
      case kRecord:
      case kObject: ++depth; break;
      case kEnd:
        if (p_.AtOuterEnd()) {
          p_.last_error_ = p_.position_;
          return;
        }
        if (--depth == 0) {
          p_.Advance();
          p_.last_error_ = p_.position_;
          return;
        }
        break;
      default: break;
    }
  }
}

// --- CASE ---

bool Repairer::AtArmWithoutBar() const {
  if (p_.grammar_only_ || p_.followers_.bar == 0) return false;
  if (!p_.AtAny({kNumber, kCharLiteral, kTextLiteral}) && !p_.AtIdent()) {
    return false;
  }
  for (size_t i = p_.position_; i < tokens_.size() && i < p_.position_ + 24; ++i) {
    switch (tokens_[i].kind) {
      case kNumber:
      case kCharLiteral:
      case kTextLiteral:
      case kIdentifier:
      case kDot:
      case kDotDot:
      case kComma:
      case kMinus: continue;
      case kArrow: return i > p_.position_ && p_.HelpsUpTo(i);
      case kColon:
        return i > p_.position_ && p_.HelpsUpTo(i) &&
               (tokens_[p_.position_].kind != kIdentifier || p_.Peek(1).kind != kColon ||
                !p_.StartsType(tokens_[i + 1].kind));
      default: return false;
    }
  }
  return false;
}

bool Repairer::AtDefaultArm() const {
  const TokenKind next = p_.PeekKind(1);
  return p_.Helps(1) && p_.followers_.else_part > 0 && p_.followers_.bar > 0 &&
         (p_.AtWord("DEFAULT") || p_.AtWord("OTHERWISE") || p_.AtWord("OTHERS")) &&
         next != kLeftParen && (next == kColon || next == kArrow || p_.StartsStatement(next));
}

bool Repairer::AtWhenArm() const {
  if (p_.followers_.bar == 0 || !p_.Helps(1) || !p_.AtWord("WHEN")) return false;
  switch (p_.PeekKind(1)) {
    case kNumber:
    case kCharLiteral:
    case kIdentifier:
    case kMinus: return true;
    default: return false;
  }
}

bool Repairer::FixWhenArm() {
  if (!AtWhenArm()) return false;
  const SourceSpan word = p_.TokenSpan();
  if (p_.IsWord(1, "OTHERS") && p_.PeekKind(2) == kArrow) {
    const SourceSpan heading = file_.Span(word.begin, p_.Peek(2).end);
    p_.RepairForeign(ForeignForm::kDefault, heading).Fix(heading, "ELSE");
    p_.Advance();
    p_.Advance();
    p_.Rewrite(p_.position_).kind = kElse;
    return true;
  }
  p_.RepairForeign(ForeignForm::kCaseWord, word).Fix(word, "|");
  p_.Advance();
  return true;
}

// --- IF, WITH ---

bool Repairer::IsStatementBeforeCondition() const {
  for (size_t i = p_.position_; i + 1 < tokens_.size(); ++i) {
    switch (tokens_[i].kind) {
      case kSemicolon: return true;
      case kThen:
      case kDo:
      case kEnd:
      case kBegin: return false;
      default: break;
    }
  }
  return false;
}

bool Repairer::SkipWithAs(SourceSpan opening) {
  if (!p_.AtIdent() || !p_.Helps(1) || p_.PeekKind(1) == kEqual || p_.PeekKind(1) == kAssign) {
    return false;
  }
  size_t as = p_.position_;
  while (as + 2 < tokens_.size() && tokens_[as].kind != kAs) {
    if (tokens_[as].kind == kDo || tokens_[as].kind == kSemicolon || tokens_[as].kind == kEqual) {
      return false;
    }
    ++as;
  }
  if (as + 2 >= tokens_.size() || tokens_[as + 1].kind != kIdentifier ||
      (tokens_[as + 2].kind != kDo && tokens_[as + 2].kind != kColon)) {
    return false;
  }
  const SourceSpan value = p_.SpanOf(p_.position_, as - 1);
  const SourceSpan whole = p_.SpanOf(p_.position_, as + 1);
  const std::string ours = tokens_[as + 1].name.str() + " = " + std::string(value.text());
  // The body uses the name.
  p_.unit_has_errors_ = true;
  DiagnosticBuilder error = p_.RepairForeign(
      ForeignForm::kWithAs, file_.Span(opening.begin, whole.end),
      {std::string(file_.Span(opening.begin, whole.end).text()), "WITH " + ours + " DO ... END"});
  error.Fix(whole, ours);
  p_.AdvanceTo(as + 1 + 1);
  p_.last_error_ = p_.position_;
  return true;
}

}  // namespace tenure::compiler
