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

// With @M3paranoiddb: if the frame at the address breaks a rule, says which, and ends the process.
// An address outside of all frames breaks none.
void CheckFrame(const SessionState& session, const void* address);
// The same for all frames of open databases.
void CheckFrames(const SessionState& session);

}  // namespace tenure::stabilize
