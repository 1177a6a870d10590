// The texts by which a store knows types, and comparisons of two such texts (docs/page_format.md,
// docs/schema_evolution.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "abi/type_descriptor.h"

namespace tenure::store {

// The text that the store keeps for a type: lines "key value", ended by "end". Stable: it is part
// of the format of a database (docs/page_format.md).
std::string DescribeType(const abi::TypeDescriptor& type);

// The value of the first line with that key; empty when there is none.
std::string ValueInDescription(std::string_view description, std::string_view key);

// The fingerprint in a description of an object type; nothing if it has none: then neither programs
// nor checkers can read the type's objects.
std::optional<uint64_t> FingerprintIn(std::string_view description);

// The names by which one program finds a type of another. Owns nothing.
struct TypeKey {
  uint64_t fingerprint = 0;      // 0: not to be used
  std::string_view name, brand;  // no brand: empty
};
inline TypeKey KeyOf(const abi::TypeDescriptor& type) {
  return {type.fingerprint, type.name, type.brand == nullptr ? "" : type.brand};
}

// The types of a program. Both the types of objects and the declared types of fields are looked up
// with Find, so an object that could stand in a field still can.
class TypeKeys {
 public:
  static constexpr size_t kNone = SIZE_MAX;
  explicit TypeKeys(std::vector<TypeKey> types);
  // The index in this program's types of another program's type: the type with its fingerprint;
  // else the one with its brand, if it has a brand, else the one with its name.
  size_t Find(const TypeKey& key) const;

 private:
  std::vector<TypeKey> types_;
  std::unordered_map<uint64_t, size_t> by_fingerprint_;
};

// The difference between two descriptions that makes objects unreadable: in sizes, slots or fields.
// Empty if there is none; else, in words, the fields that differ, or the first other difference.
std::string LayoutDifference(const std::string& stored, const std::string& program);

// Whether the names in two fields' types have the same meaning. Descriptions of older programs lack
// CHAR or WIDECHAR before the bounds of a subrange of characters.
bool SameValue(std::string_view a, std::string_view b);

// The same without names and types of fields: what must agree when the fingerprints do.
bool SameLayout(const std::string& stored, const std::string& program);

// A stored supertype that the program has, but not as a supertype of this type: fields of that
// supertype may no longer hold its objects. Empty: there is none.
std::string LostSupertype(std::string_view stored, std::string_view program, const TypeKeys& types);

// Whether the stored type and the program's are one type of the program.
bool SameReferent(const TypeKey& stored, const TypeKey& program, const TypeKeys& types);

// Whether the references in a field may refer to the same types as in the other field.
bool ReferToTheSame(std::string_view stored, std::string_view stored_field,
                    std::string_view program, std::string_view program_field,
                    const TypeKeys& types);

// The reason why objects of the stored type cannot be read unchanged as objects of the program's
// type (the one of `types` that Find returns): a difference in layout, supertypes, or types of
// referents. Empty: they can be read. Lines that older descriptions lack are not compared.
std::string TypeDifference(const std::string& stored, const std::string& program,
                           const TypeKeys& types);

}  // namespace tenure::store
