// Commits of several stores (docs/recovery.md): a participant prepares a commit, whose coordinator
// decides it; the coordinator keeps its decision until all participants have acknowledged it. The
// functions are those of PageServer with the same names.

#pragma once

#include <vector>

#include "store/bdb/bdb_commit.h"
#include "store/bdb/bdb_commit_records.h"
#include "store/bdb/bdb_redo.h"
#include "store/bdb/bdb_store.h"
#include "store/bdb/bdb_tree_writer.h"

namespace tenure::store {

class TwoPhase {
 public:
  // The parts of the store that TwoPhase uses. `server`, its page server, opens and closes the
  // databases of commits.
  struct Parts {
    PageServer& server;
    BdbStore& store;
    TreeWriter& writer;
    CommitRecords& records;
    RedoPolicy& redo;
    Committer& committer;
    CommitSync& sync;
  };
  explicit TwoPhase(const Parts& parts)
      : server_(parts.server),
        store_(parts.store),
        writer_(parts.writer),
        records_(parts.records),
        redo_(parts.redo),
        committer_(parts.committer),
        sync_(parts.sync) {}

  Status Prepare(const CommitRequest& request, const Coordinator& coordinator);
  CommitAnswer Resolve(CommitId id, bool commit);
  Result<std::vector<PreparedCommit>> Prepared();
  Result<bool> Decided(CommitId id);
  Status Acknowledge(CommitId id, const Uuid& participant);

 private:
  PageServer& server_;
  BdbStore& store_;
  TreeWriter& writer_;
  CommitRecords& records_;
  RedoPolicy& redo_;
  Committer& committer_;
  CommitSync& sync_;
};

}  // namespace tenure::store
