// BdbPageServer: databases that take the place of others.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "store/bdb/bdb_handles.h"
#include "store/bdb/bdb_page_server.h"
#include "store/directory/recovery.h"
#include "store/files/held_directory.h"
#include "store/files/store_files.h"
#include "store/files/store_sessions.h"
#include "store/format/status_text.h"

namespace tenure::store {

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
  const MutexLock commit_lock(store_.commit_mutex);
  const LockGuard trees_lock(store_.trees_mutex);
  TN_RETURN_IF_ERROR(store_.Usable());
  return opener_.CreateReplacement(std::string(name), *uuid);
}

Status BdbPageServer::CloseReplacing(std::span<const DatabaseId> replacements) {
  redo_.StopApplier();
  const MutexLock commit_lock(store_.commit_mutex);
  const LockGuard trees_lock(store_.trees_mutex);
  TN_RETURN_IF_ERROR(store_.directory.CheckInPlace());
  std::vector<std::string> files;
  std::vector<ListedName> replaced;
  for (const DatabaseId id : replacements) {
    TN_ASSIGN_OR_RETURN(DatabaseState* const database, store_.Find(id));
    if (database->replaces.empty()) {
      return Status(StatusCode::kInvalidArgument, "the database is not a replacement");
    }
    TN_RETURN_IF_ERROR(database->spoiled);
    if (store_.FindOpen(database->replaces)) {
      return Failure(StatusCode::kInUse, "database " + database->replaces + " is open");
    }
    files.push_back(DatabaseFile(database->replaces));
    replaced.push_back({database->replaces, {NewTag(), store_.version}});
  }
  TN_RETURN_IF_ERROR(redo_.ApplyPending());
  TN_RETURN_IF_ERROR(StampReplacements(replacements, replaced));
  // Does what may lack room while the store can still be closed as it was.
  for (const DatabaseId id : replacements) {
    TN_RETURN_IF_ERROR(store_.environment->SyncReplacement(store_.At(id).tree));
  }
  TN_RETURN_IF_ERROR(store_.environment->Checkpoint());
  const bool any = std::any_of(files.begin(), files.end(), [&](const std::string& file) {
    const std::string path = store_.directory.File(file);
    const Place place = PlaceOf(path.c_str());
    // A file that cannot be looked at may exist.
    return faccessat(place.directory, place.name, F_OK, 0) == 0 || errno != ENOENT;
  });
  // Objects have other places afterwards: programs that were served must not use their copies.
  if (any) TN_RETURN_IF_ERROR(StoreSessions::ForgetServings(store_.directory.path()));
  // Afterwards everything is in the trees' files, and recovery needs nothing of the log.
  replacing_ = true;
  const StoreFiles in_directory(store_.directory.path());
  Status decided = CloseLocked();
  if (decided.ok()) decided = in_directory.ReplaceDatabases(files);
  if (!decided.ok()) {
    static_cast<void>(in_directory.RemoveUnusedReplacements());  // which gives the room back
    const std::string file = store_.directory.File(std::string(kSwitchFile));
    const Place place = PlaceOf(file.c_str());
    if (faccessat(place.directory, place.name, F_OK, 0) != 0) return decided;
    return Failure(StatusCode::kIo, std::string(decided.text()) +
                                        "; the next opening of the store puts the new files in "
                                        "the place of the old ones");
  }
  // The databases are in place whether or not their names and stamps are noted now: the next
  // opening notes what is missing.
  store_.directory.Unlock(/*clean=*/NoteReplaced(replaced).ok());
  return Status::Ok();
}

// Notes in the heads which files the replacements replace: from then on both the old file and the
// new one fit to the list, until the list has the new one's stamp.
Status BdbPageServer::StampReplacements(std::span<const DatabaseId> replacements,
                                        std::span<const ListedName> replaced) {
  for (size_t i = 0; i < replacements.size(); ++i) {
    DatabaseState& database = store_.At(replacements[i]);
    database.next_stamp.reset();
    database.head.stamp = replaced[i].stamp;
    database.head.replaces = names_.StampOf(database.replaces).number;
    TN_RETURN_IF_ERROR(writer_.WriteHead(nullptr, database, database.head));
  }
  return Status::Ok();
}

Status BdbPageServer::NoteReplaced(std::span<const ListedName> replaced) {
  TN_ASSIGN_OR_RETURN(std::unique_ptr<BdbEnvironment> environment,
                      BdbEnvironment::Open(store_.directory, store_.options));
  store_.environment = std::move(environment);
  store_.store_tree = nullptr;
  store_.types.clear();
  names_.Clear();
  Status status = OpenStoreTree();
  for (const ListedName& entry : replaced) {
    if (status.ok()) status = names_.Adopt(entry.name, entry.stamp);
  }
  if (store_.store_tree != nullptr) store_.environment->CloseTree(store_.store_tree);
  store_.store_tree = nullptr;
  const Status closed = store_.environment->Close();
  return status.ok() ? closed : status;
}

}  // namespace tenure::store
