#include "store/bdb/bdb_databases.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "store/bdb/bdb_handles.h"
#include "store/files/store_files.h"
#include "store/format/status_text.h"
#include "store/server/commit_image.h"

namespace tenure::store {

Result<DatabaseId> DatabaseOpener::Add(std::unique_ptr<DatabaseState> database) {
  Status status = LoadHead(*database);
  if (status.ok()) status = names_.CheckStamp(*database);
  if (status.ok()) status = CountEntries(*database);
  if (status.ok()) status = LoadFreed(*database);
  if (status.ok()) status = CheckNextPage(*database);
  if (status.ok()) status = ClaimPrepared(*database);
  if (!status.ok()) {
    store_.environment->CloseTree(database->tree);
    return status;
  }
  store_.databases.push_back(std::move(database));
  return DatabaseId{static_cast<uint32_t>(store_.databases.size() - 1)};
}

Status DatabaseOpener::LoadHead(DatabaseState& database) {
  const std::string path = store_.directory.File(DatabaseFile(database.name));
  std::array<std::byte, kDatabaseHeadBytes> bytes;
  const PageKey key = KeyOf(kHeadKey);
  DBT key_dbt = In(key.data(), key.size());
  DBT value = Out(bytes.data(), bytes.size());
  const int code = database.tree->get(database.tree, nullptr, &key_dbt, &value, 0);
  if (code != 0 && code != DB_NOTFOUND && code != DB_BUFFER_SMALL) {
    return store_.environment->Translate(code, "cannot read " + path);
  }
  uint32_t version = 0;
  std::optional<DatabaseHead> head;
  if (code == 0) head = DecodeHead(std::span(bytes).first(value.size), &version);
  if (!head) {
    if (version > kDatabaseFormatVersion) {
      return Failure(StatusCode::kFormat,
                     path + " has format version " + std::to_string(version) +
                         "; this program knows versions up to " +
                         std::to_string(kDatabaseFormatVersion),
                     version);
    }
    return Failure(StatusCode::kCorrupt, path + " is damaged: it has no head, or not a Tenure one");
  }
  if (head->store != Uuid() && head->store != store_.directory.uuid()) {
    return Failure(StatusCode::kCorrupt,
                   path + " is a database of the store with uuid " + TextOf(head->store) +
                       ", and this is the store with uuid " + TextOf(store_.directory.uuid()) +
                       ": its objects would be read with the wrong types");
  }
  database.head = *head;
  database.ids = PageIds(head->next_page);
  return Status::Ok();
}

std::unique_ptr<DatabaseState> DatabaseOpener::NewDatabase(const std::string& name,
                                                           const Uuid& uuid, DB* tree) const {
  auto database = std::make_unique<DatabaseState>();
  database->name = name;
  database->tree = tree;
  database->head.uuid = uuid;
  database->head.store = store_.directory.uuid();
  database->head.stamp = {NewTag(), 0};
  database->stamped_in = store_.environment->period();
  return database;
}

namespace {

int PutHead(DB* tree, DB_TXN* transaction, const DatabaseHead& contents) {
  const auto head = EncodeHead(contents);
  const PageKey key = KeyOf(kHeadKey);
  DBT key_dbt = In(key.data(), key.size());
  DBT value = In(head.data(), head.size());
  return tree->put(tree, transaction, &key_dbt, &value, 0);
}

}  // namespace

Result<DatabaseId> DatabaseOpener::CreateReplacement(const std::string& name, const Uuid& uuid) {
  TN_RETURN_IF_ERROR(store_.directory.CheckInPlace());
  TN_RETURN_IF_ERROR(store_.directory.CheckWritable());
  TN_ASSIGN_OR_RETURN(DB* const tree,
                      store_.environment->CreateReplacement(ReplacementFile(DatabaseFile(name))));
  // A name that no database can have.
  auto database = NewDatabase("(replacement of " + name + ")", uuid, tree);
  if (const int code = PutHead(tree, nullptr, database->head); code != 0) {
    const Status status = store_.environment->Translate(code, "cannot create database " + name);
    store_.environment->CloseTree(tree);
    return status;
  }
  TN_ASSIGN_OR_RETURN(const DatabaseId made, Add(std::move(database)));
  store_.At(made).replaces = name;
  return made;
}

Result<DatabaseId> DatabaseOpener::Create(const std::string& name, const std::string& file,
                                          const Uuid& uuid) {
  TN_RETURN_IF_ERROR(store_.directory.CheckInPlace());
  TN_ASSIGN_OR_RETURN(DB_TXN* const transaction, store_.environment->Begin());
  const Result<DB*> tree = store_.environment->CreateTree(transaction, file);
  if (!tree.ok()) {
    store_.environment->Abort(transaction);
    if (tree.status().code() != StatusCode::kExists) return tree.status();
    return Failure(StatusCode::kExists,
                   "database " + name + " of store " + store_.directory.path() + " exists already");
  }
  auto database = NewDatabase(name, uuid, *tree);
  const int code = PutHead(*tree, transaction, database->head);
  Status status;
  if (code != 0) status = store_.environment->Translate(code, "cannot create database " + name);
  Result<NameList::Entry> entry = NameList::Entry();
  if (status.ok()) {
    entry = names_.Put(transaction, name, database->head.stamp);
    status = entry.status();
  }
  if (!status.ok()) {
    store_.environment->Abort(transaction);
    store_.environment->CloseTree(
        *tree);  // at the earliest when the transaction that opened the tree has ended
    return status;
  }
  TN_RETURN_IF_ERROR(store_.environment->Commit(transaction));
  TN_RETURN_IF_ERROR(store_.environment->Flush());
  store_.environment->NoteCommit();
  names_.Add(name, *entry);
  return Add(std::move(database));
}

// Counts the entries of both tables of references by the last key of each.
Status DatabaseOpener::CountEntries(DatabaseState& database) {
  PageCursor cursor(database.tree, /*values=*/false);
  for (const auto& [keys, count] :
       {std::pair{kImportKeys, &database.imports}, std::pair{kExportKeys, &database.exports}}) {
    const int code = cursor.SeekBelow(keys + (uint64_t{1} << 55));
    if (code != 0 && code != DB_NOTFOUND) {
      return store_.environment->Translate(
          code, "cannot read " + store_.directory.File(DatabaseFile(database.name)));
    }
    *count = code == 0 && cursor.number() > keys ? cursor.number() - keys : 0;
  }
  return Status::Ok();
}

Status DatabaseOpener::LoadFreed(DatabaseState& database) {
  const std::string path = store_.directory.File(DatabaseFile(database.name));
  PageCursor cursor(database.tree, /*values=*/true);
  int code = cursor.SeekFrom(kFreedKeys);
  for (; code == 0; code = cursor.Next()) {
    if (cursor.number() >> 56 != kFreedKeys >> 56) return Status::Ok();
    const std::optional<uint64_t> pages = DecodeFreed(cursor.value());
    const PageRun run{PageId{cursor.number() - kFreedKeys}, pages.value_or(0)};
    if (!pages || !database.freed.Load(run) || !database.ids.Return(run).ok()) {
      return Failure(StatusCode::kCorrupt, path + " is damaged: its table of removed pages");
    }
  }
  return code == DB_NOTFOUND ? Status::Ok()
                             : store_.environment->Translate(code, "cannot read " + path);
}

// The head is written with the last page that was made: that page is in the tree, or has been
// removed since.
Status DatabaseOpener::CheckNextPage(const DatabaseState& database) {
  const std::string path = store_.directory.File(DatabaseFile(database.name));
  PageCursor cursor(database.tree, /*values=*/false);
  if (const int code = cursor.SeekBelow(kPageNumberLimit); code != 0) {
    return store_.environment->Translate(code, "cannot read " + path);
  }
  uint64_t next = cursor.number() + 1;
  if (const auto& runs = database.freed.runs(); !runs.empty()) {
    next = std::max(next, runs.rbegin()->first + runs.rbegin()->second);
  }
  if (next == database.head.next_page) return Status::Ok();
  return Failure(
      StatusCode::kCorrupt,
      path + " is damaged: its head says that " + std::to_string(database.head.next_page - 1) +
          " pages have been made, and the last there is has number " + std::to_string(next - 1));
}

// Pages that a commit of an earlier process prepared belong to that commit, though the head does
// not count them yet.
Status DatabaseOpener::ClaimPrepared(DatabaseState& database) {
  TN_ASSIGN_OR_RETURN(const std::vector<PreparedCommit> commits, records_.Prepared());
  for (const PreparedCommit& commit : commits) {
    for (const PreparedPart& part : commit.parts) {
      if (part.database != database.name) continue;
      for (const PageId page : part.fresh) ClaimPage(database.ids, page);
    }
  }
  return Status::Ok();
}

}  // namespace tenure::store
