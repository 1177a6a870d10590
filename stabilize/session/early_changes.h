// A bound on the memory of twins: dirty pages are compared before the commit (@M3twins).
#pragma once

#include "base/result.h"
#include "stabilize/state/session_state.h"

namespace tenure::stabilize {

// With the session's lock.

// The pages of `run` have got twins, because a store of this thread to `page`, one of them, has
// trapped. While twins take more than SessionOptions::twin_bytes, the pages that got theirs first
// are protected again and compared: Frame::changed_early has then what the transaction has changed,
// and the twin goes. The next write to such a page traps and makes a new twin; an abort reads the
// page from the store again. These pages keep their twins: those whose contents the store does not
// have (TRANSIENT fields, homes of displaced objects), and those of a thread's last two traps,
// since its store may need both. Does nothing while a child transaction is open.
Status NoteTwins(SessionState& session, Database& database, PageRun run, PageId page);

}  // namespace tenure::stabilize
