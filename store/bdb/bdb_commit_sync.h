// Makes commits durable that have been ordered: in the redo log or in Berkeley DB's log, one sync
// for all that wait (docs/recovery.md, "Commits in groups").

#pragma once

#include <atomic>
#include <cstdint>

#include "base/mutex.h"
#include "store/bdb/bdb_store.h"
#include "store/log/group_sync.h"
#include "store/log/redo_log.h"

namespace tenure::store {

class CommitSync {
 public:
  explicit CommitSync(BdbStore& store) : store_(store) {}

  enum class CommitLog : bool { kRedo, kTrees };

  // The redo log. All but Sync and SyncName need BdbStore::commit_mutex.
  RedoLog& redo_log() { return redo_log_; }

  // The last commit is written to this log; `version` is the commit's. Needs commit_mutex.
  void NoteOrdered(uint64_t version, CommitLog log);
  // The log of the trees has all commits: flushes it, and all are durable. Needs commit_mutex.
  Status FlushTrees();
  // An opening has found all commits up to this one, and they are durable.
  void NoteRecovered(uint64_t version) { group_.NoteDurable(version); }

  // Waits until commits up to `version` are durable, and acknowledged in the log's mark. Needs no
  // mutex; must not be called with commit_mutex or trees_mutex held by the same thread. Not ok: the
  // environment has failed.
  Status Await(uint64_t version);
  uint64_t durable() const { return group_.durable(); }

  // While the caller holds this, the environment is not closed: for a flush without a commit. Needs
  // commit_mutex, which the caller need not keep.
  std::shared_lock<SharedMutex> KeepOpen() { return std::shared_lock(open_mutex_); }

  // For closing: waits for syncs that are running. No sync begins afterwards; threads that wait go
  // on waiting for End. Needs commit_mutex.
  void Pause() {
    group_.Pause();
    const LockGuard wait(open_mutex_);
  }
  // The store is closed. Ok: all commits are durable.
  void End(Status status) { group_.End(status); }

  uint64_t redo_syncs() const { return redo_syncs_.load(std::memory_order_relaxed); }
  uint64_t largest_group() const { return group_.largest_group(); }

 private:
  Status SyncLogs(uint64_t version);

  BdbStore& store_;
  RedoLog redo_log_;
  SharedMutex open_mutex_;
  // The last commits that were written to each log.
  std::atomic<uint64_t> ordered_{0}, in_redo_log_{0}, in_tree_log_{0};
  std::atomic<uint64_t> redo_syncs_{0};
  GroupSync group_{[this](uint64_t version) { return SyncLogs(version); }};
};

}  // namespace tenure::store
