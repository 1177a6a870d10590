// The texts by which a store knows types, and what two of them have in common (docs/page_format.md,
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

// The fingerprint that a description of a type of objects must have to be read at all, by programs
// and whoever checks for them; nothing: there is none.
std::optional<uint64_t> FingerprintIn(std::string_view description);

// By what one program knows a type of another. Owns nothing.
struct TypeKey {
  uint64_t fingerprint = 0;      // 0: not to be used
  std::string_view name, brand;  // no brand: empty
};
inline TypeKey KeyOf(const abi::TypeDescriptor& type) {
  return {type.fingerprint, type.name, type.brand == nullptr ? "" : type.brand};
}

// The types of a program. Whatever its objects are found as, and what their fields are declared as,
// goes through Find: so an object that could stand in a field still can.
class TypeKeys {
 public:
  static constexpr size_t kNone = SIZE_MAX;
  explicit TypeKeys(std::vector<TypeKey> types);
  // What another program's type is in this one, as an index into the types: the type with its
  // fingerprint; else that with its brand, if it has one, else that of its name.
  size_t Find(const TypeKey& key) const;

 private:
  std::vector<TypeKey> types_;
  std::unordered_map<uint64_t, size_t> by_fingerprint_;
};

// What of two descriptions must agree for objects to be read: everything about sizes, slots and
// fields. Empty if they agree, else in words the fields that differ, or what else does first.
std::string LayoutDifference(const std::string& stored, const std::string& program);

// Whether what the names of two fields' types stand for is the same. Descriptions of older programs
// lack CHAR or WIDECHAR before the bounds of a subrange of characters.
bool SameValue(std::string_view a, std::string_view b);

// The same without names and types of fields: what must agree when the fingerprints do.
bool SameLayout(const std::string& stored, const std::string& program);

// A stored supertype that the program has, but not as a supertype of this type: its objects are no
// longer what a field of that supertype may hold. Empty: there is none.
std::string LostSupertype(std::string_view stored, std::string_view program, const TypeKeys& types);

// Whether what the references in a field may refer to is the same as in the other one.
bool ReferToTheSame(std::string_view stored, std::string_view stored_field,
                    std::string_view program, std::string_view program_field,
                    const TypeKeys& types);

// Why objects of the stored type cannot be read as they are as objects of the program's, which is
// the one of `types` that Find has for it: in layout, in supertypes, or in what its references
// refer to. Empty: they can. A description of a time when a line was not written agrees with any.
std::string TypeDifference(const std::string& stored, const std::string& program,
                           const TypeKeys& types);

}  // namespace tenure::store
