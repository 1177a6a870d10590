// Export of a database as JSON lines, and import, which makes an equal graph in a new database.
//
// The first line names the format; then there is a line for each entry of the type table, of the
// import and export tables, and for each object (values/object_json.h). In version 1, which import
// still reads, objects were bytes in base 16, with separate references.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "dbtool/stored/stored_objects.h"

namespace tenure::dbtool {

inline constexpr const char* kExportFormat = "tenure export";  // of the first line
inline constexpr uint64_t kExportVersion = 2;

// Damaged objects are reported to `problem` and left out; a last line {"damaged": [...]} then lists
// them. Without a `problem` the first damage is the failure. *objects, if given, becomes the number
// of objects that were written.
Status Export(OpenedStore& store, const std::string& database, FILE* to,
              const ProblemSink& problem = {}, uint64_t* objects = nullptr);

struct ImportTotals {
  uint64_t objects = 0;
  uint64_t pages = 0;
  std::vector<std::string> notes;  // remarks for people
};

struct ImportSource {
  std::string database;   // that is made
  FILE* from = nullptr;   // an export
  std::string file_name;  // for messages
};

// Makes the store, if there is none at `path`, and in it the databases. All or nothing: all exports
// are read and checked first. In a served store, where others see a database at once, the root of
// one that takes several commits is a mark (store/format/unfinished_import.h) until all of it is
// there. A database that an ended import has left so is made anew. The objects are kept in
// temporary files (in $TMPDIR, or /tmp) until all of them are known, so that it takes memory of
// some 16 bytes an object and, for what is written at once, of 4 MB. kInvalidArgument names the
// line that is wrong. Named types keep their meaning. A database has the uuid of the one that was
// exported, so that other databases that come to this store find in it what they refer to; unless
// the store has a database with it already. References between the databases of the sources lead to
// the new ones in any case. The result is in the order of the sources.
Result<std::vector<ImportTotals>> Import(const std::string& path,
                                         const std::vector<ImportSource>& sources);

// Whether the database is one that an import is making, or an ended one has left.
Result<bool> IsUnfinishedImport(store::PageServer& server, store::DatabaseId database);

}  // namespace tenure::dbtool
