// The lexer's state, shared by lexer.cc (tokens, comments, pragmas) and literals.cc. Internal to
// this folder.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "compiler/diagnostics/diagnostics.h"
#include "compiler/lex/token.h"

namespace tenure::compiler {

enum class ForeignForm : uint8_t;

class Scanner {
 public:
  Scanner(const SourceFile& source, Interner& interner, Diagnostics& diagnostics, TokenList& out)
      : source_(source),
        text_(source.text()),
        interner_(interner),
        diagnostics_(diagnostics),
        out_(out) {}

  // Scans the whole file into the token list.
  void Run();

 private:
  // The byte `ahead` of the cursor, or NUL past the end. A NUL byte in the text is an illegal
  // character and does not end a loop: loops ask at_end().
  char Peek(uint32_t ahead = 0) const {
    return cursor_ + ahead < text_.size() ? text_[cursor_ + ahead] : '\0';
  }
  bool at_end() const { return cursor_ >= text_.size(); }
  bool at_line_end() const { return at_end() || text_[cursor_] == '\n' || text_[cursor_] == '\r'; }
  uint32_t size() const { return static_cast<uint32_t>(text_.size()); }
  SourceSpan Span(uint32_t begin, uint32_t end) const { return source_.Span(begin, end); }
  SourceSpan SpanFrom(uint32_t begin) const { return Span(begin, cursor_); }
  std::string_view TextFrom(uint32_t begin) const { return text_.substr(begin, cursor_ - begin); }

  template <typename... Args>
  DiagnosticBuilder Error(MessageId id, SourceSpan span, const Args&... args) {
    out_.has_errors = true;
    return diagnostics_.Error(id, span, args...);
  }
  // An error, too (compiler/foreign/tables/forms.h).
  DiagnosticBuilder Foreign(ForeignForm form, SourceSpan span,
                            const std::vector<std::string>& args = {});

  // lexer.cc
  void SkipSeparators();
  void SkipComment();
  void SkipIllegal();
  void ScanToken();
  void ScanIdentifier();
  void ScanPunctuation();
  Token& Push(TokenKind kind, uint32_t begin);
  // At `<*`. A pragma that leaves no token is skipped.
  void ScanPragma();
  bool SkipPragma(uint32_t begin);
  void ScanLinePragma(uint32_t begin);
  void ScanPragmaPragma(uint32_t begin);
  void SkipBlanks();
  std::string_view ScanWord();
  void FinishDirective(uint32_t begin, std::string_view word, bool ok, std::string_view expected);

  // foreign_text.cc
  bool SkipForeignComment();
  bool IsFirstInLine() const;
  bool IsLineComment(TokenKind before) const;
  void SkipLineComment(uint32_t mark_bytes);
  void SkipBlockComment();
  bool ScanPrefixedNumber(uint32_t begin);
  bool ScanGroupedNumber(uint32_t begin);
  bool AtBareExponent() const;
  bool ScanSuffixedNumber(uint32_t begin);
  bool SkipAttribute();
  bool SkipMacroMark();

  // literals.cc
  void ScanNumber();
  void ScanBased(uint32_t begin);
  void ScanReal(uint32_t begin);
  bool ScanExponent(uint32_t begin, std::string& digits, NumberForm& form);
  void ScanChar(bool is_wide);
  void ScanText(bool is_wide);
  void ScanTextInSingleQuotes(uint32_t begin, bool is_wide);
  // At a character or an escape of a literal that begins at `begin`; false if it was reported as
  // wrong.
  bool ScanLiteralCharacter(bool is_wide, uint32_t& value);
  bool ScanEscape(bool is_wide, uint32_t& value);

  const SourceFile& source_;
  const std::string_view text_;
  Interner& interner_;
  Diagnostics& diagnostics_;
  TokenList& out_;
  uint32_t cursor_ = 0;
  bool lost_end_ = false;  // An unclosed comment or pragma swallowed the rest of the file.
  std::unordered_set<std::string> ignored_pragmas_;  // From <*PRAGMA A, B*>.
};

inline bool IsLetter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
inline bool IsDigit(char c) { return c >= '0' && c <= '9'; }
inline bool IsWordCharacter(char c) { return IsLetter(c) || IsDigit(c) || c == '_'; }

// How a byte is shown in messages: 'x', or its code in hexadecimal.
std::string DescribeByte(char c);

}  // namespace tenure::compiler
