// Commits: checks a request, then hands it to the policy `redo` or writes it to the trees in one
// Berkeley DB transaction; then waits until the log is synced.

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "store/bdb/bdb_commit_records.h"
#include "store/bdb/bdb_commit_sync.h"
#include "store/bdb/bdb_redo.h"
#include "store/bdb/bdb_store.h"
#include "store/bdb/bdb_tree_writer.h"

namespace tenure::store {

class Committer {
 public:
  Committer(BdbStore& store, TreeWriter& writer, CommitRecords& records, RedoPolicy& redo,
            CommitSync& sync)
      : store_(store), writer_(writer), records_(records), redo_(redo), sync_(sync) {}

  enum class Prepared : bool { kNo, kYes };
  // PageServer::Order. kYes: Prepare has recorded the commit; its record goes with the commit.
  // Takes the mutexes of the BdbStore itself.
  CommitAnswer Order(const CommitRequest& request, Prepared prepared);
  // Order, and waits until the commit is durable.
  CommitAnswer Commit(const CommitRequest& request, Prepared prepared);

  // kNoSpace unless the disk has room for the commit and for everything that is pending for the
  // trees. Makes a checkpoint if a checkpoint frees enough space. Needs commit_mutex, and
  // trees_mutex exclusively.
  Status CheckSpace(const CommitRequest& request);

 private:
  // Does StoreDirectory::CheckInPlace. Of the commits that wait for one sync, only the first one
  // checks.
  Status CheckInPlace();

  // CheckSpace for a commit of replacements (CreateReplacement).
  Status CheckSpaceForReplacements(const CommitRequest& request);

  // Whether enough space was free a moment ago that a commit of `needed` bytes need not look again.
  bool HadMuchSpace(uint64_t needed);

  // The size of the file system, looked up once; 0: not known.
  uint64_t DiskBytes();

  uint64_t disk_bytes_ = 0;
  struct {
    std::chrono::steady_clock::time_point when;
    uint64_t free_bytes = 0;
  } looked_at_;  // the file system
  // The last version that was durable when the directory was looked at.
  std::optional<uint64_t> in_place_at_;
  BdbStore& store_;
  TreeWriter& writer_;
  CommitRecords& records_;
  RedoPolicy& redo_;
  CommitSync& sync_;
};

}  // namespace tenure::store
