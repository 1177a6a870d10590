// The session of a program that uses databases. Only runtime/external/database.cc and the entry
// points of store barriers refer to this file, so that a program without databases has neither the
// session nor a store.
#include <unistd.h>

#include <algorithm>
#include <string>

#include "base/exit_status.h"
#include "base/machine_limits.h"
#include "base/process_fence.h"
#include "base/process_memory.h"
#include "base/shared_processor.h"
#include "base/standard_error.h"
#include "runtime/exceptions/known_exceptions.h"
#include "runtime/sessions/persistence.h"
#include "runtime/start/exit_actions.h"
#include "runtime/start/memory_plan.h"
#include "runtime/start/runtime.h"
#include "runtime/threads/mutator.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/transaction_turns.h"
#include "runtime/traps/traps.h"
#include "stabilize/frames/mapping_quota.h"
#include "stabilize/session/session.h"

namespace tenure::runtime {
namespace {

FaultAnswer Raise(const abi::ExceptionDescriptor* exception, const char* text) {
  return {FaultAnswer::Kind::kRaise, exception, text};
}

// In a signal handler.
FaultAnswer AnswerFault(uintptr_t address, bool is_write, void*) {
  stabilize::Session* session = ExistingSession();
  if (session == nullptr) return {};
  if (InForkedChild()) {
    return session->Owns(reinterpret_cast<const void*>(address))
               ? Raise(known_exceptions::DatabaseFailure(), kForkedChildText)
               : FaultAnswer{};
  }
  return AnswerOf(
      session->HandleFault(reinterpret_cast<const void*>(address), is_write, OwnTransaction()));
}

// Aborts the open transactions and closes the databases.
void ShutDown() {
  // Afterwards a stopped thread may have a stream's lock, since it was waiting in `write`.
  FlushAtTheEnd();
  // Stop the world for good: no other thread may touch a database from now on.
  Runtime::Get().heap().StopWorld();
  const Status status = ExistingSession()->Shutdown();
  if (!status.ok()) {
    WriteToStandardError(std::string("*** closing the databases: ") + status.text() + "\n");
    FailAtTheEnd();
  }
}

void FinishAbort() {
  if (!ExistingSession()->abort_pending()) return;
  gc::Heap& heap = Runtime::Get().heap();
  heap.StopWorld();
  ExistingSession()->FinishAbort();
  heap.ResumeWorld();
}

constexpr SessionActions kSessionActions = {
    .shut_down = ShutDown,
    .finish_abort = FinishAbort,
    // The lock is held around the fork, which the analysis cannot follow.
    .before_fork = []() TN_NO_LOCK_ANALYSIS { ExistingSession()->BeforeFork(); },
    .after_fork_in_parent = []() TN_NO_LOCK_ANALYSIS { ExistingSession()->AfterForkInParent(); },
    .after_fork_in_child = [] { ExistingSession()->AfterForkInChild(); },
    .give_up_mappings = stabilize::GiveUpMappings,
};

stabilize::SessionOptions SessionOptionsOf(const Options& options) {
  stabilize::SessionOptions result;
  result.cluster = options.cluster;
  result.recovery = options.recovery;
  result.store.bdb.redo = stabilize::HasRedoLog(options.recovery);
  result.recovery_block = options.recovery_block;
  result.commit_report = options.commit_report;
  result.paranoid = options.database_paranoid;
  result.barriers = Runtime::Get().program().barriers;
  result.paranoid_barriers =
      options.barriers_paranoid && result.barriers == abi::StoreBarriers::kSoftware;
  result.while_waiting = WaitInSession;
  result.store.kind = options.page_server;
  result.store.fail = options.database_faults;
  result.memory_bytes = MemoryOf(options);
  const uint64_t cache = result.store.bdb.cache_bytes = ServerCacheOf(options);
  if (options.database_cache_bytes != 0) result.frame_bytes = options.database_cache_bytes - cache;
  if (options.frame_bytes != 0) result.frame_bytes = options.frame_bytes;
  result.twin_bytes = options.twin_bytes;
  result.pages_read_ahead = options.pages_read_ahead;
  result.pages_opened_together = options.pages_opened_together;
  result.pages_stay_open = options.pages_stay_open;
  if (!options.shares_processor) SharedProcessor::Forbid();
  result.mapping.tier = options.fault_tier;
  result.mapping.random_base = options.database_base_random;
  return result;
}

}  // namespace

FaultAnswer AnswerOf(const stabilize::FaultAnswer& answer) {
  using Kind = stabilize::FaultAnswer::Kind;
  using Error = stabilize::FaultAnswer::Error;
  if (answer.kind == Kind::kNotOurs) return {};
  if (answer.kind == Kind::kResolved) return {FaultAnswer::Kind::kResolved, nullptr, nullptr};
  const char* text = answer.status.text();
  const stabilize::Session* const session = ExistingSession();
  Mutator* const mutator = Mutator::Current();
  if (session != nullptr && mutator != nullptr && mutator->transaction != 0 &&
      session->EndedByFailure(mutator->transaction)) {
    mutator->transaction = 0;
    return Raise(known_exceptions::TransactionAborted(), text);
  }
  switch (answer.error) {
    case Error::kTransactionNotInProgress:
      return Raise(known_exceptions::TransactionNotInProgress(), text);
    case Error::kTypeMismatch: return Raise(known_exceptions::DatabaseTypeMismatch(), text);
    case Error::kMissing: return Raise(known_exceptions::DatabaseMissing(), text);
    case Error::kReadOnly: return Raise(known_exceptions::TransactionReadOnly(), text);
    case Error::kAborted:
      TransactionTurns::OfProcess().ReaderEnded(OwnTransaction());
      TransactionTurns::OfProcess().Ended();
      return Raise(known_exceptions::TransactionAborted(), text);
    case Error::kNone:
    case Error::kFailure: break;
  }
  return Raise(known_exceptions::DatabaseFailure(), text);
}

stabilize::Session& PersistenceSession() {
  if (stabilize::Session* session = ExistingSession()) return *session;
  Runtime& runtime = Runtime::Get();
  const gc::Heap::WithoutStops lock(runtime.heap());
  if (ExistingSession() == nullptr) {
    // The heap can be collected, and has its part in what is needed.
    const uint64_t taken = AnonymousBytes(), heap = runtime.heap().HeapBytes();
    if (const std::string why =
            WhyTooLittleMemory(runtime.options(), taken - std::min(taken, heap));
        !why.empty()) {
      WriteToStandardError("*** too little memory: " + why + "\n");
      FlushAtTheEnd();
      _exit(kExitUsage);
    }
    const abi::ProgramInfo& program = runtime.program();
    // Never destroyed: a thread may fault until the process ends.
    auto* const session = new stabilize::Session(
        runtime.heap(), &program, stabilize::ProgramTypes(program.types, program.type_count),
        SessionOptionsOf(runtime.options()));
    // Most often all other threads wait: for the disk, or for their turn.
    AskBeforeFences(Mutator::OthersRun);
    SetSession(*session, kSessionActions);
    SetFaultHandler(AnswerFault);
  }
  return *ExistingSession();
}

}  // namespace tenure::runtime
