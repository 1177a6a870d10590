// The types that the descriptions of a store declare for objects and for the targets of their
// references. Read without a program's types and without the code that decodes pages for programs:
// a check must not rely on the code whose results it checks.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tenure::store {

enum DeclaredSlotKind : unsigned { kTraced = 0, kNever1 = 1, kNever2 = 2, kCode = 3 };

struct DeclaredSlots {
  uint64_t offset, count, stride;
  unsigned kind;
};

// The name by which a description refers to another type.
struct TypeName {
  std::string fingerprint, name, brand;

  // Whether both may name one type, as programs find it (TypeKeys::Find). One of them may have been
  // written when the type had another form, or no brand yet.
  bool IsSame(const TypeName& other) const {
    if (fingerprint == other.fingerprint) return true;
    return brand.empty() || other.brand.empty() ? name == other.name : brand == other.brand;
  }
};

struct DeclaredField {
  uint64_t bit_offset = 0, bits = 0;
  std::string type;
  std::vector<TypeName> refers;
};

struct DeclaredType {
  bool usable = false;     // describes objects
  bool procedure = false;  // describes a procedure
  bool open = false;
  uint64_t payload = 0, dimensions = 0, element = 0;
  std::vector<DeclaredSlots> slots, element_slots;
  bool object = false;
  TypeName own;
  std::vector<TypeName> supertypes;  // under ROOT
  bool supertypes_known = true;
  std::vector<DeclaredField> fields;

  uint64_t elements_at() const { return payload + 8 * dimensions; }
};

// False: an unreadable or impossible description.
bool ParseType(const std::string& description, DeclaredType* type);

// Which types objects may have that a slot refers to, as far as descriptions say.
class Declarations {
 public:
  // `types` is indexed like the store's type table, and outlives this object.
  explicit Declarations(const std::vector<DeclaredType>& types) : types_(types) {}

  // Whether a slot `offset` bytes from the beginning of an object's payload, or of an element's,
  // may refer to an object of type `target`, here or in another store.
  bool MayRefer(uint64_t type, bool element, uint64_t offset, uint64_t target) {
    return MayReferTo(type, element, offset, types_[target]);
  }
  bool MayReferTo(uint64_t type, bool element, uint64_t offset, const DeclaredType& target);
  // The declared type of the reference there; null if several are possible or nothing is known.
  const TypeName* DeclaredAt(uint64_t type, bool element, uint64_t offset);

 private:
  using Names = std::vector<const TypeName*>;  // empty: nothing is known

  static std::unordered_map<uint64_t, Names> SlotsOf(const DeclaredType& type, bool element);
  bool Accepts(const TypeName& declared, const DeclaredType& target);

  const std::vector<DeclaredType>& types_;
  std::map<std::pair<uint64_t, bool>, std::unordered_map<uint64_t, Names>> slots_;
  std::map<std::pair<const TypeName*, const DeclaredType*>, bool> accepts_;
};

}  // namespace tenure::store
