// Relations between types as this unit sees them, and the conversions that assignability needs
// (docs/language.md 8).
#include <algorithm>

#include "compiler/check/advisor.h"
#include "compiler/check/checker.h"
#include "compiler/types/describe.h"

namespace tenure::compiler {

bool Checker::Same(Type* a, Type* b) {
  SettleFor({a, b});
  return SameTypeIn(*unit_, a, b);
}

bool Checker::Subtype(Type* a, Type* b) {
  SettleFor({a, b});
  return IsSubtypeOf(*unit_, a, b);
}

Assignability Checker::Assignable(Type* from, Type* to) {
  SettleFor({from, to});
  // While a type is being resolved (for a default in it), settle only the types that are compared.
  if (IsProcedure(from) && IsProcedure(to)) {
    Complete(from);
    Complete(to);
  }
  return AssignableTo(*unit_, from, to, unit_->is_unsafe);
}

Expr* Checker::Retype(Expr* value, Type* to, Conversion conversion) {
  if (conversion == Conversion::kNone && value->type == to) return value;
  auto* node = Node<ConvertExpr>(value->span, to);
  node->conversion = conversion;
  node->operand = value;
  if (conversion == Conversion::kShape) {
    // The same variable under another type.
    node->designator = value->designator;
    node->writable = value->writable;
  }
  return node;
}

Expr* Checker::ToBase(Expr* value) {
  Type* base = BaseType(value->type);
  if (base == value->type || IsError(value)) return value;
  if (auto* constant = ExprAs<ConstantExpr>(value))
    return MakeConstant(constant->value, base, value->span);
  return Retype(value, base, Conversion::kNone);
}

// Only formals bound by VALUE or READONLY, and WITH names for them, can hold a local procedure.
bool Checker::MayBeLocalProcedure(const Expr* value) {
  if (const auto* procedure = ExprAs<const ProcedureExpr>(value))
    return procedure->procedure->parent != nullptr;
  if (const auto* variable = ExprAs<const VariableExpr>(value)) {
    const Variable* v = variable->variable;
    return v->kind == Variable::Kind::kWith ||
           (v->kind == Variable::Kind::kFormal && v->mode != ParameterMode::kVar);
  }
  if (const auto* convert = ExprAs<const ConvertExpr>(value)) {
    return convert->conversion == Conversion::kNone && MayBeLocalProcedure(convert->operand);
  }
  return false;
}

namespace {

// Whether the constant, of an array type to which the target is assignable, has the target's shape.
bool HasShape(const Constant& value, const Type* target) {
  if (target->kind == TypeKind::kPacked) target = As<PackedType>(target)->base;
  const auto* array = As<ArrayType>(target);
  if (array == nullptr) return true;
  return value.kind == Constant::Kind::kArray &&
         static_cast<int64_t>(value.components.size()) == ElementCountOf(array) &&
         std::all_of(
             value.components.begin(), value.components.end(),
             [&](const Constant* component) { return HasShape(*component, array->element); });
}

bool HasOpenDimension(const Type* type) {
  return type != nullptr && type->kind == TypeKind::kOpenArray;
}

}  // namespace

Expr* Checker::Convert(Expr* value, Type* to, Destination destination, SourceSpan span,
                       const Receiver& receiver) {
  if (IsError(value) || IsError(to)) return MakeError(span);
  const Assignability assignability = Assignable(value->type, to);
  if (assignability == Assignability::kNo) {
    advisor_->ReportNotAssignable(value, to, span, receiver);
    return MakeError(span);
  }
  Type* target = StripPacked(to);
  if (IsOrdinal(target)) {
    const Constant* constant = OrdinalConstant(value);
    if (constant != nullptr) {
      if (constant->ordinal >= FirstOf(target) && constant->ordinal <= LastOf(target)) {
        return MakeConstant(constant, to, span);
      }
      auto warning = Warn(MessageId::kConstantOutOfRange, span, TypeToString(to),
                          ElementToString(BaseType(to), constant->ordinal, ""));
      if (!to->name.empty())
        warning.Hint("the values of " + TypeToString(to) + " are " + RangeToString(to));
      return Retype(value, to, Conversion::kRange);
    }
    return Retype(value, to,
                  assignability == Assignability::kYes ? Conversion::kNone : Conversion::kRange);
  }
  if (auto* constant = ExprAs<ConstantExpr>(value)) {
    // An open array of the right shape.
    if (assignability == Assignability::kShapeCheck && HasShape(*constant->value, target)) {
      return MakeConstant(constant->value, to, span);
    }
    // NIL and texts as another reference type, and constants of packed types.
    if (assignability == Assignability::kYes && !HasOpenDimension(constant->type) &&
        target->kind != TypeKind::kOpenArray) {
      return MakeConstant(constant->value, to, span);
    }
  }
  if (IsProcedure(target)) {
    if (destination == Destination::kStore && MayBeLocalProcedure(value)) {
      if (const auto* local = ExprAs<ProcedureExpr>(value)) {
        Warn(MessageId::kLocalProcedureStored, span, local->procedure->name)
            .Hint("move it out to the top level of the module");
      }
      return Retype(value, to, Conversion::kNotLocal);
    }
    if (auto* procedure = ExprAs<ProcedureExpr>(value)) {
      auto* node = Node<ProcedureExpr>(span, to);
      node->procedure = procedure->procedure;
      return node;
    }
    return Retype(value, to, Conversion::kNone);
  }
  switch (assignability) {
    case Assignability::kNarrow: return Retype(value, to, Conversion::kNarrow);
    case Assignability::kShapeCheck: return Retype(value, to, Conversion::kShape);
    case Assignability::kRangeCheck: return Retype(value, to, Conversion::kRange);
    default: break;
  }
  Type* from = StripPacked(value->type);
  const bool arrays = target->kind == TypeKind::kArray || target->kind == TypeKind::kOpenArray;
  if (arrays && from->kind != target->kind) return Retype(value, to, Conversion::kShape);
  return Retype(value, to, Conversion::kNone);
}

// Membership (8.4): for constants that must belong to the type.
const Constant* Checker::RequireMember(const Constant* value, Type* from, Type* to, SourceSpan span,
                                       std::string_view what) {
  if (value == nullptr || IsError(from) || IsError(to)) return nullptr;
  const Assignability assignability = Assignable(from, to);
  bool member = assignability != Assignability::kNo;
  if (member && IsOrdinal(to) && value->kind == Constant::Kind::kOrdinal) {
    member = value->ordinal >= FirstOf(to) && value->ordinal <= LastOf(to);
  } else if (member && As<ArrayType>(StripPacked(to)) != nullptr) {
    member = HasShape(*value, to);
  } else if (member && assignability == Assignability::kNarrow) {
    member = value->kind == Constant::Kind::kNil;
  }
  if (!member) {
    auto error = Error(MessageId::kNotMember, span, what, TypeToString(to));
    advisor_->NoteDeclaration(error, to);
    auto* literal = Node<ConstantExpr>(span, from);
    literal->value = value;
    if (assignability == Assignability::kNo) {
      advisor_->Advise(error, advisor_->WayTo(literal, span, to));
    } else if (IsOrdinal(to)) {
      error.Hint("the values are " + RangeToString(to));
    }
    return nullptr;
  }
  return value;
}

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

}  // namespace tenure::compiler
