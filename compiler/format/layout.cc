#include "compiler/format/layout.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "compiler/format/long_lines.h"
#include "compiler/format/spacing.h"

namespace tenure::compiler {

namespace {

using enum TokenKind;

constexpr uint32_t kStep = 2;
constexpr int kAlignedLines = 6;     // how far away a line may be that another one is aligned with
constexpr uint32_t kLookBack = 400;  // items before a comment that are asked for its column

// Items of different kinds stand in one column by chance. Names, keywords and literals are one
// kind.
int ColumnKind(const Item& item) {
  if (item.item_class == ItemClass::kComment) return -1;
  switch (item.kind) {
    case kIdentifier:
    case kNumber:
    case kCharLiteral:
    case kTextLiteral:
    case kLeftParen:
    case kLeftBracket:
    case kLeftBrace:
    case kMinus: return 0;
    default: return IsKeyword(item.kind) ? 0 : static_cast<int>(item.kind);
  }
}

class Layouter {
 public:
  Layouter(const SourceItems& source, const Structure& structure)
      : source_(source),
        items_(source.items),
        structure_(structure),
        breaks_(items_.size(), 0),
        next_code_(items_.size(), 0),
        opened_by_(items_.size(), 0),
        closed_by_(items_.size(), 0) {
    for (uint32_t c = static_cast<uint32_t>(structure.constructs.size()); c-- > 1;) {
      const Construct& construct = structure.constructs[c];
      if (construct.has_statements || construct.is_block) opened_by_[construct.opener] = c;
      if (IsCode(construct.closer)) closed_by_[construct.closer] = c;
    }
    for (uint32_t i = Size(); i-- > 0;) {
      next_code_[i] = IsCode(i) ? i : next_code_[i + 1];
    }
    uint32_t lines = 0;
    std::vector<uint32_t> line_of;
    for (const Item& item : items_) line_of.push_back(lines += item.newlines);
    for (const Construct& construct : structure.constructs) {
      several_.push_back(line_of[construct.opener] != line_of[construct.closer]);
    }
  }

  std::string Run() {
    Place();
    return std::move(out_);
  }

 private:
  uint32_t Size() const { return static_cast<uint32_t>(items_.size()); }
  bool IsCode(uint32_t i) const {
    return items_[i].item_class == ItemClass::kToken && !items_[i].in_pragma;
  }
  bool IsComment(uint32_t i) const { return items_[i].item_class == ItemClass::kComment; }
  // Does a pragma begin or end with the item?
  bool BeginsPragma(uint32_t i) const {
    return items_[i].item_class == ItemClass::kPragma ||
           (items_[i].item_class == ItemClass::kToken && IsPragma(items_[i].kind));
  }
  bool EndsPragma(uint32_t i) const {
    return items_[i].item_class == ItemClass::kPragma ||
           (items_[i].item_class == ItemClass::kToken && items_[i].kind == kPragmaClose);
  }
  const ItemPlace& PlaceOf(uint32_t i) const { return structure_.places[i]; }

  // --- Line ends

  bool NeedsLine(uint32_t code) const {
    const ItemPlace& place = PlaceOf(code);
    if (place.rule == BreakRule::kIfSeveral && several_[place.construct]) return true;
    return place.role == Role::kEntry && (EndsSeveralBefore(code) || BeginsSeveral(code));
  }

  // Does the entry before this one end with the END of a construct of several lines?
  bool EndsSeveralBefore(uint32_t code) const {
    uint32_t i = code;
    while (i > 0 && items_[i - 1].kind == kSemicolon && IsCode(i - 1)) --i;
    const uint32_t construct = i > 0 && i != code ? closed_by_[i - 1] : 0;
    return construct != 0 && several_[construct];
  }

  // Does the entry begin a statement of several lines that something else stands before?
  bool BeginsSeveral(uint32_t code) const {
    const uint32_t construct = opened_by_[code];
    if (construct == 0 || !several_[construct] || !IsCode(code - 1)) return false;
    const TokenKind before = items_[code - 1].kind;
    const bool is_block = structure_.constructs[construct].is_block;
    return before == kSemicolon || (is_block && before == kArrow);
  }

  // The first item of the pragmas that stand before this one in its line; itself if none do.
  uint32_t WithPragmasBefore(uint32_t i) const {
    uint32_t first = i;
    while (first > 0 && items_[first].newlines == 0 && EndsPragma(first - 1)) {
      --first;
      while (!BeginsPragma(first)) --first;
    }
    return first;
  }

  bool BreaksBefore(uint32_t i) const {
    if (i == 0) return false;
    if (i + 1 == Size()) return true;
    const bool author = items_[i].newlines > 0;
    if (items_[i].is_fixed_line || items_[i - 1].is_fixed_line) return author;
    if (breaks_[i] != 0) return true;
    if (IsCode(i)) {
      if (PlaceOf(i).rule == BreakRule::kNever && IsCode(i - 1)) return false;
      const bool is_first = PlaceOf(i).role == Role::kPart || WithPragmasBefore(i) == i;
      if (NeedsLine(i) && is_first) return true;
    } else if (BeginsPragma(i) && !author && !EndsPragma(i - 1)) {
      const uint32_t code = next_code_[i];
      if (NeedsLine(code) && WithPragmasBefore(code) == i) return true;
    }
    return author;
  }

  // --- Columns

  struct Bracket {
    uint32_t opening;
    uint32_t line_indent;  // of the line that the bracket is in
  };

  uint32_t IndentOfLine(uint32_t i) const { return column_[line_first_[i]]; }

  uint32_t EntryColumn(uint32_t construct) const {
    if (section_column_[construct] >= 0) return static_cast<uint32_t>(section_column_[construct]);
    return base_[construct] + structure_.constructs[construct].indent;
  }

  uint32_t ColumnOf(uint32_t i) const {
    if (i + 1 == Size()) return 0;
    if (IsComment(i)) return CommentColumn(i);
    const uint32_t code = next_code_[i];
    const ItemPlace& place = PlaceOf(code);
    const bool stands_for_code = IsCode(i) || BeginsPragma(i);
    if (stands_for_code && place.role == Role::kEntry) return EntryColumn(place.construct);
    if (stands_for_code && place.role == Role::kPart) {
      return IsCode(i) ? base_[place.construct] : EntryColumn(place.construct);
    }
    return Continuation(i);
  }

  // Of an item in a line that goes on with an entry. What the author has aligned with something
  // stays so.
  uint32_t Continuation(uint32_t i) const {
    uint32_t entry = PlaceOf(next_code_[i]).entry;
    if (items_[i].in_pragma && !IsCode(i)) {
      for (entry = i; !BeginsPragma(entry);) --entry;
    }
    const bool is_placed = entry < i;
    const uint32_t indent = is_placed ? IndentOfLine(entry) : 0;
    const uint32_t written = items_[i].column;
    const uint32_t written_indent = items_[items_[entry].line_first].column;
    const bool author = items_[i].newlines > 0;
    const Bracket* innermost = nullptr;
    for (size_t k = brackets_.size(); is_placed && k-- > 0;) {
      const Bracket& bracket = brackets_[k];
      if (bracket.opening < entry) break;
      if (innermost == nullptr) innermost = &bracket;
      const uint32_t inner = bracket.opening + 1;
      if (author && inner < i && SameLine(inner) && items_[inner].column == written) {
        return column_[inner];
      }
    }
    if (IsClosingBracket(i) && innermost != nullptr) return innermost->line_indent;
    if (author && is_placed) {
      for (const uint32_t step : {kStep, 2 * kStep}) {
        if (written == written_indent + step) return indent + step;
      }
      const uint32_t from = std::max(entry + 1, i - std::min(i, kLookBack));
      for (uint32_t j = i; j-- > from;) {
        if (items_[j].column == written) return column_[j];
      }
    }
    if (innermost != nullptr) {
      const uint32_t inner = innermost->opening + 1;
      return inner < i && SameLine(inner) ? column_[inner] : innermost->line_indent + kStep;
    }
    if (is_placed && items_[entry].kind == kWith && entry + 1 < i) return column_[entry + 1];
    return indent + kStep;
  }

  // Has the author put the parts of an object a step further in than the line that it begins in?
  bool IsDeep(const Construct& construct) const {
    const Item& closer = items_[construct.closer];
    const Item& line = items_[items_[construct.opener].line_first];
    return construct.is_fields && closer.newlines > 0 && closer.column == line.column + kStep;
  }

  // Is the item, which is placed, in the line of the item before it?
  bool SameLine(uint32_t i) const { return line_first_[i] != i; }
  bool IsClosingBracket(uint32_t i) const {
    const TokenKind kind = items_[i].kind;
    return items_[i].item_class == ItemClass::kToken &&
           (kind == kRightParen || kind == kRightBracket || kind == kRightBrace);
  }

  // Of a comment that begins a line: with the code behind it, or with what stands before it if the
  // author has indented it like that.
  uint32_t CommentColumn(uint32_t i) const {
    const uint32_t code = next_code_[i];
    if (code + 1 == Size()) return 0;
    const uint32_t written = items_[i].column;
    if (i > 0 && items_[i].newlines == 1 && IsComment(i - 1) && items_[i - 1].column == written) {
      return column_[i - 1];
    }
    const ItemPlace& place = PlaceOf(code);
    if (place.role == Role::kInside) return Continuation(i);
    const bool is_part = place.role == Role::kPart;
    const uint32_t target = is_part ? base_[place.construct] : EntryColumn(place.construct);
    const uint32_t start = WithPragmasBefore(code);
    if (items_[start].newlines == 0 || written <= items_[start].column) return target;
    const uint32_t opener = structure_.constructs[place.construct].opener;
    const uint32_t from = std::max(opener + 1, i - std::min(i, kLookBack));
    for (uint32_t j = i; j-- > from;) {
      const bool begins = IsCode(j) && line_first_[j] == j && PlaceOf(j).role != Role::kInside;
      if (begins && items_[j].column == written) return column_[j];
    }
    return is_part ? EntryColumn(place.construct) : target;
  }

  // --- Blanks in a line

  // The item in a neighbouring line of the author's that begins in the same column, or in the case
  // of numbers ends there; 0: none. `line` is an item that begins that line.
  uint32_t AlignedWith(uint32_t i, uint32_t line) const {
    const Item& item = items_[i];
    for (uint32_t j = line; j < Size() && items_[j].line_first == line; ++j) {
      const Item& other = items_[j];
      if (j == line) continue;  // its column is an indentation
      if (ColumnKind(other) != ColumnKind(item)) continue;
      if (other.column == item.column &&
          (WrittenBlanks(i) > 1 || (other.kind == item.kind && WrittenBlanks(j) > 1))) {
        return j;
      }
      if (other.kind == kNumber && item.kind == kNumber && other.end_column == item.end_column) {
        return j;
      }
    }
    return 0;
  }

  uint32_t WrittenBlanks(uint32_t i) const {
    const uint32_t before = items_[i - 1].end_column;
    return items_[i].newlines == 0 && items_[i].column > before ? items_[i].column - before : 0;
  }

  uint32_t Blanks(uint32_t i, uint32_t at) const {
    const uint32_t blanks = BlanksBefore(source_, structure_, i);
    const Item& item = items_[i];
    const uint32_t before = items_[i - 1].end_column;
    if (item.newlines > 0 || item.column <= before + blanks) return blanks;
    uint32_t line = item.line_first;
    for (int k = 0; k < kAlignedLines && line > 0 && items_[line].newlines == 1; ++k) {
      line = items_[line - 1].line_first;
      const uint32_t above = AlignedWith(i, line);
      if (above == 0) continue;
      uint32_t target = column_[above];
      if (items_[above].column != item.column) {
        target += (items_[above].end - items_[above].begin) - (item.end - item.begin);
      }
      return std::max(blanks, target > at ? target - at : 0);
    }
    uint32_t next = i;
    for (int k = 0; k < kAlignedLines; ++k) {
      const uint32_t first = items_[next].line_first;
      while (next < Size() && items_[next].line_first == first) ++next;
      if (next == Size() || items_[next].newlines != 1) break;
      if (AlignedWith(i, next) != 0) return item.column - before;
    }
    return blanks;
  }

  // --- Placing

  void Place() {
    base_.assign(structure_.constructs.size(), 0);
    section_column_.assign(structure_.constructs.size(), -1);
    column_.assign(Size(), 0);
    end_column_.assign(Size(), 0);
    line_first_.assign(Size(), 0);
    out_.reserve(source_.text.size() + source_.text.size() / 8);
    if (source_.text.starts_with(kByteOrderMark)) out_ += kByteOrderMark;
    uint32_t at = 0;
    bool may_break = true;
    for (uint32_t i = 0; i < Size(); ++i) {
      if (i == 0 || BreaksBefore(i)) {
        line_ = {i, out_.size(), next_construct_, new_sections_.size(), brackets_};
        may_break = !items_[i].is_fixed_line;
        if (i > 0) out_ += items_[i].newlines > 1 && i + 1 < Size() ? "\n\n" : "\n";
        at = i > 0 ? ColumnOf(i) : 0;
        out_.append(at, ' ');
      } else {
        const uint32_t blanks = Blanks(i, at);
        out_.append(blanks, ' ');
        at += blanks;
      }
      column_[i] = at;
      line_first_[i] = line_.first;
      at = end_column_[i] = Write(i, at);
      if (at > kLineLimit && may_break && !IsComment(i)) {
        may_break = BreakLine(line_.first, i + 1);
        if (may_break) {
          i = BackToLine() - 1;
          continue;
        }
      }
      if (IsCode(i)) NoteConstructs(i);
      NoteBracket(i);
    }
  }

  // Forgets what was placed since the line began. Returns its first item, the next one to place.
  uint32_t BackToLine() {
    out_.resize(line_.out_size);
    next_construct_ = line_.next_construct;
    for (; new_sections_.size() > line_.sections; new_sections_.pop_back()) {
      section_column_[new_sections_.back()] = -1;
    }
    brackets_ = line_.brackets;
    return line_.first;
  }

  // Where the entries of the constructs are that begin with the item, or whose first entry it is.
  void NoteConstructs(uint32_t i) {
    const ItemPlace& place = PlaceOf(i);
    const std::vector<Construct>& constructs = structure_.constructs;
    if (place.role == Role::kEntry && constructs[place.construct].is_section &&
        section_column_[place.construct] < 0) {
      section_column_[place.construct] = static_cast<int>(column_[WithPragmasBefore(i)]);
      new_sections_.push_back(place.construct);
    }
    for (; next_construct_ < constructs.size() && constructs[next_construct_].opener == i;
         ++next_construct_) {
      const bool is_statement =
          place.role == Role::kEntry && constructs[place.construct].has_statements;
      base_[next_construct_] = is_statement ? EntryColumn(place.construct) : column_[line_.first];
      if (IsDeep(constructs[next_construct_])) base_[next_construct_] += kStep;
    }
  }

  void NoteBracket(uint32_t i) {
    if (items_[i].item_class != ItemClass::kToken) return;
    const TokenKind kind = items_[i].kind;
    if (kind == kLeftParen || kind == kLeftBracket || kind == kLeftBrace) {
      brackets_.push_back({i, IndentOfLine(i)});
    } else if (IsClosingBracket(i) && !brackets_.empty()) {
      brackets_.pop_back();
    }
  }

  // Appends the item's text and returns the column behind it. The further lines of a comment move
  // with the first one.
  uint32_t Write(uint32_t i, uint32_t at) {
    std::string_view text = source_.TextOf(items_[i]);
    const size_t last_line = text.find_last_of("\r\n");
    if (!IsComment(i) || last_line == std::string_view::npos) {
      out_ += text;
      return last_line == std::string_view::npos ? at + WidthOf(text) : items_[i].end_column;
    }
    const long moved = static_cast<long>(at) - static_cast<long>(items_[i].column);
    for (bool is_first = true;; is_first = false) {
      const size_t end = text.find_first_of("\r\n");
      std::string_view line = text.substr(0, end);
      while (!line.empty() && (line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
      if (!is_first) {
        long indent = moved;
        while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) {
          const bool is_tab = line.front() == '\t';
          indent += is_tab ? 8 - (indent - moved) % 8 : 1;
          line.remove_prefix(1);
        }
        if (!line.empty()) out_.append(static_cast<size_t>(std::max(indent, 0L)), ' ');
        at = static_cast<uint32_t>(std::max(indent, 0L));
      }
      out_ += line;
      if (end == std::string_view::npos) return at + WidthOf(line);
      out_ += '\n';
      text.remove_prefix(end + (text.substr(end).starts_with("\r\n") ? 2 : 1));
    }
  }

  // --- Lines that are too long

  // Adds line ends to the line that has the items [first, end) so far, the last of which is beyond
  // the limit. False: none can be added.
  bool BreakLine(uint32_t first, uint32_t end) {
    // Statements and declarations part, the last one that fits from the next one.
    const std::vector<Construct>& constructs = structure_.constructs;
    auto next = std::max(std::ranges::lower_bound(constructs, first, {}, &Construct::opener),
                         constructs.begin() + 1);
    size_t outermost = 0;
    uint32_t best = 0;
    for (uint32_t i = first; i < end; ++i) {
      const bool fits = i > first && end_column_[i - 1] <= kLineLimit;
      if (fits && IsCode(i) && PlaceOf(i).role == Role::kEntry && items_[i - 1].kind == kSemicolon)
        best = i;
      uint32_t behind = i;
      for (; next != constructs.end() && next->opener <= i; ++next) {
        const size_t c = static_cast<size_t>(next - constructs.begin());
        if (next->opener < i || several_[c] || next->is_section) continue;
        if (outermost == 0) outermost = c;
        behind = std::max(behind, next->closer);
      }
      i = behind;
    }
    if (best != 0) {
      breaks_[best] = 1;
      return true;
    }
    // Otherwise the outermost construct in the line becomes one of several lines.
    if (outermost != 0) {
      several_[outermost] = true;
      return true;
    }
    const uint32_t at = FindBreak(source_, structure_, column_, end_column_, first, end);
    if (at == 0) return false;
    breaks_[at] = 1;
    return true;
  }

  const SourceItems& source_;
  const std::vector<Item>& items_;
  const Structure& structure_;
  std::vector<bool> several_;        // by construct: it takes several lines
  std::vector<char> breaks_;         // by item: a line that is too long ends before it
  std::vector<uint32_t> next_code_;  // by item: the first token that is not of a pragma, from it on

  std::vector<uint32_t> opened_by_, closed_by_;  // by item: the statement that it begins or ends

  std::string out_;
  std::vector<uint32_t> base_;       // by construct: the indentation of its opener's line
  std::vector<int> section_column_;  // by construct: where its first entry is; -1: none yet
  std::vector<uint32_t> column_, end_column_;  // by item, as placed
  std::vector<uint32_t> line_first_;           // by item: the first item in its line
  // What changes while a line is placed, and what that was at its beginning.
  size_t next_construct_ = 1;           // the first one that is not placed
  std::vector<uint32_t> new_sections_;  // those whose column is known, in that order
  std::vector<Bracket> brackets_;       // open at present
  struct LineStart {
    uint32_t first = 0;
    size_t out_size = 0;
    size_t next_construct = 1;
    size_t sections = 0;
    std::vector<Bracket> brackets;
  } line_;
};

}  // namespace

std::string LayOut(const SourceItems& source, const Structure& structure) {
  return Layouter(source, structure).Run();
}

}  // namespace tenure::compiler
