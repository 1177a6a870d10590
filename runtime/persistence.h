// Connects stabilize/ with this process: faults, exceptions, the end of the program.
//
// A program that opens no database has no session, and links none: what every program calls
// reaches the session through SessionActions (persistence.cc), and only what uses databases refers
// to program_session.cc.
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

// What the process does with its session at certain moments. Called only when there is a session,
// and apart from the functions about forks never in a forked child.
struct SessionActions {
  // The last exit action: aborts the open transactions and closes the databases.
  void (*shut_down)();
  // See FinishAbortedTransaction.
  void (*finish_abort)();
  // With the world stopped, around a fork.
  void (*before_fork)();
  void (*after_fork_in_parent)();
  void (*after_fork_in_child)();
  // See GiveUpMappings.
  bool (*give_up_mappings)();
};

// Makes the session that of the process, for ever. At most once; `actions` lives as long.
void SetSession(stabilize::Session& session, const SessionActions& actions);

// The session of the process, made at the first call. Any thread. In program_session.cc.
stabilize::Session& PersistenceSession();

// The session was made by the process of which this one is a child by fork: it must not be used,
// nor its databases. Only when there is one.
bool InForkedChild();
inline constexpr char kForkedChildText[] = "a child process cannot use its parent's databases";

// With the world stopped, around a fork. No effect without a session.
void PersistenceBeforeFork();
void PersistenceAfterForkInParent();
void PersistenceAfterForkInChild();

// The system refuses the rest of the process a mapping: frees half of those that protections of
// frames take, for good. False: there are too few to be worth it. Any thread that no collection
// stops meanwhile.
bool GiveUpMappings();

// Null when there is none yet.
stabilize::Session* ExistingSession();

// The top-level transaction that the calling thread works in or has worked in last; 0: none.
uint64_t OwnTransaction();
// What the session's answer to a trap or a store barrier means for the thread. When the
// transaction is over, the turn of the next one comes. In program_session.cc.
FaultAnswer AnswerOf(const stabilize::FaultAnswer& answer);

// Before a trap's Aborted is raised, outside of the signal handler: rolls the transaction back,
// with the world stopped.
void FinishAbortedTransaction();

}  // namespace tenure::runtime
