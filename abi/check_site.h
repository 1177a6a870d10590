// The place of a check in compiled code, and the meaning of the values that a failed check passes.
// The compiler emits one constant for each check that may fail; the code of the check itself holds
// only the address of this constant and the values, in the registers where they are.
#pragma once

#include <cstdint>

#include "abi/value_descriptor.h"

namespace tenure::abi {

// The meaning of the values a, b and c of a failed check, and of `detail` in its site.
enum class CheckForm : uint16_t {
  kNone,              // no values; detail: const char*, a text for the report, or null
  kRange,             // a: the value. detail: ValueDescriptor, an ordinal with the allowed bounds
  kIncrement,         // a: the sum modulo 2^64, b: what was added. detail as for kRange
  kDecrement,         // a: the difference modulo 2^64, b: what was subtracted. detail as for kRange
  kFloat,             // a: the bits of a LONGREAL. detail: const char*, the function: "FLOOR"
  kFixedSubscript,    // a: subscript - FIRST. detail: ValueDescriptor of the index type
  kOpenSubscript,     // a: the subscript, b: the number of elements
  kSubarray,          // a: first element, b: number of elements, c: elements of the array
  kBitField,          // a: first bit, b: number of bits, of a word
  kLength,            // a: the length asked for. detail: const char*, the type, or null
  kShape,             // a: number of elements wanted, b: found
  kDivision,          // a: the dividend. detail: const char*, the operator: "DIV"
  kUnsignedDivision,  // the same; a is unsigned
  kNarrow,            // a: the object, not NIL. detail: const char*, the wanted type
  kTypecase,        // a: the object, or NIL. detail: const char*, the types of the labels, or null
  kCase,            // a: the selector. detail: ValueDescriptor, its type
  kLocalProcedure,  // a: the closure
  kAssertion,       // detail: AssertionDescriptor
};

struct CheckSite {
  const char* file;  // null: not known
  uint32_t line;
  uint16_t error;  // RuntimeErrorCode
  CheckForm form;
  const void* detail;
};
static_assert(sizeof(CheckSite) == 24);

// A value in an assertion's condition. Scalars are passed in 64 bits: ordinals and sets as numbers,
// floats by their bits (a REAL as a LONGREAL's), references and procedures as addresses; records,
// arrays and larger sets by their address.
struct AssertedValue {
  const char* text;  // as in the source: "p.count"
  const ValueDescriptor* type;
};

struct AssertionDescriptor {
  const char* condition;  // as in the source
  const AssertedValue* values;
  uint64_t count;
};

}  // namespace tenure::abi
