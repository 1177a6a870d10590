// At an opening: puts the commits in an earlier process's redo log into the trees and removes the
// log.

#pragma once

#include <vector>

#include "store/bdb/bdb_redo.h"
#include "store/bdb/bdb_store.h"
#include "store/log/redo_log.h"

namespace tenure::store {

class RedoRecovery {
 public:
  // `server` is the store's page server, which opens and closes the databases of the commits.
  RedoRecovery(PageServer& server, BdbStore& store, RedoPolicy& redo)
      : server_(server), store_(store), redo_(redo) {}

  // Before anyone else uses the store. kCorrupt if commits that were acknowledged are lost, or do
  // not fit the databases.
  Status RecoverRedoLog();

 private:
  Status Replay();
  // `opened` gets the databases that this function opens.
  Status ReplayRecord(const RedoRecord& record, std::vector<DatabaseId>* opened);

  PageServer& server_;
  BdbStore& store_;
  RedoPolicy& redo_;
};

}  // namespace tenure::store
