#include "compiler/format/spacing.h"

namespace tenure::compiler {

namespace {

using enum TokenKind;

bool EndsOperand(TokenKind kind) {
  switch (kind) {
    case kIdentifier:
    case kNumber:
    case kCharLiteral:
    case kTextLiteral:
    case kRightParen:
    case kRightBracket:
    case kRightBrace:
    case kCaret: return true;
    default: return false;
  }
}

bool IsOpening(TokenKind kind) {
  return kind == kLeftParen || kind == kLeftBracket || kind == kLeftBrace;
}

bool IsClosing(TokenKind kind) {
  return kind == kRightParen || kind == kRightBracket || kind == kRightBrace;
}

// The nearest code token before the item, or the item itself if there is none.
uint32_t CodeBefore(const SourceItems& source, uint32_t index) {
  for (uint32_t i = index; i-- > 0;) {
    if (source.items[i].item_class == ItemClass::kToken) return i;
  }
  return index;
}

bool HasBlankBefore(const SourceItems& source, uint32_t index) {
  const Item& item = source.items[index];
  return item.newlines > 0 || item.column > source.items[index - 1].end_column;
}

// Does the pragma that ends with the item have a blank at its beginning, as in `<* FATAL X *>`?
bool BeginsWithBlank(const SourceItems& source, uint32_t index) {
  uint32_t first = index;
  while (first > 0 && !IsPragma(source.items[first].kind)) --first;
  const std::string_view text = source.TextOf(source.items[first]);
  return text.size() > 2 && text[2] == ' ';
}

// Between two tokens.
uint32_t BetweenTokens(const SourceItems& source, const Structure& structure, uint32_t index) {
  const TokenKind a = source.items[index - 1].kind, b = source.items[index].kind;
  switch (b) {
    case kSemicolon:
    case kComma:
    case kColon:
    case kDot:
    case kCaret: return 0;
    case kPragmaClose: return BeginsWithBlank(source, index) ? 1 : 0;
    default: break;
  }
  // `<*EXTERNAL name:C*>`
  if (a == kColon && source.items[index].in_pragma) return HasBlankBefore(source, index) ? 1 : 0;
  if (IsClosing(b) || IsOpening(a)) return 0;
  if (a == kDot) return 0;
  // The author chooses `0..n` or `-n .. n`.
  if (b == kDotDot) return a == kComma || HasBlankBefore(source, index) ? 1 : 0;
  if (a == kDotDot) return HasBlankBefore(source, index - 1) ? 1 : 0;
  if (a == kCaret && IsOpening(b)) return 0;
  if ((a == kPlus || a == kMinus) && IsUnary(source, index - 1)) return 0;
  if (IsOpening(b) && (a == kIdentifier || a == kEnd || IsClosing(a))) {
    return structure.places[index].is_caught_value ? 1 : 0;
  }
  return 1;
}

}  // namespace

bool IsUnary(const SourceItems& source, uint32_t index) {
  const uint32_t before = CodeBefore(source, index);
  return before == index || !EndsOperand(source.items[before].kind);
}

uint32_t BlanksBefore(const SourceItems& source, const Structure& structure, uint32_t index) {
  const Item& a = source.items[index - 1];
  const Item& b = source.items[index];
  const uint32_t written = b.column > a.end_column ? b.column - a.end_column : 0;
  const bool ends_line = index + 1 == source.items.size() || source.items[index + 1].newlines > 0;
  if (b.item_class == ItemClass::kComment) {
    const bool is_inner = a.item_class == ItemClass::kToken && IsOpening(a.kind);
    if (is_inner) return written == 0 ? 0 : 1;
    if (ends_line) return written == 1 ? 1 : 2;
    return 1;
  }
  if (a.item_class == ItemClass::kComment) {
    const bool hugs = b.item_class == ItemClass::kToken &&
                      (b.kind == kSemicolon || b.kind == kComma || IsClosing(b.kind));
    return hugs ? 0 : 1;
  }
  if (a.item_class == ItemClass::kPragma || b.item_class == ItemClass::kPragma) {
    const bool hugs =
        (a.item_class == ItemClass::kToken && IsOpening(a.kind)) ||
        (b.item_class == ItemClass::kToken && (b.kind == kSemicolon || IsClosing(b.kind)));
    if (b.item_class == ItemClass::kPragma && ends_line && written >= 2) return 2;
    return hugs ? 0 : 1;
  }
  const uint32_t blanks = BetweenTokens(source, structure, index);
  // Declarations that share a line: `i := 0;  j := 1;`.
  const bool is_entry = structure.places[index].role == Role::kEntry;
  return is_entry && written >= 2 ? 2 : blanks;
}

}  // namespace tenure::compiler
