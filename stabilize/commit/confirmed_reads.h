// Whether what a transaction has read at several served stores was its own at one moment.
#pragma once

#include <span>

#include "base/result.h"
#include "stabilize/state/session_state.h"

namespace tenure::stabilize {

// Every transaction, also a read-only one, calls this before it ends well: with the session's lock,
// and after the last permission has been granted. `written`: the stores that the transaction writes
// to; their servers say the same at prepare or commit. kConflict: a server has given to others what
// was read, or its connection is lost. Other failures are the server's.
Status ConfirmReads(SessionState& session, std::span<const OpenStoreState* const> written = {});

}  // namespace tenure::stabilize
