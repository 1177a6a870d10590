// What holds of a frame between the operations of a session (docs/stabilization.md, "States"). Each
// operation may break a rule while it works; @M3paranoiddb checks all of them behind each one.
#pragma once

#include <string>

#include "store/format/persistent_ref.h"

namespace tenure::stabilize {

class Database;
struct SessionState;

// The rule that the page's frame breaks, in words; empty: none. Needs the session's lock.
std::string BrokenRule(const SessionState& session, Database& database, store::PageId page);

// With @M3paranoiddb: says which rule the page's frame breaks, and ends the process. All frames of
// open databases for the second.
void CheckFrame(const SessionState& session, Database& database, store::PageId page);
void CheckFrames(const SessionState& session);

}  // namespace tenure::stabilize
