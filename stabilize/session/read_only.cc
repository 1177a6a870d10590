#include "stabilize/session/read_only.h"

#include <algorithm>

#include "base/check.h"
#include "stabilize/commit/confirmed_reads.h"
#include "stabilize/frames/store_names.h"
#include "stabilize/session/server_transactions.h"

namespace tenure::stabilize {

namespace {

bool IsShared(const OpenStoreState& store) {
  return store.server != nullptr && store.server->capabilities().shared;
}

// A store to a displaced object does not trap if a store to a transient neighbour has opened the
// page before: then the page differs from its image.
bool HasWritten(SessionState& session) {
  bool written = false;
  session.governed.ForEachChanged([&](const GovernedPage& page) {
    written = written || GovernedPages::ObjectsDiffer(page, page.twin.get());
  });
  return written;
}

void RestoreWritten(SessionState& session) {
  session.governed.ForEachChanged([&](GovernedPage& page) {
    if (GovernedPages::ObjectsDiffer(page, page.twin.get())) session.governed.Restore(page);
  });
  TN_CHECK(session.governed.ProtectAll().ok());
}

// A program that was stopped for long may have lost its pages. A transaction that began now and
// read them would miss commits that ended before.
bool StoresStillHold(const SessionState& session) {
  return std::all_of(session.stores.begin(), session.stores.end(), [](const auto& store) {
    return !IsShared(*store) || store->server->StillHolds();
  });
}

bool Ends(TransactionEnd how) {
  return how == TransactionEnd::kCommit || how == TransactionEnd::kAbort;
}

Status WasAborted(TransactionEnd how) {
  if (how == TransactionEnd::kAbort) return Status::Ok();
  return Status(StatusCode::kAborted, "the transaction has been aborted");
}

void RemoveReader(SessionState& session, uint64_t transaction) {
  session.open.readers().Remove(transaction);
  if (session.open.readers().empty()) EndTransactions(session);
}

}  // namespace

bool BeginsAtOnce(const SessionState& session) {
  if (!session.governed.AllProtected() || !session.commits.lost().ok() ||
      session.commits.has_failed_beside_others()) {
    return false;
  }
  for (const auto& store : session.stores) {
    if (store->server == nullptr) continue;
    if (IsShared(*store) || !store->server->failed().ok()) return false;
  }
  return std::none_of(session.databases.begin(), session.databases.end(), [](const auto& database) {
    return database->open() && (database->all_stale() || !database->stale().empty());
  });
}

bool MayBeginTop(const SessionState& session, bool read_only) {
  // A transaction that a trap has aborted ends when the next operation has restored memory.
  const bool open = session.in_transaction() && !session.open.abort_pending();
  if (!open && session.open.readers().empty()) return true;
  return read_only && open && session.in_read_only() && session.open.readers().admits() &&
         !OthersWait(session) && StoresStillHold(session);
}

// Read-only transactions that follow each other would keep the pages for ever.
bool OthersWait(const SessionState& session) {
  return std::any_of(session.stores.begin(), session.stores.end(), [](const auto& store) {
    return IsShared(*store) && store->server->OthersWait();
  });
}

uint64_t BeginReader(SessionState& session, uint64_t again) {
  const bool first = session.open.readers().empty();
  if (first) {
    session.open.BeginTop(/*read_only=*/true);
  }
  const uint64_t serial = again != 0 ? again : session.open.NextSerial();
  session.open.readers().Add(serial);
  if (first) session.open.readers().BegunFirst();
  return serial;
}

namespace {

// EndReader, where kAlone is not needed.
std::optional<Status> EndReaderBesideOthers(SessionState& session, uint64_t transaction,
                                            TransactionEnd how) {
  if (session.open.abort_pending()) return std::nullopt;
  ReadOnlyTransactions& readers = session.open.readers();
  const bool is_top = readers.HasTop(transaction);
  if (readers.aborted()) {
    // The abort of a child tells nobody.
    readers.Remove(how == TransactionEnd::kAbort ? transaction : readers.TopOf(transaction));
    return WasAborted(how);
  }
  if (!is_top) {
    if (Ends(how)) {
      readers.Remove(transaction);
    } else {
      readers.RemoveChildrenOf(transaction);
    }
    return Status::Ok();
  }
  if (HasWritten(session)) return std::nullopt;
  if (how != TransactionEnd::kAbort) {
    if (const Status status = ConfirmReads(session); !status.ok()) {
      RemoveReader(session, transaction);
      return Status(StatusCode::kAborted, status.text());
    }
  }
  if (Ends(how)) {
    RemoveReader(session, transaction);
    return Status::Ok();
  }
  readers.RemoveChildrenOf(transaction);
  const bool gives_up = how == TransactionEnd::kChain && readers.size() == 1 &&
                        std::any_of(session.stores.begin(), session.stores.end(),
                                    [](const auto& store) { return IsShared(*store); });
  if (gives_up) return std::nullopt;
  return Status::Ok();
}

}  // namespace

std::optional<Status> EndReader(SessionState& session, Reach reach, uint64_t transaction,
                                TransactionEnd how) {
  // The end of the last one ends the use of pages, which threads may wait for.
  const bool must_wait =
      reach == Reach::kBesideOthers && session.requests.any() && session.open.readers().size() == 1;
  if (must_wait) return std::nullopt;
  const std::optional<Status> ended = EndReaderBesideOthers(session, transaction, how);
  if (ended || reach == Reach::kBesideOthers) return ended;
  ReadOnlyTransactions& readers = session.open.readers();
  if (HasWritten(session)) {
    const bool is_known = readers.size() == 1;
    RestoreWritten(session);
    readers.Remove(transaction);
    EndTransactions(session);
    if (is_known) return WriteInReadOnly();
    // Any of them may have done it, and all may have seen it.
    readers.SetAborted();
    readers.BeginNextAlone();
    return WasAborted(how);
  }
  TN_CHECK(how == TransactionEnd::kChain);
  std::vector<TransactionLevel> levels = session.open.Suspend();
  EndAtServers(session);
  if (const Status status = StartAtServers(session); !status.ok()) {
    readers.Remove(transaction);
    return status;
  }
  session.open.Resume(std::move(levels));
  return Status::Ok();
}

void AbortReaders(SessionState& session) {
  RestoreWritten(session);
  EndTransactions(session);
  session.open.readers().SetAborted();
}

bool ReadOnlyChildHasWritten(SessionState& session) {
  const TransactionLevel& child = session.open.innermost();
  if (!child.read_only) return false;
  return std::any_of(child.governed.begin(), child.governed.end(),
                     [&](const TransactionLevel::GovernedImage& image) {
                       const GovernedPage& page = *session.governed.Find(image.page);
                       return GovernedPages::ObjectsDiffer(
                           page, image.image != nullptr ? image.image.get() : page.twin.get());
                     });
}

}  // namespace tenure::stabilize
