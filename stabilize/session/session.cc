#include "stabilize/session/session.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <new>
#include <utility>

#include "base/check.h"
#include "stabilize/commit/stabilizer.h"
#include "stabilize/frames/store_names.h"
#include "stabilize/session/heap_bridge.h"
#include "stabilize/state/paranoid_check.h"
#include "store/directory/store_directory.h"
#include "store/format/status_text.h"
#include "store/server/store_path.h"

namespace tenure::stabilize {

using abi::kPageBytes;

Session::Session(gc::Heap& heap, const abi::ProgramInfo* program, ProgramTypes types,
                 const SessionOptions& options)
    : heap_(heap),
      options_(options),
      types_(types),
      procedures_(program),
      governed_(HeapProtection::Create(options.mapping.tier)),
      bridge_(std::make_unique<HeapBridge>(*this)),
      report_details_(options.commit_report) {
  if (options.frame_bytes != 0) arena_.SetLimit(options.frame_bytes / 4);
}

Session::~Session() { (void)Shutdown(); }

// --- databases ---

Session::PathParts Session::Split(std::string_view path) {
  const StorePath split = SplitStorePath(path);
  PathParts parts{split.store, split.named ? split.database : "main"};
  std::error_code error;
  // Of a path that leads nowhere the latter alone makes no absolute one.
  const std::filesystem::path absolute =
      std::filesystem::weakly_canonical(std::filesystem::absolute(parts.store, error), error);
  if (!error && !parts.store.empty()) {
    parts.store = absolute.string();
    // "DIR/" is "DIR".
    if (parts.store.size() > 1 && parts.store.back() == '/') parts.store.pop_back();
  }
  return parts;
}

OpenStoreState* Session::FindStore(const std::string& path) {
  for (auto& store : stores_) {
    if (store->path == path) return store.get();
  }
  return nullptr;
}

Result<OpenStoreState*> Session::Store(const std::string& path, OpenMode mode) {
  if (OpenStoreState* const store = FindStore(path)) {
    if (!in_transaction()) TN_RETURN_IF_ERROR(RestoreUse(*store));
    return store;
  }
  StoreOptions options = options_.store;
  options.mode = mode;
  Result<std::unique_ptr<PageServer>> server = OpenStore(path, options);
  if (!server.ok()) return server.status();
  auto store = std::make_unique<OpenStoreState>(types_);
  store->path = path;
  store->server = std::move(*server);
  store->volatile_ = !store->server->capabilities().durable;
  Status status = ResolveDoubts(*store->server, path);
  if (status.ok()) status = store->catalog.Load(*store->server);
  if (!status.ok()) {
    (void)store->server->Close();
    return status;
  }
  store->server->SetListener(this);
  if (in_transaction()) {
    // A reference led to it.
    if (Result<bool> started = store->server->StartTransaction(); !started.ok()) {
      (void)store->server->Close();
      return started.status();
    }
  }
  if (!store->volatile_) spill_.SetDirectory(path);
  const bool alone = !store->server->capabilities().shared;
  stores_.push_back(std::move(store));
  for (auto& other : stores_) {
    // Their servers cannot ask one that is used alone.
    if (alone && other->server != nullptr && other->server->capabilities().shared) {
      (void)ResolveDoubts(*other->server, other->path);
    }
  }
  return stores_.back().get();
}

Status Session::ResolveDoubts(PageServer& server, const std::string& path) {
  Result<std::vector<PreparedCommit>> prepared = server.Prepared();
  if (!prepared.ok()) return prepared.status();
  for (const PreparedCommit& commit : *prepared) {
    const std::string at = StoreOfHint(path, commit.coordinator.path);
    PageServer* coordinator = nullptr;
    for (auto& store : stores_) {
      if (store->server == nullptr || store->server->store_uuid() != commit.coordinator.store) {
        continue;
      }
      // A copy that is open elsewhere knows nothing of what was decided since.
      const uint64_t lineage = commit.coordinator.lineage;
      if (store->path == at || lineage == 0 || store->server->lineage() == lineage) {
        coordinator = store->server.get();
      }
    }
    const bool served = server.capabilities().shared;
    if (served && coordinator == nullptr) continue;
    std::unique_ptr<PageServer> opened;
    const auto in_doubt = [&](const char* why) {
      return Failure(StatusCode::kUnknownOutcome,
                     "store " + path + " took part in a commit that store " + at +
                         " decides about, which cannot be asked: " + why);
    };
    if (coordinator == nullptr) {
      StoreOptions options = options_.store;
      options.mode = OpenMode::kOpen;
      options.fail = {};
      Result<std::unique_ptr<PageServer>> store = OpenStore(at, options);
      if (!store.ok()) return in_doubt(store.status().text());
      opened = *std::move(store);
      if (opened->store_uuid() != commit.coordinator.store) return in_doubt("another one is there");
      coordinator = opened.get();
    }
    const Result<bool> decided = coordinator->Decided(commit.id);
    if (!decided.ok()) return in_doubt(decided.status().text());
    const CommitAnswer answer = server.Resolve(commit.id, *decided);
    if (served && !answer.status.ok()) continue;
    if (*decided ? answer.outcome != CommitOutcome::kCommitted : !answer.status.ok()) {
      return answer.status;
    }
    TN_RETURN_IF_ERROR(coordinator->Acknowledge(commit.id, server.participant()));
    if (opened != nullptr) TN_RETURN_IF_ERROR(opened->Close());
  }
  return Status::Ok();
}

Status Session::Reconnect(OpenStoreState& store) {
  const CommitMark before = store.server->LastCommit();
  (void)store.server->Close();
  StoreOptions options = options_.store;
  options.mode = OpenMode::kOpen;
  // A planned failure has happened.
  options.fail = {};
  Result<std::unique_ptr<PageServer>> server = OpenStore(store.path, options);
  if (!server.ok()) return server.status();
  store.server = *std::move(server);
  // The last commit that was tried may be there or not; what others have done leaves another one.
  // They may have freed what this program has.
  const CommitMark now = store.server->LastCommit();
  const bool same = now == before;
  const bool one_less = before.id == last_commit_id_ && now.version + 1 == before.version;
  const bool one_more = now.id == last_commit_id_ && now.version == before.version + 1;
  if (!same && !one_less && !one_more) {
    return Failure(
        StatusCode::kClosed,
        "store " + store.path +
            " was used by others after it had failed: its databases must be opened anew");
  }
  TN_RETURN_IF_ERROR(store.catalog.Reload(*store.server));
  for (auto& database : databases_) {
    if (database->open() && &database->store() == &store) TN_RETURN_IF_ERROR(database->Reconnect());
  }
  return Status::Ok();
}

Status Session::RestoreUse(OpenStoreState& store) {
  if (store.server == nullptr || store.server->failed().ok()) return Status::Ok();
  const Status status = Reconnect(store);
  if (status.code() == StatusCode::kClosed) {
    for (auto& database : databases_) {
      if (database->open() && &database->store() == &store) CloseGone(*database);
    }
  }
  TN_RETURN_IF_ERROR(status);
  for (auto& database : databases_) {
    if (database->open() && &database->store() == &store) database->all_stale = true;
  }
  return Status::Ok();
}

void Session::ReleaseStore(OpenStoreState& store) {
  // A store in memory would be lost with its server.
  if (store.open_databases > 0 || store.volatile_) return;
  (void)store.server->Close();
  store.server.reset();
  // Closed databases still refer to the record; only its path is given up, so that opening finds
  // none.
  store.path.clear();
  store.catalog = TypeCatalog({});
}

Database* Session::FindOpen(const std::string& store, const std::string& name) {
  for (auto& database : databases_) {
    if (database->open() && database->store().path == store && database->name() == name)
      return database.get();
  }
  return nullptr;
}

Database* Session::At(const void* address) {
  for (auto& database : databases_) {
    if (database->Contains(address)) return database.get();
  }
  return nullptr;
}

Status Session::CreateDatabase(std::string_view path) {
  const Operation operation(*this);
  if (in_transaction()) return Status(StatusCode::kAborted, "a transaction is in progress");
  const PathParts parts = Split(path);
  // A store in memory is not closed: it would be lost.
  if (FindStore(parts.store) == nullptr && options_.store.kind == PageServerKind::kBdb) {
    const Status made = CreateStore(parts.store, parts.database, options_.store);
    if (made.code() != StatusCode::kExists) return made;
  }
  Result<OpenStoreState*> store = Store(parts.store, OpenMode::kOpenOrCreate);
  if (!store.ok()) return store.status();
  Result<DatabaseId> id = (*store)->server->OpenDatabase(parts.database, OpenMode::kCreate);
  Status status = id.ok() ? (*store)->server->CloseDatabase(*id) : id.status();
  ReleaseStore(**store);
  return status;
}

Result<Database*> Session::OpenDatabase(std::string_view path) {
  const Operation operation(*this);
  if (in_transaction()) return Status(StatusCode::kAborted, "a transaction is in progress");
  const PathParts parts = Split(path);
  if (Database* open = FindOpen(parts.store, parts.database)) {
    if (open->implicit) {
      open->implicit = false;
      return open;
    }
    return Status(StatusCode::kInUse, "the database is open in this process");
  }
  return OpenParts(parts);
}

Result<Database*> Session::OpenParts(const PathParts& parts) {
  Result<OpenStoreState*> store = Store(parts.store, OpenMode::kOpen);
  if (!store.ok()) return store.status();
  Result<std::unique_ptr<Database>> database =
      Database::Open(**store, parts.database, OpenMode::kOpen, options_.mapping, displaced_,
                     procedures_, references_);
  if (!database.ok()) {
    ReleaseStore(**store);
    return database.status();
  }
  ++(*store)->open_databases;
  databases_.push_back(std::move(*database));
  // Not again: a trap that meets a reference to another database comes here, and may not wait for
  // the heap.
  if (!std::exchange(joined_heap_, true)) heap_.SetPersistentSpace(bridge_.get());
  return databases_.back().get();
}

Status Session::DeleteDatabase(std::string_view path) {
  const Operation operation(*this);
  if (in_transaction()) return Status(StatusCode::kAborted, "a transaction is in progress");
  const PathParts parts = Split(path);
  if (FindOpen(parts.store, parts.database) != nullptr) {
    return Status(StatusCode::kInUse, "the database is open in this process");
  }
  Result<OpenStoreState*> store = Store(parts.store, OpenMode::kOpen);
  if (!store.ok()) return store.status();
  Status status = (*store)->server->DeleteDatabase(parts.database);
  ReleaseStore(**store);
  return status;
}

Status Session::CloseDatabase(Database* database) {
  const Operation operation(*this);
  if (!database->open())
    return Failure(StatusCode::kClosed, "database " + database->Path() + " is closed");
  if (in_transaction()) return Status(StatusCode::kAborted, "a transaction is in progress");
  return CloseParts(*database);
}

Status Session::CloseParts(Database& closing) {
  Database* const database = &closing;
  // Others that refer to its displaced objects must find them at home, or not at all.
  const bool referred = std::any_of(databases_.begin(), databases_.end(), [&](const auto& other) {
    return other->open() && other->ImportsFrom(closing);
  });
  if (referred && !displaced_.PlacesOf(database).empty()) heap_.CollectMajor();
  // A trap that has opened another database than it looked for closes it again: that has none.
  if (!displaced_.PlacesOf(database).empty()) {
    // What was displaced is transient again: its home cannot be reached any more.
    TN_RETURN_IF_ERROR(governed_.UnprotectAll());
    for (abi::Ref place : displaced_.RemoveAll(database)) {
      abi::ObjectHeader::Of(place)->word &= ~DisplacedObjects::kHeaderBits;
    }
    governed_.RemoveUndisplaced();
    TN_RETURN_IF_ERROR(governed_.Sweep());
    TN_RETURN_IF_ERROR(governed_.ProtectAll());
  }
  OpenStoreState& store = database->store();
  const Status status = database->Close();
  --store.open_databases;
  ReleaseStore(store);
  return status;
}

Result<abi::Ref> Session::GetRoot(Database* database) {
  const Operation operation(*this);
  if (!database->open())
    return Failure(StatusCode::kClosed, "database " + database->Path() + " is closed");
  if (!in_transaction()) return Status(StatusCode::kNotFound, "no transaction is open");
  TN_RETURN_IF_ERROR(LockRoot(*database, /*write=*/false));
  if (options_.paranoid && !database->pending_root()) {
    Result<PersistentRef> root = database->server().Root(database->id());
    if (!root.ok()) return EndIfAborted(root.status());
    TN_RETURN_IF_ERROR(CheckRootReference(*database, *root));
  }
  if (!database->pending_root() && database->stored_root().is_object()) {
    const Status status = CheckReference(*database, database->stored_root(), nullptr);
    if (status.code() == StatusCode::kConflict) return EndIfAborted(status);
    if (!status.ok()) {
      return Failure(status.code(),
                     "database " + database->Path() + " is damaged: its root is " + status.text());
    }
  }
  // It may lead to another database, and that to a server.
  Result<abi::Ref> root = database->Root();
  if (!root.ok()) return EndIfAborted(root.status());
  return root;
}

Status Session::EndIfAborted(Status status) {
  if (status.code() == StatusCode::kConflict) {
    Rollback();
    EndTransactions();
  }
  return status;
}

Status Session::SetRoot(Database* database, abi::Ref object) {
  const Operation operation(*this);
  if (!database->open())
    return Failure(StatusCode::kClosed, "database " + database->Path() + " is closed");
  if (!in_transaction()) return Status(StatusCode::kNotFound, "no transaction is open");
  TN_RETURN_IF_ERROR(LockRoot(*database, /*write=*/true));
  database->SetRoot(object);
  return Status::Ok();
}

// --- transactions ---

bool Session::IsOpen(uint64_t transaction) const {
  std::lock_guard<std::recursive_mutex> guard(lock_);
  return !abort_pending_ &&
         std::any_of(levels_.begin(), levels_.end(),
                     [&](const TransactionLevel& level) { return level.serial == transaction; });
}

Result<uint64_t> Session::Begin() {
  const Operation operation(*this);
  if (in_transaction()) return BeginChild();
  // What was written to governed pages between transactions concerned transient objects only.
  governed_.ForEachChanged([&](GovernedPage& page) {
    if (page.state == GovernedState::kOpen) governed_.Restore(page);
  });
  TN_RETURN_IF_ERROR(governed_.ProtectAll());
  TN_RETURN_IF_ERROR(StartAtServers());
  levels_.emplace_back();
  levels_.back().serial = ++last_transaction_;
  return levels_.back().serial;
}

void Session::AbortChildrenOf(uint64_t transaction) {
  while (levels_.back().serial != transaction) AbortChild();
}

void Session::EndTransactions() {
  levels_.clear();
  heap_.SetChildTransaction(false);
  DropReadyChunks();
  EndAtServers();
}

Status Session::CommitChanges(bool goes_on) {
  levels_.front().made.Clear();
  Stabilizer stabilizer(*this, goes_on);
  Status status = stabilizer.Commit();
  if (status.ok()) return status;
  Rollback();
  EndTransactions();
  if (status.code() == StatusCode::kConflict && !stabilizer.was_refused()) {
    // Whatever the server found to be out of date is fetched anew.
    for (auto& database : databases_) database->all_stale = true;
  }
  if (status.code() == StatusCode::kUnknownOutcome) {
    // Nobody knows what the databases hold: they are of no more use in this process.
    for (auto& database : databases_) {
      if (database->open()) (void)CloseDatabase(database.get());
    }
  }
  return status;
}

Status Session::Commit(uint64_t transaction) {
  const Operation operation(*this);
  if (!IsOpen(transaction)) return Status(StatusCode::kNotFound, "no transaction is open");
  AbortChildrenOf(transaction);
  if (depth() > 0) {
    CommitChild();
    return Status::Ok();
  }
  const Status status = CommitChanges(/*goes_on=*/false);
  EndTransactions();
  SendHomeWhenTight();
  return status;
}

Status Session::Checkpoint(uint64_t transaction) {
  const Operation operation(*this);
  if (!IsOpen(transaction)) return Status(StatusCode::kNotFound, "no transaction is open");
  AbortChildrenOf(transaction);
  if (depth() == 0) {
    const Status status = CommitChanges(/*goes_on=*/true);
    SendHomeWhenTight();
    return status;
  }
  CommitChild();
  const Result<uint64_t> again = BeginChild();
  if (!again.ok()) return again.status();
  levels_.back().serial = transaction;
  return Status::Ok();
}

Status Session::Chain(uint64_t transaction) {
  TN_RETURN_IF_ERROR(Checkpoint(transaction));
  if (depth() > 0) return Status::Ok();
  // Between the two, what other programs wait for is given up.
  std::vector<TransactionLevel> levels = std::exchange(levels_, {});
  EndAtServers();
  if (const Status status = StartAtServers(); !status.ok()) {
    // It is closed: nothing may stay open for writing.
    Rollback();
    return status;
  }
  levels_ = std::move(levels);
  return Status::Ok();
}

Status Session::Abort(uint64_t transaction) {
  const Operation operation(*this);
  if (!IsOpen(transaction)) return Status(StatusCode::kNotFound, "no transaction is open");
  AbortChildrenOf(transaction);
  if (depth() > 0) {
    AbortChild();
    return Status::Ok();
  }
  Rollback();
  EndTransactions();
  return Status::Ok();
}

// The page as it was before the transaction.
void Session::RestoreFrame(Database& database, PageId page) {
  Frame& frame = database.frames().At(page);
  if (frame.state == FrameState::kSpilled) return DropSpilled(database, page);
  // What was spilled in between has no twin: it is read again.
  if (frame.twin == nullptr) return DropFrame(database, page);
  --database.twins;
  std::memcpy(database.AliasOf(page), frame.twin.get(), kPageBytes);
  TN_CHECK(
      database.mapping().SetAccess(database.FrameOf(page), 1, Access::kWrite, Access::kRead).ok());
  frame.state = FrameState::kClean;
  frame.level = 0;
  frame.twin.reset();
}

// Memory as it was at begin or at the last checkpoint; transient objects keep what was stored in
// them.
void Session::Rollback() {
  for (auto& database : databases_) {
    for (PageId page : database->dirty()) RestoreFrame(*database, page);
    database->dirty().clear();
    database->DropPendingRoot();
  }
  governed_.ForEachChanged([&](GovernedPage& page) {
    if (page.state == GovernedState::kDirty) governed_.Restore(page);
  });
  levels_.resize(std::min<size_t>(levels_.size(), 1));
  heap_.SetChildTransaction(false);
  governed_.SetDepth(0);
  TN_CHECK(governed_.ProtectAll().ok());
}

void Session::FinishAbort() {
  const std::lock_guard<std::recursive_mutex> guard(lock_);
  if (!abort_pending_) return;
  abort_pending_ = false;
  Rollback();
  EndTransactions();
}

Status Session::Shutdown() {
  const Operation operation(*this);
  if (in_transaction()) (void)Abort(levels_.front().serial);
  Status first_failure;
  for (auto& database : databases_) {
    if (!database->open()) continue;
    const Status status = CloseDatabase(database.get());
    if (first_failure.ok()) first_failure = status;
  }
  joined_heap_ = false;
  heap_.SetPersistentSpace(nullptr);
  return first_failure;
}

Status Session::LockForWriting(abi::Ref object) {
  const Operation operation(*this);
  const DisplacedObject* const displaced = displaced_.Find(object);
  if (displaced == nullptr || !in_transaction()) return Status::Ok();
  const Status status = WantWriteOf(*displaced);
  if (status.code() == StatusCode::kConflict) {
    Rollback();
    EndTransactions();
  }
  return status;
}

void Session::AfterForkInChild() {
  // Locked by a thread with another number than this one has here.
  new (&lock_) std::recursive_mutex;
  for (TransactionLevel& level : levels_) {
    const uint64_t serial = level.serial;
    level = {};
    level.serial = serial;
  }
  heap_.SetChildTransaction(false);
  governed_.Release();
  for (auto& database : databases_) {
    for (abi::Ref place : displaced_.RemoveAll(database.get())) {
      abi::ObjectHeader::Of(place)->word &= ~DisplacedObjects::kHeaderBits;
    }
    database->Abandon();
  }
}

bool Session::HoldsObjectAt(const void* address) {
  std::lock_guard<std::recursive_mutex> guard(lock_);
  return At(address) != nullptr || governed_.Contains(address);
}

std::string Session::CommitReportText() const {
  std::lock_guard<std::recursive_mutex> guard(lock_);
  return last_commit_.number == 0 ? "" : TextOf(last_commit_);
}

void Session::CollectCommitReports(bool on) {
  std::lock_guard<std::recursive_mutex> guard(lock_);
  report_details_ = on || options_.commit_report;
}

SessionStatistics Session::statistics() {
  std::lock_guard<std::recursive_mutex> guard(lock_);
  SessionStatistics now = counters_;
  now.objects_displaced = displaced_.size();
  now.pages_governed = governed_.size();
  return now;
}

}  // namespace tenure::stabilize
