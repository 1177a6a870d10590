#include "store/server/memory_page_server.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/check.h"
#include "base/mutex.h"
#include "store/format/status_text.h"
#include "store/server/commit_check.h"
#include "store/server/commit_image.h"
#include "store/server/freed_pages.h"
#include "store/server/store_path.h"

namespace tenure::store {

struct MemoryPageServer::Database {
  std::string name;
  Uuid uuid;
  PersistentRef root;
  uint64_t next_page = 1;
  std::unordered_map<PageId, std::unique_ptr<PageRecord>> pages;
  std::vector<ImportEntry> imports;
  std::vector<ExportEntry> exports;
  FreedPages freed;
};

struct MemoryPageServer::Store {
  std::string path;
  Uuid uuid;
  uint64_t lineage = 0;
  bool open = false;
  std::map<std::string, std::shared_ptr<Database>, std::less<>> databases;
  std::vector<std::string> types;  // entry i + 1
  std::map<CommitId, uint64_t> outcomes;
  std::map<CommitId, std::string> prepared;         // as EncodePrepared makes them
  std::map<CommitId, std::vector<Uuid>> decisions;  // the stores that have to acknowledge
  uint64_t version = 0;                             // of the last commit
};

// All stores of the process. Its mutex guards the map and every Store::open.
struct MemoryPageServer::Stores {
  Mutex mutex;
  std::map<std::string, std::shared_ptr<Store>> by_path TN_GUARDED_BY(mutex);
};

MemoryPageServer::Stores& MemoryPageServer::AllStores() {
  static auto* stores = new Stores;  // never destroyed: threads may run while the process ends
  return *stores;
}

Result<std::unique_ptr<MemoryPageServer>> MemoryPageServer::Open(const std::string& path,
                                                                 OpenMode mode) {
  Stores& stores = AllStores();
  const MutexLock lock(stores.mutex);
  auto found = stores.by_path.find(path);
  if (found == stores.by_path.end()) {
    if (mode == OpenMode::kOpen) {
      return Failure(StatusCode::kNotFound, "there is no store at " + path + " (in memory)");
    }
    auto store = std::make_shared<Store>();
    store->path = path;
    store->uuid = NewUuid();
    store->lineage = NewTag();
    found = stores.by_path.emplace(path, std::move(store)).first;
  } else if (mode == OpenMode::kCreate) {
    return Failure(StatusCode::kExists, "store " + path + " exists already");
  }
  Store& store = *found->second;
  if (store.open) return Failure(StatusCode::kInUse, "store " + path + " is held by this process");
  store.open = true;
  return std::unique_ptr<MemoryPageServer>(new MemoryPageServer(found->second));
}

void MemoryPageServer::Forget(const std::string& path) {
  Stores& stores = AllStores();
  const MutexLock lock(stores.mutex);
  const auto found = stores.by_path.find(path);
  if (found != stores.by_path.end() && !found->second->open) stores.by_path.erase(found);
}

MemoryPageServer::~MemoryPageServer() { static_cast<void>(Close()); }

Status MemoryPageServer::Close() {
  const MutexLock lock(mutex_);
  if (closed_) return Status(StatusCode::kClosed, "the store is closed");
  closed_ = true;
  databases_.clear();
  Stores& stores = AllStores();
  const MutexLock stores_lock(stores.mutex);
  store_->open = false;
  return Status::Ok();
}

PageServerCapabilities MemoryPageServer::capabilities() const {
  return {.name = "memory", .durable = false, .shared = false};
}

PageServerStatistics MemoryPageServer::statistics() const {
  const MutexLock lock(mutex_);
  return statistics_;
}

Uuid MemoryPageServer::store_uuid() const { return store_->uuid; }
uint64_t MemoryPageServer::lineage() const { return store_->lineage; }

Status MemoryPageServer::Usable() const {
  return closed_ ? Status(StatusCode::kClosed, "the store is closed") : Status::Ok();
}

Result<MemoryPageServer::OpenDatabaseState*> MemoryPageServer::Find(DatabaseId id) {
  TN_RETURN_IF_ERROR(Usable());
  if (id.index >= databases_.size() || databases_[id.index] == nullptr) {
    return Status(StatusCode::kClosed, "the database is closed");
  }
  return databases_[id.index].get();
}

// --- databases ---

Result<DatabaseId> MemoryPageServer::OpenDatabase(std::string_view name, OpenMode mode) {
  return OpenOrMake(name, mode, NewUuid());
}

Result<DatabaseId> MemoryPageServer::CreateDatabase(std::string_view name, const Uuid& uuid) {
  return OpenOrMake(name, OpenMode::kCreate, uuid);
}

Result<DatabaseId> MemoryPageServer::OpenOrMake(std::string_view name, OpenMode mode,
                                                const Uuid& uuid) {
  TN_RETURN_IF_ERROR(CheckDatabaseName(name));
  const MutexLock lock(mutex_);
  TN_RETURN_IF_ERROR(Usable());
  const std::string text = "database " + std::string(name) + " of store " + store_->path;
  auto found = store_->databases.find(name);
  if (found == store_->databases.end()) {
    if (mode == OpenMode::kOpen) return Failure(StatusCode::kNotFound, text + " does not exist");
    auto made = std::make_shared<Database>();
    made->name = name;
    made->uuid = uuid;
    found = store_->databases.emplace(std::string(name), std::move(made)).first;
  } else if (mode == OpenMode::kCreate) {
    return Failure(StatusCode::kExists, text + " exists already");
  }
  for (uint32_t i = 0; i < databases_.size(); ++i) {
    if (databases_[i] != nullptr && databases_[i]->database == found->second) return DatabaseId{i};
  }
  databases_.push_back(std::make_unique<OpenDatabaseState>(
      OpenDatabaseState{found->second, PageIds(found->second->next_page)}));
  for (const auto& [first, pages] : found->second->freed.runs()) {
    (void)databases_.back()->ids.Return({PageId{first}, pages});
  }
  return DatabaseId{static_cast<uint32_t>(databases_.size() - 1)};
}

Status MemoryPageServer::DeleteDatabase(std::string_view name) {
  TN_RETURN_IF_ERROR(CheckDatabaseName(name));
  const MutexLock lock(mutex_);
  TN_RETURN_IF_ERROR(Usable());
  const std::string text = "database " + std::string(name) + " of store " + store_->path;
  const auto found = store_->databases.find(name);
  if (found == store_->databases.end()) {
    return Failure(StatusCode::kNotFound, text + " does not exist");
  }
  for (const auto& open : databases_) {
    if (open != nullptr && open->database == found->second) {
      return Failure(StatusCode::kInUse, text + " is open");
    }
  }
  store_->databases.erase(found);
  return Status::Ok();
}

Status MemoryPageServer::CloseDatabase(DatabaseId id) {
  const MutexLock lock(mutex_);
  TN_RETURN_IF_ERROR(Find(id).status());
  databases_[id.index].reset();
  return Status::Ok();
}

Result<std::vector<std::string>> MemoryPageServer::ListDatabases() {
  const MutexLock lock(mutex_);
  TN_RETURN_IF_ERROR(Usable());
  std::vector<std::string> names;
  for (const auto& [name, database] : store_->databases) names.push_back(name);
  return names;
}

Result<DatabaseInfo> MemoryPageServer::Info(DatabaseId id) {
  const MutexLock lock(mutex_);
  TN_ASSIGN_OR_RETURN(OpenDatabaseState* const found, Find(id));
  const Database& database = *found->database;
  return DatabaseInfo{.name = database.name,
                      .uuid = database.uuid,
                      .root = database.root,
                      .max_page = PageId{database.next_page - 1},
                      .pages = database.pages.size()};
}

Result<PersistentRef> MemoryPageServer::Root(DatabaseId id) {
  const MutexLock lock(mutex_);
  TN_ASSIGN_OR_RETURN(OpenDatabaseState* const found, Find(id));
  return found->database->root;
}

Result<PageId> MemoryPageServer::MaxPage(DatabaseId id) {
  const MutexLock lock(mutex_);
  TN_ASSIGN_OR_RETURN(OpenDatabaseState* const found, Find(id));
  return PageId{found->ids.next_page() - 1};
}

// --- pages ---

Status MemoryPageServer::Read(DatabaseId id, std::span<const PageId> pages,
                              std::span<PageReply> replies) {
  TN_CHECK(pages.size() == replies.size());
  const MutexLock lock(mutex_);
  TN_ASSIGN_OR_RETURN(OpenDatabaseState* const found, Find(id));
  const Database& database = *found->database;
  ++statistics_.read_calls;
  for (size_t i = 0; i < pages.size(); ++i) {
    const auto record = database.pages.find(pages[i]);
    if (record == database.pages.end()) {
      replies[i].status = Failure(StatusCode::kNotFound,
                                  "page " + std::to_string(pages[i].number) + " of database " +
                                      database.name + " does not exist",
                                  static_cast<int64_t>(pages[i].number));
      continue;
    }
    replies[i].record = *record->second;
    // Checked in memory, too: a client's wrong checksum must be found.
    replies[i].status = CheckPageRecord(pages[i], replies[i].record);
    ++statistics_.pages_read;
    statistics_.bytes_read += kPageRecordBytes;
  }
  return Status::Ok();
}

Result<PageRun> MemoryPageServer::AllocatePages(DatabaseId id, uint64_t count) {
  const MutexLock lock(mutex_);
  TN_ASSIGN_OR_RETURN(OpenDatabaseState* const found, Find(id));
  return found->ids.Allocate(count);
}

Result<std::vector<PageRun>> MemoryPageServer::AllocateRemoved(DatabaseId id, uint64_t most) {
  const MutexLock lock(mutex_);
  TN_ASSIGN_OR_RETURN(OpenDatabaseState* const found, Find(id));
  return found->ids.AllocateFree(most);
}

Status MemoryPageServer::ReturnPages(DatabaseId id, PageRun run) {
  const MutexLock lock(mutex_);
  TN_ASSIGN_OR_RETURN(OpenDatabaseState* const found, Find(id));
  return found->ids.Return(run);
}

// --- commit ---

Status MemoryPageServer::CheckRequest(const CommitRequest& request) {
  TN_RETURN_IF_ERROR(Usable());
  return CheckCommitRequest(request,
                            [this](DatabaseId id) TN_REQUIRES(mutex_) -> Result<const PageIds*> {
                              TN_ASSIGN_OR_RETURN(OpenDatabaseState* const found, Find(id));
                              return &found->ids;
                            });
}

CommitAnswer MemoryPageServer::MakeRecords(const CommitRequest& request, uint64_t version,
                                           std::vector<std::unique_ptr<PageRecord>>* records) {
  for (const DatabaseCommit& commit : request.databases) {
    const Database& database = *databases_[commit.database.index]->database;
    for (const PageWrite& write : commit.pages) {
      const auto found = database.pages.find(write.page);
      const bool exists = found != database.pages.end();
      if ((exists ? found->second->version : 0) != write.expected_version) {
        return {CommitOutcome::kConflict, 0,
                Failure(StatusCode::kConflict,
                        "page " + std::to_string(write.page.number) + " of database " +
                            database.name + " has changed since it was read",
                        static_cast<int64_t>(write.page.number))};
      }
      if (write.remove) {
        records->push_back(nullptr);
        continue;
      }
      records->push_back(exists ? std::make_unique<PageRecord>(*found->second)
                                : std::make_unique<PageRecord>());
      if (const Status status = ApplyWrite(write, version, records->back().get()); !status.ok()) {
        return {CommitOutcome::kFailed, 0, status};
      }
    }
  }
  return {CommitOutcome::kCommitted, version, Status::Ok()};
}

CommitAnswer MemoryPageServer::Commit(const CommitRequest& request) {
  const MutexLock lock(mutex_);
  if (const Status status = CheckRequest(request); !status.ok()) {
    return {CommitOutcome::kFailed, 0, status};
  }
  if (!WritesSomething(request) && request.participants.empty()) {
    return {CommitOutcome::kCommitted, store_->version, Status::Ok()};
  }
  for (const DatabaseCommit& commit : request.databases) {
    const Database& database = *databases_[commit.database.index]->database;
    if ((!commit.imports.empty() && commit.imports_before != database.imports.size()) ||
        (!commit.exports.empty() && commit.exports_before != database.exports.size())) {
      return {CommitOutcome::kConflict, 0,
              Status(StatusCode::kConflict, "a table of references between databases has changed")};
    }
  }
  // Everything that can fail comes before the first change.
  std::vector<std::unique_ptr<PageRecord>> records;  // in the request's order
  const CommitAnswer answer = MakeRecords(request, store_->version + 1, &records);
  if (answer.outcome != CommitOutcome::kCommitted) return answer;

  store_->version = answer.version;
  store_->outcomes[request.id] = answer.version;
  ++statistics_.commits;
  auto record = records.begin();
  for (const DatabaseCommit& commit : request.databases) {
    OpenDatabaseState& open = *databases_[commit.database.index];
    Database& database = *open.database;
    for (const PageWrite& write : commit.pages) {
      if (write.remove) {
        database.pages.erase(write.page);
        database.freed.Add(write.page);
        (void)open.ids.Return({write.page, 1});  // it may be free already
        ++record;
        continue;
      }
      database.pages[write.page] = std::move(*record++);
      database.freed.Take(write.page);
      open.ids.Claim(write.page);
      ++(write.contents != nullptr ? statistics_.pages_written : statistics_.pages_changed);
      statistics_.bytes_written += BytesWritten(write);
      database.next_page = std::max(database.next_page, write.page.number + 1);
      open.ids.NoteCommitted(write.page);
    }
    database.freed.Settle();
    if (commit.root) database.root = *commit.root;
    database.imports.insert(database.imports.end(), commit.imports.begin(), commit.imports.end());
    database.exports.insert(database.exports.end(), commit.exports.begin(), commit.exports.end());
  }
  if (!request.participants.empty()) {
    store_->decisions[request.id].assign(request.participants.begin(), request.participants.end());
  }
  return answer;
}

Result<std::optional<uint64_t>> MemoryPageServer::Outcome(const OutcomeQuestion& question) {
  const MutexLock lock(mutex_);
  TN_RETURN_IF_ERROR(Usable());
  const auto found = store_->outcomes.find(question.id);
  if (found == store_->outcomes.end()) return std::optional<uint64_t>();
  return std::optional<uint64_t>(found->second);
}

// --- References between databases, commits of several stores ---

Result<Uuid> MemoryPageServer::DatabaseUuid(DatabaseId id) {
  const MutexLock lock(mutex_);
  TN_ASSIGN_OR_RETURN(OpenDatabaseState* const found, Find(id));
  return found->database->uuid;
}

Result<std::vector<ImportEntry>> MemoryPageServer::Imports(DatabaseId id) {
  const MutexLock lock(mutex_);
  TN_ASSIGN_OR_RETURN(OpenDatabaseState* const found, Find(id));
  return found->database->imports;
}

Result<std::vector<ExportEntry>> MemoryPageServer::Exports(DatabaseId id) {
  const MutexLock lock(mutex_);
  TN_ASSIGN_OR_RETURN(OpenDatabaseState* const found, Find(id));
  return found->database->exports;
}

Status MemoryPageServer::Prepare(const CommitRequest& request, const Coordinator& coordinator) {
  const MutexLock lock(mutex_);
  TN_RETURN_IF_ERROR(CheckRequest(request));
  std::vector<std::unique_ptr<PageRecord>> records;
  const CommitAnswer answer = MakeRecords(request, store_->version + 1, &records);
  if (answer.outcome != CommitOutcome::kCommitted) return answer.status;
  store_->prepared[request.id] =
      EncodePrepared(request, coordinator, [&](DatabaseId database) TN_REQUIRES(mutex_) {
        return databases_[database.index]->database->name;
      });
  return Status::Ok();
}

CommitAnswer MemoryPageServer::Resolve(CommitId id, bool commit) {
  std::optional<PreparedImage> image;
  {
    const MutexLock lock(mutex_);
    const auto found = store_->prepared.find(id);
    if (found == store_->prepared.end()) return PageServer::Resolve(id, commit);
    image = PreparedImage::Decode(std::as_bytes(std::span(found->second)));
    TN_CHECK(image.has_value());
    store_->prepared.erase(found);
  }
  if (!commit) return {CommitOutcome::kFailed, 0, Status::Ok()};
  std::vector<DatabaseId> ids;
  for (size_t i = 0; i < image->databases(); ++i) {
    const Result<DatabaseId> database = OpenDatabase(image->name(i), OpenMode::kOpen);
    if (!database.ok()) return {CommitOutcome::kFailed, 0, database.status()};
    ids.push_back(*database);
  }
  return Commit(image->Request(id, ids));
}

Result<std::vector<PreparedCommit>> MemoryPageServer::Prepared() {
  const MutexLock lock(mutex_);
  TN_RETURN_IF_ERROR(Usable());
  std::vector<PreparedCommit> commits;
  for (const auto& [id, bytes] : store_->prepared) {
    commits.push_back(PreparedImage::Decode(std::as_bytes(std::span(bytes)))->Summary(id));
  }
  return commits;
}

Result<bool> MemoryPageServer::Decided(CommitId id) {
  const MutexLock lock(mutex_);
  TN_RETURN_IF_ERROR(Usable());
  return store_->decisions.contains(id);
}

Status MemoryPageServer::Acknowledge(CommitId id, const Uuid& participant) {
  const MutexLock lock(mutex_);
  TN_RETURN_IF_ERROR(Usable());
  const auto found = store_->decisions.find(id);
  if (found == store_->decisions.end()) return Status::Ok();
  std::erase(found->second, participant);
  if (found->second.empty()) store_->decisions.erase(found);
  return Status::Ok();
}

// --- types ---

Result<std::vector<TypeEntry>> MemoryPageServer::TypeEntries() {
  const MutexLock lock(mutex_);
  TN_RETURN_IF_ERROR(Usable());
  std::vector<TypeEntry> entries;
  for (const std::string& description : store_->types) {
    entries.push_back({static_cast<uint32_t>(entries.size() + 1), description});
  }
  return entries;
}

Result<uint32_t> MemoryPageServer::AddType(std::span<const std::byte> description) {
  if (description.size() > kTypeDescriptionBytesMax) {
    return Status(StatusCode::kInvalidArgument, "a type's description is longer than 16 MB",
                  static_cast<int64_t>(description.size()));
  }
  const MutexLock lock(mutex_);
  TN_RETURN_IF_ERROR(Usable());
  std::string text(reinterpret_cast<const char*>(description.data()), description.size());
  auto found = std::find(store_->types.begin(), store_->types.end(), text);
  if (found == store_->types.end()) found = store_->types.insert(found, std::move(text));
  return static_cast<uint32_t>(found - store_->types.begin() + 1);
}

}  // namespace tenure::store
