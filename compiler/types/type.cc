#include "compiler/types/type.h"

#include <algorithm>
#include <limits>
#include <unordered_set>

namespace tenure::compiler {

namespace {

Type* NewBuiltin(TypeTable& table, TypeKind kind, const char* name) {
  struct Plain : Type {
    Plain() : Type(TypeKind::kError) {}
  };
  Type* type = table.New<Plain>();
  type->kind = kind;
  type->name = name;
  return type;
}

EnumerationType* NewEnumeration(TypeTable& table, const char* name, int64_t count,
                                EnumerationType::Builtin builtin) {
  auto* type = table.New<EnumerationType>();
  type->name = name;
  type->count = count;
  type->builtin = builtin;
  return type;
}

ObjectType* NewRoot(TypeTable& table, const char* name, bool traced, bool transient) {
  auto* type = table.New<ObjectType>();
  type->name = name;
  type->traced = traced;
  type->transient = transient;
  return type;
}

OpaqueType* NewOpaque(TypeTable& table, const char* name, Type* bound) {
  auto* type = table.New<OpaqueType>();
  type->name = name;
  type->bound = bound;
  return type;
}

SubrangeType* NewNaturals(TypeTable& table, const char* name, Type* base) {
  auto* type = table.New<SubrangeType>();
  type->name = name;
  type->base = base;
  type->low = 0;
  type->high = std::numeric_limits<int64_t>::max();
  type->is_cardinal = true;
  return type;
}

}  // namespace

TypeTable::TypeTable() {
  error = NewBuiltin(*this, TypeKind::kError, "(erroneous type)");
  integer = NewBuiltin(*this, TypeKind::kInteger, "INTEGER");
  longint = NewBuiltin(*this, TypeKind::kLongint, "LONGINT");
  real = NewBuiltin(*this, TypeKind::kReal, "REAL");
  longreal = NewBuiltin(*this, TypeKind::kLongreal, "LONGREAL");
  extended = NewBuiltin(*this, TypeKind::kExtended, "EXTENDED");
  null = NewBuiltin(*this, TypeKind::kNull, "NULL");
  refany = NewBuiltin(*this, TypeKind::kRefany, "REFANY");
  address = NewBuiltin(*this, TypeKind::kAddress, "ADDRESS");
  transient_refany = NewBuiltin(*this, TypeKind::kRefany, "<*TRANSIENT*> REFANY");
  boolean = NewEnumeration(*this, "BOOLEAN", 2, EnumerationType::Builtin::kBoolean);
  boolean->elements = {"FALSE", "TRUE"};
  character = NewEnumeration(*this, "CHAR", 256, EnumerationType::Builtin::kChar);
  widechar = NewEnumeration(*this, "WIDECHAR", 65536, EnumerationType::Builtin::kWidechar);
  cardinal = NewNaturals(*this, "CARDINAL", integer);
  longcard = NewNaturals(*this, "LONGCARD", longint);
  root = NewRoot(*this, "ROOT", true, false);
  untraced_root = NewRoot(*this, "UNTRACED ROOT", false, false);
  transient_root = NewRoot(*this, "<*TRANSIENT*> ROOT", true, true);
  text = NewOpaque(*this, "TEXT", refany);
  mutex = NewOpaque(*this, "MUTEX", root);
}

void TypeTable::Keep(std::unique_ptr<Type, void (*)(Type*)> type) {
  order_.push_back(type.get());
  owned_.push_back(std::move(type));
}

Type* StripPacked(Type* type) {
  while (auto* packed = As<PackedType>(type)) type = packed->base;
  return type;
}

Type* BaseType(Type* type) {
  type = StripPacked(type);
  if (auto* subrange = As<SubrangeType>(type)) return subrange->base;
  return type;
}

namespace {

const Type* StripPacked(const Type* type) { return compiler::StripPacked(const_cast<Type*>(type)); }

// An opaque type's bound seen through to a type that is not opaque. Bounded, because an erroneous
// program may declare a cycle.
const Type* Bound(const Type* type) {
  for (int i = 0; i < 1000; ++i) {
    const auto* opaque = As<OpaqueType>(type);
    if (opaque == nullptr) return type;
    type = opaque->bound;
  }
  return type;
}

}  // namespace

bool IsOrdinal(const Type* type) {
  if (type == nullptr) return false;
  switch (StripPacked(type)->kind) {
    case TypeKind::kInteger:
    case TypeKind::kLongint:
    case TypeKind::kEnumeration:
    case TypeKind::kSubrange: return true;
    default: return false;
  }
}

bool IsFloat(const Type* type) {
  if (type == nullptr) return false;
  switch (StripPacked(type)->kind) {
    case TypeKind::kReal:
    case TypeKind::kLongreal:
    case TypeKind::kExtended: return true;
    default: return false;
  }
}

bool IsReference(const Type* type) {
  if (type == nullptr) return false;
  switch (StripPacked(type)->kind) {
    case TypeKind::kRef:
    case TypeKind::kObject:
    case TypeKind::kOpaque:
    case TypeKind::kRefany:
    case TypeKind::kAddress:
    case TypeKind::kNull: return true;
    default: return false;
  }
}

bool IsTracedReference(const Type* type) {
  if (type == nullptr) return false;
  type = Bound(StripPacked(type));
  if (type == nullptr) return false;
  if (type->kind == TypeKind::kRefany) return true;
  if (const auto* ref = As<RefType>(type)) return ref->traced;
  if (const auto* object = As<ObjectType>(type)) return object->traced;
  return false;
}

bool IsProcedure(const Type* type) {
  return type != nullptr && StripPacked(type)->kind == TypeKind::kProcedure;
}

namespace {

// `seen`: records that have none; each record is visited once, even if many records contain it.
bool ContainsTraced(const Type* type, std::unordered_set<const RecordType*>& seen) {
  if (type == nullptr) return false;
  type = StripPacked(type);
  if (IsTracedReference(type)) return true;
  if (const auto* array = As<ArrayType>(type)) return ContainsTraced(array->element, seen);
  if (const auto* open = As<OpenArrayType>(type)) return ContainsTraced(open->element, seen);
  const auto* record = As<RecordType>(type);
  if (record == nullptr || !seen.insert(record).second) return false;
  return std::any_of(record->fields.begin(), record->fields.end(),
                     [&](const Field& field) { return ContainsTraced(field.type, seen); });
}

}  // namespace

bool ContainsTraced(const Type* type) {
  std::unordered_set<const RecordType*> seen;
  return ContainsTraced(type, seen);
}

bool IsWeakReference(const Type* type) {
  return type->kind == TypeKind::kRecord && type->name == "WeakRef.T";
}

bool IsEmptyType(const Type* type) {
  if (type == nullptr) return false;
  type = StripPacked(type);
  if (const auto* enumeration = As<EnumerationType>(type)) return enumeration->count == 0;
  if (const auto* subrange = As<SubrangeType>(type)) return subrange->low > subrange->high;
  if (const auto* array = As<ArrayType>(type)) return IsEmptyType(array->element);
  return false;
}

int64_t FirstOf(const Type* type) {
  type = StripPacked(type);
  if (const auto* subrange = As<SubrangeType>(type)) return subrange->low;
  if (type->kind == TypeKind::kEnumeration) return 0;
  return std::numeric_limits<int64_t>::min();
}

int64_t LastOf(const Type* type) {
  type = StripPacked(type);
  if (const auto* subrange = As<SubrangeType>(type)) return subrange->high;
  if (const auto* enumeration = As<EnumerationType>(type)) return enumeration->count - 1;
  return std::numeric_limits<int64_t>::max();
}

int64_t ElementCountOf(const ArrayType* type) {
  const int64_t first = FirstOf(type->index);
  const int64_t last = LastOf(type->index);
  if (last < first) return 0;
  const __int128 count = static_cast<__int128>(last) - first + 1;
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  return count > kMost ? kMost : static_cast<int64_t>(count);
}

Type* Concrete(Type* type) {
  for (int i = 0; i < 1000; ++i) {
    auto* opaque = As<OpaqueType>(type);
    if (opaque == nullptr || opaque->concrete == nullptr) return type;
    type = opaque->concrete;
  }
  return type;
}

const Type* Concrete(const Type* type) { return Concrete(const_cast<Type*>(type)); }

}  // namespace tenure::compiler
