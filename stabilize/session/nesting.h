// Child transactions (stabilize/state/transaction_level.h, docs/design.md, "Nested").
#pragma once

#include <cstdint>

#include "base/result.h"
#include "stabilize/frames/governed_pages.h"
#include "stabilize/state/session_state.h"

namespace tenure::stabilize {

// With the session's lock.

// Begins a child of the innermost open transaction; its serial number. The child of a read-only
// transaction is read-only.
Result<uint64_t> BeginChild(SessionState& session, bool read_only);
// Ends the innermost transaction, a child: its changes become its parent's.
void CommitChild(SessionState& session);
// Ends the innermost transaction, a child: memory is as it was when the child began.
void AbortChild(SessionState& session);
// Aborts the transactions inside of this one, which is open.
void AbortChildrenOf(SessionState& session, uint64_t transaction);

// A write trap of a page that is dirty already: keeps the image for the innermost transaction if a
// transaction around it wrote the page last, and allows writing.
Status ReopenForWriting(SessionState& session, Database& database, PageId page);
Status ReopenForWriting(SessionState& session, GovernedPage& page);

}  // namespace tenure::stabilize
