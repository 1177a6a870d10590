// Records of commits of several stores, in the store's tree (docs/page_format.md): of a commit that
// is prepared here, and of a commit that was decided here and that other stores have not all
// acknowledged.

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
