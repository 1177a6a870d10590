#include "compiler/format/long_lines.h"

#include <climits>

#include "compiler/format/spacing.h"

namespace tenure::compiler {

namespace {

using enum TokenKind;

constexpr int kPerBracket = 100;  // worth more than all differences between operators
constexpr int kNoBreak = INT_MAX;

// How bad a line end before the item is, among those in equally many brackets.
int Badness(const SourceItems& source, uint32_t i) {
  const TokenKind before = source.items[i - 1].kind;
  if (before == kComma) return 0;
  switch (source.items[i].kind) {
    case kRaises: return 0;
    case kOr: return 1;
    case kAnd: return 2;
    case kEqual:
    case kNotEqual:
    case kLess:
    case kLessEqual:
    case kGreater:
    case kGreaterEqual:
    case kIn: return 3;
    case kAmpersand: return 4;
    case kPlus:
    case kMinus: return IsUnary(source, i) ? kNoBreak : 4;
    case kStar:
    case kSlash:
    case kDiv:
    case kMod: return 5;
    default: break;
  }
  const bool is_value = before == kAssign || before == kEqual;
  return is_value ? 2 * kPerBracket + kPerBracket / 2 : kNoBreak;
}

}  // namespace

uint32_t FindBreak(const SourceItems& source, const Structure& structure,
                   const std::vector<uint32_t>& columns, const std::vector<uint32_t>& ends,
                   uint32_t first, uint32_t end) {
  uint32_t best = 0;
  int depth = 0, least = kNoBreak;
  for (uint32_t i = first; i < end; ++i) {
    const Item& item = source.items[i];
    const TokenKind kind = item.item_class == ItemClass::kToken ? item.kind : kEndOfFile;
    if (kind == kRightParen || kind == kRightBracket || kind == kRightBrace) --depth;
    const bool may_break = i > first && item.item_class == ItemClass::kToken &&
                           !item.is_fixed_line && ends[i - 1] <= kLineLimit &&
                           source.items[i - 1].item_class == ItemClass::kToken;
    const bool is_free = item.in_pragma || (structure.places[i].role == Role::kInside &&
                                            structure.places[i].rule != BreakRule::kNever);
    if (may_break && is_free && columns[i] > columns[first] + 4) {
      const int badness = Badness(source, i);
      const int sum = badness == kNoBreak ? kNoBreak : badness + depth * kPerBracket;
      if (sum != kNoBreak && sum <= least) {
        least = sum;
        best = i;
      }
    }
    if (kind == kLeftParen || kind == kLeftBracket || kind == kLeftBrace) ++depth;
  }
  return best;
}

}  // namespace tenure::compiler
