// BdbPageServer's commits: check, write in one Berkeley DB transaction, sync, remember.

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "store/bdb/bdb_handles.h"
#include "store/bdb/bdb_page_server.h"
#include "store/format/status_text.h"
#include "store/server/commit_check.h"
#include "store/server/commit_image.h"

namespace tenure::store {

namespace {

CommitAnswer Failed(Status status) { return {CommitOutcome::kFailed, 0, status}; }

Status Conflict(const std::string& database, PageId page) {
  return Failure(StatusCode::kConflict, PageText(database, page) + " has changed since it was read",
                 static_cast<int64_t>(page.number));
}

// Berkeley DB logs all that lies between the first and the last byte that a put changes, before and
// after. A commit of so few pages is a sync's time: there a few puts more cost nothing, and the log
// is smaller when only neighbours nearer than this go together. But each put compares all of the
// record, byte by byte: with more than so many for a page the log's bytes are cheaper.
constexpr size_t kFewPages = 8;
constexpr size_t kFewPagesGapBytes = 48;
constexpr size_t kMostPuts = 4;

// The redo log's file grows in steps.
constexpr uint64_t kRedoReserve = 1 << 20;

// What so many pages take when they are put into the trees later, at most: two and a half times
// their bytes in the log, which has the splits as well, once in DOUBLEWRITE and once in the trees.
uint64_t SpaceLater(uint64_t pages) { return 5 * kPageRecordBytes * pages; }

// In how many pieces PutRanges puts the ranges.
size_t Pieces(std::span<const PendingPage::Range> ranges, size_t gap) {
  size_t pieces = 1;
  for (size_t i = 0; i < ranges.size(); ++i) {
    const size_t end = i == 0 ? 0 : ranges[i - 1].second;
    pieces += ranges[i].first - end > gap;
  }
  return pieces;
}

}  // namespace

CommitAnswer BdbPageServer::Commit(const CommitRequest& request) {
  return CommitOr(request, /*prepared=*/false);
}

CommitAnswer BdbPageServer::CommitOr(const CommitRequest& request, bool prepared) {
  const std::lock_guard commit_lock(commit_mutex_);
  bool redo = false;
  {
    const std::unique_lock trees_lock(trees_mutex_);
    if (const Status status = CheckRequest(request); !status.ok()) return Failed(status);
    if (!WritesSomething(request) && !prepared && request.participants.empty()) {
      return {CommitOutcome::kCommitted, version_, Status::Ok()};
    }
    if (const Status status = directory_.CheckWritable(); !status.ok()) return Failed(status);
    if (const Status status = directory_.CheckInPlace(); !status.ok()) return Failed(status);
    if (const Status status = CheckSpace(request); !status.ok()) return Failed(status);
    redo = !prepared && FitsRedo(request);
    if (!redo) {
      if (const Status status = EmptyRedo(); !status.ok()) return Failed(status);
    }
  }
  if (redo) return RedoCommit(request);
  {
    const std::unique_lock trees_lock(trees_mutex_);
    const Result<DB_TXN*> transaction = environment_->Begin();
    if (!transaction.ok()) return Failed(transaction.status());
    const OutcomeRecord record{request.id, version_ + 1};
    Status status = Status::Ok();
    for (const DatabaseCommit& commit : request.databases) {
      status = WriteDatabase(*transaction, commit, record.version);
      if (!status.ok()) break;
    }
    if (status.ok()) status = WriteOutcome(*transaction, record);
    if (status.ok() && prepared)
      status = PutCommitRecord(*transaction, kPreparedTag, request.id, "");
    if (status.ok() && !request.participants.empty()) {
      ByteWriter writer;
      for (const Uuid& store : request.participants) {
        writer.PutBytes(store.bytes.data(), store.bytes.size());
      }
      status = PutCommitRecord(*transaction, kDecisionTag, request.id, WithChecksum(writer.text()));
    }
    if (!status.ok()) {
      environment_->Abort(*transaction);
      UndoFreed(request);
      if (status.code() == StatusCode::kConflict) return {CommitOutcome::kConflict, 0, status};
      return Failed(status);
    }
    // From here on the log may hold the commit whatever we are told.
    status = environment_->Commit(*transaction);
    if (!status.ok()) return {CommitOutcome::kUnknown, 0, status};
    NoteCommitted(request, record, /*in_trees=*/true);
  }
  // Readers go on while the log is synced. What they may see too early is only what the committing
  // session itself holds for writing.
  if (const Status status = environment_->Flush(version_); !status.ok()) {
    return {CommitOutcome::kUnknown, 0, status};
  }
  environment_->NoteCommit();
  const std::shared_lock trees_lock(trees_mutex_);
  return {CommitOutcome::kCommitted, version_, Status::Ok()};
}

Status BdbPageServer::CheckRequest(const CommitRequest& request) const {
  TN_RETURN_IF_ERROR(Usable());
  for (size_t i = 0; i < request.databases.size(); ++i) {
    const DatabaseCommit& commit = request.databases[i];
    for (size_t j = 0; j < i; ++j) {
      if (request.databases[j].database == commit.database) {
        return Status(StatusCode::kInvalidArgument, "a commit names a database twice");
      }
    }
    const Result<OpenDatabaseState*> database = Find(commit.database);
    if (!database.ok()) return database.status();
    TN_RETURN_IF_ERROR(CheckDatabaseCommit(commit, (*database)->ids));
  }
  return Status::Ok();
}

// Running out of space in the middle of the log leaves a commit unknown and the store closed, so it
// is told beforehand where it can be seen coming.
Status BdbPageServer::CheckSpace(const CommitRequest& request) {
  // The rest of the log file, whose blocks are taken as it is written. What makes nothing new may
  // use more of the disk, so that room can be made.
  constexpr uint64_t kLogReserve = 16 << 20, kLastLogReserve = 4 << 20;
  constexpr uint64_t kLogBytesPerWrite = 256;  // log record headers
  uint64_t needed = 0;
  bool grows = false;
  for (const DatabaseCommit& commit : request.databases) {
    for (const PageWrite& write : commit.pages) {
      grows |= write.expected_version == 0;
      // The log keeps what was there before as well; or the log and the tree grow.
      needed += 2 * BytesWritten(write) + kLogBytesPerWrite * (1 + write.regions.size());
      if (options_.redo) needed += SpaceLater(1) + BytesWritten(write);
    }
  }
  if (options_.redo) needed += kRedoReserve;
  needed += grows ? kLogReserve : kLastLogReserve;
  // What the log has and the trees have not goes there too.
  const uint64_t checkpoint = kDoubleWriteBatchBytes + (1 << 20);
  const auto needed_now = [&] {
    return needed + checkpoint + environment_->LogBytesSinceCheckpoint() +
           SpaceLater(PendingCount());
  };
  Result<uint64_t> free = directory_.FreeBytes();
  if (free.ok() && *free < needed_now() && *free >= needed_now() - needed) {
    TN_RETURN_IF_ERROR(EmptyRedo());
    TN_RETURN_IF_ERROR(environment_->Checkpoint());
    free = directory_.FreeBytes();
  }
  if (!free.ok()) return free.status();
  if (*free >= needed_now()) return CatchUp();
  return Failure(StatusCode::kNoSpace, "no space left for store " + directory_.path() +
                                           ": a commit needs " +
                                           std::to_string(needed_now() >> 10) + " KB, " +
                                           std::to_string(*free >> 10) + " KB are free");
}

Status BdbPageServer::WriteDatabase(DB_TXN* transaction, const DatabaseCommit& commit,
                                    uint64_t version) {
  OpenDatabaseState& database = *databases_[commit.database.index];
  const size_t gap = commit.pages.size() <= kFewPages ? kFewPagesGapBytes : kPutGapBytes;
  for (const PageWrite& write : commit.pages) {
    if (write.remove) {
      TN_RETURN_IF_ERROR(RemovePage(transaction, database, write));
      continue;
    }
    TN_RETURN_IF_ERROR(write.expected_version == 0
                           ? WritePage(transaction, database, write, version)
                           : ChangePage(transaction, database, write, version, gap));
    if (write.expected_version == 0) database.freed.Take(write.page);
  }
  TN_RETURN_IF_ERROR(WriteFreed(transaction, database));
  TN_RETURN_IF_ERROR(WriteTables(transaction, database, commit));
  const DatabaseHead head = HeadAfter(database, commit);
  if (head.root == database.head.root && head.next_page == database.head.next_page) {
    return Status::Ok();
  }
  return WriteHead(transaction, database, head);
}

Status BdbPageServer::WriteHead(DB_TXN* transaction, const OpenDatabaseState& database,
                                const DatabaseHead& head) {
  DatabaseHead named = head;
  named.store = directory_.uuid();  // also of one that was written when none was
  const auto bytes = EncodeHead(named);
  const PageKey key = KeyOf(kHeadKey);
  DBT key_dbt = In(key.data(), key.size());
  DBT value = In(bytes.data(), bytes.size());
  const int code = database.tree->put(database.tree, transaction, &key_dbt, &value, 0);
  return code == 0 ? Status::Ok()
                   : environment_->Translate(code, "cannot write to database " + database.name);
}

DatabaseHead BdbPageServer::HeadAfter(const OpenDatabaseState& database,
                                      const DatabaseCommit& commit) const {
  DatabaseHead head = database.head;
  if (commit.root) head.root = *commit.root;
  for (const PageWrite& write : commit.pages) {
    head.next_page = std::max(head.next_page, write.page.number + 1);
  }
  return head;
}

Status BdbPageServer::WritePage(DB_TXN* transaction, OpenDatabaseState& database,
                                const PageWrite& write, uint64_t version) {
  PageRecord record{version, ChecksumOfWhole(write), write.run, {}};
  std::memcpy(record.contents, write.contents, sizeof record.contents);
  const PageKey key = KeyOf(write.page);
  DBT key_dbt = In(key.data(), key.size());
  DBT value = In(&record, sizeof record);
  const int code = database.tree->put(database.tree, transaction, &key_dbt, &value, DB_NOOVERWRITE);
  if (code == 0) return Status::Ok();
  if (code == DB_KEYEXIST) return Conflict(database.name, write.page);
  return environment_->Translate(code, "cannot write " + PageText(database.name, write.page),
                                 static_cast<int64_t>(write.page.number));
}

Status BdbPageServer::ChangePage(DB_TXN* transaction, OpenDatabaseState& database,
                                 const PageWrite& write, uint64_t version, size_t gap) {
  const auto fail = [&](int code) {
    return environment_->Translate(code, "cannot write " + PageText(database.name, write.page),
                                   static_cast<int64_t>(write.page.number));
  };
  Cursor cursor(database.tree, transaction);
  PageKey key = KeyOf(write.page);
  DBT key_dbt = In(key.data(), key.size());
  PageRecord record;
  DBT old_value = Out(&record, sizeof record);
  int code = cursor.Get(&key_dbt, &old_value, DB_SET);
  if (code == DB_NOTFOUND) return Conflict(database.name, write.page);
  if (code != 0) return fail(code);
  if (record.version != write.expected_version) return Conflict(database.name, write.page);
  TN_RETURN_IF_ERROR(ApplyWrite(write, version, &record));

  if (write.contents != nullptr) {
    DBT value = In(&record, sizeof record);
    code = cursor.Put(&key_dbt, &value, DB_CURRENT);
    return code == 0 ? Status::Ok() : fail(code);
  }
  std::vector<PendingPage::Range> ranges;
  ranges.reserve(write.regions.size());
  for (const ChangedRegion& region : write.regions) {
    ranges.emplace_back(region.offset, region.offset + region.bytes.size());
  }
  code = PutRanges(cursor, key, record, ranges, gap);
  return code == 0 ? Status::Ok() : fail(code);
}

int BdbPageServer::PutRanges(Cursor& cursor, PageKey& key, const PageRecord& record,
                             std::span<const PendingPage::Range> ranges, size_t gap) {
  if (Pieces(ranges, gap) > kMostPuts) gap = kPutGapBytes;
  DBT key_dbt = In(key.data(), key.size());
  const auto* const bytes = reinterpret_cast<const std::byte*>(&record);
  size_t begin = 0;  // of the bytes that the next put takes; the header is first
  size_t end = kPageRecordHeaderBytes;
  const auto put = [&] {
    DBT value = Part(In(bytes + begin, end - begin), begin, end - begin);
    return cursor.Put(&key_dbt, &value, DB_CURRENT);
  };
  for (const auto& [from, to] : ranges) {
    const size_t at = kPageRecordHeaderBytes + from;
    if (at - end > gap) {
      if (const int code = put(); code != 0) return code;
      begin = at;
    }
    end = kPageRecordHeaderBytes + to;
  }
  return put();
}

Status BdbPageServer::WriteOutcome(DB_TXN* transaction, const OutcomeRecord& record) {
  const StoreKey key = OutcomeKey(static_cast<uint32_t>(record.version % kOutcomesKept));
  const auto bytes = EncodeOutcome(record);
  DBT key_dbt = In(key.data(), key.size());
  DBT value = In(bytes.data(), bytes.size());
  const int code = store_tree_->put(store_tree_, transaction, &key_dbt, &value, 0);
  return code == 0 ? Status::Ok()
                   : environment_->Translate(code, "cannot commit to " + directory_.path());
}

void BdbPageServer::NoteCommitted(const CommitRequest& request, const OutcomeRecord& record,
                                  bool in_trees) {
  version_ = record.version;
  outcomes_[record.version % kOutcomesKept] = record;
  counters_.commits.fetch_add(1, std::memory_order_relaxed);
  for (const DatabaseCommit& commit : request.databases) {
    OpenDatabaseState& database = *databases_[commit.database.index];
    database.head = HeadAfter(database, commit);
    database.imports += commit.imports.size();
    database.exports += commit.exports.size();
    if (in_trees) {
      database.freed.Settle();
      database.versions.clear();
    }
    for (const PageWrite& write : commit.pages) {
      database.ids.NoteCommitted(write.page);
      if (write.remove) {
        (void)database.ids.Return({write.page, 1});  // it may be free already
        continue;
      }
      auto& counter = write.contents != nullptr ? counters_.pages_written : counters_.pages_changed;
      counter.fetch_add(1, std::memory_order_relaxed);
      counters_.bytes_written.fetch_add(BytesWritten(write), std::memory_order_relaxed);
    }
  }
}

Result<std::optional<uint64_t>> BdbPageServer::Outcome(CommitId id) {
  // Between writing and syncing it is not yet certain.
  const std::lock_guard commit_lock(commit_mutex_);
  const std::shared_lock trees_lock(trees_mutex_);
  TN_RETURN_IF_ERROR(Usable());
  for (const OutcomeRecord& record : outcomes_) {
    if (record.version != 0 && record.id == id) return std::optional<uint64_t>(record.version);
  }
  return std::optional<uint64_t>();
}

}  // namespace tenure::store
