#include "compiler/format/source_items.h"

namespace tenure::compiler {

namespace {

constexpr uint32_t kTabColumns = 8;

bool IsBlankByte(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

// Behind the comment or pragma at `at`, whose brackets nest.
uint32_t SkipBrackets(std::string_view text, uint32_t at, uint32_t end) {
  const char open = text[at], close = open == '(' ? ')' : '>';
  int depth = 0;
  while (at + 1 < end) {
    if (text[at] == open && text[at + 1] == '*') {
      ++depth;
      at += 2;
    } else if (text[at] == '*' && text[at + 1] == close) {
      at += 2;
      if (--depth == 0) return at;
    } else {
      ++at;
    }
  }
  return end;
}

class ItemFinder {
 public:
  explicit ItemFinder(const TokenList& tokens) : tokens_(tokens) {
    out_.text = tokens.file->text();
    out_.items.reserve(tokens.tokens.size() + tokens.comments.size());
  }

  SourceItems Run() {
    if (out_.text.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
    bool in_pragma = false;
    for (const Token& token : tokens_.tokens) {
      AddBetween(token.begin);
      if (IsPragma(token.kind)) in_pragma = true;
      Add(ItemClass::kToken, token.begin, token.end);
      out_.items.back().kind = token.kind;
      out_.items.back().in_pragma = in_pragma;
      if (token.kind == TokenKind::kPragmaClose) in_pragma = false;
    }
    MarkFixedLines();
    return std::move(out_);
  }

 private:
  // What is between two tokens: blanks, comments, and pragmas without tokens.
  void AddBetween(uint32_t end) {
    while (at_ < end) {
      const char c = out_.text[at_];
      if (IsBlankByte(c)) {
        const bool is_second = c == '\n' && at_ > 0 && out_.text[at_ - 1] == '\r';
        if ((c == '\n' || c == '\r') && !is_second) {
          ++newlines_;
          column_ = 0;
        }
        if (c == '\t') column_ += kTabColumns - column_ % kTabColumns;
        if (c == ' ') ++column_;
        ++at_;
        continue;
      }
      const uint32_t begin = at_;
      const bool is_comment = c == '(';
      if (!is_comment) {
        std::string_view word = out_.text.substr(begin + 2, end - begin - 2);
        while (!word.empty() && IsBlankByte(word[0])) word.remove_prefix(1);
        if (word.starts_with("LINE")) out_.has_line_pragma = true;
      }
      Add(is_comment ? ItemClass::kComment : ItemClass::kPragma, begin,
          SkipBrackets(out_.text, begin, end));
    }
  }

  void Add(ItemClass item_class, uint32_t begin, uint32_t end) {
    Item& item = out_.items.emplace_back();
    item.item_class = item_class;
    item.begin = begin;
    item.end = end;
    item.newlines = newlines_;
    item.column = column_;
    const std::string_view text = out_.TextOf(item);
    const size_t last_line = text.find_last_of("\r\n");
    if (last_line == std::string_view::npos) {
      column_ += WidthOf(text);
    } else {
      column_ = 0;
      for (const char c : text.substr(last_line + 1)) {
        column_ += c == '\t' ? kTabColumns - column_ % kTabColumns : WidthOf({&c, 1});
      }
    }
    item.end_column = column_;
    const uint32_t index = static_cast<uint32_t>(out_.items.size() - 1);
    if (newlines_ > 0 || index == 0) line_first_ = index;
    item.line_first = line_first_;
    newlines_ = 0;
    at_ = end;
  }

  void MarkFixedLines() {
    std::vector<Item>& items = out_.items;
    for (size_t i = 0; i < items.size(); ++i) {
      if (items[i].item_class != ItemClass::kPragma) continue;
      size_t first = items[i].line_first;
      do {
        items[first].is_fixed_line = true;
        ++first;
      } while (first < items.size() && items[first].newlines == 0);
    }
  }

  const TokenList& tokens_;
  SourceItems out_;
  uint32_t at_ = 0, newlines_ = 0, column_ = 0, line_first_ = 0;
};

// The text without blanks at the beginning and end of its lines.
std::string Trimmed(std::string_view text) {
  std::string out;
  while (true) {
    const size_t end = text.find_first_of("\r\n");
    std::string_view line = text.substr(0, end);
    while (!line.empty() && IsBlankByte(line.front())) line.remove_prefix(1);
    while (!line.empty() && IsBlankByte(line.back())) line.remove_suffix(1);
    out += line;
    if (end == std::string_view::npos) return out;
    out += '\n';
    text.remove_prefix(end + (text.substr(end).starts_with("\r\n") ? 2 : 1));
  }
}

}  // namespace

uint32_t WidthOf(std::string_view text) {
  uint32_t width = 0;
  for (const char c : text) width += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
  return width;
}

SourceItems FindItems(const TokenList& tokens) { return ItemFinder(tokens).Run(); }

bool SameItems(const SourceItems& a, const SourceItems& b) {
  if (a.items.size() != b.items.size()) return false;
  for (size_t i = 0; i < a.items.size(); ++i) {
    const Item& x = a.items[i];
    const Item& y = b.items[i];
    if (x.item_class != y.item_class || x.kind != y.kind) return false;
    if (a.TextOf(x) == b.TextOf(y)) continue;
    if (x.item_class != ItemClass::kComment || Trimmed(a.TextOf(x)) != Trimmed(b.TextOf(y))) {
      return false;
    }
  }
  return true;
}

}  // namespace tenure::compiler
