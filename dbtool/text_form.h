// The commands that look at a store and say what they see: for people, or one JSON value for
// machines.
#pragma once

#include <string>

#include "dbtool/json.h"
#include "dbtool/stored_objects.h"

namespace tenure::dbtool {

// Each writes to the standard output. `database` may be empty where all of the store are meant.
// `serving` is what the store's server said of itself, as JSON; null where there is none.
Status PrintStatistics(OpenedStore& store, const std::string& path, const std::string& database,
                       bool json, Json serving);
// Whether all was well; problems are printed.
Result<bool> Verify(OpenedStore& store, const std::string& path, const std::string& database,
                    bool json);
// Whether all objects could be counted; damage is told on the standard error.
Result<bool> PrintSchema(OpenedStore& store, bool json);
// All objects, or those of one page.
Status Dump(OpenedStore& store, const std::string& database, uint64_t page,
            const ProblemSink& problem);
// The shortest path of references from the root, or from an export, to the object.
Status PrintWhy(OpenedStore& store, const std::string& database, const std::string& object,
                bool json);

// The value of a field as converters take it (stdlib's DatabaseConverter): elements of enumerations
// are numbers, references are "PAGE:OFFSET" or null, what is longer than 64 bits is in hexadecimal.
Json JsonOf(const StoredObject& object, const StoredField& field);
// The same for people; long values are cut.
std::string TextOf(const StoredObject& object, const StoredField& field);

}  // namespace tenure::dbtool
