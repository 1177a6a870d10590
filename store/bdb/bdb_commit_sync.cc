#include "store/bdb/bdb_commit_sync.h"

#include <algorithm>

namespace tenure::store {

void CommitSync::NoteOrdered(uint64_t version, CommitLog log) {
  (log == CommitLog::kRedo ? in_redo_log_ : in_tree_log_).store(version, std::memory_order_relaxed);
  ordered_.store(version, std::memory_order_relaxed);
  group_.NoteWritten(version);  // publishes the stores above
}

Status CommitSync::FlushTrees() {
  const uint64_t version = store_.version;
  TN_RETURN_IF_ERROR(store_.environment->Flush(version));
  group_.NoteDurable(version);
  return Status::Ok();
}

Status CommitSync::Await(uint64_t version) {
  if (version <= durable()) return Status::Ok();
  return group_.Await(std::min(version, ordered_.load(std::memory_order_acquire)));
}

// Each log may have commits that the other lacks. Berkeley DB's log is synced first: if the process
// ends in between, the redo log has no commits behind a gap.
Status CommitSync::SyncLogs(uint64_t version) {
  BdbEnvironment& environment = *store_.environment;
  TN_RETURN_IF_ERROR(environment.failed());
  const uint64_t known = durable();
  const bool redo = in_redo_log_.load(std::memory_order_relaxed) > known;
  if (in_tree_log_.load(std::memory_order_relaxed) > known) {
    TN_RETURN_IF_ERROR(environment.Flush(redo ? 0 : version));
  }
  if (!redo) return Status::Ok();
  if (const Status status = redo_log_.Sync(); !status.ok()) {
    environment.GiveUp(status);
    return status;
  }
  environment.NoteAcknowledged(version);
  redo_syncs_.fetch_add(1, std::memory_order_relaxed);
  return Status::Ok();
}

}  // namespace tenure::store
