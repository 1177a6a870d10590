// The compiler's description of a type for the run time. Descriptors are constants that the
// compiler emits into a program's data, below 4 GB (programs are linked -no-pie), one for each
// distinct traced reference, object or untraced object type of the whole program. The collector
// reads sizes and reference maps; TYPECODE, ISTYPE, NARROW and TYPECASE read typecodes; stabilize/
// reads slots, names and layouts; the inspector and schema evolution read the fields.
//
// Plain C layout: the compiler writes these structs field by field (compiler/lower/type_info.cc),
// and the static_asserts below hold the two sides together.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tenure::abi {

// The kind of a word of an object that holds a pointer of some sort.
enum class SlotKind : uint32_t {
  kReference = 0,           // traced, persists by being reachable
  kTransientReference = 1,  // traced, but stored as NIL (language.md 27)
  kUntraced = 2,   // ADDRESS, UNTRACED REF: not a reference for the collector; stored as NIL
  kProcedure = 3,  // procedure value: not a reference for the collector; stored by name
};

// `count` slots of one kind, at offset, offset + stride, ... from the start of the payload (or of
// one element, for the tail of an open array).
struct SlotRun {
  uint32_t offset;
  uint32_t count;
  uint32_t stride;
  SlotKind kind;
};
static_assert(sizeof(SlotRun) == 16);

struct TypeDescriptor;

// A field, for people and for schema comparison. `type_name` is the type as Modula-3 text.
struct FieldDescriptor {
  const char* name;
  const char* type_name;
  const char* value_type;  // the same with what the names of enumerations, subranges, records, ...
                           // stand for; null where that is no other text
  uint32_t bit_offset;     // from the start of the payload (object, REF RECORD) or of an element
  uint32_t bit_size;
  const TypeDescriptor* const* referents;  // of the traced references in it that are saved, in
                                           // order, the types that they are declared as
  uint32_t referent_count;
  uint32_t reserved;
};
static_assert(sizeof(FieldDescriptor) == 48);

// The places of weak references (WeakRef.T) that are not marked TRANSIENT, whose targets only this
// process knows. Weak references are numbers of 8 bytes, on any byte boundary; the kinds of the
// runs have no meaning here.
struct WeakRuns {
  const SlotRun* runs;          // in the fixed part
  const SlotRun* element_runs;  // in one element of the tail
  uint32_t run_count;
  uint32_t element_run_count;
};
static_assert(sizeof(WeakRuns) == 24);

// Where procedure values lie that a caller must call in one way: `shape` is the calling shape of
// the procedure type (ProcedureInfo::shape). The same slots as those of kind kProcedure.
struct ProcedureRun {
  uint32_t offset;
  uint32_t count;
  uint32_t stride;
  uint32_t shape;
};
static_assert(sizeof(ProcedureRun) == 16);

struct ProcedureRuns {
  const ProcedureRun* runs;          // in the fixed part
  const ProcedureRun* element_runs;  // in one element of the tail
  uint32_t run_count;
  uint32_t element_run_count;
};
static_assert(sizeof(ProcedureRuns) == 24);

enum TypeFlags : uint32_t {
  kTypeObject = 1u << 0,     // OBJECT type (has methods); otherwise a REF type
  kTypeUntraced = 1u << 1,   // UNTRACED ROOT OBJECT ...: never in the traced heap
  kTypeTransient = 1u << 2,  // never saved; a stored reference to such an object is NIL
  kTypeOpenArray = 1u << 3,  // has a tail of elements, see open_dimensions
  kTypePure = 1u << 4,       // holds no traced references (neither payload nor tail)
  kTypeText = 1u << 5,       // flat text (see below)
};

// Payload of an object of type `t`:
//   fixed part: t.payload_bytes bytes (object fields; the referent of a REF);
//   then, with kTypeOpenArray, `open_dimensions` lengths of 8 bytes each at offset payload_bytes,
//   and after them the elements, product(lengths) * element_bytes bytes.
// For REF ARRAY OF T payload_bytes is 0, so the lengths come first. The flat text types
// (TextFlat.T8, TextFlat.T16, and with them every text literal) are objects with such a tail of one
// dimension: elements of 1 or 2 bytes, the last of them a zero that the length counts.
// The whole is rounded up to kGranuleBytes and is at least kMinPayloadBytes long.
struct TypeDescriptor {
  uint64_t fingerprint;  // structural (docs/language.md 6), stable across builds and machines
  uint32_t typecode;     // dense; 0 is NULL, 1 REFANY; a supertype is numbered before its subtypes,
  uint32_t last_subtype;   // which have the typecodes typecode .. last_subtype
  uint32_t flags;          // TypeFlags
  uint32_t payload_bytes;  // see above
  uint32_t open_dimensions;
  uint32_t element_bytes;
  uint32_t alignment;          // of the payload: 1, 2, 4 or 8
  uint32_t slot_run_count;     // in the fixed part
  uint32_t element_run_count;  // in one element of the tail
  uint32_t field_count;
  const SlotRun* slot_runs;
  const SlotRun* element_runs;
  const FieldDescriptor*
      fields;  // an object's own and inherited; a record's; one for any other referent
  const TypeDescriptor* supertype;  // object types; null for ROOT and REF types
  const char* name;                 // "Module.Type", the first name given to the type; never null
  const char* brand;                // null when not branded
  // Applies defaults that are not all zero bits to one fresh zeroed payload (and its tail, whose
  // lengths are already set). Null when zeroes are right.
  void (*initialize)(void* payload);
  const WeakRuns* weak_runs;            // null where there are none
  const ProcedureRuns* procedure_runs;  // null where there are none
  uint32_t method_count;
  uint32_t reserved;
  // Object types: method_count code addresses follow directly (8 bytes each, never 0: a NIL method
  // is a procedure tn_nil_method.NAME of the program, which reports UndefinedMethod, so that calls
  // need no test).
};
static_assert(sizeof(TypeDescriptor) == 128);
static_assert(offsetof(TypeDescriptor, typecode) == 8);
static_assert(offsetof(TypeDescriptor, slot_runs) == 48);
static_assert(offsetof(TypeDescriptor, initialize) == 96);

inline constexpr size_t kMethodsOffset = sizeof(TypeDescriptor);
inline constexpr size_t kDescriptorAlignment = 16;

inline constexpr uint32_t kTypecodeNull = 0;

// ISTYPE for a non-NIL object: the typecode of its descriptor lies in the range of `type`.
inline bool IsSubtype(const TypeDescriptor& candidate, const TypeDescriptor& type) {
  return candidate.typecode - type.typecode <= type.last_subtype - type.typecode;
}

}  // namespace tenure::abi
