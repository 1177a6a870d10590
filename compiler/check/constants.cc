// Constants and the folding of operators (docs/language.md 19).
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "compiler/check/checker.h"
#include "compiler/check/walk.h"
#include "compiler/types/equality.h"

namespace tenure::compiler {

// --- making ---

Expr* Checker::MakeConstant(const Constant* value, Type* type, SourceSpan span) {
  if (value->kind == Constant::Kind::kProcedure) {
    auto* node = Node<ProcedureExpr>(span, type);
    node->procedure = value->procedure;
    return node;
  }
  auto* node = Node<ConstantExpr>(span, type);
  node->value = value;
  return node;
}

Expr* Checker::MakeError(SourceSpan span) {
  auto* node = Node<ConstantExpr>(span, types().error);
  node->value = error_constant_;
  // This avoids a second message that it cannot be assigned to.
  node->designator = node->writable = true;
  return node;
}

Expr* Checker::MakeOrdinal(int64_t value, Type* type, SourceSpan span) {
  Constant* constant = Make<Constant>();
  constant->kind = Constant::Kind::kOrdinal;
  constant->ordinal = value;
  return MakeConstant(constant, type, span);
}

Expr* Checker::MakeReal(double value, Type* type, SourceSpan span) {
  Constant* constant = Make<Constant>();
  constant->kind = Constant::Kind::kReal;
  constant->real =
      type->kind == TypeKind::kReal ? static_cast<double>(static_cast<float>(value)) : value;
  return MakeConstant(constant, type, span);
}

Expr* Checker::MakeBoolean(bool value, SourceSpan span) {
  return MakeOrdinal(value, types().boolean, span);
}

Expr* Checker::MakeText(std::u32string text, bool wide, SourceSpan span) {
  Constant* constant = Make<Constant>();
  constant->kind = Constant::Kind::kText;
  constant->wide =
      wide || std::any_of(text.begin(), text.end(), [](char32_t c) { return c > 255; });
  constant->text = std::move(text);
  if (OwnInterface("TextFlat") == nullptr && options_.needs_main) {
    if (!unit_->text_missing_reported)
      Error(MessageId::kNeedsInterface, span, "a text literal", "TextFlat");
    unit_->text_missing_reported = true;
  }
  Symbol* text_symbol = universe_.FindHere(interner_.Intern("TEXT"))->symbol;
  if (!text_symbol->first_use.valid()) text_symbol->first_use = span;
  return MakeConstant(constant, types().text, span);
}

const Constant* Checker::ConstantOf(Expr* value) {
  if (auto* constant = ExprAs<ConstantExpr>(value)) return constant->value;
  if (Procedure* procedure = TopLevelProcedure(value)) {
    Constant* constant = Make<Constant>();
    constant->kind = Constant::Kind::kProcedure;
    constant->procedure = procedure;
    return constant;
  }
  return nullptr;
}

const Constant* Checker::OrdinalConstant(Expr* value) {
  auto* constant = ExprAs<ConstantExpr>(value);
  if (constant == nullptr || constant->value->kind != Constant::Kind::kOrdinal) return nullptr;
  return constant->value;
}

const Constant* Checker::CheckConstant(const ast::Expr* tree, Type** type, std::string_view what) {
  Expr* value = CheckExpr(tree);
  *type = value->type;
  if (IsError(value)) return nullptr;
  const Constant* constant = ConstantOf(value);
  if (constant == nullptr && !ReportUnfoldable(value)) {
    auto error = Error(MessageId::kNotConstant, tree->span, what);
    if (what == "the value of a constant") {
      error.Hint("VAR declares a name for a value that is computed when the program runs");
    } else if (what == "the bound of a subrange") {
      error.Hint("the length of an array can be computed only for NEW: NEW(REF ARRAY OF T, n)");
    } else if (what == "a label of CASE") {
      error.Hint("IF ... THEN ... ELSIF compares with values that are computed");
    } else if (what == "the default of a formal") {
      error.Hint("give the formal no default, or a constant one, and let the body choose");
    } else if (what == "the default of a method" || what == "an override") {
      error.Hint("name a procedure of the top level");
    }
  }
  return constant;
}

bool Checker::ReportUnfoldable(const Expr* whole) {
  // Looks at one operation. Operands of a binary operator have been looked at before.
  const auto report = [&](const Expr* value) {
    bool constants = true, found = false, none = true;
    ForEachOperand(value, [&](const Expr* operand) {
      none = false;
      constants = constants && operand->kind == ExprKind::kConstant;
      // The walk along the chain looks at operands of binary operators.
      found = found || (value->kind != ExprKind::kBinary && ReportUnfoldable(operand));
    });
    if (found || none || !constants) return found;
    // All operations on constants have a value except these.
    const Constant* divisor = nullptr;
    if (const auto* binary = ExprAs<const BinaryExpr>(value)) {
      if (binary->operands == Operands::kAddress || binary->operands == Operands::kSet)
        return false;
      if (binary->op != Op::kMultiply) divisor = ExprAs<const ConstantExpr>(binary->right)->value;
    } else if (const auto* builtin = ExprAs<const BuiltinExpr>(value)) {
      const bool rounds =
          builtin->builtin == Builtin::kFloor || builtin->builtin == Builtin::kCeiling ||
          builtin->builtin == Builtin::kRound || builtin->builtin == Builtin::kTrunc;
      if (!rounds && builtin->builtin < Builtin::kWordPlus) return false;
      if (builtin->builtin == Builtin::kWordDivide || builtin->builtin == Builtin::kWordMod)
        divisor = ExprAs<const ConstantExpr>(builtin->arguments[1])->value;
    } else {
      return false;
    }
    const bool by_zero = divisor != nullptr && divisor->real == 0 && divisor->ordinal == 0;
    Error(by_zero ? MessageId::kConstantDivideByZero : MessageId::kConstantOverflow, value->span);
    unfoldable_.insert(value);
    return true;
  };
  std::vector<const Expr*> chain;  // of any length, from right to left
  while (const auto* binary = ExprAs<const BinaryExpr>(whole)) {
    chain.push_back(whole);
    whole = binary->left;
  }
  bool found = report(whole);
  for (; !found && !chain.empty(); chain.pop_back()) {
    found = ReportUnfoldable(ExprAs<const BinaryExpr>(chain.back())->right) || report(chain.back());
  }
  return found;
}

void Checker::WarnUnlessReported(const Expr* value, std::string_view range) {
  Verify([this, value, range = std::string(range)] {
    if (unfoldable_.count(value) > 0) return;
    if (range.empty()) {
      Warn(MessageId::kDivideByZero, value->span);
    } else {
      Warn(MessageId::kConstantOutOfRange, value->span, range);
    }
  });
}

// --- folding ---

namespace {

// As FunctionLowering::FloatMod: the result is exact even where the quotient is not.
double FloorMod(double x, double y) {
  const double remainder = std::fmod(x, y);
  return remainder != 0 && (remainder < 0) != (y < 0) ? remainder + y : remainder;
}

int64_t FloorDiv(int64_t x, int64_t y) {
  const int64_t quotient = x / y;
  return x % y != 0 && (x < 0) != (y < 0) ? quotient - 1 : quotient;
}

int64_t FloorMod(int64_t x, int64_t y) {
  const int64_t rest = x % y;
  return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

}  // namespace

Expr* Checker::FoldUnary(UnaryExpr* node) {
  const Constant* operand = ConstantOf(node->operand);
  if (operand == nullptr) return node;
  if (node->op == Op::kPlus) return MakeConstant(operand, node->type, node->span);
  if (operand->kind == Constant::Kind::kReal)
    return MakeReal(-operand->real, node->type, node->span);
  if (operand->ordinal == std::numeric_limits<int64_t>::min()) {
    Error(MessageId::kConstantOverflow, node->span);
    return MakeError(node->span);
  }
  return MakeOrdinal(-operand->ordinal, node->type, node->span);
}

Expr* Checker::FoldBinary(BinaryExpr* node) {
  const Constant *a = ConstantOf(node->left), *b = ConstantOf(node->right);
  if (b != nullptr && (node->op == Op::kDiv || node->op == Op::kMod) &&
      node->operands == Operands::kInteger && b->ordinal == 0) {
    WarnUnlessReported(node, "");
    return node;
  }
  if (a == nullptr || b == nullptr) return node;
  if (node->operands == Operands::kInteger) {
    const int64_t x = a->ordinal, y = b->ordinal;
    int64_t result = 0;
    bool overflow = false;
    switch (node->op) {
      case Op::kAdd: overflow = __builtin_add_overflow(x, y, &result); break;
      case Op::kSubtract: overflow = __builtin_sub_overflow(x, y, &result); break;
      case Op::kMultiply: overflow = __builtin_mul_overflow(x, y, &result); break;
      case Op::kDiv:
        overflow = x == std::numeric_limits<int64_t>::min() && y == -1;
        if (!overflow) result = FloorDiv(x, y);
        break;
      case Op::kMod: result = y == -1 ? 0 : FloorMod(x, y); break;
      default: return node;
    }
    if (overflow) {
      Error(MessageId::kConstantOverflow, node->span);
      return MakeError(node->span);
    }
    return MakeOrdinal(result, node->type, node->span);
  }
  if (node->operands == Operands::kReal || node->operands == Operands::kLongreal) {
    const double x = a->real, y = b->real;
    double result = 0;
    switch (node->op) {
      case Op::kAdd: result = x + y; break;
      case Op::kSubtract: result = x - y; break;
      case Op::kMultiply: result = x * y; break;
      case Op::kDivide: result = x / y; break;
      case Op::kMod: result = FloorMod(x, y); break;
      default: return node;
    }
    if (node->type->kind == TypeKind::kReal)
      result = static_cast<double>(static_cast<float>(result));
    // Not a constant. At run time the operation gives infinity or NaN, as FloatMode says (16).
    if (!std::isfinite(result) && std::isfinite(x) && std::isfinite(y)) return node;
    return MakeReal(result, node->type, node->span);
  }
  if (node->operands == Operands::kSet) {
    Constant* result = Make<Constant>();
    result->kind = Constant::Kind::kSet;
    result->set_words.resize(std::max(a->set_words.size(), b->set_words.size()));
    for (size_t i = 0; i < result->set_words.size(); ++i) {
      const uint64_t x = i < a->set_words.size() ? a->set_words[i] : 0;
      const uint64_t y = i < b->set_words.size() ? b->set_words[i] : 0;
      switch (node->op) {
        case Op::kAdd: result->set_words[i] = x | y; break;
        case Op::kSubtract: result->set_words[i] = x & ~y; break;
        case Op::kMultiply: result->set_words[i] = x & y; break;
        default: result->set_words[i] = x ^ y; break;
      }
    }
    return MakeConstant(result, node->type, node->span);
  }
  return node;
}

// No value if only the run time knows the result: texts are compared by reference.
std::optional<bool> Checker::EqualConstants(const Constant* a, const Constant* b, Type* type) {
  type = StripPacked(type);
  switch (a->kind) {
    case Constant::Kind::kOrdinal:
      if (b->kind != Constant::Kind::kOrdinal) return std::nullopt;
      return a->ordinal == b->ordinal;
    case Constant::Kind::kReal: return a->real == b->real;
    case Constant::Kind::kText:
      return b->kind == Constant::Kind::kNil ? std::optional(false) : std::nullopt;
    case Constant::Kind::kNil:
      if (b->kind == Constant::Kind::kNil) return true;
      return false;
    case Constant::Kind::kSet: return a->set_words == b->set_words;
    case Constant::Kind::kProcedure:
      return b->kind == Constant::Kind::kProcedure && a->procedure == b->procedure;
    case Constant::Kind::kRecord:
    case Constant::Kind::kArray: {
      if (a->components.size() != b->components.size()) return false;
      bool unknown = false;
      for (size_t i = 0; i < a->components.size(); ++i) {
        const std::optional<bool> same = EqualConstants(a->components[i], b->components[i], type);
        if (same && !*same) return false;
        if (!same) unknown = true;
      }
      if (unknown) return std::nullopt;
      return true;
    }
  }
  return std::nullopt;
}

Expr* Checker::FoldCompare(CompareExpr* node) {
  const Constant *a = ConstantOf(node->left), *b = ConstantOf(node->right);
  if (a == nullptr || b == nullptr) return node;
  if (node->op == Op::kEqual || node->op == Op::kNotEqual) {
    const std::optional<bool> same = EqualConstants(a, b, node->left->type);
    if (!same) return node;
    return MakeBoolean(*same == (node->op == Op::kEqual), node->span);
  }
  auto ordered = [&](auto x, auto y) {
    switch (node->op) {
      case Op::kLess: return x < y;
      case Op::kLessEqual: return x <= y;
      case Op::kGreater: return x > y;
      default: return x >= y;
    }
  };
  if (a->kind != b->kind) return node;
  if (a->kind == Constant::Kind::kOrdinal)
    return MakeBoolean(ordered(a->ordinal, b->ordinal), node->span);
  if (a->kind == Constant::Kind::kReal) return MakeBoolean(ordered(a->real, b->real), node->span);
  if (a->kind == Constant::Kind::kSet) {
    auto subset = [](const Constant* x, const Constant* y) {
      for (size_t i = 0; i < x->set_words.size(); ++i) {
        const uint64_t other = i < y->set_words.size() ? y->set_words[i] : 0;
        if ((x->set_words[i] & ~other) != 0) return false;
      }
      return true;
    };
    const bool below = subset(a, b), above = subset(b, a);
    switch (node->op) {
      case Op::kLess: return MakeBoolean(below && !above, node->span);
      case Op::kLessEqual: return MakeBoolean(below, node->span);
      case Op::kGreater: return MakeBoolean(above && !below, node->span);
      default: return MakeBoolean(above, node->span);
    }
  }
  return node;
}

// The functions of Word and Long. No value if the call is an error.
std::optional<int64_t> Checker::FoldWord(Builtin builtin, const std::vector<int64_t>& arguments) {
  auto word = [&](size_t i) {
    return static_cast<uint64_t>(i < arguments.size() ? arguments[i] : 0);
  };
  const uint64_t x = word(0), y = word(1);
  const auto n = static_cast<int64_t>(y);
  auto shift = [](uint64_t value, int64_t by) -> uint64_t {
    if (by >= 64 || by <= -64) return 0;
    return by >= 0 ? value << by : value >> -by;
  };
  uint64_t result = 0;
  switch (builtin) {
    case Builtin::kWordPlus: result = x + y; break;
    case Builtin::kWordTimes: result = x * y; break;
    case Builtin::kWordMinus: result = x - y; break;
    case Builtin::kWordDivide:
      if (y == 0) return std::nullopt;
      result = x / y;
      break;
    case Builtin::kWordMod:
      if (y == 0) return std::nullopt;
      result = x % y;
      break;
    case Builtin::kWordLT: result = x < y; break;
    case Builtin::kWordLE: result = x <= y; break;
    case Builtin::kWordGT: result = x > y; break;
    case Builtin::kWordGE: result = x >= y; break;
    case Builtin::kWordAnd: result = x & y; break;
    case Builtin::kWordOr: result = x | y; break;
    case Builtin::kWordXor: result = x ^ y; break;
    case Builtin::kWordNot: result = ~x; break;
    case Builtin::kWordShift: result = shift(x, n); break;
    case Builtin::kWordLeftShift: result = shift(x, n & 63); break;
    case Builtin::kWordRightShift: result = shift(x, -(n & 63)); break;
    case Builtin::kWordRotate:
    case Builtin::kWordLeftRotate:
      result = std::rotl(x, static_cast<int>(((n % 64) + 64) % 64));
      break;
    case Builtin::kWordRightRotate: result = std::rotr(x, static_cast<int>(n & 63)); break;
    case Builtin::kWordExtract:
    case Builtin::kWordInsert: {
      const bool extract = builtin == Builtin::kWordExtract;
      const uint64_t at = word(extract ? 1 : 2), count = word(extract ? 2 : 3);
      if (at > 64 || count > 64 || at + count > 64) return std::nullopt;
      const uint64_t mask = count == 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
      if (extract) {
        result = at == 64 ? 0 : (x >> at) & mask;
      } else {
        result = at == 64 ? x : (x & ~(mask << at)) | ((y & mask) << at);
      }
      break;
    }
    default: return std::nullopt;
  }
  return static_cast<int64_t>(result);
}

}  // namespace tenure::compiler
