// Built-in operations on types, arrays and addresses (docs/language.md 17.5-17.8, 22.5).
#include "compiler/check/advisor.h"
#include "compiler/check/builtins.h"
#include "compiler/check/checker.h"
#include "compiler/types/describe.h"
#include "compiler/types/layout.h"

namespace tenure::compiler {

// ISTYPE and NARROW.
Operand BuiltinChecker::CheckTypeTest(const ast::CallExpr* tree, bool narrow) {
  if (ReportTypeFirst(tree, narrow ? BuiltinName::kNarrow : BuiltinName::kIstype)) return {};
  Expr* value = c_.CheckExpr(tree->actuals[0].value);
  Type* type = c_.CheckTypeOperand(tree->actuals[1].value);
  if (type == nullptr || c_.IsError(value)) return {};
  type = StripPacked(type);
  const std::string_view spelling = narrow ? "NARROW" : "ISTYPE";
  const bool testable =
      IsTracedReference(type) || c_.KnownObject(type) != nullptr || type->kind == TypeKind::kNull;
  if (!testable) {
    c_.Error(MessageId::kBuiltinOperand, tree->actuals[1].span, spelling,
             "an object type or a traced reference type", TypeToString(type));
    return {};
  }
  const Assignability assignability = c_.Assignable(value->type, type);
  if (assignability == Assignability::kNo) {
    advisor_.ReportNotAssignable(value, type, value->span, {});
    return {};
  }
  if (narrow) {
    return c_.Value(c_.Retype(
        value, type,
        assignability == Assignability::kNarrow ? Conversion::kNarrow : Conversion::kNone));
  }
  auto* node = c_.Node<BuiltinExpr>(tree->span, c_.types().boolean);
  node->builtin = Builtin::kIsType;
  node->operands = Operands::kReference;
  node->arguments = {value};
  node->tested = type;
  return c_.Value(node);
}

Operand BuiltinChecker::CheckTypecode(const ast::CallExpr* tree) {
  const Operand operand = c_.CheckOperand(tree->actuals[0].value);
  const SourceSpan span = tree->actuals[0].span;
  auto* node = c_.Node<BuiltinExpr>(tree->span, c_.types().cardinal);
  node->operands = Operands::kReference;
  if (operand.kind == Operand::Kind::kType) {
    Type* type = StripPacked(operand.type);
    const bool ok = (IsTracedReference(type) || c_.KnownObject(type) != nullptr ||
                     type->kind == TypeKind::kNull) &&
                    type->kind != TypeKind::kRefany;
    if (!ok) {
      c_.Error(MessageId::kBuiltinOperand, span, "TYPECODE",
               "an object type or a traced reference type other than REFANY", TypeToString(type));
      return {};
    }
    node->builtin = Builtin::kTypecode;
    node->tested = type;
    return c_.Value(node);
  }
  Expr* value = c_.ValueOf(operand, span);
  if (c_.IsError(value)) return {};
  Type* type = StripPacked(value->type);
  if (!IsTracedReference(type) && c_.KnownObject(type) == nullptr &&
      type->kind != TypeKind::kNull) {
    c_.Error(MessageId::kBuiltinOperand, span, "TYPECODE", "a traced reference or an object",
             TypeToString(type));
    return {};
  }
  node->builtin = Builtin::kTypecodeOf;
  node->arguments = {value};
  return c_.Value(node);
}

Operand BuiltinChecker::CheckSubarray(const ast::CallExpr* tree) {
  Expr* array = c_.CheckExpr(tree->actuals[0].value);
  Expr* from = c_.CheckExpr(tree->actuals[1].value);
  Expr* count = c_.CheckExpr(tree->actuals[2].value);
  from = c_.Convert(from, c_.types().cardinal, Destination::kPass, tree->actuals[1].span);
  count = c_.Convert(count, c_.types().cardinal, Destination::kPass, tree->actuals[2].span);
  if (c_.IsError(array)) return {};
  Type* type = StripPacked(array->type);
  Type* result = nullptr;
  if (const auto* fixed = As<ArrayType>(type)) {
    auto* open = c_.types().New<OpenArrayType>();
    open->element = fixed->element;
    const bool in_bytes =
        fixed->element->kind != TypeKind::kPacked || BitSizeOf(fixed->element) % 8 == 0;
    if (!in_bytes || !c_.IsByteAligned(array)) {
      c_.Error(MessageId::kSubarrayPacked, tree->span);
      return {};
    }
    result = open;
  } else if (type->kind == TypeKind::kOpenArray) {
    result = type;
  } else {
    c_.Error(MessageId::kNotArray, array->span, TypeToString(array->type));
    return {};
  }
  if (c_.IsError(from) || c_.IsError(count)) return {};
  auto* node = c_.Node<SubarrayExpr>(tree->span, result);
  node->operand = array;
  node->from = from;
  node->count = count;
  node->designator = array->designator;
  node->writable = array->writable;
  return c_.Value(node);
}

Operand BuiltinChecker::CheckDispose(const ast::CallExpr* tree) {
  if (!c_.RequireUnsafe(tree->span, "DISPOSE")) return {};
  Expr* target = c_.CheckExpr(tree->actuals[0].value);
  if (c_.IsError(target) || !c_.CheckWritable(target, tree->actuals[0].span)) return {};
  c_.NoteWrite(target);
  Type* type = c_.SeeThrough(target->type);
  if (c_.IsError(type)) return {};
  if (As<RefType>(type) == nullptr && c_.KnownObject(type) == nullptr) {
    c_.Error(MessageId::kBuiltinOperand, target->span, "DISPOSE",
             "a variable of a fixed reference type", TypeToString(target->type));
    return {};
  }
  auto* statement = c_.Statement<DisposeStmt>(tree->span);
  statement->target = target;
  Operand result;
  result.kind = Operand::Kind::kStatement;
  result.statement = statement;
  return result;
}

Operand BuiltinChecker::CheckAdr(const ast::CallExpr* tree) {
  if (!c_.RequireUnsafe(tree->span, "ADR")) return {};
  Expr* value = c_.CheckExpr(tree->actuals[0].value);
  if (c_.IsError(value)) return {};
  if (!value->designator || !c_.IsByteAligned(value)) {
    c_.Error(MessageId::kAdrOperand, value->span);
    return {};
  }
  auto* node = c_.Node<BuiltinExpr>(tree->span, c_.types().address);
  node->builtin = Builtin::kAdr;
  node->operands = Operands::kAddress;
  node->arguments = {value};
  return c_.Value(node);
}

Operand BuiltinChecker::CheckLoophole(const ast::CallExpr* tree) {
  if (!c_.RequireUnsafe(tree->span, "LOOPHOLE")) return {};
  Expr* value = c_.CheckExpr(tree->actuals[0].value);
  Type* type = c_.CheckTypeOperand(tree->actuals[1].value);
  if (type == nullptr || c_.IsError(value)) return {};
  c_.Settle();
  if (StripPacked(value->type)->kind == TypeKind::kOpenArray) {
    c_.Error(MessageId::kLoopholeOpen, value->span);
    return {};
  }
  // A constant has no size of its own but its type's.
  const int64_t from = BitSizeOf(value->type);
  bool fits;
  if (const auto* open = As<OpenArrayType>(StripPacked(type))) {
    const int64_t element =
        open->element->kind == TypeKind::kOpenArray ? 0 : BitSizeOf(open->element);
    fits = element > 0 && from % element == 0;
  } else {
    // A scalar value that is not in a variable is 64 bits wide.
    const bool scalar_value = !value->designator && IsOrdinal(value->type) && BitSizeOf(type) == 64;
    fits = from == BitSizeOf(type) || scalar_value;
  }
  if (!fits) {
    c_.Error(MessageId::kLoopholeSize, tree->span, TypeToString(value->type), from,
             TypeToString(type),
             StripPacked(type)->kind == TypeKind::kOpenArray ? int64_t{0} : BitSizeOf(type));
    return {};
  }
  auto* node = c_.Node<BuiltinExpr>(tree->span, type);
  node->builtin = Builtin::kLoophole;
  node->operands = Operands::kAddress;
  node->arguments = {value};
  node->designator = value->designator;
  node->writable = value->writable;
  return c_.Value(node);
}

}  // namespace tenure::compiler
