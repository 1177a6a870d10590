// BdbPageServer: how a store is made, opened and closed.

#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "base/check.h"
#include "store/bdb/bdb_handles.h"
#include "store/bdb/bdb_page_server.h"
#include "store/files/store_files.h"
#include "store/files/store_io.h"
#include "store/files/store_sessions.h"
#include "store/format/random_source.h"
#include "store/format/status_text.h"
#include "store/server/store_path.h"

namespace tenure::store {

// The store that this process has made last, unless it has opened it since: a program that makes a
// database opens it next. Nobody waits for the mutex: in a forked child a thread that is not there
// may have it for ever.
struct BdbPageServer::MadeLast {
  std::mutex mutex;
  std::unique_ptr<BdbPageServer> server;
  pid_t process = 0;  // whose it is
};

// Never destroyed: what is at rest has nothing to write.
BdbPageServer::MadeLast& BdbPageServer::TheMadeLast() {
  static MadeLast& last = *new MadeLast;
  return last;
}

std::unique_ptr<BdbPageServer> BdbPageServer::TakeMade(const std::string& path) {
  MadeLast& last = TheMadeLast();
  const std::unique_lock lock(last.mutex, std::try_to_lock);
  if (!lock || last.server == nullptr || last.server->directory_.path() != path) return nullptr;
  // A forked child has not got what Berkeley DB needs to close it.
  if (last.process != getpid()) static_cast<void>(last.server.release());
  return std::move(last.server);
}

void BdbPageServer::KeepMade(std::unique_ptr<BdbPageServer> server) {
  MadeLast& last = TheMadeLast();
  const std::unique_lock lock(last.mutex, std::try_to_lock);
  if (!lock) return;
  if (last.process != getpid()) static_cast<void>(last.server.release());
  last.server = std::move(server);
  last.process = getpid();
}

Result<std::unique_ptr<BdbPageServer>> BdbPageServer::Open(const std::string& path, OpenMode mode,
                                                           const BdbOptions& options) {
  if (std::unique_ptr<BdbPageServer> made = TakeMade(path); made != nullptr) {
    if (mode != OpenMode::kCreate && made->options_ == options && made->Resume()) return made;
  }
  TN_RETURN_IF_ERROR(CheckRandomSource());
  Result<StoreDirectory> directory = StoreDirectory::Lock(path, mode);
  if (!directory.ok()) return directory.status();
  std::unique_ptr<BdbPageServer> server(new BdbPageServer(*std::move(directory), options));
  if (server->directory_.created()) {
    TN_RETURN_IF_ERROR(server->MakeStore(""));
    TN_RETURN_IF_ERROR(server->environment_->Resume());
  } else {
    Result<std::unique_ptr<BdbEnvironment>> environment =
        BdbEnvironment::Open(server->directory_, options);
    if (!environment.ok()) return environment.status();
    server->environment_ = *std::move(environment);
    TN_RETURN_IF_ERROR(server->OpenStoreTree());
    if (server->directory_.writable()) {
      TN_RETURN_IF_ERROR(server->NoteNamesOfFiles());
      TN_RETURN_IF_ERROR(server->OpenRedo());
      TN_RETURN_IF_ERROR(StoreSessions::NoteOpened(path, server->version_));
    }
  }
  server->environment_->StartCheckpointer();
  return server;
}

Status BdbPageServer::Create(const std::string& path, const std::string& database,
                             const BdbOptions& options) {
  TN_RETURN_IF_ERROR(CheckDatabaseName(database));
  static_cast<void>(TakeMade(path));  // It may be gone, and another one made in its place.
  Result<StoreDirectory> directory = StoreDirectory::Lock(path, OpenMode::kCreate);
  if (!directory.ok()) return directory.status();
  std::unique_ptr<BdbPageServer> server(new BdbPageServer(*std::move(directory), options));
  TN_RETURN_IF_ERROR(server->MakeStore(database));
  server->at_rest_ = true;
  server->directory_.Leave();
  KeepMade(std::move(server));
  return Status::Ok();
}

bool BdbPageServer::Resume() {
  if (!directory_.Return()) return false;
  if (!environment_->Resume().ok()) return false;
  at_rest_ = false;
  environment_->StartCheckpointer();
  return true;
}

Status BdbPageServer::MakeStore(const std::string& database) {
  {
    // Without FORMAT none of this is a store.
    const WithoutSyncs without_syncs;
    Result<std::unique_ptr<BdbEnvironment>> environment =
        BdbEnvironment::Open(directory_, options_);
    if (!environment.ok()) return environment.status();
    environment_ = *std::move(environment);
    TN_RETURN_IF_ERROR(MakeTrees(database));
    TN_RETURN_IF_ERROR(environment_->Settle());
  }
  return directory_.Complete();
}

Status BdbPageServer::MakeTrees(const std::string& database) {
  const Result<DB_TXN*> transaction = environment_->Begin();
  if (!transaction.ok()) return transaction.status();
  const Result<DB*> tree = environment_->CreateTree(*transaction, std::string(kStoreTreeFile));
  if (!tree.ok()) {
    environment_->Abort(*transaction);
    return tree.status();
  }
  store_tree_ = *tree;
  TN_RETURN_IF_ERROR(environment_->Commit(*transaction));
  if (database.empty()) return Status::Ok();
  return CreateDatabase(database, DatabaseFile(database), NewUuid(), Listed::kYes).status();
}

Status BdbPageServer::OpenStoreTree() {
  const std::string file(kStoreTreeFile);
  const Result<DB*> tree = environment_->OpenTree(file);
  if (!tree.ok()) {
    if (tree.status().code() != StatusCode::kNotFound) return tree.status();
    return Failure(StatusCode::kCorrupt, "store " + directory_.path() + " has lost its " + file);
  }
  store_tree_ = *tree;
  return LoadStoreTree();
}

Status BdbPageServer::LoadStoreTree() {
  const std::string path = directory_.File(kStoreTreeFile);
  const auto damaged = [&](const std::string& what) {
    return Failure(StatusCode::kCorrupt, path + " is damaged: " + what);
  };
  Cursor cursor(store_tree_);
  CommitKey longest;
  DBT key_dbt = Out(longest.data(), longest.size());
  DBT value{};
  int code;
  while ((code = cursor.Get(&key_dbt, &value, DB_NEXT)) == 0) {
    const std::span bytes(static_cast<const std::byte*>(value.data), value.size);
    // Prepared commits and decisions are read when they are asked for.
    if (key_dbt.size == longest.size() && longest[0] == kPreparedTag) continue;
    if (key_dbt.size == longest.size() && longest[0] == kDecisionTag) {
      if (!IsDecision(bytes)) return damaged("the record of a decided commit");
      continue;
    }
    StoreKey key;
    if (key_dbt.size != key.size()) return damaged("it has a record that is none of ours");
    std::copy_n(longest.begin(), key.size(), key.begin());
    const uint32_t number = NumberOfStoreKey(key);
    if (key[0] == kTypeTag) {
      std::optional<std::string> description = DecodeType(bytes);
      const std::string entry = "entry " + std::to_string(number) + " of its type table";
      if (!description) return damaged(entry);
      // The keys ascend and the indexes have no gaps.
      if (number != types_.size() + 1) return damaged(entry + " comes behind a gap");
      if (!types_.emplace(*std::move(description), number).second) {
        return damaged(entry + " repeats another one");
      }
    } else if (key[0] == kOutcomeTag && number < outcomes_.size()) {
      const std::optional<OutcomeRecord> outcome = DecodeOutcome(bytes);
      if (!outcome || outcome->version % outcomes_.size() != number) {
        return damaged("outcome " + std::to_string(number) + " of its last commits");
      }
      outcomes_[number] = *outcome;
      version_ = std::max(version_, outcome->version);
    } else if (key[0] == kNameTag) {
      if (!TakeName(number, bytes)) {
        return damaged("entry " + std::to_string(number) + " of its list of databases");
      }
    } else {
      return damaged("it has a record that is none of ours");
    }
  }
  if (code == DB_BUFFER_SMALL) return damaged("it has a record that is none of ours");
  return code == DB_NOTFOUND ? Status::Ok() : environment_->Translate(code, "cannot read " + path);
}

BdbPageServer::~BdbPageServer() { static_cast<void>(Close()); }

Status BdbPageServer::Close() {
  StopApplier();
  const std::lock_guard commit_lock(commit_mutex_);
  const std::unique_lock trees_lock(trees_mutex_);
  if (closed_) return Status(StatusCode::kClosed, "the store is closed");
  // Its files may be another process's.
  if (at_rest_) environment_->GiveUp(Status(StatusCode::kClosed, "the store is not held"));
  const bool opened = environment_ != nullptr;
  const Status status = CloseUnlocked();
  // One that could not be opened is as it was.
  directory_.Unlock(opened ? status.ok() : directory_.found_clean());
  return status;
}

// All but the lock on the directory.
Status BdbPageServer::CloseUnlocked() {
  closed_ = true;
  if (environment_ == nullptr) return Status::Ok();  // it was never open
  const Status applied = ApplyPending();             // a failure is found again below
  // Not if it could not be read: then it is all that there is of some commits.
  const bool redo_applied = applied.ok() && redo_.is_open();
  redo_ahead_.Drop();
  redo_.Close();
  for (auto& database : databases_) {
    if (database != nullptr) environment_->CloseTree(database->tree);
    database.reset();
  }
  if (store_tree_ != nullptr) environment_->CloseTree(store_tree_);
  const std::string obsolete =
      redo_applied ? directory_.File(std::string(kRedoFile)) : std::string();
  TN_RETURN_IF_ERROR(environment_->Close(obsolete));
  return applied;
}

}  // namespace tenure::store
