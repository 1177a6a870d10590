// Memory smaller than the data (docs/design.md, "Memory smaller than the data").
#pragma once

#include <cstdint>

#include "base/result.h"
#include "stabilize/state/session_state.h"

namespace tenure::stabilize {

// With the session's lock.

// Drops and spills pages until the memory budget has room for `pages` more.
Status MakeRoom(SessionState& session, uint64_t pages);
// Lets pages leave memory before the heap grows by so many bytes at once: a program whose pages are
// all open meets no trap that would notice the growth, and a commit lets no page leave. Pages that
// cannot be spilled stay.
void MakeRoomForHeap(SessionState& session, uint64_t bytes);
// Whether all that the frame holds, and its twin, can be read from the store or spilled.
bool MayLeave(SessionState& session, Database& database, PageId page);
// Reads a spilled page back into its frame.
Status Unspill(SessionState& session, Database& database, PageId page);
// After a commit, while the world is stopped: collects the heap, so that displaced objects move
// home, when their homes take much of the budget or the system's mappings are short. Then as
// MakeRoomAfterCommit.
void SendHomeWhenTight(SessionState& session);
// Called after a commit, also while other threads run: brings memory back to what the budget
// allows.
void MakeRoomAfterCommit(SessionState& session);
// Whether SendHomeWhenTight would collect the heap.
bool WantsCollection(const SessionState& session);

}  // namespace tenure::stabilize
