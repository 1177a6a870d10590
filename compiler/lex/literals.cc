// Numbers, character literals and text literals (language.md 1.8 to 1.10).

#include <cerrno>
#include <climits>
#include <cmath>
#include <cstdlib>

#include "compiler/foreign/tables/forms.h"
#include "compiler/lex/scanner.h"

namespace tenure::compiler {
namespace {

constexpr uint64_t kLastInteger = INT64_MAX;
constexpr uint32_t kLastCodePoint = 0x10FFFF;

// The digit's value in base 16, or 99.
uint32_t DigitValue(char c) {
  if (IsDigit(c)) return static_cast<uint32_t>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<uint32_t>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<uint32_t>(c - 'A' + 10);
  return 99;
}

// False on overflow of 64 bits.
bool Accumulate(uint64_t& value, uint32_t base, uint32_t digit) {
  return !__builtin_mul_overflow(value, uint64_t{base}, &value) &&
         !__builtin_add_overflow(value, uint64_t{digit}, &value);
}

}  // namespace

void Scanner::ScanNumber() {
  const uint32_t begin = cursor_;
  uint64_t value = 0;
  bool fits = true;
  for (; IsDigit(Peek()); ++cursor_) {
    fits = Accumulate(value, 10, DigitValue(Peek())) && fits;
  }
  if (ScanPrefixedNumber(begin)) return;
  if (Peek() == '_') {
    if (!ScanGroupedNumber(begin)) ScanBased(begin);
    return;
  }
  if (AtBareExponent()) {
    const std::string whole(TextFrom(begin));
    uint32_t end = cursor_ + 2;
    while (end < size() && IsDigit(text_[end])) ++end;
    const std::string exponent(text_.substr(cursor_, end - cursor_));
    Foreign(ForeignForm::kExponentWithoutPoint, Span(begin, end),
            {whole + exponent, whole + ".0" + exponent})
        .Fix(Span(cursor_, cursor_), ".0");
    std::string digits = whole + ".0";
    NumberForm form = NumberForm::kReal;
    ScanExponent(begin, digits, form);
    Token& token = Push(TokenKind::kNumber, begin);
    token.number_form = form;
    token.name = interner_.Intern(digits);
    return;
  }
  // `1..5` is a range: the point belongs to a real number unless a second point follows it.
  if (Peek() == '.' && Peek(1) != '.') {
    ScanReal(begin);
    return;
  }
  if (ScanSuffixedNumber(begin)) return;
  const bool is_long = Peek() == 'L' || Peek() == 'l';
  if (is_long) ++cursor_;
  if (!fits || value > kLastInteger) {
    Error(MessageId::kIntegerTooLarge, SpanFrom(begin), TextFrom(begin),
          is_long ? "LONGINT" : "INTEGER");
    value = 0;
  }
  Token& token = Push(TokenKind::kNumber, begin);
  token.number_form = is_long ? NumberForm::kLongint : NumberForm::kInteger;
  token.value = value;
}

// At the `_` of a based literal that begins at `begin`.
void Scanner::ScanBased(uint32_t begin) {
  const std::string_view base_text = TextFrom(begin);
  uint32_t base = 0;
  for (const char c : base_text) base = base > 16 ? base : base * 10 + DigitValue(c);
  const bool base_ok = base >= 2 && base <= 16;
  if (!base_ok) Error(MessageId::kBadBase, SpanFrom(begin), base_text);

  const uint32_t digits_begin = ++cursor_;
  // Letters that are not digits belong to the mistake, not to the next token.
  while (IsLetter(Peek()) || IsDigit(Peek())) ++cursor_;
  uint32_t digits_end = cursor_;
  const char last = digits_end > digits_begin ? text_[digits_end - 1] : '\0';
  const bool is_long = last == 'L' || last == 'l';
  if (is_long) --digits_end;

  uint64_t value = 0;
  bool fits = true, digits_ok = base_ok;
  if (digits_end == digits_begin) {
    Error(MessageId::kMissingBasedDigits, SpanFrom(begin),
          text_.substr(begin, digits_begin - begin));
    digits_ok = false;
  }
  for (uint32_t i = digits_begin; digits_ok && i < digits_end; ++i) {
    const uint32_t digit = DigitValue(text_[i]);
    if (digit >= base) {
      Error(MessageId::kBadDigit, Span(i, i + 1), text_.substr(i, 1), base);
      digits_ok = false;
    } else {
      fits = Accumulate(value, base, digit) && fits;
    }
  }
  if (digits_ok && !fits) Error(MessageId::kBasedTooLarge, SpanFrom(begin), TextFrom(begin));
  Token& token = Push(TokenKind::kNumber, begin);
  token.number_form = is_long ? NumberForm::kLongint : NumberForm::kInteger;
  token.is_based = true;
  token.value = digits_ok && fits ? value : 0;
}

// At the point of a real literal that begins at `begin`; at its very start if the whole part is
// missing.
void Scanner::ScanReal(uint32_t begin) {
  std::string digits = cursor_ == begin ? "0" : std::string(TextFrom(begin));
  digits += '.';
  ++cursor_;
  const uint32_t fraction_begin = cursor_;
  while (IsDigit(Peek())) ++cursor_;
  bool ok = cursor_ > fraction_begin;
  if (ok) {
    digits += TextFrom(fraction_begin);
  } else {
    Error(MessageId::kMissingFraction, SpanFrom(begin)).Fix(Span(cursor_, cursor_), "0");
    digits += '0';
  }
  NumberForm form = NumberForm::kReal;
  ok = ScanExponent(begin, digits, form) && ok;

  // Underflow rounds to zero or a denormal; only overflow is an error (1.9).
  const bool is_infinite = form == NumberForm::kReal
                               ? std::isinf(std::strtof(digits.c_str(), nullptr))
                               : std::isinf(std::strtod(digits.c_str(), nullptr));
  if (ok && is_infinite) {
    Error(MessageId::kRealTooLarge, SpanFrom(begin), TextFrom(begin),
          form == NumberForm::kReal       ? "REAL"
          : form == NumberForm::kLongreal ? "LONGREAL"
                                          : "EXTENDED");
    digits = "0.0";
  }
  if ((Peek() == 'f' || Peek() == 'F') && !IsWordCharacter(Peek(1))) {
    ++cursor_;
    const std::string written(text_.substr(begin, cursor_ - 1 - begin));
    Foreign(ForeignForm::kNumberSuffix, SpanFrom(begin), {std::string(TextFrom(begin)), written})
        .Fix(Span(cursor_ - 1, cursor_), "");
  }
  Token& token = Push(TokenKind::kNumber, begin);
  token.number_form = form;
  token.name = interner_.Intern(digits);
}

// The optional exponent of a real literal. False if it was reported as wrong.
bool Scanner::ScanExponent(uint32_t begin, std::string& digits, NumberForm& form) {
  const char letter = Peek();
  NumberForm letter_form;
  switch (letter) {
    case 'E':
    case 'e': letter_form = NumberForm::kReal; break;
    case 'D':
    case 'd': letter_form = NumberForm::kLongreal; break;
    case 'X':
    case 'x': letter_form = NumberForm::kExtended; break;
    default: return true;
  }
  const uint32_t sign_bytes = Peek(1) == '+' || Peek(1) == '-' ? 1 : 0;
  if (!IsDigit(Peek(1 + sign_bytes))) {
    // `1.0DO` and `1.0ELSE` are a number and a keyword.
    const uint32_t word_begin = cursor_;
    const std::string_view word = ScanWord();
    if (FindKeyword(word) != TokenKind::kIdentifier) {
      cursor_ = word_begin;
      return true;
    }
    cursor_ = word_begin + 1;
    Error(MessageId::kMissingExponent, SpanFrom(begin), std::string_view(&letter, 1));
    form = letter_form;
    return false;
  }
  form = letter_form;
  digits += 'e';
  cursor_ += 1;
  const uint32_t exponent_begin = cursor_;
  cursor_ += sign_bytes;
  while (IsDigit(Peek())) ++cursor_;
  digits += TextFrom(exponent_begin);
  return true;
}

// --- Characters and texts ---

void Scanner::ScanChar(bool is_wide) {
  const uint32_t begin = cursor_;
  if (!is_wide && SkipAttribute()) return;
  cursor_ += is_wide ? 2 : 1;
  uint32_t value = 0;
  bool is_damaged = false;
  if (Peek() == '\'') {
    // `'''` is the quote without its backslash; `''` is empty.
    cursor_ += Peek(1) == '\'' ? 2 : 1;
    Error(MessageId::kEmptyChar, SpanFrom(begin));
  } else if (at_line_end()) {
    Error(MessageId::kUnclosedChar, SpanFrom(begin));
    is_damaged = true;
  } else {
    ScanLiteralCharacter(is_wide, value);
    if (Peek() == '\'') {
      ++cursor_;
    } else {
      // Was a text meant? If the line has no other quote, take just the one character.
      const uint32_t after_first = cursor_;
      while (!at_line_end() && Peek() != '\'') ++cursor_;
      if (at_line_end()) {
        cursor_ = after_first;
        Error(MessageId::kUnclosedChar, SpanFrom(begin));
      } else {
        ++cursor_;
        ScanTextInSingleQuotes(begin, is_wide);
        return;
      }
      is_damaged = true;
    }
  }
  Token& token = Push(TokenKind::kCharLiteral, begin);
  token.value = value;
  token.is_wide = is_wide;
  token.is_damaged = is_damaged;
}

// Behind a text in single quotes, which begins at `begin`: takes it as a text.
void Scanner::ScanTextInSingleQuotes(uint32_t begin, bool is_wide) {
  const uint32_t end = cursor_;
  const uint32_t first = begin + (is_wide ? 2 : 1);
  std::string written = is_wide ? "W\"" : "\"";
  for (const char c : text_.substr(first, end - 1 - first)) {
    written += c == '"' ? "\\\"" : std::string(1, c);
  }
  written += '"';
  Error(MessageId::kLongChar, Span(begin, end))
      .Hint(MessageId::kTextIsQuoted, written)
      .Fix(Span(begin, end), written);
  cursor_ = first;
  std::u32string value;
  while (cursor_ < end - 1) {
    uint32_t character = 0;
    if (ScanLiteralCharacter(is_wide, character)) value.push_back(character);
  }
  cursor_ = end;
  Token& token = Push(TokenKind::kTextLiteral, begin);
  token.value = out_.texts.size();
  token.is_wide = is_wide;
  out_.texts.push_back(std::move(value));
}

void Scanner::ScanText(bool is_wide) {
  const uint32_t begin = cursor_;
  cursor_ += is_wide ? 2 : 1;
  std::u32string value;
  while (!at_line_end() && Peek() != '"') {
    uint32_t character = 0;
    if (ScanLiteralCharacter(is_wide, character)) value.push_back(character);
  }
  const bool is_closed = Peek() == '"';
  if (is_closed) {
    ++cursor_;
  } else {
    Error(MessageId::kUnclosedText, SpanFrom(begin))
        .Hint(MessageId::kAdvice,
              "\\n stands for the end of a line, & joins texts of several lines");
  }
  Token& token = Push(TokenKind::kTextLiteral, begin);
  token.value = out_.texts.size();
  token.is_wide = is_wide;
  token.is_damaged = !is_closed;
  out_.texts.push_back(std::move(value));
}

// Source is Latin-1: a byte is a character, in wide literals too.
bool Scanner::ScanLiteralCharacter(bool is_wide, uint32_t& value) {
  const char c = Peek();
  if (c == '\\') return ScanEscape(is_wide, value);
  ++cursor_;
  value = static_cast<unsigned char>(c);
  if (c == '\t') {
    diagnostics_.Warning(MessageId::kTabInLiteral, Span(cursor_ - 1, cursor_));
  } else if (value < 0x20 || value == 0x7F) {
    Error(MessageId::kControlCharacter, Span(cursor_ - 1, cursor_), DescribeByte(c));
    return false;
  }
  return true;
}

bool Scanner::ScanEscape(bool is_wide, uint32_t& value) {
  const uint32_t begin = cursor_;
  ++cursor_;
  const char c = at_line_end() ? '\0' : Peek();
  switch (c) {
    case 'n': value = '\n'; break;
    case 't': value = '\t'; break;
    case 'r': value = '\r'; break;
    case 'f': value = '\f'; break;
    case '\\':
    case '\'':
    case '"': value = static_cast<unsigned char>(c); break;
    default: value = 0xFFFFFFFF;
  }
  if (value != 0xFFFFFFFF) {
    ++cursor_;
    return true;
  }

  uint32_t base = 16, count = 0;
  if (c >= '0' && c <= '7') {
    base = 8;
    count = is_wide ? 6 : 3;
  } else {
    if (!at_line_end()) ++cursor_;
    if (c == 'x' || c == 'X') count = is_wide ? 4 : 2;
    if (c == 'U' && is_wide) count = 6;
  }
  value = 0;
  if (count == 0) {
    Error(MessageId::kBadEscape, SpanFrom(begin), TextFrom(begin));
    return false;
  }
  uint32_t found = 0;
  while (found < count && DigitValue(Peek()) < base) {
    value = value * base + DigitValue(Peek());
    ++cursor_;
    ++found;
  }
  const uint32_t largest = is_wide ? kLastCodePoint : 255;
  if (found < count) {
    Error(MessageId::kBadEscapeDigits, SpanFrom(begin), TextFrom(begin), count,
          base == 8 ? "octal" : "hexadecimal");
    return false;
  }
  if (value > largest) {
    Error(MessageId::kEscapeTooLarge, SpanFrom(begin), TextFrom(begin),
          is_wide ? "16_10FFFF" : "8_377");
    return false;
  }
  return true;
}

}  // namespace tenure::compiler
