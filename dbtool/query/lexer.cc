#include "dbtool/query/lexer.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <utility>

#include "dbtool/stored/stored_objects.h"
#include "dbtool/values/texts.h"

namespace tenure::dbtool {

namespace {

bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<signed char>(c) < 0;
}
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  bool Run(std::vector<Token>* tokens, QueryProblem* problem) {
    while (true) {
      while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' ||
                                    text_[at_] == '\r')) {
        ++at_;
      }
      Token token;
      token.begin = at_;
      const bool good = Take(&token, problem);
      token.end = at_;
      if (!good) {
        problem->begin = token.begin;
        problem->end = std::max(at_, token.begin + 1);
        return false;
      }
      tokens->push_back(token);
      if (token.kind == TokenKind::kEnd) return true;
    }
  }

 private:
  char Peek(size_t behind = 0) const {
    return at_ + behind < text_.size() ? text_[at_ + behind] : '\0';
  }

  bool Take(Token* token, QueryProblem* problem) {
    if (at_ >= text_.size()) return true;
    const char c = Peek();
    if (IsLetter(c)) {
      const size_t begin = at_;
      while (IsLetter(Peek()) || IsDigit(Peek())) ++at_;
      token->kind = TokenKind::kName;
      token->text = text_.substr(begin, at_ - begin);
      return true;
    }
    if (IsDigit(c)) return TakeNumber(token, problem);
    if (c == '"' || c == '\'' || c == '`') return TakeText(token, c, problem);
    token->kind = TokenKind::kSymbol;
    for (const char* symbol : {"..", "<=", ">=", "<>", "!=", "==", "->"}) {
      if (text_.substr(at_).starts_with(symbol)) {
        token->text = symbol;
        at_ += 2;
        return true;
      }
    }
    constexpr std::string_view kSymbols = ".,[]()<>=#+-*/&^";
    if (kSymbols.find(c) == std::string_view::npos) {
      problem->what = std::string("'") + c + "' begins nothing";
      ++at_;
      return false;
    }
    token->text = std::string(1, c);
    ++at_;
    return true;
  }

  bool TakeNumber(Token* token, QueryProblem* problem) {
    const size_t begin = at_;
    while (IsDigit(Peek())) ++at_;
    token->kind = TokenKind::kNumber;
    if (Peek() == '_') {  // 16_FF
      int base = std::atoi(std::string(text_.substr(begin, at_ - begin)).c_str());
      const size_t digits = ++at_;
      while (std::isxdigit(static_cast<unsigned char>(Peek()))) ++at_;
      uint64_t number = 0;
      const auto [end, error] =
          base < 2 || base > 16
              ? std::from_chars_result{text_.data() + digits, std::errc::invalid_argument}
              : std::from_chars(text_.data() + digits, text_.data() + at_, number, base);
      if (error != std::errc() || end != text_.data() + at_) {
        problem->what = "no number of this base";
        return false;
      }
      token->number = static_cast<int64_t>(number);
      return true;
    }
    if (Peek() == ':' && IsDigit(Peek(1))) {
      ++at_;
      while (IsDigit(Peek())) ++at_;
      token->kind = TokenKind::kReference;
      token->text = text_.substr(begin, at_ - begin);
      return true;
    }
    const auto digits = [&] {
      while (IsDigit(Peek())) ++at_;
    };
    if (Peek() == '.' && IsDigit(Peek(1))) {
      token->kind = TokenKind::kReal;
      ++at_;
      digits();
    }
    if (std::string_view("eEdDxX").find(Peek()) != std::string_view::npos && Peek() != '\0' &&
        (IsDigit(Peek(1)) || ((Peek(1) == '-' || Peek(1) == '+') && IsDigit(Peek(2))))) {
      token->kind = TokenKind::kReal;
      at_ += 2;
      digits();
    }
    std::string text(text_.substr(begin, at_ - begin));
    if (token->kind == TokenKind::kReal) {
      std::ranges::replace_if(
          text, [](char x) { return std::isalpha(static_cast<unsigned char>(x)) != 0; }, 'e');
      token->real = std::strtod(text.c_str(), nullptr);
      return true;
    }
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) {
      problem->what = "the number is too large";
      return false;
    }
    token->number = number;
    return true;
  }

  // Modula-3's escapes. 'a' and 'Ada' are both accepted: a character, and SQL's way to write texts.
  bool TakeText(Token* token, char quote, QueryProblem* problem) {
    ++at_;
    std::string text;
    while (true) {
      if (at_ >= text_.size()) {
        problem->what = std::string("no ") + quote + " ends the text";
        return false;
      }
      char c = text_[at_++];
      if (c == quote) {
        if (quote == '\'' && Peek() == quote) {  // '' stands for one
          ++at_;
          text += quote;
          continue;
        }
        break;
      }
      if (c != '\\' || quote == '`') {
        text += c;
        continue;
      }
      c = Peek();
      ++at_;
      switch (c) {
        case 'n': text += '\n'; break;
        case 't': text += '\t'; break;
        case 'r': text += '\r'; break;
        case 'f': text += '\f'; break;
        case '\\':
        case '"':
        case '\'': text += c; break;
        case 'x': {  // as in wide texts
          uint16_t code = 0;
          const char* const digits = text_.data() + at_;
          const bool four = text_.size() - at_ >= 4;
          const auto [end, error] = std::from_chars(digits, digits + (four ? 4 : 0), code, 16);
          if (error != std::errc() || end != digits + 4) {
            problem->what = "four digits of base 16 are needed here";
            return false;
          }
          at_ += 4;
          text += Utf8OfCodes(std::u16string(1, static_cast<char16_t>(code)));
          break;
        }
        default:
          if (c >= '0' && c <= '3' && Peek() >= '0' && Peek() <= '7' && Peek(1) >= '0' &&
              Peek(1) <= '7') {
            const int code = (c - '0') * 64 + (Peek() - '0') * 8 + (Peek(1) - '0');
            at_ += 2;
            text += Utf8OfCodes(std::u16string(1, static_cast<char16_t>(code & 255)));
          } else {
            problem->what = "no escape that a text has";
            return false;
          }
      }
    }
    token->kind = quote == '`'    ? TokenKind::kQuotedName
                  : quote == '\'' ? TokenKind::kCharacter
                                  : TokenKind::kText;
    token->text = std::move(text);
    return true;
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

std::optional<std::vector<Token>> TokensOf(std::string_view text, QueryProblem* problem) {
  std::vector<Token> tokens;
  if (!Lexer(text).Run(&tokens, problem)) return std::nullopt;
  return tokens;
}

std::string LowerWord(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
}

}  // namespace tenure::dbtool
