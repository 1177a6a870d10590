// How a report of an error shows a value: the arguments of exceptions, and the values of failed
// checks. The compiler emits these constants (compiler/lower/value_descriptors.cc); the run time
// reads them (runtime/reports/value_text.h).
#pragma once

#include <cstdint>

namespace tenure::abi {

enum class ValueKind : uint32_t {
  kInteger,
  kCharacter,    // CHAR and WIDECHAR
  kEnumeration,  // BOOLEAN, too
  kReal,
  kLongreal,   // EXTENDED, too
  kReference,  // traced: an object with a header
  kText,       // TEXT
  kAddress,    // untraced references, too
  kProcedure,
  kSet,
  kRecord,
  kArray,  // of a fixed length
};

struct ValueDescriptor {
  ValueKind kind;
  uint32_t bits;  // size in memory
  // Ordinals: the bounds of the type. Sets: those of the element type. Arrays: of the index type.
  int64_t first;
  int64_t last;
  // Enumerations: the names of all elements from ORD 0 on; records: the names of the fields. Commas
  // stand between them. Null: no names.
  const char* names;
  // Sets: the element type. Records: the types of the fields. Arrays: the element type.
  const ValueDescriptor* const* parts;
  const uint32_t* bit_offsets;  // records: where the fields lie
  uint32_t part_count;
  uint32_t element_bits;  // arrays: from one element to the next
};
static_assert(sizeof(ValueDescriptor) == 56);

}  // namespace tenure::abi
