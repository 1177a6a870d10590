// Commits with the policy `redo`: what they change is appended to the redo log, kept beside the
// trees, and later put into the trees, many commits in one transaction (docs/recovery.md). The
// trees may get a commit before its record is durable: then Berkeley DB's log has the commit, too.
//
// All functions need BdbStore::commit_mutex, and trees_mutex exclusively unless they say otherwise.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/mutex.h"
#include "base/worker_thread.h"
#include "store/bdb/bdb_commit_sync.h"
#include "store/bdb/bdb_store.h"
#include "store/bdb/bdb_tree_writer.h"
#include "store/format/page_record.h"
#include "store/log/redo_log.h"
#include "store/log/redo_prewriter.h"

namespace tenure::store {

// The most bytes that Berkeley DB's log takes when that many pages are put into the trees: old and
// new contents, and the splits.
constexpr uint64_t LogBytesOfPages(uint64_t pages) { return kPageRecordBytes * pages * 5 / 2; }

class RedoPolicy {
 public:
  RedoPolicy(BdbStore& store, TreeWriter& writer, CommitSync& sync)
      : store_(store), writer_(writer), sync_(sync) {}

  // Whether Order can take the request: the options ask for the policy, and the commit is neither
  // too large nor of a kind that the redo log has no form for.
  bool Fits(const CommitRequest& request) const;
  // Needs and takes trees_mutex itself. The commit is not durable yet.
  CommitAnswer Order(const CommitRequest& request);

  // Writes pages of a later commit (PageServer::Prewrite). Takes the mutexes itself.
  void Prewrite(CommitId id, std::span<const std::byte* const> pages);
  // Takes commit_mutex itself.
  void EndPrewrite();

  // How many pages wait for the trees. Needs commit_mutex only.
  uint64_t PendingCount() const;
  // Puts the pending pages into the trees, not durably. After a lack of space the environment's
  // checkpoint is deferred and all pages are still pending; after another failure the environment
  // has failed.
  Status ApplyPending();
  // As ApplyPending, durably: the log is empty afterwards, and all commits are durable.
  Status DrainRedoLog();
  // Makes the checkpoint that the environment has deferred, if any.
  Status RetryCheckpoint();

  // Used by recovery. kConflict if a page does not have the version that the commit expects.
  Status Check(const DatabaseCommit& commit, uint64_t version);
  // Makes the commit's changes pending.
  void Stage(const CommitRequest& request, const CommitMark& record);

  // Ends the thread that puts pending pages into the trees. Needs neither mutex to be held.
  void StopApplier();
  // Puts the pending pages into the trees and closes the log. `log_obsolete` becomes true if the
  // trees have everything that the log has.
  Status Close(bool* log_obsolete);

  uint64_t bytes_appended() const { return bytes_appended_.load(std::memory_order_relaxed); }

 private:
  Result<uint64_t> VersionOf(DatabaseState& database, PageId page);
  bool BeginPrewrite(CommitId id);
  void WantApplied();
  void RunApplier();

  BdbStore& store_;
  TreeWriter& writer_;
  CommitSync& sync_;

  // Protected by BdbStore::commit_mutex.
  RedoLog& log_{sync_.redo_log()};
  RedoPrewriter prewriter_{log_};
  std::vector<CommitMark> pending_outcomes_;  // of commits that are not in the trees
  uint64_t pending_bytes_ = 0;

  std::atomic<uint64_t> bytes_appended_{0};
  WorkerThread applier_;
  Mutex applier_mutex_;
  CondVar apply_wanted_;
  bool apply_requested_ TN_GUARDED_BY(applier_mutex_) = false;
  bool stop_applier_ TN_GUARDED_BY(applier_mutex_) = false;
};

}  // namespace tenure::store
