// BdbPageServer's commits with the policy `redo`: what they change is appended to the redo log,
// kept beside the trees, and later put into them, many commits in one transaction
// (docs/recovery.md).

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <utility>

#include "store/bdb/bdb_handles.h"
#include "store/bdb/bdb_page_server.h"
#include "store/files/store_files.h"
#include "store/format/status_text.h"
#include "store/server/commit_check.h"
#include "store/server/commit_image.h"

namespace tenure::store {

namespace {

// A larger commit is written to the trees at once: pages that wait take memory, and readers wait
// while the thread puts all of them into the trees. Less than BdbOptions::redo_lag_bytes, or it
// would be put there at once anyway.
constexpr uint64_t kLargestCommit = 48 << 20;
// A commit whose size nobody knows yet may be larger than that: so much of it is written in vain.
constexpr uint64_t kMostAhead = 16 << 20;
// Where less is free nothing is written before it is needed.
constexpr uint64_t kSpaceForAhead = 256 << 20;
// With so few pages what the client believes of them is checked before the commit and not when they
// are put into the tree: a commit of few is a sync's time whatever else it does.
constexpr size_t kPagesChecked = 16;
// Whole pages of one commit that get their memory in one piece.
constexpr size_t kPagesTogether = 16;
// Versions that are remembered of pages, so that they need not be looked up in the tree.
constexpr size_t kVersionsKept = 1 << 18;
// When the log is so long it is used anew from its beginning: a sync is faster where the file
// system has given the file its blocks already.
constexpr uint64_t kLogBytes = 4 << 20;

// Of pages that wait for their trees, in bytes: whoever gives the databases little memory has as
// little for these.
uint64_t MostPending(const BdbOptions& options) {
  return std::max<uint64_t>(2 << 20, 2 * options.cache_bytes);
}

}  // namespace

bool BdbPageServer::FitsRedo(const CommitRequest& request) const {
  if (!options_.redo || !request.participants.empty()) return false;
  uint64_t bytes = 0, pages = 0;
  for (const DatabaseCommit& commit : request.databases) {
    pages += commit.pages.size();
    if (!commit.imports.empty() || !commit.exports.empty()) return false;
    // A replacement's name is none that recovery could open.
    if (!databases_[commit.database.index]->replaces.empty()) return false;
    for (const PageWrite& write : commit.pages) {
      if (write.remove) return false;
      bytes += BytesWritten(write);
    }
  }
  return bytes <= kLargestCommit && pages * abi::kPageBytes <= MostPending(options_);
}

uint64_t BdbPageServer::PendingCount() const {
  uint64_t pages = 0;
  for (const auto& database : databases_) {
    if (database != nullptr) pages += database->pending.size();
  }
  return pages;
}

// The version that the page has after all commits; 0 when there is none.
Result<uint64_t> BdbPageServer::VersionOf(OpenDatabaseState& database, PageId page) {
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
    return environment_->Translate(code, "cannot read " + PageText(database.name, page),
                                   static_cast<int64_t>(page.number));
  }
  return record.version;
}

Status BdbPageServer::CheckRedo(const DatabaseCommit& commit, uint64_t version) {
  OpenDatabaseState& database = *databases_[commit.database.index];
  for (const PageWrite& write : commit.pages) {
    const Result<uint64_t> present = VersionOf(database, write.page);
    if (!present.ok()) return present.status();
    if (*present != write.expected_version) {
      return Failure(StatusCode::kConflict,
                     PageText(database.name, write.page) + " has changed since it was read",
                     static_cast<int64_t>(write.page.number));
    }
    if (!write.checksum || write.contents != nullptr || commit.pages.size() > kPagesChecked) {
      continue;
    }
    PageReply reply;
    ReadRun(database, std::span(&write.page, 1), std::span(&reply, 1));
    TN_RETURN_IF_ERROR(reply.status);
    TN_RETURN_IF_ERROR(ApplyWrite(write, version, &reply.record));
  }
  return Status::Ok();
}

void BdbPageServer::StageRedo(const CommitRequest& request, const OutcomeRecord& record) {
  const auto is_copied = [](const PageWrite& write) {
    return write.contents != nullptr && write.given == nullptr;
  };
  size_t whole = 0;
  for (const DatabaseCommit& commit : request.databases) {
    whole +=
        static_cast<size_t>(std::count_if(commit.pages.begin(), commit.pages.end(), is_copied));
  }
  // Many get their memory together.
  const std::shared_ptr<std::byte> memory = whole < kPagesTogether ? nullptr : NewPageCopies(whole);
  size_t next = 0;
  for (const DatabaseCommit& commit : request.databases) {
    OpenDatabaseState& database = *databases_[commit.database.index];
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
  NoteCommitted(request, record, /*in_trees=*/false);
}

CommitAnswer BdbPageServer::RedoCommit(const CommitRequest& request) {
  const OutcomeRecord record{request.id, version_ + 1};
  const auto failed = [&](Status status) {
    environment_->GiveUp(status);
    return CommitAnswer{CommitOutcome::kUnknown, 0, status};
  };
  {
    const std::unique_lock trees_lock(trees_mutex_);
    for (const DatabaseCommit& commit : request.databases) {
      const Status status = CheckRedo(commit, record.version);
      if (status.code() == StatusCode::kConflict) return {CommitOutcome::kConflict, 0, status};
      if (!status.ok()) return {CommitOutcome::kFailed, 0, status};
    }
    // Its types must not be lost when it is not.
    if (types_unflushed_) {
      const Status status = environment_->Flush();
      if (!status.ok()) return {CommitOutcome::kFailed, 0, status};
      types_unflushed_ = false;
    }
  }
  // Who only reads pays nothing for it.
  if (!redo_.is_open()) {
    const Status status = redo_.Open(directory_.path(), directory_.uuid());
    if (!status.ok()) return {CommitOutcome::kFailed, 0, status};
  }
  // As with the other policies readers go on while this is written; the disk works while it is
  // staged.
  const PagesAhead ahead = redo_ahead_.Finish(record.version, record.id);
  // Types may have been synced beside it, in vain.
  if (const Status status = environment_->failed(); !status.ok()) {
    return {CommitOutcome::kFailed, 0, status};
  }
  const GatheredCommit body = GatherPrepared(
      request, Coordinator(), [&](DatabaseId id) { return databases_[id.index]->name; },
      NumberForm::kShort, ahead);
  if (const Status status = redo_.Write(record.version, record.id, body.Pieces(), body.checksum());
      !status.ok()) {
    // A part of a record is none: the next one takes its place.
    if (environment_->IsOnlyLack(status)) return {CommitOutcome::kFailed, 0, status};
    return failed(status);
  }
  {
    const std::unique_lock trees_lock(trees_mutex_);
    StageRedo(request, record);
  }
  if (const Status status = redo_.Sync(); !status.ok()) return failed(status);
  environment_->NoteAcknowledged(record.version);
  redo_bytes_.store(redo_.bytes_appended(), std::memory_order_relaxed);
  redo_syncs_.fetch_add(1, std::memory_order_relaxed);
  // It is committed whatever becomes of this: a failure is told by the operations that follow.
  if (pending_bytes_ > options_.redo_lag_bytes ||
      PendingCount() * abi::kPageBytes > MostPending(options_)) {
    const std::unique_lock trees_lock(trees_mutex_);
    static_cast<void>(EmptyRedo());
  } else {
    WantApplied();
  }
  return {CommitOutcome::kCommitted, record.version, Status::Ok()};
}

// False: not now.
bool BdbPageServer::BeginAhead(CommitId id) {
  {
    const std::shared_lock trees_lock(trees_mutex_);
    if (!Usable().ok()) return false;
  }
  // The commit checks whether there is space; this is not to take what it counts upon.
  const Result<uint64_t> free = directory_.FreeBytes();
  if (!free.ok() || *free < kSpaceForAhead) return false;
  if (!redo_.is_open() && !redo_.Open(directory_.path(), directory_.uuid()).ok()) return false;
  redo_ahead_.Begin(version_ + 1, id, options_.checkpoint_thread);
  if (options_.checkpoint_thread) redo_ahead_.Do([this] { return redo_.SyncName().ok(); });
  return true;
}

void BdbPageServer::SendAhead(CommitId id, std::span<const std::byte* const> pages) {
  if (!options_.redo || !directory_.writable()) return;
  // It may take long until what is done with earlier commits is done.
  const std::unique_lock commit_lock(commit_mutex_, std::try_to_lock);
  if (!commit_lock.owns_lock()) return;
  if (!redo_ahead_.IsFor(id) && !BeginAhead(id)) return;
  if (redo_ahead_.bytes() < kMostAhead) redo_ahead_.Add(pages);
  // Those that are added from now on the next call or the commit syncs.
  if (std::exchange(types_unflushed_, false)) {
    redo_ahead_.Do([this] { return environment_->Flush().ok(); });
  }
}

void BdbPageServer::EndAhead() {
  const std::lock_guard commit_lock(commit_mutex_);
  redo_ahead_.Drop();
}

Status BdbPageServer::ApplyPage(DB_TXN* transaction, OpenDatabaseState& database, PageId page) {
  const auto fail = [&](int code) {
    return environment_->Translate(code, "cannot write " + PageText(database.name, page),
                                   static_cast<int64_t>(page.number));
  };
  const PendingPage& pending = *database.pending.Find(page);
  PageKey key = KeyOf(page);
  DBT key_dbt = In(key.data(), key.size());
  PageRecord record;
  if (pending.whole()) {
    TN_RETURN_IF_ERROR(pending.PutOn(page, &record));
    DBT value = In(&record, sizeof record);
    const int code = database.tree->put(database.tree, transaction, &key_dbt, &value, 0);
    return code == 0 ? Status::Ok() : fail(code);
  }
  Cursor cursor(database.tree, transaction);
  DBT value = Out(&record, sizeof record);
  int code = cursor.Get(&key_dbt, &value, DB_SET);
  if (code != 0 && code != DB_NOTFOUND) return fail(code);
  const bool expected = code == 0 && record.version == pending.tree_version();
  if (!expected || !pending.PutOn(page, &record).ok()) {
    return Failure(StatusCode::kCorrupt,
                   PageText(database.name, page) + " is not the page that a commit has changed",
                   static_cast<int64_t>(page.number));
  }
  code = PutRanges(cursor, key, record, pending.ranges(), kPutGapBytes);
  return code == 0 ? Status::Ok() : fail(code);
}

Status BdbPageServer::ApplyDatabase(DB_TXN* transaction, OpenDatabaseState& database) {
  for (const PageId page : database.pending.Sorted()) {
    TN_RETURN_IF_ERROR(ApplyPage(transaction, database, page));
  }
  TN_RETURN_IF_ERROR(WriteFreed(transaction, database));
  return database.head_pending ? WriteHead(transaction, database, database.head) : Status::Ok();
}

Status BdbPageServer::ApplyPending() {
  TN_RETURN_IF_ERROR(environment_->failed());
  if (pending_outcomes_.empty()) return Status::Ok();
  const Result<DB_TXN*> transaction = environment_->Begin();
  Status status = transaction.ok() ? Status::Ok() : transaction.status();
  for (size_t i = 0; i < databases_.size() && status.ok(); ++i) {
    if (databases_[i] != nullptr) status = ApplyDatabase(*transaction, *databases_[i]);
  }
  // The last of them says how far the trees have come; recovery goes on behind it.
  const size_t count = pending_outcomes_.size();
  for (size_t i = count - std::min<size_t>(count, kOutcomesKept); i < count && status.ok(); ++i) {
    status = WriteOutcome(*transaction, pending_outcomes_[i]);
  }
  if (!status.ok()) {
    if (transaction.ok()) environment_->Abort(*transaction);
    if (environment_->IsOnlyLack(status)) {
      environment_->Owe(status);
    } else {
      // What is acknowledged is in the log, and the next opening tries again.
      environment_->GiveUp(status);
    }
    return status;
  }
  TN_RETURN_IF_ERROR(environment_->Commit(*transaction));
  for (const auto& database : databases_) {
    if (database == nullptr) continue;
    if (database->versions.size() > kVersionsKept) database->versions.clear();
    for (const PageId page : database->pending.Sorted()) {
      database->versions[page.number] = database->pending.Find(page)->version();
    }
    database->pending.Clear();
    database->freed.Settle();
    database->head_pending = false;
  }
  pending_outcomes_.clear();
  pending_bytes_ = 0;
  environment_->NoteCommit();
  return Status::Ok();
}

Status BdbPageServer::EmptyRedo() {
  redo_ahead_.Drop();
  TN_RETURN_IF_ERROR(ApplyPending());
  if (redo_.bytes() == 0) return Status::Ok();
  TN_RETURN_IF_ERROR(environment_->Flush());
  types_unflushed_ = false;
  redo_.Reset();
  return Status::Ok();
}

Status BdbPageServer::CatchUp() {
  if (environment_->owed().ok()) return Status::Ok();
  TN_RETURN_IF_ERROR(EmptyRedo());
  return environment_->Checkpoint();
}

Status BdbPageServer::OpenRedo() {
  TN_RETURN_IF_ERROR(ReplayRedo());
  // The trees have all of it. The next commit makes it anew.
  return RemoveRedoLog(directory_.path());
}

Status BdbPageServer::ReplayRecord(const RedoRecord& record, std::vector<DatabaseId>* opened) {
  std::optional<PreparedImage> image =
      PreparedImage::Decode(std::as_bytes(std::span(record.body)), NumberForm::kShort,
                            std::as_bytes(std::span(record.pages)));
  if (!image) return Status(StatusCode::kInvalidArgument, "no commit");
  std::vector<DatabaseId> ids;
  for (size_t i = 0; i < image->databases(); ++i) {
    const bool was_open = FindOpen(image->name(i)).has_value();
    const Result<DatabaseId> database = OpenDatabase(image->name(i), OpenMode::kOpen);
    if (database.status().code() == StatusCode::kCorrupt) {
      return Failure(StatusCode::kCorrupt,
                     std::string(database.status().text()) + "; " + std::string(kRedoFile) +
                         " has commits to it, without which the store is not opened: 'tenure db "
                         "salvage' gets out what is left");
    }
    if (!database.ok()) return database.status();
    ids.push_back(*database);
    if (!was_open) opened->push_back(*database);
  }
  const CommitRequest request = image->Request(record.id, ids);
  const std::lock_guard commit_lock(commit_mutex_);
  const std::unique_lock trees_lock(trees_mutex_);
  ClaimPages(request);
  TN_RETURN_IF_ERROR(CheckRequest(request));
  for (const DatabaseCommit& commit : request.databases) {
    TN_RETURN_IF_ERROR(CheckRedo(commit, record.version));
  }
  StageRedo(request, {record.id, record.version});
  return Status::Ok();
}

Status BdbPageServer::ReplayRedo() {
  Result<RedoContents> contents = ReadRedoLog(directory_.path(), directory_.uuid(), version_);
  if (contents.ok() && !contents->damage.ok() && !options_.redo_until_damage) {
    return contents->damage;
  }
  if (!contents.ok()) {
    // With nothing left of it.
    const bool corrupt = contents.status().code() == StatusCode::kCorrupt;
    return corrupt && options_.redo_until_damage ? Status::Ok() : contents.status();
  }
  const uint64_t last = contents->records.empty() ? version_ : contents->records.back().version;
  if (const uint64_t wanted = environment_->acknowledged();
      last < wanted && !options_.redo_until_damage) {
    return Failure(StatusCode::kCorrupt,
                   "store " + directory_.path() + " has lost commits: those up to " +
                       std::to_string(wanted) + " were acknowledged, and its databases and " +
                       std::string(kRedoFile) + " have those up to " + std::to_string(last) +
                       "; 'tenure db salvage' gets out what they have");
  }
  if (contents->records.empty()) return Status::Ok();
  const auto damaged = [&](const RedoRecord& record, const Status& status) {
    if (status.code() != StatusCode::kConflict && status.code() != StatusCode::kInvalidArgument &&
        status.code() != StatusCode::kNotFound) {
      return status;
    }
    return Failure(StatusCode::kCorrupt, directory_.File(std::string(kRedoFile)) + ": commit " +
                                             std::to_string(record.version) +
                                             " does not fit the databases (" +
                                             std::string(status.text()) + ")");
  };
  std::vector<DatabaseId> opened;
  for (const RedoRecord& record : contents->records) {
    const Status status = ReplayRecord(record, &opened);
    if (status.ok()) continue;
    if (options_.redo_until_damage) break;
    return damaged(record, status);
  }
  {
    const std::lock_guard commit_lock(commit_mutex_);
    const std::unique_lock trees_lock(trees_mutex_);
    TN_RETURN_IF_ERROR(ApplyPending());
    TN_RETURN_IF_ERROR(environment_->Flush());
  }
  for (const DatabaseId database : opened) TN_RETURN_IF_ERROR(CloseDatabase(database));
  return Status::Ok();
}

// By the thread, which is there from the first commit on.
void BdbPageServer::WantApplied() {
  const std::lock_guard lock(applier_mutex_);
  if (stop_applier_ || std::exchange(apply_requested_, true)) return;
  if (applier_.started()) return apply_wanted_.notify_one();
  if (!options_.checkpoint_thread) return;
  // Without one the next commit tries again.
  apply_requested_ = applier_.Start([this] { RunApplier(); });
}

void BdbPageServer::RunApplier() {
  const std::chrono::duration<double> interval(options_.redo_apply_seconds);
  constexpr std::chrono::seconds kRetry(1);
  bool again = false;  // there was no space
  std::unique_lock lock(applier_mutex_);
  while (!stop_applier_) {
    if (again) {
      apply_wanted_.wait_for(lock, kRetry, [&] { return stop_applier_; });
    } else {
      apply_wanted_.wait(lock, [&] { return apply_requested_ || stop_applier_; });
    }
    // Many commits together: pages that they all write are put into the tree once.
    apply_wanted_.wait_for(lock, interval, [&] { return stop_applier_; });
    if (stop_applier_) break;
    apply_requested_ = false;
    lock.unlock();
    {
      const std::lock_guard commit_lock(commit_mutex_);
      {
        const std::unique_lock trees_lock(trees_mutex_);
        again = !ApplyPending().ok();
      }
      // Nothing is pending, so this is a sync only, and readers go on meanwhile.
      if (!again && redo_.bytes() > kLogBytes) again = !EmptyRedo().ok();
      if (!environment_->failed().ok()) return;
    }
    lock.lock();
  }
}

void BdbPageServer::StopApplier() {
  {
    const std::lock_guard lock(applier_mutex_);
    stop_applier_ = true;
    if (!applier_.started()) return;
  }
  apply_wanted_.notify_one();
  applier_.Join();
}

}  // namespace tenure::store
