// A bound on the memory of twins: dirty pages are compared before the commit (@M3twins).
#pragma once

#include "base/result.h"
#include "stabilize/state/session_state.h"

namespace tenure::stabilize {

// With the session's lock.

// The page has got a twin. While twins take more than SessionOptions::twin_bytes, the pages that
// got theirs first are protected again and compared: Frame::changed_early has then what the
// transaction has changed, and the twin goes. The next write to such a page traps and makes a new
// twin; an abort reads the page from the store again. Passes over pages whose contents the store
// does not have (TRANSIENT fields, homes of displaced objects): these keep their twins. Does
// nothing while a child transaction is open.
Status NoteTwin(SessionState& session, Database& database, PageId page);

}  // namespace tenure::stabilize
