#include "store/bdb/bdb_commit.h"

#include <algorithm>
#include <chrono>
#include <string>

#include "base/mutex.h"
#include "store/bdb/bdb_handles.h"
#include "store/bdb/tree_room.h"
#include "store/format/status_text.h"
#include "store/server/commit_check.h"
#include "store/server/commit_image.h"

namespace tenure::store {

namespace {

CommitAnswer Failed(Status status) { return {CommitOutcome::kFailed, 0, status}; }

// The redo log's file grows in steps.
constexpr uint64_t kRedoReserve = 1 << 20;

// The most space that the pages take when they are put into the trees later: in the log, once in
// DOUBLEWRITE and once in the trees, with half of their bytes to spare.
uint64_t SpaceLater(uint64_t pages) {
  return LogBytesOfPages(pages) + 5 * kPageRecordBytes * pages / 2;
}

}  // namespace

CommitAnswer Committer::Commit(const CommitRequest& request, Prepared prepared) {
  const CommitAnswer answer = Order(request, prepared);
  if (answer.outcome != CommitOutcome::kCommitted) return answer;
  const Status status = sync_.Await(answer.version);
  return status.ok() ? answer : CommitAnswer{CommitOutcome::kUnknown, answer.version - 1, status};
}

CommitAnswer Committer::Order(const CommitRequest& request, Prepared prepared_before) {
  const bool prepared = prepared_before == Prepared::kYes;
  const MutexLock commit_lock(store_.commit_mutex);
  bool redo = false;
  {
    const LockGuard trees_lock(store_.trees_mutex);
    if (const Status status = store_.CheckRequest(request); !status.ok()) return Failed(status);
    if (!WritesSomething(request) && !prepared && request.participants.empty()) {
      return {CommitOutcome::kCommitted, store_.version, Status::Ok()};
    }
    if (const Status status = store_.directory.CheckWritable(); !status.ok()) return Failed(status);
    if (const Status status = CheckInPlace(); !status.ok()) return Failed(status);
    if (const Status status = CheckSpace(request); !status.ok()) return Failed(status);
    redo = !prepared && redo_.Fits(request);
    // The pending commits go into the trees first. The trees are not synced, so the redo log keeps
    // these commits.
    if (!redo) {
      if (const Status status = redo_.ApplyPending(); !status.ok()) return Failed(status);
    }
  }
  if (redo) return redo_.Order(request);
  uint64_t version = 0;
  {
    const LockGuard trees_lock(store_.trees_mutex);
    const Result<DB_TXN*> transaction = store_.environment->Begin();
    if (!transaction.ok()) return Failed(transaction.status());
    const CommitMark record{request.id, store_.version + 1};
    Status status = Status::Ok();
    for (const DatabaseCommit& commit : request.databases) {
      status = writer_.WriteDatabase(*transaction, commit, record.version);
      if (!status.ok()) break;
    }
    if (status.ok()) status = writer_.WriteOutcome(*transaction, record);
    // The record takes the slot of an older one.
    if (status.ok()) {
      status = writer_.WriteKept(*transaction, store_.outcomes.KeptByNext(request.asker));
    }
    if (status.ok() && prepared) status = records_.Put(*transaction, kPreparedTag, request.id, "");
    if (status.ok() && !request.participants.empty()) {
      ByteWriter writer;
      for (const Uuid& store : request.participants) {
        writer.PutBytes(store.bytes.data(), store.bytes.size());
      }
      status = records_.Put(*transaction, kDecisionTag, request.id, WithChecksum(writer.text()));
    }
    if (!status.ok()) {
      store_.environment->Abort(*transaction);
      store_.UndoNotes(request);
      for (const DatabaseCommit& commit : request.databases) {
        DatabaseState& database = store_.At(commit.database);
        if (!database.replaces.empty()) database.spoiled = status;
      }
      if (status.code() == StatusCode::kConflict) return {CommitOutcome::kConflict, 0, status};
      return Failed(status);
    }
    // If Commit fails the log may hold the commit all the same.
    status = store_.environment->Commit(*transaction);
    if (!status.ok()) return {CommitOutcome::kUnknown, store_.version, status};
    store_.outcomes.NoteSaved();
    store_.NoteCommitted(request, record, /*in_trees=*/true);
    for (const DatabaseCommit& commit : request.databases) {
      writer_.SettleStamp(*store_.databases[commit.database.index]);
    }
    version = record.version;
  }
  sync_.NoteOrdered(version, CommitSync::CommitLog::kTrees);
  store_.environment->NoteCommit();
  return {CommitOutcome::kCommitted, version, Status::Ok()};
}

Status Committer::CheckInPlace() {
  // Looking costs more than most of a small commit.
  const uint64_t durable = sync_.durable();
  if (durable < store_.version && in_place_at_ == durable) return Status::Ok();
  TN_RETURN_IF_ERROR(store_.directory.CheckInPlace());
  in_place_at_ = durable;
  return Status::Ok();
}

bool Committer::HadMuchSpace(uint64_t needed) {
  // More bytes than any program writes within that time.
  constexpr uint64_t kMuch = uint64_t{1} << 30;
  constexpr std::chrono::milliseconds kShort(20);
  return looked_at_.free_bytes >= kMuch && needed < kMuch / 2 &&
         std::chrono::steady_clock::now() - looked_at_.when < kShort;
}

uint64_t Committer::DiskBytes() {
  if (disk_bytes_ == 0) disk_bytes_ = store_.directory.DiskBytes();
  return disk_bytes_;
}

// A replacement is written outside of the log. It must leave the room for the store's closing.
Status Committer::CheckSpaceForReplacements(const CommitRequest& request) {
  constexpr uint64_t kLogged = 64 << 10;  // types and outcomes
  uint64_t pages = 0;
  for (const DatabaseCommit& commit : request.databases) pages += commit.pages.size();
  const uint64_t needed = TreeRoom(pages) + kReplacingRoom / 2 +
                          store_.environment->SpaceForCheckpoint() +
                          store_.environment->LogBytesSinceCheckpoint();
  TN_ASSIGN_OR_RETURN(const uint64_t free, store_.directory.FreeBytes());
  if (free >= needed) return store_.environment->ReserveLog(kLogged);
  return Failure(StatusCode::kNoSpace, "no space left for store " + store_.directory.path() + ": " +
                                           std::to_string(needed >> 10) +
                                           " KB more are needed for a new database, " +
                                           std::to_string(free >> 10) + " KB are free");
}

// If the disk fills up in the middle of a log record, the commit's outcome is unknown and the store
// closes. So a foreseeable lack of space is an error before anything is written.
Status Committer::CheckSpace(const CommitRequest& request) {
  const auto replaces = [&](const DatabaseCommit& commit) {
    return !store_.databases[commit.database.index]->replaces.empty();
  };
  if (!request.databases.empty() && std::ranges::all_of(request.databases, replaces)) {
    TN_RETURN_IF_ERROR(store_.environment->ReplacementError());
    return CheckSpaceForReplacements(request);
  }
  // The rest of the log file, whose blocks are taken as it is written. A commit that makes no new
  // pages may use more of the disk, so that it can make room. On small disks the file has less
  // room, but enough for what the commit may write of it.
  constexpr uint64_t kLogReserve = 16 << 20, kLastLogReserve = 4 << 20;
  constexpr uint64_t kSmallReserve = 2 << 20, kLastSmallReserve = 256 << 10;
  constexpr uint64_t kPartOfDisk = 8;
  constexpr uint64_t kLogBytesPerWrite = 256;  // log record headers
  uint64_t logged = 0;
  uint64_t needed = 0;
  bool grows = false;
  for (const DatabaseCommit& commit : request.databases) {
    for (const PageWrite& write : commit.pages) {
      grows |= write.expected_version == 0;
      // The log keeps the old bytes as well as the new; or both the log and the tree grow.
      logged += 2 * BytesWritten(write) + kLogBytesPerWrite * (1 + write.regions.size());
      if (store_.options.redo) needed += SpaceLater(1) + BytesWritten(write);
    }
  }
  needed += logged;
  if (store_.options.redo) needed += kRedoReserve;
  const uint64_t most = DiskBytes() / kPartOfDisk;
  needed += grows ? std::min(kLogReserve, std::max(most, kSmallReserve + 2 * needed))
                  : std::min(kLastLogReserve, std::max(most, kLastSmallReserve + needed));
  // Commits that are in the redo log only will take space in the trees, too.
  uint64_t checkpoint = DoubleWrite::kReservedBytes;
  const auto needed_now = [&] {
    return needed + checkpoint + store_.environment->LogBytesSinceCheckpoint() +
           SpaceLater(redo_.PendingCount());
  };
  if (HadMuchSpace(needed_now())) return redo_.RetryCheckpoint();
  checkpoint = store_.environment->SpaceForCheckpoint();
  Result<uint64_t> free = store_.directory.FreeBytes();
  looked_at_ = {std::chrono::steady_clock::now(), free.ok() ? *free : 0};
  if (free.ok() && *free < needed_now() && *free >= needed_now() - needed) {
    TN_RETURN_IF_ERROR(redo_.DrainRedoLog());
    TN_RETURN_IF_ERROR(store_.environment->Checkpoint());
    free = store_.directory.FreeBytes();
  }
  if (!free.ok()) return free.status();
  if (*free >= needed_now()) {
    TN_RETURN_IF_ERROR(store_.environment->ReserveLog(logged));
    return redo_.RetryCheckpoint();
  }
  return Failure(StatusCode::kNoSpace, "no space left for store " + store_.directory.path() +
                                           ": a commit needs " +
                                           std::to_string(needed_now() >> 10) + " KB, " +
                                           std::to_string(*free >> 10) + " KB are free");
}

}  // namespace tenure::store
