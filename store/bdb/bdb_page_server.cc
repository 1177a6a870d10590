#include "store/bdb/bdb_page_server.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "store/bdb/bdb_handles.h"
#include "store/files/store_files.h"
#include "store/files/store_io.h"
#include "store/format/status_text.h"
#include "store/server/store_path.h"

namespace tenure::store {

PageServerCapabilities BdbPageServer::capabilities() const {
  return {.name = "bdb", .durable = true, .shared = false, .sums_pages = true};
}

PageServerStatistics BdbPageServer::statistics() const {
  const std::shared_lock lock(trees_mutex_);
  PageServerStatistics s;
  s.read_calls = counters_.read_calls;
  s.pages_read = counters_.pages_read;
  s.bytes_read = counters_.bytes_read;
  s.commits = counters_.commits;
  s.pages_written = counters_.pages_written;
  s.pages_changed = counters_.pages_changed;
  s.bytes_written = counters_.bytes_written;
  s.log_bytes = environment_->LogBytes() + redo_bytes_.load(std::memory_order_relaxed);
  s.syncs = environment_->flushes() + redo_syncs_.load(std::memory_order_relaxed);
  return s;
}

Status BdbPageServer::Usable() const {
  if (closed_) return Status(StatusCode::kClosed, "the store is closed");
  return environment_->failed();
}

// --- Databases
// ---------------------------------------------------------------------------------------

Result<BdbPageServer::OpenDatabaseState*> BdbPageServer::Find(DatabaseId id) const {
  TN_RETURN_IF_ERROR(Usable());
  if (id.index >= databases_.size() || databases_[id.index] == nullptr) {
    return Status(StatusCode::kClosed, "the database is closed");
  }
  return databases_[id.index].get();
}

std::optional<DatabaseId> BdbPageServer::FindOpen(std::string_view name) const {
  for (uint32_t i = 0; i < databases_.size(); ++i) {
    if (databases_[i] != nullptr && databases_[i]->name == name) return DatabaseId{i};
  }
  return std::nullopt;
}

Result<DatabaseId> BdbPageServer::OpenDatabase(std::string_view name, OpenMode mode) {
  TN_RETURN_IF_ERROR(CheckDatabaseName(name));
  const std::lock_guard commit_lock(commit_mutex_);
  const std::unique_lock trees_lock(trees_mutex_);
  TN_RETURN_IF_ERROR(Usable());
  const std::string text = "database " + std::string(name) + " of store " + directory_.path();
  if (const std::optional<DatabaseId> open = FindOpen(name)) {
    if (mode == OpenMode::kCreate) return Failure(StatusCode::kExists, text + " exists already");
    return *open;
  }
  if (mode != OpenMode::kCreate) {
    auto database = std::make_unique<OpenDatabaseState>();
    database->name = name;
    const Result<DB*> tree = environment_->OpenTree(DatabaseFile(name));
    if (tree.ok()) {
      database->tree = *tree;
      const Result<DatabaseId> added = AddDatabase(std::move(database));
      // A file that somebody has put here since the store was opened.
      if (added.ok() && directory_.writable() && !names_.contains(name)) {
        const std::string fresh(name);
        TN_RETURN_IF_ERROR(NoteNames(std::span(&fresh, 1)));
      }
      return added;
    }
    if (tree.status().code() != StatusCode::kNotFound) return tree.status();
    if (names_.contains(name)) return Lost(name);
    if (mode == OpenMode::kOpen) return Failure(StatusCode::kNotFound, text + " does not exist");
  }
  if (names_.contains(name)) {
    const Result<std::vector<std::string>> files = DatabaseNames(directory_.path());
    if (!files.ok()) return files.status();
    if (!std::binary_search(files->begin(), files->end(), name)) return Lost(name);
  }
  return CreateDatabase(std::string(name), DatabaseFile(name), NewUuid(), Listed::kYes);
}

Result<DatabaseId> BdbPageServer::AddDatabase(std::unique_ptr<OpenDatabaseState> database) {
  Status status = LoadHead(*database);
  if (status.ok()) status = CountEntries(*database);
  if (status.ok()) status = LoadFreed(*database);
  if (status.ok()) status = CheckNextPage(*database);
  if (status.ok()) status = ClaimPrepared(*database);
  if (!status.ok()) {
    environment_->CloseTree(database->tree);
    return status;
  }
  databases_.push_back(std::move(database));
  return DatabaseId{static_cast<uint32_t>(databases_.size() - 1)};
}

Status BdbPageServer::LoadHead(OpenDatabaseState& database) {
  const std::string path = directory_.File(DatabaseFile(database.name));
  std::array<std::byte, kDatabaseHeadBytes> bytes;
  const PageKey key = KeyOf(kHeadKey);
  DBT key_dbt = In(key.data(), key.size());
  DBT value = Out(bytes.data(), bytes.size());
  const int code = database.tree->get(database.tree, nullptr, &key_dbt, &value, 0);
  if (code != 0 && code != DB_NOTFOUND && code != DB_BUFFER_SMALL) {
    return environment_->Translate(code, "cannot read " + path);
  }
  uint32_t version = 0;
  std::optional<DatabaseHead> head;
  if (code == 0) head = DecodeHead(std::span(bytes).first(value.size), &version);
  if (!head) {
    if (version != 0 && version != kDatabaseFormatVersion) {
      return Failure(StatusCode::kFormat,
                     path + " has format version " + std::to_string(version) +
                         "; this program knows version " + std::to_string(kDatabaseFormatVersion),
                     version);
    }
    return Failure(StatusCode::kCorrupt, path + " is damaged: it has no head, or not a Tenure one");
  }
  if (head->store != Uuid() && head->store != directory_.uuid()) {
    return Failure(StatusCode::kCorrupt,
                   path + " is a database of the store with uuid " + TextOf(head->store) +
                       ", and this is the store with uuid " + TextOf(directory_.uuid()) +
                       ": its objects would be read with the wrong types");
  }
  database.head = *head;
  database.ids = PageIds(head->next_page);
  return Status::Ok();
}

Result<DatabaseId> BdbPageServer::CreateDatabase(const std::string& name, const std::string& file,
                                                 const Uuid& uuid, Listed listed) {
  TN_RETURN_IF_ERROR(directory_.CheckInPlace());
  const Result<DB_TXN*> transaction = environment_->Begin();
  if (!transaction.ok()) return transaction.status();
  const Result<DB*> tree = environment_->CreateTree(*transaction, file);
  if (!tree.ok()) {
    environment_->Abort(*transaction);
    if (tree.status().code() != StatusCode::kExists) return tree.status();
    return Failure(StatusCode::kExists,
                   "database " + name + " of store " + directory_.path() + " exists already");
  }
  auto database = std::make_unique<OpenDatabaseState>();
  database->name = name;
  database->tree = *tree;
  database->head.uuid = uuid;
  database->head.store = directory_.uuid();
  const auto head = EncodeHead(database->head);
  const PageKey key = KeyOf(kHeadKey);
  DBT key_dbt = In(key.data(), key.size());
  DBT value = In(head.data(), head.size());
  const int code = (*tree)->put(*tree, *transaction, &key_dbt, &value, 0);
  Status status;
  if (code != 0) status = environment_->Translate(code, "cannot create database " + name);
  Result<uint32_t> number = 0;
  if (status.ok() && listed == Listed::kYes) {
    number = PutName(*transaction, name);
    status = number.status();
  }
  if (!status.ok()) {
    environment_->Abort(*transaction);
    environment_->CloseTree(*tree);  // not before the transaction in which it was opened has ended
    return status;
  }
  TN_RETURN_IF_ERROR(environment_->Commit(*transaction));
  TN_RETURN_IF_ERROR(environment_->Flush());
  environment_->NoteCommit();
  if (listed == Listed::kYes) names_.insert_or_assign(name, *number);
  return AddDatabase(std::move(database));
}

Status BdbPageServer::DeleteDatabase(std::string_view name) {
  TN_RETURN_IF_ERROR(CheckDatabaseName(name));
  const std::lock_guard commit_lock(commit_mutex_);
  const std::unique_lock trees_lock(trees_mutex_);
  TN_RETURN_IF_ERROR(Usable());
  const std::string text = "database " + std::string(name) + " of store " + directory_.path();
  if (FindOpen(name)) return Failure(StatusCode::kInUse, text + " is open");
  TN_RETURN_IF_ERROR(directory_.CheckInPlace());
  TN_RETURN_IF_ERROR(EmptyRedo());
  const Result<std::vector<std::string>> names = DatabaseNames(directory_.path());
  if (!names.ok()) return names.status();
  if (!std::binary_search(names->begin(), names->end(), name)) {
    if (names_.contains(name)) return RemoveName(name);  // its file is lost
    return Failure(StatusCode::kNotFound, text + " does not exist");
  }
  TN_RETURN_IF_ERROR(RemoveName(name));
  return environment_->RemoveTree(DatabaseFile(name));
}

Status BdbPageServer::CloseDatabase(DatabaseId id) {
  const std::lock_guard commit_lock(commit_mutex_);
  const std::unique_lock trees_lock(trees_mutex_);
  if (closed_ || id.index >= databases_.size() || databases_[id.index] == nullptr) {
    return Status(StatusCode::kClosed, "the database is closed");
  }
  // What is pending for its tree cannot be put there later; the next opening does it.
  if (const Status status = ApplyPending(); !status.ok()) environment_->GiveUp(status);
  environment_->CloseTree(databases_[id.index]->tree);
  databases_[id.index].reset();
  return environment_->failed();
}

// What is written into the head with the last page of all that were written: it is there, or has
// been removed since.
Status BdbPageServer::CheckNextPage(const OpenDatabaseState& database) {
  const std::string path = directory_.File(DatabaseFile(database.name));
  Cursor cursor(database.tree);
  PageKey key = KeyOf(PageId{kPageNumberLimit});
  DBT key_dbt = Out(key.data(), key.size());
  key_dbt.size = static_cast<uint32_t>(key.size());
  DBT nothing = Part(Out(nullptr, 0), 0, 0);
  int code = cursor.Get(&key_dbt, &nothing, DB_SET_RANGE);
  code = cursor.Get(&key_dbt, &nothing, code == DB_NOTFOUND ? DB_LAST : DB_PREV);
  if (code != 0) return environment_->Translate(code, "cannot read " + path);
  uint64_t next = PageOfKey(key).number + 1;
  if (const auto& runs = database.freed.runs(); !runs.empty()) {
    next = std::max(next, runs.rbegin()->first + runs.rbegin()->second);
  }
  if (next == database.head.next_page) return Status::Ok();
  return Failure(
      StatusCode::kCorrupt,
      path + " is damaged: its head says that " + std::to_string(database.head.next_page - 1) +
          " pages have been made, and the last there is has number " + std::to_string(next - 1));
}

Result<PageId> BdbPageServer::NextPage(DatabaseId id, PageId from) {
  const std::shared_lock lock(trees_mutex_);
  const Result<OpenDatabaseState*> found = Find(id);
  if (!found.ok()) return found.status();
  const OpenDatabaseState& database = **found;
  // What waits for the tree may be anywhere.
  if (database.pending.size() > 0) return from;
  Cursor cursor(database.tree);
  PageKey key = KeyOf(from);
  DBT key_dbt = Out(key.data(), key.size());
  key_dbt.size = static_cast<uint32_t>(key.size());
  DBT nothing = Part(Out(nullptr, 0), 0, 0);
  const int code = cursor.Get(&key_dbt, &nothing, DB_SET_RANGE);
  if (code != 0 && code != DB_NOTFOUND) {
    return environment_->Translate(code, "cannot read database " + database.name);
  }
  const PageId next = PageOfKey(key);
  return code == 0 && next.number < kPageNumberLimit ? next : PageId{kPageNumberLimit};
}

Result<DatabaseInfo> BdbPageServer::Info(DatabaseId id) {
  const std::shared_lock lock(trees_mutex_);
  const Result<OpenDatabaseState*> found = Find(id);
  if (!found.ok()) return found.status();
  const OpenDatabaseState& database = **found;
  DatabaseInfo info{.name = database.name,
                    .uuid = database.head.uuid,
                    .root = database.head.root,
                    .max_page = PageId{database.head.next_page - 1}};
  info.pages = database.pending.created();
  Cursor cursor(database.tree);
  PageKey key;
  DBT key_dbt = Out(key.data(), key.size());
  DBT nothing = Part(Out(nullptr, 0), 0, 0);
  int code;
  PageId before{};
  while ((code = cursor.Get(&key_dbt, &nothing, DB_NEXT)) == 0) {
    const PageId page = PageOfKey(key);
    if (page.number >= kPageNumberLimit) break;
    if (page.valid() && page <= before) {
      return Failure(StatusCode::kCorrupt, directory_.File(DatabaseFile(database.name)) +
                                               " is damaged: its pages are in disorder");
    }
    before = page;
    if (page.valid()) ++info.pages;
  }
  if (code != 0 && code != DB_NOTFOUND) {
    return environment_->Translate(code, "cannot read database " + database.name);
  }
  return info;
}

Result<PersistentRef> BdbPageServer::Root(DatabaseId id) {
  const std::shared_lock lock(trees_mutex_);
  const Result<OpenDatabaseState*> database = Find(id);
  if (!database.ok()) return database.status();
  return (*database)->head.root;
}

Result<PageId> BdbPageServer::MaxPage(DatabaseId id) {
  const std::shared_lock lock(trees_mutex_);
  const Result<OpenDatabaseState*> database = Find(id);
  if (!database.ok()) return database.status();
  return PageId{(*database)->ids.next_page() - 1};
}

// --- Pages
// -------------------------------------------------------------------------------------------

Status BdbPageServer::Read(DatabaseId id, std::span<const PageId> pages,
                           std::span<PageReply> replies) {
  TN_CHECK(pages.size() == replies.size());
  const std::shared_lock lock(trees_mutex_);
  const Result<OpenDatabaseState*> database = Find(id);
  if (!database.ok()) return database.status();
  ReadRun(**database, pages, replies);
  // Damage that Berkeley DB met in one page has ended the environment; the reply names the page.
  uint64_t good = 0;
  for (const PageReply& reply : replies) good += reply.status.ok();
  counters_.read_calls.fetch_add(1, std::memory_order_relaxed);
  counters_.pages_read.fetch_add(good, std::memory_order_relaxed);
  counters_.bytes_read.fetch_add(good * kPageRecordBytes, std::memory_order_relaxed);
  return Status::Ok();
}

void BdbPageServer::ReadRun(OpenDatabaseState& database, std::span<const PageId> pages,
                            std::span<PageReply> replies) {
  const auto missing = [&](PageId page) {
    return Failure(StatusCode::kNotFound, PageText(database.name, page) + " does not exist",
                   static_cast<int64_t>(page.number));
  };
  Cursor cursor(database.tree);
  PageId at{};  // where the cursor is; the head's key at first, which no page has
  for (size_t i = 0; i < pages.size(); ++i) {
    const PageId page = pages[i];
    PageReply& reply = replies[i];
    if (!database.ids.known(page)) {
      reply.status = missing(page);
      continue;
    }
    const PendingPage* const pending = database.pending.Find(page);
    if (pending != nullptr && pending->whole()) {
      reply.status = pending->PutOn(page, &reply.record);
      at = {};
      continue;
    }
    // The next record of the tree is most often the next page.
    const bool follows = at.valid() && page == at + 1;
    PageKey key = KeyOf(page);
    DBT key_dbt = follows ? Out(key.data(), key.size()) : In(key.data(), key.size());
    DBT value = Out(&reply.record, kPageRecordBytes);
    const int code = cursor.Get(&key_dbt, &value, follows ? DB_NEXT : DB_SET);
    at = {};
    if (code == DB_NOTFOUND || (code == 0 && PageOfKey(key) != page)) {
      reply.status = missing(page);
    } else if (code == DB_BUFFER_SMALL || (code == 0 && value.size != kPageRecordBytes)) {
      reply.status = Failure(StatusCode::kCorrupt,
                             PageText(database.name, page) + " is damaged: its length is wrong",
                             static_cast<int64_t>(page.number));
    } else if (code != 0) {
      reply.status = environment_->Translate(code, "cannot read " + PageText(database.name, page),
                                             static_cast<int64_t>(page.number));
    } else {
      at = page;
      reply.status = pending != nullptr ? pending->PutOn(page, &reply.record)
                                        : CheckPageRecord(page, reply.record);
    }
  }
}

Status BdbPageServer::WantRead(DatabaseId id, std::span<const PageId>) {
  const std::shared_lock lock(trees_mutex_);
  return Find(id).status();
}

Status BdbPageServer::WantWrite(DatabaseId id, std::span<const PageId> pages) {
  return WantRead(id, pages);
}

Status BdbPageServer::Release(DatabaseId id, std::span<const PageId> pages) {
  return WantRead(id, pages);
}

Result<PageRun> BdbPageServer::AllocatePages(DatabaseId id, uint64_t count) {
  const std::unique_lock lock(trees_mutex_);
  const Result<OpenDatabaseState*> database = Find(id);
  if (!database.ok()) return database.status();
  return (*database)->ids.Allocate(count);
}

Result<std::vector<PageRun>> BdbPageServer::AllocateRemoved(DatabaseId id, uint64_t most) {
  const std::unique_lock lock(trees_mutex_);
  const Result<OpenDatabaseState*> database = Find(id);
  if (!database.ok()) return database.status();
  return (*database)->ids.AllocateFree(most);
}

Status BdbPageServer::ReturnPages(DatabaseId id, PageRun run) {
  const std::unique_lock lock(trees_mutex_);
  const Result<OpenDatabaseState*> database = Find(id);
  if (!database.ok()) return database.status();
  return (*database)->ids.Return(run);
}

// --- Types
// -------------------------------------------------------------------------------------------

Result<std::vector<TypeEntry>> BdbPageServer::TypeEntries() {
  const std::shared_lock lock(trees_mutex_);
  TN_RETURN_IF_ERROR(Usable());
  std::vector<TypeEntry> entries(types_.size());
  for (const auto& [description, index] : types_) entries[index - 1] = {index, description};
  return entries;
}

Result<uint32_t> BdbPageServer::AddType(std::span<const std::byte> description) {
  if (description.size() > kTypeDescriptionBytesMax) {
    return Status(StatusCode::kInvalidArgument, "a type's description is longer than 16 MB",
                  static_cast<int64_t>(description.size()));
  }
  const std::lock_guard commit_lock(commit_mutex_);
  const std::unique_lock trees_lock(trees_mutex_);
  TN_RETURN_IF_ERROR(Usable());
  std::string text(reinterpret_cast<const char*>(description.data()), description.size());
  if (const auto found = types_.find(text); found != types_.end()) return found->second;

  const auto index = static_cast<uint32_t>(types_.size() + 1);
  const Result<DB_TXN*> transaction = environment_->Begin();
  if (!transaction.ok()) return transaction.status();
  const StoreKey key = TypeKey(index);
  const std::string bytes = EncodeType(description);
  DBT key_dbt = In(key.data(), key.size());
  DBT value = In(bytes.data(), bytes.size());
  const int code = store_tree_->put(store_tree_, *transaction, &key_dbt, &value, 0);
  if (code != 0) {
    const Status status =
        environment_->Translate(code, "cannot add a type to " + directory_.path());
    environment_->Abort(*transaction);
    return status;
  }
  // Not synced: whatever commit uses the entry comes later in the same log.
  TN_RETURN_IF_ERROR(environment_->Commit(*transaction));
  types_unflushed_ = true;
  types_.emplace(std::move(text), index);
  return index;
}

}  // namespace tenure::store
