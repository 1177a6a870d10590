#include "store/server/known_entries.h"

#include <algorithm>

namespace tenure::store {

Result<std::optional<ImportEntry>> KnownEntries::ImportAt(DatabaseId database, uint64_t number) {
  const MutexLock guard(lock_);
  std::vector<ImportEntry>& known = imports_[database.index];
  if (number > known.size()) {
    TN_ASSIGN_OR_RETURN(known, store_.Imports(database));
  }
  return number == 0 || number > known.size() ? std::optional<ImportEntry>() : known[number - 1];
}

Result<std::optional<ExportEntry>> KnownEntries::ExportAt(DatabaseId database, uint64_t number) {
  const MutexLock guard(lock_);
  std::vector<ExportEntry>& known = exports_[database.index];
  if (number > known.size()) {
    TN_ASSIGN_OR_RETURN(known, store_.Exports(database));
  }
  return number == 0 || number > known.size() ? std::optional<ExportEntry>() : known[number - 1];
}

Result<std::optional<DatabaseId>> KnownEntries::DatabaseOf(const ImportEntry& entry) {
  TN_ASSIGN_OR_RETURN(const std::vector<std::string> names, store_.ListDatabases());
  if (std::ranges::find(names, entry.name) == names.end()) return std::optional<DatabaseId>();
  const Result<DatabaseId> id = open_(entry.name);
  if (!id.ok()) return std::optional<DatabaseId>();  // its next reader says why
  TN_ASSIGN_OR_RETURN(const Uuid uuid, store_.DatabaseUuid(*id));
  return uuid == entry.database ? std::optional<DatabaseId>(*id) : std::nullopt;
}

Result<bool> KnownEntries::IsKnownImport(const ImportEntry& entry) {
  TN_ASSIGN_OR_RETURN(const std::vector<std::string> names, store_.ListDatabases());
  for (const std::string& name : names) {
    const Result<DatabaseId> id = open_(name);
    if (!id.ok()) continue;
    TN_ASSIGN_OR_RETURN(const std::vector<ImportEntry> imports, store_.Imports(*id));
    if (std::ranges::any_of(imports, [&](const ImportEntry& other) {
          return other.database == entry.database && other.export_number == entry.export_number &&
                 other.export_tag == entry.export_tag;
        })) {
      return true;
    }
  }
  return false;
}

void KnownEntries::Forget(DatabaseId database) {
  const MutexLock guard(lock_);
  imports_.erase(database.index);
  exports_.erase(database.index);
}

}  // namespace tenure::store
