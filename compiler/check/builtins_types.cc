// Built-in operations on types, arrays and addresses (docs/language.md 17.5-17.8, 22.5).
#include "compiler/check/advisor.h"
#include "compiler/check/checker.h"
#include "compiler/types/describe.h"
#include "compiler/types/layout.h"

namespace tenure::compiler {

bool Checker::RequireUnsafe(SourceSpan span, std::string_view what) {
  if (unit_->is_unsafe) return true;
  auto error = Error(MessageId::kNeedsUnsafe, span, what);
  if (what == "ADR") {
    error.Hint("a VAR formal takes the variable itself, without ADR; NEW makes references");
  } else if (what == "DISPOSE") {
    error.Hint("the collector frees memory that nothing refers to: leave DISPOSE out");
  } else {
    error.Hint("write UNSAFE in front of " +
               std::string(unit_->is_interface ? "INTERFACE" : "MODULE") +
               " if the unit must do this");
  }
  return false;
}

namespace {

// Every layer of an object begins at a byte. The sizes of the layers above it may not be known yet,
// so this function does not ask whether a packed field would straddle a word and move to the next
// one.
bool IsByteAlignedInLayer(const ObjectType* object, size_t field) {
  bool aligned = true;
  for (size_t i = 0;; ++i) {
    const Type* type = object->fields[i].type;
    const bool packed =
        type->kind == TypeKind::kPacked && TightBits(type) <= 64 && BitSizeOf(type) < 64;
    aligned = !packed || (aligned && BitSizeOf(type) % 8 == 0);
    if (i == field) return aligned;
  }
}

}  // namespace

// Whether the location begins and ends at byte boundaries: no packed component on the way there.
bool Checker::IsByteAligned(Expr* designator) {
  for (Expr* e = designator; e != nullptr;) {
    if (IsBitAggregate(e->type)) return false;
    if (auto* field = ExprAs<FieldExpr>(e)) {
      if (PlaceOfField(field->record, field->field).bit_offset % 8 != 0) return false;
      e = field->operand;
    } else if (auto* field = ExprAs<ObjectFieldExpr>(e)) {
      return IsByteAlignedInLayer(field->object_type, field->field);
    } else if (auto* subscript = ExprAs<SubscriptExpr>(e)) {
      if (subscript->type->kind == TypeKind::kPacked && BitSizeOf(subscript->type) % 8 != 0)
        return false;
      e = subscript->operand;
    } else if (auto* subarray = ExprAs<SubarrayExpr>(e)) {
      e = subarray->operand;
    } else if (auto* convert = ExprAs<ConvertExpr>(e)) {
      e = convert->operand;
    } else if (auto* builtin = ExprAs<BuiltinExpr>(e);
               builtin != nullptr && builtin->builtin == Builtin::kLoophole) {
      e = builtin->arguments[0];
    } else if (auto* variable = ExprAs<VariableExpr>(e)) {
      // A WITH may name a component at any bit.
      return variable->variable->kind != Variable::Kind::kWith || !variable->variable->alias ||
             variable->type->kind != TypeKind::kPacked || TightBits(variable->type) > 64 ||
             whole_aliases_.count(variable->variable) > 0;
    } else {
      return true;
    }
  }
  return true;
}

bool Checker::IsWholeVariable(Expr* designator) {
  if (auto* variable = ExprAs<VariableExpr>(designator)) {
    return variable->variable->kind != Variable::Kind::kWith || !variable->variable->alias ||
           whole_aliases_.count(variable->variable) > 0;
  }
  if (ExprAs<DerefExpr>(designator) != nullptr) return true;
  const auto* type = As<PackedType>(designator->type);
  if (type == nullptr) return IsByteAligned(designator);
  if (type->bits != LayoutOf(type->base).bytes * 8) return false;
  if (auto* field = ExprAs<FieldExpr>(designator))
    return !PlaceOfField(field->record, field->field).packed && IsByteAligned(field->operand);
  if (auto* field = ExprAs<ObjectFieldExpr>(designator))
    return type->bits == 8 && IsByteAlignedInLayer(field->object_type, field->field);
  if (auto* subscript = ExprAs<SubscriptExpr>(designator)) return IsByteAligned(subscript->operand);
  return false;
}

// ISTYPE and NARROW.
Operand Checker::CheckTypeTest(const ast::CallExpr* tree, bool narrow) {
  if (ReportTypeFirst(tree, narrow ? BuiltinName::kNarrow : BuiltinName::kIstype)) return {};
  Expr* value = CheckExpr(tree->actuals[0].value);
  Type* type = CheckTypeOperand(tree->actuals[1].value);
  if (type == nullptr || IsError(value)) return {};
  type = StripPacked(type);
  const std::string_view spelling = narrow ? "NARROW" : "ISTYPE";
  const bool testable =
      IsTracedReference(type) || KnownObject(type) != nullptr || type->kind == TypeKind::kNull;
  if (!testable) {
    Error(MessageId::kBuiltinOperand, tree->actuals[1].span, spelling,
          "an object type or a traced reference type", TypeToString(type));
    return {};
  }
  const Assignability assignability = Assignable(value->type, type);
  if (assignability == Assignability::kNo) {
    advisor_->ReportNotAssignable(value, type, value->span, {});
    return {};
  }
  if (narrow) {
    return Value(
        Retype(value, type,
               assignability == Assignability::kNarrow ? Conversion::kNarrow : Conversion::kNone));
  }
  auto* node = Node<BuiltinExpr>(tree->span, types().boolean);
  node->builtin = Builtin::kIsType;
  node->operands = Operands::kReference;
  node->arguments = {value};
  node->tested = type;
  return Value(node);
}

Operand Checker::CheckTypecode(const ast::CallExpr* tree) {
  const Operand operand = CheckOperand(tree->actuals[0].value);
  const SourceSpan span = tree->actuals[0].span;
  auto* node = Node<BuiltinExpr>(tree->span, types().cardinal);
  node->operands = Operands::kReference;
  if (operand.kind == Operand::Kind::kType) {
    Type* type = StripPacked(operand.type);
    const bool ok = (IsTracedReference(type) || KnownObject(type) != nullptr ||
                     type->kind == TypeKind::kNull) &&
                    type->kind != TypeKind::kRefany;
    if (!ok) {
      Error(MessageId::kBuiltinOperand, span, "TYPECODE",
            "an object type or a traced reference type other than REFANY", TypeToString(type));
      return {};
    }
    node->builtin = Builtin::kTypecode;
    node->tested = type;
    return Value(node);
  }
  Expr* value = ValueOf(operand, span);
  if (IsError(value)) return {};
  Type* type = StripPacked(value->type);
  if (!IsTracedReference(type) && KnownObject(type) == nullptr && type->kind != TypeKind::kNull) {
    Error(MessageId::kBuiltinOperand, span, "TYPECODE", "a traced reference or an object",
          TypeToString(type));
    return {};
  }
  node->builtin = Builtin::kTypecodeOf;
  node->arguments = {value};
  return Value(node);
}

Operand Checker::CheckSubarray(const ast::CallExpr* tree) {
  Expr* array = CheckExpr(tree->actuals[0].value);
  Expr* from = CheckExpr(tree->actuals[1].value);
  Expr* count = CheckExpr(tree->actuals[2].value);
  from = Convert(from, types().cardinal, Destination::kPass, tree->actuals[1].span);
  count = Convert(count, types().cardinal, Destination::kPass, tree->actuals[2].span);
  if (IsError(array)) return {};
  Type* type = StripPacked(array->type);
  Type* result = nullptr;
  if (const auto* fixed = As<ArrayType>(type)) {
    auto* open = types().New<OpenArrayType>();
    open->element = fixed->element;
    const bool in_bytes =
        fixed->element->kind != TypeKind::kPacked || BitSizeOf(fixed->element) % 8 == 0;
    if (!in_bytes || !IsByteAligned(array)) {
      Error(MessageId::kSubarrayPacked, tree->span);
      return {};
    }
    result = open;
  } else if (type->kind == TypeKind::kOpenArray) {
    result = type;
  } else {
    Error(MessageId::kNotArray, array->span, TypeToString(array->type));
    return {};
  }
  if (IsError(from) || IsError(count)) return {};
  auto* node = Node<SubarrayExpr>(tree->span, result);
  node->operand = array;
  node->from = from;
  node->count = count;
  node->designator = array->designator;
  node->writable = array->writable;
  return Value(node);
}

Operand Checker::CheckDispose(const ast::CallExpr* tree) {
  if (!RequireUnsafe(tree->span, "DISPOSE")) return {};
  Expr* target = CheckExpr(tree->actuals[0].value);
  if (IsError(target) || !CheckWritable(target, tree->actuals[0].span)) return {};
  NoteWrite(target);
  Type* type = SeeThrough(target->type);
  if (IsError(type)) return {};
  if (As<RefType>(type) == nullptr && KnownObject(type) == nullptr) {
    Error(MessageId::kBuiltinOperand, target->span, "DISPOSE",
          "a variable of a fixed reference type", TypeToString(target->type));
    return {};
  }
  auto* statement = Statement<DisposeStmt>(tree->span);
  statement->target = target;
  Operand result;
  result.kind = Operand::Kind::kStatement;
  result.statement = statement;
  return result;
}

Operand Checker::CheckAdr(const ast::CallExpr* tree) {
  if (!RequireUnsafe(tree->span, "ADR")) return {};
  Expr* value = CheckExpr(tree->actuals[0].value);
  if (IsError(value)) return {};
  if (!value->designator || !IsByteAligned(value)) {
    Error(MessageId::kAdrOperand, value->span);
    return {};
  }
  auto* node = Node<BuiltinExpr>(tree->span, types().address);
  node->builtin = Builtin::kAdr;
  node->operands = Operands::kAddress;
  node->arguments = {value};
  return Value(node);
}

Operand Checker::CheckLoophole(const ast::CallExpr* tree) {
  if (!RequireUnsafe(tree->span, "LOOPHOLE")) return {};
  Expr* value = CheckExpr(tree->actuals[0].value);
  Type* type = CheckTypeOperand(tree->actuals[1].value);
  if (type == nullptr || IsError(value)) return {};
  Settle();
  if (StripPacked(value->type)->kind == TypeKind::kOpenArray) {
    Error(MessageId::kLoopholeOpen, value->span);
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
    Error(MessageId::kLoopholeSize, tree->span, TypeToString(value->type), from, TypeToString(type),
          StripPacked(type)->kind == TypeKind::kOpenArray ? int64_t{0} : BitSizeOf(type));
    return {};
  }
  auto* node = Node<BuiltinExpr>(tree->span, type);
  node->builtin = Builtin::kLoophole;
  node->operands = Operands::kAddress;
  node->arguments = {value};
  node->designator = value->designator;
  node->writable = value->writable;
  return Value(node);
}

}  // namespace tenure::compiler
