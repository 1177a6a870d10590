// The commands that inspect a store, with output for people, or one JSON value for programs.
#pragma once

#include <string>

#include "dbtool/stored/stored_objects.h"
#include "dbtool/values/json.h"

namespace tenure::dbtool {

// Each writes to the standard output. `database` may be empty for functions that can treat the
// whole store. `serving` is the server's report as JSON, or null.
Status PrintStatistics(OpenedStore& store, const std::string& path, const std::string& database,
                       bool json, Json serving);
// Prints problems. Returns whether all was well.
Result<bool> Verify(OpenedStore& store, const std::string& path, const std::string& database,
                    bool json);
// Whether all objects could be counted; damage is reported to the standard error.
Result<bool> PrintSchema(OpenedStore& store, bool json);
// All objects, or those of one page. As JSON: {"root": ..., "objects": [...]}, an object with its
// "object" and "type", and the members that an export has.
Status Dump(OpenedStore& store, const std::string& database, uint64_t page, bool json,
            const ProblemSink& problem);
// The shortest path of references from the root, or from an export, to the object.
Status PrintWhy(OpenedStore& store, const std::string& database, const std::string& object,
                bool json);

}  // namespace tenure::dbtool
