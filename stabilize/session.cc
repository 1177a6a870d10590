#include "stabilize/session.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "stabilize/heap_bridge.h"
#include "stabilize/stabilizer.h"
#include "stabilize/status_text.h"

namespace tenure::stabilize {

using abi::kPageBytes;

Session::Session(gc::Heap& heap, const abi::ProgramInfo* program, ProgramTypes types,
                 const SessionOptions& options)
    : heap_(heap),
      options_(options),
      types_(types),
      procedures_(program),
      governed_(HeapProtection::Create(options.mapping.tier)),
      bridge_(std::make_unique<HeapBridge>(*this)) {}

Session::~Session() { (void)Shutdown(); }

// ------------------------------------------------------------------------------------------------
// databases --

Session::PathParts Session::Split(std::string_view path) {
  const size_t colon = path.rfind(':');
  if (colon != std::string_view::npos && colon > 0 &&
      path.find('/', colon) == std::string_view::npos) {
    return {std::string(path.substr(0, colon)), std::string(path.substr(colon + 1))};
  }
  return {std::string(path), "main"};
}

Result<OpenStoreState*> Session::Store(const std::string& path, OpenMode mode) {
  for (auto& store : stores_) {
    if (store->path == path) return store.get();
  }
  StoreOptions options = options_.store;
  options.mode = mode;
  Result<std::unique_ptr<PageServer>> server = OpenStore(path, options);
  if (!server.ok()) return server.status();
  auto store = std::make_unique<OpenStoreState>(types_);
  store->path = path;
  store->server = std::move(*server);
  store->volatile_ = !store->server->capabilities().durable;
  if (Status status = store->catalog.Load(*store->server); !status.ok()) {
    (void)store->server->Close();
    return status;
  }
  store->server->SetListener(this);
  stores_.push_back(std::move(store));
  return stores_.back().get();
}

void Session::ReleaseStore(OpenStoreState& store) {
  // A store in memory would be lost with its server.
  if (store.open_databases > 0 || store.volatile_) return;
  (void)store.server->Close();
  store.server.reset();
  // Closed databases still refer to the record; only its path is given up, so that opening finds
  // none.
  store.path.clear();
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
  std::lock_guard<std::recursive_mutex> guard(lock_);
  if (transaction_ != 0) return Status(StatusCode::kAborted, "a transaction is in progress");
  const PathParts parts = Split(path);
  Result<OpenStoreState*> store = Store(parts.store, OpenMode::kOpenOrCreate);
  if (!store.ok()) return store.status();
  Result<DatabaseId> id = (*store)->server->OpenDatabase(parts.database, OpenMode::kCreate);
  Status status = id.ok() ? (*store)->server->CloseDatabase(*id) : id.status();
  ReleaseStore(**store);
  return status;
}

Result<Database*> Session::OpenDatabase(std::string_view path) {
  std::lock_guard<std::recursive_mutex> guard(lock_);
  if (transaction_ != 0) return Status(StatusCode::kAborted, "a transaction is in progress");
  const PathParts parts = Split(path);
  if (FindOpen(parts.store, parts.database) != nullptr) {
    return Status(StatusCode::kInUse, "the database is open in this process");
  }
  Result<OpenStoreState*> store = Store(parts.store, OpenMode::kOpen);
  if (!store.ok()) return store.status();
  Result<std::unique_ptr<Database>> database = Database::Open(
      **store, parts.database, OpenMode::kOpen, options_.mapping, displaced_, procedures_);
  if (!database.ok()) {
    ReleaseStore(**store);
    return database.status();
  }
  ++(*store)->open_databases;
  databases_.push_back(std::move(*database));
  heap_.SetPersistentSpace(bridge_.get());
  return databases_.back().get();
}

Status Session::DeleteDatabase(std::string_view path) {
  std::lock_guard<std::recursive_mutex> guard(lock_);
  if (transaction_ != 0) return Status(StatusCode::kAborted, "a transaction is in progress");
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
  std::lock_guard<std::recursive_mutex> guard(lock_);
  if (!database->open())
    return Failure(StatusCode::kClosed, "database " + database->Path() + " is closed");
  if (transaction_ != 0) return Status(StatusCode::kAborted, "a transaction is in progress");
  // What was displaced is transient again: its home cannot be reached any more.
  TN_RETURN_IF_ERROR(governed_.UnprotectAll());
  for (abi::Ref place : displaced_.PlacesOf(database)) {
    const DisplacedObject object = *displaced_.Find(place);
    displaced_.Remove(place);
    governed_.Remove(place, object.bytes);
    abi::ObjectHeader::Of(place)->word &= ~abi::ObjectHeader::kDisplacedBit;
  }
  TN_RETURN_IF_ERROR(governed_.Sweep());
  TN_RETURN_IF_ERROR(governed_.ProtectAll());
  OpenStoreState& store = database->store();
  const Status status = database->Close();
  --store.open_databases;
  ReleaseStore(store);
  return status;
}

Result<abi::Ref> Session::GetRoot(Database* database) {
  std::lock_guard<std::recursive_mutex> guard(lock_);
  if (!database->open())
    return Failure(StatusCode::kClosed, "database " + database->Path() + " is closed");
  if (transaction_ == 0) return Status(StatusCode::kNotFound, "no transaction is open");
  TN_RETURN_IF_ERROR(LockRoot(*database, /*write=*/false));
  return database->Root();
}

Status Session::SetRoot(Database* database, abi::Ref object) {
  std::lock_guard<std::recursive_mutex> guard(lock_);
  if (!database->open())
    return Failure(StatusCode::kClosed, "database " + database->Path() + " is closed");
  if (transaction_ == 0) return Status(StatusCode::kNotFound, "no transaction is open");
  TN_RETURN_IF_ERROR(LockRoot(*database, /*write=*/true));
  database->SetRoot(object);
  return Status::Ok();
}

// ----------------------------------------------------------------------------------------------
// transactions --

Result<uint64_t> Session::Begin() {
  std::lock_guard<std::recursive_mutex> guard(lock_);
  if (transaction_ != 0) return Status(StatusCode::kInUse, "a transaction is in progress");
  // What was written to governed pages between transactions concerned transient objects only.
  governed_.ForEach([&](GovernedPage& page) {
    if (page.state == GovernedState::kOpen) governed_.Restore(page);
  });
  TN_RETURN_IF_ERROR(governed_.ProtectAll());
  TN_RETURN_IF_ERROR(StartAtServers());
  transaction_ = ++last_transaction_;
  return transaction_;
}

Status Session::CommitChanges() {
  Status status = Stabilizer(*this).Commit();
  if (status.ok()) return status;
  Rollback();
  if (status.code() == StatusCode::kUnknownOutcome) {
    // Nobody knows what the databases hold: they are of no more use in this process.
    transaction_ = 0;
    for (auto& database : databases_) {
      if (database->open()) (void)CloseDatabase(database.get());
    }
  }
  return status;
}

Status Session::Commit(uint64_t transaction) {
  std::lock_guard<std::recursive_mutex> guard(lock_);
  if (!IsOpen(transaction)) return Status(StatusCode::kNotFound, "no transaction is open");
  const Status status = CommitChanges();
  transaction_ = 0;
  EndAtServers();
  return status;
}

Status Session::Checkpoint(uint64_t transaction) {
  std::lock_guard<std::recursive_mutex> guard(lock_);
  if (!IsOpen(transaction)) return Status(StatusCode::kNotFound, "no transaction is open");
  const Status status = CommitChanges();
  if (!status.ok()) {
    transaction_ = 0;
    EndAtServers();
  }
  return status;
}

Status Session::Chain(uint64_t transaction) {
  TN_RETURN_IF_ERROR(Checkpoint(transaction));
  // Between the two, what other programs wait for is given up.
  transaction_ = 0;
  EndAtServers();
  TN_RETURN_IF_ERROR(StartAtServers());
  transaction_ = transaction;
  return Status::Ok();
}

Status Session::Abort(uint64_t transaction) {
  std::lock_guard<std::recursive_mutex> guard(lock_);
  if (!IsOpen(transaction)) return Status(StatusCode::kNotFound, "no transaction is open");
  Rollback();
  transaction_ = 0;
  EndAtServers();
  return Status::Ok();
}

// Memory as it was at begin or at the last checkpoint; transient objects keep what was stored in
// them.
void Session::Rollback() {
  for (auto& database : databases_) {
    for (PageId page : database->dirty()) {
      Frame& frame = database->frames().At(page);
      std::memcpy(database->AliasOf(page), frame.twin.get(), kPageBytes);
      TN_CHECK(database->mapping()
                   .SetAccess(database->FrameOf(page), 1, Access::kWrite, Access::kRead)
                   .ok());
      frame.state = FrameState::kClean;
      frame.twin.reset();
    }
    database->dirty().clear();
    database->DropPendingRoot();
  }
  governed_.ForEach([&](GovernedPage& page) {
    if (page.state == GovernedState::kDirty) governed_.Restore(page);
  });
  TN_CHECK(governed_.ProtectAll().ok());
}

Status Session::Shutdown() {
  std::lock_guard<std::recursive_mutex> guard(lock_);
  if (transaction_ != 0) (void)Abort(transaction_);
  Status first_failure;
  for (auto& database : databases_) {
    if (!database->open()) continue;
    const Status status = CloseDatabase(database.get());
    if (first_failure.ok()) first_failure = status;
  }
  heap_.SetPersistentSpace(nullptr);
  return first_failure;
}

SessionStatistics Session::statistics() {
  std::lock_guard<std::recursive_mutex> guard(lock_);
  SessionStatistics now = counters_;
  now.objects_displaced = displaced_.size();
  governed_.ForEach([&](GovernedPage&) { ++now.pages_governed; });
  return now;
}

}  // namespace tenure::stabilize
