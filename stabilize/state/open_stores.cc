#include "stabilize/state/open_stores.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/check.h"
#include "stabilize/frames/store_names.h"
#include "stabilize/state/frame_contents.h"
#include "store/format/status_text.h"
#include "store/network/cluster_name.h"
#include "store/open.h"
#include "store/server/store_path.h"

namespace tenure::stabilize {

namespace {

Status ResolveDoubts(SessionState& session, PageServer& server, const std::string& path) {
  TN_ASSIGN_OR_RETURN(std::vector<PreparedCommit> prepared, server.Prepared());
  for (const PreparedCommit& commit : prepared) {
    const std::string at = StoreOfHint(path, commit.coordinator.path);
    PageServer* coordinator = nullptr;
    for (auto& store : session.stores) {
      if (store->server == nullptr || store->server->store_uuid() != commit.coordinator.store) {
        continue;
      }
      // A copy that is open elsewhere does not see later decisions.
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
                     "store " + path + " took part in a commit whose outcome store " + at +
                         " knows, and that store cannot be asked: " + why);
    };
    if (coordinator == nullptr) {
      StoreOptions options = session.options.store;
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

}  // namespace

DatabasePath SplitDatabasePath(std::string_view path) {
  const StorePath split = SplitStorePath(path);
  DatabasePath parts{split.store, split.named ? split.database : "main"};
  if (IsClusterUri(parts.store)) return parts;
  std::error_code error;
  // For a path that leads nowhere weakly_canonical alone gives no absolute path.
  const std::filesystem::path absolute =
      std::filesystem::weakly_canonical(std::filesystem::absolute(parts.store, error), error);
  if (!error && !parts.store.empty()) {
    parts.store = absolute.string();
    // "DIR/" is "DIR".
    if (parts.store.size() > 1 && parts.store.back() == '/') parts.store.pop_back();
  }
  parts.store = ClusterUriOf(parts.store);
  return parts;
}

OpenStoreState* FindStore(SessionState& session, const std::string& path) {
  for (auto& store : session.stores) {
    if (store->path == path) return store.get();
  }
  return nullptr;
}

Result<OpenStoreState*> UseStore(SessionState& session, const std::string& path, OpenMode mode) {
  if (OpenStoreState* const store = FindStore(session, path)) {
    if (!session.in_transaction()) TN_RETURN_IF_ERROR(RestoreUse(session, *store));
    return store;
  }
  StoreOptions options = session.options.store;
  options.mode = mode;
  TN_ASSIGN_OR_RETURN(std::unique_ptr<PageServer> server, OpenStore(path, options));
  auto store = std::make_unique<OpenStoreState>(session.types);
  store->path = path;
  store->server = std::move(server);
  store->in_memory = !store->server->capabilities().durable;
  Status status = ResolveDoubts(session, *store->server, path);
  if (status.ok()) status = store->catalog.Load(*store->server);
  if (!status.ok()) {
    (void)store->server->Close();
    return status;
  }
  store->server->SetListener(session.listener);
  if (session.in_transaction()) {
    // A reference to another database has opened this store.
    if (Result<bool> started = store->server->StartTransaction(); !started.ok()) {
      (void)store->server->Close();
      return started.status();
    }
  }
  if (!store->in_memory && !IsClusterUri(path)) session.spill.SetDirectory(path);
  const bool alone = !store->server->capabilities().shared;
  session.stores.push_back(std::move(store));
  for (auto& other : session.stores) {
    // The servers of other stores cannot ask a store that is used alone.
    if (alone && other->server != nullptr && other->server->capabilities().shared) {
      (void)ResolveDoubts(session, *other->server, other->path);
    }
  }
  return session.stores.back().get();
}

namespace {

using UndecidedCommits = std::vector<OrderedCommits::Commit>;

// Notes that commits from `first` on are not in the store, or may not be.
void NoteLost(SessionState& session, const OpenStoreState& store, uint64_t first, StatusCode code,
              const std::string& text) {
  session.ordered.NoteFailed(first, Failure(code, text));
  session.commits.Lose(
      Failure(StatusCode::kClosed, "store " + store.path +
                                       " has failed, and the program's memory is ahead " +
                                       "of what the store has: " + text));
}

// The store was opened anew. The latest commit that took place tells that those before it did.
void AskUndecided(SessionState& session, OpenStoreState& store, const UndecidedCommits& commits) {
  auto known = commits.end();
  Status unknown;
  while (known != commits.begin() && unknown.ok()) {
    const OrderedCommits::Commit& commit = *(known - 1);
    const Result<std::optional<uint64_t>> outcome =
        store.server->Outcome({.id = commit.id, .above = commit.version - 1});
    if (!outcome.ok()) {
      unknown = outcome.status();
    } else if (outcome->has_value()) {
      session.ordered.NoteDurable((known - 1)->number);
      break;
    } else {
      --known;
    }
  }
  if (known != commits.end()) {
    NoteLost(
        session, store, known->number, StatusCode::kAborted,
        std::to_string(commits.end() - known) + " commits were lost when a sync of its log failed");
  }
  if (!unknown.ok()) {
    NoteLost(session, store, commits.front().number, StatusCode::kUnknownOutcome, unknown.text());
  }
}

}  // namespace

Status Reconnect(SessionState& session, OpenStoreState& store) {
  const CommitMark before = store.server->LastCommit();
  UndecidedCommits undecided;
  if (session.ordered.Server() == store.server) undecided = session.ordered.Undecided();
  AddCounters(*store.server, session.counters);
  (void)store.server->Close();
  StoreOptions options = session.options.store;
  options.mode = OpenMode::kOpen;
  // A planned failure has happened.
  options.fail = {};
  Result<std::unique_ptr<PageServer>> server = OpenStore(store.path, options);
  if (!server.ok()) {
    if (!undecided.empty()) {
      NoteLost(session, store, undecided.front().number, StatusCode::kUnknownOutcome,
               server.status().text());
    }
    return server.status();
  }
  store.server = *std::move(server);
  if (!undecided.empty()) AskUndecided(session, store, undecided);
  // The store may have any of the commits that were not known to be durable, and the last one that
  // was tried. If its last commit is another one, another program has used the store and may have
  // freed objects that this program holds.
  const CommitMark now = store.server->LastCommit();
  const bool same = now == before;
  const bool one_less =
      before.id == session.commits.last_sent() && now.version + 1 == before.version;
  const bool one_more = now.id == session.commits.last_sent() && now.version == before.version + 1;
  const bool ordered =
      !undecided.empty() &&
      (now.version + 1 == undecided.front().version ||
       std::any_of(undecided.begin(), undecided.end(), [&](const OrderedCommits::Commit& commit) {
         return commit.id == now.id && commit.version == now.version;
       }));
  if (!same && !one_less && !one_more && !ordered) {
    return Failure(
        StatusCode::kClosed,
        "store " + store.path +
            " was used by others after it had failed: its databases must be opened anew");
  }
  TN_RETURN_IF_ERROR(store.catalog.Reload(*store.server));
  for (auto& database : session.databases) {
    if (database->open() && &database->store() == &store) TN_RETURN_IF_ERROR(database->Reconnect());
  }
  return Status::Ok();
}

namespace {

// Asks what became of the commits that `server`, which has failed, had ordered.
void SettleOrdered(SessionState& session, const std::shared_ptr<PageServer>& server) {
  const auto store = std::find_if(session.stores.begin(), session.stores.end(),
                                  [&](const auto& open) { return open->server == server; });
  TN_CHECK(store != session.stores.end());  // ReleaseStore settles the commits of others.
  Status opened;
  if (server->capabilities().shared) {
    // A remote store reconnects without help, and the next transaction drops the pages that were
    // read.
    AskUndecided(session, **store, session.ordered.Undecided());
  } else {
    opened = Reconnect(session, **store);
  }
  session.commits.Lose(opened);
  for (auto& database : session.databases) {
    if (database->open() && &database->store() == store->get()) database->SetAllStale(true);
  }
}

}  // namespace

Status AwaitOrdered(SessionState& session) {
  const uint64_t newest = session.ordered.Newest();
  if (const std::optional<Status> known = session.ordered.Await(newest)) return *known;
  // Null: a thread without the session's lock has found since that the commits are durable.
  if (const std::shared_ptr<PageServer> server = session.ordered.Server()) {
    SettleOrdered(session, server);
  }
  const std::optional<Status> outcome = session.ordered.Outcome(newest);
  TN_CHECK(outcome.has_value());
  return *outcome;
}

Status RestoreUse(SessionState& session, OpenStoreState& store) {
  if (store.server == nullptr || store.server->failed().ok()) return Status::Ok();
  if (store.server->capabilities().shared) {
    // Commits that the program had ordered there are lost: memory has more than the store.
    if (session.ordered.Server() == store.server) (void)AwaitOrdered(session);
    return session.commits.lost().ok() ? store.server->failed() : session.commits.lost();
  }
  const Status status = Reconnect(session, store);
  if (status.code() == StatusCode::kClosed) {
    for (auto& database : session.databases) {
      if (database->open() && &database->store() == &store) CloseGone(session, *database);
    }
  }
  TN_RETURN_IF_ERROR(status);
  for (auto& database : session.databases) {
    if (database->open() && &database->store() == &store) database->SetAllStale(true);
  }
  return Status::Ok();
}

void AddCounters(const PageServer& server, SessionStatistics& counters) {
  const PageServerStatistics now = server.statistics();
  counters.syncs += now.syncs;
  counters.largest_group = std::max(counters.largest_group, now.largest_group);
}

void ReleaseStore(SessionState& session, OpenStoreState& store) {
  // A store in memory would be lost with its server.
  if (store.open_databases > 0 || store.in_memory) return;
  // A store that has lost a database closes without waiting for the commits that it had ordered.
  if (session.ordered.Server() == store.server) {
    AskUndecided(session, store, session.ordered.Undecided());
  }
  AddCounters(*store.server, session.counters);
  (void)store.server->Close();
  store.server.reset();
  // Closed databases still refer to the record; only its path is given up, so that opening finds
  // none.
  store.path.clear();
  store.catalog = TypeCatalog({});
}

Database* FindOpen(SessionState& session, const std::string& store, const std::string& name) {
  for (auto& database : session.databases) {
    if (database->open() && database->store().path == store && database->name() == name)
      return database.get();
  }
  return nullptr;
}

Result<Database*> OpenParts(SessionState& session, const DatabasePath& parts) {
  TN_ASSIGN_OR_RETURN(OpenStoreState* const store, UseStore(session, parts.store, OpenMode::kOpen));
  Result<std::unique_ptr<Database>> database =
      Database::Open(*store, parts.database, OpenMode::kOpen, session.options, session.displaced,
                     session.procedures);
  if (!database.ok()) {
    ReleaseStore(session, *store);
    return database.status();
  }
  ++store->open_databases;
  session.databases.push_back(std::move(*database));
  // Only once: a trap that meets a reference to another database comes here, and must not wait for
  // the heap.
  if (!std::exchange(session.joined_heap, true))
    session.heap.SetPersistentSpace(session.persistent_space);
  return session.databases.back().get();
}

Status CloseParts(SessionState& session, Database& closing) {
  Database* const database = &closing;
  // Other databases that refer to its displaced objects must find them at home, or not at all.
  const bool referred =
      std::any_of(session.databases.begin(), session.databases.end(),
                  [&](const auto& other) { return other->open() && other->ImportsFrom(closing); });
  if (referred && !session.displaced.PlacesOf(database).empty()) session.heap.CollectMajor();
  // A trap may open another database than the one that it looks for, and close it again: such a
  // database has no displaced objects.
  if (!session.displaced.PlacesOf(database).empty()) {
    // Displaced objects are transient again: their homes cannot be reached any more.
    TN_RETURN_IF_ERROR(session.governed.UnprotectAll());
    for (abi::Ref place : session.displaced.RemoveAll(database)) {
      abi::ObjectHeader::Of(place)->word &= ~DisplacedObjects::kHeaderBits;
    }
    session.governed.RemoveUndisplaced();
    TN_RETURN_IF_ERROR(session.governed.Sweep());
    TN_RETURN_IF_ERROR(session.governed.ProtectAll());
  }
  OpenStoreState& store = database->store();
  const Status status = database->Close();
  --store.open_databases;
  ReleaseStore(session, store);
  return status;
}

void CloseGone(SessionState& session, Database& database) {
  for (auto& other : session.databases) {
    // References to the closed database are looked up again when their pages are read again.
    if (other->open() && other->ImportsFrom(database)) other->SetAllStale(true);
  }
  GiveUpAll(session, database);
  (void)CloseParts(session, database);
}

}  // namespace tenure::stabilize
