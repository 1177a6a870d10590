#include "store/bdb/bdb_redo_recovery.h"

#include <optional>
#include <span>
#include <string>

#include "base/mutex.h"
#include "store/files/store_files.h"
#include "store/format/status_text.h"
#include "store/server/commit_image.h"

namespace tenure::store {

Status RedoRecovery::RecoverRedoLog() {
  TN_RETURN_IF_ERROR(Replay());
  // The trees have all commits. The next commit makes a new log.
  return RemoveRedoLog(store_.directory.path());
}

Status RedoRecovery::ReplayRecord(const RedoRecord& record, std::vector<DatabaseId>* opened) {
  std::optional<PreparedImage> image =
      PreparedImage::Decode(std::as_bytes(std::span(record.body)), NumberForm::kShort,
                            std::as_bytes(std::span(record.pages)));
  if (!image) return Status(StatusCode::kInvalidArgument, "no commit");
  std::vector<DatabaseId> ids;
  for (size_t i = 0; i < image->databases(); ++i) {
    const bool was_open = store_.FindOpen(image->name(i)).has_value();
    const Result<DatabaseId> database = server_.OpenDatabase(image->name(i), OpenMode::kOpen);
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
  CommitRequest request = image->Request(record.id, ids);
  request.asker.place = kEarlierAsker;
  const MutexLock commit_lock(store_.commit_mutex);
  const LockGuard trees_lock(store_.trees_mutex);
  store_.ClaimPages(request);
  TN_RETURN_IF_ERROR(store_.CheckRequest(request));
  for (const DatabaseCommit& commit : request.databases) {
    TN_RETURN_IF_ERROR(redo_.Check(commit, record.version));
  }
  redo_.Stage(request, {record.id, record.version});
  return Status::Ok();
}

Status RedoRecovery::Replay() {
  Result<RedoContents> contents =
      ReadRedoLog(store_.directory.path(), store_.directory.uuid(), store_.version);
  if (contents.ok() && !contents->damage.ok() && !store_.options.redo_until_damage) {
    return contents->damage;
  }
  if (!contents.ok()) {
    // Nothing of the log can be read.
    const bool corrupt = contents.status().code() == StatusCode::kCorrupt;
    return corrupt && store_.options.redo_until_damage ? Status::Ok() : contents.status();
  }
  const uint64_t last =
      contents->records.empty() ? store_.version : contents->records.back().version;
  if (const uint64_t wanted = store_.environment->acknowledged();
      last < wanted && !store_.options.redo_until_damage) {
    return Failure(StatusCode::kCorrupt,
                   "store " + store_.directory.path() + " has lost commits: those up to " +
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
    return Failure(StatusCode::kCorrupt, store_.directory.File(std::string(kRedoFile)) +
                                             ": commit " + std::to_string(record.version) +
                                             " does not fit the databases (" +
                                             std::string(status.text()) + ")");
  };
  std::vector<DatabaseId> opened;
  for (const RedoRecord& record : contents->records) {
    const Status status = ReplayRecord(record, &opened);
    if (status.ok()) continue;
    if (store_.options.redo_until_damage) break;
    return damaged(record, status);
  }
  {
    const MutexLock commit_lock(store_.commit_mutex);
    const LockGuard trees_lock(store_.trees_mutex);
    TN_RETURN_IF_ERROR(redo_.ApplyPending());
    TN_RETURN_IF_ERROR(store_.environment->Flush());
  }
  for (const DatabaseId database : opened) TN_RETURN_IF_ERROR(server_.CloseDatabase(database));
  return Status::Ok();
}

}  // namespace tenure::store
