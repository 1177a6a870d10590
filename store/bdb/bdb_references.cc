// BdbPageServer: the tables of references between databases.

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "store/bdb/bdb_handles.h"
#include "store/bdb/bdb_page_server.h"
#include "store/format/status_text.h"
#include "store/server/reference_entries.h"

namespace tenure::store {

namespace {

// Calls take(bytes) for each entry whose key follows `first`; keys have no gaps. take returns
// whether the entry is well formed.
template <typename Take>
Status ReadTable(BdbEnvironment& environment, DB* tree, uint64_t first, const std::string& database,
                 Take&& take) {
  const auto damaged = [&] {
    return Failure(StatusCode::kCorrupt,
                   "database " + database + " is damaged: a table of references between databases");
  };
  PageCursor cursor(tree, /*values=*/true);
  uint64_t expected = first + 1;
  int code = cursor.SeekFrom(expected);
  for (; code == 0; code = cursor.Next()) {
    if (cursor.number() >> 56 != first >> 56) return Status::Ok();
    if (cursor.number() != expected++ || !take(cursor.value())) return damaged();
  }
  return code == DB_NOTFOUND ? Status::Ok()
                             : environment.Translate(code, "cannot read database " + database);
}

}  // namespace

Result<Uuid> BdbPageServer::DatabaseUuid(DatabaseId id) {
  const ReaderLock lock(store_.trees_mutex);
  TN_ASSIGN_OR_RETURN(DatabaseState* const database, store_.Find(id));
  return database->head.uuid;
}

Result<std::vector<ImportEntry>> BdbPageServer::Imports(DatabaseId id) {
  const ReaderLock lock(store_.trees_mutex);
  TN_ASSIGN_OR_RETURN(DatabaseState* const database, store_.Find(id));
  std::vector<ImportEntry> entries;
  TN_RETURN_IF_ERROR(ReadTable(*store_.environment, database->tree, kImportKeys, database->name,
                               [&](std::span<const std::byte> bytes) {
                                 std::optional<ImportEntry> entry = DecodeImport(bytes);
                                 if (!entry) return false;
                                 entries.push_back(*std::move(entry));
                                 return true;
                               }));
  return entries;
}

Result<std::vector<ExportEntry>> BdbPageServer::Exports(DatabaseId id) {
  const ReaderLock lock(store_.trees_mutex);
  TN_ASSIGN_OR_RETURN(DatabaseState* const database, store_.Find(id));
  std::vector<ExportEntry> entries;
  TN_RETURN_IF_ERROR(ReadTable(*store_.environment, database->tree, kExportKeys, database->name,
                               [&](std::span<const std::byte> bytes) {
                                 const std::optional<ExportEntry> entry = DecodeExport(bytes);
                                 if (entry) entries.push_back(*entry);
                                 return entry.has_value();
                               }));
  return entries;
}

}  // namespace tenure::store
