// BdbPageServer's part in giving space back: pages that a commit removes, whose numbers are kept
// until later commits use them, and databases that take the place of others.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "store/bdb/bdb_handles.h"
#include "store/bdb/bdb_page_server.h"
#include "store/directory/recovery.h"
#include "store/files/held_directory.h"
#include "store/files/store_files.h"
#include "store/files/store_sessions.h"
#include "store/format/status_text.h"

namespace tenure::store {

Status BdbPageServer::LoadFreed(OpenDatabaseState& database) {
  const std::string path = directory_.File(DatabaseFile(database.name));
  Cursor cursor(database.tree);
  PageKey key = KeyOf(PageId{kFreedKeys});
  DBT key_dbt = Out(key.data(), key.size());
  key_dbt.size = static_cast<uint32_t>(key.size());
  DBT value{};
  int code = cursor.Get(&key_dbt, &value, DB_SET_RANGE);
  for (; code == 0; code = cursor.Get(&key_dbt, &value, DB_NEXT)) {
    const uint64_t number = PageOfKey(key).number;
    if (number >> 56 != kFreedKeys >> 56) return Status::Ok();
    const std::optional<uint64_t> pages =
        DecodeFreed(std::span(static_cast<const std::byte*>(value.data), value.size));
    const PageRun run{PageId{number - kFreedKeys}, pages.value_or(0)};
    if (!pages || !database.freed.Load(run) || !database.ids.Return(run).ok()) {
      return Failure(StatusCode::kCorrupt, path + " is damaged: its table of removed pages");
    }
  }
  return code == DB_NOTFOUND ? Status::Ok() : environment_->Translate(code, "cannot read " + path);
}

Status BdbPageServer::RemovePage(DB_TXN* transaction, OpenDatabaseState& database,
                                 const PageWrite& write) {
  const auto fail = [&](int code) {
    return environment_->Translate(code, "cannot remove " + PageText(database.name, write.page),
                                   static_cast<int64_t>(write.page.number));
  };
  PageKey key = KeyOf(write.page);
  DBT key_dbt = In(key.data(), key.size());
  PageRecord record;
  record.version = 0;
  DBT value = Part(Out(&record, kPageRecordHeaderBytes), 0, kPageRecordHeaderBytes);
  int code = database.tree->get(database.tree, transaction, &key_dbt, &value, 0);
  if (code != 0 && code != DB_NOTFOUND) return fail(code);
  if ((code == 0) != (write.expected_version != 0) || record.version != write.expected_version) {
    return Failure(StatusCode::kConflict,
                   PageText(database.name, write.page) + " has changed since it was read",
                   static_cast<int64_t>(write.page.number));
  }
  if (code == 0) {
    code = database.tree->del(database.tree, transaction, &key_dbt, 0);
    if (code != 0) return fail(code);
  }
  database.freed.Add(write.page);
  return Status::Ok();
}

Status BdbPageServer::WriteFreed(DB_TXN* transaction, OpenDatabaseState& database) {
  for (const auto& [first, before] : database.freed.before()) {
    const auto run = database.freed.runs().find(first);
    const uint64_t now = run == database.freed.runs().end() ? 0 : run->second;
    if (now == before) continue;
    const PageKey key = KeyOf(PageId{kFreedKeys + first});
    const std::string bytes = EncodeFreed(now);
    DBT key_dbt = In(key.data(), key.size());
    DBT value = In(bytes.data(), bytes.size());
    const int code = now == 0 ? database.tree->del(database.tree, transaction, &key_dbt, 0)
                              : database.tree->put(database.tree, transaction, &key_dbt, &value, 0);
    if (code != 0) {
      return environment_->Translate(code, "cannot write to database " + database.name);
    }
  }
  return Status::Ok();
}

void BdbPageServer::UndoFreed(const CommitRequest& request) {
  for (const DatabaseCommit& commit : request.databases) {
    databases_[commit.database.index]->freed.Undo();
  }
}

CommitMark BdbPageServer::LastCommit() const {
  const std::shared_lock lock(trees_mutex_);
  if (version_ == 0) return {};
  return {outcomes_[version_ % kOutcomesKept].id, version_};
}

Status BdbPageServer::GivePlacesAgain() {
  TN_RETURN_IF_ERROR(directory_.CheckWritable());
  TN_RETURN_IF_ERROR(StoreSessions::CheckNobodyAway(directory_.path()));
  return StoreSessions::ForgetServings(directory_.path());
}

Result<DatabaseId> BdbPageServer::CreateReplacement(std::string_view name, const Uuid* given) {
  const Result<DatabaseId> original = OpenDatabase(name, OpenMode::kOpen);
  Result<Uuid> uuid = given != nullptr ? *given : NewUuid();
  if (original.ok()) {
    if (given == nullptr) uuid = DatabaseUuid(*original);
    TN_RETURN_IF_ERROR(CloseDatabase(*original));
    if (!uuid.ok()) return uuid.status();
  } else if (original.status().code() != StatusCode::kNotFound) {
    return original.status();
  }
  const std::lock_guard commit_lock(commit_mutex_);
  const std::unique_lock trees_lock(trees_mutex_);
  TN_RETURN_IF_ERROR(Usable());
  // A name that no database can have.
  const Result<DatabaseId> made =
      CreateDatabase("(replacement of " + std::string(name) + ")",
                     ReplacementFile(DatabaseFile(name)), *uuid, Listed::kNo);
  if (made.ok()) databases_[made->index]->replaces = name;
  return made;
}

Status BdbPageServer::CloseReplacing(std::span<const DatabaseId> replacements) {
  StopApplier();
  const std::lock_guard commit_lock(commit_mutex_);
  const std::unique_lock trees_lock(trees_mutex_);
  TN_RETURN_IF_ERROR(directory_.CheckInPlace());
  std::vector<std::string> files;
  bool fresh = false;
  for (const DatabaseId id : replacements) {
    const Result<OpenDatabaseState*> database = Find(id);
    if (!database.ok()) return database.status();
    if ((*database)->replaces.empty()) {
      return Status(StatusCode::kInvalidArgument, "the database is no replacement");
    }
    if (FindOpen((*database)->replaces)) {
      return Failure(StatusCode::kInUse, "database " + (*database)->replaces + " is open");
    }
    files.push_back(DatabaseFile((*database)->replaces));
    fresh |= !names_.contains((*database)->replaces);
  }
  const bool any = std::any_of(files.begin(), files.end(), [&](const std::string& file) {
    const std::string path = directory_.File(file);
    const Place place = PlaceOf(path.c_str());
    return faccessat(place.directory, place.name, F_OK, 0) == 0;
  });
  // Objects have other places then: no program that was served may go on with those that it has.
  if (any) TN_RETURN_IF_ERROR(StoreSessions::ForgetServings(directory_.path()));
  // Afterwards everything is in the trees' files, and recovery needs nothing of the log.
  TN_RETURN_IF_ERROR(CloseUnlocked());
  TN_RETURN_IF_ERROR(ReplaceDatabases(directory_.path(), files));
  // They are there whatever comes of this: a name that is not noted now is noted by the next
  // opening.
  directory_.Unlock(/*clean=*/!fresh || NoteReplaced().ok());
  return Status::Ok();
}

}  // namespace tenure::store
