// BdbPageServer's part in what goes beyond one database or one store: the tables of references
// between databases, and commits that are prepared here and decided elsewhere, or the other way
// round (docs/recovery.md).

#include <algorithm>
#include <cstring>
#include <utility>

#include "store/bdb/bdb_handles.h"
#include "store/bdb/bdb_page_server.h"
#include "store/files/store_files.h"
#include "store/format/status_text.h"
#include "store/server/commit_check.h"
#include "store/server/commit_image.h"

namespace tenure::store {

// --- Tables of references between databases

// The number of entries, from the last key of each table.
Status BdbPageServer::CountEntries(OpenDatabaseState& database) {
  Cursor cursor(database.tree);
  const auto last_before = [&](uint64_t limit, uint64_t* key_number) {
    PageKey key = KeyOf(PageId{limit});
    DBT key_dbt = Out(key.data(), key.size());
    key_dbt.size = static_cast<uint32_t>(key.size());
    DBT nothing = Part(Out(nullptr, 0), 0, 0);
    int code = cursor.Get(&key_dbt, &nothing, DB_SET_RANGE);
    if (code == DB_NOTFOUND) {
      code = cursor.Get(&key_dbt, &nothing, DB_LAST);
    } else if (code == 0) {
      code = cursor.Get(&key_dbt, &nothing, DB_PREV);
    }
    *key_number = code == 0 ? PageOfKey(key).number : 0;
    return code;
  };
  uint64_t key = 0;
  for (const auto& [keys, count] :
       {std::pair{kImportKeys, &database.imports}, std::pair{kExportKeys, &database.exports}}) {
    const int code = last_before(keys + (uint64_t{1} << 55), &key);
    if (code != 0 && code != DB_NOTFOUND) {
      return environment_->Translate(code,
                                     "cannot read " + directory_.File(DatabaseFile(database.name)));
    }
    *count = key > keys ? key - keys : 0;
  }
  return Status::Ok();
}

Status BdbPageServer::WriteTables(DB_TXN* transaction, const OpenDatabaseState& database,
                                  const DatabaseCommit& commit) {
  const auto conflict = [&](const char* table) {
    return Failure(StatusCode::kConflict, std::string("the ") + table + " table of database " +
                                              database.name + " has changed");
  };
  if (!commit.imports.empty() && commit.imports_before != database.imports) {
    return conflict("import");
  }
  if (!commit.exports.empty() && commit.exports_before != database.exports) {
    return conflict("export");
  }
  const auto put = [&](uint64_t number, const std::string& bytes) {
    const PageKey key = KeyOf(PageId{number});
    DBT key_dbt = In(key.data(), key.size());
    DBT value = In(bytes.data(), bytes.size());
    const int code =
        database.tree->put(database.tree, transaction, &key_dbt, &value, DB_NOOVERWRITE);
    return code == 0 ? Status::Ok()
                     : environment_->Translate(code, "cannot write to database " + database.name);
  };
  for (size_t i = 0; i < commit.imports.size(); ++i) {
    TN_RETURN_IF_ERROR(
        put(kImportKeys + commit.imports_before + 1 + i, EncodeImport(commit.imports[i])));
  }
  for (size_t i = 0; i < commit.exports.size(); ++i) {
    TN_RETURN_IF_ERROR(
        put(kExportKeys + commit.exports_before + 1 + i, EncodeExport(commit.exports[i])));
  }
  return Status::Ok();
}

namespace {

// The entries whose keys follow `first`, numbered without gaps, by take(bytes), which says whether
// they are good.
template <typename Take>
Status ReadTable(BdbEnvironment& environment, DB* tree, uint64_t first, const std::string& database,
                 Take&& take) {
  const auto damaged = [&] {
    return Failure(StatusCode::kCorrupt,
                   "database " + database + " is damaged: a table of references between databases");
  };
  Cursor cursor(tree);
  uint64_t expected = first + 1;
  PageKey key = KeyOf(PageId{expected});
  DBT key_dbt = Out(key.data(), key.size());
  key_dbt.size = static_cast<uint32_t>(key.size());
  DBT value{};
  int code = cursor.Get(&key_dbt, &value, DB_SET_RANGE);
  for (; code == 0; code = cursor.Get(&key_dbt, &value, DB_NEXT)) {
    const uint64_t number = PageOfKey(key).number;
    if (number >> 56 != first >> 56) return Status::Ok();
    if (number != expected++) return damaged();
    if (!take(std::span(static_cast<const std::byte*>(value.data), value.size))) return damaged();
  }
  return code == DB_NOTFOUND ? Status::Ok()
                             : environment.Translate(code, "cannot read database " + database);
}

}  // namespace

Result<Uuid> BdbPageServer::DatabaseUuid(DatabaseId id) {
  const std::shared_lock lock(trees_mutex_);
  const Result<OpenDatabaseState*> database = Find(id);
  if (!database.ok()) return database.status();
  return (*database)->head.uuid;
}

Result<std::vector<ImportEntry>> BdbPageServer::Imports(DatabaseId id) {
  const std::shared_lock lock(trees_mutex_);
  const Result<OpenDatabaseState*> database = Find(id);
  if (!database.ok()) return database.status();
  std::vector<ImportEntry> entries;
  TN_RETURN_IF_ERROR(ReadTable(*environment_, (*database)->tree, kImportKeys, (*database)->name,
                               [&](std::span<const std::byte> bytes) {
                                 std::optional<ImportEntry> entry = DecodeImport(bytes);
                                 if (entry) entries.push_back(*std::move(entry));
                                 return entry.has_value();
                               }));
  return entries;
}

Result<std::vector<ExportEntry>> BdbPageServer::Exports(DatabaseId id) {
  const std::shared_lock lock(trees_mutex_);
  const Result<OpenDatabaseState*> database = Find(id);
  if (!database.ok()) return database.status();
  std::vector<ExportEntry> entries;
  TN_RETURN_IF_ERROR(ReadTable(*environment_, (*database)->tree, kExportKeys, (*database)->name,
                               [&](std::span<const std::byte> bytes) {
                                 const std::optional<ExportEntry> entry = DecodeExport(bytes);
                                 if (entry) entries.push_back(*entry);
                                 return entry.has_value();
                               }));
  return entries;
}

// --- Commits of several stores

Status BdbPageServer::PutCommitRecord(DB_TXN* transaction, std::byte tag, CommitId id,
                                      const std::string& text) {
  const CommitKey key = KeyOfCommit(tag, id);
  DBT key_dbt = In(key.data(), key.size());
  DBT value = In(text.data(), text.size());
  const int code = text.empty() ? store_tree_->del(store_tree_, transaction, &key_dbt, 0)
                                : store_tree_->put(store_tree_, transaction, &key_dbt, &value, 0);
  return code == 0 ? Status::Ok()
                   : environment_->Translate(code, "cannot commit to " + directory_.path());
}

// kNotFound if there is none. The mutex of the trees is held.
Result<std::string> BdbPageServer::CommitRecord(std::byte tag, CommitId id) {
  Cursor cursor(store_tree_);
  CommitKey key = KeyOfCommit(tag, id);
  DBT key_dbt = In(key.data(), key.size());
  DBT value{};
  const int code = cursor.Get(&key_dbt, &value, DB_SET);
  if (code == DB_NOTFOUND) return Status(StatusCode::kNotFound, "there is no such commit");
  if (code != 0) return environment_->Translate(code, "cannot read " + directory_.path());
  return std::string(static_cast<const char*>(value.data), value.size);
}

Status BdbPageServer::Prepare(const CommitRequest& request, const Coordinator& coordinator) {
  const std::lock_guard commit_lock(commit_mutex_);
  {
    const std::unique_lock trees_lock(trees_mutex_);
    TN_RETURN_IF_ERROR(CheckRequest(request));
    TN_RETURN_IF_ERROR(directory_.CheckInPlace());
    TN_RETURN_IF_ERROR(CheckSpace(request));
    TN_RETURN_IF_ERROR(EmptyRedo());
    const Result<DB_TXN*> attempt = environment_->Begin();
    if (!attempt.ok()) return attempt.status();
    Status status;
    for (const DatabaseCommit& commit : request.databases) {
      status = WriteDatabase(*attempt, commit, version_ + 1);
      if (!status.ok()) break;
    }
    environment_->Abort(*attempt);
    UndoFreed(request);
    TN_RETURN_IF_ERROR(status);

    const Result<DB_TXN*> transaction = environment_->Begin();
    if (!transaction.ok()) return transaction.status();
    const std::string bytes = EncodePrepared(
        request, coordinator, [&](DatabaseId id) { return databases_[id.index]->name; });
    status = PutCommitRecord(*transaction, kPreparedTag, request.id, bytes);
    if (!status.ok()) {
      environment_->Abort(*transaction);
      return status;
    }
    TN_RETURN_IF_ERROR(environment_->Commit(*transaction));
  }
  return environment_->Flush();
}

void BdbPageServer::ClaimPage(PageIds& numbers, PageId page) {
  if (page.valid() && page.number < kPageNumberLimit) numbers.Claim(page);
}

void BdbPageServer::ClaimPages(const CommitRequest& request) {
  for (const DatabaseCommit& part : request.databases) {
    PageIds& numbers = databases_[part.database.index]->ids;
    for (const PageWrite& write : part.pages) {
      if (!write.remove) ClaimPage(numbers, write.page);
    }
  }
}

CommitAnswer BdbPageServer::Resolve(CommitId id, bool commit) {
  const auto failed = [](Status status) { return CommitAnswer{CommitOutcome::kFailed, 0, status}; };
  std::optional<PreparedImage> image;
  {
    const std::lock_guard commit_lock(commit_mutex_);
    const std::unique_lock trees_lock(trees_mutex_);
    if (const Status status = Usable(); !status.ok()) return failed(status);
    const Result<std::string> record = CommitRecord(kPreparedTag, id);
    if (!record.ok()) return failed(record.status());
    if (!commit) {
      const Result<DB_TXN*> transaction = environment_->Begin();
      if (!transaction.ok()) return failed(transaction.status());
      if (const Status status = PutCommitRecord(*transaction, kPreparedTag, id, ""); !status.ok()) {
        environment_->Abort(*transaction);
        return failed(status);
      }
      // When this is lost the question is asked again, and answered the same.
      return failed(environment_->Commit(*transaction));
    }
    image = PreparedImage::Decode(std::as_bytes(std::span(*record)));
    if (!image) {
      return failed(Failure(StatusCode::kCorrupt,
                            directory_.path() + ": the record of a prepared commit is damaged"));
    }
  }
  std::vector<DatabaseId> ids, opened;
  Status status;
  for (size_t i = 0; i < image->databases() && status.ok(); ++i) {
    const bool was_open = [&] {
      const std::shared_lock lock(trees_mutex_);
      return FindOpen(image->name(i)).has_value();
    }();
    const Result<DatabaseId> database = OpenDatabase(image->name(i), OpenMode::kOpen);
    if (!database.ok()) {
      status = database.status();
      break;
    }
    ids.push_back(*database);
    if (!was_open) opened.push_back(*database);
  }
  CommitAnswer answer = failed(status);
  if (status.ok()) {
    const CommitRequest request = image->Request(id, ids);
    {
      const std::unique_lock lock(trees_mutex_);
      ClaimPages(request);
    }
    answer = CommitOr(request, /*prepared=*/true);
  }
  for (DatabaseId database : opened) (void)CloseDatabase(database);
  return answer;
}

Result<std::vector<PreparedCommit>> BdbPageServer::Prepared() {
  const std::shared_lock lock(trees_mutex_);
  TN_RETURN_IF_ERROR(Usable());
  return PreparedRecords();
}

// The pages that a commit of an earlier process prepared are its own, though the head does not know
// of them.
Status BdbPageServer::ClaimPrepared(OpenDatabaseState& database) {
  const Result<std::vector<PreparedCommit>> commits = PreparedRecords();
  if (!commits.ok()) return commits.status();
  for (const PreparedCommit& commit : *commits) {
    for (const PreparedPart& part : commit.parts) {
      if (part.database != database.name) continue;
      for (const PageId page : part.fresh) ClaimPage(database.ids, page);
    }
  }
  return Status::Ok();
}

Result<std::vector<PreparedCommit>> BdbPageServer::PreparedRecords() {
  std::vector<PreparedCommit> commits;
  Cursor cursor(store_tree_);
  CommitKey key = KeyOfCommit(kPreparedTag, {});
  DBT key_dbt = Out(key.data(), key.size());
  key_dbt.size = static_cast<uint32_t>(key.size());
  DBT value{};
  int code = cursor.Get(&key_dbt, &value, DB_SET_RANGE);
  for (; code == 0; code = cursor.Get(&key_dbt, &value, DB_NEXT)) {
    if (key[0] != kPreparedTag || key_dbt.size != key.size()) return commits;
    const std::optional<PreparedImage> image =
        PreparedImage::Decode(std::span(static_cast<const std::byte*>(value.data), value.size));
    if (!image) {
      return Failure(StatusCode::kCorrupt,
                     directory_.path() + ": the record of a prepared commit is damaged");
    }
    commits.push_back(image->Summary(IdOfCommitKey(key)));
  }
  if (code != DB_NOTFOUND) {
    return environment_->Translate(code, "cannot read " + directory_.path());
  }
  return commits;
}

Result<bool> BdbPageServer::Decided(CommitId id) {
  const std::shared_lock lock(trees_mutex_);
  TN_RETURN_IF_ERROR(Usable());
  const Result<std::string> record = CommitRecord(kDecisionTag, id);
  if (record.ok()) return true;
  if (record.status().code() == StatusCode::kNotFound) return false;
  return record.status();
}

Status BdbPageServer::Acknowledge(CommitId id, const Uuid& participant) {
  const std::lock_guard commit_lock(commit_mutex_);
  const std::unique_lock trees_lock(trees_mutex_);
  TN_RETURN_IF_ERROR(Usable());
  const Result<std::string> record = CommitRecord(kDecisionTag, id);
  if (!record.ok()) {
    return record.status().code() == StatusCode::kNotFound ? Status::Ok() : record.status();
  }
  const auto body = WithoutChecksum(std::as_bytes(std::span(*record)));
  if (!IsDecision(std::as_bytes(std::span(*record)))) {
    return Failure(StatusCode::kCorrupt,
                   directory_.path() + ": the record of a decided commit is damaged");
  }
  ByteWriter left;
  for (size_t at = 0; at < body->size(); at += sizeof(Uuid)) {
    if (std::memcmp(body->data() + at, participant.bytes.data(), sizeof(Uuid)) != 0) {
      left.PutBytes(body->data() + at, sizeof(Uuid));
    }
  }
  const Result<DB_TXN*> transaction = environment_->Begin();
  if (!transaction.ok()) return transaction.status();
  const Status status = PutCommitRecord(*transaction, kDecisionTag, id,
                                        left.text().empty() ? "" : WithChecksum(left.text()));
  if (!status.ok()) {
    environment_->Abort(*transaction);
    return status;
  }
  return environment_->Commit(*transaction);
}

}  // namespace tenure::store
