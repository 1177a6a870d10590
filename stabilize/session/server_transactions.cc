#include "stabilize/session/server_transactions.h"

#include "stabilize/frames/block_memory.h"
#include "stabilize/frames/store_names.h"
#include "stabilize/session/residency.h"
#include "stabilize/state/frame_contents.h"
#include "stabilize/state/open_stores.h"

namespace tenure::stabilize {

namespace {

constexpr int kBeginAttempts = 1000;

// Displaced objects are read without a fault: what has been given up is fetched before a
// transaction can see it.
Status RefreshDisplaced(SessionState& session, Database& database) {
  while (!database.stale().empty()) {
    const PageId page = database.stale().back();
    Frame& frame = database.frames().At(page);
    if (session.displaced.WithHomeOn(&database, page) == nullptr &&
        DisplacedLarge(session, database, page, frame.run) == nullptr &&
        !database.open_pages().Has(page)) {
      frame.called_back = false;  // They have died.
    }
    if (frame.called_back) {
      TN_RETURN_IF_ERROR(session.governed.UnprotectAll());
      Status status = MakeResident(session, database, page);
      const Status protect = session.governed.ProtectAll();
      // A disk collection has removed the page after this program had said that it refers to
      // nothing there: the objects are dead, only not swept yet.
      if (status.code() == StatusCode::kNotFound) {
        frame.called_back = false;
        status = Status::Ok();
      }
      TN_RETURN_IF_ERROR(status);
      TN_RETURN_IF_ERROR(protect);
    }
    database.RemoveLastStale();
  }
  return Status::Ok();
}

// The store does not have the contents any more that the program knows: closes the databases that
// it does not know either. A touch of one of their pages then fails.
Status CloseLostDatabases(SessionState& session, OpenStoreState& store, Status why) {
  EndAtServers(session);
  for (auto& database : session.databases) {
    if (!database->open() || &database->store() != &store) continue;
    if (!database->server().MaxPage(database->id()).ok()) CloseGone(session, *database);
  }
  return why;
}

}  // namespace

void EndAtServers(SessionState& session) {
  for (auto& store : session.stores) {
    if (store->server != nullptr) store->server->EndTransaction();
  }
}

Status StartAtServers(SessionState& session) {
  for (auto& store : session.stores) TN_RETURN_IF_ERROR(RestoreUse(session, *store));
  // Transactions that do nothing yet but fetch displaced objects may already wait for each other:
  // the victim begins again, older than before.
  for (int attempt = 1;; ++attempt) {
    Status status;
    // Wait for the turn at every server before the first one grants pages: else two programs could
    // wait for each other.
    for (auto& store : session.stores) {
      if (store->server != nullptr) store->server->AwaitTurn();
    }
    // By index, not by iterator: a prefetched page may lead to databases that are opened then.
    for (size_t s = 0; s < session.stores.size() && status.ok(); ++s) {
      OpenStoreState& store = *session.stores[s];
      if (store.server == nullptr) continue;
      const Result<bool> lost = store.server->StartTransaction();
      if (!lost.ok()) {
        status = lost.status();
        // The server may have found that ordered commits were lost.
        if (!store.server->failed().ok() && session.ordered.Server() == store.server) {
          (void)AwaitOrdered(session);
          if (!session.commits.lost().ok()) status = session.commits.lost();
        }
        break;
      }
      for (auto& database : session.databases) {
        if (!*lost || !database->open() || &database->store() != &store) continue;
        database->ForgetFreeRuns();
        database->SetAllStale(true);
      }
      for (size_t d = 0; d < session.databases.size() && status.ok(); ++d) {
        Database& database = *session.databases[d];
        if (!database.open() || &database.store() != &store) continue;
        if (database.all_stale()) {
          GiveUpAll(session, database);
          status = store.catalog.Reload(*store.server);
          if (status.ok()) status = database.LoadTables();
          if (status.code() == StatusCode::kClosed)
            return CloseLostDatabases(session, store, status);
          if (status.ok() && !store.server->capabilities().shared) status = database.RefreshRoot();
          if (status.ok()) database.SetAllStale(false);
        }
        if (status.ok()) status = RefreshDisplaced(session, database);
      }
    }
    if (status.ok()) return status;
    EndAtServers(session);
    if (status.code() != StatusCode::kConflict || attempt == kBeginAttempts) return status;
  }
}

void EndTransactions(SessionState& session) {
  session.open.Clear();
  (void)session.commits.TakeFailureBesideOthers();
  session.heap.SetChildTransaction(false);
  DropReadyChunks();
  EndAtServers(session);
}

}  // namespace tenure::stabilize
