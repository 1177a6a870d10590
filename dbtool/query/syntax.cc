#include "dbtool/query/syntax.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <utility>

#include "dbtool/query/lexer.h"
#include "dbtool/stored/stored_objects.h"

namespace tenure::dbtool {

namespace {

constexpr int kMostDepth = 500;  // of expressions within each other

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
    return Next().kind == TokenKind::kName && LowerWord(Next().text) == word;
  }
  bool IsWordAt(size_t behind, std::string_view word) const {
    const Token& token = tokens_[std::min(at_ + behind, tokens_.size() - 1)];
    return token.kind == TokenKind::kName && LowerWord(token.text) == word;
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
      // A name in backquotes stands for itself.
      item.name = item.expr->kind == ExprKind::kName
                      ? item.expr->name
                      : std::string(text_.substr(begin, item.expr->end - begin));
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
    query->source = query->all ? Postfix() : Or();
    return query->source != nullptr;
  }

  bool ParseNumber(uint64_t* number) {
    if (Next().kind != TokenKind::kNumber) {
      Fail("expected a number, found " + Found());
      return false;
    }
    // 16_FFFFFFFFFFFFFFFF is -1.
    if (Next().number < 0) {
      Fail("expected a number that is not negative");
      return false;
    }
    *number = static_cast<uint64_t>(tokens_[at_++].number);
    return true;
  }

  // Whether the next word begins this clause, which may stand once.
  bool TakeClause(std::string_view word, bool stands, bool* wrong) {
    if (!IsWord(word)) return false;
    if (stands) {
      Fail(std::string(word) + " stands twice" +
           (word == "where" || word == "having" ? ": join conditions with and" : ""));
      *wrong = true;
      return true;
    }
    ++at_;
    return true;
  }

  bool ParseClauses(Query* query) {
    if (Next().kind == TokenKind::kEnd) {
      Fail("a query begins with a path, a type, or select");
      return false;
    }
    const bool behind_select = TakeWord("select");
    if (behind_select) {
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
    // Whether there were these clauses. `select *` and `distinct` alone leave no columns.
    bool selected = behind_select, limited = false, skipped = false, wrong = false;
    while (Next().kind != TokenKind::kEnd) {
      if (TakeClause("select", selected, &wrong)) {
        selected = true;
        if (wrong || !ParseSelect(query)) return false;
      } else if (TakeClause("where", query->where != nullptr, &wrong)) {
        if (wrong || (query->where = Or()) == nullptr) return false;
      } else if (TakeClause("having", query->having != nullptr, &wrong)) {
        if (wrong || (query->having = Or()) == nullptr) return false;
      } else if (TakeClause("group", !query->group.empty(), &wrong)) {
        if (wrong || !ParseBy()) return false;
        do {
          query->group.push_back(Or());
          if (query->group.back() == nullptr) return false;
        } while (TakeSymbol(","));
      } else if (TakeClause("sort", !query->sort.empty(), &wrong) ||
                 TakeClause("order", !query->sort.empty(), &wrong)) {
        if (wrong || !ParseBy()) return false;
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
      } else if (TakeClause("limit", limited, &wrong)) {
        limited = true;
        uint64_t limit = 0;
        if (wrong || !ParseNumber(&limit)) return false;
        query->limit = limit;
      } else if (TakeClause("offset", skipped, &wrong)) {
        skipped = true;
        if (wrong || !ParseNumber(&query->offset)) return false;
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

  // The expression with all of its parts. Null: it is too deep for the functions that walk it.
  ExprPtr Whole(ExprPtr expr) {
    for (const ExprPtr& part : expr->parts) {
      if (part != nullptr) expr->depth = std::max(expr->depth, part->depth + 1);
    }
    return expr->depth > kMostDepth ? TooDeep() : std::move(expr);
  }

  std::nullptr_t TooDeep() {
    return Fail("the expression is nested too deeply: more than " + std::to_string(kMostDepth) +
                " operators or parentheses within each other");
  }

  ExprPtr Operation(ExprKind kind, std::string op, std::vector<ExprPtr> parts) {
    ExprPtr expr = Make(kind, parts.front()->begin, std::move(op));
    expr->end = parts.back()->end;
    expr->parts = std::move(parts);
    return Whole(std::move(expr));
  }

  ExprPtr Binary(std::string op, ExprPtr left, ExprPtr right) {
    std::vector<ExprPtr> parts;
    parts.push_back(std::move(left));
    parts.push_back(std::move(right));
    return Operation(ExprKind::kBinary, std::move(op), std::move(parts));
  }

  ExprPtr Negated(ExprPtr expr) {
    std::vector<ExprPtr> parts;
    parts.push_back(std::move(expr));
    return Operation(ExprKind::kUnary, "not", std::move(parts));
  }

  ExprPtr Or() {
    if (++depth_ > kMostDepth) return TooDeep();
    ExprPtr expr = Joined("or", &Parser::And);
    --depth_;
    return expr;
  }

  ExprPtr And() { return Joined("and", &Parser::Not); }

  // One operand, or all of them in one expression: generated conditions have thousands.
  ExprPtr Joined(const char* word, ExprPtr (Parser::*operand)()) {
    std::vector<ExprPtr> parts;
    do {
      parts.push_back((this->*operand)());
      if (parts.back() == nullptr) return nullptr;
    } while (TakeWord(word));
    if (parts.size() == 1) return std::move(parts[0]);
    return Operation(ExprKind::kBinary, word, std::move(parts));
  }

  ExprPtr Not() {
    if (IsWord("not")) {
      if (++depth_ > kMostDepth) return TooDeep();
      const size_t begin = Next().begin;
      ++at_;
      ExprPtr operand = Not();
      --depth_;
      if (operand == nullptr) return nullptr;
      ExprPtr negated = Negated(std::move(operand));
      if (negated != nullptr) negated->begin = begin;
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
      if (left != nullptr && negated) left = Negated(std::move(left));
    }
    return left;
  }

  ExprPtr Between(ExprPtr left) {
    ExprPtr from = Sum();
    if (from == nullptr) return nullptr;
    if (!TakeWord("and")) return Fail("expected and, found " + Found());
    ExprPtr to = Sum();
    if (to == nullptr) return nullptr;
    std::vector<ExprPtr> parts;
    parts.push_back(std::move(left));
    parts.push_back(std::move(from));
    parts.push_back(std::move(to));
    return Operation(ExprKind::kBetween, "between", std::move(parts));
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
      return Postfix();
    }
    if (++depth_ > kMostDepth) return TooDeep();
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
    return Whole(std::move(expr));
  }

  // The names, indexes and ranges behind a value.
  ExprPtr Postfix() {
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
        expr = Whole(std::move(field));
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
        expr = Whole(std::move(index));
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
          return Whole(std::move(list));
        }
        return Fail("expected a value, found " + Found());
      }
      case TokenKind::kEnd: return Fail("expected a value, found the end");
    }
    const std::string word = LowerWord(token.text);
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
      return Whole(std::move(call));
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

std::optional<Query> ParseQuery(std::string_view text, QueryProblem* problem) {
  std::optional<std::vector<Token>> tokens = TokensOf(text, problem);
  if (!tokens) return std::nullopt;
  return Parser(*std::move(tokens), text, problem).RunQuery();
}

ExprPtr ParseExpression(std::string_view text, QueryProblem* problem) {
  std::optional<std::vector<Token>> tokens = TokensOf(text, problem);
  if (!tokens) return nullptr;
  return Parser(*std::move(tokens), text, problem).RunExpression();
}

const std::vector<std::string>& QueryWords() { return kWords; }

}  // namespace tenure::dbtool
