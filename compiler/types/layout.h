// Sizes, offsets, reference maps and method slots. Only after every revelation of the program is
// resolved: opaque types are seen through, so all of these are constants of the program.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "abi/type_descriptor.h"
#include "compiler/types/type.h"

namespace tenure::compiler {

// The layout of a variable of the type standing alone; a packed type has the layout of its base
// there. Open arrays: the room for one element of the innermost fixed type (element_bytes).
// References and procedure values: 8. Ordinals: the smallest of 1, 2, 4, 8 bytes that holds the
// range, unsigned when FirstOf >= 0. REAL 4, LONGREAL and EXTENDED 8. Sets: up to 8 elements 1
// byte, 16: 2, 32: 4, 64: 8, then whole 8-byte words; bit i is element FirstOf + i. Records: fields
// in order at natural alignment, size rounded up to the alignment; an empty record has size 0.
// Sizes are meaningful up to kMaxTypeBytes; the checker reports larger types. Descriptors count
// bytes in 32 bits, and static data is addressed in 31.
inline constexpr int64_t kMaxTypeBytes = (int64_t{1} << 31) - 1;

struct Layout {
  int64_t bytes = 0;
  int64_t alignment = 1;
};
Layout LayoutOf(const Type* type);

// Size in bits of a value, for BITSIZE and packed fields: packed types their n. Among fields,
// packed ordinals and sets lie directly behind their predecessor unless they would straddle an
// 8-byte word, and so do bit aggregates; of other packed types n is the natural size, and they stay
// at their natural alignment.
int64_t BitSizeOf(const Type* type);

// The least n for which BITS n FOR the type is possible, if the type is a number of bits within a
// word: an ordinal, a small set, an array or record of nothing but such packed components. For all
// other types a number above 64.
int64_t TightBits(const Type* type);
// Whether the type is BITS n FOR an array or record where n is not its natural size: it may begin
// at any bit of a word, and has no address there.
bool IsBitAggregate(const Type* type);

struct FieldPlace {
  int64_t bit_offset = 0;  // from the start of the record, or of the object's payload
  int64_t bit_size = 0;
  bool packed = false;  // not a whole number of bytes at its natural alignment
};
FieldPlace PlaceOfField(const RecordType* record, size_t field_index);
// `field_index` counts the new fields of exactly this object type; the supertype's come first.
FieldPlace PlaceOfField(const ObjectType* object, size_t field_index);
// Payload of an object type, with all inherited fields.
Layout PayloadOf(const ObjectType* object);
// Bits from one element of an array (fixed or open) to the next: a multiple of 8 unless the element
// is packed.
int64_t ElementBits(const Type* array);
// Whether the (innermost) elements are not laid out like variables of their own.
bool HasPackedElements(const Type* array);
// Bytes of a fixed array whose packed elements take `bits` bits; a row of an open array has the
// same size.
int64_t PackedRowBytes(int64_t bits);
// The same distance in bytes; not for packed elements that are not whole bytes.
int64_t ElementStride(const Type* array);

// Slot number of the object type's own new method (inherited ones come first), and of all.
uint32_t MethodSlot(const ObjectType* object, size_t method_index);
uint32_t MethodCount(const ObjectType* object);
// The procedure in a slot of the type's method suite, with overrides applied; null: NIL.
Procedure* MethodImplementation(const ObjectType* object, uint32_t slot);

// Object supertype with revelations seen through; null for ROOT.
const ObjectType* SuperOf(const ObjectType* object);

// Number of open dimensions of an open array type, and its innermost fixed element type.
uint32_t OpenDimensions(const Type* type);
const Type* InnermostElement(const Type* type);

// Slots of a value of the type at offset 0: for descriptors, globals and exception arguments; for
// an open array, the slots of one element of the innermost fixed type. TRANSIENT marks on fields,
// records and arrays apply (docs/language.md 27.2), also those on the open array.
std::vector<abi::SlotRun> SlotRunsOf(const Type* type);
std::vector<abi::SlotRun> SlotRunsOfPayload(const ObjectType* object);
// The same for weak references without a TRANSIENT mark (abi::WeakRuns).
std::vector<abi::SlotRun> WeakRunsOf(const Type* type);
std::vector<abi::SlotRun> WeakRunsOfPayload(const ObjectType* object);
// The same for procedure values. `shape_of` says how values of a procedure type are called.
using ShapeOf = std::function<uint32_t(const ProcedureType*)>;
std::vector<abi::ProcedureRun> ProcedureRunsOf(const Type* type, const ShapeOf& shape_of);
std::vector<abi::ProcedureRun> ProcedureRunsOfPayload(const ObjectType* object,
                                                      const ShapeOf& shape_of);

// Whether a fresh variable of the type must not be all zero bits (ranges that exclude 0, field
// defaults).
bool NeedsInitialization(const Type* type);
// Whether every bit pattern of the elements of the array is a value of their type, so that a fresh
// variable may have any contents. False for types that are not arrays.
bool MayHoldAnyBits(const Type* type);
// NeedsInitialization for the payload of a fresh object.
bool PayloadNeedsInitialization(const ObjectType* object);
// Whether the value consists of zero bits.
bool IsZero(const Constant& value);

// --- the whole layout of an object type, with inherited members ---
// Each function takes time linear in the depth of the type and in the number of its members, so
// long chains of subtypes are cheap.

// While a KeptLayouts exists, the places of fields are computed once per type. All types that are
// asked for must be complete, with revelations resolved, must not change, and must outlive it. One
// thread.
class KeptLayouts {
 public:
  KeptLayouts();
  ~KeptLayouts();
  KeptLayouts(const KeptLayouts&) = delete;
  KeptLayouts& operator=(const KeptLayouts&) = delete;
};

// The type and its supertypes with revelations seen through, the one without a supertype first.
std::vector<const ObjectType*> AncestryOf(const ObjectType* object);

// Whether objects of the type are never saved: it, or a supertype, is marked <*TRANSIENT*>, or
// stands for a resource that ends with the process.
bool IsNeverSaved(const ObjectType* object);
// Whether it is never saved without a mark (language.md 27.4).
bool IsTransientByNature(const ObjectType* object);

struct PlacedField {
  const ObjectType* owner = nullptr;
  size_t index = 0;  // among the owner's fields
  FieldPlace place;
};
// Every field, in the order of their places.
std::vector<PlacedField> FieldsOf(const ObjectType* object);

// By method slot, with overrides applied; null: NIL.
std::vector<Procedure*> MethodSuiteOf(const ObjectType* object);

}  // namespace tenure::compiler
