// The stores and databases that a session has open.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "stabilize/state/session_state.h"

namespace tenure::stabilize {

// With the session's lock.

struct DatabasePath {
  std::string store;  // absolute, so that a store has one name in the process
  std::string database;
};
// Splits "DIR" (database main of the store DIR) or "DIR:NAME".
DatabasePath SplitDatabasePath(std::string_view path);

OpenStoreState* FindStore(SessionState& session, const std::string& path);  // null: not open
// The store, opened if it is not open yet.
Result<OpenStoreState*> UseStore(SessionState& session, const std::string& path, OpenMode mode);
// Opens a store that has failed again, with its databases, also in the middle of a commit; frames
// and versions stay. kClosed: others have used the store in between.
Status Reconnect(SessionState& session, OpenStoreState& store);
// Waits until all ordered commits are durable. If their server has failed, opens the store anew and
// asks for their outcomes. Not ok: a commit did not take place (kAborted), or its outcome is
// unknown (kUnknownOutcome); CommitState::lost is then set, too.
Status AwaitOrdered(SessionState& session);
// Outside of a transaction: opens a store that has failed again, with recovery. If others have used
// the store in between, closes its databases and fails with kClosed.
Status RestoreUse(SessionState& session, OpenStoreState& store);
// Closes the store when none of its databases is open; a store in memory stays.
void ReleaseStore(SessionState& session, OpenStoreState& store);
// Adds the server's counts of the process's commits.
void AddCounters(const PageServer& server, SessionStatistics& counters);

Database* FindOpen(SessionState& session, const std::string& store, const std::string& name);
Result<Database*> OpenParts(SessionState& session, const DatabasePath& path);
Status CloseParts(SessionState& session, Database& database);
// Closes a database whose contents in the store are no longer those that the program has.
void CloseGone(SessionState& session, Database& database);

}  // namespace tenure::stabilize
