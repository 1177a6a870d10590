// Connects stabilize/ with this process: faults, exceptions, the end of the program. A program that
// opens no database has no session.
#pragma once

#include "base/result.h"
#include "runtime/traps.h"

namespace tenure::stabilize {
class Session;
struct FaultAnswer;
}  // namespace tenure::stabilize

namespace tenure::runtime {

// Once, after the heap exists and the trap handlers are installed. Fails when a flag asks for a
// kind of faults that this machine does not have.
Status StartPersistence();

// The session of the process, made at the first call. Any thread.
stabilize::Session& PersistenceSession();

// The session was made by the process of which this one is a child by fork: it must not be used,
// nor its databases. Only when there is one.
bool InForkedChild();
// In the child, after a fork.
void NoteForkedChild();
inline constexpr char kForkedChildText[] = "a child process cannot use its parent's databases";

// Null when there is none yet.
stabilize::Session* ExistingSession();

// The top-level transaction that the calling thread works in or has worked in last; 0: none.
uint64_t OwnTransaction();
// What the session's answer to a trap or a store barrier means for the thread. When the
// transaction is over, the turn of the next one comes.
FaultAnswer AnswerOf(const stabilize::FaultAnswer& answer);

// Before a trap's Aborted is raised, outside of the signal handler: rolls the transaction back,
// with the world stopped.
void FinishAbortedTransaction();

}  // namespace tenure::runtime
