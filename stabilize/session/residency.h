// How a page comes into memory: it is read, decoded into its frame and published
// (docs/stabilization.md, "A read fault").
#pragma once

#include <span>

#include "base/result.h"
#include "stabilize/state/session_state.h"

namespace tenure::stabilize {

// With the session's lock.

// Reads, decodes and publishes these pages; `page` must become resident. `here`: its contents, if
// they have been read already, or null.
Status MakeResident(SessionState& session, Database& database, PageId page,
                    std::span<const PageId> wanted, const PageReply* here);
// The same for a page with neighbours that will probably be wanted next, and for the page alone.
Status MakeResident(SessionState& session, Database& database, PageId page);
Status MakeResidentAlone(SessionState& session, Database& database, PageId page);

}  // namespace tenure::stabilize
