// Where packed variables lie: whether a location has bytes of its own.
#include "compiler/check/checker.h"
#include "compiler/types/layout.h"

namespace tenure::compiler {

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

}  // namespace tenure::compiler
