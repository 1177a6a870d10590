// Where the values of an object lie: the fields of a stored type, and the elements of an open
// array, with what their bits mean.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dbtool/stored/stored_types.h"
#include "dbtool/values/value_type.h"

namespace tenure::dbtool {

struct ShapeField {
  std::string name;  // empty: the whole referent of a REF to no record
  // The name by which all commands know the field: its own; behind a field that a subtype's field
  // hides also its number: name#1.
  std::string member;
  ValueTypePtr type;
  uint64_t bit_offset = 0;  // from the payload's start
  const StoredField* stored = nullptr;
};

// The type of a field, or of an open array's element, whose bits lie as the type's text says;
// `slots`: of the payload, or of an element. Null: the store does not explain the type.
ValueTypePtr KnownTypeOf(const StoredField& field, const std::vector<SlotRun>& slots);

// Whether a TEXT's characters lie in the object itself, and their width.
enum class FlatText : uint8_t { kNone, kNarrow, kWide };

struct ObjectShape {
  std::vector<ShapeField> fields;
  ValueTypePtr element;  // of an open array; null: there is none
  const StoredField* stored_element = nullptr;
  uint64_t element_bits = 0;  // from one element of a row to the next
  FlatText text = FlatText::kNone;
  bool is_text = false;  // any text of the library
  // Every field has a known type; else some are numbers of bits.
  bool whole = true;

  // Null: there is none of this name. `first`: of those with the name, the supertype's.
  const ShapeField* Find(std::string_view member, bool first = false) const;
};

class ObjectShapes {
 public:
  // Valid as long as this object and the type.
  const ObjectShape& Of(const StoredType& type);

 private:
  std::map<const StoredType*, std::unique_ptr<ObjectShape>> shapes_;
};

// Bit offset of an element, given its number in each dimension, from the payload's start.
uint64_t ElementOffset(const StoredType& type, const ObjectShape& shape,
                       const std::vector<uint64_t>& lengths, const std::vector<uint64_t>& at);

// For each reference in the type's text, in order: which of the field's referents is its declared
// type. Null if unknown.
const store::TypeName* ReferentOf(const StoredField& field, const ValueType& whole,
                                  const ValueType* reference);

}  // namespace tenure::dbtool
