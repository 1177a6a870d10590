// Connects stabilize/ with this process: faults, exceptions, the end of the program. A program that
// opens no database has no session.
#pragma once

#include "base/result.h"

namespace tenure::stabilize {
class Session;
}

namespace tenure::runtime {

// Once, after the heap exists and the trap handlers are installed. Fails when a flag asks for a
// kind of faults that this machine does not have.
Status StartPersistence();

// The session of the process, made at the first call. Any thread.
stabilize::Session& PersistenceSession();

// Null when there is none yet.
stabilize::Session* ExistingSession();

}  // namespace tenure::runtime
