#include "store/bdb/bdb_redo.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "base/mutex.h"
#include "store/bdb/bdb_handles.h"
#include "store/bdb/bdb_memory.h"
#include "store/format/status_text.h"
#include "store/server/commit_check.h"
#include "store/server/commit_image.h"

namespace tenure::store {

namespace {

// A larger commit is written to the trees at once: pages that wait take memory, and readers wait
// while the thread puts the pages into the trees. Less than BdbOptions::redo_lag_bytes, since a
// commit beyond that limit drains the log at once anyway.
constexpr uint64_t kLargestCommit = 48 << 20;
// A commit whose size is not known yet may be larger than kLargestCommit. At most this many bytes
// of such a commit are written in vain.
constexpr uint64_t kMostPrewritten = 16 << 20;
// With less free space, pages are written with their commit, never before it.
constexpr uint64_t kSpaceForPrewrite = 256 << 20;
// A commit of at most this many pages checks before the commit, and not when the pages are put into
// the tree, that the client's checksums are right: such a commit takes the time of its sync anyway.
// With BdbOptions::checks_all_sums each commit does. Whole pages are checked with the request.
constexpr size_t kPagesChecked = 16;
// A commit with at least this many whole pages gets the memory for its pages in one piece.
constexpr size_t kPagesTogether = 16;
// How many versions of a database's pages are remembered instead of being looked up in the tree.
constexpr size_t kVersionsKept = 1 << 18;
// A log longer than this is drained, and overwritten from its beginning: a sync is faster where the
// file system has already given blocks to the file.
constexpr uint64_t kLogBytes = 4 << 20;

}  // namespace

bool RedoPolicy::Fits(const CommitRequest& request) const {
  if (!store_.options.redo || !request.participants.empty()) return false;
  uint64_t bytes = 0, pages = 0;
  for (const DatabaseCommit& commit : request.databases) {
    pages += commit.pages.size();
    if (!commit.imports.empty() || !commit.exports.empty()) return false;
    // Recovery cannot open a replacement: its name is not a name of a database.
    if (!store_.databases[commit.database.index]->replaces.empty()) return false;
    for (const PageWrite& write : commit.pages) {
      if (write.remove) return false;
      bytes += BytesWritten(write);
    }
  }
  return bytes <= kLargestCommit &&
         pages * abi::kPageBytes <= MostPendingBytes(store_.options.cache_bytes);
}

uint64_t RedoPolicy::PendingCount() const {
  uint64_t pages = 0;
  for (const auto& database : store_.databases) {
    if (database != nullptr) pages += database->pending.size();
  }
  return pages;
}

// The version of the page after all commits; 0: the page does not exist.
Result<uint64_t> RedoPolicy::VersionOf(DatabaseState& database, PageId page) {
  if (const PendingPage* pending = database.pending.Find(page)) return pending->version();
  if (page.number >= database.head.next_page) return uint64_t{0};
  const auto known = database.versions.find(page.number);
  if (known != database.versions.end()) return known->second;
  const PageKey key = KeyOf(page);
  DBT key_dbt = In(key.data(), key.size());
  PageRecord record;
  DBT value = Part(Out(&record, kPageRecordHeaderBytes), 0, kPageRecordHeaderBytes);
  const int code = database.tree->get(database.tree, nullptr, &key_dbt, &value, 0);
  if (code == DB_NOTFOUND) return uint64_t{0};
  if (code != 0) {
    return store_.environment->Translate(code, "cannot read " + PageText(database.name, page),
                                         static_cast<int64_t>(page.number));
  }
  return record.version;
}

Status RedoPolicy::Check(const DatabaseCommit& commit, uint64_t version) {
  DatabaseState& database = *store_.databases[commit.database.index];
  for (const PageWrite& write : commit.pages) {
    TN_ASSIGN_OR_RETURN(const uint64_t present, VersionOf(database, write.page));
    if (present != write.expected_version) {
      return Failure(StatusCode::kConflict,
                     PageText(database.name, write.page) + " has changed since it was read",
                     static_cast<int64_t>(write.page.number));
    }
    if (!write.checksum || write.contents != nullptr) continue;
    if (commit.pages.size() > kPagesChecked && !store_.options.checks_all_sums) continue;
    PageReply reply;
    store_.ReadRun(database, std::span(&write.page, 1), std::span(&reply, 1));
    TN_RETURN_IF_ERROR(reply.status);
    TN_RETURN_IF_ERROR(ApplyWrite(write, version, &reply.record));
  }
  return Status::Ok();
}

void RedoPolicy::Stage(const CommitRequest& request, const CommitMark& record) {
  const auto is_copied = [](const PageWrite& write) {
    return write.contents != nullptr && write.given == nullptr;
  };
  size_t whole = 0;
  for (const DatabaseCommit& commit : request.databases) {
    whole +=
        static_cast<size_t>(std::count_if(commit.pages.begin(), commit.pages.end(), is_copied));
  }
  // Memory for many pages is allocated in one piece.
  const std::shared_ptr<std::byte> memory = whole < kPagesTogether ? nullptr : NewPageCopies(whole);
  size_t next = 0;
  for (const DatabaseCommit& commit : request.databases) {
    DatabaseState& database = *store_.databases[commit.database.index];
    for (const PageWrite& write : commit.pages) {
      std::shared_ptr<std::byte> place;
      if (memory != nullptr && is_copied(write)) {
        place = {memory, memory.get() + abi::kPageBytes * next++};
      }
      database.pending.Entry(write.page, write.expected_version)
          .Add(write, record.version, std::move(place));
      if (write.expected_version == 0) database.freed.Take(write.page);
      pending_bytes_ += BytesWritten(write);
    }
    const DatabaseHead head = HeadAfter(database, commit);
    database.head_pending |=
        head.root != database.head.root || head.next_page != database.head.next_page;
  }
  pending_outcomes_.push_back(record);
  store_.NoteCommitted(request, record, /*in_trees=*/false);
}

CommitAnswer RedoPolicy::Order(const CommitRequest& request) {
  const CommitMark record{request.id, store_.version + 1};
  const auto failed = [&](Status status) {
    store_.environment->GiveUp(status);
    return CommitAnswer{CommitOutcome::kUnknown, record.version - 1, status};
  };
  {
    const LockGuard trees_lock(store_.trees_mutex);
    for (const DatabaseCommit& commit : request.databases) {
      const Status status = Check(commit, record.version);
      if (status.code() == StatusCode::kConflict) return {CommitOutcome::kConflict, 0, status};
      if (!status.ok()) return {CommitOutcome::kFailed, 0, status};
    }
    // The types of the commit's objects must be durable before the commit is.
    if (store_.types_unflushed) {
      const Status status = store_.environment->Flush();
      if (!status.ok()) return {CommitOutcome::kFailed, 0, status};
      store_.types_unflushed = false;
    }
  }
  // The first commit opens the log: a program that only reads needs no log.
  if (!log_.is_open()) {
    const Status status = log_.Open(store_.directory.path(), store_.directory.uuid());
    if (!status.ok()) return {CommitOutcome::kFailed, 0, status};
  }
  // Readers go on while the record is written, as with the other policies.
  const PrewrittenPages prewritten = prewriter_.Finish(record.version, record.id);
  // The thread of prewriter_ may have failed to sync types.
  if (const Status status = store_.environment->failed(); !status.ok()) {
    return {CommitOutcome::kFailed, 0, status};
  }
  const GatheredCommit body = GatherPrepared(
      request, Coordinator(), [&](DatabaseId id) { return store_.databases[id.index]->name; },
      NumberForm::kShort, prewritten);
  if (const Status status =
          log_.Write(record.version, sync_.durable(), record.id, body.Pieces(), body.checksum());
      !status.ok()) {
    // Recovery ignores an incomplete record, and the next record overwrites it.
    if (store_.environment->IsRetryable(status)) return {CommitOutcome::kFailed, 0, status};
    return failed(status);
  }
  {
    const LockGuard trees_lock(store_.trees_mutex);
    Stage(request, record);
  }
  sync_.NoteOrdered(record.version, CommitSync::CommitLog::kRedo);
  bytes_appended_.store(log_.bytes_appended(), std::memory_order_relaxed);
  // If draining the log fails, the operations that follow report the failure.
  if (pending_bytes_ > store_.options.redo_lag_bytes ||
      PendingCount() * abi::kPageBytes > MostPendingBytes(store_.options.cache_bytes)) {
    const LockGuard trees_lock(store_.trees_mutex);
    static_cast<void>(DrainRedoLog());
  } else {
    WantApplied();
  }
  return {CommitOutcome::kCommitted, record.version, Status::Ok()};
}

// False: pages of the commit are not written before the commit.
bool RedoPolicy::BeginPrewrite(CommitId id) {
  {
    const ReaderLock trees_lock(store_.trees_mutex);
    if (!store_.Usable().ok()) return false;
  }
  // Prewritten pages must not take the space that the check of the commit counts upon.
  const Result<uint64_t> free = store_.directory.FreeBytes();
  if (!free.ok() || *free < kSpaceForPrewrite) return false;
  if (!log_.is_open() && !log_.Open(store_.directory.path(), store_.directory.uuid()).ok())
    return false;
  prewriter_.Begin(store_.version + 1, id, store_.options.checkpoint_thread);
  if (store_.options.checkpoint_thread) prewriter_.Do([this] { return log_.SyncName().ok(); });
  return true;
}

void RedoPolicy::Prewrite(CommitId id, std::span<const std::byte* const> pages) {
  if (!store_.options.redo || !store_.directory.writable()) return;
  // Another commit may hold the mutex for long; its caller does not wait.
  if (!store_.commit_mutex.try_lock()) return;
  const MutexLock commit_lock(store_.commit_mutex, std::adopt_lock);
  if (!prewriter_.IsFor(id) && !BeginPrewrite(id)) return;
  if (prewriter_.bytes() < kMostPrewritten) prewriter_.Add(pages);
  // Types that are added from now on are synced by the next call or by the commit.
  if (std::exchange(store_.types_unflushed, false)) {
    prewriter_.Do([this] { return store_.environment->Flush().ok(); });
  }
}

void RedoPolicy::EndPrewrite() {
  const MutexLock commit_lock(store_.commit_mutex);
  prewriter_.Drop();
}

Status RedoPolicy::ApplyPending() {
  TN_RETURN_IF_ERROR(store_.environment->failed());
  if (pending_outcomes_.empty()) return Status::Ok();
  Status status = store_.environment->ReserveLog(LogBytesOfPages(PendingCount()));
  const Result<DB_TXN*> transaction =
      status.ok() ? store_.environment->Begin() : Result<DB_TXN*>(status);
  if (status.ok()) status = transaction.status();
  for (size_t i = 0; i < store_.databases.size() && status.ok(); ++i) {
    if (store_.databases[i] != nullptr)
      status = writer_.ApplyDatabase(*transaction, *store_.databases[i], store_.version);
  }
  // The last outcome says which commits the trees have; recovery goes on behind it.
  const size_t count = pending_outcomes_.size();
  for (size_t i = count - std::min<size_t>(count, store_.options.latest_outcomes);
       i < count && status.ok(); ++i) {
    status = writer_.WriteOutcome(*transaction, pending_outcomes_[i]);
  }
  if (status.ok()) status = writer_.WriteKept(*transaction);
  if (!status.ok()) {
    if (transaction.ok()) store_.environment->Abort(*transaction);
    if (store_.environment->IsRetryable(status)) {
      store_.environment->DeferCheckpoint(status);
    } else {
      // All acknowledged commits are in the log, and the next opening tries again.
      store_.environment->GiveUp(status);
    }
    return status;
  }
  TN_RETURN_IF_ERROR(store_.environment->Commit(*transaction));
  for (const auto& database : store_.databases) {
    if (database == nullptr) continue;
    if (database->versions.size() > kVersionsKept) database->versions.clear();
    for (const PageId page : database->pending.Sorted()) {
      database->versions[page.number] = database->pending.Find(page)->version();
    }
    database->pending.Clear();
    database->freed.Settle();
    database->head_pending = false;
    writer_.SettleStamp(*database);
  }
  store_.outcomes.NoteSaved();
  pending_outcomes_.clear();
  pending_bytes_ = 0;
  store_.environment->NoteCommit();
  return Status::Ok();
}

Status RedoPolicy::DrainRedoLog() {
  prewriter_.Drop();
  TN_RETURN_IF_ERROR(ApplyPending());
  if (log_.bytes() == 0) return Status::Ok();
  TN_RETURN_IF_ERROR(sync_.FlushTrees());
  store_.types_unflushed = false;
  log_.Reset();
  return Status::Ok();
}

Status RedoPolicy::RetryCheckpoint() {
  if (store_.environment->checkpoint_error().ok()) return Status::Ok();
  TN_RETURN_IF_ERROR(DrainRedoLog());
  return store_.environment->Checkpoint();
}

// Asks the thread, which the first call starts, to apply the pending pages.
void RedoPolicy::WantApplied() {
  const MutexLock lock(applier_mutex_);
  if (stop_applier_ || std::exchange(apply_requested_, true)) return;
  if (applier_.started()) return apply_wanted_.notify_one();
  if (!store_.options.checkpoint_thread) return;
  // If no thread can be started, the next commit tries again.
  apply_requested_ = applier_.Start([this] { RunApplier(); });
}

void RedoPolicy::RunApplier() {
  const std::chrono::duration<double> interval(store_.options.redo_apply_seconds);
  constexpr std::chrono::seconds kRetry(1);
  bool again = false;  // the last attempt failed for lack of space
  MutexLock lock(applier_mutex_);
  while (!stop_applier_) {
    if (again) {
      apply_wanted_.wait_for(lock, kRetry,
                             [&]() TN_REQUIRES(applier_mutex_) { return stop_applier_; });
    } else {
      apply_wanted_.wait(
          lock, [&]() TN_REQUIRES(applier_mutex_) { return apply_requested_ || stop_applier_; });
    }
    // Waits for more commits: a page that several of them write is put into the tree once.
    apply_wanted_.wait_for(lock, interval,
                           [&]() TN_REQUIRES(applier_mutex_) { return stop_applier_; });
    if (stop_applier_) break;
    apply_requested_ = false;
    lock.unlock();
    {
      const MutexLock commit_lock(store_.commit_mutex);
      {
        const LockGuard trees_lock(store_.trees_mutex);
        again = !ApplyPending().ok();
      }
      // Nothing is pending, so DrainRedoLog only syncs, and readers go on meanwhile.
      if (!again && log_.bytes() > kLogBytes) again = !DrainRedoLog().ok();
      if (!store_.environment->failed().ok()) return;
    }
    lock.lock();
  }
}

void RedoPolicy::StopApplier() {
  {
    const MutexLock lock(applier_mutex_);
    stop_applier_ = true;
    if (!applier_.started()) return;
  }
  apply_wanted_.notify_one();
  applier_.Join();
}

Status RedoPolicy::Close(bool* log_obsolete) {
  const Status applied = ApplyPending();
  // A log that could not be read is all that there is of some commits.
  *log_obsolete = applied.ok() && log_.is_open();
  prewriter_.Drop();
  log_.Close();
  return applied;
}

}  // namespace tenure::store
