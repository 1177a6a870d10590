// Writes what commits change into the trees of a store, within a Berkeley DB transaction that the
// caller began and ends. After a failure the caller aborts the transaction. All functions need
// BdbStore::trees_mutex exclusively.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "store/bdb/bdb_names.h"
#include "store/bdb/bdb_store.h"

namespace tenure::store {

class TreeWriter {
 public:
  TreeWriter(BdbStore& store, NameList& names) : store_(store), names_(names) {}

  // Writes one database's part of a commit: pages, removed pages, tables, head. kConflict if a page
  // is not as the commit expects.
  Status WriteDatabase(__db_txn* transaction, const DatabaseCommit& commit, uint64_t version);
  Status WriteOutcome(__db_txn* transaction, const CommitMark& record);
  // Writes the changes of BdbStore::outcomes, and the older commit to keep from now on, if any.
  Status WriteKept(__db_txn* transaction, const std::optional<CommitMark>& kept = std::nullopt);
  Status WriteHead(__db_txn* transaction, const DatabaseState& database, const DatabaseHead& head);
  // Writes everything that is pending for the database: pages, removed pages, head. `version`: of
  // the last commit that the trees have afterwards.
  Status ApplyDatabase(__db_txn* transaction, DatabaseState& database, uint64_t version);
  // Called after the commit of a transaction that changed the database: the head and the list of
  // names have the stamp that the transaction wrote, if it wrote one.
  void SettleStamp(DatabaseState& database);

 private:
  // Draws a new stamp, and writes it to the list, if the database gets its first change since the
  // last checkpoint: no two states of its file have the same stamp. Returns whether it did; then
  // the caller writes the head.
  Result<bool> Stamp(__db_txn* transaction, DatabaseState& database, uint64_t version);
  Status WriteTables(__db_txn* transaction, const DatabaseState& database,
                     const DatabaseCommit& commit);
  Status RemovePage(__db_txn* transaction, DatabaseState& database, const PageWrite& write);
  Status WriteFreed(__db_txn* transaction, DatabaseState& database);
  Status WritePage(__db_txn* transaction, DatabaseState& database, const PageWrite& write,
                   uint64_t version);
  Status ChangePage(__db_txn* transaction, DatabaseState& database, const PageWrite& write,
                    uint64_t version, size_t gap);
  Status ApplyPage(__db_txn* transaction, DatabaseState& database, PageId page);

  // Puts the header and these ranges of the record where the cursor is. Ranges that are less than
  // `gap` apart go in one put. Returns Berkeley DB's code.
  int PutRanges(class Cursor& cursor, PageKey& key, const PageRecord& record,
                std::span<const PendingPage::Range> ranges, size_t gap);

  BdbStore& store_;
  NameList& names_;
};

}  // namespace tenure::store
