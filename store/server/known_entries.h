// The tables of references between the databases of a served store, read as far as the check of
// requests has asked for them: entries are never changed.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "store/server/page_server.h"

namespace tenure::store {

// Any thread.
class KnownEntries {
 public:
  // `open` opens one of the store's databases for good.
  KnownEntries(PageServer& store, std::function<Result<DatabaseId>(const std::string& name)> open)
      : store_(store), open_(std::move(open)) {}

  // The entry of the database's table, from 1; nothing: the table is shorter.
  Result<std::optional<ImportEntry>> ImportAt(DatabaseId database, uint64_t number);
  Result<std::optional<ExportEntry>> ExportAt(DatabaseId database, uint64_t number);
  // The store's database with this name and uuid; nothing: there is none.
  Result<std::optional<DatabaseId>> DatabaseOf(const ImportEntry& entry);
  // Whether a database of the store has the same entry.
  Result<bool> IsKnownImport(const ImportEntry& entry);

  // The database is closed; its number may become another one's.
  void Forget(DatabaseId database);

 private:
  PageServer& store_;
  const std::function<Result<DatabaseId>(const std::string& name)> open_;
  Mutex lock_;
  // At least what was asked for, by database.
  std::map<uint32_t, std::vector<ImportEntry>> imports_ TN_GUARDED_BY(lock_);
  std::map<uint32_t, std::vector<ExportEntry>> exports_ TN_GUARDED_BY(lock_);
};

}  // namespace tenure::store
