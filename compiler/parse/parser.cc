#include "compiler/parse/parser.h"

#include <algorithm>

#include "base/check.h"
#include "compiler/foreign/tables/words.h"
#include "compiler/parse/parse_state.h"

namespace tenure::compiler {
namespace {

std::string Quote(TokenKind kind) {
  const std::string spelling(TokenSpelling(kind));
  if (IsPragma(kind)) return "pragma " + spelling;
  if (IsKeyword(kind) || kind <= TokenKind::kTextLiteral) return spelling;
  return "'" + spelling + "'";
}

}  // namespace

ast::Unit* Parse(const TokenList& tokens, Arena& arena, Interner& interner,
                 Diagnostics& diagnostics) {
  return Parser(tokens, arena, interner, diagnostics).ParseUnit();
}

ast::Unit* Parse(const SourceFile& source, Arena& arena, Interner& interner,
                 Diagnostics& diagnostics) {
  const TokenList tokens = Lex(source, interner, diagnostics);
  return Parse(tokens, arena, interner, diagnostics);
}

Parser::Parser(const TokenList& tokens, Arena& arena, Interner& interner, Diagnostics& diagnostics)
    : file_(*tokens.file),
      list_(tokens),
      tokens_(tokens.tokens),
      arena_(arena),
      interner_(interner),
      diagnostics_(diagnostics),
      refany_(interner.Intern("REFANY")) {
  has_repairs_ = tokens.has_errors;
  TN_CHECK(!tokens_.empty() && tokens_.back().kind == TokenKind::kEndOfFile);
}

Parser::Nesting::Nesting(Parser& parser, std::string_view what) : parser_(parser) {
  if (++parser.nesting_ > kMaxNesting) parser.GiveUp(what);
}

// --- Errors ---

bool Parser::MayReport() {
  unit_has_errors_ = true;
  return MayRepair();
}

bool Parser::MayRepair() {
  if (grammar_only_) Fail();
  if (gave_up_ || last_error_ == position_) return false;
  last_error_ = position_;
  const bool after_damage = position_ > 0 && tokens_[position_ - 1].is_damaged;
  return !token().is_damaged && !after_damage;
}

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
  if (args.empty()) return ReportForeignForm(diagnostics_, form, span, {std::string(span.text())});
  return ReportForeignForm(diagnostics_, form, span, args);
}

DiagnosticBuilder Parser::ReportForeign(ForeignForm form, SourceSpan span,
                                        const std::vector<std::string>& args) {
  if (!MayReport()) return {};
  return ShowForeign(form, span, args);
}

std::string Parser::DescribeToken() const {
  switch (kind()) {
    case TokenKind::kIdentifier: return "identifier " + token().name.str();
    case TokenKind::kNumber: return "number " + std::string(TokenSpan().text());
    default: {
      // An operator of another language that the lexer took for ours.
      const std::string_view text = TokenSpan().text();
      const bool is_ours = kind() == TokenKind::kEndOfFile || kind() == TokenKind::kCharLiteral ||
                           kind() == TokenKind::kTextLiteral || IsPragma(kind()) ||
                           Upper(text) == TokenSpelling(kind());
      return is_ours ? Quote(kind()) : "'" + std::string(text) + "'";
    }
  }
}

void Parser::ReportExpected(std::string_view what, std::string_view rule) {
  if (!MayReport()) return;
  const bool is_sign = At(TokenKind::kNot) || At(TokenKind::kMod);
  if (is_sign && Upper(TokenSpan().text()) != TokenSpelling(kind())) {
    // `~` or `%` where no operator can stand.
    Report(MessageId::kIllegalCharacter, TokenSpan(), DescribeToken());
    return;
  }
  Report(MessageId::kExpected, TokenSpan(), what, DescribeToken(), rule);
}

bool Parser::FixLowerCase() {
  if (!AtIdent() || !Helps(1)) return false;
  const std::string upper = Upper(token().name.view());
  const TokenKind keyword = FindKeyword(upper);
  if (keyword == TokenKind::kIdentifier) return false;
  if (MayRepair()) {
    Repair(MessageId::kLowerCaseKeyword, TokenSpan(), upper).Fix(TokenSpan(), upper);
  }
  Rewrite(position_).kind = keyword;
  return true;
}

namespace {

// Whether the words differ by one mistake: a missing, extra or wrong letter, or two exchanged
// letters; in long words by two mistakes. Pascal's word counts as ours.
bool IsMisspelling(std::string_view word, std::string_view keyword) {
  if (word == "FUNCTION" && keyword == "PROCEDURE") return true;
  const size_t n = word.size(), m = keyword.size();
  if (m < 3 || n + 2 < m || m + 2 < n || word.front() != keyword.front()) return false;
  std::vector<std::vector<size_t>> distance(n + 1, std::vector<size_t>(m + 1));
  for (size_t i = 0; i <= n; ++i) {
    for (size_t j = 0; j <= m; ++j) {
      if (i == 0 || j == 0) {
        distance[i][j] = i + j;
        continue;
      }
      const size_t change = distance[i - 1][j - 1] + (word[i - 1] == keyword[j - 1] ? 0 : 1);
      distance[i][j] = std::min({change, distance[i - 1][j] + 1, distance[i][j - 1] + 1});
      if (i > 1 && j > 1 && word[i - 1] == keyword[j - 2] && word[i - 2] == keyword[j - 1]) {
        distance[i][j] = std::min(distance[i][j], distance[i - 2][j - 2] + 1);
      }
    }
  }
  return distance[n][m] <= (m >= 7 ? 2u : 1u);
}

}  // namespace

bool Parser::FixMisspelling(std::initializer_list<TokenKind> keywords, std::string_view rule) {
  if (!AtIdent() || !Helps(1)) return false;
  const std::string_view word = token().name.view();
  for (const TokenKind keyword : keywords) {
    const std::string_view spelling = TokenSpelling(keyword);
    if (word.size() < 2 || !IsMisspelling(Upper(word), spelling)) continue;
    if (MayRepair()) {
      Repair(MessageId::kExpected, TokenSpan(), spelling, DescribeToken(), rule)
          .Fix(TokenSpan(), spelling);
    }
    Rewrite(position_).kind = keyword;
    return true;
  }
  return false;
}

bool Parser::FixMisspelledStatement() {
  return FixMisspelling(
      {TokenKind::kWhile, TokenKind::kReturn, TokenKind::kRepeat, TokenKind::kRaise,
       TokenKind::kEval, TokenKind::kCase, TokenKind::kWith, TokenKind::kFor, TokenKind::kLock,
       TokenKind::kTypecase, TokenKind::kElsif, TokenKind::kElse, TokenKind::kUntil},
      "2.3");
}

// Ends the parse: the rest of the file cannot be understood and is not reported.
void Parser::GiveUp(std::string_view what) {
  if (gave_up_) return;
  if (grammar_only_) {
    Fail();
    return;
  }
  Report(MessageId::kTooDeep, TokenSpan(), what);
  gave_up_ = true;
  position_ = tokens_.size() - 1;
}

// --- Expectations ---

bool Parser::Expect(TokenKind k, std::string_view rule) {
  if (Accept(k)) return true;
  SkipMisplacedPragmas();
  if (Accept(k)) return true;
  if (AtIdent() && FindKeyword(Upper(token().name.view())) == k && FixLowerCase()) {
    Advance();
    return true;
  }
  if (IsKeyword(k) && FixMisspelling({k}, rule)) {
    Advance();
    return true;
  }
  // The word that stands between two parts which are both there.
  const bool is_left_out =
      (k == TokenKind::kOf && (AtIdent() || StartsType(kind()))) ||
      ((k == TokenKind::kThen || k == TokenKind::kDo) && !AtSubstitute(k) &&
       (StartsStatement(kind()) || At(TokenKind::kEnd)) && !At(TokenKind::kLeftParen));
  const bool is_next_line = file_.PhysicalLine(previous_end_) != file_.PhysicalLine(token().begin);
  if (is_left_out && (is_next_line || k == TokenKind::kOf || !AtIdent())) {
    if (MayRepair()) {
      Repair(MessageId::kExpected, TokenSpan(), Quote(k), DescribeToken(), rule)
          .Fix(AfterPrevious(), " " + std::string(TokenSpelling(k)));
    }
    return true;
  }
  if (AtSubstitute(k) && !At(TokenKind::kComma)) {
    if (MayRepair()) {
      Repair(MessageId::kExpected, TokenSpan(), Quote(k), DescribeToken(), rule)
          .Fix(TokenSpan(), TokenSpelling(k));
    }
    return false;
  }
  ReportExpected(Quote(k), rule);
  return false;
}

bool Parser::AtSubstitute(TokenKind k) const {
  switch (k) {
    case TokenKind::kDo: return At(TokenKind::kLoop) || At(TokenKind::kThen);
    case TokenKind::kThen: return At(TokenKind::kDo);
    case TokenKind::kTo: return At(TokenKind::kComma) || At(TokenKind::kDotDot);
    default: return false;
  }
}

bool Parser::ExpectSkipping(TokenKind k, std::string_view rule) {
  if (Expect(k, rule)) return true;
  if (AtSubstitute(k)) {
    Advance();
    return true;
  }
  while (!At(k) && !AtStatementStop()) Advance();
  return Accept(k);
}

void Parser::ExpectSemicolon(std::string_view what, std::string_view rule) {
  if (Accept(TokenKind::kSemicolon)) return;
  if (!AtDeclarationStart()) SkipMisplacedPragmas();
  if (Accept(TokenKind::kSemicolon)) return;
  if (after_brace_ == position_) return;
  const bool is_clear =
      AtDeclarationStart() ||
      AtAny({TokenKind::kEnd, TokenKind::kMethods, TokenKind::kOverrides, TokenKind::kEndOfFile}) ||
      AtIdent();
  if (is_clear && MayRepair()) {
    Repair(MessageId::kMissingSemicolon, AfterPrevious(), what, rule).Fix(AfterPrevious(), ";");
  } else if (MayReport()) {
    Report(MessageId::kExpected, TokenSpan(), "';' after " + std::string(what), DescribeToken(),
           rule);
  }
  // If the next item follows at once, only the semicolon is missing.
  if (AtIdent()) {
    const TokenKind next = PeekKind(1);
    if (next == TokenKind::kColon || next == TokenKind::kComma || next == TokenKind::kEqual ||
        next == TokenKind::kAssign || next == TokenKind::kSubtype) {
      return;
    }
  }
  while (!AtAny({TokenKind::kSemicolon, TokenKind::kEnd, TokenKind::kEndOfFile, TokenKind::kMethods,
                 TokenKind::kOverrides}) &&
         !AtDeclarationStart()) {
    Advance();
  }
  Accept(TokenKind::kSemicolon);
}

bool Parser::IsOpenName(Name name) const {
  return std::find(open_names_.begin(), open_names_.end(), name) != open_names_.end();
}

bool Parser::AtOuterEnd() const {
  if (!At(TokenKind::kEnd) || PeekKind(1) != TokenKind::kIdentifier) return false;
  const TokenKind after = PeekKind(2);
  return (after == TokenKind::kSemicolon || after == TokenKind::kDot) &&
         IsOpenName(tokens_[position_ + 1].name);
}

void Parser::ExpectEnd(std::string_view what, SourceSpan opening) {
  if (AtIdent() && Upper(token().name.view()) == "END") FixLowerCase();
  if (!At(TokenKind::kEnd)) SkipMisplacedPragmas();
  if (At(TokenKind::kEnd) && !AtOuterEnd()) {
    CheckIndentation(what, opening);
    Advance();
    // `END IF;`
    const bool is_word = AtAny({TokenKind::kIf, TokenKind::kLoop, TokenKind::kWhile,
                                TokenKind::kFor, TokenKind::kCase, TokenKind::kRecord,
                                TokenKind::kTry, TokenKind::kWith, TokenKind::kLock});
    const TokenKind next = PeekKind(1);
    const bool ends = next == TokenKind::kSemicolon || next == TokenKind::kEnd ||
                      next == TokenKind::kElse || next == TokenKind::kElsif ||
                      next == TokenKind::kBar || next == TokenKind::kUntil;
    const bool is_foreign =
        is_word ? ends
                : ends && (AtWord("IF") || AtWord("LOOP") || AtWord("WHILE") || AtWord("FOR") ||
                           AtWord("CASE") || AtWord("RECORD") || AtWord("STRUCT"));
    if (is_foreign && Helps()) {
      RepairForeign(ForeignForm::kWordAfterEnd, TokenSpan())
          .Fix(file_.Span(previous_end_, token().end), "");
      Advance();
    }
    return;
  }
  // Report at the opening, because the place of the missing END is unknown.
  if (gave_up_ || token().is_damaged) return;
  if (last_error_ != position_ || At(TokenKind::kEnd)) {
    last_error_ = SIZE_MAX;
    if (ReportSuspect(opening)) {
      last_error_ = position_;
      unit_has_errors_ = true;
      return;
    }
    Report(MessageId::kMissingEnd, opening, what);
    last_error_ = position_;
  }
}

void Parser::CloseBracket(TokenKind k, std::string_view what, SourceSpan opening) {
  if (Accept(k)) return;
  SkipMisplacedPragmas();
  if (Accept(k)) return;
  if (MayReport()) {
    Report(MessageId::kUnclosedBracket, TokenSpan(), what, "'" + std::string(opening.text()) + "'",
           DescribeToken());
  }
  // An unclosed literal took the rest of its line with it; the next line has its own statement.
  if (position_ > 0 && tokens_[position_ - 1].is_damaged) return;
  // The body of the procedure whose formals these are.
  if (At(TokenKind::kEqual) && PeekKind(1) == TokenKind::kBegin) return;
  // Bracketed text in between is skipped whole.
  int depth = 0;
  while (!AtStatementStop()) {
    if (AtAny({TokenKind::kLeftParen, TokenKind::kLeftBracket, TokenKind::kLeftBrace})) {
      ++depth;
    } else if (depth == 0 && At(k)) {
      break;
    } else if (AtAny({TokenKind::kRightParen, TokenKind::kRightBracket, TokenKind::kRightBrace})) {
      if (depth-- == 0) return;  // The token closes an outer bracket.
    }
    Advance();
  }
  Accept(k);
}

void Parser::ClosePragma(SourceSpan opening) {
  if (Accept(TokenKind::kPragmaClose)) return;
  if (MayReport()) {
    Report(MessageId::kUnclosedBracket, TokenSpan(), "'*>'",
           "'" + std::string(opening.text()) + "'", DescribeToken());
  }
  while (!At(TokenKind::kPragmaClose) && !AtStatementStop()) Advance();
  Accept(TokenKind::kPragmaClose);
}

void Parser::SkipMisplacedPragma() {
  if (MayReport()) Report(MessageId::kMisplacedPragma, TokenSpan(), TokenSpelling(kind()));
  Advance();
  while (!At(TokenKind::kPragmaClose) && !AtStatementStop()) Advance();
  Accept(TokenKind::kPragmaClose);
}

void Parser::SkipMisplacedPragmas() {
  while (IsPragma(kind())) SkipMisplacedPragma();
}

bool Parser::AtName() const {
  if (AtIdent()) return true;
  if (grammar_only_ || !IsKeyword(kind())) return false;
  const TokenKind next = PeekKind(1);
  return next == TokenKind::kColon || next == TokenKind::kComma || next == TokenKind::kEqual ||
         next == TokenKind::kSubtype || next == TokenKind::kAssign;
}

ast::Ident Parser::ExpectIdent(std::string_view what, std::string_view rule) {
  SkipMisplacedPragmas();
  ast::Ident ident;
  ident.span = TokenSpan();
  if (AtIdent()) {
    ident.name = token().name;
    Advance();
  } else if (AtName()) {
    if (MayReport()) Report(MessageId::kKeywordAsName, TokenSpan(), TokenSpelling(kind()));
    ident.name = interner_.Intern(TokenSpelling(kind()));
    Advance();
  } else {
    ReportExpected(what, rule);
    ident.span = AfterPrevious();
  }
  return ident;
}

std::vector<ast::Ident> Parser::ParseIdList(std::string_view what, std::string_view rule) {
  std::vector<ast::Ident> list;
  do {
    const ast::Ident ident = ExpectIdent(what, rule);
    if (ident.name) list.push_back(ident);
    repairs_.SkipExportMark();
  } while (Accept(TokenKind::kComma));
  return list;
}

ast::QualId Parser::ParseQualId(std::string_view what, std::string_view rule) {
  const uint32_t begin = token().begin;
  ast::QualId id;
  id.name = ExpectIdent(what, rule);
  if (id.name.name && Accept(TokenKind::kDot)) {
    id.qualifier = id.name;
    id.name = ExpectIdent("a name after '.'", rule);
  }
  id.span = SpanFrom(begin);
  return id;
}

// --- Recovery ---

bool Parser::AtDeclarationStart() const {
  switch (kind()) {
    case TokenKind::kConst:
    case TokenKind::kType:
    case TokenKind::kException:
    case TokenKind::kVar:
    case TokenKind::kProcedure:
    case TokenKind::kReveal:
    case TokenKind::kBegin:
    case TokenKind::kImport:
    case TokenKind::kFrom:
    case TokenKind::kPragmaExternal:
    case TokenKind::kPragmaFatal:
    case TokenKind::kPragmaImplicit:
    case TokenKind::kPragmaInline:
    case TokenKind::kPragmaObsolete:
    case TokenKind::kPragmaUnused: return true;
    default: return IsConventionPragma(kind());
  }
}

bool Parser::AtStatementStop() const {
  switch (kind()) {
    case TokenKind::kEndOfFile:
    case TokenKind::kSemicolon:
    case TokenKind::kEnd:
    case TokenKind::kElse:
    case TokenKind::kElsif:
    case TokenKind::kBar:
    case TokenKind::kUntil:
    case TokenKind::kExcept:
    case TokenKind::kFinally: return true;
    default: return StatementOf(kind()) != nullptr || AtDeclarationStart();
  }
}

void Parser::SkipToStatementStop() {
  while (!AtStatementStop()) Advance();
}

void Parser::SkipToDeclaration() {
  while (!AtDeclarationStart() && !At(TokenKind::kEnd) && !At(TokenKind::kEndOfFile)) Advance();
}

}  // namespace tenure::compiler
