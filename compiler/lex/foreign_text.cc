// Comments, numbers and marks of other languages: recognised here, since they are no tokens.
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iterator>

#include "compiler/foreign/tables/forms.h"
#include "compiler/foreign/tables/words.h"
#include "compiler/lex/scanner.h"

namespace tenure::compiler {
namespace {

// Whether an operand may end with this token, so that an operator may follow.
bool EndsOperand(TokenKind kind) {
  switch (kind) {
    case TokenKind::kIdentifier:
    case TokenKind::kNumber:
    case TokenKind::kCharLiteral:
    case TokenKind::kTextLiteral:
    case TokenKind::kRightParen:
    case TokenKind::kRightBracket:
    case TokenKind::kRightBrace:
    case TokenKind::kCaret:
    case TokenKind::kEnd: return true;
    default: return false;
  }
}

bool HasCommentBracket(std::string_view text) {
  return text.find("(*") != std::string_view::npos || text.find("*)") != std::string_view::npos;
}

}  // namespace

DiagnosticBuilder Scanner::Foreign(ForeignForm form, SourceSpan span,
                                   const std::vector<std::string>& args) {
  out_.has_errors = true;
  return ReportForeignForm(diagnostics_, form, span, args);
}

// --- comments of other languages ---

// At a comment of another language: reports and skips it.
bool Scanner::SkipForeignComment() {
  if (Peek() == '/' && Peek(1) == '*') {
    SkipBlockComment();
    return true;
  }
  const TokenKind before = out_.tokens.empty() ? TokenKind::kSemicolon : out_.tokens.back().kind;
  if (Peek() == '/' && Peek(1) == '/' && IsLineComment(before)) {
    SkipLineComment(2);
    return true;
  }
  // `#` and `--` are comments only where no operand stands before them.
  if (Peek() == '#' && !EndsOperand(before) && IsFirstInLine()) {
    SkipLineComment(1);
    return true;
  }
  const bool at_statement = before == TokenKind::kSemicolon || before == TokenKind::kBegin ||
                            before == TokenKind::kThen || before == TokenKind::kDo ||
                            before == TokenKind::kElse || before == TokenKind::kLoop;
  if (Peek() == '-' && Peek(1) == '-' && at_statement &&
      (Peek(2) == ' ' || Peek(2) == '-' || Peek(2) == '\n')) {
    SkipLineComment(2);
    return true;
  }
  return false;
}

bool Scanner::IsFirstInLine() const {
  for (uint32_t i = cursor_; i-- > 0 && text_[i] != '\n';) {
    if (text_[i] != ' ' && text_[i] != '\t') return false;
  }
  return true;
}

// `//` divides in Python: then one operand and the end of the expression follow.
bool Scanner::IsLineComment(TokenKind before) const {
  if (!EndsOperand(before) || before == TokenKind::kEnd || IsFirstInLine()) return true;
  uint32_t i = cursor_ + 2;
  while (i < size() && text_[i] == ' ') ++i;
  const uint32_t operand = i;
  while (i < size() && (IsWordCharacter(text_[i]) || text_[i] == '.')) ++i;
  if (i == operand) return i >= size() || text_[i] != '(';
  while (i < size() && text_[i] == ' ') ++i;
  if (i >= size() || text_[i] == '\n' || text_[i] == '\r') return false;
  const std::string_view rest = text_.substr(i);
  if (std::string_view(";)],+-*/=#<>&").find(rest[0]) != std::string_view::npos) return false;
  for (const std::string_view word : {"THEN", "DO", "TO", "OF", "END", "ELSE"}) {
    if (rest.starts_with(word)) return false;
  }
  return true;
}

void Scanner::SkipLineComment(uint32_t mark_bytes) {
  const uint32_t begin = cursor_;
  while (!at_line_end()) ++cursor_;
  const std::string_view line = TextFrom(begin);
  out_.comments.push_back({begin, cursor_});
  std::string_view word = line.substr(mark_bytes);
  word = word.substr(0, word.find_first_of(" \t<\""));
  const bool is_directive =
      line[0] == '#' && (word == "include" || word == "define" || word == "import" ||
                         word == "if" || word == "ifdef" || word == "ifndef" || word == "endif" ||
                         word == "pragma" || word == "else");
  if (is_directive) {
    Foreign(ForeignForm::kPreprocessor, Span(begin, cursor_), {"#" + std::string(word)});
    return;
  }
  DiagnosticBuilder error = Foreign(ForeignForm::kLineComment, Span(begin, begin + mark_bytes),
                                    {std::string(line.substr(0, mark_bytes))});
  if (!HasCommentBracket(line)) {
    error.Fix(Span(begin, begin + mark_bytes), "(*").Fix(Span(cursor_, cursor_), " *)");
  }
}

void Scanner::SkipBlockComment() {
  const uint32_t begin = cursor_;
  const size_t end = text_.find("*/", cursor_ + 2);
  if (end == std::string_view::npos) {
    cursor_ = size();
    lost_end_ = true;
    Error(MessageId::kUnclosedComment, Span(begin, begin + 2));
    return;
  }
  cursor_ = static_cast<uint32_t>(end) + 2;
  out_.comments.push_back({begin, cursor_});
  DiagnosticBuilder error = Foreign(ForeignForm::kBlockComment, Span(begin, begin + 2));
  if (!HasCommentBracket(text_.substr(begin + 2, cursor_ - begin - 4))) {
    error.Fix(Span(begin, begin + 2), "(*").Fix(Span(cursor_ - 2, cursor_), "*)");
  }
}

// --- numbers of other languages ---

// At the letter of `0x1F`, `0b101` or `0o17`, whose 0 begins at `begin`.
bool Scanner::ScanPrefixedNumber(uint32_t begin) {
  uint32_t base = 0;
  switch (Peek()) {
    case 'x':
    case 'X': base = 16; break;
    case 'b':
    case 'B': base = 2; break;
    case 'o':
    case 'O': base = 8; break;
    default: return false;
  }
  if (TextFrom(begin) != "0" || std::isxdigit(static_cast<unsigned char>(Peek(1))) == 0) {
    return false;
  }
  uint32_t end = cursor_;
  while (end < size() && IsWordCharacter(text_[end])) ++end;
  // `CASE 0OF`: a keyword may follow a number directly.
  if (FindKeyword(text_.substr(cursor_, end - cursor_)) != TokenKind::kIdentifier) return false;
  const uint32_t digits_begin = ++cursor_;
  cursor_ = end;
  const std::string digits(TextFrom(digits_begin));
  const std::string written = std::to_string(base) + "_" + digits;
  Foreign(ForeignForm::kPrefixedNumber, SpanFrom(begin),
          {std::string(TextFrom(begin)), std::to_string(base), digits})
      .Fix(SpanFrom(begin), written);
  Token& token = Push(TokenKind::kNumber, begin);
  token.is_based = true;
  token.value = std::strtoull(digits.c_str(), nullptr, static_cast<int>(base));
  return true;
}

// At the first `_` of a number like 1_000_000. A single `_` after a base is Modula-3's.
bool Scanner::ScanGroupedNumber(uint32_t begin) {
  uint32_t end = cursor_;
  int groups = 0;
  while (end < size() && text_[end] == '_') {
    uint32_t digits = end + 1;
    while (digits < size() && IsDigit(text_[digits])) ++digits;
    if (digits - end != 4) return false;
    end = digits;
    ++groups;
  }
  const std::string_view first = TextFrom(begin);
  const bool is_base = first != "0" && first != "1" && first.size() <= 2 && first <= "9";
  if (groups == 0 || (groups == 1 && (is_base || first.size() == 2)) ||
      (end < size() && IsWordCharacter(text_[end]))) {
    return false;
  }
  std::string digits;
  for (const char c : text_.substr(begin, end - begin)) {
    if (c != '_') digits += c;
  }
  cursor_ = end;
  Foreign(ForeignForm::kGroupedDigits, SpanFrom(begin), {std::string(TextFrom(begin)), digits})
      .Fix(SpanFrom(begin), digits);
  Push(TokenKind::kNumber, begin).value = std::strtoull(digits.c_str(), nullptr, 10);
  return true;
}

// At the letter of `0FFH`, `15C`, `10u` and their like, whose digits begin at `begin`. A keyword
// may follow a number directly.
bool Scanner::ScanSuffixedNumber(uint32_t begin) {
  uint32_t end = cursor_;
  while (end < size() && IsWordCharacter(text_[end])) ++end;
  if (end == cursor_) return false;
  const std::string decimal(TextFrom(begin));
  const std::string suffix(text_.substr(cursor_, end - cursor_));
  if (FindKeyword(suffix) != TokenKind::kIdentifier) return false;
  std::string digits = decimal + suffix;
  const char last = digits.back();
  digits.pop_back();
  const auto all_in = [&](std::string_view set) {
    return digits.find_first_not_of(set) == std::string::npos;
  };
  const bool is_hex = all_in("0123456789abcdefABCDEF"), is_octal = all_in("01234567");
  const std::string plain = digits.size() > 1 && digits[0] == '0' ? digits.substr(1) : digits;
  static constexpr std::string_view kIntegers[] = {
      "u",   "U",   "ul", "UL",  "ull", "ULL", "LL",    "ll",    "i8", "i16",
      "i32", "i64", "u8", "u16", "u32", "u64", "isize", "usize", "n"};
  std::string written;
  uint64_t value = 0;
  TokenKind kind = TokenKind::kNumber;
  NumberForm form = NumberForm::kInteger;
  if ((last == 'H' || last == 'h') && is_hex) {
    written = "16_" + plain;
    value = std::strtoull(digits.c_str(), nullptr, 16);
  } else if (((last == 'X' && is_hex) || (last == 'C' && is_octal)) && digits.size() <= 4) {
    value = std::strtoull(digits.c_str(), nullptr, last == 'X' ? 16 : 8);
    if (value > 0377) return false;
    const auto digit = [&](int shift) { return static_cast<char>('0' + ((value >> shift) & 7)); };
    written = std::string("'\\") + digit(6) + digit(3) + digit(0) + "'";
    kind = TokenKind::kCharLiteral;
  } else if (last == 'B' && is_octal) {
    written = "8_" + plain;
    value = std::strtoull(digits.c_str(), nullptr, 8);
  } else if (suffix == "f" || suffix == "F" || suffix == "f32") {
    written = decimal + ".0";
    form = NumberForm::kReal;
  } else if (suffix == "f64") {
    written = decimal + ".0D0";
    form = NumberForm::kLongreal;
  } else if (std::find(std::begin(kIntegers), std::end(kIntegers), suffix) != std::end(kIntegers)) {
    written = decimal;
    value = std::strtoull(decimal.c_str(), nullptr, 10);
  } else {
    return false;
  }
  cursor_ = end;
  Foreign(ForeignForm::kLiteralSuffix, SpanFrom(begin), {std::string(TextFrom(begin)), written})
      .Fix(SpanFrom(begin), written);
  Token& token = Push(kind, begin);
  token.value = value;
  token.number_form = form;
  token.is_based = written.find('_') != std::string::npos;
  if (form != NumberForm::kInteger) token.name = interner_.Intern(decimal + ".0");
  return true;
}

// --- attributes and macros ---

// At the quote of `Day'Last`, as in Ada: directly behind a name, and no character literal. Skips
// the attribute.
bool Scanner::SkipAttribute() {
  if (out_.tokens.empty() || out_.tokens.back().kind != TokenKind::kIdentifier ||
      out_.tokens.back().end != cursor_) {
    return false;
  }
  uint32_t end = cursor_ + 1;
  while (end < size() && IsWordCharacter(text_[end])) ++end;
  const std::string upper = Upper(text_.substr(cursor_ + 1, end - cursor_ - 1));
  uint32_t name_begin = out_.tokens.back().begin;
  for (size_t i = out_.tokens.size(); i >= 3 && out_.tokens[i - 2].kind == TokenKind::kDot &&
                                      out_.tokens[i - 3].kind == TokenKind::kIdentifier;
       i -= 2) {
    name_begin = out_.tokens[i - 3].begin;
  }
  const std::string name(text_.substr(name_begin, cursor_ - name_begin));
  const std::string function = upper == "FIRST"                       ? "FIRST"
                               : upper == "LAST"                      ? "LAST"
                               : upper == "LENGTH" || upper == "SIZE" ? "NUMBER"
                                                                      : "";
  std::string written = function + "(" + name + ")";
  if (upper == "RANGE") written = "FIRST(" + name + ") TO LAST(" + name + ")";
  if (upper == "POS") written = "ORD(x)";
  if (upper == "VAL") written = "VAL(n, " + name + ")";
  if (upper == "IMAGE") written = "Fmt.Int(n) for the text of a number";
  if (upper == "SUCC") written = "VAL(ORD(x) + 1, " + name + ")";
  if (upper == "PRED") written = "VAL(ORD(x) - 1, " + name + ")";
  if (written.starts_with("(")) return false;
  const SourceSpan quote = Span(cursor_, end);
  cursor_ = end;
  DiagnosticBuilder error = Foreign(ForeignForm::kAttribute, Span(name_begin, end),
                                    {name + std::string(quote.text()), written});
  if (function.empty()) {
    return true;
  }
  error.Fix(Span(name_begin, name_begin), function + "(").Fix(quote, ")");
  // Replaces the tokens by those of the call.
  size_t first = out_.tokens.size() - 1;
  while (out_.tokens[first].begin > name_begin) --first;
  Token call = out_.tokens[first], open = call, close = out_.tokens.back();
  call.name = interner_.Intern(function);
  open.kind = TokenKind::kLeftParen;
  close.kind = TokenKind::kRightParen;
  close.begin = quote.begin;
  close.end = end;
  out_.tokens.insert(out_.tokens.begin() + static_cast<std::ptrdiff_t>(first), {call, open});
  out_.tokens.push_back(close);
  return true;
}

// At the `!` of `println!(...)`, directly behind a name: skips it.
bool Scanner::SkipMacroMark() {
  if (Peek() != '!' || (Peek(1) != '(' && Peek(1) != '[') || out_.tokens.empty() ||
      out_.tokens.back().kind != TokenKind::kIdentifier || out_.tokens.back().end != cursor_) {
    return false;
  }
  const std::string name(out_.tokens.back().name.view());
  std::string ours = "a procedure is called by its name: " + name + "(...)";
  if (name == "println" || name == "print") {
    ++cursor_;  // the message about the name says the rest
    return true;
  }
  if (name == "format") {
    ours = "texts are joined by &: \"n = \" & Fmt.Int(n)";
  } else if (name == "vec") {
    ours = "an array value is ARRAY OF INTEGER{1, 2, 3}";
  } else if (name.find("assert") != std::string::npos) {
    ours = "write <*ASSERT condition*>";
  } else if (name == "panic" || name == "unreachable" || name == "todo") {
    ours = "<*ASSERT FALSE WITH t*> ends the program, RAISE E lets others handle it";
  }
  Foreign(ForeignForm::kMacroCall, Span(out_.tokens.back().begin, cursor_ + 1), {name, ours});
  ++cursor_;
  return true;
}

// At the letter of `1e5`, whose whole part begins at `begin`.
bool Scanner::AtBareExponent() const {
  const char c = Peek();
  if (c != 'e' && c != 'E' && c != 'd' && c != 'D') return false;
  return IsDigit(Peek(1)) || ((Peek(1) == '-' || Peek(1) == '+') && IsDigit(Peek(2)));
}

}  // namespace tenure::compiler
