// Records in the store's tree about commits that involve several stores (docs/page_format.md):
// commits that are prepared here, and commits that were decided here and that some other store has
// not acknowledged yet.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "store/bdb/bdb_store.h"

namespace tenure::store {

class CommitRecords {
 public:
  explicit CommitRecords(BdbStore& store) : store_(store) {}

  // `tag`: kPreparedTag or kDecisionTag. An empty text removes the record. Needs
  // BdbStore::trees_mutex exclusively.
  Status Put(__db_txn* transaction, std::byte tag, CommitId id, const std::string& text);
  // kNotFound if there is no record. Needs BdbStore::trees_mutex.
  Result<std::string> Get(std::byte tag, CommitId id) const;
  // All prepared commits. Needs BdbStore::trees_mutex.
  Result<std::vector<PreparedCommit>> Prepared() const;

 private:
  BdbStore& store_;
};

}  // namespace tenure::store
