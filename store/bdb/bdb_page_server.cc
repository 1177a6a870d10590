#include "store/bdb/bdb_page_server.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/mutex.h"
#include "store/bdb/bdb_handles.h"
#include "store/files/file_operations.h"
#include "store/files/store_files.h"
#include "store/files/store_sessions.h"
#include "store/format/status_text.h"
#include "store/server/store_path.h"

namespace tenure::store {

PageServerCapabilities BdbPageServer::capabilities() const {
  return {.name = "bdb", .durable = true, .shared = false, .sums_pages = true};
}

PageServerStatistics BdbPageServer::statistics() const {
  const ReaderLock lock(store_.trees_mutex);
  PageServerStatistics s;
  s.read_calls = store_.counters.read_calls;
  s.pages_read = store_.counters.pages_read;
  s.bytes_read = store_.counters.bytes_read;
  s.commits = store_.counters.commits;
  s.pages_written = store_.counters.pages_written;
  s.pages_changed = store_.counters.pages_changed;
  s.bytes_written = store_.counters.bytes_written;
  s.log_bytes = store_.environment->LogBytes() + redo_.bytes_appended();
  s.syncs = store_.environment->flushes() + sync_.redo_syncs();
  s.largest_group = sync_.largest_group();
  return s;
}

// --- databases ---

Result<DatabaseId> BdbPageServer::OpenDatabase(std::string_view name, OpenMode mode) {
  return OpenOrMake(name, mode, NewUuid());
}

Result<DatabaseId> BdbPageServer::CreateDatabase(std::string_view name, const Uuid& uuid) {
  return OpenOrMake(name, OpenMode::kCreate, uuid);
}

Result<DatabaseId> BdbPageServer::OpenOrMake(std::string_view name, OpenMode mode,
                                             const Uuid& uuid) {
  TN_RETURN_IF_ERROR(CheckDatabaseName(name));
  const MutexLock commit_lock(store_.commit_mutex);
  const LockGuard trees_lock(store_.trees_mutex);
  TN_RETURN_IF_ERROR(store_.Usable());
  const std::string text = "database " + std::string(name) + " of store " + store_.directory.path();
  if (const std::optional<DatabaseId> open = store_.FindOpen(name)) {
    if (mode == OpenMode::kCreate) return Failure(StatusCode::kExists, text + " exists already");
    return *open;
  }
  if (mode != OpenMode::kCreate) {
    auto database = std::make_unique<DatabaseState>();
    database->name = name;
    const Result<DB*> tree = store_.environment->OpenTree(DatabaseFile(name));
    if (tree.ok()) {
      database->tree = *tree;
      const Result<DatabaseId> added = opener_.Add(std::move(database));
      if (!added.ok() || !store_.directory.writable()) return added;
      // The file was put into the directory after the store was opened, or in the place of another
      // one, or it has been deleted and a crash has kept it.
      const FileStamp stamp = store_.At(*added).head.stamp;
      if (!names_.Has(name) || names_.StampOf(name).number != stamp.number) {
        TN_RETURN_IF_ERROR(names_.Adopt(std::string(name), stamp));
      }
      return added;
    }
    if (tree.status().code() != StatusCode::kNotFound) return tree.status();
    if (names_.Has(name)) return names_.Lost(name);
    if (mode == OpenMode::kOpen) return Failure(StatusCode::kNotFound, text + " does not exist");
  }
  if (names_.Has(name)) {
    TN_ASSIGN_OR_RETURN(const std::vector<std::string> files,
                        DatabaseNames(store_.directory.path()));
    if (!std::binary_search(files.begin(), files.end(), name)) return names_.Lost(name);
  }
  return opener_.Create(std::string(name), DatabaseFile(name), uuid);
}

Status BdbPageServer::DeleteDatabase(std::string_view name) {
  TN_RETURN_IF_ERROR(CheckDatabaseName(name));
  const MutexLock commit_lock(store_.commit_mutex);
  const LockGuard trees_lock(store_.trees_mutex);
  TN_RETURN_IF_ERROR(store_.Usable());
  const std::string text = "database " + std::string(name) + " of store " + store_.directory.path();
  if (store_.FindOpen(name)) return Failure(StatusCode::kInUse, text + " is open");
  TN_RETURN_IF_ERROR(store_.directory.CheckInPlace());
  TN_RETURN_IF_ERROR(redo_.DrainRedoLog());
  TN_ASSIGN_OR_RETURN(const std::vector<std::string> names, DatabaseNames(store_.directory.path()));
  if (!std::binary_search(names.begin(), names.end(), name)) {
    if (names_.Has(name)) return names_.Remove(name);  // its file is lost
    return Failure(StatusCode::kNotFound, text + " does not exist");
  }
  TN_RETURN_IF_ERROR(names_.Remove(name));
  return store_.environment->RemoveTree(DatabaseFile(name));
}

Status BdbPageServer::CloseDatabase(DatabaseId id) {
  const MutexLock commit_lock(store_.commit_mutex);
  const LockGuard trees_lock(store_.trees_mutex);
  if (store_.closed || id.index >= store_.databases.size() ||
      store_.databases[id.index] == nullptr) {
    return Status(StatusCode::kClosed, "the database is closed");
  }
  // Pages that are pending for a closed tree cannot be put into it; the next opening does so.
  if (const Status status = redo_.ApplyPending(); !status.ok()) store_.environment->GiveUp(status);
  store_.environment->CloseTree(store_.databases[id.index]->tree);
  store_.databases[id.index].reset();
  return store_.environment->failed();
}

Result<std::vector<std::string>> BdbPageServer::ListDatabases() {
  const ReaderLock lock(store_.trees_mutex);
  TN_RETURN_IF_ERROR(store_.Usable());
  TN_ASSIGN_OR_RETURN(std::vector<std::string> names, DatabaseNames(store_.directory.path()));
  for (const auto& [name, entry] : names_.names()) names.push_back(name);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

Result<PageId> BdbPageServer::NextPage(DatabaseId id, PageId from) {
  const ReaderLock lock(store_.trees_mutex);
  TN_ASSIGN_OR_RETURN(DatabaseState* const found, store_.Find(id));
  const DatabaseState& database = *found;
  // Pending pages may lie anywhere.
  if (database.pending.size() > 0) return from;
  PageCursor cursor(database.tree, /*values=*/false);
  const int code = cursor.SeekFrom(from.number);
  if (code != 0 && code != DB_NOTFOUND) {
    return store_.environment->Translate(code, "cannot read database " + database.name);
  }
  return PageId{code == 0 ? std::min(cursor.number(), kPageNumberLimit) : kPageNumberLimit};
}

Result<DatabaseInfo> BdbPageServer::Info(DatabaseId id) {
  const ReaderLock lock(store_.trees_mutex);
  TN_ASSIGN_OR_RETURN(DatabaseState* const found, store_.Find(id));
  const DatabaseState& database = *found;
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
      return Failure(StatusCode::kCorrupt, store_.directory.File(DatabaseFile(database.name)) +
                                               " is damaged: its pages are in disorder");
    }
    before = page;
    if (page.valid()) ++info.pages;
  }
  if (code != 0 && code != DB_NOTFOUND) {
    return store_.environment->Translate(code, "cannot read database " + database.name);
  }
  return info;
}

Result<PersistentRef> BdbPageServer::Root(DatabaseId id) {
  const ReaderLock lock(store_.trees_mutex);
  TN_ASSIGN_OR_RETURN(DatabaseState* const database, store_.Find(id));
  return database->head.root;
}

Result<PageId> BdbPageServer::MaxPage(DatabaseId id) {
  const ReaderLock lock(store_.trees_mutex);
  TN_ASSIGN_OR_RETURN(DatabaseState* const database, store_.Find(id));
  return PageId{database->ids.next_page() - 1};
}

// --- pages ---

Status BdbPageServer::Read(DatabaseId id, std::span<const PageId> pages,
                           std::span<PageReply> replies) {
  TN_CHECK(pages.size() == replies.size());
  const ReaderLock lock(store_.trees_mutex);
  TN_ASSIGN_OR_RETURN(DatabaseState* const database, store_.Find(id));
  store_.ReadRun(*database, pages, replies);
  // If Berkeley DB found damage the environment has failed; the reply names the page.
  uint64_t good = 0;
  for (const PageReply& reply : replies) good += reply.status.ok();
  store_.counters.read_calls.fetch_add(1, std::memory_order_relaxed);
  store_.counters.pages_read.fetch_add(good, std::memory_order_relaxed);
  store_.counters.bytes_read.fetch_add(good * kPageRecordBytes, std::memory_order_relaxed);
  return Status::Ok();
}

Result<PageRun> BdbPageServer::AllocatePages(DatabaseId id, uint64_t count) {
  const LockGuard lock(store_.trees_mutex);
  TN_ASSIGN_OR_RETURN(DatabaseState* const database, store_.Find(id));
  return database->ids.Allocate(count);
}

Result<std::vector<PageRun>> BdbPageServer::AllocateRemoved(DatabaseId id, uint64_t most) {
  const LockGuard lock(store_.trees_mutex);
  TN_ASSIGN_OR_RETURN(DatabaseState* const database, store_.Find(id));
  return database->ids.AllocateFree(most);
}

Status BdbPageServer::ReturnPages(DatabaseId id, PageRun run) {
  const LockGuard lock(store_.trees_mutex);
  TN_ASSIGN_OR_RETURN(DatabaseState* const database, store_.Find(id));
  return database->ids.Return(run);
}

// --- types ---

Result<std::vector<TypeEntry>> BdbPageServer::TypeEntries() {
  const ReaderLock lock(store_.trees_mutex);
  TN_RETURN_IF_ERROR(store_.Usable());
  std::vector<TypeEntry> entries(store_.types.size());
  for (const auto& [description, index] : store_.types) entries[index - 1] = {index, description};
  return entries;
}

Result<uint32_t> BdbPageServer::AddType(std::span<const std::byte> description) {
  if (description.size() > kTypeDescriptionBytesMax) {
    return Status(StatusCode::kInvalidArgument, "a type's description is longer than 16 MB",
                  static_cast<int64_t>(description.size()));
  }
  const MutexLock commit_lock(store_.commit_mutex);
  const LockGuard trees_lock(store_.trees_mutex);
  TN_RETURN_IF_ERROR(store_.Usable());
  std::string text(reinterpret_cast<const char*>(description.data()), description.size());
  if (const auto found = store_.types.find(text); found != store_.types.end()) return found->second;

  const auto index = static_cast<uint32_t>(store_.types.size() + 1);
  TN_ASSIGN_OR_RETURN(DB_TXN* const transaction, store_.environment->Begin());
  const StoreKey key = TypeKey(index);
  const std::string bytes = EncodeType(description);
  DBT key_dbt = In(key.data(), key.size());
  DBT value = In(bytes.data(), bytes.size());
  const int code = store_.store_tree->put(store_.store_tree, transaction, &key_dbt, &value, 0);
  if (code != 0) {
    const Status status =
        store_.environment->Translate(code, "cannot add a type to " + store_.directory.path());
    store_.environment->Abort(transaction);
    return status;
  }
  // Without a sync: a commit that uses the entry comes later in the same log.
  TN_RETURN_IF_ERROR(store_.environment->Commit(transaction));
  store_.types_unflushed = true;
  store_.types.emplace(std::move(text), index);
  return index;
}

// --- commits ---

void BdbPageServer::Prewrite(CommitId id, std::span<const std::byte* const> pages) {
  redo_.Prewrite(id, pages);
}

void BdbPageServer::EndPrewrite() { redo_.EndPrewrite(); }

CommitAnswer BdbPageServer::Commit(const CommitRequest& request) {
  return committer_.Commit(request, Committer::Prepared::kNo);
}

CommitAnswer BdbPageServer::Order(const CommitRequest& request) {
  return committer_.Order(request, Committer::Prepared::kNo);
}

Status BdbPageServer::AwaitDurable(uint64_t version) { return sync_.Await(version); }

Result<std::optional<uint64_t>> BdbPageServer::Outcome(const OutcomeQuestion& question) {
  std::optional<uint64_t> version;
  {
    const MutexLock commit_lock(store_.commit_mutex);
    const ReaderLock trees_lock(store_.trees_mutex);
    TN_RETURN_IF_ERROR(store_.Usable());
    TN_ASSIGN_OR_RETURN(version, store_.outcomes.Find(question, store_.version));
  }
  // A crash could still lose a commit that is not durable yet.
  if (version) TN_RETURN_IF_ERROR(sync_.Await(*version));
  return version;
}

CommitMark BdbPageServer::LastCommit() const {
  const ReaderLock lock(store_.trees_mutex);
  return store_.outcomes.last();
}

void BdbPageServer::ForgetAsker(uint64_t asker) {
  const LockGuard lock(store_.trees_mutex);
  store_.outcomes.Forget(asker);
}

Status BdbPageServer::GivePlacesAgain() {
  TN_RETURN_IF_ERROR(store_.directory.CheckWritable());
  TN_RETURN_IF_ERROR(StoreSessions::CheckNobodyAway(store_.directory.path()));
  return StoreSessions::ForgetServings(store_.directory.path());
}

Status BdbPageServer::Prepare(const CommitRequest& request, const Coordinator& coordinator) {
  return two_phase_.Prepare(request, coordinator);
}

CommitAnswer BdbPageServer::Resolve(CommitId id, bool commit) {
  return two_phase_.Resolve(id, commit);
}

Result<std::vector<PreparedCommit>> BdbPageServer::Prepared() { return two_phase_.Prepared(); }
Result<bool> BdbPageServer::Decided(CommitId id) { return two_phase_.Decided(id); }

Status BdbPageServer::Acknowledge(CommitId id, const Uuid& participant) {
  return two_phase_.Acknowledge(id, participant);
}

}  // namespace tenure::store
