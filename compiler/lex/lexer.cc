#include "compiler/lex/lexer.h"

#include <cstdio>
#include <iterator>
#include <unordered_map>

#include "base/near_names.h"
#include "compiler/foreign/tables/forms.h"
#include "compiler/lex/scanner.h"

namespace tenure::compiler {
namespace {

constexpr std::string_view kIgnoredPragmas[] = {
#define TN_IGNORED_PRAGMA(spelling) spelling,
#include "compiler/lex/tokens.def"
};

constexpr std::string_view kUnsupportedPragmas[] = {"LAZYALIGN", "STRICTALIGN"};

bool Contains(const auto& words, std::string_view word) {
  for (const std::string_view candidate : words) {
    if (candidate == word) return true;
  }
  return false;
}

bool IsBlank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

}  // namespace

std::string DescribeByte(char c) {
  const unsigned char byte = static_cast<unsigned char>(c);
  if (byte > 0x20 && byte < 0x7F) return std::string("'") + c + "'";
  char text[16];
  std::snprintf(text, sizeof text, "with code 16_%02X", byte);
  return text;
}

TokenList Lex(const SourceFile& source, Interner& interner, Diagnostics& diagnostics) {
  TokenList tokens;
  tokens.file = &source;
  if (!source.is_too_large()) tokens.tokens.reserve(source.size() / 4 + 1);
  Scanner(source, interner, diagnostics, tokens).Run();
  return tokens;
}

void Scanner::Run() {
  if (source_.is_too_large()) {
    // Do not lex a file that is too large: its tokens would fill the memory.
    Error(MessageId::kFileTooLarge, Span(0, 0));
    cursor_ = size();
  } else if (source_.text().starts_with(kByteOrderMark)) {
    cursor_ = kByteOrderMark.size();
  }
  while (!source_.is_too_large()) {
    SkipSeparators();
    if (at_end()) break;
    ScanToken();
  }
  cursor_ = size();
  Push(TokenKind::kEndOfFile, cursor_).is_damaged = lost_end_ || source_.is_too_large();
}

Token& Scanner::Push(TokenKind kind, uint32_t begin) {
  Token& token = out_.tokens.emplace_back();
  token.kind = kind;
  token.begin = begin;
  token.end = cursor_;
  return token;
}

void Scanner::SkipBlanks() {
  while (!at_end() && IsBlank(text_[cursor_])) ++cursor_;
}

void Scanner::SkipSeparators() {
  for (;;) {
    SkipBlanks();
    if (Peek() == '(' && Peek(1) == '*') {
      SkipComment();
    } else if (!SkipForeignComment()) {
      return;
    }
  }
}

// Quotes mean nothing in a comment (1.6), so it is only nesting that counts.
void Scanner::SkipComment() {
  const uint32_t begin = cursor_;
  uint32_t innermost = begin;
  int depth = 0;
  while (!at_end()) {
    if (Peek() == '(' && Peek(1) == '*') {
      innermost = cursor_;
      ++depth;
      cursor_ += 2;
    } else if (Peek() == '*' && Peek(1) == ')') {
      cursor_ += 2;
      if (--depth == 0) {
        out_.comments.push_back({begin, cursor_});
        return;
      }
    } else {
      ++cursor_;
    }
  }
  out_.comments.push_back({begin, size()});
  lost_end_ = true;
  DiagnosticBuilder error = Error(MessageId::kUnclosedComment, Span(begin, begin + 2));
  if (innermost != begin) {
    error.Note(MessageId::kInnermostComment, Span(innermost, innermost + 2));
  }
}

void Scanner::ScanToken() {
  const char c = Peek();
  if ((c == 'W' || c == 'w') && (Peek(1) == '\'' || Peek(1) == '"')) {
    Peek(1) == '\'' ? ScanChar(true) : ScanText(true);
  } else if (IsLetter(c)) {
    ScanIdentifier();
  } else if (IsDigit(c)) {
    ScanNumber();
  } else if (c == '\'') {
    ScanChar(false);
  } else if (c == '"') {
    ScanText(false);
  } else if (c == '<' && Peek(1) == '*') {
    ScanPragma();
  } else if (c == '*' && Peek(1) == ')') {
    // `*)` is never legal as '*' and ')', so it is the end of a comment that was already closed.
    cursor_ += 2;
    Error(MessageId::kStrayCommentClose, SpanFrom(cursor_ - 2)).Fix(SpanFrom(cursor_ - 2), "");
  } else {
    ScanPunctuation();
  }
}

void Scanner::ScanIdentifier() {
  const uint32_t begin = cursor_;
  const std::string_view word = ScanWord();
  const TokenKind kind = FindKeyword(word);
  Token& token = Push(kind, begin);
  if (kind == TokenKind::kIdentifier) token.name = interner_.Intern(word);
}

std::string_view Scanner::ScanWord() {
  const uint32_t begin = cursor_;
  while (IsWordCharacter(Peek())) ++cursor_;
  return TextFrom(begin);
}

void Scanner::ScanPunctuation() {
  const uint32_t begin = cursor_;
  if (SkipMacroMark()) return;
  // `.5`: a point can precede a digit only in a real number that lacks its whole part.
  if (Peek() == '.' && IsDigit(Peek(1))) {
    Error(MessageId::kMissingWhole, Span(begin, begin + 1)).Fix(Span(begin, begin), "0");
    ScanReal(begin);
    return;
  }
  // Operators of other languages become ours; the parser reports them with the intended operator.
  const std::string_view rest = text_.substr(cursor_);
  const auto foreign = rest.starts_with("//")             ? std::pair(TokenKind::kDiv, 2u)
                       : rest.starts_with("!=")           ? std::pair(TokenKind::kNotEqual, 2u)
                       : rest[0] == '!' || rest[0] == '~' ? std::pair(TokenKind::kNot, 1u)
                       : rest[0] == '%'                   ? std::pair(TokenKind::kMod, 1u)
                                                          : std::pair(TokenKind::kEndOfFile, 0u);
  if (foreign.second != 0) {
    cursor_ += foreign.second;
    Push(foreign.first, begin).is_foreign = true;
    return;
  }
  const auto [kind, length] = FindPunctuation(rest);
  if (length == 0) {
    SkipIllegal();
    return;
  }
  cursor_ += length;
  Push(kind, begin);
}

// Reports a run of equal or of non-ASCII bytes once.
void Scanner::SkipIllegal() {
  const uint32_t begin = cursor_;
  const char first = text_[begin];
  const auto is_foreign = [](char c) { return static_cast<unsigned char>(c) >= 0x80; };
  do {
    ++cursor_;
  } while (!at_end() &&
           (text_[cursor_] == first || (is_foreign(first) && is_foreign(text_[cursor_]))));
  const std::string_view run = TextFrom(begin);
  if (first == '?') {
    if (run == "??" || Peek() == '.') {
      Foreign(ForeignForm::kNilOperator, SpanFrom(begin), {run == "??" ? "??" : "?."});
    } else {
      Foreign(ForeignForm::kConditional, SpanFrom(begin));
    }
  } else if (first == '@') {
    Foreign(ForeignForm::kAddressOf, SpanFrom(begin), {"@"});
  } else if (run.starts_with("\xE2\x80\x98") || run.starts_with("\xE2\x80\x99") ||
             run.starts_with("\xE2\x80\x9C") || run.starts_with("\xE2\x80\x9D")) {
    Foreign(ForeignForm::kCurlyQuotes, SpanFrom(begin), {std::string(run)});
  } else {
    Error(MessageId::kIllegalCharacter, SpanFrom(begin), DescribeByte(first));
  }
  if (!out_.tokens.empty()) out_.tokens.back().is_damaged = true;
}

// --- Pragmas (26) ---

void Scanner::ScanPragma() {
  const uint32_t begin = cursor_;
  cursor_ += 2;
  SkipBlanks();
  const std::string_view word = ScanWord();
  const SourceSpan word_span = Span(begin, cursor_);
  const TokenKind kind = FindPragma(word);
  if (ignored_pragmas_.contains(std::string(word))) {
    SkipPragma(begin);
  } else if (kind != TokenKind::kEndOfFile) {
    Push(kind, begin);
  } else if (word == "LINE") {
    ScanLinePragma(begin);
  } else if (word == "PRAGMA") {
    ScanPragmaPragma(begin);
  } else if (word == "NOWARN") {
    diagnostics_.SuppressWarnings(source_, source_.PhysicalLine(begin));
    SkipPragma(begin);
  } else if (word.empty()) {
    Error(MessageId::kPragmaWithoutWord, word_span);
    SkipPragma(begin);
  } else {
    if (Contains(kUnsupportedPragmas, word)) {
      diagnostics_.Warning(MessageId::kUnsupportedPragma, word_span, word);
    } else if (!Contains(kIgnoredPragmas, word)) {
      auto warning = diagnostics_.Warning(MessageId::kUnknownPragma, word_span, word);
      NearNames near(word);
      for (const std::string_view known :
           {"ASSERT", "DEBUG", "EXTERNAL", "FATAL", "IMPLICIT", "INLINE", "LIBRARY", "OBSOLETE",
            "TRACE", "TRANSIENT", "UNUSED", "NOWARN", "LINE", "PRAGMA"}) {
        near.Consider(known);
      }
      if (!near.best().empty()) {
        warning.Hint("did you mean " + near.best() + "?");
        if (near.is_sure()) {
          const bool has_bracket = word_span.text().starts_with("<*");
          warning.Fix(word_span, (has_bracket ? "<*" : "") + near.best());
        }
      }
    }
    SkipPragma(begin);
  }
}

// Moves the cursor from within the pragma that begins at `begin` to behind its `*>`. The contents
// are not tokens: only nested pragmas count (1.7).
bool Scanner::SkipPragma(uint32_t begin) {
  int depth = 1;
  while (!at_end()) {
    if (Peek() == '<' && Peek(1) == '*') {
      ++depth;
      cursor_ += 2;
    } else if (Peek() == '*' && Peek(1) == '>') {
      cursor_ += 2;
      if (--depth == 0) return true;
    } else {
      ++cursor_;
    }
  }
  lost_end_ = true;
  Error(MessageId::kUnclosedPragma, Span(begin, begin + 2));
  return false;
}

// The cursor is behind the allowed contents of a LINE or PRAGMA pragma.
void Scanner::FinishDirective(uint32_t begin, std::string_view word, bool ok,
                              std::string_view expected) {
  if (!ok) Error(MessageId::kMalformedPragma, SpanFrom(begin), word, expected);
  SkipPragma(begin);
}

// <*LINE n*> or <*LINE n "file"*>.
void Scanner::ScanLinePragma(uint32_t begin) {
  constexpr uint32_t kMaxLine = 1u << 30;
  SkipBlanks();
  bool ok = IsDigit(Peek());
  uint32_t line = 0;
  for (; IsDigit(Peek()); ++cursor_) {
    if (line < kMaxLine / 10) line = line * 10 + static_cast<uint32_t>(Peek() - '0');
  }
  SkipBlanks();
  std::string_view path;
  if (ok && Peek() == '"') {
    const uint32_t path_begin = ++cursor_;
    while (!at_line_end() && Peek() != '"') ++cursor_;
    path = TextFrom(path_begin);
    ok = Peek() == '"';
    if (ok) ++cursor_;
    SkipBlanks();
  }
  ok = ok && Peek() == '*' && Peek(1) == '>';
  if (ok) source_.AddLineMark(cursor_, line, path);
  FinishDirective(begin, "LINE", ok, "a line number and perhaps a file name in quotes");
}

// <*PRAGMA A, B*>.
void Scanner::ScanPragmaPragma(uint32_t begin) {
  bool ok = true;
  for (;;) {
    SkipBlanks();
    const std::string_view word = ScanWord();
    ok = !word.empty() && !IsDigit(word.front());
    if (ok) ignored_pragmas_.emplace(word);
    SkipBlanks();
    if (!ok || Peek() != ',') break;
    ++cursor_;
  }
  ok = ok && Peek() == '*' && Peek(1) == '>';
  FinishDirective(begin, "PRAGMA", ok, "words separated by commas");
}

}  // namespace tenure::compiler
