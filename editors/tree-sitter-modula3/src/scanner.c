// Tokens that a regular expression cannot read: comments and pragmas nest (language.md 1.6, 1.7).
// They may stand between any two tokens, so this scanner runs before each token.

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "tree_sitter/alloc.h"
#include "tree_sitter/parser.h"

// In the order of `externals` in grammar.js.
enum Token {
  COMMENT,
  PRAGMA_OPEN,  // `<*` and the word behind it
  ASSERT_OPEN,  // the same, where a statement may stand
  DEBUG_OPEN,
  PRAGMA_TEXT,    // the contents of a pragma, without blanks at their begin
  TEXT_FRAGMENT,  // characters of a text literal
  ERROR_SENTINEL  // used by no rule: valid only while the parser looks for a way out of an error
};

// Pragmas whose contents are tokens: a `*>` in a text or a comment does not end them. The contents
// of all others are only searched for `<*` and `*>`. editors_test.py compares the list with
// compiler/lex/tokens.def.
static const char* const kKnownPragmas[] = {
    "APIENTRY", "APIPRIVATE", "ASSERT",  "C",        "CALLBACK", "DEBUG", "EXTERNAL",
    "FATAL",    "IMPLICIT",   "INLINE",  "LIBRARY",  "OBSOLETE", "PASCAL", "TRACE",
    "TRANSIENT", "UNUSED",    "WINAPI",  "WINAPIV",  "__cdecl",  "__stdcall"};

enum { MAX_WORD = 32 };

typedef struct {
  bool is_known;  // Whether the pragma that was opened last is a known one.
} Scanner;

static bool is_blank(int32_t c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

static bool is_word_character(int32_t c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

static void advance(TSLexer* lexer) { lexer->advance(lexer, false); }

// Behind `(*`. False if the file ends first.
static bool skip_comment(TSLexer* lexer) {
  for (unsigned depth = 1; !lexer->eof(lexer);) {
    if (lexer->lookahead == '(') {
      advance(lexer);
      if (lexer->lookahead == '*') {
        advance(lexer);
        ++depth;
      }
    } else if (lexer->lookahead == '*') {
      advance(lexer);
      if (lexer->lookahead == ')') {
        advance(lexer);
        if (--depth == 0) return true;
      }
    } else {
      advance(lexer);
    }
  }
  return false;
}

// At a quote. A literal ends with its line.
static void skip_literal(TSLexer* lexer) {
  const int32_t quote = lexer->lookahead;
  advance(lexer);
  while (!lexer->eof(lexer) && lexer->lookahead != '\n' && lexer->lookahead != '\r') {
    const int32_t c = lexer->lookahead;
    advance(lexer);
    if (c == quote) return;
    if (c == '\\' && !lexer->eof(lexer)) advance(lexer);
  }
}

// Stops in front of the `*>` that ends the pragma. False if there is nothing, or no end.
static bool scan_pragma_text(TSLexer* lexer, bool is_known) {
  bool is_empty = true;
  unsigned depth = 1;
  while (!lexer->eof(lexer)) {
    const int32_t c = lexer->lookahead;
    if (c == '*') {
      lexer->mark_end(lexer);
      advance(lexer);
      if (lexer->lookahead == '>') {
        if (--depth == 0) return !is_empty;
        advance(lexer);
      }
    } else if (c == '<') {
      advance(lexer);
      if (lexer->lookahead == '*') {
        advance(lexer);
        ++depth;
      }
    } else if (is_known && (c == '"' || c == '\'')) {
      skip_literal(lexer);
    } else if (is_known && c == '(') {
      advance(lexer);
      if (lexer->lookahead == '*') {
        advance(lexer);
        skip_comment(lexer);
      }
    } else {
      advance(lexer);
    }
    is_empty = false;
  }
  return false;
}

// Behind `<*`.
static bool scan_pragma_open(Scanner* scanner, TSLexer* lexer, const bool* valid) {
  lexer->mark_end(lexer);
  while (is_blank(lexer->lookahead) && !lexer->eof(lexer)) advance(lexer);
  char word[MAX_WORD + 1] = "";
  for (unsigned length = 0; is_word_character(lexer->lookahead); ++length) {
    if (length < MAX_WORD) word[length] = (char)lexer->lookahead;
    advance(lexer);
  }
  if (word[0] != '\0') lexer->mark_end(lexer);
  scanner->is_known = false;
  for (unsigned i = 0; i < sizeof kKnownPragmas / sizeof kKnownPragmas[0]; ++i) {
    if (strcmp(word, kKnownPragmas[i]) == 0) scanner->is_known = true;
  }
  const bool is_recovering = valid[ERROR_SENTINEL];
  if (!is_recovering && valid[ASSERT_OPEN] && strcmp(word, "ASSERT") == 0) {
    lexer->result_symbol = ASSERT_OPEN;
  } else if (!is_recovering && valid[DEBUG_OPEN] && strcmp(word, "DEBUG") == 0) {
    lexer->result_symbol = DEBUG_OPEN;
  } else {
    lexer->result_symbol = PRAGMA_OPEN;
  }
  return true;
}

static bool scan_text_fragment(TSLexer* lexer) {
  bool is_empty = true;
  while (!lexer->eof(lexer) && lexer->lookahead != '"' && lexer->lookahead != '\\' &&
         lexer->lookahead != '\n' && lexer->lookahead != '\r') {
    advance(lexer);
    is_empty = false;
  }
  lexer->mark_end(lexer);
  lexer->result_symbol = TEXT_FRAGMENT;
  return !is_empty;
}

void* tree_sitter_modula3_external_scanner_create(void) { return ts_calloc(1, sizeof(Scanner)); }

void tree_sitter_modula3_external_scanner_destroy(void* payload) { ts_free(payload); }

unsigned tree_sitter_modula3_external_scanner_serialize(void* payload, char* buffer) {
  buffer[0] = (char)((const Scanner*)payload)->is_known;
  return 1;
}

void tree_sitter_modula3_external_scanner_deserialize(void* payload, const char* buffer,
                                                      unsigned length) {
  ((Scanner*)payload)->is_known = length > 0 && buffer[0] != 0;
}

bool tree_sitter_modula3_external_scanner_scan(void* payload, TSLexer* lexer, const bool* valid) {
  Scanner* scanner = payload;
  const bool is_recovering = valid[ERROR_SENTINEL];
  if (valid[TEXT_FRAGMENT] && !is_recovering) return scan_text_fragment(lexer);
  while (is_blank(lexer->lookahead) && !lexer->eof(lexer)) lexer->advance(lexer, true);
  if (valid[PRAGMA_TEXT] && !is_recovering) {
    lexer->result_symbol = PRAGMA_TEXT;
    return scan_pragma_text(lexer, scanner->is_known);
  }
  if (lexer->lookahead == '(' && valid[COMMENT]) {
    advance(lexer);
    if (lexer->lookahead != '*') return false;
    advance(lexer);
    lexer->result_symbol = COMMENT;
    if (!skip_comment(lexer)) return false;
    lexer->mark_end(lexer);
    return true;
  }
  if (lexer->lookahead == '<' && valid[PRAGMA_OPEN]) {
    advance(lexer);
    if (lexer->lookahead != '*') return false;
    advance(lexer);
    return scan_pragma_open(scanner, lexer, valid);
  }
  return false;
}
