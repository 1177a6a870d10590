// Read-only top-level transactions: how they begin and end
// (stabilize/state/read_only_transactions.h, docs/stabilization.md, "Read-only transactions").
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
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

// Begins a read-only transaction and returns its serial number. MayBeginTop must hold. BeginReader
// needs a stop of the world, and before it PrepareToBegin if no read-only transaction is open. The
// functions named AtOnce need no stop, and return nothing where a stop is needed. `again`: the
// number of a transaction that begins again; or 0.
uint64_t BeginReader(SessionState& session, uint64_t again);
std::optional<uint64_t> BeginReaderAtOnce(SessionState& session, uint64_t again);

enum class ReaderEnd : uint8_t {
  kCommit,
  kAbort,
  kCheckpoint,  // it stays open
  kChain,  // it stays open; pages that other programs want are given up if no other one is open
};
// Ends a transaction that `readers` has. kReadOnly: it has written to a displaced object; the
// object is restored, and the transaction has ended. kAborted: it has ended before, or this or
// another transaction has written and it is unknown which. EndReader needs a stop of the world.
Status EndReader(SessionState& session, uint64_t transaction, ReaderEnd how);
std::optional<Status> EndReaderAtOnce(SessionState& session, uint64_t transaction, ReaderEnd how);

// Ends all open read-only transactions, while the world is stopped. Each of them gets kAborted at
// its next call.
void AbortReaders(SessionState& session);

// Whether a displaced object has been written in the innermost transaction, a read-only child of a
// transaction that writes.
bool ReadOnlyChildHasWritten(SessionState& session);

}  // namespace tenure::stabilize
