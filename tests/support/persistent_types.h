// Types of persistent objects in tests, each with a fingerprint of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "abi/object_header.h"
#include "abi/type_descriptor.h"

namespace tenure::testing {

// REF ARRAY OF REFANY behind a word: word, length, references.
extern const abi::TypeDescriptor kCellType;
// word, ADDRESS, reference, TRANSIENT reference, procedure.
extern const abi::TypeDescriptor kHolderType;
// As kCellType, but of a TRANSIENT type.
extern const abi::TypeDescriptor kLocalType;
// Flat text.
extern const abi::TypeDescriptor kTextType;
// REF ARRAY OF ARRAY OF RECORD a: INTEGER; edge: REFANY; b: INTEGER END.
extern const abi::TypeDescriptor kGridType;
// REF ARRAY [0..2999] OF REFANY: large without being open.
extern const abi::TypeDescriptor kBlockType;

inline const abi::TypeDescriptor* const kPersistentTypes[] = {
    &kCellType, &kHolderType, &kLocalType, &kTextType, &kGridType, &kBlockType};

// Words of an object.
inline uint64_t& WordOf(abi::Ref object, size_t i = 0) { return static_cast<uint64_t*>(object)[i]; }
inline abi::Ref* SlotOf(abi::Ref object, size_t word) {
  return static_cast<abi::Ref*>(object) + word;
}
inline constexpr size_t kCellFirstEdge = 2;  // word number
inline constexpr size_t kHolderUntraced = 1, kHolderEdge = 2, kHolderTransient = 3,
                        kHolderProcedure = 4;
inline constexpr size_t CellPayloadBytes(size_t edges) { return 16 + 8 * edges; }

// A text literal as compiled code has it: static, with a header.
struct alignas(8) TextLiteral {
  uint64_t header;
  uint64_t length;
  char text[16];

  explicit TextLiteral(const char* from);
  abi::Ref ref() { return &length; }
};

}  // namespace tenure::testing
