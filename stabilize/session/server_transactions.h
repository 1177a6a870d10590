// The transaction at the page servers: one for all transactions that are open here.
#pragma once

#include "base/result.h"
#include "stabilize/state/session_state.h"

namespace tenure::stabilize {

// With the session's lock.

// Starts a transaction at all servers, reopens stores that have failed, and refreshes displaced
// objects whose pages were given up.
Status StartAtServers(SessionState& session);
void EndAtServers(SessionState& session);
// Closes the open transactions, here and at the servers.
void EndTransactions(SessionState& session);

}  // namespace tenure::stabilize
