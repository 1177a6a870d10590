// Operators (docs/language.md 16).

#include <algorithm>

#include "compiler/check/advisor.h"
#include "compiler/check/checker.h"
#include "compiler/types/describe.h"

namespace tenure::compiler {

namespace {

std::string_view Spelling(ast::BinaryOp op) {
  switch (op) {
    case ast::BinaryOp::kOr: return "OR";
    case ast::BinaryOp::kAnd: return "AND";
    case ast::BinaryOp::kEqual: return "=";
    case ast::BinaryOp::kNotEqual: return "#";
    case ast::BinaryOp::kLess: return "<";
    case ast::BinaryOp::kLessEqual: return "<=";
    case ast::BinaryOp::kGreater: return ">";
    case ast::BinaryOp::kGreaterEqual: return ">=";
    case ast::BinaryOp::kIn: return "IN";
    case ast::BinaryOp::kAdd: return "+";
    case ast::BinaryOp::kSubtract: return "-";
    case ast::BinaryOp::kConcat: return "&";
    case ast::BinaryOp::kMultiply: return "*";
    case ast::BinaryOp::kDivide: return "/";
    case ast::BinaryOp::kDiv: return "DIV";
    case ast::BinaryOp::kMod: return "MOD";
  }
  return "?";
}

Op OpOf(ast::BinaryOp op) {
  switch (op) {
    case ast::BinaryOp::kEqual: return Op::kEqual;
    case ast::BinaryOp::kNotEqual: return Op::kNotEqual;
    case ast::BinaryOp::kLess: return Op::kLess;
    case ast::BinaryOp::kLessEqual: return Op::kLessEqual;
    case ast::BinaryOp::kGreater: return Op::kGreater;
    case ast::BinaryOp::kGreaterEqual: return Op::kGreaterEqual;
    case ast::BinaryOp::kAdd: return Op::kAdd;
    case ast::BinaryOp::kSubtract: return Op::kSubtract;
    case ast::BinaryOp::kMultiply: return Op::kMultiply;
    case ast::BinaryOp::kDivide: return Op::kDivide;
    case ast::BinaryOp::kDiv: return Op::kDiv;
    default: return Op::kMod;
  }
}

}  // namespace

// The class of an arithmetic operand, if it has one: integers, floats, sets.
std::optional<Operands> Checker::ArithmeticClass(Type* type) {
  switch (BaseType(type)->kind) {
    case TypeKind::kInteger:
    case TypeKind::kLongint: return Operands::kInteger;
    case TypeKind::kReal: return Operands::kReal;
    case TypeKind::kLongreal:
    case TypeKind::kExtended: return Operands::kLongreal;
    case TypeKind::kSet: return Operands::kSet;
    default: return std::nullopt;
  }
}

Expr* Checker::CheckCondition(const ast::Expr* tree, std::string_view what) {
  return AsCondition(CheckExpr(tree), what);
}

Expr* Checker::AsCondition(Expr* value, std::string_view what) {
  if (IsError(value)) return value;
  if (!Same(BaseType(value->type), types().boolean)) {
    auto error = Error(MessageId::kNotBoolean, value->span, what, TypeToString(value->type));
    advisor_->Advise(error, advisor_->ConditionAdvice(value, value->span, false));
    return MakeError(value->span);
  }
  return ToBase(value);
}

Expr* Checker::CheckUnary(const ast::UnaryExpr* tree) {
  if (tree->op == ast::UnaryOp::kNot) {
    Expr* operand = CheckExpr(tree->operand);
    if (IsError(operand)) return MakeError(tree->span);
    if (!Same(BaseType(operand->type), types().boolean)) {
      auto error = Error(MessageId::kNotBoolean, operand->span, "the operand of NOT",
                         TypeToString(operand->type));
      advisor_->Advise(error, advisor_->NotAdvice(tree, operand));
      return MakeError(tree->span);
    }
    operand = ToBase(operand);
    if (const Constant* constant = OrdinalConstant(operand))
      return MakeBoolean(constant->ordinal == 0, tree->span);
    auto* node = Node<NotExpr>(tree->span, types().boolean);
    node->operand = operand;
    return node;
  }
  Expr* operand = CheckExpr(tree->operand);
  if (IsError(operand)) return MakeError(tree->span);
  const std::optional<Operands> operands = ArithmeticClass(operand->type);
  if (!operands || *operands == Operands::kSet) {
    auto error = Error(MessageId::kBadOperand, tree->span,
                       tree->op == ast::UnaryOp::kMinus ? "-" : "+", TypeToString(operand->type));
    if (const auto* procedure = As<ProcedureType>(StripPacked(operand->type));
        procedure != nullptr && procedure->signature.result != nullptr) {
      advisor_->Advise(error, advisor_->CallIt(procedure, tree->operand->span));
    } else if (auto* ref = As<RefType>(SeeThrough(operand->type));
               ref != nullptr && ArithmeticClass(ref->referent)) {
      advisor_->Advise(error, advisor_->WayTo(operand, tree->operand->span, ref->referent));
    } else {
      error.Hint(std::string(tree->op == ast::UnaryOp::kMinus ? "-" : "+") +
                 " in front of an operand needs a number");
    }
    return MakeError(tree->span);
  }
  auto* node = Node<UnaryExpr>(tree->span, BaseType(operand->type));
  node->op = tree->op == ast::UnaryOp::kMinus ? Op::kMinus : Op::kPlus;
  node->operands = *operands;
  node->operand = ToBase(operand);
  return FoldUnary(node);
}

namespace {

// The tree of a chain of operands under an associative operator. Long chains become balanced trees,
// so that later walks may recurse.
template <typename Make>
Expr* MakeChain(const std::vector<Expr*>& operands, size_t from, size_t to, const Make& make) {
  constexpr size_t kLeftDeepMax = 32;
  if (to - from > kLeftDeepMax) {
    const size_t middle = from + (to - from + 1) / 2;
    Expr* left = MakeChain(operands, from, middle, make);
    return make(left, MakeChain(operands, middle, to, make));
  }
  Expr* tree = operands[from];
  for (size_t i = from + 1; i < to; ++i) tree = make(tree, operands[i]);
  return tree;
}

SourceSpan SpanOver(const SourceSpan& first, const SourceSpan& last) {
  SourceSpan span = first;
  span.end = last.end;
  return span;
}

}  // namespace

// The depth of the tree on its left has no bound, so the walk of that side is a loop.
Expr* Checker::CheckBinary(const ast::BinaryExpr* tree) {
  std::vector<const ast::BinaryExpr*> spine;
  const ast::Expr* first = tree;
  while (const auto* binary = ast::DynAs<ast::BinaryExpr>(first)) {
    spine.push_back(binary);
    first = binary->left;
  }
  std::reverse(spine.begin(), spine.end());
  Expr* value = CheckExpr(first);
  for (size_t from = 0; from < spine.size();) {
    const ast::BinaryOp op = spine[from]->op;
    size_t to = from + 1;
    while (to < spine.size() && spine[to]->op == op) ++to;
    const std::vector<const ast::BinaryExpr*> chain(spine.begin() + static_cast<ptrdiff_t>(from),
                                                    spine.begin() + static_cast<ptrdiff_t>(to));
    switch (op) {
      case ast::BinaryOp::kAnd:
      case ast::BinaryOp::kOr: value = CheckAndOr(chain, value); break;
      case ast::BinaryOp::kConcat: value = CheckConcat(chain, value); break;
      default:
        for (const ast::BinaryExpr* binary : chain) value = CheckOperator(binary, value);
    }
    from = to;
  }
  return value;
}

Expr* Checker::CheckAndOr(const std::vector<const ast::BinaryExpr*>& chain, Expr* first) {
  const bool is_and = chain[0]->op == ast::BinaryOp::kAnd;
  const std::string_view what = is_and ? "the operand of AND" : "the operand of OR";
  const auto is_integer = [&](const Expr* value) {
    return !IsError(value) && BaseType(value->type)->kind == TypeKind::kInteger;
  };
  if (is_integer(first) && chain.size() == 1) {
    Expr* right = CheckExpr(chain[0]->right);
    if (is_integer(right)) {
      const std::string l = ShortSource(chain[0]->left->span), r = ShortSource(right->span);
      Error(MessageId::kNotBoolean, first->span, what, TypeToString(first->type))
          .Hint("conditions are written " + l + " # 0 " + (is_and ? "AND " : "OR ") + r +
                " # 0; for bits there is Word." + (is_and ? "And(" : "Or(") + l + ", " + r + ")");
    } else {
      AsCondition(first, what);
      AsCondition(right, what);
    }
    return MakeError(chain[0]->span);
  }
  std::vector<Expr*> operands{AsCondition(first, what)};
  bool has_error = IsError(operands[0]);
  for (const ast::BinaryExpr* tree : chain) {
    Expr* right = CheckCondition(tree->right, what);
    has_error |= IsError(right);
    const Constant* b = has_error ? nullptr : OrdinalConstant(right);
    const Constant* a = b == nullptr ? nullptr : OrdinalConstant(operands.back());
    if (operands.size() == 1 && a != nullptr) {
      const bool x = a->ordinal != 0, y = b->ordinal != 0;
      operands[0] = MakeBoolean(is_and ? x && y : x || y, tree->span);
    } else {
      operands.push_back(right);
    }
  }
  if (has_error) return MakeError(chain.back()->span);
  return MakeChain(operands, 0, operands.size(), [&](Expr* left, Expr* right) -> Expr* {
    const SourceSpan span = SpanOver(left->span, right->span);
    if (is_and) {
      auto* node = Node<AndExpr>(span, types().boolean);
      node->left = left;
      node->right = right;
      return node;
    }
    auto* node = Node<OrExpr>(span, types().boolean);
    node->left = left;
    node->right = right;
    return node;
  });
}

Expr* Checker::CheckOperator(const ast::BinaryExpr* tree, Expr* left) {
  Expr* right = CheckExpr(tree->right);
  if (tree->left == text_sum_ && tree->op == ast::BinaryOp::kAdd && !IsError(right)) {
    GoOnWithTextSum(tree, right);
  }
  if (IsError(left) || IsError(right)) return MakeError(tree->span);
  switch (tree->op) {
    case ast::BinaryOp::kIn: return CheckIn(tree, left, right);
    case ast::BinaryOp::kEqual:
    case ast::BinaryOp::kNotEqual:
    case ast::BinaryOp::kLess:
    case ast::BinaryOp::kLessEqual:
    case ast::BinaryOp::kGreater:
    case ast::BinaryOp::kGreaterEqual: return CheckComparison(tree, left, right);
    default: return CheckArithmetic(tree, left, right);
  }
}

void Checker::GoOnWithTextSum(const ast::BinaryExpr* tree, const Expr* right) {
  const bool is_text = BaseType(right->type) == types().text;
  const Advice way = is_text ? Advice() : advisor_->WayToText(right, tree->right->span);
  if (!is_text && way.fixes.empty()) return;
  text_sum_error_.Fix(tree->op_span, "&");
  for (const DiagnosticFix& fix : way.fixes) text_sum_error_.Fix(fix.span, fix.replacement);
  text_sum_ = tree;
}

Expr* Checker::CheckArithmetic(const ast::BinaryExpr* tree, Expr* left, Expr* right) {
  const Op op = OpOf(tree->op);
  auto make = [&](Type* type, Operands operands, Expr* l, Expr* r) {
    auto* node = Node<BinaryExpr>(tree->span, type);
    node->op = op;
    node->operands = operands;
    node->left = l;
    node->right = r;
    return FoldBinary(node);
  };
  // Address arithmetic.
  const bool left_address =
      Subtype(left->type, types().address) && StripPacked(left->type)->kind != TypeKind::kNull;
  if (left_address && (op == Op::kAdd || op == Op::kSubtract)) {
    if (BaseType(right->type)->kind == TypeKind::kInteger) {
      RequireUnsafe(tree->span, "address arithmetic");
      return make(types().address, Operands::kAddress,
                  Retype(left, types().address, Conversion::kNone), ToBase(right));
    }
    if (op == Op::kSubtract && Subtype(right->type, types().address)) {
      RequireUnsafe(tree->span, "address arithmetic");
      return make(types().integer, Operands::kAddress,
                  Retype(left, types().address, Conversion::kNone),
                  Retype(right, types().address, Conversion::kNone));
    }
  }
  const std::optional<Operands> operands = ArithmeticClass(left->type);
  Type *left_base = BaseType(left->type), *right_base = BaseType(right->type);
  bool ok = operands && Same(left_base, right_base);
  if (ok) {
    switch (op) {
      case Op::kDivide: ok = *operands != Operands::kInteger; break;
      case Op::kDiv: ok = *operands == Operands::kInteger; break;
      case Op::kMod: ok = *operands != Operands::kSet; break;
      default: break;
    }
  }
  if (!ok) {
    auto error = Error(MessageId::kBadOperands, tree->span, Spelling(tree->op),
                       TypeToString(left->type), TypeToString(right->type));
    advisor_->NoteDeclaration(error, left->type);
    if (left->type != right->type) advisor_->NoteDeclaration(error, right->type);
    advisor_->Advise(error, advisor_->OperatorAdvice(tree, left, right));
    if (op == Op::kAdd && (left_base == types().text || right_base == types().text)) {
      text_sum_ = tree;
      text_sum_error_ = error;
    }
    return MakeError(tree->span);
  }
  return make(left_base, *operands, ToBase(left), ToBase(right));
}

Expr* Checker::CheckConcat(const std::vector<const ast::BinaryExpr*>& chain, Expr* first) {
  std::vector<Expr*> operands{first};
  bool has_error = IsError(first);
  for (const ast::BinaryExpr* tree : chain) {
    Expr* right = CheckExpr(tree->right);
    has_error |= IsError(right);
    if (has_error) continue;
    Type* left_type = operands.size() == 1 ? first->type : types().text;
    for (Type* type : {left_type, right->type}) {
      if (has_error || Assignable(type, types().text) != Assignability::kNo) continue;
      auto error = Error(MessageId::kBadOperands, tree->span, "&", TypeToString(left_type),
                         TypeToString(right->type));
      const Expr* operand = type == right->type ? right : operands.back();
      const SourceSpan place = type == right->type ? tree->right->span : tree->left->span;
      Advice advice = advisor_->WayTo(operand, place, types().text);
      if (!advice) advice.text = "& joins texts";
      advisor_->Advise(error, advice);
      has_error = true;
    }
    operands.push_back(right);
  }
  const SourceSpan whole = chain.back()->span;
  if (has_error) return MakeError(whole);

  // Constants at the start of the chain are folded into one.
  size_t constants = 0;
  std::u32string text;
  bool wide = false;
  for (; constants < operands.size(); ++constants) {
    const Constant* constant = ConstantOf(operands[constants]);
    if (constant == nullptr || constant->kind != Constant::Kind::kText) break;
    text += constant->text;
    wide |= constant->wide;
  }
  if (constants > 1) {
    Expr* joined = MakeText(text, wide, chain[constants - 2]->span);
    if (constants == operands.size()) return joined;
    operands.erase(operands.begin(), operands.begin() + static_cast<ptrdiff_t>(constants - 1));
    operands[0] = joined;
  }

  for (Expr*& operand : operands) {
    operand = Convert(operand, types().text, Destination::kPass, operand->span);
  }
  const UnitInfo* text_interface = OwnInterface("Text");
  Scope::Entry* cat = text_interface == nullptr
                          ? nullptr
                          : text_interface->scope->FindHere(interner_.Intern("Cat"));
  if (cat != nullptr) {
    Resolve(cat->symbol);
    if (!cat->symbol->first_use.valid()) cat->symbol->first_use = whole;
  } else if (options_.needs_main) {
    if (!unit_->text_missing_reported) Error(MessageId::kNeedsInterface, whole, "&", "Text");
    unit_->text_missing_reported = true;
  }
  return MakeChain(operands, 0, operands.size(), [&](Expr* left, Expr* right) -> Expr* {
    auto* node = Node<BuiltinExpr>(SpanOver(left->span, right->span), types().text);
    node->builtin = Builtin::kConcat;
    node->operands = Operands::kReference;
    node->arguments = {left, right};
    return node;
  });
}

Expr* Checker::CheckIn(const ast::BinaryExpr* tree, Expr* left, Expr* right) {
  auto* set = As<SetType>(StripPacked(right->type));
  if (set == nullptr) {
    auto error = Error(MessageId::kNotSet, right->span, TypeToString(right->type));
    const TypeKind kind = StripPacked(right->type)->kind;
    if (kind == TypeKind::kArray || kind == TypeKind::kOpenArray) {
      error.Hint("IN is for sets; a loop over " + ShortSource(right->span) +
                 " finds an element of an array");
    } else if (kind == TypeKind::kRecord || IsReference(right->type)) {
      error.Hint("IN is for values of a SET type");
    }
    return MakeError(tree->span);
  }
  if (!IsOrdinal(left->type) || (!Same(BaseType(left->type), BaseType(set->element)) &&
                                 Assignable(left->type, set->element) == Assignability::kNo)) {
    advisor_->ReportNotAssignable(left, set->element, left->span,
                                  {.kind = Receiver::Kind::kElement, .type = right->type});
    return MakeError(tree->span);
  }
  const Constant *element = OrdinalConstant(left), *value = ConstantOf(right);
  if (element != nullptr && value != nullptr && value->kind == Constant::Kind::kSet) {
    bool found = false;
    if (element->ordinal >= FirstOf(set->element) && element->ordinal <= LastOf(set->element)) {
      const auto bit = static_cast<uint64_t>(element->ordinal - FirstOf(set->element));
      found =
          bit / 64 < value->set_words.size() && (value->set_words[bit / 64] >> (bit % 64) & 1) != 0;
    }
    return MakeBoolean(found, tree->span);
  }
  auto* node = Node<InExpr>(tree->span, types().boolean);
  node->element = ToBase(left);
  node->set = right;
  return node;
}

Expr* Checker::CheckComparison(const ast::BinaryExpr* tree, Expr* left, Expr* right) {
  auto* node = Node<CompareExpr>(tree->span, types().boolean);
  node->op = OpOf(tree->op);
  Type *a = StripPacked(left->type), *b = StripPacked(right->type);
  const bool equality = node->op == Op::kEqual || node->op == Op::kNotEqual;
  auto incomparable = [&] {
    auto error = Error(MessageId::kIncomparable, tree->span, Spelling(tree->op),
                       TypeToString(left->type), TypeToString(right->type));
    advisor_->NoteDeclaration(error, left->type);
    if (left->type != right->type) advisor_->NoteDeclaration(error, right->type);
    if (!advisor_->SuggestTwoComparisons(tree, error))
      advisor_->Advise(error, advisor_->CompareAdvice(tree, left, right));
    return MakeError(tree->span);
  };
  auto finish = [&](Operands operands, Expr* l, Expr* r) {
    node->operands = operands;
    node->left = l;
    node->right = r;
    return FoldCompare(node);
  };
  if (IsOrdinal(a) && IsOrdinal(b)) {
    Type *a_base = BaseType(a), *b_base = BaseType(b);
    const bool characters = equality && Assignable(a_base, b_base) != Assignability::kNo;
    if (!Same(a_base, b_base) && !characters) return incomparable();
    const bool integer = a_base->kind == TypeKind::kInteger || a_base->kind == TypeKind::kLongint;
    return finish(integer ? Operands::kInteger : Operands::kOrdinal, ToBase(left), ToBase(right));
  }
  if (IsFloat(a) && IsFloat(b)) {
    if (a->kind != b->kind) return incomparable();
    return finish(a->kind == TypeKind::kReal ? Operands::kReal : Operands::kLongreal, ToBase(left),
                  ToBase(right));
  }
  if (a->kind == TypeKind::kSet && b->kind == TypeKind::kSet) {
    if (!Same(a, b)) return incomparable();
    return finish(Operands::kSet, ToBase(left), ToBase(right));
  }
  if (!equality) {
    const bool addresses = Subtype(a, types().address) && Subtype(b, types().address) &&
                           !(a->kind == TypeKind::kNull && b->kind == TypeKind::kNull);
    if (!addresses) return incomparable();
    RequireUnsafe(tree->span, "address comparison");
    return finish(Operands::kAddress, Retype(left, types().address, Conversion::kNone),
                  Retype(right, types().address, Conversion::kNone));
  }
  const bool comparable = AssignableTo(*unit_, a, b, true) != Assignability::kNo ||
                          AssignableTo(*unit_, b, a, true) != Assignability::kNo;
  SettleFor({a, b});
  if (!comparable) return incomparable();
  if (IsProcedure(a) || IsProcedure(b)) {
    auto as_procedure = [&](Expr* operand, Type* other) {
      return operand->type->kind == TypeKind::kNull
                 ? Convert(operand, other, Destination::kPass, operand->span)
                 : operand;
    };
    return finish(Operands::kProcedure, as_procedure(left, b), as_procedure(right, a));
  }
  if (IsReference(a) && IsReference(b)) {
    if (a == types().text && b == types().text) {
      auto warning = Warn(MessageId::kTextCompared, tree->span, Spelling(tree->op));
      advisor_->Advise(warning, advisor_->TextComparison(tree));
    }
    return finish(Operands::kReference, left, right);
  }
  if (a->kind == TypeKind::kRecord) return finish(Operands::kRecord, left, right);
  return finish(Operands::kArray, left, right);
}

}  // namespace tenure::compiler
