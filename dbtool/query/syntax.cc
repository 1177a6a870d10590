#include "dbtool/query/syntax.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <utility>

#include "dbtool/stored_objects.h"

namespace tenure::dbtool {

namespace {

constexpr int kMostDepth = 500;

enum class TokenKind : uint8_t {
  kEnd,
  kName,
  kQuotedName,
  kNumber,
  kReal,
  kText,
  kCharacter,
  kReference,
  kSymbol
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  size_t begin = 0, end = 0;
  std::string text;  // a name, a symbol, the characters of a text as UTF-8
  __int128 number = 0;
  double real = 0;
};

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
}

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

const std::vector<std::string> kWords = {
    "from",     "select",   "where", "group", "by",   "having", "sort",  "order", "limit", "offset",
    "count",    "distinct", "as",    "asc",   "desc", "and",    "or",    "not",   "in",    "like",
    "contains", "between",  "is",    "null",  "nil",  "true",   "false", "div",   "mod",   "all"};

class Parser {
 public:
  Parser(std::vector<Token> tokens, std::string_view text, QueryProblem* problem)
      : tokens_(std::move(tokens)), text_(text), problem_(problem) {}

  std::optional<Query> RunQuery() {
    Query query;
    const bool good = ParseClauses(&query) && AtEnd();
    if (!good) return std::nullopt;
    return query;
  }

  ExprPtr RunExpression() {
    ExprPtr expr = Or();
    if (expr == nullptr || !AtEnd()) return nullptr;
    return expr;
  }

 private:
  const Token& Next() const { return tokens_[at_]; }
  bool IsWord(std::string_view word) const {
    return Next().kind == TokenKind::kName && Lower(Next().text) == word;
  }
  bool IsWordAt(size_t behind, std::string_view word) const {
    const Token& token = tokens_[std::min(at_ + behind, tokens_.size() - 1)];
    return token.kind == TokenKind::kName && Lower(token.text) == word;
  }
  bool IsSymbol(std::string_view symbol) const {
    return Next().kind == TokenKind::kSymbol && Next().text == symbol;
  }
  bool TakeWord(std::string_view word) {
    if (!IsWord(word)) return false;
    ++at_;
    return true;
  }
  bool TakeSymbol(std::string_view symbol) {
    if (!IsSymbol(symbol)) return false;
    ++at_;
    return true;
  }

  std::nullptr_t Fail(const std::string& what) {
    if (problem_->what.empty()) {
      problem_->what = what;
      problem_->begin = Next().begin;
      problem_->end = std::max(Next().end, Next().begin + 1);
    }
    return nullptr;
  }
  std::string Found() const {
    if (Next().kind == TokenKind::kEnd) return "the end";
    return "'" + std::string(text_.substr(Next().begin, Next().end - Next().begin)) + "'";
  }
  bool AtEnd() {
    if (Next().kind == TokenKind::kEnd) return true;
    Fail("expected an operator or a clause, found " + Found());
    return false;
  }

  // --- clauses

  bool ParseSelect(Query* query) {
    if (TakeWord("distinct")) query->distinct = true;
    if (TakeSymbol("*")) return true;
    do {
      SelectItem item;
      const size_t begin = Next().begin;
      item.expr = Or();
      if (item.expr == nullptr) return false;
      item.name = text_.substr(begin, item.expr->end - begin);
      if (TakeWord("as")) {
        if (Next().kind != TokenKind::kName && Next().kind != TokenKind::kQuotedName &&
            Next().kind != TokenKind::kText) {
          Fail("expected the column's name, found " + Found());
          return false;
        }
        item.name = tokens_[at_++].text;
      }
      query->select.push_back(std::move(item));
    } while (TakeSymbol(","));
    return true;
  }

  bool ParseSource(Query* query) {
    query->all = TakeWord("all");
    query->source = query->all ? Postfix(0) : Or();
    return query->source != nullptr;
  }

  bool ParseNumber(uint64_t* number) {
    if (Next().kind != TokenKind::kNumber) {
      Fail("expected a number, found " + Found());
      return false;
    }
    *number = static_cast<uint64_t>(tokens_[at_++].number);
    return true;
  }

  bool ParseClauses(Query* query) {
    if (Next().kind == TokenKind::kEnd) {
      Fail("a query begins with a path, a type, or select");
      return false;
    }
    if (TakeWord("select")) {
      if (!ParseSelect(query)) return false;
      if (!TakeWord("from")) {
        Fail("expected from, found " + Found());
        return false;
      }
      if (!ParseSource(query)) return false;
    } else {
      (void)TakeWord("from");
      if (!ParseSource(query)) return false;
    }
    bool selected = !query->select.empty() || query->distinct;
    while (Next().kind != TokenKind::kEnd) {
      if (IsWord("select")) {
        if (selected) {
          Fail("select stands twice");
          return false;
        }
        selected = true;
        ++at_;
        if (!ParseSelect(query)) return false;
      } else if (IsWord("where")) {
        if (query->where != nullptr) {
          Fail("where stands twice: join conditions with and");
          return false;
        }
        ++at_;
        query->where = Or();
        if (query->where == nullptr) return false;
      } else if (IsWord("having")) {
        ++at_;
        query->having = Or();
        if (query->having == nullptr) return false;
      } else if (IsWord("group")) {
        ++at_;
        if (!ParseBy()) return false;
        do {
          query->group.push_back(Or());
          if (query->group.back() == nullptr) return false;
        } while (TakeSymbol(","));
      } else if (IsWord("sort") || IsWord("order")) {
        ++at_;
        if (!ParseBy()) return false;
        do {
          SortItem item;
          item.expr = Or();
          if (item.expr == nullptr) return false;
          if (TakeWord("desc")) {
            item.descending = true;
          } else {
            (void)TakeWord("asc");
          }
          query->sort.push_back(std::move(item));
        } while (TakeSymbol(","));
      } else if (TakeWord("limit")) {
        uint64_t limit = 0;
        if (!ParseNumber(&limit)) return false;
        query->limit = limit;
      } else if (TakeWord("offset")) {
        if (!ParseNumber(&query->offset)) return false;
      } else if (TakeWord("distinct")) {
        query->distinct = true;
      } else if (TakeWord("count")) {
        query->count = true;
      } else {
        Fail(
            "expected where, select, group by, having, sort by, limit, offset, distinct or "
            "count, found " +
            Found());
        return false;
      }
    }
    return true;
  }

  bool ParseBy() {
    if (TakeWord("by")) return true;
    Fail("expected by, found " + Found());
    return false;
  }

  // --- expressions

  ExprPtr Make(ExprKind kind, size_t begin, std::string name = "") const {
    auto expr = std::make_unique<Expr>();
    expr->kind = kind;
    expr->begin = begin;
    expr->end = at_ == 0 ? begin : tokens_[at_ - 1].end;
    expr->name = std::move(name);
    return expr;
  }

  ExprPtr Binary(std::string op, ExprPtr left, ExprPtr right) const {
    ExprPtr expr = Make(ExprKind::kBinary, left->begin, std::move(op));
    expr->end = right->end;
    expr->parts.push_back(std::move(left));
    expr->parts.push_back(std::move(right));
    return expr;
  }

  ExprPtr Negated(ExprPtr expr) const {
    ExprPtr negated = Make(ExprKind::kUnary, expr->begin, "not");
    negated->end = expr->end;
    negated->parts.push_back(std::move(expr));
    return negated;
  }

  ExprPtr Or() {
    if (++depth_ > kMostDepth) return Fail("the expression is nested too deeply");
    ExprPtr left = And();
    while (left != nullptr && TakeWord("or")) {
      ExprPtr right = And();
      if (right == nullptr) return nullptr;
      left = Binary("or", std::move(left), std::move(right));
    }
    --depth_;
    return left;
  }

  ExprPtr And() {
    ExprPtr left = Not();
    while (left != nullptr && TakeWord("and")) {
      ExprPtr right = Not();
      if (right == nullptr) return nullptr;
      left = Binary("and", std::move(left), std::move(right));
    }
    return left;
  }

  ExprPtr Not() {
    if (IsWord("not")) {
      if (++depth_ > kMostDepth) return Fail("the expression is nested too deeply");
      const size_t begin = Next().begin;
      ++at_;
      ExprPtr operand = Not();
      --depth_;
      if (operand == nullptr) return nullptr;
      ExprPtr negated = Negated(std::move(operand));
      negated->begin = begin;
      return negated;
    }
    return Relation();
  }

  ExprPtr Relation() {
    ExprPtr left = Sum();
    while (left != nullptr) {
      std::string op;
      bool negated = false;
      const auto is = [&](const char* symbol, const char* name) {
        if (!op.empty() || !TakeSymbol(symbol)) return;
        op = name;
      };
      is("=", "=");
      is("==", "=");
      is("#", "#");
      is("<>", "#");
      is("!=", "#");
      is("<=", "<=");
      is(">=", ">=");
      is("<", "<");
      is(">", ">");
      if (op.empty() && IsWord("is")) {
        ++at_;
        op = TakeWord("not") ? "#" : "=";
        if (!IsWord("null") && !IsWord("nil")) return Fail("expected null, found " + Found());
      }
      if (op.empty() && IsWord("not") &&
          (IsWordAt(1, "in") || IsWordAt(1, "like") || IsWordAt(1, "between") ||
           IsWordAt(1, "contains"))) {
        ++at_;
        negated = true;
      }
      for (const char* word : {"in", "like", "contains"}) {
        if (op.empty() && TakeWord(word)) op = word;
      }
      if (op.empty() && TakeWord("between")) {
        left = Between(std::move(left));
        if (left != nullptr && negated) left = Negated(std::move(left));
        continue;
      }
      if (op.empty()) return left;
      ExprPtr right = Sum();
      if (right == nullptr) return nullptr;
      left = Binary(op, std::move(left), std::move(right));
      if (negated) left = Negated(std::move(left));
    }
    return left;
  }

  // x between a and b: the operand stands for both comparisons, and is parsed twice.
  ExprPtr Between(ExprPtr left) {
    const size_t behind = at_;
    QueryProblem ignored;
    ExprPtr from = Sum();
    if (from == nullptr) return nullptr;
    if (!TakeWord("and")) return Fail("expected and, found " + Found());
    ExprPtr to = Sum();
    if (to == nullptr) return nullptr;
    const size_t end = at_;
    // The operand again.
    at_ = 0;
    while (tokens_[at_].begin < left->begin) ++at_;
    ExprPtr again = Sum();
    at_ = end;
    if (again == nullptr || behind > end) return nullptr;
    return Binary("and", Binary(">=", std::move(left), std::move(from)),
                  Binary("<=", std::move(again), std::move(to)));
  }

  ExprPtr Sum() {
    ExprPtr left = Product();
    while (left != nullptr) {
      std::string op;
      for (const char* symbol : {"+", "-", "&"}) {
        if (op.empty() && TakeSymbol(symbol)) op = symbol;
      }
      if (op.empty()) return left;
      ExprPtr right = Product();
      if (right == nullptr) return nullptr;
      left = Binary(op, std::move(left), std::move(right));
    }
    return left;
  }

  ExprPtr Product() {
    ExprPtr left = Sign();
    while (left != nullptr) {
      std::string op;
      for (const char* symbol : {"*", "/"}) {
        if (op.empty() && TakeSymbol(symbol)) op = symbol;
      }
      for (const char* word : {"div", "mod"}) {
        if (op.empty() && TakeWord(word)) op = word;
      }
      if (op.empty()) return left;
      ExprPtr right = Sign();
      if (right == nullptr) return nullptr;
      left = Binary(op, std::move(left), std::move(right));
    }
    return left;
  }

  ExprPtr Sign() {
    const size_t begin = Next().begin;
    if (!TakeSymbol("-")) {
      (void)TakeSymbol("+");
      return Postfix(0);
    }
    if (++depth_ > kMostDepth) return Fail("the expression is nested too deeply");
    ExprPtr operand = Sign();
    --depth_;
    if (operand == nullptr) return nullptr;
    if (operand->kind == ExprKind::kLiteral && operand->literal.kind == DatumKind::kInteger) {
      operand->literal.number = -operand->literal.number;
      operand->begin = begin;
      return operand;
    }
    if (operand->kind == ExprKind::kLiteral && operand->literal.kind == DatumKind::kReal) {
      operand->literal.real = -operand->literal.real;
      operand->begin = begin;
      return operand;
    }
    ExprPtr expr = Make(ExprKind::kUnary, begin, "-");
    expr->parts.push_back(std::move(operand));
    return expr;
  }

  ExprPtr Postfix(int) {
    ExprPtr expr = Primary();
    while (expr != nullptr) {
      const size_t begin = expr->begin;
      if (TakeSymbol("^")) {
        expr->end = tokens_[at_ - 1].end;
        continue;
      }
      if (TakeSymbol(".") || TakeSymbol("->")) {
        if (Next().kind != TokenKind::kName && Next().kind != TokenKind::kQuotedName) {
          return Fail("expected the name of a field, found " + Found());
        }
        const std::string name = tokens_[at_++].text;
        ExprPtr field = Make(ExprKind::kField, begin, name);
        field->name_begin = tokens_[at_ - 1].begin;
        field->name_end = tokens_[at_ - 1].end;
        field->parts.push_back(std::move(expr));
        expr = std::move(field);
        continue;
      }
      if (TakeSymbol("[")) {
        ExprPtr from, to;
        bool slice = false;
        if (!IsSymbol("..")) {
          from = Or();
          if (from == nullptr) return nullptr;
        }
        if (TakeSymbol("..")) {
          slice = true;
          if (!IsSymbol("]")) {
            to = Or();
            if (to == nullptr) return nullptr;
          }
        }
        if (!TakeSymbol("]")) return Fail("expected ], found " + Found());
        ExprPtr index = Make(slice ? ExprKind::kSlice : ExprKind::kIndex, begin);
        index->parts.push_back(std::move(expr));
        index->parts.push_back(std::move(from));
        if (slice) index->parts.push_back(std::move(to));
        expr = std::move(index);
        continue;
      }
      return expr;
    }
    return expr;
  }

  ExprPtr Literal(size_t begin, Datum value) {
    ExprPtr expr = Make(ExprKind::kLiteral, begin);
    expr->literal = std::move(value);
    return expr;
  }

  ExprPtr Primary() {
    const Token token = Next();
    switch (token.kind) {
      case TokenKind::kNumber: ++at_; return Literal(token.begin, OfNumber(token.number));
      case TokenKind::kReal: ++at_; return Literal(token.begin, OfReal(token.real));
      case TokenKind::kText:
      case TokenKind::kCharacter: ++at_; return Literal(token.begin, OfText(token.text));
      case TokenKind::kReference: {
        const store::PersistentRef reference = ParseReference(token.text);
        if (reference.nil()) return Fail("no object has this name: " + token.text);
        ++at_;
        return Literal(token.begin, OfReference(reference));
      }
      case TokenKind::kQuotedName: ++at_; return Make(ExprKind::kName, token.begin, token.text);
      case TokenKind::kName: break;
      case TokenKind::kSymbol: {
        if (TakeSymbol("(")) {
          ExprPtr inside = Or();
          if (inside == nullptr) return nullptr;
          if (!TakeSymbol(")")) return Fail("expected ), found " + Found());
          inside->begin = token.begin;
          inside->end = tokens_[at_ - 1].end;
          return inside;
        }
        if (TakeSymbol("[")) {
          ExprPtr list = Make(ExprKind::kList, token.begin);
          if (!TakeSymbol("]")) {
            do {
              ExprPtr item = Or();
              if (item == nullptr) return nullptr;
              list->parts.push_back(std::move(item));
            } while (TakeSymbol(","));
            if (!TakeSymbol("]")) return Fail("expected ], found " + Found());
          }
          list->end = tokens_[at_ - 1].end;
          return list;
        }
        return Fail("expected a value, found " + Found());
      }
      case TokenKind::kEnd: return Fail("expected a value, found the end");
    }
    const std::string word = Lower(token.text);
    ++at_;
    if (word == "true" || word == "false") return Literal(token.begin, OfBoolean(word == "true"));
    if (word == "nil" || word == "null") return Literal(token.begin, Datum());
    if (IsSymbol("(")) {
      ++at_;
      ExprPtr call = Make(ExprKind::kCall, token.begin, word);
      if (word == "count" && TakeSymbol("*")) {
        if (!TakeSymbol(")")) return Fail("expected ), found " + Found());
      } else if (!TakeSymbol(")")) {
        do {
          ExprPtr argument = Or();
          if (argument == nullptr) return nullptr;
          call->parts.push_back(std::move(argument));
        } while (TakeSymbol(","));
        if (!TakeSymbol(")")) return Fail("expected ), found " + Found());
      }
      call->end = tokens_[at_ - 1].end;
      return call;
    }
    for (const char* reserved : {"from", "select", "where", "having", "limit", "offset", "and",
                                 "or", "in", "like", "between"}) {
      if (word == reserved) {
        --at_;
        return Fail("expected a value, found " + Found());
      }
    }
    return Make(ExprKind::kName, token.begin, token.text);
  }

  const std::vector<Token> tokens_;
  const std::string_view text_;
  QueryProblem* const problem_;
  size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

std::string ShowProblem(const QueryProblem& problem, std::string_view text) {
  const size_t begin = std::min(problem.begin, text.size());
  size_t line = begin == 0 ? std::string_view::npos : text.rfind('\n', begin - 1);
  line = line == std::string_view::npos ? 0 : line + 1;
  const size_t line_end = std::min(text.find('\n', begin), text.size());
  const size_t end = std::clamp(problem.end, begin + 1, std::max(line_end, begin + 1));
  const auto columns = [&](size_t from, size_t to) {
    size_t count = 0;
    for (size_t i = from; i < std::min(to, text.size()); ++i) {
      if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) ++count;
    }
    return count;
  };
  return problem.what + "\n  " + std::string(text.substr(line, line_end - line)) + "\n  " +
         std::string(columns(line, begin), ' ') +
         std::string(std::max<size_t>(columns(begin, end), 1), '^');
}

std::optional<Query> ParseQuery(std::string_view text, QueryProblem* problem) {
  std::vector<Token> tokens;
  if (!Lexer(text).Run(&tokens, problem)) return std::nullopt;
  return Parser(std::move(tokens), text, problem).RunQuery();
}

ExprPtr ParseExpression(std::string_view text, QueryProblem* problem) {
  std::vector<Token> tokens;
  if (!Lexer(text).Run(&tokens, problem)) return nullptr;
  return Parser(std::move(tokens), text, problem).RunExpression();
}

const std::vector<std::string>& QueryWords() { return kWords; }

}  // namespace tenure::dbtool
