// Reads the pages that resident pages expect something of (reference_check.h), so that the
// expectations need no memory any more.
#pragma once

#include "base/result.h"
#include "stabilize/state/session_state.h"

namespace tenure::stabilize {

// When expectations take much of a memory budget: reads the pages that they are about, and checks
// them. kCorrupt as for CheckFound. With the session's lock.
Status SettleExpected(SessionState& session);

}  // namespace tenure::stabilize
