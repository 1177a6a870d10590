// BdbPageServer's list of its databases: a database's name is in the store's tree from the
// transaction that makes it until it is deleted, so that a lost file is missed.

#include <algorithm>
#include <string>
#include <vector>

#include "store/bdb/bdb_handles.h"
#include "store/bdb/bdb_page_server.h"
#include "store/files/store_files.h"
#include "store/format/status_text.h"
#include "store/server/store_path.h"

namespace tenure::store {

Status BdbPageServer::Lost(std::string_view name) const {
  const std::string known(name);
  return Failure(StatusCode::kCorrupt,
                 "database " + known + " of store " + directory_.path() + " is lost: its file " +
                     directory_.File(DatabaseFile(name)) +
                     " is gone. Put the file, or the store, back from a "
                     "backup, or give the database up with `tenure db forget " +
                     directory_.path() + ":" + known + "`");
}

bool BdbPageServer::TakeName(uint32_t number, std::span<const std::byte> bytes) {
  std::optional<std::string> name = DecodeName(bytes);
  return name && CheckDatabaseName(*name).ok() && names_.emplace(*std::move(name), number).second;
}

Result<uint32_t> BdbPageServer::PutName(DB_TXN* transaction, std::string_view name) {
  uint32_t number = 1;
  for (const auto& [other, taken] : names_) number = std::max(number, taken + 1);
  const StoreKey key = NameKey(number);
  const std::string bytes = EncodeName(name);
  DBT key_dbt = In(key.data(), key.size());
  DBT value = In(bytes.data(), bytes.size());
  const int code = store_tree_->put(store_tree_, transaction, &key_dbt, &value, 0);
  if (code == 0) return number;
  return environment_->Translate(code, "cannot write to " + directory_.path());
}

// Not synced: a file without a name gets one again.
Status BdbPageServer::NoteNames(std::span<const std::string> names) {
  const bool all = std::all_of(names.begin(), names.end(),
                               [&](const std::string& name) { return names_.contains(name); });
  if (all) return Status::Ok();
  const Result<DB_TXN*> transaction = environment_->Begin();
  if (!transaction.ok()) return transaction.status();
  std::vector<std::string> noted;
  for (const std::string& name : names) {
    if (names_.contains(name)) continue;
    const Result<uint32_t> number = PutName(*transaction, name);
    if (!number.ok()) {
      environment_->Abort(*transaction);
      for (const std::string& undone : noted) names_.erase(undone);
      return number.status();
    }
    names_.emplace(name, *number);
    noted.push_back(name);
  }
  return environment_->Commit(*transaction);
}

Status BdbPageServer::NoteNamesOfFiles() {
  const Result<std::vector<std::string>> names = DatabaseNames(directory_.path());
  if (!names.ok()) return names.status();
  return NoteNames(*names);
}

// Durably: before the file goes, so that after a crash between the two the database is there.
Status BdbPageServer::RemoveName(std::string_view name) {
  const auto found = names_.find(name);
  if (found == names_.end()) return Status::Ok();
  const Result<DB_TXN*> transaction = environment_->Begin();
  if (!transaction.ok()) return transaction.status();
  const StoreKey key = NameKey(found->second);
  DBT key_dbt = In(key.data(), key.size());
  if (const int code = store_tree_->del(store_tree_, *transaction, &key_dbt, 0); code != 0) {
    const Status status = environment_->Translate(code, "cannot write to " + directory_.path());
    environment_->Abort(*transaction);
    return status;
  }
  TN_RETURN_IF_ERROR(environment_->Commit(*transaction));
  names_.erase(found);
  return environment_->Flush();
}

// After the store was closed, with its lock still held.
Status BdbPageServer::NoteReplaced() {
  Result<std::unique_ptr<BdbEnvironment>> environment = BdbEnvironment::Open(directory_, options_);
  if (!environment.ok()) return environment.status();
  environment_ = *std::move(environment);
  store_tree_ = nullptr;
  types_.clear();
  names_.clear();
  Status status = OpenStoreTree();
  if (status.ok()) status = NoteNamesOfFiles();
  if (store_tree_ != nullptr) environment_->CloseTree(store_tree_);
  store_tree_ = nullptr;
  const Status closed = environment_->Close();
  return status.ok() ? closed : status;
}

Result<std::vector<std::string>> BdbPageServer::ListDatabases() {
  const std::shared_lock lock(trees_mutex_);
  TN_RETURN_IF_ERROR(Usable());
  Result<std::vector<std::string>> names = DatabaseNames(directory_.path());
  if (!names.ok()) return names.status();
  for (const auto& [name, number] : names_) names->push_back(name);
  std::sort(names->begin(), names->end());
  names->erase(std::unique(names->begin(), names->end()), names->end());
  return names;
}

}  // namespace tenure::store
