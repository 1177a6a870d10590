// BdbPageServer: how a store is made, opened and closed.

#include <algorithm>
#include <utility>

#include "base/mutex.h"
#include "store/bdb/bdb_handles.h"
#include "store/bdb/bdb_page_server.h"
#include "store/bdb/bdb_redo_recovery.h"
#include "store/bdb/bdb_warm_handoff.h"
#include "store/files/store_files.h"
#include "store/files/store_io.h"
#include "store/files/store_sessions.h"
#include "store/format/random_source.h"
#include "store/format/status_text.h"
#include "store/server/store_path.h"

namespace tenure::store {

Result<std::unique_ptr<BdbPageServer>> BdbPageServer::Open(const std::string& path, OpenMode mode,
                                                           const BdbOptions& options) {
  if (std::unique_ptr<BdbPageServer> made = WarmHandoff::Take(path); made != nullptr) {
    if (mode != OpenMode::kCreate && made->store_.options == options && made->Resume()) return made;
  }
  TN_RETURN_IF_ERROR(CheckRandomSource());
  TN_ASSIGN_OR_RETURN(StoreDirectory directory, StoreDirectory::Lock(path, mode));
  std::unique_ptr<BdbPageServer> server(new BdbPageServer(std::move(directory), options));
  if (server->store_.directory.created()) {
    TN_RETURN_IF_ERROR(server->MakeStore(""));
    TN_RETURN_IF_ERROR(server->store_.environment->Resume());
  } else {
    TN_ASSIGN_OR_RETURN(std::unique_ptr<BdbEnvironment> environment,
                        BdbEnvironment::Open(server->store_.directory, options));
    server->store_.environment = std::move(environment);
    TN_RETURN_IF_ERROR(server->OpenStoreTree());
    if (server->store_.directory.writable()) {
      TN_RETURN_IF_ERROR(server->names_.NoteFiles());
      TN_RETURN_IF_ERROR(RedoRecovery(*server, server->store_, server->redo_).RecoverRedoLog());
      TN_RETURN_IF_ERROR(StoreSessions::NoteOpened(path, server->store_.version));
    }
  }
  server->sync_.NoteRecovered(server->store_.version);
  server->store_.environment->StartCheckpointer();
  return server;
}

Status BdbPageServer::Create(const std::string& path, const std::string& database,
                             const BdbOptions& options) {
  TN_RETURN_IF_ERROR(CheckDatabaseName(database));
  static_cast<void>(WarmHandoff::Take(path));  // Its directory may be another one by now.
  TN_ASSIGN_OR_RETURN(StoreDirectory directory, StoreDirectory::Lock(path, OpenMode::kCreate));
  std::unique_ptr<BdbPageServer> server(new BdbPageServer(std::move(directory), options));
  TN_RETURN_IF_ERROR(server->MakeStore(database));
  server->at_rest_ = true;
  server->store_.directory.ReleaseForHandoff();
  WarmHandoff::Keep(std::move(server));
  return Status::Ok();
}

bool BdbPageServer::Resume() {
  if (!store_.directory.Reacquire()) return false;
  if (!store_.environment->Resume().ok()) return false;
  at_rest_ = false;
  store_.environment->StartCheckpointer();
  return true;
}

Status BdbPageServer::MakeStore(const std::string& database) {
  {
    // The files become a store with FORMAT, which comes last: nothing needs a sync before.
    const WithoutSyncs without_syncs;
    TN_ASSIGN_OR_RETURN(std::unique_ptr<BdbEnvironment> environment,
                        BdbEnvironment::Open(store_.directory, store_.options));
    store_.environment = std::move(environment);
    TN_RETURN_IF_ERROR(MakeTrees(database));
    TN_RETURN_IF_ERROR(store_.environment->Settle());
  }
  return store_.directory.Complete();
}

Status BdbPageServer::MakeTrees(const std::string& database) {
  TN_ASSIGN_OR_RETURN(DB_TXN* const transaction, store_.environment->Begin());
  const Result<DB*> tree = store_.environment->CreateTree(transaction, std::string(kStoreTreeFile));
  if (!tree.ok()) {
    store_.environment->Abort(transaction);
    return tree.status();
  }
  store_.store_tree = *tree;
  TN_RETURN_IF_ERROR(store_.environment->Commit(transaction));
  if (database.empty()) return Status::Ok();
  return opener_.Create(database, DatabaseFile(database), NewUuid()).status();
}

Status BdbPageServer::OpenStoreTree() {
  const std::string file(kStoreTreeFile);
  const Result<DB*> tree = store_.environment->OpenTree(file);
  if (!tree.ok()) {
    if (tree.status().code() != StatusCode::kNotFound) return tree.status();
    return Failure(StatusCode::kCorrupt,
                   "store " + store_.directory.path() + " has lost its " + file);
  }
  store_.store_tree = *tree;
  return LoadStoreTree();
}

Status BdbPageServer::LoadStoreTree() {
  const std::string path = store_.directory.File(kStoreTreeFile);
  const auto damaged = [&](const std::string& what) {
    return Failure(StatusCode::kCorrupt, path + " is damaged: " + what);
  };
  Cursor cursor(store_.store_tree);
  std::vector<CommitMark> outcomes;
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
    if (key_dbt.size == longest.size() && longest[0] == kKeptTag) {
      const std::optional<CommitMark> kept = DecodeOutcome(bytes);
      if (!kept || kept->id != IdOfCommitKey(longest)) return damaged("an outcome that is kept");
      outcomes.push_back(*kept);
      continue;
    }
    StoreKey key;
    if (key_dbt.size != key.size()) return damaged("it has a record of an unknown kind");
    std::copy_n(longest.begin(), key.size(), key.begin());
    const uint32_t number = NumberOfStoreKey(key);
    if (key[0] == kTypeTag) {
      std::optional<std::string> description = DecodeType(bytes);
      const std::string entry = "entry " + std::to_string(number) + " of its type table";
      if (!description) return damaged(entry);
      // The keys ascend and the indexes have no gaps.
      if (number != store_.types.size() + 1) return damaged(entry + " comes behind a gap");
      if (!store_.types.emplace(*std::move(description), number).second) {
        return damaged(entry + " repeats another one");
      }
    } else if (key[0] == kOutcomeTag && number < store_.options.latest_outcomes) {
      const std::optional<CommitMark> outcome = DecodeOutcome(bytes);
      if (!outcome || outcome->version % store_.options.latest_outcomes != number) {
        return damaged("outcome " + std::to_string(number) + " of its last commits");
      }
      outcomes.push_back(*outcome);
      store_.version = std::max(store_.version, outcome->version);
    } else if (key[0] == kNameTag) {
      if (!names_.Take(number, bytes)) {
        return damaged("entry " + std::to_string(number) + " of its list of databases");
      }
    } else {
      return damaged("it has a record of an unknown kind");
    }
  }
  if (code == DB_BUFFER_SMALL) return damaged("it has a record of an unknown kind");
  if (code != DB_NOTFOUND) return store_.environment->Translate(code, "cannot read " + path);
  // Programs of an earlier server that are there still, or may be, have perhaps not asked.
  const bool awaited = !StoreSessions::CheckNobodyAway(store_.directory.path()).ok();
  store_.outcomes.Load(std::move(outcomes), awaited);
  return Status::Ok();
}

BdbPageServer::~BdbPageServer() { static_cast<void>(Close()); }

Status BdbPageServer::Close() {
  redo_.StopApplier();
  const MutexLock commit_lock(store_.commit_mutex);
  const LockGuard trees_lock(store_.trees_mutex);
  if (store_.closed) return Status(StatusCode::kClosed, "the store is closed");
  // A store that WarmHandoff keeps does not hold its directory: another process may use the files.
  if (at_rest_) store_.environment->GiveUp(Status(StatusCode::kClosed, "the store is not held"));
  const bool opened = store_.environment != nullptr;
  sync_.Pause();
  const Status status = CloseLocked();
  sync_.End(status);
  // A failed opening leaves the mark (closed cleanly or not) as it was.
  store_.directory.Unlock(opened ? status.ok() : store_.directory.found_clean());
  return status;
}

Status BdbPageServer::CloseLocked() {
  store_.closed = true;
  if (store_.environment == nullptr) return Status::Ok();  // the store was never open
  bool redo_obsolete = false;
  const Status applied = redo_.Close(&redo_obsolete);  // a failure is found again below
  // Replacements that do not take a place may have taken the room that the closing needs.
  if (!replacing_) store_.environment->DropReplacements();
  for (auto& database : store_.databases) {
    if (database != nullptr) store_.environment->CloseTree(database->tree);
    database.reset();
  }
  if (store_.store_tree != nullptr) store_.environment->CloseTree(store_.store_tree);
  const std::string obsolete =
      redo_obsolete ? store_.directory.File(std::string(kRedoFile)) : std::string();
  TN_RETURN_IF_ERROR(store_.environment->Close(obsolete));
  return applied;
}

}  // namespace tenure::store
