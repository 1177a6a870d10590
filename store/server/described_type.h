// The types of a store as a page server reads their descriptions, to check what programs send: the
// meaning of an object's bytes, and the types that an object may have to be referred to from them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/format/declared_types.h"

namespace tenure::store {

// The meaning of an object's bytes, from its type's description.
struct DescribedType {
  struct Slots {
    uint64_t offset, count, stride;
    unsigned kind;  // abi::SlotKind
    // Of traced references: the names of types of which a referent must have one. Null: any object.
    const std::vector<TypeName>* declared = nullptr;
  };

  bool procedure = false;  // names a procedure; all else is empty
  uint64_t payload = 0;
  uint64_t dimensions = 0, element = 0;  // of open arrays; else 0
  std::vector<Slots> slots, element_slots;
  std::string text;  // the description
  // The type's names, and those of its supertypes. Its fields are left out.
  DeclaredType names;
  bool mark = false;  // of databases that are being imported (unfinished_import.h)
  std::vector<std::unique_ptr<const std::vector<TypeName>>> declared;  // of the slots

  uint64_t elements_at() const { return payload + 8 * dimensions; }
};

// False: neither DescribeType nor, for procedures, Database makes such a text.
bool ParseDescription(std::string_view description, DescribedType* type);

// Why a store that has the first description takes no objects of the second one; both are
// descriptions of types of objects, and have the same fingerprint. Empty: they are one type.
std::string DescribedDifference(const std::string& known, const std::string& added);

// Whether an object of type `target` may be where a slot declares one of these types. `entry_of`
// returns the store's entry with a fingerprint, or null.
template <typename EntryOf>
bool MayBe(const std::vector<TypeName>& declared, const DescribedType& target,
           const EntryOf& entry_of);
// Whether objects of `target` begin as those of `super` do, reference by reference.
bool BeginsAs(const DescribedType& super, const DescribedType& target);
// Whether programs can read objects of one type as objects of the other.
bool HasLayoutOf(const DescribedType& type, const DescribedType& target);

// --- Objects on pages

inline uint64_t WordAt(const std::byte* page, size_t offset) {
  uint64_t word;
  std::memcpy(&word, page + offset, sizeof word);
  return word;
}

// Header and payload, rounded up; 0: it is longer than `most`, or its lengths lie beyond `room`.
// `header`: where it begins. *payload: its payload, not rounded up.
uint64_t StoredObjectBytes(const DescribedType& type, const std::byte* header, uint64_t room,
                           uint64_t most, uint64_t* payload);

// Calls visit(offset in the payload, slots) for the slots in [begin, end) of a payload of this
// size. Stops and returns false if visit returns false.
template <typename Visit>
bool ForEachDescribedSlot(const DescribedType& type, uint64_t bytes, uint64_t begin, uint64_t end,
                          Visit&& visit) {
  end = std::min(end, bytes);
  const auto over = [&](uint64_t base, const std::vector<DescribedType::Slots>& slots) {
    for (const DescribedType::Slots& run : slots) {
      uint64_t i = 0;
      const uint64_t first = base + run.offset;
      if (first < begin && run.count > 1) i = std::min(run.count - 1, (begin - first) / run.stride);
      for (; i < run.count; ++i) {
        const uint64_t at = first + i * run.stride;
        if (at + 8 > end) break;
        if (at >= begin && !visit(at, run)) return false;
      }
    }
    return true;
  };
  if (!over(0, type.slots)) return false;
  if (type.dimensions == 0 || type.element == 0 || type.element_slots.empty()) return true;
  const uint64_t first = type.elements_at();
  uint64_t at = begin > first ? first + (begin - first) / type.element * type.element : first;
  for (; at < end; at += type.element) {
    if (!over(at, type.element_slots)) return false;
  }
  return true;
}

// --- Implementation

template <typename EntryOf>
bool MayBe(const std::vector<TypeName>& declared, const DescribedType& target,
           const EntryOf& entry_of) {
  const DeclaredType& names = target.names;
  const auto same = [](const TypeName& a, const TypeName& b) {
    const bool none = b.fingerprint.find_first_not_of('0') == std::string::npos;
    return !none && a.fingerprint == b.fingerprint;
  };
  const auto named = [](const TypeName& a, const TypeName& b) {
    return a.brand.empty() || b.brand.empty() ? a.name == b.name : a.brand == b.brand;
  };
  // A name that another form of the declared type has too counts only if the two forms agree.
  const auto agrees = [&](const TypeName& name, bool itself) {
    const std::shared_ptr<const DescribedType> entry = entry_of(name.fingerprint);
    return entry == nullptr || (itself ? HasLayoutOf(*entry, target) : BeginsAs(*entry, target));
  };
  return std::any_of(declared.begin(), declared.end(), [&](const TypeName& name) {
    if (name.name == "REFANY") return true;
    if (name.name == "ROOT") return names.object;
    if (same(names.own, name)) return true;
    if (named(names.own, name)) return agrees(name, true);
    return std::any_of(names.supertypes.begin(), names.supertypes.end(),
                       [&](const TypeName& above) {
                         return (same(above, name) || named(above, name)) && agrees(name, false);
                       });
  });
}

}  // namespace tenure::store
