// Built-in operations on numbers and ordinals (docs/language.md 17.1-17.4, 14.15).
#include "compiler/check/builtins.h"

#include <cmath>
#include <limits>

#include "compiler/check/advisor.h"
#include "compiler/check/checker.h"
#include "compiler/check/constructors.h"
#include "compiler/types/describe.h"
#include "compiler/types/layout.h"

namespace tenure::compiler {

Operand BuiltinChecker::CheckBuiltin(Symbol* symbol, const ast::CallExpr* tree) {
  const BuiltinName name = symbol->builtin;
  if (name == BuiltinName::kNew) return c_.constructors_->CheckNew(tree);
  for (const ast::Actual& actual : tree->actuals) {
    if (!actual.keyword.name) continue;
    c_.Error(MessageId::kBuiltinKeyword, actual.span, BuiltinSpelling(name));
    return {};
  }
  switch (name) {
    case BuiltinName::kAbs: return CheckArity(tree, name, 1, 1) ? CheckAbs(tree) : Operand();
    case BuiltinName::kMax:
      return CheckArity(tree, name, 2, 2) ? CheckMinMax(tree, true) : Operand();
    case BuiltinName::kMin:
      return CheckArity(tree, name, 2, 2) ? CheckMinMax(tree, false) : Operand();
    case BuiltinName::kFloat: return CheckArity(tree, name, 1, 2) ? CheckFloat(tree) : Operand();
    case BuiltinName::kFloor:
    case BuiltinName::kCeiling:
    case BuiltinName::kRound:
    case BuiltinName::kTrunc:
      return CheckArity(tree, name, 1, 2) ? CheckRounding(tree, name) : Operand();
    case BuiltinName::kOrd: return CheckArity(tree, name, 1, 1) ? CheckOrd(tree) : Operand();
    case BuiltinName::kVal: return CheckArity(tree, name, 2, 2) ? CheckVal(tree) : Operand();
    case BuiltinName::kFirst:
    case BuiltinName::kLast:
    case BuiltinName::kNumber:
      return CheckArity(tree, name, 1, 1) ? CheckBounds(tree, name) : Operand();
    case BuiltinName::kBitsize:
    case BuiltinName::kBytesize:
    case BuiltinName::kAdrsize:
      return CheckArity(tree, name, 1, 1) ? CheckSize(tree, name) : Operand();
    case BuiltinName::kIstype:
      return CheckArity(tree, name, 2, 2) ? CheckTypeTest(tree, false) : Operand();
    case BuiltinName::kNarrow:
      return CheckArity(tree, name, 2, 2) ? CheckTypeTest(tree, true) : Operand();
    case BuiltinName::kTypecode:
      return CheckArity(tree, name, 1, 1) ? CheckTypecode(tree) : Operand();
    case BuiltinName::kSubarray:
      return CheckArity(tree, name, 3, 3) ? CheckSubarray(tree) : Operand();
    case BuiltinName::kInc:
      return CheckArity(tree, name, 1, 2) ? CheckIncDec(tree, false) : Operand();
    case BuiltinName::kDec:
      return CheckArity(tree, name, 1, 2) ? CheckIncDec(tree, true) : Operand();
    case BuiltinName::kDispose:
      return CheckArity(tree, name, 1, 1) ? CheckDispose(tree) : Operand();
    case BuiltinName::kAdr: return CheckArity(tree, name, 1, 1) ? CheckAdr(tree) : Operand();
    case BuiltinName::kLoophole:
      return CheckArity(tree, name, 2, 2) ? CheckLoophole(tree) : Operand();
    case BuiltinName::kNew: break;
  }
  return {};
}

// VAL(CHAR, 65), NARROW(T, r): the type is written first. Reports this.
bool BuiltinChecker::ReportTypeFirst(const ast::CallExpr* tree, BuiltinName name) {
  const ast::Expr *first = tree->actuals[0].value, *second = tree->actuals[1].value;
  if (!NamesType(first) || NamesType(second)) return false;
  c_.CheckOperand(first);
  c_.CheckOperand(second);
  const std::string a = ShortSource(first->span), b = ShortSource(second->span);
  c_.Error(MessageId::kTypeFirst, Join(first->span, second->span), BuiltinSpelling(name))
      .Hint("write " + std::string(BuiltinSpelling(name)) + "(" + b + ", " + a + ")")
      .Fix(first->span, second->span.text())
      .Fix(second->span, first->span.text());
  return true;
}

// Whether the expression denotes a type; uses no name.
bool BuiltinChecker::NamesType(const ast::Expr* tree) {
  if (tree->kind == ast::ExprKind::kType) return true;
  if (const auto* name = ast::DynAs<ast::NameExpr>(tree)) {
    const Scope::Entry* entry = c_.scope_->Find(name->name);
    return name->name == "ROOT" || (entry != nullptr && entry->symbol->kind == SymbolKind::kType);
  }
  const auto* select = ast::DynAs<ast::SelectExpr>(tree);
  const auto* qualifier =
      select == nullptr ? nullptr
                        : ast::DynAs<ast::NameExpr>(static_cast<const ast::Expr*>(select->operand));
  if (qualifier == nullptr) return false;
  const Scope::Entry* entry = c_.scope_->Find(qualifier->name);
  if (entry == nullptr || entry->symbol->interface == nullptr) return false;
  const Scope::Entry* member = entry->symbol->interface->scope->FindHere(select->selector.name);
  return member != nullptr && member->symbol->kind == SymbolKind::kType;
}

bool BuiltinChecker::CheckArity(const ast::CallExpr* tree, BuiltinName name, size_t least,
                                size_t most) {
  if (tree->actuals.size() >= least && tree->actuals.size() <= most) return true;
  std::string expected = std::to_string(least);
  if (most != least) expected += " or " + std::to_string(most);
  auto error = c_.Error(MessageId::kBuiltinArity, tree->span, BuiltinSpelling(name), expected,
                        tree->actuals.size());
  const bool pairs = name == BuiltinName::kMin || name == BuiltinName::kMax;
  if (pairs && tree->actuals.size() > 2) {
    const std::string word(BuiltinSpelling(name));
    error.Hint("write " + word + "(a, " + word + "(b, c)) for three");
  } else {
    error.Hint("the form is " + BuiltinForm(name));
  }
  return false;
}

Operand BuiltinChecker::CheckAbs(const ast::CallExpr* tree) {
  Expr* value = c_.CheckExpr(tree->actuals[0].value);
  if (c_.IsError(value)) return {};
  const std::optional<Operands> operands = c_.ArithmeticClass(value->type);
  if (!operands || *operands == Operands::kSet) {
    auto error = c_.Error(MessageId::kBuiltinOperand, value->span, "ABS", "a number",
                          TypeToString(value->type));
    advisor_.Advise(error, advisor_.WayTo(value, value->span, c_.types().integer));
    return {};
  }
  value = c_.ToBase(value);
  if (const Constant* constant = c_.ConstantOf(value)) {
    if (constant->kind == Constant::Kind::kReal) {
      return c_.Value(c_.MakeReal(std::fabs(constant->real), value->type, tree->span));
    }
    if (constant->ordinal == std::numeric_limits<int64_t>::min()) {
      c_.Error(MessageId::kConstantOverflow, tree->span);
      return {};
    }
    return c_.Value(c_.MakeOrdinal(constant->ordinal < 0 ? -constant->ordinal : constant->ordinal,
                                   value->type, tree->span));
  }
  auto* node = c_.Node<BuiltinExpr>(tree->span, value->type);
  node->builtin = Builtin::kAbs;
  node->operands = *operands;
  node->arguments = {value};
  return c_.Value(node);
}

Operand BuiltinChecker::CheckMinMax(const ast::CallExpr* tree, bool max) {
  Expr* left = c_.CheckExpr(tree->actuals[0].value);
  Expr* right = c_.CheckExpr(tree->actuals[1].value);
  if (c_.IsError(left) || c_.IsError(right)) return {};
  Type *a = BaseType(left->type), *b = BaseType(right->type);
  const bool ok =
      (IsOrdinal(a) && IsOrdinal(b) && c_.Same(a, b)) || (IsFloat(a) && a->kind == b->kind);
  if (!ok) {
    auto error = c_.Error(MessageId::kBadOperands, tree->span, max ? "MAX" : "MIN",
                          TypeToString(left->type), TypeToString(right->type));
    ast::BinaryExpr pair;
    pair.left = tree->actuals[0].value;
    pair.right = tree->actuals[1].value;
    Advice advice = advisor_.ConvertOperand(&pair, left, right);
    if (!advice) advice.text = "the operands are two numbers of one type, or two ordinals";
    advisor_.Advise(error, advice);
    return {};
  }
  left = c_.ToBase(left);
  right = c_.ToBase(right);
  const Constant *x = c_.ConstantOf(left), *y = c_.ConstantOf(right);
  if (x != nullptr && y != nullptr) {
    const auto less = [](const Constant& p, const Constant& q) {
      return p.kind == Constant::Kind::kReal ? p.real < q.real : p.ordinal < q.ordinal;
    };
    // If the operands are equal the result is the first; 0 and -0 are equal, so this decides the
    // sign.
    const bool second = max ? less(*x, *y) : less(*y, *x);
    return c_.Value(c_.MakeConstant(second ? y : x, a, tree->span));
  }
  auto* node = c_.Node<BuiltinExpr>(tree->span, a);
  node->builtin = max ? Builtin::kMax : Builtin::kMin;
  node->operands = c_.ArithmeticClass(a).value_or(Operands::kOrdinal);
  node->arguments = {left, right};
  return c_.Value(node);
}

Operand BuiltinChecker::CheckFloat(const ast::CallExpr* tree) {
  Expr* value = c_.CheckExpr(tree->actuals[0].value);
  Type* type = c_.types().real;
  if (tree->actuals.size() == 2) {
    type = c_.CheckTypeOperand(tree->actuals[1].value);
    if (type == nullptr) return {};
    type = StripPacked(type);
    if (!IsFloat(type)) {
      c_.Error(MessageId::kBuiltinOperand, tree->actuals[1].span, "FLOAT", "a floating type",
               TypeToString(type));
      return {};
    }
  }
  if (c_.IsError(value)) return {};
  const std::optional<Operands> operands = c_.ArithmeticClass(value->type);
  if (!operands || *operands == Operands::kSet) {
    auto error = c_.Error(MessageId::kBuiltinOperand, value->span, "FLOAT", "a number",
                          TypeToString(value->type));
    if (value->type == c_.types().text) {
      advisor_.Advise(error, advisor_.WayFromText(value->span, type));
    } else {
      advisor_.Advise(error, advisor_.WayTo(value, value->span, c_.types().integer));
    }
    return {};
  }
  value = c_.ToBase(value);
  if (const Constant* constant = c_.ConstantOf(value)) {
    if (constant->kind == Constant::Kind::kReal)
      return c_.Value(c_.MakeReal(constant->real, type, tree->span));
    const double real = type->kind == TypeKind::kReal
                            ? static_cast<double>(static_cast<float>(constant->ordinal))
                            : static_cast<double>(constant->ordinal);
    return c_.Value(c_.MakeReal(real, type, tree->span));
  }
  auto* node = c_.Node<BuiltinExpr>(tree->span, type);
  node->builtin = Builtin::kFloat;
  node->operands = *operands;
  node->arguments = {value};
  return c_.Value(node);
}

Operand BuiltinChecker::CheckRounding(const ast::CallExpr* tree, BuiltinName name) {
  Expr* value = c_.CheckExpr(tree->actuals[0].value);
  Type* type = c_.types().integer;
  if (tree->actuals.size() == 2) {
    type = c_.CheckTypeOperand(tree->actuals[1].value);
    if (type == nullptr) return {};
    type = BaseType(type);
    if (type->kind != TypeKind::kInteger && type->kind != TypeKind::kLongint) {
      c_.Error(MessageId::kBuiltinOperand, tree->actuals[1].span, BuiltinSpelling(name),
               "INTEGER or LONGINT", TypeToString(type));
      return {};
    }
  }
  if (c_.IsError(value)) return {};
  if (!IsFloat(value->type)) {
    auto error = c_.Error(MessageId::kBuiltinOperand, value->span, BuiltinSpelling(name),
                          "a floating number", TypeToString(value->type));
    if (IsOrdinal(value->type) && c_.ArithmeticClass(value->type)) {
      const SourceSpan operand = tree->actuals[0].value->span;
      error.Hint(ShortSource(operand) + " is a whole number already")
          .Fix({operand.file, tree->span.begin, operand.begin}, "")
          .Fix({operand.file, operand.end, tree->span.end}, "");
    } else {
      advisor_.Advise(error, advisor_.WayTo(value, value->span, c_.types().real));
    }
    return {};
  }
  value = c_.ToBase(value);
  if (const Constant* constant = c_.ConstantOf(value)) {
    double rounded = 0;
    switch (name) {
      case BuiltinName::kFloor: rounded = std::floor(constant->real); break;
      case BuiltinName::kCeiling: rounded = std::ceil(constant->real); break;
      case BuiltinName::kRound: rounded = std::nearbyint(constant->real); break;  // ties to even
      default: rounded = std::trunc(constant->real); break;
    }
    if (rounded >= -0x1p63 && rounded < 0x1p63)
      return c_.Value(c_.MakeOrdinal(static_cast<int64_t>(rounded), type, tree->span));
  }
  auto* node = c_.Node<BuiltinExpr>(tree->span, type);
  node->builtin = name == BuiltinName::kFloor     ? Builtin::kFloor
                  : name == BuiltinName::kCeiling ? Builtin::kCeiling
                  : name == BuiltinName::kRound   ? Builtin::kRound
                                                  : Builtin::kTrunc;
  node->operands = *c_.ArithmeticClass(value->type);
  node->arguments = {value};
  if (value->kind == ExprKind::kConstant) c_.WarnUnlessReported(node, TypeToString(type));
  return c_.Value(node);
}

Operand BuiltinChecker::CheckOrd(const ast::CallExpr* tree) {
  Expr* value = c_.CheckExpr(tree->actuals[0].value);
  if (c_.IsError(value)) return {};
  if (!IsOrdinal(value->type)) {
    auto error = c_.Error(MessageId::kBuiltinOperand, value->span, "ORD", "an ordinal",
                          TypeToString(value->type));
    advisor_.Advise(error, value->type == c_.types().text
                               ? advisor_.WayFromText(value->span, c_.types().character)
                               : advisor_.WayTo(value, value->span, c_.types().integer));
    return {};
  }
  value = c_.ToBase(value);
  Type* type = value->type->kind == TypeKind::kLongint ? c_.types().longint : c_.types().integer;
  if (const Constant* constant = c_.OrdinalConstant(value))
    return c_.Value(c_.MakeConstant(constant, type, tree->span));
  if (value->type == type) return c_.Value(value);
  auto* node = c_.Node<BuiltinExpr>(tree->span, type);
  node->builtin = Builtin::kOrd;
  node->operands = Operands::kOrdinal;
  node->arguments = {value};
  return c_.Value(node);
}

Operand BuiltinChecker::CheckVal(const ast::CallExpr* tree) {
  if (ReportTypeFirst(tree, BuiltinName::kVal)) return {};
  Expr* value = c_.CheckExpr(tree->actuals[0].value);
  Type* type = c_.CheckTypeOperand(tree->actuals[1].value);
  if (type == nullptr || c_.IsError(value)) return {};
  type = StripPacked(type);
  if (!IsOrdinal(type)) {
    c_.Error(MessageId::kBuiltinOperand, tree->actuals[1].span, "VAL", "an ordinal type",
             TypeToString(type));
    return {};
  }
  const TypeKind base = BaseType(value->type)->kind;
  if (base != TypeKind::kInteger && base != TypeKind::kLongint) {
    auto error = c_.Error(MessageId::kBuiltinOperand, value->span, "VAL", "an integer",
                          TypeToString(value->type));
    advisor_.Advise(error, advisor_.WayTo(value, value->span, c_.types().integer));
    return {};
  }
  const Type* from = StripPacked(value->type);
  const bool fits = FirstOf(from) >= FirstOf(type) && LastOf(from) <= LastOf(type);
  if (const Constant* constant = c_.OrdinalConstant(value)) {
    if (constant->ordinal >= FirstOf(type) && constant->ordinal <= LastOf(type)) {
      return c_.Value(c_.MakeConstant(constant, type, tree->span));
    }
    c_.Warn(MessageId::kConstantOutOfRange, value->span, TypeToString(type));
  }
  Type* type_base = BaseType(type);
  value = c_.ToBase(value);
  auto* node = c_.Node<BuiltinExpr>(tree->span, type_base);
  node->builtin = Builtin::kVal;
  node->operands = Operands::kInteger;
  node->arguments = {value};
  return c_.Value(c_.Retype(node, type, fits ? Conversion::kNone : Conversion::kRange));
}

Operand BuiltinChecker::CheckBounds(const ast::CallExpr* tree, BuiltinName name) {
  const Operand operand = c_.CheckOperand(tree->actuals[0].value);
  const SourceSpan span = tree->actuals[0].span;
  Type* type = nullptr;
  Expr* value = nullptr;
  if (operand.kind == Operand::Kind::kType) {
    type = operand.type;
  } else {
    value = c_.ValueOf(operand, span);
    if (c_.IsError(value)) return {};
    type = value->type;
  }
  type = StripPacked(type);
  const std::string_view spelling = BuiltinSpelling(name);
  if (type->kind == TypeKind::kOpenArray) {
    if (value == nullptr) {
      c_.Error(MessageId::kBuiltinOpenType, span, spelling);
      return {};
    }
    Type* result =
        name == BuiltinName::kNumber ? static_cast<Type*>(c_.types().cardinal) : c_.types().integer;
    if (const auto* constant = ExprAs<ConstantExpr>(value)) {
      const auto length = static_cast<int64_t>(constant->value->components.size());
      const int64_t bound = name == BuiltinName::kFirst  ? 0
                            : name == BuiltinName::kLast ? length - 1
                                                         : length;
      return c_.Value(c_.MakeOrdinal(bound, result, tree->span));
    }
    if (name == BuiltinName::kFirst && value->designator)
      return c_.Value(c_.MakeOrdinal(0, result, tree->span));
    auto* node = c_.Node<BuiltinExpr>(tree->span, result);
    node->builtin = name == BuiltinName::kFirst  ? Builtin::kFirst
                    : name == BuiltinName::kLast ? Builtin::kLast
                                                 : Builtin::kNumber;
    node->operands = Operands::kArray;
    node->arguments = {value};
    return c_.Value(node);
  }
  if (const auto* array = As<ArrayType>(type)) {
    type = StripPacked(array->index);
  } else if (value != nullptr) {
    auto error = c_.Error(MessageId::kBuiltinOperand, span, spelling, "an array or a type",
                          TypeToString(value->type));
    const std::string type_name = advisor_.TypeHere(value->type);
    if (type == c_.types().text && name == BuiltinName::kNumber) {
      Advice import;
      const std::string text_name = advisor_.InterfaceHere("Text", &import);
      const SourceSpan callee = tree->callee->span;
      import.text = "write " + text_name + ".Length(" + ShortSource(span) + ")" + import.text;
      if (!import.no_fix) import.fixes.push_back({callee, text_name + ".Length"});
      advisor_.Advise(error, import);
    } else if (IsOrdinal(type) && !type_name.empty()) {
      error.Hint("write the type: " + std::string(spelling) + "(" + type_name + ")")
          .Fix(tree->actuals[0].value->span, type_name);
    } else if (const auto* ref = As<RefType>(c_.SeeThrough(type));
               ref != nullptr && (As<ArrayType>(ref->referent) != nullptr ||
                                  As<OpenArrayType>(ref->referent) != nullptr)) {
      advisor_.Advise(error, Advisor::Wrapped(span, "", "^"));
    } else {
      error.Hint("the form is " + BuiltinForm(name));
    }
    return {};
  }
  if (IsFloat(type) && name != BuiltinName::kNumber) {
    const double infinity = std::numeric_limits<double>::infinity();
    return c_.Value(
        c_.MakeReal(name == BuiltinName::kFirst ? -infinity : infinity, type, tree->span));
  }
  if (!IsOrdinal(type)) {
    c_.Error(MessageId::kBuiltinOperand, span, spelling, "an ordinal type or an array",
             TypeToString(type));
    return {};
  }
  if (type->kind == TypeKind::kEnumeration && IsEmptyType(type)) {
    c_.Error(MessageId::kBuiltinEmpty, span, spelling);
    return {};
  }
  const int64_t first = FirstOf(type), last = LastOf(type);
  if (name == BuiltinName::kFirst)
    return c_.Value(c_.MakeOrdinal(first, BaseType(type), tree->span));
  if (name == BuiltinName::kLast) return c_.Value(c_.MakeOrdinal(last, BaseType(type), tree->span));
  const auto count = last < first ? __int128{0} : static_cast<__int128>(last) - first + 1;
  if (count > std::numeric_limits<int64_t>::max()) {
    c_.Error(MessageId::kConstantOverflow, tree->span);
    return {};
  }
  return c_.Value(c_.MakeOrdinal(static_cast<int64_t>(count), c_.types().cardinal, tree->span));
}

Operand BuiltinChecker::CheckSize(const ast::CallExpr* tree, BuiltinName name) {
  const Operand operand = c_.CheckOperand(tree->actuals[0].value);
  const SourceSpan span = tree->actuals[0].span;
  Type* type = nullptr;
  Expr* value = nullptr;
  if (operand.kind == Operand::Kind::kType) {
    type = operand.type;
  } else {
    value = c_.ValueOf(operand, span);
    if (c_.IsError(value)) return {};
    type = value->type;
    if (!value->designator) {
      c_.Error(MessageId::kSizeOfValue, span, BuiltinSpelling(name));
      return {};
    }
  }
  // No Settle: the referent of a REF does not matter here, and may depend on the result (4).
  const int64_t scale = name == BuiltinName::kBitsize ? 8 : 1;
  if (StripPacked(type)->kind == TypeKind::kOpenArray) {
    if (value == nullptr) {
      c_.Error(MessageId::kBuiltinOpenType, span, BuiltinSpelling(name));
      return {};
    }
    auto* node = c_.Node<BuiltinExpr>(tree->span, c_.types().cardinal);
    node->builtin = Builtin::kSizeOfOpenArray;
    node->operands = Operands::kArray;
    node->arguments = {value};
    node->scale = static_cast<int>(scale);
    return c_.Value(node);
  }
  const int64_t bits = BitSizeOf(type);
  const int64_t size = scale == 8 ? bits : (bits + 7) / 8;
  return c_.Value(c_.MakeOrdinal(size, c_.types().cardinal, tree->span));
}

Operand BuiltinChecker::CheckIncDec(const ast::CallExpr* tree, bool decrement) {
  const std::string_view spelling = decrement ? "DEC" : "INC";
  Expr* target = c_.CheckExpr(tree->actuals[0].value);
  Expr* amount = tree->actuals.size() == 2 ? c_.CheckExpr(tree->actuals[1].value) : nullptr;
  if (c_.IsError(target) || (amount != nullptr && c_.IsError(amount))) return {};
  if (!c_.CheckWritable(target, tree->actuals[0].span)) return {};
  // Untraced references too: their values are addresses, and + applies to them.
  const bool address =
      !IsOrdinal(target->type) && c_.Subtype(StripPacked(target->type), c_.types().address);
  if (!IsOrdinal(target->type) && !address) {
    auto error = c_.Error(MessageId::kBuiltinOperand, target->span, spelling, "an ordinal variable",
                          TypeToString(target->type));
    const std::string source = ShortSource(target->span);
    if (IsFloat(target->type)) {
      const char* one = BaseType(target->type)->kind == TypeKind::kReal       ? "1.0"
                        : BaseType(target->type)->kind == TypeKind::kLongreal ? "1.0D0"
                                                                              : "1.0X0";
      const std::string sign = decrement ? " - " : " + ";
      error.Hint("write " + source + " := " + source + sign +
                 (amount == nullptr ? one : ShortSource(tree->actuals[1].span)));
      if (amount == nullptr)
        error.Fix(tree->span, std::string(target->span.text()) +
                                  " := " + std::string(target->span.text()) + sign + one);
    } else if (auto* ref = As<RefType>(c_.SeeThrough(target->type));
               ref != nullptr && IsOrdinal(ref->referent)) {
      advisor_.Advise(error, Advisor::Wrapped(target->span, "", "^"));
    } else {
      error.Hint("INC and DEC step integers, enumerations and CHAR");
    }
    return {};
  }
  if (address && !c_.RequireUnsafe(tree->span, "address arithmetic")) return {};
  if (amount != nullptr) {
    const TypeKind wanted = BaseType(target->type)->kind == TypeKind::kLongint ? TypeKind::kLongint
                                                                               : TypeKind::kInteger;
    if (BaseType(amount->type)->kind != wanted) {
      auto error = c_.Error(MessageId::kBuiltinOperand, amount->span, spelling,
                            wanted == TypeKind::kInteger ? "an INTEGER" : "a LONGINT",
                            TypeToString(amount->type));
      Type* number = wanted == TypeKind::kInteger ? c_.types().integer : c_.types().longint;
      advisor_.Advise(error, advisor_.WayTo(amount, amount->span, number));
      return {};
    }
    amount = c_.ToBase(amount);
  }
  c_.NoteWrite(target);
  auto* statement = c_.Statement<IncDecStmt>(tree->span);
  statement->target = target;
  statement->amount = amount;
  statement->decrement = decrement;
  Operand result;
  result.kind = Operand::Kind::kStatement;
  result.statement = statement;
  return result;
}

}  // namespace tenure::compiler
