// What the writer and the reader of objects as JSON share (object_json.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dbtool/values/bits.h"
#include "dbtool/values/object_shape.h"

namespace tenure::dbtool {

inline uint64_t LengthIn(std::span<const std::byte> payload, const StoredType& type,
                         uint64_t dimension) {
  return BitsAt(payload, 8 * (type.payload_bytes + 8 * dimension), 64);
}

// The open array with these lengths, as an array of arrays.
inline ValueTypePtr WholeArray(const ObjectShape& shape, const std::vector<uint64_t>& lengths) {
  ValueTypePtr array = shape.element;
  for (size_t i = lengths.size(); i > 0; --i) array = ArrayOf(lengths[i - 1], std::move(array));
  return array;
}

inline bool HasCharacters(const StoredType& type, const ObjectShape& shape) {
  return type.open_dimensions == 1 && shape.element != nullptr && !shape.element->packed &&
         (shape.element->kind == ValueKind::kCharacter ||
          shape.element->kind == ValueKind::kWideCharacter) &&
         shape.element->bytes == type.element_bytes && shape.element->first == 0;
}

}  // namespace tenure::dbtool
