// Types and fields that have other names in a program than in a store.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "dbtool/stored_types.h"

namespace tenure::dbtool {

struct Renaming {
  std::map<std::string, std::string> types;   // "Main.Node" to "Nodes.T"
  std::map<std::string, std::string> fields;  // "Main.Node.title" to "name"; TYPE as it is stored
};

// Of "TYPE=NEW" and "TYPE.FIELD=NEW". kInvalidArgument when one is nothing of the kind.
Result<Renaming> ParseRenaming(const std::vector<std::string>& types,
                               const std::vector<std::string>& fields);

// The types that change, as the program calls them, by index. The field of a type is that of its
// subtypes too; a type's name is replaced wherever it stands in a type. kInvalidArgument when the
// store has no such type or field.
Result<std::map<uint32_t, StoredType>> Renamed(const StoredTypes& types, const Renaming& renaming);

}  // namespace tenure::dbtool
