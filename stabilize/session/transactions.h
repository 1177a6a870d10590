// The top-level transaction: its begin, its commit and its end.
#pragma once

#include <optional>

#include "base/result.h"
#include "stabilize/session/page_requests.h"
#include "stabilize/state/session_state.h"

namespace tenure::stabilize {

// With the session's lock.

// Called before a top-level transaction begins, while the world is stopped: undoes stores to
// displaced objects outside of transactions, protects their pages, and starts at the servers.
Status PrepareToBegin(SessionState& session);

// Commits the top-level transaction; `goes_on`: it stays open. When it fails, the transaction is
// rolled back and closed. `ordered`: as for Session::Commit.
Status CommitChanges(SessionState& session, bool goes_on, uint64_t* ordered);
// Whether a transaction that writes can begin, or end by CommitBesideOthers, without what
// PrepareToBegin does, as far as the stores are concerned.
bool IsQuiet(const SessionState& session);
// What CommitChanges and the end of a transaction do, as far as other threads can run meanwhile.
// Nothing: the world must be stopped for it; nothing has been done.
std::optional<Status> CommitBesideOthers(SessionState& session, uint64_t* ordered);
// Restores memory as it was at begin or at the last checkpoint; transient objects keep their
// present contents. No child is open afterwards.
void Rollback(SessionState& session);
// If the status is kConflict: rolls back and closes the open transactions; read-only ones are
// aborted together. Returns the status.
Status EndIfAborted(SessionState& session, Status status);
// Rolls back transactions that a trap has aborted (OpenTransactions::abort_pending), while the
// world is stopped.
void FinishAbort(SessionState& session);
// If memory has a commit that a store may lack (CommitState::lost): rolls back and closes
// the open transactions, and closes all databases. While the world is stopped.
void CloseAfterLostCommit(SessionState& session);

// Asks for permission for the root, and refreshes it. kConflict: the transaction has been rolled
// back.
Status LockRoot(SessionState& session, Database& database, bool write);
// The request that LockRoot has to send to a shared page server. `top`: as for HandleFault.
std::optional<PageRequest> RequestOfRoot(SessionState& session, Database& database, bool is_write,
                                         uint64_t top);

}  // namespace tenure::stabilize
