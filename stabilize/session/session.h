// Session: the facade of stabilize/, which the run time calls. Databases, the one transaction and
// its children, faults, commit (docs/stabilization.md).
//
// Threads: every operation takes the session's lock. Operations on databases and transactions are
// called while the world is stopped, or by the only mutator: they change the protection of pages
// that all threads use. HandleFault runs in a signal handler of the thread that faulted, while
// other threads run. Only compiled code and copying by the run time touch protected memory, so the
// fault never interrupts a holder of the lock. A fault opens a page whose image before it has kept,
// and does nothing else.
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
#include "stabilize/state/session_state.h"

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

  // kClosed: the database is not open. kNoTransaction.
  Result<abi::Ref> GetRoot(Database* database);
  Status SetRoot(Database* database, abi::Ref object);

  // --- transactions ---
  // Transactions nest: one is at the top, each other one is the child of the one begun before. A
  // serial number names each; 0 names none.

  // Begins a child of the innermost open transaction, or a top-level transaction if none is open.
  Result<uint64_t> Begin();
  // Commit, Checkpoint, Chain and Abort first abort the open children of the transaction.
  //
  // A child's changes become its parent's. The top-level transaction makes its changes durable.
  // Whatever the answer, the transaction is closed afterwards; if the answer is not ok, memory is
  // as it was before the transaction. kConflict; kUnknownOutcome: its databases are closed; other
  // failures of the page server.
  //
  // `ordered`: the commit may return when it has its place among the commits, before it is durable.
  // *ordered is then the number for ordered_commits() to wait for: that of the commit, or, if it
  // changed nothing, of the newest commit that the transaction may have seen. 0: all is durable.
  Status Commit(uint64_t transaction, uint64_t* ordered = nullptr);
  // Commits, and the transaction stays open: a later abort returns to here. If the answer is not
  // ok, the transaction is closed.
  Status Checkpoint(uint64_t transaction, uint64_t* ordered = nullptr);
  // Commits, and begins a transaction with the same number.
  Status Chain(uint64_t transaction, uint64_t* ordered = nullptr);
  Status Abort(uint64_t transaction);

  // While other threads run, none of which works in the transaction nor stops the world during the
  // call: what Begin and Commit do if no object of the heap and no other program is concerned, as
  // for most small transactions; the same for GetRoot. 0, or nothing: that is not so, nothing was
  // done, and Begin, GetRoot or Commit must follow. What CommitBesideOthers answers is ok.
  uint64_t BeginBesideOthers();
  std::optional<abi::Ref> RootBesideOthers(Database* database);
  std::optional<Status> CommitBesideOthers(uint64_t transaction, uint64_t* ordered);

  // Commits that were ordered and may not be durable yet. Any thread, without the lock, while other
  // threads run. Before a database is closed or deleted, they are made durable.
  OrderedCommits& ordered_commits() { return state_.ordered; }
  // For who finds that the server of an ordered commit has failed: opens the store anew and asks
  // what became of its commits. ok: this one took place. kAborted: it did not. kUnknownOutcome. If
  // any of them did not take place, the open transactions have been rolled back and the databases
  // are closed: memory was ahead of the store.
  Status SettleCommit(uint64_t number);
  // Whether the open transactions that were rolled back that way last had this one among them.
  // Without the lock, like OpenTransactions.
  bool EndedByFailure(uint64_t transaction) const;
  bool IsOpen(uint64_t transaction) const;
  // How many are open. Without the lock: while the world is stopped, or by the only mutator.
  size_t OpenTransactions() const { return state_.abort_pending ? 0 : state_.levels.size(); }
  // The serial number of the top-level transaction, or 0. Without the lock, like OpenTransactions.
  uint64_t TopTransaction() const {
    return state_.abort_pending || state_.levels.empty() ? 0 : state_.levels.front().serial;
  }

  // Whether an object at this address is persistent, or shares a page with a persistent object.
  bool HoldsObjectAt(const void* address);
  // Asks for the permission that a store to the object needs, if the object is displaced; other
  // objects ask when they trap. kConflict: the transaction has been rolled back.
  Status LockForWriting(abi::Ref object);

  // --- traps ---
  // Of compiled code, in programs with store barriers (stabilize/session/store_barriers.h).
  // `again`, not null: what was stored; it is stored once more if the answer is kResolved.
  FaultAnswer MarkStored(void* address, size_t bytes, const void* again);
  FaultAnswer ProtectForOthers(const void* address);
  // Whether one of the bytes lies in the address range of a database.
  bool TouchesFrames(const void* address, size_t bytes) const;

  // kAborted: the transaction is over; its writes stay in memory, which other threads use, until
  // FinishAbort.
  FaultAnswer HandleFault(const void* address, bool is_write);
  // Rolls back a transaction that a trap has aborted, while the world is stopped. Every operation
  // begins with it; whoever raises Aborted calls it first, so that a handler of Aborted finds
  // memory as it was before the transaction.
  void FinishAbort();
  bool abort_pending() const { return state_.abort_pending; }
  // Whether HandleFault is responsible for the address.
  bool Owns(const void* address);

  // At the end of the process: aborts the open transactions and closes all databases and stores.
  Status Shutdown();

  // Around a fork, while the world is stopped. In the child, displaced objects become transient and
  // no page is protected any more: the child has a heap that it can collect, and no database.
  void BeforeFork() {
    state_.lock.lock();
    MakeBlocksPrivate();
  }
  void AfterForkInParent() { state_.lock.unlock(); }
  void AfterForkInChild();

  SessionStatistics statistics();
  // The report of the last commit (stabilize/state/commit_report.h), with details if these were
  // collected when the commit was made.
  std::string CommitReportText() const;
  void CollectCommitReports(bool on);

 private:
  SessionState state_;
  SessionCallbacks callbacks_{state_};
  HeapBridge bridge_{state_};
};

}  // namespace tenure::stabilize
