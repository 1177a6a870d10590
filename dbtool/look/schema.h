// `tenure db schema`: the stored types as a Modula-3 interface that compiles.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "dbtool/stored/stored_types.h"

namespace tenure::dbtool {

// How many objects of each type there are, by index in the type table.
using ObjectCounts = std::map<uint32_t, uint64_t>;

// The interface Schema. A type's name has an underscore where the stored name has a dot; a comment
// has the stored name, and says which types have no object any more. A type that the store knows by
// name only, since it never had an object of it, is declared without fields.
std::string SchemaInterface(const StoredTypes& types, const ObjectCounts& counts);

}  // namespace tenure::dbtool
