// Keys of the library's containers. A container finds a key by the order or the hash that the key
// had when it was put in; a conversion that gives keys other numbers makes it miss them.
#pragma once

#include <string>
#include <vector>

#include "dbtool/stored/stored_types.h"

namespace tenure::dbtool {

// Where a container's keys lie: in a field of objects of a type, or of the elements of an array.
struct KeyField {
  const StoredType* container = nullptr;
  const StoredType* holder = nullptr;
  std::string field;
};

// The types of the objects to which the type's field of this name may refer.
std::vector<const StoredType*> TypesReferredTo(const StoredTypes& types, const StoredType& type,
                                               const std::string& field);

// Finds the keys of tables, sorted tables, B+ trees, sets of those, and priority queues that the
// store has types of: by the fields of their types and the types to which these refer.
std::vector<KeyField> KeyFields(const StoredTypes& types);

}  // namespace tenure::dbtool
