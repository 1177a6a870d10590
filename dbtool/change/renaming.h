// Types and fields that have other names in a program than in a store, and fields of a store that a
// program shall not have.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "dbtool/stored/stored_types.h"

namespace tenure::dbtool {

struct Renaming {
  std::map<std::string, std::string> types;  // "Main.Node" to "Nodes.T"
  // "Main.Node.title" to "name", "Main.Node.plan.mark" to "sign"; stored TYPE and path
  std::map<std::string, std::string> fields;
};

// Fields whose values may be lost.
struct DroppedFields {
  bool all = false;
  std::set<std::string> fields;  // "Main.Node.title"; stored TYPE
};

// Parses "TYPE.FIELD". kInvalidArgument when an element has another form.
Result<DroppedFields> ParseDropped(const std::vector<std::string>& fields, bool all);
// kInvalidArgument when the store has no such field.
Status CheckDropped(const StoredTypes& types, const DroppedFields& dropped);

// The names "TYPE.FIELD" by which a field of the type may be called: TYPE is the type or a
// supertype. TYPE alone names what has no name: the elements of an open array, the referent of a
// REF to no record.
std::vector<std::string> NamesOfField(const StoredTypes& types, const StoredType& type,
                                      const std::string& field);

// The same for field number `index` of the type, or with the path of a field inside of it. If the
// type has several fields of the name, as one hides those of its supertypes, TYPE is only the type
// that declares this one. Where the store does not tell that, the last of the fields is the type's
// own, and one that it hides its supertype's.
std::vector<std::string> NamesOfField(const StoredTypes& types, const StoredType& type,
                                      size_t index, const std::string& path);

// The new name of the field with this stored path, which is inside of field number `index` of the
// type; `name` if it keeps its name.
std::string NameOfInner(const StoredTypes& types, const StoredType& type, size_t index,
                        const std::string& path, const Renaming& renaming, const std::string& name);

// Parses "TYPE=NEW" and "TYPE.FIELD=NEW"; FIELD may be the path of a field of a record.
// kInvalidArgument when an element has another form.
Result<Renaming> ParseRenaming(const std::vector<std::string>& types,
                               const std::vector<std::string>& fields);

// The changed types by index, as the program calls them. A field belongs to the subtypes, too; a
// type's name is replaced wherever it appears in a type. A type that the renaming names, even with
// its present name, is the program's type of the new name, whatever the brands of the two.
// kInvalidArgument if the store has no such type or field.
Result<std::map<uint32_t, StoredType>> Renamed(const StoredTypes& types, const Renaming& renaming);

}  // namespace tenure::dbtool
