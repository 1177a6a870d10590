// The contents of frames: gives them memory, reads them wherever they are, drops and restores them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi/object_header.h"
#include "base/result.h"
#include "stabilize/frames/placed.h"
#include "stabilize/state/session_state.h"

namespace tenure::stabilize {

// With the session's lock.

// Memory of all frames, as the system counts it, and of twins.
uint64_t FrameBytes(const SessionState& session);
// Whether memory has room for `pages` more twins without dropping or spilling anything. By the
// last measurement, so it costs little.
bool HasRoom(const SessionState& session, uint64_t pages);

// The page is in memory from now on: the clock may have to close it.
inline void EnterClock(SessionState& session, Database& database, PageId page) {
  if (!session.clock.active()) return;
  Frame& frame = database.frames().At(page);
  if (frame.in_clock) return;
  frame.in_clock = true;
  session.clock.Add({&database, page});
}

// Drops the frame's memory. The caller has seen to it that the contents are in the store or in the
// spill file, or not wanted.
void DropFrame(Database& database, PageId page);
// The contents of the frame do not count any more: it is dropped, and read again when it is
// touched, or at the next begin if commits or collections need it.
void ReadAgainLater(SessionState& session, Database& database, PageId page);
// Restores a dirty page as it was before the transaction.
void RestoreFrame(SessionState& session, Database& database, PageId page);
// Gives a vacant page memory, with fillers in the slots of the objects that are displaced; the page
// stays without access. Called before the page's slots are written or walked.
void PrepareSlots(SessionState& session, Database& database, PageId page);

// Called before a large object is copied home: clears the last page behind it, as in the store.
void ClearBehindLarge(Database& database, const Placed& home);

// The image of a resident or spilled page; `buffer` (kPageBytes) is used for a spilled one.
Result<std::byte*> ImageOf(SessionState& session, Database& database, PageId page,
                           std::byte* buffer);
Status ReadSpilled(const SessionState& session, const SpilledPage& spilled, std::byte* to);
// Forgets a spilled page: its frame is absent. Does nothing for other pages.
void DropSpilled(SessionState& session, Database& database, PageId page);

// The displaced large object whose home has the page, or null.
abi::Ref DisplacedLarge(SessionState& session, Database& database, PageId page,
                        const LargeRun& run);
// Another program is going to write the page: drops the frame, which must not be dirty or spilled,
// and notes the page as stale if displaced objects have their homes there.
void GiveUpFrame(SessionState& session, Database& database, PageId page);
// The same for all pages of the database, its open pages and its root.
void GiveUpAll(SessionState& session, Database& database);

}  // namespace tenure::stabilize
