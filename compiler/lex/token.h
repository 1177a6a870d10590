// Tokens, and the list of a file's tokens.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/source/interner.h"
#include "compiler/source/source_file.h"

namespace tenure::compiler {

enum class TokenKind : uint8_t {
#define TN_TOKEN(kind, spelling) kind,
#include "compiler/lex/tokens.def"
};

// How the kind is written: "END", ";", "<*ASSERT" without the brackets, or a description like
// "identifier".
std::string_view TokenSpelling(TokenKind kind);
bool IsKeyword(TokenKind kind);
// Is the token the opening of a pragma (`<*` and its word)?
bool IsPragma(TokenKind kind);
// The keyword with this spelling, or kIdentifier.
TokenKind FindKeyword(std::string_view spelling);
// The pragma that begins with the word, or kEndOfFile.
TokenKind FindPragma(std::string_view word);
// The longest operator at the start of `text` and its length; length 0 if there is none.
std::pair<TokenKind, uint32_t> FindPunctuation(std::string_view text);

enum class NumberForm : uint8_t { kInteger, kLongint, kReal, kLongreal, kExtended };

struct Token {
  TokenKind kind = TokenKind::kEndOfFile;
  NumberForm number_form = NumberForm::kInteger;  // kNumber.
  bool is_based = false;                          // kNumber: written with a base.
  bool is_wide = false;                           // Character and text literals: the W form.
  bool is_foreign = false;                        // An operator of another language, such as `!=`.
  bool is_damaged = false;  // A lexical error in the token was reported. The error may have
                            // swallowed the text that follows, so a syntax error here is not
                            // reported.
  uint32_t begin = 0;
  uint32_t end = 0;
  uint64_t value =
      0;      // Integer kNumber: its value. kCharLiteral: its code. kTextLiteral: index into texts.
  Name name;  // kIdentifier: its spelling. Real kNumber: its text as strtod reads it.
};

// A file's tokens. The last one, and only that, is kEndOfFile. Pragmas that the lexer handles
// (LINE, NOWARN, PRAGMA) or skips leave no tokens.
struct TokenList {
  const SourceFile* file = nullptr;
  std::vector<Token> tokens;
  std::vector<std::u32string> texts;  // Decoded text literals.
  // The comments, with their brackets, in order. One that is never closed ends with the file.
  struct Comment {
    uint32_t begin, end;
  };
  std::vector<Comment> comments;
  bool has_errors = false;
};

}  // namespace tenure::compiler
