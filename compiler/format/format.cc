#include "compiler/format/format.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/arena.h"
#include "compiler/format/layout.h"
#include "compiler/format/source_items.h"
#include "compiler/format/structure.h"
#include "compiler/format/unified_diff.h"
#include "compiler/lex/lexer.h"
#include "compiler/parse/parser.h"
#include "compiler/source/interner.h"

namespace tenure::compiler {

namespace {

// What one pass moves may be aligned with something else in the next one. Few sources need a third.
constexpr int kMostPasses = 8;

std::string WithoutBlanks(std::string_view line) {
  std::string text;
  for (const char c : line) {
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n') text += c;
  }
  return text;
}

}  // namespace

FormattedSource FormatSource(const SourceFile& source, Diagnostics& diagnostics) {
  using enum FormattedSource::Kept;
  FormattedSource result{std::string(source.text())};
  Interner interner;
  const int errors_before = diagnostics.error_count();
  TokenList tokens = Lex(source, interner, diagnostics);
  {
    Arena arena;
    Parse(tokens, arena, interner, diagnostics);
  }
  if (diagnostics.error_count() != errors_before) {
    result.kept = kErrors;
    return result;
  }
  const SourceItems items = FindItems(tokens);
  if (items.has_line_pragma) {
    result.kept = kLineMarks;
    return result;
  }
  std::optional<Structure> structure = FindStructure(items);
  if (!structure.has_value()) {
    result.kept = kUnknown;
    return result;
  }
  std::string text = LayOut(items, *structure);
  for (int pass = 1;; ++pass) {
    const SourceFile again(std::string(source.path()), text);
    Diagnostics ignored;
    const TokenList same_tokens = Lex(again, interner, ignored);
    const SourceItems same = FindItems(same_tokens);
    structure =
        ignored.has_errors() || !SameItems(items, same) ? std::nullopt : FindStructure(same);
    if (!structure.has_value()) {
      result.kept = kUnknown;
      return result;
    }
    std::string next = LayOut(same, *structure);
    if (next == text || pass == kMostPasses) break;
    text = std::move(next);
  }
  result.text = std::move(text);
  return result;
}

std::string TakeLines(std::string_view before, std::string_view after, uint32_t first,
                      uint32_t last) {
  const std::vector<std::string_view> a = LinesOf(before), b = LinesOf(after);
  // Lines that differ only in blanks belong together.
  std::vector<std::string> a_text, b_text;
  for (const std::string_view line : a) a_text.push_back(WithoutBlanks(line));
  for (const std::string_view line : b) b_text.push_back(WithoutBlanks(line));
  std::string out;
  size_t at = 0, new_at = 0;
  const auto touches = [&](size_t begin, size_t end) {
    return begin < last && std::max(begin + 1, end) >= first;
  };
  const auto take_pairs = [&](size_t end) {
    for (; at < end; ++at, ++new_at) out += touches(at, at + 1) ? b[new_at] : a[at];
  };
  for (const LineChange& change :
       FindLineChanges({a_text.begin(), a_text.end()}, {b_text.begin(), b_text.end()})) {
    take_pairs(change.a);
    const bool is_taken = touches(change.a, change.a_end);
    for (; at < change.a_end; ++at) out += is_taken ? std::string_view() : a[at];
    for (; new_at < change.b_end; ++new_at) out += is_taken ? b[new_at] : std::string_view();
  }
  take_pairs(a.size());
  // A token that moves over lines that are like others could be taken twice.
  return WithoutBlanks(out) == WithoutBlanks(before) ? out : std::string(before);
}

}  // namespace tenure::compiler
