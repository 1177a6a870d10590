// Opens and makes the databases of a store: reads a tree's head and tables, checks them, and adds
// the database to BdbStore::databases.
//
// The functions need both mutexes of the BdbStore, trees_mutex exclusively.

#pragma once

#include <memory>
#include <string>

#include "store/bdb/bdb_commit_records.h"
#include "store/bdb/bdb_names.h"
#include "store/bdb/bdb_store.h"

namespace tenure::store {

class DatabaseOpener {
 public:
  DatabaseOpener(BdbStore& store, NameList& names, CommitRecords& records)
      : store_(store), names_(names), records_(records) {}

  // `database` has its name and its open tree, which is closed after a failure. kCorrupt, kFormat:
  // its head or its tables.
  Result<DatabaseId> Add(std::unique_ptr<DatabaseState> database);

  // Makes an empty database, durably. kExists if the file exists.
  Result<DatabaseId> Create(const std::string& name, const std::string& file, const Uuid& uuid);
  // Makes the database that may take the place of `name`. It is not in the list of names.
  Result<DatabaseId> CreateReplacement(const std::string& name, const Uuid& uuid);

 private:
  // An empty database with a head, which is not written yet.
  std::unique_ptr<DatabaseState> NewDatabase(const std::string& name, const Uuid& uuid,
                                             __db* tree) const;
  Status LoadHead(DatabaseState& database);
  Status CountEntries(DatabaseState& database);
  Status LoadFreed(DatabaseState& database);
  Status CheckNextPage(const DatabaseState& database);
  Status ClaimPrepared(DatabaseState& database);

  BdbStore& store_;
  NameList& names_;
  CommitRecords& records_;
};

}  // namespace tenure::store
