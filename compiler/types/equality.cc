#include "compiler/types/equality.h"

#include <bit>
#include <set>
#include <utility>

#include "compiler/types/assignability.h"
#include "compiler/types/entity.h"

namespace tenure::compiler {

bool SameConstant(const Constant* a, const Constant* b) {
  if (a == b) return true;
  if (a == nullptr || b == nullptr || a->kind != b->kind) return false;
  switch (a->kind) {
    case Constant::Kind::kOrdinal: return a->ordinal == b->ordinal;
    case Constant::Kind::kReal:
      // -0.0 and 0.0 are different defaults.
      return std::bit_cast<uint64_t>(a->real) == std::bit_cast<uint64_t>(b->real);
    case Constant::Kind::kText: return a->text == b->text && a->wide == b->wide;
    case Constant::Kind::kNil: return true;
    case Constant::Kind::kSet: return a->set_words == b->set_words;
    case Constant::Kind::kProcedure: return a->procedure == b->procedure;
    case Constant::Kind::kRecord:
    case Constant::Kind::kArray:
      if (a->components.size() != b->components.size()) return false;
      for (size_t i = 0; i < a->components.size(); ++i) {
        if (!SameConstant(a->components[i], b->components[i])) return false;
      }
      return true;
  }
  return false;
}

namespace {

// One question; collects the pairs that it assumes equal.
class Comparison {
 public:
  // The concrete type of an opaque type if the scope sees it, else null.
  using See = Type* (*)(const void* context, const OpaqueType* opaque);
  Comparison(See see, const void* context) : see_(see), context_(context) {}

  bool Same(const Type* a, const Type* b) {
    if (a == b) return true;
    if (a == nullptr || b == nullptr) return false;
    a = SeeThrough(a);
    b = SeeThrough(b);
    if (a == b) return true;
    if (a->kind == TypeKind::kError || b->kind == TypeKind::kError) return true;
    if (a->kind != b->kind) return false;
    if (!assumed_.insert({a, b}).second) return true;
    switch (a->kind) {
      case TypeKind::kEnumeration:
        return SameEnumeration(*As<EnumerationType>(a), *As<EnumerationType>(b));
      case TypeKind::kSubrange: {
        const auto &x = *As<SubrangeType>(a), &y = *As<SubrangeType>(b);
        return x.low == y.low && x.high == y.high && x.is_cardinal == y.is_cardinal &&
               Same(x.base, y.base);
      }
      case TypeKind::kArray: {
        const auto &x = *As<ArrayType>(a), &y = *As<ArrayType>(b);
        return x.transient == y.transient && Same(x.index, y.index) && Same(x.element, y.element);
      }
      case TypeKind::kOpenArray: {
        const auto &x = *As<OpenArrayType>(a), &y = *As<OpenArrayType>(b);
        return x.transient == y.transient && Same(x.element, y.element);
      }
      case TypeKind::kRecord: {
        const auto &x = *As<RecordType>(a), &y = *As<RecordType>(b);
        return x.transient == y.transient && SameFields(x.fields, y.fields);
      }
      case TypeKind::kPacked: {
        const auto &x = *As<PackedType>(a), &y = *As<PackedType>(b);
        return x.bits == y.bits && Same(x.base, y.base);
      }
      case TypeKind::kSet: return Same(As<SetType>(a)->element, As<SetType>(b)->element);
      case TypeKind::kRef: {
        const auto &x = *As<RefType>(a), &y = *As<RefType>(b);
        return x.traced == y.traced && x.transient == y.transient && x.brand == y.brand &&
               Same(x.referent, y.referent);
      }
      case TypeKind::kProcedure: {
        const auto &x = *As<ProcedureType>(a), &y = *As<ProcedureType>(b);
        return x.c_convention == y.c_convention && SameSignatures(x.signature, y.signature, true);
      }
      case TypeKind::kObject: return SameObject(*As<ObjectType>(a), *As<ObjectType>(b));
      default:
        // Builtin singletons, and opaque types that are not seen through: different objects differ.
        return false;
    }
  }

  bool SameSignatures(const Signature& a, const Signature& b, bool with_names) {
    if (a.formals.size() != b.formals.size() || a.raises_any != b.raises_any) return false;
    if ((a.result == nullptr) != (b.result == nullptr)) return false;
    for (size_t i = 0; i < a.formals.size(); ++i) {
      const Formal &x = a.formals[i], &y = b.formals[i];
      if (x.mode != y.mode || !Same(x.type, y.type)) return false;
      if (with_names && (x.name != y.name || !SameConstant(x.default_value, y.default_value)))
        return false;
    }
    if (a.result != nullptr && !Same(a.result, b.result)) return false;
    return std::set<Exception*>(a.raises.begin(), a.raises.end()) ==
           std::set<Exception*>(b.raises.begin(), b.raises.end());
  }

 private:
  const Type* SeeThrough(const Type* type) {
    for (int i = 0; i < 1000; ++i) {
      const auto* opaque = As<OpaqueType>(type);
      if (opaque == nullptr) return type;
      const Type* seen = see_(context_, opaque);
      if (seen == nullptr) return type;
      type = seen;
    }
    return type;
  }

  bool SameEnumeration(const EnumerationType& a, const EnumerationType& b) {
    // The builtin ones are unique, except BOOLEAN, which is {FALSE, TRUE}.
    if (a.builtin != b.builtin && (a.elements.empty() || b.elements.empty())) return false;
    return a.count == b.count && a.elements == b.elements;
  }

  bool SameFields(const std::vector<Field>& a, const std::vector<Field>& b) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i) {
      if (a[i].name != b[i].name || a[i].transient != b[i].transient ||
          !Same(a[i].type, b[i].type) || !SameConstant(a[i].default_value, b[i].default_value)) {
        return false;
      }
    }
    return true;
  }

  bool SameObject(const ObjectType& a, const ObjectType& b) {
    // ROOT, UNTRACED ROOT and <*TRANSIENT*> ROOT are unique.
    if (a.super == nullptr || b.super == nullptr) return false;
    if (a.traced != b.traced || a.transient != b.transient || a.brand != b.brand ||
        a.methods.size() != b.methods.size() || a.overrides.size() != b.overrides.size()) {
      return false;
    }
    for (size_t i = 0; i < a.overrides.size(); ++i) {
      const Override &x = a.overrides[i], &y = b.overrides[i];
      if (x.name != y.name || x.procedure != y.procedure || x.method != y.method ||
          !Same(x.method_type, y.method_type)) {
        return false;
      }
    }
    for (size_t i = 0; i < a.methods.size(); ++i) {
      if (a.methods[i].name != b.methods[i].name ||
          a.methods[i].default_procedure != b.methods[i].default_procedure ||
          !SameSignatures(a.methods[i].signature, b.methods[i].signature, true)) {
        return false;
      }
    }
    return Same(a.super, b.super) && SameFields(a.fields, b.fields);
  }

  See see_;
  const void* context_;
  std::set<std::pair<const Type*, const Type*>> assumed_;
};

Type* SeeNothing(const void*, const OpaqueType*) { return nullptr; }
Type* SeeAll(const void*, const OpaqueType* opaque) { return opaque->concrete; }
Type* SeeScope(const void* scope, const OpaqueType* opaque) {
  return static_cast<const RevelationScope*>(scope)->Revealed(opaque);
}

}  // namespace

bool SameType(const Type* a, const Type* b, bool see_concrete) {
  return Comparison(see_concrete ? SeeAll : SeeNothing, nullptr).Same(a, b);
}

bool SameSignature(const Signature& a, const Signature& b, bool with_names, bool see_concrete) {
  return Comparison(see_concrete ? SeeAll : SeeNothing, nullptr).SameSignatures(a, b, with_names);
}

bool SameTypeIn(const RevelationScope& scope, const Type* a, const Type* b) {
  return Comparison(SeeScope, &scope).Same(a, b);
}

}  // namespace tenure::compiler
