// Session: the facade of stabilize/, which the run time calls. Databases, the one transaction and
// its children or several that only read, faults, commit (docs/stabilization.md).
//
// Threads: every operation takes the session's lock. An operation says what its caller must hold:
// by a Reach (stabilize/session/reach.h) or, where nothing is said, Reach::kAlone, since it changes
// the protection of pages that all threads use. HandleFault runs in a signal handler of the thread
// that faulted, while other threads run. Only compiled code and copying by the run time touch
// protected memory, so the fault never interrupts a holder of the lock. A fault opens a page whose
// image before it has kept, and does nothing else. What a shared page server must grant for it is
// asked for without the lock (stabilize/session/page_requests.h); operations wait for the answers.
//
// A function that is told the `top` of a thread wants the serial number of the top-level
// transaction in which the thread works or has worked last, 0 if it has worked in none. A thread
// outside of the open transactions gets kNoTransaction.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "abi/object_header.h"
#include "abi/program.h"
#include "base/result.h"
#include "gc/heap.h"
#include "stabilize/frames/store_names.h"
#include "stabilize/session/called_back.h"
#include "stabilize/session/faults.h"
#include "stabilize/session/heap_bridge.h"
#include "stabilize/session/page_requests.h"
#include "stabilize/session/reach.h"
#include "stabilize/session/read_only.h"
#include "stabilize/state/session_state.h"
#include "store/files/large_blocks.h"

namespace tenure::stabilize {

class Session final {
 public:
  // `heap` and `program` outlive the session; `types` are the program's, by typecode.
  Session(gc::Heap& heap, const abi::ProgramInfo* program, ProgramTypes types,
          const SessionOptions& options);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // --- databases ---
  // `path` is "DIR" (database main of the store DIR) or "DIR:NAME". kExists, kNotFound.
  // kOpenHere: this process has the database open. kInUse: another process holds the store (number
  // is its id, or -1), or a program has the database open (number 0). kTransactionOpen.
  Status CreateDatabase(std::string_view path);
  Result<Database*> OpenDatabase(std::string_view path);
  Status DeleteDatabase(std::string_view path);
  Status CloseDatabase(Database* database);

  // kClosed: the database is not open. kNoTransaction. kReadOnly: from SetRoot in a read-only
  // transaction.
  static constexpr uint64_t kWhicheverIsOpen = OpenTransactions::kWhicheverIsOpen;
  // `asked`: the answer of AskForRoot, if the caller has called it.
  std::optional<Result<abi::Ref>> GetRoot(Reach reach, Database* database, uint64_t top,
                                          const Status& asked = {});
  Result<abi::Ref> GetRoot(Database* database, uint64_t top = kWhicheverIsOpen) {
    return *GetRoot(Reach::kAlone, database, top);
  }
  Status SetRoot(Database* database, abi::Ref object, uint64_t top = kWhicheverIsOpen,
                 const Status& asked = {});
  // While other threads run, before GetRoot, SetRoot or LockForWriting: waits for the permission
  // that the operation will need, so that the operation does not wait while the world is stopped.
  Status AskForRoot(Database* database, bool is_write, uint64_t top);
  Status AskForWriting(abi::Ref object, uint64_t top);
  // The same before a commit or a checkpoint of this transaction, which asks again for what this
  // has not got. The end of a child asks for nothing.
  void AskForCommit(uint64_t transaction);

  // --- transactions ---
  // Transactions nest: one is at the top, each other one is the child of the one begun before. A
  // serial number names each; 0 names none.

  // Whether a top-level transaction can begin now: one that writes if none is open, a read-only one
  // also beside others.
  bool MayBegin(bool read_only) const;
  // Begins a top-level transaction; several read-only ones may be open. Beside other threads this
  // begins one if no object of the heap and no other program is concerned, as for most small
  // transactions. kTransactionOpen: MayBegin is false. `again`: if a read-only transaction begins
  // again, the number that it had; else 0.
  std::optional<Result<uint64_t>> BeginTop(Reach reach, bool read_only, uint64_t again = 0);
  // Begins a child of the innermost transaction that is open in `top`. `read_only`: writes in the
  // child are errors, as in each child of a read-only transaction. kNoTransaction: `top` is not
  // open.
  std::optional<Result<uint64_t>> BeginChild(Reach reach, uint64_t top, bool read_only);
  // For a caller that is alone: begins a child of the innermost open transaction that writes, or a
  // top-level transaction if none is open.
  Result<uint64_t> Begin(bool read_only = false);
  // Whether Chain of this transaction cannot give up pages for which other programs wait, since
  // other read-only transactions are open. It should be committed, and begin again behind them.
  bool KeepsPagesFromOthers(uint64_t transaction) const;
  // Ends the transaction, after it has aborted its open children.
  //
  // A commit makes a child's changes its parent's, and those of the top-level transaction durable.
  // If the answer is not ok, the transaction is closed, also by a checkpoint or a chain, and memory
  // is as it was before the transaction or its last checkpoint. kConflict; kUnknownOutcome: its
  // databases are closed; other failures of the page server. kReadOnly: a read-only transaction has
  // written, and nothing of the write has stayed. kNoTransaction: the transaction is not open.
  //
  // `ordered`: a commit may return when it has its place among the commits, before it is durable.
  // *ordered is then the number for ordered_commits() to wait for: that of the commit, or, if it
  // changed nothing, of the newest commit that the transaction may have seen. 0: all is durable.
  //
  // Beside other threads, of which none may work in the transaction: ends a read-only transaction
  // that has not written. Commits one that writes if there is `ordered`, and no object of the heap
  // and no other program is concerned.
  std::optional<TransactionEnded> End(Reach reach, uint64_t transaction, TransactionEnd how,
                                      uint64_t* ordered = nullptr);
  // For callers that are alone.
  Status Commit(uint64_t transaction, uint64_t* ordered = nullptr) {
    return End(Reach::kAlone, transaction, TransactionEnd::kCommit, ordered)->status;
  }
  Status Checkpoint(uint64_t transaction, uint64_t* ordered = nullptr) {
    return End(Reach::kAlone, transaction, TransactionEnd::kCheckpoint, ordered)->status;
  }
  Status Chain(uint64_t transaction, uint64_t* ordered = nullptr) {
    return End(Reach::kAlone, transaction, TransactionEnd::kChain, ordered)->status;
  }
  Status Abort(uint64_t transaction) {
    return End(Reach::kAlone, transaction, TransactionEnd::kAbort)->status;
  }

  // Commits that were ordered and may not be durable yet. Any thread, without the lock, while other
  // threads run. Before a database is closed or deleted, they are made durable.
  OrderedCommits& ordered_commits() { return state_.ordered; }
  // Called when the server of an ordered commit has failed: opens the store anew and asks what
  // became of its commits. ok: this one took place. kAborted: it did not. kUnknownOutcome. If any
  // of them did not take place, memory had changes that the store lacks: the open transactions have
  // been rolled back and the databases are closed.
  Status SettleCommit(uint64_t number);
  // Whether this transaction was among the open ones that were rolled back in that way last.
  // Without the lock.
  bool EndedByFailure(uint64_t transaction) const;
  // Without the lock. False: no transaction that is open has this number, or a lower one.
  bool MayBeOpen(uint64_t transaction) const { return state_.open.MayBeOpen(transaction); }
  // Without the lock. Whether some transaction is open, and no trap has aborted it.
  bool IsAnyOpen() const { return state_.open.IsAnyOpen(); }
  // Without the lock. False: EndedByFailure is false for all.
  bool HasEndedAnyByFailure() const { return state_.open.has_any_ended_by_failure(); }
  // A read-only transaction that has been aborted with others is open until it is told.
  bool IsOpen(uint64_t transaction) const;
  // The serial number of the top-level transaction that this one is in, or 0 if it is not open.
  uint64_t TopOf(uint64_t transaction) const;
  // How many transactions are open in this top-level one, itself included; 0 if it is not open.
  size_t DepthOf(uint64_t top) const;

  // Whether an object at this address is persistent, or shares a page with a persistent object.
  bool HoldsObjectAt(const void* address);
  // Asks for the permission that a store to the object needs, if the object is displaced; other
  // objects ask when they trap. kConflict: the transaction has been rolled back. kReadOnly: the
  // object is persistent.
  Status LockForWriting(abi::Ref object, const Status& asked = {});

  // If the innermost transaction is read-only: stores the number of a transaction to an object that
  // is not persistent. If displaced objects lie beside the object, stores to them trap afterwards
  // as before. False: nothing was done.
  bool StoreNumber(uint64_t number, void** place);

  // --- traps ---
  // Traps of compiled code, in programs with store barriers (stabilize/session/store_barriers.h).
  // `again`, not null: what was stored; it is stored once more if the answer is kResolved.
  // `before`, not null: what was there before, if no other thread may have stored since.
  FaultAnswer MarkStored(void* address, size_t bytes, const void* again,
                         uint64_t top = kWhicheverIsOpen, const void* before = nullptr);
  FaultAnswer ProtectForOthers(const void* address);
  // Whether one of the bytes lies in the address range of a database.
  bool TouchesFrames(const void* address, size_t bytes) const;

  // kAborted: the transaction is over; its writes stay in memory, which other threads use, until
  // FinishAbort.
  FaultAnswer HandleFault(const void* address, bool is_write, uint64_t top = kWhicheverIsOpen);
  // Rolls back a transaction that a trap has aborted, while the world is stopped. Every operation
  // begins with it; whoever raises Aborted calls it first, so that a handler of Aborted finds
  // memory as it was before the transaction.
  void FinishAbort();
  bool abort_pending() const { return state_.open.abort_pending(); }
  // Whether HandleFault is responsible for the address.
  bool Owns(const void* address);

  // At the end of the process: aborts the open transactions and closes all databases and stores.
  Status Shutdown();

  // Around a fork, while the world is stopped. In the child, displaced objects become transient and
  // no page is protected any more: the child has a heap that it can collect, and no database.
  void BeforeFork() TN_ACQUIRE(state_.lock) {
    state_.lock.lock();
    AwaitPageRequests(state_);
    MakeBlocksPrivate();
  }
  void AfterForkInParent() TN_RELEASE(state_.lock) { state_.lock.unlock(); }
  void AfterForkInChild();

  SessionStatistics statistics();
  // The report of the last commit (stabilize/state/commit_report.h), with details if these were
  // collected when the commit was made.
  std::string CommitReportText() const;
  void CollectCommitReports(bool on);

 private:
  SessionState state_;
  std::optional<store::LargeBlocksInFiles> large_blocks_;  // while the memory is bounded
  SessionCallbacks callbacks_{state_};
  HeapBridge bridge_{state_};
};

}  // namespace tenure::stabilize
