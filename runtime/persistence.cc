#include "runtime/persistence.h"

#include <algorithm>
#include <atomic>
#include <string>

#include "base/machine_limits.h"
#include "base/standard_error.h"
#include "runtime/exit_actions.h"
#include "runtime/known_exceptions.h"
#include "runtime/mutator.h"
#include "runtime/runtime.h"
#include "runtime/transaction_turns.h"
#include "runtime/traps.h"
#include "stabilize/frames/block_table.h"
#include "stabilize/frames/fault_tiers.h"
#include "stabilize/frames/mapping_quota.h"
#include "stabilize/session/session.h"

namespace tenure::runtime {
namespace {

std::atomic<stabilize::Session*> the_session{nullptr};
std::atomic<bool> session_is_parents{false};

FaultAnswer Raise(const abi::ExceptionDescriptor* exception, const char* text) {
  return {FaultAnswer::Kind::kRaise, exception, text};
}

// In a signal handler.
FaultAnswer AnswerFault(uintptr_t address, bool is_write, void*) {
  stabilize::Session* session = the_session.load();
  if (session == nullptr) return {};
  if (InForkedChild()) {
    return session->Owns(reinterpret_cast<const void*>(address))
               ? Raise(known_exceptions::DatabaseFailure(), kForkedChildText)
               : FaultAnswer{};
  }
  return AnswerOf(
      session->HandleFault(reinterpret_cast<const void*>(address), is_write, OwnTransaction()));
}

// Aborts the open transactions and closes the databases. This is the last exit action: the others
// may still use databases.
void ShutDown() {
  stabilize::Session* session = the_session.load();
  // The databases are the parent's.
  if (session == nullptr || InForkedChild()) return;
  // Afterwards a stopped thread may have a stream's lock, since it was waiting in `write`.
  FlushAtTheEnd();
  // For good: no other thread may touch a database from here on.
  Runtime::Get().heap().StopWorld();
  const Status status = session->Shutdown();
  if (!status.ok()) {
    WriteToStandardError(std::string("*** closing the databases: ") + status.text() + "\n");
  }
}

// Of a bounded memory, the page server's cache has this part at most. What it does not find there
// the system's own cache of files most often has.
constexpr uint64_t kCachePart = 32;

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
  result.store.kind = options.page_server;
  result.store.fail = options.database_faults;
  uint64_t& cache = result.store.bdb.cache_bytes;
  result.memory_bytes = MemoryOf(options);
  if (const uint64_t budget = options.database_cache_bytes; budget != 0) {
    // One budget for Berkeley DB's cache and for the pages in memory.
    cache = std::max(budget / 4, kLeastServerCache);
    result.frame_bytes = budget - cache;
  } else {
    cache = std::min(cache, std::max(result.memory_bytes / kCachePart, kLeastServerCache));
  }
  if (options.frame_bytes != 0) result.frame_bytes = options.frame_bytes;
  result.twin_bytes = options.twin_bytes;
  result.pages_read_ahead = options.pages_read_ahead;
  result.pages_opened_together = options.pages_opened_together;
  result.pages_stay_open = options.pages_stay_open;
  result.mapping.tier = options.fault_tier;
  result.mapping.random_base = options.database_base_random;
  return result;
}

}  // namespace

uint64_t OwnTransaction() {
  const Mutator* const mutator = Mutator::Current();
  return mutator != nullptr ? mutator->transaction : 0;
}

FaultAnswer AnswerOf(const stabilize::FaultAnswer& answer) {
  using Kind = stabilize::FaultAnswer::Kind;
  using Error = stabilize::FaultAnswer::Error;
  if (answer.kind == Kind::kNotOurs) return {};
  if (answer.kind == Kind::kResolved) return {FaultAnswer::Kind::kResolved, nullptr, nullptr};
  const char* text = answer.status.text();
  const stabilize::Session* const session = the_session.load();
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

Status StartPersistence() {
  if (const uint64_t mappings = Runtime::Get().options().mappings; mappings != 0) {
    stabilize::MappingQuota::OfProcess().SetLimit(mappings);
  }
  if (Runtime::Get().options().fault_tier == stabilize::FaultTier::kUserfaultfd) {
    TN_RETURN_IF_ERROR(stabilize::ProbeUserfaultfd());
  }
  if (Runtime::Get().program().barriers != abi::StoreBarriers::kTrap) {
    TN_RETURN_IF_ERROR(stabilize::BlockTable::Reserve());
  }
  if (stabilize::MarksBlocks(Runtime::Get().options().recovery) &&
      Runtime::Get().program().barriers != abi::StoreBarriers::kSoftware) {
    return Status(StatusCode::kInvalidArgument,
                  "@M3recovery=sd and sl need a program built with --barriers=software");
  }
  RegisterExitAction(ShutDown);
  return Status::Ok();
}

stabilize::Session& PersistenceSession() {
  if (stabilize::Session* session = the_session.load()) return *session;
  Runtime& runtime = Runtime::Get();
  const gc::Heap::WithoutStops lock(runtime.heap());
  if (the_session.load() == nullptr) {
    const abi::ProgramInfo& program = runtime.program();
    // Never destroyed: a thread may fault until the process ends.
    the_session = new stabilize::Session(runtime.heap(), &program,
                                         stabilize::ProgramTypes(program.types, program.type_count),
                                         SessionOptionsOf(runtime.options()));
    SetFaultHandler(AnswerFault);
  }
  return *the_session.load();
}

bool InForkedChild() { return session_is_parents.load(std::memory_order_relaxed); }

void NoteForkedChild() { session_is_parents = the_session.load() != nullptr; }

stabilize::Session* ExistingSession() { return the_session.load(); }

void FinishAbortedTransaction() {
  stabilize::Session* const session = the_session.load();
  if (session == nullptr || InForkedChild() || !session->abort_pending()) return;
  gc::Heap& heap = Runtime::Get().heap();
  heap.StopWorld();
  session->FinishAbort();
  heap.ResumeWorld();
}

}  // namespace tenure::runtime
