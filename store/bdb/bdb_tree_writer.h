// Writes what commits change into the trees of a store, within a Berkeley DB transaction that the
// caller began and ends. After a failure the caller aborts the transaction. All functions need
// BdbStore::trees_mutex exclusively.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "store/bdb/bdb_store.h"

namespace tenure::store {

class TreeWriter {
 public:
  explicit TreeWriter(BdbStore& store) : store_(store) {}

  // One database's part of a commit: pages, removed pages, tables, head. kConflict if a page is not
  // as the commit expects.
  Status WriteDatabase(__db_txn* transaction, const DatabaseCommit& commit, uint64_t version);
  Status WriteOutcome(__db_txn* transaction, const OutcomeRecord& record);
  Status WriteHead(__db_txn* transaction, const DatabaseState& database, const DatabaseHead& head);
  // Everything that is pending for the database: pages, removed pages, head.
  Status ApplyDatabase(__db_txn* transaction, DatabaseState& database);

 private:
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
};

}  // namespace tenure::store
