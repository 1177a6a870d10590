#include "store/bdb/bdb_two_phase.h"

#include <cstring>
#include <optional>
#include <span>
#include <string>

#include "base/mutex.h"
#include "store/bdb/bdb_handles.h"
#include "store/format/status_text.h"
#include "store/server/commit_image.h"

namespace tenure::store {

Status TwoPhase::Prepare(const CommitRequest& request, const Coordinator& coordinator) {
  std::shared_lock<SharedMutex> open;
  {
    const MutexLock commit_lock(store_.commit_mutex);
    const LockGuard trees_lock(store_.trees_mutex);
    TN_RETURN_IF_ERROR(store_.CheckRequest(request));
    TN_RETURN_IF_ERROR(store_.directory.CheckInPlace());
    TN_RETURN_IF_ERROR(committer_.CheckSpace(request));
    TN_RETURN_IF_ERROR(redo_.ApplyPending());
    TN_ASSIGN_OR_RETURN(DB_TXN* const attempt, store_.environment->Begin());
    Status status;
    for (const DatabaseCommit& commit : request.databases) {
      status = writer_.WriteDatabase(attempt, commit, store_.version + 1);
      if (!status.ok()) break;
    }
    store_.environment->Abort(attempt);
    store_.UndoNotes(request);
    TN_RETURN_IF_ERROR(status);

    TN_ASSIGN_OR_RETURN(DB_TXN* const transaction, store_.environment->Begin());
    const std::string bytes = EncodePrepared(
        request, coordinator, [&](DatabaseId id) { return store_.databases[id.index]->name; });
    status = records_.Put(transaction, kPreparedTag, request.id, bytes);
    if (!status.ok()) {
      store_.environment->Abort(transaction);
      return status;
    }
    TN_RETURN_IF_ERROR(store_.environment->Commit(transaction));
    store_.outcomes.NotePrepared(request.id, request.asker);
    open = sync_.KeepOpen();
  }
  // Other threads commit and prepare meanwhile; Berkeley DB serves all waiting threads with one
  // sync.
  return store_.environment->Flush();
}

CommitAnswer TwoPhase::Resolve(CommitId id, bool commit) {
  const auto failed = [](Status status) { return CommitAnswer{CommitOutcome::kFailed, 0, status}; };
  std::optional<PreparedImage> image;
  {
    const MutexLock commit_lock(store_.commit_mutex);
    const LockGuard trees_lock(store_.trees_mutex);
    if (const Status status = store_.Usable(); !status.ok()) return failed(status);
    const Result<std::string> record = records_.Get(kPreparedTag, id);
    if (!record.ok()) return failed(record.status());
    if (!commit) {
      const Result<DB_TXN*> transaction = store_.environment->Begin();
      if (!transaction.ok()) return failed(transaction.status());
      if (const Status status = records_.Put(*transaction, kPreparedTag, id, ""); !status.ok()) {
        store_.environment->Abort(*transaction);
        return failed(status);
      }
      store_.outcomes.ForgetPrepared(id);
      // If this is lost the participant asks again, and gets the same answer.
      return failed(store_.environment->Commit(*transaction));
    }
    image = PreparedImage::Decode(std::as_bytes(std::span(*record)));
    if (!image) {
      return failed(
          Failure(StatusCode::kCorrupt,
                  store_.directory.path() + ": the record of a prepared commit is damaged"));
    }
  }
  std::vector<DatabaseId> ids, opened;
  Status status;
  for (size_t i = 0; i < image->databases() && status.ok(); ++i) {
    const bool was_open = [&] {
      const ReaderLock lock(store_.trees_mutex);
      return store_.FindOpen(image->name(i)).has_value();
    }();
    const Result<DatabaseId> database = server_.OpenDatabase(image->name(i), OpenMode::kOpen);
    if (!database.ok()) {
      status = database.status();
      break;
    }
    ids.push_back(*database);
    if (!was_open) opened.push_back(*database);
  }
  CommitAnswer answer = failed(status);
  if (status.ok()) {
    CommitRequest request = image->Request(id, ids);
    {
      const LockGuard lock(store_.trees_mutex);
      request.asker = store_.outcomes.PreparedFor(id);
      store_.ClaimPages(request);
    }
    answer = committer_.Commit(request, Committer::Prepared::kYes);
    if (answer.outcome == CommitOutcome::kCommitted) {
      const LockGuard lock(store_.trees_mutex);
      store_.outcomes.ForgetPrepared(id);
    }
  }
  for (DatabaseId database : opened) (void)server_.CloseDatabase(database);
  return answer;
}

Result<std::vector<PreparedCommit>> TwoPhase::Prepared() {
  const ReaderLock lock(store_.trees_mutex);
  TN_RETURN_IF_ERROR(store_.Usable());
  return records_.Prepared();
}

Result<bool> TwoPhase::Decided(CommitId id) {
  uint64_t version = 0;
  {
    const ReaderLock lock(store_.trees_mutex);
    TN_RETURN_IF_ERROR(store_.Usable());
    const Result<std::string> record = records_.Get(kDecisionTag, id);
    if (record.status().code() == StatusCode::kNotFound) return false;
    if (!record.ok()) return record.status();
    version = store_.version;
  }
  // A participant that learns the decision carries out its part, so the decision must be durable
  // first.
  TN_RETURN_IF_ERROR(sync_.Await(version));
  return true;
}

Status TwoPhase::Acknowledge(CommitId id, const Uuid& participant) {
  const MutexLock commit_lock(store_.commit_mutex);
  const LockGuard trees_lock(store_.trees_mutex);
  TN_RETURN_IF_ERROR(store_.Usable());
  const Result<std::string> record = records_.Get(kDecisionTag, id);
  if (!record.ok()) {
    return record.status().code() == StatusCode::kNotFound ? Status::Ok() : record.status();
  }
  const auto body = WithoutChecksum(std::as_bytes(std::span(*record)));
  if (!IsDecision(std::as_bytes(std::span(*record)))) {
    return Failure(StatusCode::kCorrupt,
                   store_.directory.path() + ": the record of a decided commit is damaged");
  }
  ByteWriter left;
  for (size_t at = 0; at < body->size(); at += sizeof(Uuid)) {
    if (std::memcmp(body->data() + at, participant.bytes.data(), sizeof(Uuid)) != 0) {
      left.PutBytes(body->data() + at, sizeof(Uuid));
    }
  }
  TN_ASSIGN_OR_RETURN(DB_TXN* const transaction, store_.environment->Begin());
  const Status status = records_.Put(transaction, kDecisionTag, id,
                                     left.text().empty() ? "" : WithChecksum(left.text()));
  if (!status.ok()) {
    store_.environment->Abort(transaction);
    return status;
  }
  return store_.environment->Commit(transaction);
}

}  // namespace tenure::store
