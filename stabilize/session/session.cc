#include "stabilize/session/session.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/counted_memory.h"
#include "base/mutex.h"
#include "stabilize/frames/store_names.h"
#include "stabilize/session/frame_budget.h"
#include "stabilize/session/nesting.h"
#include "stabilize/session/read_only.h"
#include "stabilize/session/server_transactions.h"
#include "stabilize/session/store_barriers.h"
#include "stabilize/session/transactions.h"
#include "stabilize/state/database_references.h"
#include "stabilize/state/frame_contents.h"
#include "stabilize/state/frame_rules.h"
#include "stabilize/state/open_stores.h"
#include "stabilize/state/paranoid_check.h"
#include "stabilize/state/reference_check.h"
#include "stabilize/state/store_marks.h"
#include "store/format/status_text.h"
#include "store/open.h"

namespace tenure::stabilize {

namespace {

// Holds the lock, and notes at its end which transactions are open.
class Locked {
 public:
  explicit Locked(SessionState& session) : session_(session), guard_(session.lock) {}
  ~Locked() { session_.open.NoteOpen(); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  SessionState& session_;
  LockGuard<SessionLock> guard_;
};

// An operation: holds the lock. If its caller is alone, the operation has finished the rollback of
// a transaction that a trap aborted, and begins, unless the open transaction `stays` open, when no
// thread waits for a page without the lock; at its end no database is open whose memory has a
// commit that the store may lack.
class Operation {
 public:
  explicit Operation(SessionState& session, Reach reach = Reach::kAlone, bool stays = false)
      : session_(session), locked_(session), alone_(reach == Reach::kAlone) {
    if (!alone_) return;
    if (!stays) BeginOperation(session);
    stabilize::FinishAbort(session);
  }
  ~Operation() {
    if (!alone_) return;
    CloseAfterLostCommit(session_);
    CheckFrames(session_);
  }
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;

 private:
  SessionState& session_;
  const Locked locked_;
  const bool alone_;
};

// Calls work(answers) with the lock. The request that request_of() names has been sent before,
// without the lock.
template <typename RequestOf, typename Work>
auto WithAnswers(SessionState& session, RequestOf&& request_of, Work&& work) {
  PageAnswers answers;
  for (;;) {
    std::optional<PageRequest> request;
    {
      const Locked locked(session);
      request = request_of();
      if (!request) return work(PageAnswers());
      if (!answers.Begins(session, *request)) return work(answers);
    }
    answers.Ask(session, *request);
  }
}

Status TransactionInProgress() {
  return Status(StatusCode::kTransactionOpen, "a transaction is in progress");
}

Status NoTransaction() { return Status(StatusCode::kNoTransaction, "no transaction is open"); }

constexpr const char* kHasBeenAborted = "the transaction has been aborted";

// The functions below are called with the session's lock; no aborted transaction is left.

bool IsInUse(const SessionState& session) {
  return session.in_transaction() || !session.open.readers().empty();
}

Status CloseDatabaseOf(SessionState& session, Database& database) {
  if (!database.open()) return database.ClosedFailure();
  if (IsInUse(session)) return TransactionInProgress();
  if (!AwaitOrdered(session).ok()) {
    CloseAfterLostCommit(session);
    return database.ClosedFailure();
  }
  return CloseParts(session, database);
}

// Commits the innermost transaction, a child.
Status CommitChildOf(SessionState& session) {
  if (!ReadOnlyChildHasWritten(session)) {
    CommitChild(session);
    return Status::Ok();
  }
  AbortChild(session);
  return WriteInReadOnly();
}

Status CheckpointOf(SessionState& session, uint64_t transaction, uint64_t* ordered) {
  AbortChildrenOf(session, transaction);
  if (session.depth() == 0) {
    const Status status = CommitChanges(session, /*goes_on=*/true, ordered);
    SendHomeWhenTight(session);
    return status;
  }
  const bool read_only = session.open.innermost().read_only;
  TN_RETURN_IF_ERROR(CommitChildOf(session));
  TN_RETURN_IF_ERROR(BeginChild(session, read_only).status());
  session.open.innermost().serial = transaction;
  return Status::Ok();
}

Status AbortIn(SessionState& session, uint64_t transaction) {
  AbortChildrenOf(session, transaction);
  if (session.depth() > 0) {
    const bool has_written = ReadOnlyChildHasWritten(session);
    AbortChild(session);
    return has_written ? WriteInReadOnly() : Status::Ok();
  }
  Rollback(session);
  EndTransactions(session);
  return Status::Ok();
}

Status CommitIn(SessionState& session, uint64_t transaction, uint64_t* ordered) {
  AbortChildrenOf(session, transaction);
  if (session.depth() > 0) return CommitChildOf(session);
  const Status status = CommitChanges(session, /*goes_on=*/false, ordered);
  EndTransactions(session);
  SendHomeWhenTight(session);
  return status;
}

Status ChainIn(SessionState& session, uint64_t transaction, uint64_t* ordered) {
  TN_RETURN_IF_ERROR(CheckpointOf(session, transaction, ordered));
  if (session.depth() > 0) return Status::Ok();
  // Between the two transactions, pages that other programs wait for are given up.
  std::vector<TransactionLevel> levels = session.open.Suspend();
  EndAtServers(session);
  if (const Status status = StartAtServers(session); !status.ok()) {
    // The transaction is closed: no page may stay open for writing.
    Rollback(session);
    return status;
  }
  session.open.Resume(std::move(levels));
  return Status::Ok();
}

// Of a transaction that writes, or is a child of one. The caller is alone.
Status EndWriter(SessionState& session, uint64_t transaction, TransactionEnd how,
                 uint64_t* ordered) {
  switch (how) {
    case TransactionEnd::kCommit: return CommitIn(session, transaction, ordered);
    case TransactionEnd::kAbort: return AbortIn(session, transaction);
    case TransactionEnd::kCheckpoint: return CheckpointOf(session, transaction, ordered);
    case TransactionEnd::kChain: return ChainIn(session, transaction, ordered);
  }
  return Status::Ok();
}

// Tells the thread that its read-only transaction has been aborted.
void TellReader(SessionState& session, uint64_t top) {
  if (session.open.readers().HasTop(top)) session.open.readers().Remove(top);
}

// kConflict: nothing has been rolled back yet.
Result<abi::Ref> RootOf(SessionState& session, Database& database) {
  if (session.options.paranoid && !database.pending_root()) {
    TN_ASSIGN_OR_RETURN(const PersistentRef root, database.server().Root(database.id()));
    TN_RETURN_IF_ERROR(CheckRootReference(database, root));
  }
  if (!database.pending_root() && database.stored_root().is_object()) {
    const Status status = CheckReference(session, database, database.stored_root(), nullptr);
    if (status.code() == StatusCode::kConflict) return status;
    if (!status.ok()) {
      return Failure(status.code(),
                     "database " + database.Path() + " is damaged: its root is " + status.text());
    }
  }
  // The root may lead to another database, and that to a server.
  return DatabaseReferences(session, database).Root();
}

}  // namespace

Session::Session(gc::Heap& heap, const abi::ProgramInfo* program, ProgramTypes types,
                 const SessionOptions& options)
    : state_(heap, program, types, options) {
  if (options.memory_bytes != 0) {
    BoundFreeMalloc(options.memory_bytes);
    large_blocks_.emplace(options.memory_bytes, state_.spill);
  }
  state_.listener = &callbacks_;
  state_.persistent_space = &bridge_;
}

Session::~Session() { (void)Shutdown(); }

// --- databases ---

Status Session::CreateDatabase(std::string_view path) {
  const Operation operation(state_);
  if (IsInUse(state_)) return TransactionInProgress();
  const DatabasePath parts = SplitDatabasePath(path);
  // A store in memory is not closed: it would be lost.
  if (FindStore(state_, parts.store) == nullptr &&
      state_.options.store.kind == PageServerKind::kBdb) {
    const Status made = CreateStore(parts.store, parts.database, state_.options.store);
    if (made.code() != StatusCode::kExists) return made;
  }
  TN_ASSIGN_OR_RETURN(OpenStoreState* const store,
                      UseStore(state_, parts.store, OpenMode::kOpenOrCreate));
  Result<DatabaseId> id = store->server->OpenDatabase(parts.database, OpenMode::kCreate);
  Status status = id.ok() ? store->server->CloseDatabase(*id) : id.status();
  ReleaseStore(state_, *store);
  return status;
}

Result<Database*> Session::OpenDatabase(std::string_view path) {
  const Operation operation(state_);
  if (IsInUse(state_)) return TransactionInProgress();
  const DatabasePath parts = SplitDatabasePath(path);
  if (Database* open = FindOpen(state_, parts.store, parts.database)) {
    if (open->implicit()) {
      open->SetImplicit(false);
      return open;
    }
    return Status(StatusCode::kOpenHere, "the database is open in this process");
  }
  return OpenParts(state_, parts);
}

Status Session::DeleteDatabase(std::string_view path) {
  const Operation operation(state_);
  if (IsInUse(state_)) return TransactionInProgress();
  const DatabasePath parts = SplitDatabasePath(path);
  if (FindOpen(state_, parts.store, parts.database) != nullptr) {
    return Status(StatusCode::kOpenHere, "the database is open in this process");
  }
  TN_RETURN_IF_ERROR(AwaitOrdered(state_));
  TN_ASSIGN_OR_RETURN(OpenStoreState* const store, UseStore(state_, parts.store, OpenMode::kOpen));
  Status status = store->server->DeleteDatabase(parts.database);
  ReleaseStore(state_, *store);
  return status;
}

Status Session::CloseDatabase(Database* database) {
  const Operation operation(state_);
  return CloseDatabaseOf(state_, *database);
}

Status Session::AskForRoot(Database* database, bool is_write, uint64_t top) {
  return WithAnswers(
      state_, [&] { return RequestOfRoot(state_, *database, is_write, top); },
      [](const PageAnswers& answers) { return answers.status(); });
}

Status Session::AskForWriting(abi::Ref object, uint64_t top) {
  return WithAnswers(
      state_,
      [&] {
        std::optional<PageRequest> request = RequestOfFault(state_, object, /*is_write=*/true, top);
        // A page that is not resident traps at the store, and is asked for then.
        if (request && request->contents) request.reset();
        return request;
      },
      [](const PageAnswers& answers) { return answers.status(); });
}

void Session::AskForCommit(uint64_t transaction) {
  std::vector<PageRequest> requests;
  {
    const Locked locked(state_);
    // False also of a child, and of a transaction that only reads.
    if (!MayTouchNow(state_, /*is_write=*/true, transaction)) return;
    requests = RequestsOfCommit(state_);
  }
  for (const PageRequest& request : requests) {
    const Status asked = WithAnswers(
        state_,
        [&] {
          const bool is_open =
              IsShared(*request.database) && MayTouchNow(state_, /*is_write=*/true, transaction);
          return is_open ? std::optional(request) : std::nullopt;
        },
        [](const PageAnswers& answers) { return answers.status(); });
    // The commit meets the failure, too.
    if (!asked.ok()) return;
  }
}

std::optional<Result<abi::Ref>> Session::GetRoot(Reach reach, Database* database, uint64_t top,
                                                 const Status& asked) {
  const Operation operation(state_, reach, /*stays=*/true);
  if (reach == Reach::kBesideOthers) {
    if (state_.open.abort_pending() || !state_.commits.lost().ok() || !database->open() ||
        !state_.open.IsOpenTop(top) || !state_.in_transaction() ||
        database->server().capabilities().shared) {
      return std::nullopt;
    }
    Result<abi::Ref> root = stabilize::RootOf(state_, *database);
    // Memory is put back while the world is stopped.
    if (root.status().code() == StatusCode::kConflict) return std::nullopt;
    return root;
  }
  if (!database->open()) return database->ClosedFailure();
  if (!state_.open.IsOpenTop(top)) return NoTransaction();
  Status status;
  if (state_.open.readers().aborted()) {
    status = Status(StatusCode::kAborted, kHasBeenAborted);
  } else {
    status =
        asked.ok() ? LockRoot(state_, *database, /*write=*/false) : EndIfAborted(state_, asked);
  }
  if (status.ok()) {
    Result<abi::Ref> root = RootOf(state_, *database);
    if (root.ok()) return root;
    status = EndIfAborted(state_, root.status());
  }
  if (!state_.in_transaction()) TellReader(state_, top);
  return status;
}

Status Session::SetRoot(Database* database, abi::Ref object, uint64_t top, const Status& asked) {
  const Operation operation(state_, Reach::kAlone, /*stays=*/true);
  if (!database->open()) return database->ClosedFailure();
  if (!state_.open.IsOpenTop(top)) return NoTransaction();
  if (state_.open.readers().aborted()) {
    TellReader(state_, top);
    return Status(StatusCode::kAborted, kHasBeenAborted);
  }
  if (state_.open.innermost().read_only) return WriteInReadOnly();
  TN_RETURN_IF_ERROR(asked.ok() ? LockRoot(state_, *database, /*write=*/true)
                                : EndIfAborted(state_, asked));
  database->SetRoot(object);
  return Status::Ok();
}

// --- transactions ---

bool Session::IsOpen(uint64_t transaction) const {
  const LockGuard guard(state_.lock);
  return state_.open.IsOpen(transaction);
}

uint64_t Session::TopOf(uint64_t transaction) const {
  const LockGuard guard(state_.lock);
  return state_.open.TopOf(transaction);
}

size_t Session::DepthOf(uint64_t top) const {
  const LockGuard guard(state_.lock);
  return state_.open.DepthOf(top);
}

bool Session::MayBegin(bool read_only) const {
  const LockGuard guard(state_.lock);
  return MayBeginTop(state_, read_only);
}

std::optional<Result<uint64_t>> Session::BeginTop(Reach reach, bool read_only, uint64_t again) {
  const Operation operation(state_, reach);
  const bool alone = reach == Reach::kAlone;
  if (!alone && state_.open.abort_pending()) return std::nullopt;
  if (!MayBeginTop(state_, read_only)) return TransactionInProgress();
  if (state_.open.readers().empty()) {
    if (alone) {
      if (Status status = PrepareToBegin(state_); !status.ok()) return status;
    } else if (read_only ? !BeginsAtOnce(state_) : !IsQuiet(state_)) {
      return std::nullopt;
    }
  }
  if (read_only) return BeginReader(state_, again);
  return state_.open.BeginTop(/*read_only=*/false);
}

std::optional<Result<uint64_t>> Session::BeginChild(Reach reach, uint64_t top, bool read_only) {
  const Operation operation(state_, reach);
  if (state_.open.readers().HasTop(top)) {
    const uint64_t serial = state_.open.NextSerial();
    state_.open.readers().AddChild(top, serial);
    return serial;
  }
  if (top == 0 || !state_.open.IsOpen(top)) return NoTransaction();
  if (reach == Reach::kBesideOthers) return std::nullopt;
  return stabilize::BeginChild(state_, read_only);
}

Result<uint64_t> Session::Begin(bool read_only) {
  {
    const Operation operation(state_);
    if (state_.in_transaction()) return stabilize::BeginChild(state_, read_only);
  }
  return *BeginTop(Reach::kAlone, /*read_only=*/false);
}

std::optional<TransactionEnded> Session::End(Reach reach, uint64_t transaction, TransactionEnd how,
                                             uint64_t* ordered) {
  const Operation operation(state_, reach);
  if (ordered != nullptr) *ordered = 0;
  if (const uint64_t top = state_.open.readers().TopOf(transaction); top != 0) {
    const std::optional<Status> status = EndReader(state_, reach, transaction, how);
    if (!status) return std::nullopt;
    return TransactionEnded{*status, top};
  }
  if (!state_.open.IsOpen(transaction)) return TransactionEnded{NoTransaction()};
  if (reach == Reach::kAlone) return TransactionEnded{EndWriter(state_, transaction, how, ordered)};
  if (how != TransactionEnd::kCommit || ordered == nullptr) return std::nullopt;
  const std::optional<Status> status = CommitBesideOthers(state_, ordered);
  if (!status) return std::nullopt;
  return TransactionEnded{*status};
}

Status Session::SettleCommit(uint64_t number) {
  const Operation operation(state_);
  if (const std::optional<Status> known = state_.ordered.Outcome(number)) return *known;
  const Status status = AwaitOrdered(state_);
  return state_.ordered.Outcome(number).value_or(status);
}

bool Session::KeepsPagesFromOthers(uint64_t transaction) const {
  const LockGuard guard(state_.lock);
  return state_.open.readers().HasTop(transaction) && state_.open.readers().size() > 1 &&
         OthersWait(state_);
}

bool Session::HoldsObjectAt(const void* address) {
  const LockGuard guard(state_.lock);
  return state_.DatabaseAt(address) != nullptr || state_.governed.Contains(address);
}

Status Session::LockForWriting(abi::Ref object, const Status& asked) {
  const Operation operation(state_, Reach::kAlone, /*stays=*/true);
  if (!state_.in_transaction()) return Status::Ok();
  if (!asked.ok()) return EndIfAborted(state_, asked);
  if (state_.open.innermost().read_only &&
      (state_.displaced.Find(object) != nullptr || state_.DatabaseAt(object) != nullptr)) {
    return WriteInReadOnly();
  }
  if (Database* const database = state_.DatabaseAt(object)) {
    // A page that was left open does not trap.
    const PageId page = database->PageAt(object);
    if (!database->open() || !database->frames().Covers(page) ||
        !database->frames().At(page).kept_writable) {
      return Status::Ok();
    }
    return EndIfAborted(state_, database->server().WantWrite(database->id(), std::span(&page, 1)));
  }
  const DisplacedObject* const displaced = state_.displaced.Find(object);
  if (displaced == nullptr) return Status::Ok();
  return EndIfAborted(state_, WantWriteOf(*displaced));
}

bool Session::EndedByFailure(uint64_t transaction) const {
  return state_.open.HasEndedByFailure(transaction);
}

bool Session::StoreNumber(uint64_t number, void** place) {
  const LockGuard guard(state_.lock);
  return state_.in_transaction() && state_.open.innermost().read_only &&
         StoreBeside(state_, place, reinterpret_cast<void*>(number)).ok();
}

// --- traps ---

FaultAnswer Session::HandleFault(const void* address, bool is_write, uint64_t top) {
  return WithAnswers(
      state_, [&] { return RequestOfFault(state_, address, is_write, top); },
      [&](const PageAnswers& answers) {
        const FaultAnswer answer = stabilize::HandleFault(state_, address, is_write, top, answers);
        CheckFrame(state_, address);
        return answer;
      });
}

FaultAnswer Session::MarkStored(void* address, size_t bytes, const void* again, uint64_t top,
                                const void* before) {
  return WithAnswers(
      state_, [&] { return RequestOfStore(state_, address, bytes, top); },
      [&](const PageAnswers& answers) {
        const FaultAnswer answer =
            stabilize::MarkStored(state_, address, bytes, top, before, answers);
        if (answer.kind == FaultAnswer::Kind::kResolved && again != nullptr) {
          std::memcpy(state_.DatabaseAt(address)->mapping().Alias(address), again, bytes);
        }
        return answer;
      });
}

FaultAnswer Session::ProtectForOthers(const void* address) {
  const LockGuard guard(state_.lock);
  return stabilize::ProtectForOthers(state_, address);
}

bool Session::TouchesFrames(const void* address, size_t bytes) const {
  const auto* const begin = static_cast<const char*>(address);
  const LockGuard guard(state_.lock);
  return std::any_of(state_.databases.begin(), state_.databases.end(), [&](const auto& database) {
    const FrameMapping& mapping = database->mapping();
    return begin < mapping.base() + mapping.reserved_bytes() && mapping.base() < begin + bytes;
  });
}

void Session::FinishAbort() {
  const Locked locked(state_);
  stabilize::FinishAbort(state_);
}

bool Session::Owns(const void* address) {
  // Does not wait for the lock: in a forked child, the lock may belong to a thread that only the
  // parent has.
  const std::unique_lock guard(state_.lock, std::try_to_lock);
  return state_.DatabaseAt(address) != nullptr || state_.governed.Find(address) != nullptr;
}

// --- the process ---

Status Session::Shutdown() {
  const Operation operation(state_);
  if (state_.in_read_only()) AbortReaders(state_);
  state_.open.readers() = {};
  if (state_.in_transaction()) (void)AbortIn(state_, state_.open.top().serial);
  if (state_.options.paranoid_barriers) ReportMissedBarriers(state_);
  Status first_failure = AwaitOrdered(state_);
  CloseAfterLostCommit(state_);
  for (auto& database : state_.databases) {
    if (!database->open()) continue;
    const Status status = CloseDatabaseOf(state_, *database);
    if (first_failure.ok()) first_failure = status;
  }
  state_.joined_heap = false;
  state_.heap.SetPersistentSpace(nullptr);
  return first_failure;
}

void Session::AfterForkInChild() {
  // A new lock: the thread that took the old one has another number here.
  new (&state_.lock) SessionLock;
  state_.requests.AfterForkInChild();
  state_.open.ForgetImages();
  state_.open.NoteOpen();
  state_.heap.SetChildTransaction(false);
  state_.governed.Release();
  state_.ordered.ForgetAll();
  for (auto& database : state_.databases) {
    for (abi::Ref place : state_.displaced.RemoveAll(database.get())) {
      abi::ObjectHeader::Of(place)->word &= ~DisplacedObjects::kHeaderBits;
    }
    database->Abandon();
  }
}

std::string Session::CommitReportText() const {
  const LockGuard guard(state_.lock);
  return state_.reports.LastText();
}

void Session::CollectCommitReports(bool on) {
  const LockGuard guard(state_.lock);
  state_.reports.SetDetails(on || state_.options.commit_report);
}

SessionStatistics Session::statistics() {
  const LockGuard guard(state_.lock);
  SessionStatistics now = state_.counters;
  for (const auto& store : state_.stores) {
    if (store->server != nullptr) AddCounters(*store->server, now);
  }
  now.objects_displaced = state_.displaced.size();
  now.pages_governed = state_.governed.size();
  return now;
}

}  // namespace tenure::stabilize
