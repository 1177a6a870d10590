#pragma once

// A Berkeley DB environment as we use it: private to this process (the store's LOCK sees to that),
// transactions and log but no Berkeley DB locks, recovery at every opening, checkpoints in the
// background, and its error codes turned into Status.
//
// Threads: Berkeley DB does not lock for us. Operations that change trees exclude each other and
// those that read them; BdbPageServer arranges it. Checkpoints and log flushes may run beside
// anything.

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/worker_thread.h"
#include "store/directory/store_directory.h"
#include "store/log/log_mark.h"
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
  // Without a thread the checkpoints by log size are made by the commits themselves: tests that
  // count I/O operations need the same ones in every run.
  bool checkpoint_thread = true;
  // Commits by the policy `redo`: to a log of their own, from which they are put into the trees
  // later. Recovery reads that log whatever is said here.
  bool redo = false;
  // They wait when so much of it is not in the trees.
  uint64_t redo_lag_bytes = 64 << 20;
  // How long after a commit what is pending is put into the trees.
  double redo_apply_seconds = 0.25;
  // Of a damaged log, Berkeley DB's or the redo log, recovery takes what comes before the damage,
  // and forgets the rest: to salvage a copy of the store.
  bool redo_until_damage = false;

  friend bool operator==(const BdbOptions&, const BdbOptions&) = default;
};

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

  // Ends it; with a checkpoint if nothing has failed. All trees are closed already. Removes the
  // file `obsolete`, if that is not empty, when the trees have everything.
  Status Close(const std::string& obsolete = {});

  // Nothing is left to be written: the files are as after Close, and others may open them. Not when
  // checkpoints are made in the background. After Resume it goes on.
  Status Settle();
  Status Resume();

  // A tree (BTREE, one per file). kNotFound if it is to exist and does not, kExists the other way
  // round. Made in `transaction` if it is made, which is the caller's to commit.
  Result<__db*> OpenTree(const std::string& file);
  Result<__db*> CreateTree(__db_txn* transaction, const std::string& file);
  void CloseTree(__db* tree);
  // One that is closed; durable. Other operations must be kept out.
  Status RemoveTree(const std::string& file);

  Result<__db_txn*> Begin();
  // Commits without waiting for the disk: Flush does. Both leave the environment failed if they
  // fail, since nobody knows then what the log holds.
  Status Commit(__db_txn* transaction);
  // With it, commits up to `version` are acknowledged, which the log's mark notes (log_mark.h).
  Status Flush(uint64_t version = 0);
  // They are on the disk by other means.
  void NoteAcknowledged(uint64_t version);
  // The last that the mark had when the environment was opened: recovery must come so far.
  uint64_t acknowledged() const { return acknowledged_; }
  void Abort(__db_txn* transaction);

  // Tells the checkpointer that there is something to do.
  void NoteCommit();
  // When it fails for lack of space or descriptors the environment has not failed: the log has
  // everything, and the next one, which the checkpointer makes when there is room, makes good for
  // it.
  Status Checkpoint();
  // Ok, or why the last checkpoint, or what should have come before it (Owe), did not take place:
  // nothing should be added to the log before one does.
  Status owed() const;
  void Owe(Status status);

  // The Status for Berkeley DB's return code `code` (not 0) of an operation described by `what`.
  // Codes after which Berkeley DB refuses all work make the environment failed. `number`: see
  // Status.
  Status Translate(int code, const std::string& what, int64_t number = 0);

  // It is failed from now on, with this Status unless it is already.
  void GiveUp(Status status) { static_cast<void>(Fail(status)); }

  // Whether a failure, for want of space or of descriptors, leaves it as it was: Berkeley DB has
  // not given up, and can do the same again.
  bool IsOnlyLack(const Status& status) const;

  // Ok, or why nothing works any more.
  Status failed() const;
  // Calls `tell` once when it has failed, which may be now; from any thread, which may hold locks.
  void OnFailure(std::function<void()> tell);

  uint64_t LogBytes() const;
  // What recovery would read: so much may not be in the trees' files.
  uint64_t LogBytesSinceCheckpoint() const;
  uint64_t flushes() const { return flushes_; }

 private:
  explicit BdbEnvironment(const StoreDirectory& directory, const BdbOptions& options)
      : directory_(directory), options_(options) {}

  // With what is the same for all.
  int MakeHandle();
  Status FailedToOpen(int code);
  Status OpenForReading();
  // `again`: it has been opened, with recovery, and closed in this call.
  Status OpenEnvironment(bool again = false);
  Status Fail(Status status);
  // With everything, or once there is so much log since the last one.
  Status Checkpoint(uint32_t log_kilobytes);
  void RunCheckpointer();
  void StopCheckpointer();

  const StoreDirectory& directory_;
  const BdbOptions options_;
  // Outlives env_, which writes through it.
  std::unique_ptr<DoubleWrite> double_write_;
  std::unique_ptr<LogMarkFile> mark_;
  uint64_t acknowledged_ = 0;
  std::string fetched_;  // the file that was read ahead before anyone opened it; or empty
  __db_env* env_ = nullptr;

  mutable std::mutex failed_mutex_;
  Status failed_;
  Status owed_;
  std::function<void()> tell_failure_;
  std::atomic<uint64_t> flushes_{0};
  // Transactions that have ended; how many of them had when the last full checkpoint began.
  std::atomic<uint64_t> ended_{0};
  uint64_t ended_before_checkpoint_ = 0;  // with failed_mutex_

  WorkerThread checkpointer_;
  std::mutex checkpoint_mutex_;
  std::condition_variable checkpoint_wanted_;
  bool commits_since_checkpoint_ = false;
  bool stop_checkpointer_ = false;
};

}  // namespace tenure::store
