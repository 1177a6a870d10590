#include "stabilize/session/transactions.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/check.h"
#include "stabilize/commit/stabilizer.h"
#include "stabilize/frames/block_memory.h"
#include "stabilize/frames/store_names.h"
#include "stabilize/session/faults.h"
#include "stabilize/session/frame_budget.h"
#include "stabilize/session/read_only.h"
#include "stabilize/session/store_barriers.h"
#include "stabilize/state/frame_contents.h"
#include "stabilize/state/open_stores.h"
#include "stabilize/state/store_marks.h"
#include "store/format/status_text.h"

namespace tenure::stabilize {

namespace {

void RollbackAll(SessionState& session) {
  if (session.in_read_only()) return AbortReaders(session);
  Rollback(session);
  EndTransactions(session);
}

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

Status PrepareToBegin(SessionState& session) {
  // Writes to governed pages between transactions concerned transient objects only.
  session.governed.ForEachChanged([&](GovernedPage& page) {
    if (page.state == GovernedState::kOpen) session.governed.Restore(page);
  });
  TN_RETURN_IF_ERROR(session.governed.ProtectAll());
  TN_RETURN_IF_ERROR(StartAtServers(session));
  // A store that has failed was opened anew.
  CloseIfAhead(session);
  return Status::Ok();
}

Status StartAtServers(SessionState& session) {
  for (auto& store : session.stores) TN_RETURN_IF_ERROR(RestoreUse(session, *store));
  // Transactions that do nothing yet but fetch displaced objects may already wait for each other:
  // the victim begins again, older than before.
  for (int attempt = 1;; ++attempt) {
    Status status;
    // At all of them before anything is held at one.
    for (auto& store : session.stores) {
      if (store->server != nullptr) store->server->AwaitTurn();
    }
    // By number: what is fetched may lead to databases that are opened then.
    for (size_t s = 0; s < session.stores.size() && status.ok(); ++s) {
      OpenStoreState& store = *session.stores[s];
      if (store.server == nullptr) continue;
      const Result<bool> lost = store.server->StartTransaction();
      if (!lost.ok()) {
        status = lost.status();
        // It may have found that ordered commits were lost.
        if (!store.server->failed().ok() && session.ordered.Server() == store.server) {
          (void)AwaitOrdered(session);
          if (!session.ahead.ok()) status = session.ahead;
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

Status LockRoot(SessionState& session, Database& database, bool write) {
  if (!database.server().capabilities().shared) return Status::Ok();
  const PageId root{0};
  Status status = write ? database.server().WantWrite(database.id(), std::span(&root, 1))
                        : database.server().WantRead(database.id(), std::span(&root, 1));
  if (status.ok() && !database.root_fresh()) status = database.RefreshRoot();
  return EndIfAborted(session, status);
}

Status EndIfAborted(SessionState& session, Status status) {
  if (status.code() == StatusCode::kConflict) RollbackAll(session);
  return status;
}

void EndTransactions(SessionState& session) {
  session.levels.clear();
  session.failed_beside_others.reset();
  session.heap.SetChildTransaction(false);
  DropReadyChunks();
  EndAtServers(session);
}

Status CommitChanges(SessionState& session, bool goes_on, uint64_t* ordered) {
  session.levels.front().made.Clear();
  if (session.options.paranoid_barriers) FindMissedBarriers(session);
  Stabilizer stabilizer(session, goes_on, ordered);
  const std::optional<Status> failed = std::exchange(session.failed_beside_others, std::nullopt);
  Status status = failed ? *failed : stabilizer.Commit();
  if (status.ok()) {
    ForgetStores(session);
    return status;
  }
  Rollback(session);
  EndTransactions(session);
  if (status.code() == StatusCode::kConflict && !stabilizer.was_refused()) {
    // Whatever the server found to be out of date is fetched anew.
    for (auto& database : session.databases) database->SetAllStale(true);
  }
  if (status.code() == StatusCode::kUnknownOutcome) {
    // Nobody knows what the databases hold: they are of no more use in this process.
    for (auto& database : session.databases) {
      if (database->open()) (void)CloseParts(session, *database);
    }
  }
  return status;
}

namespace {

// Whether BeginsAtOnce, one store is open, and neither a root nor a spilled page waits for a
// commit.
bool IsQuiet(const SessionState& session) {
  if (session.abort_pending || !BeginsAtOnce(session)) return false;
  const auto stores = std::count_if(session.stores.begin(), session.stores.end(),
                                    [](const auto& store) { return store->server != nullptr; });
  return stores <= 1 &&
         std::none_of(session.databases.begin(), session.databases.end(), [](const auto& database) {
           return database->open() && (database->pending_root() || !database->spilled().empty());
         });
}

}  // namespace

bool StartBesideOthers(SessionState& session) {
  return MayBeginTop(session, /*read_only=*/false) && IsQuiet(session);
}

std::optional<Status> CommitBesideOthers(SessionState& session, uint64_t* ordered) {
  // With software barriers other threads might write to the pages while these are looked at.
  if (session.options.barriers == abi::StoreBarriers::kSoftware) return std::nullopt;
  if (session.levels.size() != 1 || !IsQuiet(session) || WantsCollection(session) ||
      session.options.commit_report || session.report_details) {
    return std::nullopt;
  }
  session.levels.front().made.Clear();
  Stabilizer stabilizer(session, /*goes_on=*/false, ordered);
  std::optional<Status> status = stabilizer.CommitBesideOthers();
  if (!status) return status;
  if (!status->ok()) {
    session.failed_beside_others = status;
    return std::nullopt;
  }
  EndTransactions(session);
  MakeRoomAfterCommit(session);
  return status;
}

// Memory as it was at begin or at the last checkpoint; transient objects keep what was stored in
// them.
void Rollback(SessionState& session) {
  if (session.options.paranoid_barriers) FindMissedBarriers(session);
  // Frames without an image from before the transaction are read again when all others are
  // restored.
  std::vector<std::pair<Database*, PageId>> read_again;
  for (auto& database : session.databases) {
    for (PageId page : database->TakeDirty()) {
      if (database->frames().At(page).marks != 0) read_again.push_back({database.get(), page});
      RestoreFrame(session, *database, page);
    }
    database->DropPendingRoot();
  }
  session.governed.ForEachChanged([&](GovernedPage& page) {
    if (page.state == GovernedState::kDirty) session.governed.Restore(page);
  });
  ForgetStores(session);
  for (const auto& [database, page] : read_again) ReadAgain(session, *database, page);
  session.levels.resize(std::min<size_t>(session.levels.size(), 1));
  session.heap.SetChildTransaction(false);
  session.governed.SetDepth(0);
  TN_CHECK(session.governed.ProtectAll().ok());
}

void FinishAbort(SessionState& session) {
  // CloseIfAhead also notes which transactions have ended that way.
  if (session.abort_pending && session.ahead.ok()) {
    session.abort_pending = false;
    RollbackAll(session);
  }
  CloseIfAhead(session);
}

void CloseIfAhead(SessionState& session) {
  if (session.ahead.ok()) return;
  const Status why = std::exchange(session.ahead, Status::Ok());
  if (session.in_transaction()) {
    session.ended_by_failure.clear();
    for (const TransactionLevel& level : session.levels) {
      session.ended_by_failure.push_back(level.serial);
    }
    session.abort_pending = false;
    RollbackAll(session);
  }
  for (auto& database : session.databases) {
    if (!database->open()) continue;
    database->SetClosedBecause(why);
    (void)CloseParts(session, *database);
  }
}

}  // namespace tenure::stabilize
