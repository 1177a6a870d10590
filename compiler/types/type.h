// Types of Modula-3 (docs/language.md 5-9) as the checker builds them and lowering reads them.
//
// Types are structural: two Type objects may be one type; ask SameType (types/equality.h), never
// compare pointers, except for the builtin singletons that are marked "unique" below. Types are
// owned by a TypeTable and live as long as the compilation. They are built in two steps, because
// declarations are recursive: the checker makes the object when it meets the constructor, and fills
// components (referent, fields, methods, signature) later; after a unit's check all are filled,
// with the Error type where the source was wrong.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tenure::compiler {

struct Constant;   // defined in entity.h: values of defaults
struct Procedure;  // entity.h: method defaults
struct Exception;  // entity.h

enum class TypeKind : uint8_t {
  kError,  // after a diagnostic; compatible with everything, so that one mistake is reported once
  kInteger,
  kLongint,
  kEnumeration,  // BOOLEAN, CHAR, WIDECHAR are enumerations too
  kSubrange,     // CARDINAL and LONGCARD too, see SubrangeType::is_cardinal
  kReal,
  kLongreal,
  kExtended,
  kArray,
  kOpenArray,
  kRecord,
  kPacked,
  kSet,
  kRef,
  kObject,
  kOpaque,
  kRefany,
  kAddress,
  kNull,
  kProcedure,
};

struct Type {
  explicit Type(TypeKind k) : kind(k) {}
  TypeKind kind;
  // The first name the type was given, qualified ("Rd.T"), for people; empty for an anonymous one.
  std::string name;
};

struct EnumerationType : Type {
  EnumerationType() : Type(TypeKind::kEnumeration) {}
  std::vector<std::string> elements;  // empty for CHAR and WIDECHAR, whose elements have no names
  int64_t count = 0;                  // number of elements
  enum class Builtin : uint8_t { kNone, kBoolean, kChar, kWidechar } builtin = Builtin::kNone;
};

struct SubrangeType : Type {
  SubrangeType() : Type(TypeKind::kSubrange) {}
  Type* base = nullptr;  // INTEGER, LONGINT or an enumeration: never a subrange
  int64_t low = 0, high = -1;
  bool is_cardinal = false;  // CARDINAL and LONGCARD: not the same type as a written subrange (5.2)
};

struct ArrayType : Type {
  ArrayType() : Type(TypeKind::kArray) {}
  Type* index = nullptr;
  Type* element = nullptr;
  bool transient = false;  // <*TRANSIENT*> ARRAY (27)
};

struct OpenArrayType : Type {
  OpenArrayType() : Type(TypeKind::kOpenArray) {}
  Type* element = nullptr;  // may be open again
  bool transient = false;
};

struct Field {
  std::string name;
  Type* type = nullptr;
  const Constant* default_value = nullptr;  // null: none
  bool transient = false;                   // <*TRANSIENT*> before the field (27)
};

struct RecordType : Type {
  RecordType() : Type(TypeKind::kRecord) {}
  std::vector<Field> fields;
  bool transient = false;
};

struct PackedType : Type {
  PackedType() : Type(TypeKind::kPacked) {}
  int64_t bits = 0;
  Type* base = nullptr;
};

struct SetType : Type {
  SetType() : Type(TypeKind::kSet) {}
  Type* element = nullptr;  // ordinal
};

struct RefType : Type {
  RefType() : Type(TypeKind::kRef) {}
  Type* referent = nullptr;
  bool traced = true;
  bool transient = false;
  std::optional<std::string> brand;  // for BRANDED without a text: one that the compiler made
};

enum class ParameterMode : uint8_t { kValue, kVar, kReadonly };

struct Formal {
  std::string name;
  ParameterMode mode = ParameterMode::kValue;
  Type* type = nullptr;
  const Constant* default_value = nullptr;
};

struct Signature {
  std::vector<Formal> formals;
  Type* result = nullptr;  // null: a proper procedure
  bool raises_any = false;
  std::vector<Exception*> raises;
};

struct ProcedureType : Type {
  ProcedureType() : Type(TypeKind::kProcedure) {}
  Signature signature;
  bool c_convention =
      false;  // <*CALLBACK*>, <*C*>...: equal to ours on this target, but part of identity
};

struct Method {
  std::string name;
  Signature signature;                     // without the self parameter
  Procedure* default_procedure = nullptr;  // null: NIL
};

struct ObjectType;

struct Override {
  std::string name;
  Procedure* procedure = nullptr;  // null: NIL
  // The method that the scope of the override sees under this name: `method` among the new methods
  // of `method_type`. It need not be the nearest of that name, when a hidden layer of an opaque
  // supertype has one too (9.12).
  const ObjectType* method_type = nullptr;
  size_t method = 0;
};

// ROOT and UNTRACED ROOT are object types without supertype (unique).
struct ObjectType : Type {
  ObjectType() : Type(TypeKind::kObject) {}
  Type* super = nullptr;  // an ObjectType or an OpaqueType; null only for ROOT and UNTRACED ROOT
  bool traced = true;
  bool transient = false;  // own or inherited (27.2)
  std::optional<std::string> brand;
  std::vector<Field> fields;    // new ones only
  std::vector<Method> methods;  // new ones only
  std::vector<Override> overrides;
};

// One per opaque declaration; identity is the declaration, hence the pointer (unique).
struct OpaqueType : Type {
  OpaqueType() : Type(TypeKind::kOpaque) {}
  Type* bound = nullptr;  // of the declaration
  // The complete revelation, wherever it is in the program; scopes that must not see it do not ask
  // for it (compiler/check/scope.h). Set before lowering; null before that, or when it is missing.
  Type* concrete = nullptr;
};

// Owns every type, and the builtin ones.
class TypeTable {
 public:
  TypeTable();
  TypeTable(const TypeTable&) = delete;

  template <typename T>
  T* New() {
    auto owned = std::make_unique<T>();
    T* type = owned.get();
    Keep(std::unique_ptr<Type, void (*)(Type*)>(owned.release(),
                                                [](Type* t) { delete static_cast<T*>(t); }));
    return type;
  }

  // All types ever made, in order; lowering collects reference and object types from here.
  const std::vector<Type*>& all() const { return order_; }

  // Unique builtin types.
  Type* error;
  Type* integer;
  Type* longint;
  Type* real;
  Type* longreal;
  Type* extended;
  Type* null;
  Type* refany;
  Type* address;
  Type* transient_refany;  // kRefany too
  EnumerationType* boolean;
  EnumerationType* character;
  EnumerationType* widechar;
  SubrangeType* cardinal;
  SubrangeType* longcard;
  ObjectType* root;
  ObjectType* untraced_root;
  ObjectType* transient_root;
  OpaqueType* text;   // TEXT <: REFANY, revealed in interface TextClass
  OpaqueType* mutex;  // MUTEX <: ROOT, revealed in the thread implementation

 private:
  void Keep(std::unique_ptr<Type, void (*)(Type*)> type);
  std::vector<std::unique_ptr<Type, void (*)(Type*)>> owned_;
  std::vector<Type*> order_;
};

// Checked downcasts by kind.
template <typename T>
T* As(Type* type);
template <typename T>
const T* As(const Type* type);
#define TN_TYPE_AS(T, K)                                           \
  template <>                                                      \
  inline T* As<T>(Type * t) {                                      \
    return t && t->kind == K ? static_cast<T*>(t) : nullptr;       \
  }                                                                \
  template <>                                                      \
  inline const T* As<T>(const Type* t) {                           \
    return t && t->kind == K ? static_cast<const T*>(t) : nullptr; \
  }
TN_TYPE_AS(EnumerationType, TypeKind::kEnumeration)
TN_TYPE_AS(SubrangeType, TypeKind::kSubrange)
TN_TYPE_AS(ArrayType, TypeKind::kArray)
TN_TYPE_AS(OpenArrayType, TypeKind::kOpenArray)
TN_TYPE_AS(RecordType, TypeKind::kRecord)
TN_TYPE_AS(PackedType, TypeKind::kPacked)
TN_TYPE_AS(SetType, TypeKind::kSet)
TN_TYPE_AS(RefType, TypeKind::kRef)
TN_TYPE_AS(ProcedureType, TypeKind::kProcedure)
TN_TYPE_AS(ObjectType, TypeKind::kObject)
TN_TYPE_AS(OpaqueType, TypeKind::kOpaque)
#undef TN_TYPE_AS

// --- queries that need no scope (type.cc) ---

Type* StripPacked(Type* type);  // BITS n FOR T: T
Type* BaseType(
    Type* type);  // an ordinal's base, never a subrange; packed stripped; other types themselves
bool IsOrdinal(
    const Type* type);  // INTEGER, LONGINT, enumerations, subranges, packed ones of these
bool IsFloat(const Type* type);
bool IsReference(const Type* type);        // REF, object, opaque, REFANY, ADDRESS, NULL
bool IsTracedReference(const Type* type);  // incl. TEXT and opaque types below REFANY; NULL is not
bool IsProcedure(const Type* type);
bool ContainsTraced(const Type* type);  // itself or in a component held by value
// WeakRef.T, by its name: other types may be records of the same fields.
bool IsWeakReference(const Type* type);
bool IsEmptyType(const Type* type);
// First and last value of an ordinal type; INTEGER and LONGINT have the machine's.
int64_t FirstOf(const Type* type);
int64_t LastOf(const Type* type);
// Number of elements of a fixed array type's index; LAST(INTEGER) when it is more than that.
int64_t ElementCountOf(const ArrayType* type);
// The concrete type behind an opaque one (follows `concrete` repeatedly); others themselves. Only
// after the program's revelations are resolved: for layout, equality across units and lowering.
Type* Concrete(Type* type);
const Type* Concrete(const Type* type);

}  // namespace tenure::compiler
