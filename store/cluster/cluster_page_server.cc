#include "store/cluster/cluster_page_server.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/mutex.h"
#include "store/format/status_text.h"
#include "store/server/store_path.h"

namespace tenure::store {

namespace {

std::string PageText(const ClusterDatabase& database, PageId page) {
  return "page " + std::to_string(page.number) + " of database " + database.name;
}

Status NoSuchPage(const ClusterDatabase& database, PageId page) {
  return Failure(StatusCode::kNotFound, PageText(database, page) + " does not exist",
                 static_cast<int64_t>(page.number));
}

}  // namespace

Result<std::unique_ptr<ClusterPageServer>> ClusterPageServer::Open(std::unique_ptr<Engine> engine,
                                                                   const std::string& name,
                                                                   OpenMode mode,
                                                                   const ClusterOptions& options) {
  TN_RETURN_IF_ERROR(CheckDatabaseName(name));
  if (mode != OpenMode::kOpen) {
    const Status made = engine->CreateStore(name);
    if (!made.ok() && (mode == OpenMode::kCreate || made.code() != StatusCode::kExists)) {
      return made;
    }
  }
  TN_ASSIGN_OR_RETURN(const Uuid store, engine->FindStore(name));
  TN_ASSIGN_OR_RETURN(
      const Attachment attachment,
      engine->Attach(store, options.node, options.former ? &*options.former : nullptr));
  std::unique_ptr<ClusterPageServer> server(
      new ClusterPageServer(std::move(engine), name, store, attachment, options));
  if (const Status status = server->Noted(server->Recover()); !status.ok()) {
    // Records that were not staged must not count as applied.
    server->queue_.FailWith(status);
    return status;
  }
  return server;
}

ClusterPageServer::ClusterPageServer(std::unique_ptr<Engine> engine, std::string name,
                                     const Uuid& uuid, const Attachment& attachment,
                                     const ClusterOptions& options)
    : engine_(std::move(engine)),
      name_(std::move(name)),
      uuid_(uuid),
      attachment_(attachment),
      options_(options),
      queue_(*engine_, uuid, attachment.term, attachment.last),
      state_(options.cached_records, options.latest_outcomes, options.older_outcomes) {}

ClusterPageServer::~ClusterPageServer() {
  if (!closed_) static_cast<void>(Close());
}

PageServerCapabilities ClusterPageServer::capabilities() const {
  return {.name = "cluster", .durable = true, .shared = false, .sums_pages = true};
}

PageServerStatistics ClusterPageServer::statistics() const {
  const MutexLock lock(mutex_);
  PageServerStatistics statistics = statistics_;
  statistics.syncs = queue_.appends();
  statistics.largest_group = queue_.largest_group();
  statistics.term = term();
  statistics.behind_bytes = state_.pending_bytes();
  return statistics;
}

CommitMark ClusterPageServer::LastCommit() const {
  const MutexLock lock(mutex_);
  return state_.outcomes().last();
}

Status ClusterPageServer::Usable() const {
  if (closed_) return Status(StatusCode::kClosed, "the store is closed");
  if (options_.lease != nullptr && !options_.lease->ValidAt(options_.now())) {
    return Status(StatusCode::kInUse, "the node's lease is over: another node may lead the store");
  }
  return queue_.failed();
}

Status ClusterPageServer::Close() {
  {
    const MutexLock lock(mutex_);
    if (closed_) return Status(StatusCode::kClosed, "the store is closed");
  }
  StopApplier();
  // Whatever cannot be applied now stays in the log.
  const Status applied = ApplyNow();
  const MutexLock commit_lock(commit_mutex_);
  const MutexLock lock(mutex_);
  closed_ = true;
  databases_.clear();
  return applied.ok() || applied.code() == StatusCode::kNoSpace ? Status::Ok() : applied;
}

// --- Databases

Result<ClusterPageServer::OpenDatabaseState*> ClusterPageServer::Find(DatabaseId id) {
  TN_RETURN_IF_ERROR(Usable());
  if (id.index >= databases_.size() || databases_[id.index] == nullptr) {
    return Status(StatusCode::kClosed, "the database is closed");
  }
  return databases_[id.index].get();
}

std::optional<DatabaseId> ClusterPageServer::FindOpen(const ClusterDatabase& database) const {
  for (uint32_t i = 0; i < databases_.size(); ++i) {
    if (databases_[i] != nullptr && databases_[i]->database.get() == &database) {
      return DatabaseId{i};
    }
  }
  return std::nullopt;
}

DatabaseId ClusterPageServer::OpenAnew(const std::shared_ptr<ClusterDatabase>& database) {
  databases_.push_back(std::make_unique<OpenDatabaseState>(
      OpenDatabaseState{database, PageIds(database->next_page)}));
  for (const auto& [first, pages] : database->freed.runs()) {
    (void)databases_.back()->ids.Return({PageId{first}, pages});
  }
  return DatabaseId{static_cast<uint32_t>(databases_.size() - 1)};
}

Result<DatabaseId> ClusterPageServer::OpenDatabase(std::string_view name, OpenMode mode) {
  TN_RETURN_IF_ERROR(CheckDatabaseName(name));
  const MutexLock commit_lock(commit_mutex_);
  const std::string text = "database " + std::string(name) + " of store " + name_;
  {
    const MutexLock lock(mutex_);
    TN_RETURN_IF_ERROR(Usable());
    if (const std::shared_ptr<ClusterDatabase> found = state_.Find(name); found != nullptr) {
      if (mode == OpenMode::kCreate) return Failure(StatusCode::kExists, text + " exists already");
      const std::optional<DatabaseId> open = FindOpen(*found);
      return open ? *open : OpenAnew(found);
    }
    if (mode == OpenMode::kOpen) return Failure(StatusCode::kNotFound, text + " does not exist");
  }
  TN_RETURN_IF_ERROR(MakeRoom());
  const Uuid uuid = NewUuid();
  ByteWriter body;
  body.Put(uuid);
  body.PutText(name);
  const uint64_t position =
      queue_.Put({.kind = RecordKind::kCreate, .id = {}, .body = std::move(body).Take()});
  DatabaseId id;
  {
    const MutexLock lock(mutex_);
    id = OpenAnew(state_.StageCreate(uuid, name));
  }
  TN_RETURN_IF_ERROR(queue_.AwaitDurable(position, /*at_once=*/true));
  return id;
}

Status ClusterPageServer::DeleteDatabase(std::string_view name) {
  TN_RETURN_IF_ERROR(CheckDatabaseName(name));
  const MutexLock commit_lock(commit_mutex_);
  const std::string text = "database " + std::string(name) + " of store " + name_;
  std::shared_ptr<ClusterDatabase> found;
  {
    const MutexLock lock(mutex_);
    TN_RETURN_IF_ERROR(Usable());
    found = state_.Find(name);
    if (found == nullptr) return Failure(StatusCode::kNotFound, text + " does not exist");
    if (FindOpen(*found)) return Failure(StatusCode::kInUse, text + " is open");
  }
  ByteWriter body;
  body.Put(found->uuid);
  const uint64_t position =
      queue_.Put({.kind = RecordKind::kDelete, .id = {}, .body = std::move(body).Take()});
  {
    const MutexLock lock(mutex_);
    state_.StageDelete(found);
  }
  return queue_.AwaitDurable(position, /*at_once=*/true);
}

Status ClusterPageServer::CloseDatabase(DatabaseId id) {
  const MutexLock lock(mutex_);
  TN_RETURN_IF_ERROR(Find(id).status());
  databases_[id.index].reset();
  return Status::Ok();
}

Result<std::vector<std::string>> ClusterPageServer::ListDatabases() {
  const MutexLock lock(mutex_);
  TN_RETURN_IF_ERROR(Usable());
  std::vector<std::string> names;
  for (const auto& [name, database] : state_.databases()) names.push_back(name);
  return names;
}

Result<DatabaseInfo> ClusterPageServer::Info(DatabaseId id) {
  // Apply pending commits first: the engine counts the pages that have been applied.
  TN_RETURN_IF_ERROR(ApplyNow());
  DatabaseInfo info;
  {
    const MutexLock lock(mutex_);
    TN_ASSIGN_OR_RETURN(OpenDatabaseState* const found, Find(id));
    const ClusterDatabase& database = *found->database;
    info = {.name = database.name,
            .uuid = database.uuid,
            .root = database.root,
            .max_page = PageId{database.next_page - 1}};
  }
  const Result<uint64_t> pages = engine_->CountPages(uuid_, info.uuid);
  TN_RETURN_IF_ERROR(Noted(pages.status()));
  info.pages = *pages;
  return info;
}

Result<PersistentRef> ClusterPageServer::Root(DatabaseId id) {
  const MutexLock lock(mutex_);
  TN_ASSIGN_OR_RETURN(OpenDatabaseState* const found, Find(id));
  return found->database->root;
}

Result<PageId> ClusterPageServer::MaxPage(DatabaseId id) {
  const MutexLock lock(mutex_);
  TN_ASSIGN_OR_RETURN(OpenDatabaseState* const found, Find(id));
  return PageId{found->ids.next_page() - 1};
}

Result<PageId> ClusterPageServer::NextPage(DatabaseId id, PageId from) {
  const MutexLock lock(mutex_);
  TN_ASSIGN_OR_RETURN(OpenDatabaseState* const found, Find(id));
  const FreedPages& freed = found->database->freed;
  return freed.Contains(from) ? freed.EndOfRun(from) : from;
}

Result<Uuid> ClusterPageServer::DatabaseUuid(DatabaseId id) {
  const MutexLock lock(mutex_);
  TN_ASSIGN_OR_RETURN(OpenDatabaseState* const found, Find(id));
  return found->database->uuid;
}

Result<std::vector<ImportEntry>> ClusterPageServer::Imports(DatabaseId id) {
  const MutexLock lock(mutex_);
  TN_ASSIGN_OR_RETURN(OpenDatabaseState* const found, Find(id));
  return found->database->imports;
}

Result<std::vector<ExportEntry>> ClusterPageServer::Exports(DatabaseId id) {
  const MutexLock lock(mutex_);
  TN_ASSIGN_OR_RETURN(OpenDatabaseState* const found, Find(id));
  return found->database->exports;
}

// --- Pages

Status ClusterPageServer::Fetch(const std::shared_ptr<ClusterDatabase>& database,
                                std::span<const PageId> pages, std::span<PageReply> replies) {
  std::vector<size_t> wanted(pages.size());  // indexes of the pages that the engine is asked for
  for (size_t i = 0; i < pages.size(); ++i) wanted[i] = i;
  while (true) {
    uint64_t applies = 0;
    std::vector<PageId> asked;
    {
      const MutexLock lock(mutex_);
      applies = applies_;
      std::vector<size_t> left;
      for (const size_t i : wanted) {
        std::shared_ptr<const PageRecord> record;
        if (pages[i].valid() && !state_.FindPage(*database, pages[i], &record)) {
          left.push_back(i);
          asked.push_back(pages[i]);
        } else if (record == nullptr) {
          replies[i].status = NoSuchPage(*database, pages[i]);
        } else {
          replies[i].record = *record;
          replies[i].status = Status::Ok();
        }
      }
      wanted = std::move(left);
    }
    if (wanted.empty()) return Status::Ok();
    std::vector<PageReply> found(wanted.size());
    TN_RETURN_IF_ERROR(Noted(engine_->ReadPages(uuid_, database->uuid, asked, found)));
    const MutexLock lock(mutex_);
    // An apply meanwhile may have moved the page: the read may have missed it, so look again in
    // memory and in the engine.
    if (applies != applies_) continue;
    std::vector<size_t> left;
    for (size_t k = 0; k < wanted.size(); ++k) {
      const size_t i = wanted[k];
      std::shared_ptr<const PageRecord> record;
      if (state_.FindPage(*database, pages[i], &record)) {
        left.push_back(i);
        continue;
      }
      replies[i].status = found[k].status;
      if (found[k].status.code() == StatusCode::kNotFound) {
        replies[i].status = NoSuchPage(*database, pages[i]);
      }
      if (!found[k].status.ok()) continue;
      replies[i].record = found[k].record;
      replies[i].status = CheckPageRecord(pages[i], replies[i].record);
      if (!replies[i].status.ok()) continue;
      state_.Cache(*database, pages[i], std::make_shared<const PageRecord>(replies[i].record));
    }
    wanted = std::move(left);
    if (wanted.empty()) return Status::Ok();
  }
}

Status ClusterPageServer::Read(DatabaseId id, std::span<const PageId> pages,
                               std::span<PageReply> replies) {
  TN_CHECK(pages.size() == replies.size());
  std::shared_ptr<ClusterDatabase> database;
  {
    const MutexLock lock(mutex_);
    TN_ASSIGN_OR_RETURN(OpenDatabaseState* const found, Find(id));
    database = found->database;
  }
  TN_RETURN_IF_ERROR(Fetch(database, pages, replies));
  const MutexLock lock(mutex_);
  ++statistics_.read_calls;
  for (const PageReply& reply : replies) {
    if (reply.status.code() == StatusCode::kNotFound) continue;
    ++statistics_.pages_read;
    statistics_.bytes_read += kPageRecordBytes;
  }
  return Status::Ok();
}

Result<PageRun> ClusterPageServer::AllocatePages(DatabaseId id, uint64_t count) {
  const MutexLock lock(mutex_);
  TN_ASSIGN_OR_RETURN(OpenDatabaseState* const found, Find(id));
  return found->ids.Allocate(count);
}

Result<std::vector<PageRun>> ClusterPageServer::AllocateRemoved(DatabaseId id, uint64_t most) {
  const MutexLock lock(mutex_);
  TN_ASSIGN_OR_RETURN(OpenDatabaseState* const found, Find(id));
  return found->ids.AllocateFree(most);
}

Status ClusterPageServer::ReturnPages(DatabaseId id, PageRun run) {
  const MutexLock lock(mutex_);
  TN_ASSIGN_OR_RETURN(OpenDatabaseState* const found, Find(id));
  return found->ids.Return(run);
}

// --- Types

Result<std::vector<TypeEntry>> ClusterPageServer::TypeEntries() {
  const MutexLock lock(mutex_);
  TN_RETURN_IF_ERROR(Usable());
  std::vector<TypeEntry> entries;
  for (const std::string& description : state_.types()) {
    entries.push_back({static_cast<uint32_t>(entries.size() + 1), description});
  }
  return entries;
}

Result<uint32_t> ClusterPageServer::AddType(std::span<const std::byte> description) {
  if (description.size() > kTypeDescriptionBytesMax) {
    return Status(StatusCode::kInvalidArgument, "a type's description is longer than 16 MB",
                  static_cast<int64_t>(description.size()));
  }
  const std::string_view text(reinterpret_cast<const char*>(description.data()),
                              description.size());
  const MutexLock commit_lock(commit_mutex_);
  {
    const MutexLock lock(mutex_);
    TN_RETURN_IF_ERROR(Usable());
    if (const uint32_t index = state_.FindType(text); index != 0) return index;
  }
  TN_RETURN_IF_ERROR(MakeRoom());
  // A commit that uses the type comes behind it in the log.
  static_cast<void>(queue_.Put({.kind = RecordKind::kType, .id = {}, .body = std::string(text)}));
  const MutexLock lock(mutex_);
  state_.StageType(std::string(text));
  return static_cast<uint32_t>(state_.types().size());
}

// --- Sessions

Status ClusterPageServer::EnterSession(const Uuid& session, const std::string& program) {
  uint64_t position = 0;
  {
    const MutexLock commit_lock(commit_mutex_);
    {
      const MutexLock lock(mutex_);
      TN_RETURN_IF_ERROR(Usable());
    }
    TN_RETURN_IF_ERROR(MakeRoom());
    ByteWriter body;
    body.Put(session);
    body.PutText(program);
    position = queue_.Put({.kind = RecordKind::kSession, .id = {}, .body = std::move(body).Take()});
    const MutexLock lock(mutex_);
    state_.StageSession(session, program);
  }
  return queue_.AwaitDurable(position);
}

Status ClusterPageServer::EndSession(const Uuid& session) {
  const MutexLock commit_lock(commit_mutex_);
  {
    const MutexLock lock(mutex_);
    TN_RETURN_IF_ERROR(Usable());
    if (!state_.sessions().contains(session)) return Status::Ok();
  }
  TN_RETURN_IF_ERROR(Refusal());
  ByteWriter body;
  body.Put(session);
  static_cast<void>(
      queue_.Put({.kind = RecordKind::kSessionEnd, .id = {}, .body = std::move(body).Take()}));
  {
    const MutexLock lock(mutex_);
    state_.StageSessionEnd(session);
  }
  if (options_.apply_thread) {
    const MutexLock lock(applier_mutex_);
    WantApplied();
  }
  return Status::Ok();
}

std::map<Uuid, std::string> ClusterPageServer::Sessions() const {
  const MutexLock lock(mutex_);
  return state_.sessions();
}

}  // namespace tenure::store
