#include "compiler/types/assignability.h"

#include <algorithm>

#include "compiler/types/entity.h"

namespace tenure::compiler {

namespace {

// The transience bit of a reference type, itself or inherited (docs/language.md 27.2).
bool IsTransient(const RevelationScope& scope, const Type* type) {
  for (int i = 0; i < 1000 && type != nullptr; ++i) {
    if (const auto* ref = As<RefType>(type)) return ref->transient;
    if (const auto* object = As<ObjectType>(type)) return object->transient;
    if (type->kind == TypeKind::kRefany) return type->name == "<*TRANSIENT*> REFANY";
    const auto* opaque = As<OpaqueType>(type);
    if (opaque == nullptr) return false;
    type = scope.KnownSuper(opaque);
  }
  return false;
}

bool IsArray(const Type* type) {
  return type->kind == TypeKind::kArray || type->kind == TypeKind::kOpenArray;
}

// Section 7.2: the shape must be open*, (fixed below open)*, fixed*.
bool IsArraySubtype(const RevelationScope& scope, Type* t, Type* u) {
  bool below_fixed = false;
  while (true) {
    auto *t_open = As<OpenArrayType>(t), *u_open = As<OpenArrayType>(u);
    auto *t_fixed = As<ArrayType>(t), *u_fixed = As<ArrayType>(u);
    if (t_open != nullptr && u_open != nullptr && !below_fixed) {
      t = t_open->element;
      u = u_open->element;
    } else if (t_fixed != nullptr && u_open != nullptr) {
      below_fixed = true;
      t = t_fixed->element;
      u = u_open->element;
    } else if (t_fixed != nullptr && u_fixed != nullptr &&
               ElementCountOf(t_fixed) == ElementCountOf(u_fixed)) {
      below_fixed = true;
      t = t_fixed->element;
      u = u_fixed->element;
    } else {
      // At this depth neither or only one of the two is an array.
      return !IsArray(t) && !IsArray(u) && SameTypeIn(scope, t, u);
    }
    if (!IsArray(t) || !IsArray(u)) return SameTypeIn(scope, t, u);
  }
}

// The chain of known supertypes of a reference type; null at its end.
Type* KnownSupertype(const RevelationScope& scope, Type* type) {
  if (auto* object = As<ObjectType>(type)) return object->super;
  if (auto* opaque = As<OpaqueType>(type)) return scope.KnownSuper(opaque);
  return nullptr;
}

bool IsRevealedWrongly(const RevelationScope& scope, Type* type) {
  const auto* opaque = As<OpaqueType>(type);
  const Type* revealed = opaque == nullptr ? nullptr : scope.Revealed(opaque);
  return revealed != nullptr && revealed->kind == TypeKind::kError;
}

bool IsReferenceSubtype(const RevelationScope& scope, Type* t, Type* u) {
  if (t->kind == TypeKind::kNull || IsRevealedWrongly(scope, u)) return true;
  if (u->kind == TypeKind::kRefany) {
    return IsTracedReference(t) && (!IsTransient(scope, u) || IsTransient(scope, t));
  }
  if (u->kind == TypeKind::kAddress) return t->kind == TypeKind::kAddress || !IsTracedReference(t);
  for (int i = 0; i < 10000 && t != nullptr; ++i) {
    if (t->kind == TypeKind::kError || SameTypeIn(scope, t, u)) return true;
    t = KnownSupertype(scope, t);
  }
  return false;
}

}  // namespace

bool Covers(const RevelationScope& scope, const Signature& q, const Signature& p,
            bool skip_first_of_p) {
  const size_t skip = skip_first_of_p ? 1 : 0;
  if (p.formals.size() != q.formals.size() + skip) return false;
  for (size_t i = 0; i < q.formals.size(); ++i) {
    if (q.formals[i].mode != p.formals[i + skip].mode ||
        !SameTypeIn(scope, q.formals[i].type, p.formals[i + skip].type)) {
      return false;
    }
  }
  if ((q.result == nullptr) != (p.result == nullptr)) return false;
  if (q.result != nullptr && !SameTypeIn(scope, q.result, p.result)) return false;
  if (q.raises_any) return true;
  if (p.raises_any) return false;
  return std::all_of(p.raises.begin(), p.raises.end(), [&](Exception* exception) {
    return exception->implicit ||
           std::find(q.raises.begin(), q.raises.end(), exception) != q.raises.end();
  });
}

bool IsSubtypeOf(const RevelationScope& scope, Type* t, Type* u) {
  if (t == nullptr || u == nullptr) return false;
  t = StripPacked(t);
  u = StripPacked(u);
  if (t == u || t->kind == TypeKind::kError || u->kind == TypeKind::kError) return true;
  if (IsOrdinal(t) && IsOrdinal(u)) {
    const Type *t_base = BaseType(t), *u_base = BaseType(u);
    const auto *t_enum = As<EnumerationType>(t_base), *u_enum = As<EnumerationType>(u_base);
    const bool char_to_wide = t_enum != nullptr && u_enum != nullptr &&
                              t_enum->builtin == EnumerationType::Builtin::kChar &&
                              u_enum->builtin == EnumerationType::Builtin::kWidechar;
    if (!char_to_wide && !SameTypeIn(scope, t_base, u_base)) return false;
    if (LastOf(t) < FirstOf(t)) return true;
    return FirstOf(t) >= FirstOf(u) && LastOf(t) <= LastOf(u);
  }
  if (IsArray(t) && IsArray(u)) return IsArraySubtype(scope, t, u);
  if (u->kind == TypeKind::kProcedure) {
    if (t->kind == TypeKind::kNull) return true;
    const auto *p = As<ProcedureType>(t), *q = As<ProcedureType>(u);
    return p != nullptr && Covers(scope, q->signature, p->signature, false);
  }
  if (IsReference(t) && IsReference(u)) return IsReferenceSubtype(scope, t, u);
  return SameTypeIn(scope, t, u);
}

Assignability AssignableTo(const RevelationScope& scope, Type* from, Type* to, bool unsafe) {
  if (from == nullptr || to == nullptr) return Assignability::kNo;
  from = StripPacked(from);
  to = StripPacked(to);
  if (from->kind == TypeKind::kError || to->kind == TypeKind::kError) return Assignability::kYes;
  if (IsOrdinal(from) && IsOrdinal(to)) {
    if (IsSubtypeOf(scope, from, to)) return Assignability::kYes;
    const Type *from_base = BaseType(from), *to_base = BaseType(to);
    auto is_character = [](const Type* type) {
      const auto* enumeration = As<EnumerationType>(type);
      return enumeration != nullptr &&
             (enumeration->builtin == EnumerationType::Builtin::kChar ||
              enumeration->builtin == EnumerationType::Builtin::kWidechar);
    };
    if (!SameTypeIn(scope, from_base, to_base) &&
        !(is_character(from_base) && is_character(to_base))) {
      return Assignability::kNo;
    }
    const bool overlap = std::max(FirstOf(from), FirstOf(to)) <= std::min(LastOf(from), LastOf(to));
    return overlap ? Assignability::kRangeCheck : Assignability::kNo;
  }
  if (IsSubtypeOf(scope, from, to)) return Assignability::kYes;
  if (IsArray(from) && IsArray(to)) {
    return IsSubtypeOf(scope, to, from) ? Assignability::kShapeCheck : Assignability::kNo;
  }
  if (IsReference(from) && IsReference(to)) {
    if (from->kind == TypeKind::kAddress) {
      return unsafe && !IsTracedReference(to) ? Assignability::kYes : Assignability::kNo;
    }
    return IsSubtypeOf(scope, to, from) ? Assignability::kNarrow : Assignability::kNo;
  }
  return Assignability::kNo;
}

}  // namespace tenure::compiler
