#include "stabilize/session/transactions.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/check.h"
#include "stabilize/commit/stabilizer.h"
#include "stabilize/frames/store_names.h"
#include "stabilize/session/frame_budget.h"
#include "stabilize/session/read_only.h"
#include "stabilize/session/server_transactions.h"
#include "stabilize/session/store_barriers.h"
#include "stabilize/state/frame_contents.h"
#include "stabilize/state/open_stores.h"
#include "stabilize/state/store_marks.h"
#include "store/format/status_text.h"

namespace tenure::stabilize {

namespace {

void RollbackAll(SessionState& session) {
  BeginOperation(session);
  if (session.in_read_only()) return AbortReaders(session);
  Rollback(session);
  EndTransactions(session);
}

}  // namespace

Status PrepareToBegin(SessionState& session) {
  // Writes to governed pages between transactions concerned transient objects only.
  session.governed.ForEachChanged([&](GovernedPage& page) {
    if (page.state == GovernedState::kOpen) session.governed.Restore(page);
  });
  TN_RETURN_IF_ERROR(session.governed.ProtectAll());
  TN_RETURN_IF_ERROR(StartAtServers(session));
  // A store that has failed was opened anew.
  CloseAfterLostCommit(session);
  return Status::Ok();
}

Status LockRoot(SessionState& session, Database& database, bool write) {
  if (!database.server().capabilities().shared) return Status::Ok();
  const PageId root{0};
  Status status = write ? database.server().WantWrite(database.id(), std::span(&root, 1))
                        : database.server().WantRead(database.id(), std::span(&root, 1));
  if (status.ok() && !database.root_fresh()) status = database.RefreshRoot();
  return EndIfAborted(session, status);
}

std::optional<PageRequest> RequestOfRoot(SessionState& session, Database& database, bool is_write,
                                         uint64_t top) {
  if (!IsShared(database) || !MayTouchNow(session, is_write, top)) return std::nullopt;
  return PageRequest{&database, {PageId{0}, 1}, false, !is_write, is_write};
}

Status EndIfAborted(SessionState& session, Status status) {
  if (status.code() == StatusCode::kConflict) RollbackAll(session);
  return status;
}

Status CommitChanges(SessionState& session, bool goes_on, uint64_t* ordered) {
  session.open.top().made.Clear();
  if (session.options.paranoid_barriers) FindMissedBarriers(session);
  Stabilizer stabilizer(session, goes_on, ordered);
  const std::optional<Status> failed = session.commits.TakeFailureBesideOthers();
  Status status = failed ? *failed : stabilizer.Commit();
  if (status.ok()) {
    ForgetStores(session);
    return status;
  }
  Rollback(session);
  EndTransactions(session);
  if (status.code() == StatusCode::kConflict && !stabilizer.was_refused()) {
    // Everything that the server found to be out of date is read anew.
    for (auto& database : session.databases) database->SetAllStale(true);
  }
  if (status.code() == StatusCode::kUnknownOutcome) {
    // The contents of the databases are unknown: this process cannot use them any more.
    for (auto& database : session.databases) {
      if (database->open()) (void)CloseParts(session, *database);
    }
  }
  return status;
}

// Whether BeginsAtOnce, one store is open, and neither a root nor a spilled page waits for a
// commit.
bool IsQuiet(const SessionState& session) {
  if (session.open.abort_pending() || !BeginsAtOnce(session)) return false;
  const auto stores = std::count_if(session.stores.begin(), session.stores.end(),
                                    [](const auto& store) { return store->server != nullptr; });
  return stores <= 1 &&
         std::none_of(session.databases.begin(), session.databases.end(), [](const auto& database) {
           return database->open() && (database->pending_root() || !database->spilled().empty());
         });
}

std::optional<Status> CommitBesideOthers(SessionState& session, uint64_t* ordered) {
  // The check for missed barriers needs a stopped world.
  if (session.options.paranoid_barriers) return std::nullopt;
  if (session.open.count() != 1 || !IsQuiet(session) || WantsCollection(session) ||
      session.options.commit_report || session.reports.with_details()) {
    return std::nullopt;
  }
  session.open.top().made.Clear();
  Stabilizer stabilizer(session, /*goes_on=*/false, ordered);
  std::optional<Status> status = stabilizer.CommitBesideOthers();
  if (!status) return status;
  if (!status->ok()) {
    session.commits.FailBesideOthers(*status);
    return std::nullopt;
  }
  EndTransactions(session);
  MakeRoomAfterCommit(session);
  return status;
}

// Restores memory as it was at begin or at the last checkpoint; transient objects keep their
// present contents.
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
  session.open.DropChildren();
  session.heap.SetChildTransaction(false);
  session.governed.SetDepth(0);
  TN_CHECK(session.governed.ProtectAll().ok());
}

void FinishAbort(SessionState& session) {
  // CloseAfterLostCommit also notes which transactions have ended that way.
  if (session.open.abort_pending() && session.commits.lost().ok()) {
    session.open.SetAbortPending(false);
    RollbackAll(session);
  }
  CloseAfterLostCommit(session);
}

void CloseAfterLostCommit(SessionState& session) {
  if (session.commits.lost().ok()) return;
  BeginOperation(session);
  const Status why = session.commits.TakeLost();
  if (session.in_transaction()) {
    session.open.NoteEndedByFailure();
    RollbackAll(session);
  }
  for (auto& database : session.databases) {
    if (!database->open()) continue;
    database->SetClosedBecause(why);
    (void)CloseParts(session, *database);
  }
}

}  // namespace tenure::stabilize
