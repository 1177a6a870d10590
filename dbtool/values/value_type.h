// The meaning of a stored value's bits: the type of a field or an element, parsed from the text
// that the store keeps for it, with the layout that the compiler gives to such a type
// (docs/object_layout.md).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tenure::dbtool {

enum class ValueKind : uint8_t {
  kInteger,    // INTEGER, LONGINT, CARDINAL, LONGCARD and their subranges
  kBoolean,    // and subranges
  kCharacter,  // CHAR and its subranges
  kWideCharacter,
  kEnumeration,  // an enumeration with names, and its subranges
  kReal,         // REAL: 4 bytes
  kLongReal,     // LONGREAL, EXTENDED: 8 bytes
  kSet,
  kArray,  // a fixed array
  kRecord,
  kReference,
  kProcedure,
  kUnknown,  // a name that the store does not explain: a number of bits
};

struct ValueType;
using ValueTypePtr = std::shared_ptr<const ValueType>;

struct ValueField {
  std::string name;
  ValueTypePtr type;
  uint64_t bit_offset = 0;  // from the record's start
};

struct ValueType {
  ValueKind kind = ValueKind::kUnknown;
  std::string text;  // in Modula-3
  // Ordinals: the range. Unknown types: 0.
  __int128 first = 0, last = 0;
  std::vector<std::string> names;     // of an enumeration, from ORD 0 on
  ValueTypePtr index;                 // of an array; of a set, its elements
  ValueTypePtr element;               // of an array
  std::vector<ValueField> fields;     // of a record
  bool saved = true;                  // of a reference: neither untraced nor transient
  uint64_t bytes = 0, alignment = 1;  // of a variable of the type
  uint64_t bits = 0;                  // that the value takes in a record or an array
  uint64_t element_bits = 0;          // of an array: from one element to the next
  bool packed = false;                // BITS n FOR

  bool ordinal() const {
    return kind == ValueKind::kInteger || kind == ValueKind::kBoolean ||
           kind == ValueKind::kCharacter || kind == ValueKind::kWideCharacter ||
           kind == ValueKind::kEnumeration;
  }
  // The number of elements of an array.
  uint64_t count() const;
};

// Nothing if the text cannot be understood, or has more than 10,000 parts.
ValueTypePtr ParseValueType(std::string_view text);
// A value of `bits` bits whose meaning is unknown.
ValueTypePtr UnknownValue(std::string text, uint64_t bits);
// ARRAY [0..count - 1] OF element.
ValueTypePtr ArrayOf(uint64_t count, ValueTypePtr element);
// A reference whose referent is named by `text`.
ValueTypePtr ReferenceValue(std::string text);

// The ordinal as the language writes it: 12, 'a', Green, TRUE. A number where the type has no name.
std::string OrdinalText(const ValueType& type, __int128 value);

}  // namespace tenure::dbtool
