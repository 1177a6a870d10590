// Connects stabilize/ with this process: faults, exceptions, the end of the program.
//
// A program that opens no database has no session, and links none: what every program calls
// reaches the session through SessionActions (persistence.cc), and only what uses databases refers
// to program_session.cc.
#pragma once

#include "base/result.h"
#include "runtime/traps/traps.h"

namespace tenure::stabilize {
class Session;
struct FaultAnswer;
}  // namespace tenure::stabilize

namespace tenure::runtime {

// Call once, after the heap exists and the trap handlers are installed. Fails when a flag asks for
// a kind of faults that this machine does not have.
Status StartPersistence();

// The operations of the session at certain moments of the process. Called only when there is a
// session; never in a forked child, except the functions about forks.
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

// Whether this process is a forked child of the one that made the session: then neither the session
// nor its databases may be used. Only when there is a session.
bool InForkedChild();
inline constexpr char kForkedChildText[] = "a child process cannot use its parent's databases";

// With the world stopped, around a fork. No effect without a session.
void PersistenceBeforeFork();
void PersistenceAfterForkInParent();
void PersistenceAfterForkInChild();

// Called when the system refuses the process a mapping: frees half of those that protections of
// frames take, for good. False: there are too few to be worth it. Any thread that no collection
// stops meanwhile.
bool GiveUpMappings();

// Null when there is none yet.
stabilize::Session* ExistingSession();

// The top-level transaction that the calling thread works in or has worked in last; 0: none.
uint64_t OwnTransaction();
// The run time's form of the session's answer to a trap or a store barrier. When the transaction is
// over, the turn of the next one comes. In program_session.cc.
FaultAnswer AnswerOf(const stabilize::FaultAnswer& answer);

// Before a trap's Aborted is raised, outside of the signal handler: rolls the transaction back,
// with the world stopped.
void FinishAbortedTransaction();

}  // namespace tenure::runtime
