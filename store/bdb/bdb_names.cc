#include "store/bdb/bdb_names.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "store/bdb/bdb_handles.h"
#include "store/bdb/bdb_records.h"
#include "store/files/file_operations.h"
#include "store/files/store_files.h"
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

bool NameList::Take(uint32_t number, std::span<const std::byte> bytes) {
  std::optional<std::string> name = DecodeName(bytes);
  return name && CheckDatabaseName(*name).ok() && names_.emplace(*std::move(name), number).second;
}

Result<uint32_t> NameList::Put(DB_TXN* transaction, std::string_view name) {
  uint32_t number = 1;
  for (const auto& [other, taken] : names_) number = std::max(number, taken + 1);
  const StoreKey key = NameKey(number);
  const std::string bytes = EncodeName(name);
  DBT key_dbt = In(key.data(), key.size());
  DBT value = In(bytes.data(), bytes.size());
  const int code = store_.store_tree->put(store_.store_tree, transaction, &key_dbt, &value, 0);
  if (code == 0) return number;
  return store_.environment->Translate(code, "cannot write to " + store_.directory.path());
}

Status NameList::Note(std::span<const std::string> names) {
  const bool all = std::all_of(names.begin(), names.end(),
                               [&](const std::string& name) { return names_.contains(name); });
  if (all) return Status::Ok();
  TN_ASSIGN_OR_RETURN(DB_TXN* const transaction, store_.environment->Begin());
  std::vector<std::string> noted;
  for (const std::string& name : names) {
    if (names_.contains(name)) continue;
    const Result<uint32_t> number = Put(transaction, name);
    if (!number.ok()) {
      store_.environment->Abort(transaction);
      for (const std::string& undone : noted) names_.erase(undone);
      return number.status();
    }
    names_.emplace(name, *number);
    noted.push_back(name);
  }
  return store_.environment->Commit(transaction);
}

Status NameList::NoteFiles() {
  TN_ASSIGN_OR_RETURN(const std::vector<std::string> names, DatabaseNames(store_.directory.path()));
  return Note(names);
}

Status NameList::Remove(std::string_view name) {
  const auto found = names_.find(name);
  if (found == names_.end()) return Status::Ok();
  TN_ASSIGN_OR_RETURN(DB_TXN* const transaction, store_.environment->Begin());
  const StoreKey key = NameKey(found->second);
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
