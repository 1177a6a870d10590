// The C side of the library's Database and Transaction. Each function answers a status; the
// Modula-3 side raises. The text of the last failure is kept for it.

#include <chrono>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "abi/entry_points.h"
#include "base/shared_processor.h"
#include "base/standard_error.h"
#include "runtime/exceptions/exceptions.h"
#include "runtime/heap/text.h"
#include "runtime/sessions/session_entry.h"
#include "runtime/start/runtime.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/threads.h"
#include "runtime/threads/transaction_turns.h"
#include "store/format/status_text.h"

using namespace tenure::runtime;
using tenure::Status;
using tenure::StatusCode;
using tenure::abi::Ref;
using tenure::stabilize::Database;
using tenure::stabilize::Reach;
using tenure::stabilize::Session;
using tenure::stabilize::TransactionEnd;
using tenure::stabilize::TransactionEnded;

// In this namespace, so that reports on where a transaction began leave these functions out.
namespace tenure::runtime {
namespace {

// The values are those of RTDatabase.i3.
enum class Outcome : int64_t {
  kOk = 0,
  kDatabaseExists = 1,
  kDatabaseNotFound = 2,
  kDatabaseOpen = 3,
  kNameInUse = 4,
  kNameNotFound = 5,
  kFailure = 6,
  kTypeMismatch = 7,
  kMissing = 8,
  kTransactionInProgress = 9,
  kTransactionNotInProgress = 10,
  kAborted = 11,
  kOutcomeUnknown = 12,
  kAlerted = 13,
  kReadOnly = 14,
};

int64_t Answer(Outcome outcome, const char* message) {
  AttachedMutator().last_message = message;
  return static_cast<int64_t>(outcome);
}

// Failures that mean the same everywhere.
Outcome CommonOutcome(const Status& status) {
  switch (status.code()) {
    case StatusCode::kTypeMismatch: return Outcome::kTypeMismatch;
    case StatusCode::kConflict: return Outcome::kAborted;
    case StatusCode::kUnknownOutcome: return Outcome::kOutcomeUnknown;
    default: return Outcome::kFailure;
  }
}

// The answer of Create, Open, Delete, Close.
int64_t AnswerForDatabase(const Status& status) {
  if (status.ok()) return 0;
  Outcome outcome = CommonOutcome(status);
  switch (status.code()) {
    case StatusCode::kExists: outcome = Outcome::kDatabaseExists; break;
    case StatusCode::kNotFound: outcome = Outcome::kDatabaseNotFound; break;
    case StatusCode::kTransactionOpen: outcome = Outcome::kTransactionInProgress; break;
    case StatusCode::kOpenHere: outcome = Outcome::kDatabaseOpen; break;
    case StatusCode::kInUse:
      // Without a process id a program has opened the database, not the store.
      if (status.number() == 0) outcome = Outcome::kDatabaseOpen;
      break;
    default: break;
  }
  return Answer(outcome, status.text());
}

// For operations in an open transaction: kNotFound means that the store lacks an object or a page.
int64_t AnswerForTransaction(const Status& status) {
  if (status.ok()) return 0;
  Outcome outcome = CommonOutcome(status);
  if (status.code() == StatusCode::kAborted) outcome = Outcome::kAborted;
  if (status.code() == StatusCode::kNoTransaction) outcome = Outcome::kTransactionNotInProgress;
  if (status.code() == StatusCode::kReadOnly) outcome = Outcome::kReadOnly;
  return Answer(outcome, status.text());
}

Database* DatabaseOf(void* handle) { return static_cast<Database*>(handle); }

uint64_t TransactionOf(const void* handle) { return reinterpret_cast<uint64_t>(handle); }

std::string_view Name(const char* characters, int64_t count) {
  return {characters, static_cast<size_t>(count)};
}

int64_t ClosedAnswer() { return Answer(Outcome::kFailure, "the database is closed"); }

int64_t NoTransactionAnswer() {
  return Answer(Outcome::kTransactionNotInProgress,
                "no transaction is in progress: begin a transaction first");
}

// Whether the session must be asked whether this transaction is open: looking costs nothing.
bool MayBeOpen(uint64_t transaction) {
  const Session* const session = ExistingSession();
  return session != nullptr && session->MayBeOpen(transaction);
}

bool IsOpen(const void* handle) {
  if (!MayBeOpen(TransactionOf(handle))) return false;
  return AskSession([&](const Session& session) { return session.IsOpen(TransactionOf(handle)); });
}

// Whether a failed sync has ended the calling thread's transaction, and the thread has not been
// told.
bool LearnsOfRollback() {
  uint64_t& own = AttachedMutator().transaction;
  const Session* const session = ExistingSession();
  if (own == 0 || session == nullptr || !session->HasEndedAnyByFailure() ||
      !AskSession([&](const Session& s) { return s.EndedByFailure(own); })) {
    return false;
  }
  own = 0;
  return true;
}

int64_t RolledBackAnswer() {
  return Answer(Outcome::kAborted,
                "the transaction was rolled back when a sync of its store's log failed");
}

// The answer when this transaction is not open any more.
int64_t NotOpenAnswer() { return LearnsOfRollback() ? RolledBackAnswer() : NoTransactionAnswer(); }

// The answer to an operation that may itself have found that a sync had failed, and have ended the
// thread's transaction. After its ExclusiveSession.
int64_t AnswerAfter(const Status& status) {
  return !status.ok() && LearnsOfRollback() ? RolledBackAnswer() : AnswerForTransaction(status);
}

// The serial number of the top-level transaction that this one is in; 0: it is not open.
uint64_t TopOf(uint64_t transaction) {
  return AskSession([&](const Session& session) { return session.TopOf(transaction); });
}

// Whether a thread that has its turn finds the databases free; not exact, since others may begin.
bool MayBegin() {
  return AskSession([&](const Session& session) { return session.MayBegin(/*read_only=*/false); });
}

// After an operation that may have ended this read-only transaction.
void NoteEndOfReader(uint64_t top) {
  if (AskSession([&](const Session& session) { return session.IsOpen(top); })) return;
  TransactionTurns& turns = TransactionTurns::OfProcess();
  turns.ReaderEnded(top);
  if (MayBegin()) turns.Ended();
}

// The answer to a thread whose turn would never come.
int64_t AbandonedAnswer(const std::string& who) {
  const Status status = tenure::store::Failure(
      StatusCode::kAborted,
      "a transaction that no thread works in any more is open, and must be ended before another "
      "one begins: " +
          who + ", and has ended");
  return Answer(Outcome::kFailure, status.text());
}

// The newest commit that may not be durable yet, or 0.
uint64_t NewestCommit() {
  return AskSession([](Session& session) { return session.ordered_commits().Newest(); });
}

// Whether other threads could run while the calling one waits for the disk.
bool HasOthers() {
  Mutator::LockList();
  const bool alone = Mutator::IsAlone();
  Mutator::UnlockList();
  return !alone;
}

// Waits until an ordered commit is durable, and returns the answer. The thread is parked meanwhile.
int64_t AwaitDurable(uint64_t ordered) {
  if (ordered == 0) return 0;
  std::optional<Status> known;
  {
    const ParkedRegion waiting;
    SharedProcessor::NoteWait();
    known = ExistingSession()->ordered_commits().Await(ordered);
  }
  // This wait is not the thread's work.
  TransactionTurns::NoteReturn();
  if (!known) known = ExclusiveSession()->SettleCommit(ordered);
  return AnswerForTransaction(*known);
}

// Ends the transaction. A commit waits until it is durable; or *ticket, if not null, gets the
// number of the commit to wait for, 0 if all is durable.
int64_t End(const void* handle, TransactionEnd how, uint64_t* ticket = nullptr) {
  const uint64_t transaction = TransactionOf(handle);
  if (!MayBeOpen(transaction)) return NotOpenAnswer();
  TransactionTurns& turns = TransactionTurns::OfProcess();
  uint64_t ordered = 0;
  uint64_t* const wanted =
      how != TransactionEnd::kAbort && (ticket != nullptr || HasOthers()) ? &ordered : nullptr;
  // No other thread works in it: then it may end while others run.
  const bool is_mine = how == TransactionEnd::kCommit && wanted != nullptr && !InForkedChild() &&
                       turns.IsOnlyWorker(transaction);
  if (is_mine) turns.EndsSoon();
  Reach reached = Reach::kBesideOthers;
  const TransactionEnded ended = EnterSession(
      [&](Session& session) {
        const bool asks = how == TransactionEnd::kCommit || how == TransactionEnd::kCheckpoint;
        if (asks) session.AskForCommit(transaction);
        return Status::Ok();
      },
      [&](Session& session, Reach reach, const Status&) {
        reached = reach;
        return session.End(reach, transaction, how,
                           is_mine || reach == Reach::kAlone ? wanted : nullptr);
      });
  const bool reads = ended.reader != 0;
  if (reads) {
    NoteEndOfReader(ended.reader);
  } else if (is_mine && reached == Reach::kBesideOthers) {
    turns.Ended();
    TransactionTurns::NoteReturn();
  }
  if (ended.status.code() == StatusCode::kNoTransaction) return NotOpenAnswer();
  const int64_t answer = AnswerAfter(ended.status);
  if (answer != 0 || how == TransactionEnd::kAbort) return answer;
  // The commits that a read-only transaction has seen came before its begin.
  if (reads) ordered = NewestCommit();
  if (ticket == nullptr) return AwaitDurable(ordered);
  *ticket = ordered;
  return 0;
}

// A Transaction.T often lies beside objects that the program has made persistent. In a read-only
// transaction this store must not hide stores to these.
void StoreHandle(void** handle, uint64_t transaction) {
  const bool stored =
      AskSession([&](Session& session) { return session.StoreNumber(transaction, handle); });
  if (!stored) *handle = reinterpret_cast<void*>(transaction);
}

// Begins a child of the transaction in which the thread works. Nothing: it works in no transaction.
std::optional<int64_t> BeginChild(void** handle, bool read_only) {
  const uint64_t own = AttachedMutator().transaction;
  if (own == 0 || !MayBeOpen(own)) return std::nullopt;
  const tenure::Result<uint64_t> child = EnterSession(
      [&](Session& session, Reach reach) { return session.BeginChild(reach, own, read_only); });
  if (child.status().code() == StatusCode::kNoTransaction) return std::nullopt;
  if (!child.ok()) return AnswerForTransaction(child.status());
  StoreHandle(handle, *child);
  return 0;
}

// Begins a top-level transaction. A serial number, or why not; nothing: it is not the thread's
// turn. `again`: the serial number of a read-only transaction that begins again, or 0.
std::optional<tenure::Result<uint64_t>> BeginTop(const TransactionTurns::Place& place,
                                                 uint64_t again) {
  const bool read_only = place.read_only();
  if (!place.IsFirst()) return std::nullopt;
  // Threads that wait for their turns do not keep the locks from the one that works.
  const Session* const session = ExistingSession();
  if (!read_only && session != nullptr && session->IsAnyOpen()) return std::nullopt;
  const Status not_its_turn(StatusCode::kTransactionOpen, "");
  tenure::Result<uint64_t> begun =
      EnterSession([&](Session& entered, Reach reach) -> std::optional<tenure::Result<uint64_t>> {
        // Another thread may have come first while the world was being stopped.
        if (reach == Reach::kAlone && !place.IsFirst()) return not_its_turn;
        return entered.BeginTop(reach, read_only, again);
      });
  if (begun.status().code() == StatusCode::kTransactionOpen) return std::nullopt;
  return begun;
}

// `frame_address`: of the entry point that the library called (CaptureCallers).
int64_t Begin(void** handle, TransactionTurns::Place& place, uint64_t again,
              const void* frame_address) {
  RequireDatabases();
  if (LearnsOfRollback()) return RolledBackAnswer();
  TransactionTurns& turns = TransactionTurns::OfProcess();
  const bool read_only = place.read_only();
  if (read_only) LeaveSharedProcessor();
  for (;;) {
    if (IsOpen(*handle)) {
      return Answer(Outcome::kTransactionInProgress, "the transaction is in progress");
    }
    if (const auto answer = BeginChild(handle, read_only)) return *answer;
    if (const auto transaction = BeginTop(place, again)) {
      if (!transaction->ok()) return AnswerForTransaction(transaction->status());
      AttachedMutator().transaction = **transaction;
      if (again == 0) turns.Began(**transaction, read_only, /*workers=*/1, frame_address);
      const bool has_waited = place.queued();
      place.Leave();
      // The next one may read beside it.
      if (read_only && has_waited) turns.Ended();
      if (read_only) {
        StoreHandle(handle, **transaction);
      } else {
        *handle = reinterpret_cast<void*>(**transaction);
      }
      return 0;
    }
    // The end of a transaction wakes queued threads. It may have come before this thread was
    // queued.
    if (!place.queued()) {
      place.Enter();
      continue;
    }
    TransactionTurns::Holder holder;
    const auto event = place.Await(&holder);
    using Event = TransactionTurns::Place::Event;
    if (event == Event::kAlerted) return Answer(Outcome::kAlerted, "the thread was alerted");
    if (event == Event::kLook || !IsOpen(reinterpret_cast<void*>(holder.transaction))) continue;
    const std::string who = holder.Text();
    if (event == Event::kAbandoned) return AbandonedAnswer(who);
    tenure::WriteToStandardError(
        "*** thread " + std::to_string(Mutator::CurrentId()) +
        " waits to begin a transaction until the open one has ended: " + who + "\n");
  }
}

// One byte of each page of the object. The touch asks for the permission, and may raise.
void TouchObject(Ref object, bool write) {
  const auto touch = [write](char* byte) {
    if (write) {
      // Not the compiler's atomic operation: the compiler may see that nothing changes and only
      // read.
      asm volatile("lock orb $0, %0" : "+m"(*byte));
    } else {
      static_cast<void>(__atomic_load_n(byte, __ATOMIC_RELAXED));
    }
  };
  auto* begin = static_cast<char*>(object);
  touch(begin);
  const tenure::abi::TypeDescriptor& type = *tenure::abi::ObjectHeader::Of(object)->type();
  const size_t bytes = tenure::abi::PayloadBytes(type, object);
  for (size_t at = tenure::abi::kPageBytes; at < bytes; at += tenure::abi::kPageBytes) {
    touch(begin + at);
  }
  touch(begin + bytes - 1);
}

}  // namespace
}  // namespace tenure::runtime

extern "C" {

Ref tn_database_message() { return NewText(AttachedMutator().last_message); }

int64_t tn_database_create(const char* name, int64_t length) {
  return AnswerForDatabase(ExclusiveSession()->CreateDatabase(Name(name, length)));
}

int64_t tn_database_open(const char* name, int64_t length, void** handle) {
  const tenure::Result<Database*> database = ExclusiveSession()->OpenDatabase(Name(name, length));
  if (!database.ok()) {
    const Status status = database.status();
    if (status.code() == StatusCode::kExists) return Answer(Outcome::kDatabaseOpen, status.text());
    return AnswerForDatabase(status);
  }
  *handle = *database;
  return 0;
}

int64_t tn_database_delete(const char* name, int64_t length) {
  return AnswerForDatabase(ExclusiveSession()->DeleteDatabase(Name(name, length)));
}

int64_t tn_database_close(void* handle) {
  if (handle == nullptr) return ClosedAnswer();
  return AnswerForDatabase(ExclusiveSession()->CloseDatabase(DatabaseOf(handle)));
}

int64_t tn_database_get_root(void* handle, Ref* root) {
  if (handle == nullptr) return ClosedAnswer();
  if (LearnsOfRollback()) return RolledBackAnswer();
  const uint64_t own = AttachedMutator().transaction;
  const auto store = [&](const tenure::Result<Ref>& result) {
    if (!result.ok()) return result.status();
    *root = *result;
    tenure::abi::tn_mark_cards(root, sizeof *root);
    return Status::Ok();
  };
  const int64_t outcome = AnswerAfter(EnterSession(
      [&](Session& session) {
        return session.AskForRoot(DatabaseOf(handle), /*is_write=*/false, own);
      },
      // A collection must not run before the root is stored.
      [&](Session& session, Reach reach, const Status& asked) -> std::optional<Status> {
        const auto result = session.GetRoot(reach, DatabaseOf(handle), own, asked);
        if (!result) return std::nullopt;
        return store(*result);
      }));
  if (outcome != 0) NoteEndOfReader(own);
  return outcome;
}

int64_t tn_database_set_root(void* handle, Ref root) {
  if (handle == nullptr) return ClosedAnswer();
  if (LearnsOfRollback()) return RolledBackAnswer();
  const uint64_t own = AttachedMutator().transaction;
  const tenure::Status asked = AskBeforeStop([&](Session& session) {
    return session.AskForRoot(DatabaseOf(handle), /*is_write=*/true, own);
  });
  const int64_t outcome =
      AnswerAfter(ExclusiveSession()->SetRoot(DatabaseOf(handle), root, own, asked));
  if (outcome != 0) NoteEndOfReader(own);
  return outcome;
}

int64_t tn_transaction_begin(void** handle) {
  TransactionTurns::Place place(TransactionTurns::OfProcess());
  return Begin(handle, place, /*again=*/0, __builtin_frame_address(0));
}

int64_t tn_transaction_begin_read_only(void** handle) {
  TransactionTurns::Place place(TransactionTurns::OfProcess(), /*read_only=*/true);
  return Begin(handle, place, /*again=*/0, __builtin_frame_address(0));
}

int64_t tn_transaction_alert_begin(void** handle, uint64_t* permit, const uint8_t* alerted) {
  TransactionTurns::Place place(TransactionTurns::OfProcess(), permit, alerted);
  return Begin(handle, place, /*again=*/0, __builtin_frame_address(0));
}

int64_t tn_transaction_commit(void** handle) { return End(*handle, TransactionEnd::kCommit); }

int64_t tn_transaction_commit_later(void** handle, uint64_t* ticket) {
  const int64_t answer = End(*handle, TransactionEnd::kCommit, ticket);
  if (answer != 0 || *ticket == 0) return answer;
  const StopsHeld held;
  ExistingSession()->ordered_commits().MakeDurableInBackground(*ticket);
  return 0;
}

int64_t tn_ticket_wait(uint64_t ticket) { return AwaitDurable(ticket); }

uint8_t tn_ticket_is_durable(uint64_t ticket) {
  if (ticket == 0) return 1;
  const StopsHeld held;
  const std::optional<Status> known = ExistingSession()->ordered_commits().Outcome(ticket);
  return known && known->ok() ? 1 : 0;
}

int64_t tn_transaction_chain(void** handle) {
  const uint64_t transaction = TransactionOf(*handle);
  const bool waits =
      AskSession([&](const Session& session) { return session.KeepsPagesFromOthers(transaction); });
  if (!waits) return End(*handle, TransactionEnd::kChain);
  const std::optional<TransactionEnded> ended = AskSession([&](Session& session) {
    return session.End(Reach::kBesideOthers, transaction, TransactionEnd::kCommit);
  });
  if (!ended) return End(*handle, TransactionEnd::kChain);
  const int64_t answer =
      ended->status.ok() ? AwaitDurable(NewestCommit()) : AnswerForTransaction(ended->status);
  if (answer != 0) {
    NoteEndOfReader(transaction);
    return answer;
  }
  // It goes on, with its number and its threads, behind those that wait.
  if (MayBegin()) TransactionTurns::OfProcess().Ended();
  TransactionTurns::Place place(TransactionTurns::OfProcess(), /*read_only=*/true);
  return Begin(handle, place, transaction, __builtin_frame_address(0));
}

int64_t tn_transaction_checkpoint(void** handle) {
  return End(*handle, TransactionEnd::kCheckpoint);
}

int64_t tn_transaction_abort(void** handle) { return End(*handle, TransactionEnd::kAbort); }

uint8_t tn_transaction_is_open(void* handle) { return IsOpen(handle) ? 1 : 0; }

int64_t tn_transaction_lock(void* handle, Ref object, uint8_t write) {
  if (!IsOpen(handle)) return NotOpenAnswer();
  // Only persistent objects have locks; a text literal must not be written.
  if (object == nullptr) return 0;
  bool holds = false;
  if (write == 0) {
    holds = AskSession([&](Session& session) { return session.HoldsObjectAt(object); });
  } else {
    const tenure::Status asked = AskBeforeStop([&](Session& session) {
      return session.AskForWriting(object, AttachedMutator().transaction);
    });
    const std::optional<Status> locked = [&]() -> std::optional<Status> {
      const ExclusiveSession session;
      // Another thread may have ended it before the threads were stopped.
      if (!session->IsOpen(TransactionOf(handle))) return std::nullopt;
      holds = session->HoldsObjectAt(object);
      // The page of a displaced object may be open already, because of its neighbours.
      return holds ? session->LockForWriting(object, asked) : Status::Ok();
    }();
    if (!locked) return NotOpenAnswer();
    if (!locked->ok()) return AnswerAfter(*locked);
  }
  if (holds) TouchObject(object, write != 0);
  return 0;
}

int64_t tn_transaction_depth() {
  const uint64_t own = AttachedMutator().transaction;
  return AskSession(
      [&](const Session& session) { return static_cast<int64_t>(session.DepthOf(own)); });
}

// All threads see the changes of the one open transaction. After the join, a transaction that this
// thread begins is its child.
int64_t tn_transaction_join(void* handle) {
  const uint64_t top = TopOf(TransactionOf(handle));
  if (top == 0) return NoTransactionAnswer();
  uint64_t& own = AttachedMutator().transaction;
  if (own != top) TransactionTurns::OfProcess().WorkerCame(top);
  own = top;
  return 0;
}

int64_t tn_database_statistic(int64_t which) {
  const auto statistics = AskSession([](Session& session) { return session.statistics(); });
  // In the order of DatabaseStatistics.Kind.
  const uint64_t counters[] = {
      statistics.read_faults,
      statistics.write_faults,
      statistics.pages_read,
      statistics.bytes_read,
      statistics.pages_written,
      statistics.bytes_written,
      statistics.commits,
      statistics.objects_named,
      statistics.bytes_named,
      statistics.objects_moved_home,
      statistics.objects_displaced,
      statistics.pages_governed,
      statistics.log_bytes,
      statistics.syncs,
      statistics.largest_group,
      statistics.twins_made,
      statistics.twins_compared_early,
      statistics.pages_read_ahead,
      statistics.pages_opened_together,
      statistics.pages_opened_unwritten,
      statistics.pages_kept_open,
      statistics.pages_dropped,
      statistics.pages_spilled,
      statistics.barrier_calls,
      statistics.blocks_marked,
      statistics.blocks_copied,
      statistics.pages_shipped,
      statistics.regions_shipped,
      statistics.missed_barriers,
  };
  if (which < 0 || which >= static_cast<int64_t>(std::size(counters))) return -1;
  return static_cast<int64_t>(counters[which]);
}

// The thread that works in the open top-level transaction: as a text for people, and in parts.
// `thread` 0: none is open. `since` in seconds since 1970.
Ref tn_database_turn(int64_t* thread, double* since, int64_t* waiting) {
  const auto [holder, queued] = TransactionTurns::OfProcess().Now();
  const bool open = holder.transaction != 0 && TopOf(holder.transaction) != 0;
  *waiting = static_cast<int64_t>(queued);
  *thread = 0;
  *since = 0;
  if (!open) return NewText("");
  *thread = holder.thread;
  using std::chrono::duration;
  const auto ago = TransactionTurns::Clock::now() - holder.since;
  *since = duration<double>(std::chrono::system_clock::now().time_since_epoch() - ago).count();
  return NewText(holder.Text().c_str());
}

Ref tn_database_commit_report() {
  const std::string text =
      AskSession([](const Session& session) { return session.CommitReportText(); });
  return NewText(text.c_str());
}

void tn_database_report_commits(uint8_t on) { ExclusiveSession()->CollectCommitReports(on != 0); }

}  // extern "C"
