#include "store/bdb/bdb_names.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "store/bdb/bdb_handles.h"
#include "store/bdb/bdb_records.h"
#include "store/files/file_operations.h"
#include "store/files/store_files.h"
#include "store/files/store_sessions.h"
#include "store/format/status_text.h"
#include "store/server/store_path.h"

namespace tenure::store {

Status NameList::Lost(std::string_view name) const {
  const std::string known(name);
  return Failure(StatusCode::kCorrupt,
                 "database " + known + " of store " + store_.directory.path() +
                     " is lost: its file " + store_.directory.File(DatabaseFile(name)) +
                     " is gone. Put the file, or the store, back from a "
                     "backup, or give the database up with `tenure db forget " +
                     store_.directory.path() + ":" + known + "`");
}

FileStamp NameList::StampOf(std::string_view name) const {
  const auto found = names_.find(name);
  return found == names_.end() ? FileStamp() : found->second.stamp;
}

Status NameList::CheckStamp(const DatabaseState& database) const {
  const FileStamp found = database.head.stamp;
  const FileStamp wanted = StampOf(database.name);
  const bool older_list = found.version > store_.version;
  const bool fits = wanted.number == 0 || wanted.number == found.number ||
                    wanted.number == database.head.replaces;
  if (fits && !older_list) return Status::Ok();
  const std::string file = store_.directory.File(DatabaseFile(database.name));
  const std::string list = store_.directory.File(kStoreTreeFile);
  const auto commit = [](uint64_t version) { return "commit " + std::to_string(version); };
  std::string what;
  if (older_list || found.version > wanted.version) {
    what = file + " and " + list + " are of different copies of the store: " + file +
           " has a change of " + commit(found.version) + ", of which " + list + " does not know";
  } else if (found.version < wanted.version) {
    what = file + " is an older copy of the database: " +
           (found.version == 0 ? "it has no change that the store has noted"
                               : "it has the changes up to " + commit(found.version)) +
           ", and the store had noted a change of " + commit(wanted.version);
  } else {
    what = file + " is not the file that the store had last, but of another copy of the store";
  }
  return Failure(StatusCode::kCorrupt, what +
                                           ". Put the newest file, or the whole store, back; or "
                                           "save what there is with `tenure db salvage " +
                                           store_.directory.path() + " NEW-STORE`");
}

bool NameList::Take(uint32_t number, std::span<const std::byte> bytes) {
  std::optional<ListedName> entry = DecodeName(bytes);
  return entry && CheckDatabaseName(entry->name).ok() &&
         names_.emplace(std::move(entry->name), Entry{number, entry->stamp}).second;
}

Result<NameList::Entry> NameList::Put(DB_TXN* transaction, std::string_view name, FileStamp stamp) {
  Entry entry{1, stamp};
  if (const auto found = names_.find(name); found != names_.end()) {
    entry.number = found->second.number;
  } else {
    for (const auto& [other, taken] : names_)
      entry.number = std::max(entry.number, taken.number + 1);
  }
  const StoreKey key = NameKey(entry.number);
  const std::string bytes = EncodeName({std::string(name), stamp});
  DBT key_dbt = In(key.data(), key.size());
  DBT value = In(bytes.data(), bytes.size());
  const int code = store_.store_tree->put(store_.store_tree, transaction, &key_dbt, &value, 0);
  if (code == 0) return entry;
  return store_.environment->Translate(code, "cannot write to " + store_.directory.path());
}

Status NameList::Adopt(const std::string& name, FileStamp stamp) {
  TN_ASSIGN_OR_RETURN(DB_TXN* const transaction, store_.environment->Begin());
  const Result<Entry> entry = Put(transaction, name, stamp);
  if (!entry.ok()) {
    store_.environment->Abort(transaction);
    return entry.status();
  }
  TN_RETURN_IF_ERROR(store_.environment->Commit(transaction));
  Add(name, *entry);
  return Status::Ok();
}

Status NameList::Note(std::span<const std::string> names) {
  const bool all = std::all_of(names.begin(), names.end(),
                               [&](const std::string& name) { return names_.contains(name); });
  if (all) return Status::Ok();
  TN_ASSIGN_OR_RETURN(DB_TXN* const transaction, store_.environment->Begin());
  std::vector<std::string> noted;
  for (const std::string& name : names) {
    if (names_.contains(name)) continue;
    const Result<Entry> entry = Put(transaction, name, FileStamp());
    if (!entry.ok()) {
      store_.environment->Abort(transaction);
      for (const std::string& undone : noted) names_.erase(undone);
      return entry.status();
    }
    names_.emplace(name, *entry);
    noted.push_back(name);
  }
  return store_.environment->Commit(transaction);
}

Status NameList::NoteFiles() {
  TN_ASSIGN_OR_RETURN(const std::vector<std::string> names, DatabaseNames(store_.directory.path()));
  const bool put_there = std::any_of(
      names.begin(), names.end(), [&](const std::string& name) { return !names_.contains(name); });
  // The file may be older than what programs that were served have read of the database.
  if (put_there) TN_RETURN_IF_ERROR(StoreSessions::ForgetServings(store_.directory.path()));
  return Note(names);
}

Status NameList::Remove(std::string_view name) {
  const auto found = names_.find(name);
  if (found == names_.end()) return Status::Ok();
  TN_ASSIGN_OR_RETURN(DB_TXN* const transaction, store_.environment->Begin());
  const StoreKey key = NameKey(found->second.number);
  DBT key_dbt = In(key.data(), key.size());
  if (const int code = store_.store_tree->del(store_.store_tree, transaction, &key_dbt, 0);
      code != 0) {
    const Status status =
        store_.environment->Translate(code, "cannot write to " + store_.directory.path());
    store_.environment->Abort(transaction);
    return status;
  }
  TN_RETURN_IF_ERROR(store_.environment->Commit(transaction));
  names_.erase(found);
  return store_.environment->Flush();
}

}  // namespace tenure::store
