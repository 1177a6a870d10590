// A source as the formatter sees it: tokens, comments and pragmas in their order, with the author's
// line ends and columns.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/lex/token.h"

namespace tenure::compiler {

enum class ItemClass : uint8_t {
  kToken,
  kComment,
  kPragma,  // one that leaves no tokens, as a whole: <*NOWARN*>
};

struct Item {
  ItemClass item_class = ItemClass::kToken;
  TokenKind kind = TokenKind::kEndOfFile;  // kToken
  bool in_pragma = false;                  // a token from `<*FATAL` to `*>`
  bool is_fixed_line = false;  // stands in a line with NOWARN, whose line ends mean something
  uint32_t begin = 0;
  uint32_t end = 0;
  uint32_t newlines = 0;    // line ends before it
  uint32_t column = 0;      // the author's, in characters from 0; tabs go to multiples of 8
  uint32_t end_column = 0;  // where it ends
  uint32_t line_first = 0;  // the item that begins the author's line
};

struct SourceItems {
  std::string_view text;
  std::vector<Item> items;  // the last one is the end of the file
  bool has_line_pragma = false;

  std::string_view TextOf(const Item& item) const {
    return text.substr(item.begin, item.end - item.begin);
  }
};

// How many columns the text takes: bytes that continue a character of UTF-8 take none.
uint32_t WidthOf(std::string_view text);

// `tokens` are those of the text.
SourceItems FindItems(const TokenList& tokens);

// Whether both have the same tokens, comments and pragmas, but for blanks at the beginning and end
// of lines in comments.
bool SameItems(const SourceItems& a, const SourceItems& b);

}  // namespace tenure::compiler
