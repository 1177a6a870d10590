// Whether what a transaction has read at several served stores was its own at one moment.
#pragma once

#include <span>

#include "base/result.h"
#include "stabilize/state/session_state.h"

namespace tenure::stabilize {

// With the session's lock, when the last permission has been granted. A transaction that writes
// nothing, too, ends with this. `written`: the stores that it writes to, which say the same at
// prepare or commit. kConflict: a server has given to others what was read, or cannot be asked.
Status ConfirmReads(SessionState& session, std::span<const OpenStoreState* const> written = {});

}  // namespace tenure::stabilize
