// The type table of a store, understood without any program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "store/format/declared_types.h"
#include "store/server/page_server.h"

namespace tenure::dbtool {

// The kind of a stored slot, by its number in a description.
enum class StoredSlot : uint8_t { kReference = 0, kTransient = 1, kUntraced = 2, kProcedure = 3 };

struct SlotRun {
  uint64_t offset = 0, count = 0, stride = 0;
  StoredSlot kind = StoredSlot::kReference;
};

struct StoredField {
  uint64_t bit_offset = 0, bit_size = 0;  // from the payload's start
  std::string name, type;                 // no name: what is referred to, or an element of it
  std::string value;  // what the names in the type stand for, where that is another text
  // The types to which the traced references in the field may refer, in order.
  std::vector<store::TypeName> refers;
};

struct StoredType {
  uint32_t index = 0;
  std::string description;  // as it is stored
  std::string name, brand, supertype, kind;
  std::string fingerprint;
  std::vector<store::TypeName> supertypes;  // under ROOT, the nearest first
  std::string procedure;  // for an entry that names a procedure; then nothing else is set
  uint64_t payload_bytes = 0;
  uint64_t open_dimensions = 0, element_bytes = 0;  // 0: no open array
  std::vector<SlotRun> slots, element_slots;
  std::vector<StoredField> fields;

  bool open() const { return open_dimensions != 0; }
  // Whether it has no traced references, as abi::kTypePure.
  bool pure() const;
  uint64_t elements_at() const { return payload_bytes + 8 * open_dimensions; }
  // Whether objects of this type may stand where `declared` is declared.
  bool IsA(const store::TypeName& declared) const;
};

// Null: the type has none of this name.
const StoredField* FieldNamed(const StoredType& type, const std::string& name);

// Nothing when the description cannot be right.
std::optional<StoredType> ParseType(uint32_t index, const std::string& description);

class StoredTypes {
 public:
  // kCorrupt when an entry is unreadable.
  static Result<StoredTypes> Read(store::PageServer& server);
  // Null: the table has no such type of objects.
  const StoredType* At(uint64_t index) const;
  const std::vector<StoredType>& all() const { return types_; }

 private:
  std::vector<StoredType> types_;  // by index - 1
};

// The length of an object with this payload; nothing when it is more than the bytes that are there.
// Both without the header, rounded up as the heap does it.
std::optional<uint64_t> PayloadBytes(const StoredType& type, std::span<const std::byte> payload);

// Calls visit(offset in the payload, kind) for all slots of the payload.
template <typename Visit>
void ForEachSlot(const StoredType& type, uint64_t payload_bytes, Visit&& visit) {
  const auto over = [&](uint64_t base, const std::vector<SlotRun>& runs) {
    for (const SlotRun& run : runs) {
      for (uint64_t i = 0; i < run.count; ++i) {
        const uint64_t at = base + run.offset + i * run.stride;
        if (at + 8 <= payload_bytes) visit(at, run.kind);
      }
    }
  };
  over(0, type.slots);
  if (!type.open() || type.element_slots.empty()) return;
  for (uint64_t at = type.elements_at(); at + type.element_bytes <= payload_bytes;
       at += type.element_bytes) {
    over(at, type.element_slots);
  }
}

// The place in words: a field's name, an element's number.
std::string NameOfSlot(const StoredType& type, uint64_t offset);

}  // namespace tenure::dbtool
