// Read-only top-level transactions: how they begin and end
// (stabilize/state/read_only_transactions.h, docs/stabilization.md, "Read-only transactions").
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "stabilize/session/reach.h"
#include "stabilize/state/session_state.h"

namespace tenure::stabilize {

// With the session's lock.

// Whether a top-level transaction may begin beside those that are open.
bool MayBeginTop(const SessionState& session, bool read_only);
// Whether nothing must be protected, fetched or opened anew when a transaction begins, and no store
// is shared.
bool BeginsAtOnce(const SessionState& session);
// Whether other programs wait for pages that the open transactions may have used.
bool OthersWait(const SessionState& session);

// Begins a read-only transaction and returns its serial number. MayBeginTop must hold. Before it,
// if no read-only transaction is open, PrepareToBegin has been called, or BeginsAtOnce holds.
// `again`: the number of a transaction that begins again; or 0.
uint64_t BeginReader(SessionState& session, uint64_t again);
// Ends a transaction that `readers` has. kReadOnly: it has written to a displaced object; the
// object is restored, and the transaction has ended. kAborted: it has ended before, or this or
// another transaction has written and it is unknown which. Nothing: kAlone is needed.
std::optional<Status> EndReader(SessionState& session, Reach reach, uint64_t transaction,
                                TransactionEnd how);

// Ends all open read-only transactions, while the world is stopped. Each of them gets kAborted at
// its next call.
void AbortReaders(SessionState& session);

// Whether a displaced object has been written in the innermost transaction, a read-only child of a
// transaction that writes.
bool ReadOnlyChildHasWritten(SessionState& session);

}  // namespace tenure::stabilize
