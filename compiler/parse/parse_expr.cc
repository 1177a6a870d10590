// Expressions (language.md 2.5).

#include <algorithm>
#include <optional>
#include <utility>

#include "compiler/parse/parse_state.h"

namespace tenure::compiler {
namespace {

// The levels of 2.5: Expr is 1, E1 is 2, and so on; a higher level binds tighter.
constexpr int kLowestLevel = 1;
constexpr int kNotLevel = 3;
constexpr int kRelationLevel = 4;
constexpr int kSignLevel = 7;

struct BinaryOperator {
  int level;
  ast::BinaryOp op;
};

std::optional<BinaryOperator> FindBinaryOperator(TokenKind kind) {
  using ast::BinaryOp;
  switch (kind) {
    case TokenKind::kOr: return {{1, BinaryOp::kOr}};
    case TokenKind::kAnd: return {{2, BinaryOp::kAnd}};
    case TokenKind::kEqual: return {{4, BinaryOp::kEqual}};
    case TokenKind::kNotEqual: return {{4, BinaryOp::kNotEqual}};
    case TokenKind::kLess: return {{4, BinaryOp::kLess}};
    case TokenKind::kLessEqual: return {{4, BinaryOp::kLessEqual}};
    case TokenKind::kGreater: return {{4, BinaryOp::kGreater}};
    case TokenKind::kGreaterEqual: return {{4, BinaryOp::kGreaterEqual}};
    case TokenKind::kIn: return {{4, BinaryOp::kIn}};
    case TokenKind::kPlus: return {{5, BinaryOp::kAdd}};
    case TokenKind::kMinus: return {{5, BinaryOp::kSubtract}};
    case TokenKind::kAmpersand: return {{5, BinaryOp::kConcat}};
    case TokenKind::kStar: return {{6, BinaryOp::kMultiply}};
    case TokenKind::kSlash: return {{6, BinaryOp::kDivide}};
    case TokenKind::kDiv: return {{6, BinaryOp::kDiv}};
    case TokenKind::kMod: return {{6, BinaryOp::kMod}};
    default: return std::nullopt;
  }
}

}  // namespace

bool Parser::IsBinaryOperator(TokenKind k) { return FindBinaryOperator(k).has_value(); }

bool Parser::StartsExpr(TokenKind k) const {
  switch (k) {
    case TokenKind::kIdentifier:
    case TokenKind::kNumber:
    case TokenKind::kCharLiteral:
    case TokenKind::kTextLiteral:
    case TokenKind::kLeftParen:
    case TokenKind::kPlus:
    case TokenKind::kMinus:
    case TokenKind::kNot: return true;
    case TokenKind::kProcedure: return false;
    default: return StartsType(k);
  }
}

ast::Expr* Parser::MakeErrorExpr() {
  ast::ErrorExpr* error = New<ast::ErrorExpr>();
  error->span = AfterPrevious();
  return error;
}

ast::Expr* Parser::ParseExpr() { return ParseExprOrType(false); }

ast::Expr* Parser::ParseHeaderExpr() {
  const bool outer = std::exchange(in_header_, true);
  ast::Expr* expr = ParseExpr();
  in_header_ = outer;
  return expr;
}

// At `{` behind an operand: a constructor's braces have no `;` in them.
bool Parser::AtBraceOfStatements(const ast::Expr* before) const {
  if (!in_header_ || grammar_only_) return false;
  if (before->kind != ast::ExprKind::kName && before->kind != ast::ExprKind::kSelect &&
      before->kind != ast::ExprKind::kType) {
    return Helps();
  }
  int depth = 0;
  for (size_t i = position_; i + 1 < tokens_.size(); ++i) {
    switch (tokens_[i].kind) {
      case TokenKind::kLeftBrace: ++depth; break;
      case TokenKind::kRightBrace:
        if (--depth == 0) return false;
        break;
      case TokenKind::kSemicolon: return HelpsUpTo(i);
      default: break;
    }
  }
  return false;
}

ast::Expr* Parser::ParseExprOrType(bool allow_type) {
  const Nesting nesting(*this, "the expression");
  const bool outer_allowed = type_allowed_;
  type_allowed_ = allow_type;
  ast::Expr* expr = ParseLevel(kLowestLevel);
  type_allowed_ = outer_allowed;
  if (!allow_type) expr = RequireValue(expr);
  depth_ = std::max<int>(depth_, expr->depth);
  return expr;
}

ast::Expr* Parser::RequireValue(ast::Expr* expr) {
  if (expr->kind != ast::ExprKind::kType) return expr;
  const ast::TypeExpr* type = ast::As<ast::TypeAsExpr>(expr)->type;
  if (type->kind != ast::TypeKind::kError && !gave_up_) {
    Report(type->kind == ast::TypeKind::kEnumeration ? MessageId::kBareBraces
                                                     : MessageId::kTypeAsValue,
           expr->span);
    last_error_ = position_;
  }
  ast::ErrorExpr* error = New<ast::ErrorExpr>();
  error->span = expr->span;
  return error;
}

// One level of binary operators, all of which associate to the left.
ast::Expr* Parser::ParseLevel(int level) {
  if (level == kNotLevel && AtWord("NOT") &&
      (PeekKind(1) == TokenKind::kIdentifier || PeekKind(1) == TokenKind::kNot)) {
    FixLowerCase();
  }
  if (level == kNotLevel && At(TokenKind::kNot)) return ParseNot(level + 1);
  if (level == kSignLevel) return ParseSign();
  const uint32_t begin = token().begin;
  ast::Expr* left = ParseLevel(level + 1);
  bool is_chain = false;
  for (;;) {
    repairs_.FixLowerCaseOperator();
    if (level == kRelationLevel) {
      if (repairs_.FixNotIn(begin)) continue;
      if (ast::Expr* test = repairs_.ParseTypeTest(level + 1)) {
        left = test;
        continue;
      }
    }
    if (At(TokenKind::kMod) && Helps() && TokenSpan().text() == "%" &&
        left->kind == ast::ExprKind::kTextLiteral && level + 1 == kSignLevel) {
      ReportForeign(ForeignForm::kTextFormat, TokenSpan());
      Advance();
      ParseLevel(level + 1);
      last_error_ = position_;
      left = MakeErrorExpr();
      continue;
    }
    const Repairer::ForeignOperator foreign = repairs_.FindForeignOperator();
    const std::optional<BinaryOperator> found =
        FindBinaryOperator(foreign.tokens > 0 ? foreign.meant : kind());
    if (!found || found->level != level) return left;
    ast::BinaryExpr* binary = New<ast::BinaryExpr>();
    binary->op = found->op;
    binary->op_span = foreign.tokens == 2 ? SpanTo(1) : TokenSpan();
    if (foreign.tokens > 0) repairs_.ReportOperator(foreign, binary->op_span);
    Advance();
    if (foreign.tokens == 2) Advance();
    binary->left = RequireValue(left);
    ast::Expr* right = ParseLevel(level + 1);
    if (found->op == ast::BinaryOp::kIn && repairs_.FixInRange(binary->left, right, begin)) {
      left = Finish(MakeErrorExpr(), begin);
      continue;
    }
    binary->right = RequireValue(right);
    // A flat chain of any length does not count as a deep tree, because walks of it do not recurse
    // to the left.
    if (is_chain && binary->left == left) {
      binary->depth = left->depth;
    } else {
      Deepen(binary, binary->left);
    }
    is_chain = level != kRelationLevel;
    Deepen(binary, binary->right);
    left = Finish(binary, begin);
  }
}

// {NOT} and an operand of the level. A loop, so that many NOTs cannot exhaust the stack.
ast::Expr* Parser::ParseNot(int level) {
  std::vector<SourceSpan> operators;
  for (; At(TokenKind::kNot); Advance()) {
    operators.push_back(TokenSpan());
    if (token().is_foreign && Helps()) {
      const std::string text(TokenSpan().text());
      RepairForeign(ForeignForm::kNegation, TokenSpan(), {text}).Fix(TokenSpan(), "NOT ");
    }
  }
  ast::Expr* operand = RequireValue(ParseLevel(level));
  for (size_t i = operators.size(); i-- > 0 && !gave_up_;) {
    ast::UnaryExpr* unary = New<ast::UnaryExpr>();
    unary->op = ast::UnaryOp::kNot;
    unary->op_span = operators[i];
    unary->operand = operand;
    Deepen(unary, operand);
    operand = Finish(unary, operators[i].begin);
  }
  return operand;
}

// {"+" | "-"} E7.
ast::Expr* Parser::ParseSign() {
  std::vector<Token> operators;
  for (; At(TokenKind::kPlus) || At(TokenKind::kMinus); Advance()) operators.push_back(token());
  ast::Expr* operand;
  if (At(TokenKind::kNot)) {
    // `a = NOT b` is not an E4 (2.5 e), but the meaning is clear.
    if (MayReport()) Report(MessageId::kNotNeedsParentheses, TokenSpan());
    operand = ParseNot(kNotLevel + 1);
  } else {
    operand = ParsePostfix();
  }
  if (!operators.empty()) operand = RequireValue(operand);
  for (size_t i = operators.size(); i-- > 0 && !gave_up_;) {
    ast::UnaryExpr* unary = New<ast::UnaryExpr>();
    unary->op = operators[i].kind == TokenKind::kPlus ? ast::UnaryOp::kPlus : ast::UnaryOp::kMinus;
    unary->op_span = file_.Span(operators[i].begin, operators[i].end);
    unary->operand = operand;
    Deepen(unary, operand);
    operand = Finish(unary, operators[i].begin);
  }
  return operand;
}

// E8 {Selector}.
ast::Expr* Parser::ParsePostfix() {
  const uint32_t begin = token().begin;
  ast::Expr* expr = ParsePrimary();
  for (;;) {
    switch (kind()) {
      case TokenKind::kCaret: {
        ast::DerefExpr* deref = New<ast::DerefExpr>();
        Advance();
        deref->operand = RequireValue(expr);
        Deepen(deref, deref->operand);
        expr = Finish(deref, begin);
        break;
      }
      case TokenKind::kPlus:
        if (!repairs_.SkipStepValue(expr, begin)) return expr;
        return MakeErrorExpr();
      case TokenKind::kMinus:
      case TokenKind::kColon: {
        const bool is_arrow = AtJoined(TokenKind::kMinus, TokenKind::kGreater);
        const bool is_colons = AtJoined(TokenKind::kColon, TokenKind::kColon);
        if ((!is_arrow && !is_colons) || !Helps(1) || PeekKind(2) != TokenKind::kIdentifier) {
          return expr;
        }
        RepairForeign(is_arrow ? ForeignForm::kArrowSelect : ForeignForm::kColonsSelect, SpanTo(1))
            .Fix(SpanTo(1), ".");
        Advance();
        expr = ParseSelect(RequireValue(expr), begin);
        break;
      }
      case TokenKind::kDot: expr = ParseSelect(RequireValue(expr), begin); break;
      case TokenKind::kLeftBracket: expr = ParseSubscript(RequireValue(expr), begin); break;
      case TokenKind::kLeftParen: expr = ParseCall(RequireValue(expr), begin); break;
      case TokenKind::kLeftBrace: {
        if (AtBraceOfStatements(expr)) return expr;
        ast::TypeExpr* type = nullptr;
        if (auto* type_expr = ast::DynAs<ast::TypeAsExpr>(expr)) {
          type = type_expr->type;
        } else {
          type = ToTypeName(expr);
        }
        if (type == nullptr) {
          if (expr->kind != ast::ExprKind::kError && MayReport()) {
            Report(MessageId::kConstructorType, expr->span);
          }
          ParseConstructor(Finish(New<ast::ErrorType>(), begin), begin);
          expr = Finish(New<ast::ErrorExpr>(), begin);
          break;
        }
        expr = ParseConstructor(type, begin);
        break;
      }
      case TokenKind::kObject:
      case TokenKind::kBranded: {
        ast::NamedType* supertype = type_allowed_ ? ToTypeName(expr) : nullptr;
        if (supertype == nullptr) return expr;
        ast::TypeAsExpr* type_expr = New<ast::TypeAsExpr>();
        const int outer_depth = depth_;
        type_expr->type = ParseObjectSuffixes(supertype, begin);
        depth_ = std::max<int>(outer_depth, type_expr->type->depth);
        Deepen(type_expr, type_expr->type);
        expr = Finish(type_expr, begin);
        break;
      }
      default: return expr;
    }
  }
}

ast::NamedType* Parser::ToTypeName(const ast::Expr* expr) {
  ast::QualId id;
  if (const auto* name = ast::DynAs<ast::NameExpr>(expr)) {
    id.name = {name->name, name->span};
  } else if (const auto* select = ast::DynAs<ast::SelectExpr>(expr)) {
    const auto* qualifier =
        ast::DynAs<ast::NameExpr>(static_cast<const ast::Expr*>(select->operand));
    if (qualifier == nullptr) return nullptr;
    id.qualifier = {qualifier->name, qualifier->span};
    id.name = select->selector;
  } else {
    return nullptr;
  }
  id.span = expr->span;
  ast::NamedType* type = New<ast::NamedType>();
  type->id = id;
  type->span = expr->span;
  return type;
}

ast::Expr* Parser::ParseSelect(ast::Expr* operand, uint32_t begin) {
  ast::SelectExpr* select = New<ast::SelectExpr>();
  Advance();
  select->operand = operand;
  select->selector = ExpectIdent("a name after '.'", "2.5");
  Deepen(select, operand);
  if (!select->selector.name) return MakeErrorExpr();
  return Finish(select, begin);
}

// "[" Expr {"," Expr} "]".
ast::Expr* Parser::ParseSubscript(ast::Expr* operand, uint32_t begin) {
  ast::SubscriptExpr* subscript = New<ast::SubscriptExpr>();
  const SourceSpan opening = TokenSpan();
  Advance();
  subscript->operand = operand;
  Deepen(subscript, operand);
  do {
    ast::Expr* index = At(TokenKind::kColon) && Helps() ? nullptr : ParseExpr();
    if (Helps() && (At(TokenKind::kColon) || At(TokenKind::kDotDot))) {
      return repairs_.ParseSlice(operand, index, begin);
    }
    subscript->indices.push_back(index);
    Deepen(subscript, subscript->indices.back());
  } while (Accept(TokenKind::kComma));
  CloseBracket(TokenKind::kRightBracket, "',' or ']'", opening);
  return Finish(subscript, begin);
}

ast::Expr* Parser::ParseCall(ast::Expr* callee, uint32_t begin) {
  ast::CallExpr* call = New<ast::CallExpr>();
  const SourceSpan opening = TokenSpan();
  Advance();
  call->callee = callee;
  Deepen(call, callee);
  if (!At(TokenKind::kRightParen)) {
    do {
      call->actuals.push_back(ParseActual());
      repairs_.FixNamedActual(callee, call->actuals.back());
      Deepen(call, call->actuals.back().value);
    } while (Accept(TokenKind::kComma));
  }
  if (repairs_.SkipPrintWidth(*call)) return Finish(MakeErrorExpr(), begin);
  CloseBracket(TokenKind::kRightParen, "',' or ')'", opening);
  return Finish(call, begin);
}

// Type | [Id ":="] Expr.
ast::Actual Parser::ParseActual() {
  ast::Actual actual;
  repairs_.SkipActualMode();
  const uint32_t begin = token().begin;
  if (AtIdent() && PeekKind(1) == TokenKind::kAssign) {
    actual.keyword = ExpectIdent("a name", "2.5");
    Advance();
    actual.value = ParseExpr();
  } else if (repairs_.SkipLambda()) {
    actual.value = MakeErrorExpr();
  } else {
    actual.value = ParseExprOrType(true);
  }
  actual.span = SpanFrom(begin);
  return actual;
}

ast::Expr* Parser::ParsePrimary() {
  const uint32_t begin = token().begin;
  if (AtWord("LAMBDA") && Helps(1) && PeekKind(1) == TokenKind::kIdentifier &&
      (PeekKind(2) == TokenKind::kColon || PeekKind(2) == TokenKind::kComma)) {
    const SourceSpan whole = file_.Span(begin, tokens_[position_ + 1].end);
    ReportForeign(ForeignForm::kLambda, whole);
    while (!At(TokenKind::kRightParen) && !AtStatementStop()) Advance();
    last_error_ = position_;
    return MakeErrorExpr();
  }
  while (IsPragma(kind()) && !StartsType(kind())) SkipMisplacedPragma();
  switch (kind()) {
    case TokenKind::kIdentifier: {
      if (AtWord("NEW") && Helps(1) &&
          (PeekKind(1) == TokenKind::kIdentifier ||
           (token().name == "NEW" &&
            (PeekKind(1) == TokenKind::kRef || PeekKind(1) == TokenKind::kArray)))) {
        return repairs_.ParseForeignNew();
      }
      if (ast::Expr* text = repairs_.ParsePrefixedText()) return text;
      ast::NameExpr* name = New<ast::NameExpr>();
      name->name = token().name;
      Advance();
      return Finish(name, begin);
    }
    case TokenKind::kNumber: return ParseNumber();
    case TokenKind::kCharLiteral: {
      ast::CharLiteralExpr* literal = New<ast::CharLiteralExpr>();
      literal->value = static_cast<uint32_t>(token().value);
      literal->is_wide = token().is_wide;
      Advance();
      return Finish(literal, begin);
    }
    case TokenKind::kTextLiteral: {
      ast::TextLiteralExpr* literal = New<ast::TextLiteralExpr>();
      literal->value = list_.texts[token().value];
      literal->is_wide = token().is_wide;
      Advance();
      return Finish(literal, begin);
    }
    case TokenKind::kLeftParen: return ParseParenthesized();
    case TokenKind::kStar:
    case TokenKind::kCaret:
    case TokenKind::kAmpersand:
      if (PeekKind(1) == TokenKind::kIdentifier && Helps()) return repairs_.ParsePrefixOperator();
      ReportExpected("an expression", "2.5");
      return MakeErrorExpr();
    case TokenKind::kIf: {
      if (!Helps()) {
        ReportExpected("an expression", "2.5");
        return MakeErrorExpr();
      }
      ReportForeign(ForeignForm::kIfValue, TokenSpan());
      Advance();
      repairs_.SkipToEnd(/*case_opens=*/true);
      return Finish(MakeErrorExpr(), begin);
    }
    default:
      if (At(TokenKind::kLeftBracket) && repairs_.AtArrayValue()) return repairs_.ParseArrayValue();
      if (StartsType(kind())) return ParseTypeInExpr();
      ReportExpected("an expression", "2.5");
      return MakeErrorExpr();
  }
}

ast::Expr* Parser::ParseNumber() {
  ast::NumberExpr* number = New<ast::NumberExpr>();
  const uint32_t begin = token().begin;
  switch (token().number_form) {
    case NumberForm::kInteger: number->number_kind = ast::NumberKind::kInteger; break;
    case NumberForm::kLongint: number->number_kind = ast::NumberKind::kLongint; break;
    case NumberForm::kReal: number->number_kind = ast::NumberKind::kReal; break;
    case NumberForm::kLongreal: number->number_kind = ast::NumberKind::kLongreal; break;
    case NumberForm::kExtended: number->number_kind = ast::NumberKind::kExtended; break;
  }
  number->is_based = token().is_based;
  number->value = token().value;
  number->real_text = token().name;
  Advance();
  return Finish(number, begin);
}

ast::Expr* Parser::ParseParenthesized() {
  const SourceSpan opening = TokenSpan();
  Advance();
  const bool outer_header = std::exchange(in_header_, false);
  // A type in parentheses may begin a constructor, so the caller decides whether it is allowed.
  ast::Expr* expr = ParseExprOrType(true);
  if (repairs_.SkipInParens(opening)) expr = MakeErrorExpr();
  CloseBracket(TokenKind::kRightParen, "')'", opening);
  in_header_ = outer_header;
  if (repairs_.SkipBehindParens(expr, opening)) return MakeErrorExpr();
  return expr;
}

// Parses a type that is an actual or begins a constructor.
ast::Expr* Parser::ParseTypeInExpr() {
  const uint32_t begin = token().begin;
  if (At(TokenKind::kLeftBrace)) {
    // `{1, 2}` is not an enumeration, and `x IN {a, b}` has no set.
    const TokenKind next = PeekKind(1), after = PeekKind(2);
    const bool is_enumeration = next == TokenKind::kRightBrace ||
                                (next == TokenKind::kIdentifier &&
                                 (after == TokenKind::kComma || after == TokenKind::kRightBrace));
    if (!is_enumeration) return ParseBareBraces();
  }
  ast::TypeAsExpr* type_expr = New<ast::TypeAsExpr>();
  type_expr->type = ParseType();
  Deepen(type_expr, type_expr->type);
  return Finish(type_expr, begin);
}

ast::Expr* Parser::ParseBareBraces() {
  const uint32_t begin = token().begin;
  if (MayReport()) Report(MessageId::kBareBraces, TokenSpan());
  ParseConstructor(New<ast::ErrorType>(), begin);
  ast::ErrorExpr* error = New<ast::ErrorExpr>();
  return Finish(error, begin);
}

// At "{" behind the type: "{" [SetCons | RecordCons | ArrayCons] "}".
ast::Expr* Parser::ParseConstructor(ast::TypeExpr* type, uint32_t begin) {
  ast::ConstructorExpr* constructor = New<ast::ConstructorExpr>();
  const SourceSpan opening = TokenSpan();
  Advance();
  constructor->type = type;
  Deepen(constructor, type);
  if (!At(TokenKind::kRightBrace)) ParseConstructorElements(*constructor);
  CloseBracket(TokenKind::kRightBrace, "',' or '}'", opening);
  return Finish(constructor, begin);
}

void Parser::ParseConstructorElements(ast::ConstructorExpr& constructor) {
  do {
    if (At(TokenKind::kDotDot)) {
      if (constructor.elements.empty() && MayReport()) {
        Report(MessageId::kDotsWithoutElement, TokenSpan());
      }
      constructor.has_trailing_dots = true;
      constructor.dots_span = TokenSpan();
      Advance();
      return;
    }
    ast::ConstructorElement element;
    const uint32_t begin = token().begin;
    if (repairs_.SkipOtherElements()) return;
    if (AtIdent() && PeekKind(1) == TokenKind::kAssign) {
      element.keyword = ExpectIdent("a name", "2.5");
      Advance();
    } else if (AtIdent() && Helps(1) &&
               (PeekKind(1) == TokenKind::kColon || PeekKind(1) == TokenKind::kArrow)) {
      // `Point{x: 1}`, `Point{x => 1}`
      element.keyword = ExpectIdent("a name", "2.5");
      const std::string name = element.keyword.name ? element.keyword.name.str() : "x";
      const SourceSpan mark = TokenSpan();
      const bool is_close = At(TokenKind::kColon);
      RepairForeign(ForeignForm::kFieldValue, mark,
                    {name + (is_close ? ": ..." : " => ..."), name + " := ..."})
          .Fix(mark, is_close ? " :=" : ":=");
      Advance();
    }
    element.value = ParseExpr();
    Deepen(&constructor, element.value);
    if (At(TokenKind::kDotDot)) {
      const SourceSpan dots = TokenSpan();
      Advance();
      if (At(TokenKind::kRightBrace)) {
        // `{1, 2 ..}`: the comma is missing.
        if (MayReport()) Report(MessageId::kDotsWithoutElement, dots).Fix(dots, ", ..");
        constructor.has_trailing_dots = true;
        constructor.dots_span = dots;
      } else {
        element.high = ParseExpr();
        Deepen(&constructor, element.high);
      }
    }
    element.span = SpanFrom(begin);
    constructor.elements.push_back(element);
  } while (Accept(TokenKind::kComma));
}

}  // namespace tenure::compiler
