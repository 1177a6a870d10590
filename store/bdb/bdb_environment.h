// A Berkeley DB environment as we use it: private to this process (the store's LOCK sees to that),
// transactions and log but no Berkeley DB locks, recovery at every opening, checkpoints in the
// background, and its error codes turned into Status.
//
// Threads: Berkeley DB does not lock for us. Operations that change trees exclude each other and
// those that read them; BdbPageServer arranges it. Checkpoints and log flushes may run beside
// anything.

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "base/result.h"
#include "base/worker_thread.h"
#include "store/directory/store_directory.h"
#include "store/log/log_mark.h"
#include "store/server/page_server.h"
#include "store/trees/double_write.h"

// Berkeley DB's DB_ENV, DB and DB_TXN; db.h is included by the .cc files of this module only.
struct __db_env;
struct __db;
struct __db_txn;

namespace tenure::store {

struct BdbOptions {
  uint64_t cache_bytes = 64 << 20;
  // A checkpoint is made when the log has grown by this much since the last one, or when this time
  // has passed and there was a commit.
  uint64_t checkpoint_log_bytes = 16 << 20;
  double checkpoint_seconds = 5;
  // Without a thread, the commits themselves make the checkpoints by log size: tests that count I/O
  // operations need the same operations in every run.
  bool checkpoint_thread = true;
  // Policy `redo`: commits go to a log of their own and later into the trees. Recovery reads that
  // log whether or not this is set.
  bool redo = false;
  // A commit that leaves more bytes of the redo log than this outside of the trees drains the log.
  uint64_t redo_lag_bytes = 64 << 20;
  // Pending pages are put into the trees this long after a commit.
  double redo_apply_seconds = 0.25;
  // The committing programs are not trusted: the checksums of all pages of a commit are compared
  // before the commit is ordered, however many pages it has.
  bool checks_all_sums = false;
  // Recovery takes the part of a damaged log (Berkeley DB's or the redo log) before the damage and
  // forgets the rest: for salvaging a copy of the store.
  bool redo_until_damage = false;
  // How many commits are remembered (PageServer::Outcome). The latest ones have slots on disk: the
  // number is the same whenever a store is opened. Tests make it small.
  uint32_t latest_outcomes = 1024;
  uint32_t older_outcomes = kOlderOutcomesMost;

  friend bool operator==(const BdbOptions&, const BdbOptions&) = default;
};

// The environment of one open store. Threads: see above.
class BdbEnvironment {
 public:
  // Opens the environment in `directory`, which outlives it, after running recovery; makes a new
  // one if the directory was created just now. If the directory is not writable only trees are
  // opened and read: Begin and RemoveTree fail with kPermission. Checkpoints are made in the
  // background from StartCheckpointer on.
  static Result<std::unique_ptr<BdbEnvironment>> Open(const StoreDirectory& directory,
                                                      const BdbOptions& options);
  ~BdbEnvironment();
  BdbEnvironment(const BdbEnvironment&) = delete;
  BdbEnvironment& operator=(const BdbEnvironment&) = delete;

  void StartCheckpointer();

  // Closes the environment; with a checkpoint if nothing has failed. All trees are closed already.
  // After the checkpoint removes the file `obsolete`, unless that is empty.
  Status Close(const std::string& obsolete = {});

  // Settle leaves nothing to be written: the files are as after Close, and others may open them.
  // Not while checkpoints are made in the background. Resume goes on afterwards.
  Status Settle();
  Status Resume();

  // A tree (BTREE, one per file). OpenTree: kNotFound if the file does not exist; CreateTree:
  // kExists if it does. The caller commits `transaction`.
  Result<__db*> OpenTree(const std::string& file);
  Result<__db*> CreateTree(__db_txn* transaction, const std::string& file);
  void CloseTree(__db* tree);
  // A tree that is written outside of transactions and of the log, so that recovery never makes it
  // anew, in the file of a replacement; kExists if the file exists. A crash leaves a file that the
  // next opening removes. Writes to the tree do not fail for lack of room: ReplacementError does.
  Result<__db*> CreateReplacement(const std::string& file);
  // Ok, or why a page of a replacement could not be written.
  Status ReplacementError() const;
  // Writes and syncs all of a replacement's tree.
  Status SyncReplacement(__db* tree);
  // Empties the files of all replacements, which takes no room; what Berkeley DB still writes of
  // them goes nowhere. The next opening removes the files.
  void DropReplacements();
  // Removes the file of a closed tree, durably. Other operations must be kept out.
  Status RemoveTree(const std::string& file);

  Result<__db_txn*> Begin();
  // Commits without waiting for the disk; Flush waits. If either fails the environment has failed,
  // since nobody knows what the log holds.
  Status Commit(__db_txn* transaction);
  // Syncs the log. Commits up to `version` are then acknowledged, which the log's mark notes
  // (log_mark.h); 0: none.
  Status Flush(uint64_t version = 0);
  // Commits up to `version` are acknowledged, and durable by other means than this log.
  void NoteAcknowledged(uint64_t version);
  // The last acknowledged commit when the environment was opened: recovery must reach it.
  uint64_t acknowledged() const { return acknowledged_; }
  void Abort(__db_txn* transaction);

  // Tells the checkpointer that there was a commit.
  void NoteCommit();
  // Makes a checkpoint. If it lacks space or descriptors the environment has not failed: the log
  // has everything, and the checkpointer makes the deferred checkpoint when there is room.
  Status Checkpoint();
  // The bytes that the file system must have for a checkpoint, beside what the places of pages
  // need.
  uint64_t SpaceForCheckpoint() const { return double_write_->SpaceForBatch(); }
  // Changes when a checkpoint begins and when it ends.
  uint64_t period() const { return period_; }
  // Ok, or the reason why a checkpoint is deferred: the last one failed, or a step before it. No
  // commit should go to the log before a checkpoint has been made.
  Status checkpoint_error() const;
  void DeferCheckpoint(Status status);

  // The Status for Berkeley DB's return code `code` (not 0) of an operation described by `what`.
  // Codes after which Berkeley DB refuses all work make the environment failed. `number`: see
  // Status.
  Status Translate(int code, const std::string& what, int64_t number = 0);

  // Makes the environment failed, with this Status unless it has failed already.
  void GiveUp(Status status) { static_cast<void>(Fail(status)); }

  // Whether the operation that failed can be made again: it lacked space or descriptors, and
  // Berkeley DB has not given up.
  bool IsRetryable(const Status& status) const;

  // Ok, or why nothing works any more.
  Status failed() const;
  // Calls `tell` once when the environment has failed, perhaps within this call; from any thread,
  // with locks held.
  void OnFailure(std::function<void()> tell);

  // Takes blocks on the disk for the next `bytes` of the log, so that to write them needs no free
  // space: the environment fails when a record is written in part. A failure changes nothing, and
  // is retryable if there is no space. Where the log goes on in more than the next file, and on
  // file systems without fallocate, the rest is only compared with the free space. With the lock
  // that orders commits.
  Status ReserveLog(uint64_t bytes);

  uint64_t LogBytes() const;
  // The bytes of log that recovery would read, which the trees' files may lack.
  uint64_t LogBytesSinceCheckpoint() const;
  uint64_t flushes() const { return flushes_; }

 private:
  explicit BdbEnvironment(const StoreDirectory& directory, const BdbOptions& options)
      : directory_(directory), options_(options) {}

  // Creates env_ and applies the options that reading and writing share.
  int MakeHandle();
  Status FailedToOpen(int code);
  Status OpenForReading();
  // `again`: this opening has opened the environment, with recovery, and closed it before.
  Status OpenEnvironment(bool again = false);
  Status Fail(Status status);
  // Reserves what ReserveLog wants in the log files behind the one with this number.
  Status ReserveNextLog(uint32_t current, uint64_t bytes);
  // 0: now. Else only if the log has grown by that many KB since the last checkpoint.
  Status Checkpoint(uint32_t log_kilobytes);
  Status MakeCheckpoint(uint32_t log_kilobytes);
  void RunCheckpointer();
  void StopCheckpointer();

  const StoreDirectory& directory_;
  const BdbOptions options_;
  // Outlives env_, which writes through it.
  std::unique_ptr<DoubleWrite> double_write_;
  std::unique_ptr<LogMarkFile> mark_;
  uint64_t acknowledged_ = 0;
  uint32_t reserved_file_ = 0;  // the number of the log file in which ReserveLog took blocks
  uint64_t reserved_end_ = 0;   // where they end
  uint32_t spare_file_ = 0;     // the number of the log file for which ReserveSpareLog took blocks
  uint64_t spare_end_ = 0;      // where they end
  std::string fetched_;         // the file that was read before anyone opened it; empty: none
  __db_env* env_ = nullptr;
  bool replaces_ = false;  // a replacement has been created

  mutable Mutex failed_mutex_;
  Status failed_ TN_GUARDED_BY(failed_mutex_);
  Status checkpoint_error_ TN_GUARDED_BY(failed_mutex_);
  std::function<void()> tell_failure_;
  std::atomic<uint64_t> flushes_{0};
  std::atomic<uint64_t> period_{1};
  // Transactions that have ended, now and when the last full checkpoint began.
  std::atomic<uint64_t> ended_{0};
  uint64_t ended_before_checkpoint_ TN_GUARDED_BY(failed_mutex_) = 0;
  WorkerThread checkpointer_;
  Mutex checkpoint_mutex_;
  CondVar checkpoint_wanted_;
  bool commits_since_checkpoint_ TN_GUARDED_BY(checkpoint_mutex_) = false;
  bool stop_checkpointer_ TN_GUARDED_BY(checkpoint_mutex_) = false;
};

}  // namespace tenure::store
