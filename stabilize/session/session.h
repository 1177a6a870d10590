// Session: all of stabilize/ that a process has, and what the run time calls. Databases, the one
// transaction, faults, commit (design.md section 5).
//
// Threads: every operation takes the session's lock. Those on databases and transactions are called
// while the world is stopped, or by the only mutator: they change what may be done with pages that
// all threads use. HandleFault runs in a signal handler of the thread that faulted, while others
// run; only compiled code and copying by the run time touch protected memory, so it interrupts no
// holder of any lock. A trap opens a page whose image before it has kept, and nothing else.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "abi/object_header.h"
#include "abi/program.h"
#include "base/result.h"
#include "gc/heap.h"
#include "stabilize/commit/commit_report.h"
#include "stabilize/commit/encode_arena.h"
#include "stabilize/frames/displaced.h"
#include "stabilize/frames/frame_mapping.h"
#include "stabilize/frames/governed_pages.h"
#include "stabilize/frames/store_names.h"
#include "stabilize/session/cross_references.h"
#include "stabilize/session/nesting.h"
#include "stabilize/state/database.h"
#include "store/files/spill_file.h"
#include "store/open.h"

namespace tenure::stabilize {

class HeapBridge;

// The order in which a commit gives homes to new objects (@M3cluster=): that in which they are
// reached, breadth-first (with small objects behind the first that refers to them) or depth-first,
// or that of their addresses, which is about that of their allocation.
enum class ClusterOrder : uint8_t { kBreadth, kDepth, kAlloc };

// What a commit records of a page that exists (@M3recovery=): the changed regions, or all of it, in
// the trees; or the changed regions in the redo log (BdbOptions::redo, which the store must be
// opened with; other kinds of stores take it for kDiff).
enum class RecoveryPolicy : uint8_t { kDiff, kWhole, kRedo };

struct SessionOptions {
  ClusterOrder cluster = ClusterOrder::kBreadth;
  RecoveryPolicy recovery = RecoveryPolicy::kDiff;
  // Memory for frames and twins; 0: what there is. When it is short, clean frames are dropped and
  // dirty ones spilled.
  uint64_t frame_bytes = 0;
  bool commit_report =
      false;               // each commit writes its report to the standard error (@M3commitreport)
  bool paranoid = false;   // check all of a page, and where its references lead (@M3paranoiddb)
  StoreOptions store;      // kind of page server, cache, fail point; `mode` is not used
  MappingOptions mapping;  // fault tier, random base
};

struct SessionStatistics {
  uint64_t read_faults = 0;
  uint64_t write_faults = 0;  // traps of first writes, to frames and to governed pages
  uint64_t pages_read = 0;
  uint64_t bytes_read = 0;
  uint64_t pages_written = 0;  // whole or in part
  uint64_t bytes_written = 0;
  uint64_t log_bytes = 0;
  uint64_t commits = 0;        // that reached a server
  uint64_t objects_named = 0;  // made persistent
  uint64_t bytes_named = 0;
  uint64_t objects_moved_home = 0;
  uint64_t objects_displaced = 0;  // now
  uint64_t pages_dropped = 0;      // from memory, for lack of it
  uint64_t pages_spilled = 0;
  uint64_t sweeps = 0;          // how often pages that may leave memory were looked for
  uint64_t pages_governed = 0;  // now
};

// What a fault turned out to be.
struct FaultAnswer {
  enum class Kind : uint8_t {
    kNotOurs,   // no database has to do with the address
    kResolved,  // the access can be done again
    kFailed,    // it must raise: see error and status
  } kind = Kind::kNotOurs;
  enum class Error : uint8_t {
    kNone,
    kTransactionNotInProgress,
    kFailure,
    kTypeMismatch,
    kAborted,
    kMissing
  } error = Error::kNone;
  Status status;
};

class Session final : private CallbackListener {
 public:
  // `heap` and `program` outlive the session; `types` are the program's, by typecode.
  Session(gc::Heap& heap, const abi::ProgramInfo* program, ProgramTypes types,
          const SessionOptions& options);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // --- Databases. `path` is "DIR" (database main of the store DIR) or "DIR:NAME".
  // ----------------------- kExists, kNotFound; kInUse: open in this process (number 0), or the
  // store is held by another one (number is its id, or -1); kAborted: a transaction is in progress.
  Status CreateDatabase(std::string_view path);
  Result<Database*> OpenDatabase(std::string_view path);
  Status DeleteDatabase(std::string_view path);
  Status CloseDatabase(Database* database);

  // kClosed: the database is not open. kNotFound: no transaction is open.
  Result<abi::Ref> GetRoot(Database* database);
  Status SetRoot(Database* database, abi::Ref object);

  // --- Transactions. They are nested: at most one is at the top, each other one is the child of
  // the one before. A serial number names each; 0 is none.

  // A child of the innermost one that is open, or the top-level one.
  Result<uint64_t> Begin();
  // Those that follow end the children of the transaction first, by aborting them. A child's
  // changes become its parent's. The top-level transaction makes durable what it changed; whatever
  // the answer, it is closed afterwards, and if that is not ok, memory is as it was before the
  // transaction. kConflict; kUnknownOutcome (its databases are closed); other failures as they are.
  Status Commit(uint64_t transaction);
  // The same, but it stays open, and a later abort returns to here. When it fails it is closed.
  Status Checkpoint(uint64_t transaction);
  // Commit and begin, under the same number.
  Status Chain(uint64_t transaction);
  Status Abort(uint64_t transaction);
  bool IsOpen(uint64_t transaction) const;
  // How many are open.
  size_t OpenTransactions() const { return abort_pending_ ? 0 : levels_.size(); }
  // The one at the top, or 0.
  uint64_t TopTransaction() const {
    return abort_pending_ || levels_.empty() ? 0 : levels_.front().serial;
  }

  // Whether an object at this address is persistent, or shares a page with one that is.
  bool HoldsObjectAt(const void* address);
  // Permission to write the object, as a store to it asks for; of one that is not displaced nothing
  // is asked here. kConflict: the transaction has been rolled back.
  Status LockForWriting(abi::Ref object);

  // --- Traps
  // -------------------------------------------------------------------------------------------
  // kAborted: the transaction is over, but for memory, which other threads use: FinishAbort
  // follows.
  FaultAnswer HandleFault(const void* address, bool is_write);
  // Rolls back what a trap has aborted, while the world is stopped. Each operation begins with it;
  // who raises Aborted calls it first, so that who catches Aborted finds memory as it was.
  void FinishAbort();
  bool abort_pending() const { return abort_pending_; }
  // Whether HandleFault has to do with the address.
  bool Owns(const void* address);

  // Aborts what is open and closes all databases and stores, at the end of the process.
  Status Shutdown();

  // About a fork, while the world is stopped. In the child what was displaced is transient, and no
  // page is protected any more: it has a heap that it can collect, and no database.
  void BeforeFork() { lock_.lock(); }
  void AfterForkInParent() { lock_.unlock(); }
  void AfterForkInChild();

  SessionStatistics statistics();
  // What the last commit did (stabilize/commit/commit_report.h), with details if it was made while
  // they were collected.
  std::string CommitReportText() const;
  void CollectCommitReports(bool on);

 private:
  friend class HeapBridge;
  friend class SessionReferences;
  friend class Stabilizer;

  // An operation: with the lock, and no aborted transaction left.
  class Operation {
   public:
    explicit Operation(Session& session) : guard_(session.lock_) { session.FinishAbort(); }

   private:
    std::lock_guard<std::recursive_mutex> guard_;
  };

  struct PathParts {
    std::string store;
    std::string database;
  };
  // The store's path is made absolute, so that one store has one name here.
  static PathParts Split(std::string_view path);
  Result<Database*> OpenParts(const PathParts& parts);
  Status CloseParts(Database& database);
  // Asks the coordinators of commits that the store has prepared what became of them. A served
  // store's server does that by itself, but cannot ask a store that this process uses alone.
  Status ResolveDoubts(PageServer& server, const std::string& path);
  // Opens a store that has failed anew, with its databases, in the middle of a commit. Frames and
  // versions stay.
  Status Reconnect(OpenStoreState& store);
  // Outside of a transaction: if the store has failed it is opened again, with recovery. When
  // others have had it in between its databases are closed, and it fails with kClosed.
  Status RestoreUse(OpenStoreState& store);
  OpenStoreState* FindStore(const std::string& path);  // null if it is not open
  Result<OpenStoreState*> Store(const std::string& path, OpenMode mode);
  void ReleaseStore(OpenStoreState& store);
  Database* FindOpen(const std::string& store, const std::string& name);
  Database* At(const void* address);

  FaultAnswer HandleFrameFault(Database& database, const void* address, bool is_write);
  FaultAnswer HandleGovernedFault(GovernedPage& page, const void* address);
  // Reads, decodes and publishes the page, and neighbours when faults run forward.
  Status MakeResident(Database& database, PageId page);
  // Where references lead: stabilize/session/reference_check.cc. Of a page that is about to be
  // shown, and whose references DecodePage has put into found_: kCorrupt when one of them leads to
  // no object, or to one of a type that may not stand there; or when one of a page that is here
  // already does. Those that lead to pages which are not here are noted there.
  Status CheckFound(Database& database, PageId page, const std::byte* image, const LargeRun& run);
  Status CheckReference(Database& database, PersistentRef object, const RequiredType* required);
  bool IsWrongFor(const void* object, const void* payload);
  void Expect(Frame& frame, ExpectedObject object);
  // What is expected of the page, whose image this is. Ok: it need not be kept any more.
  Status CheckExpected(Database& database, PageId page, const std::byte* image,
                       const ObjectStarts& starts);
  // When what is expected takes much of a budget: the pages are read for it.
  Status SettleExpected();
  // Of a page that others may change while it is away.
  void ExpectSame(Database& database, PageId page);
  Status OpenForWriting(Database& database, PageId page);
  // The page and neighbours that are likely to be written too.
  PageRun PagesToOpen(Database& database, PageId page);
  // Whether memory has room for so many twins without anything being given up for them.
  bool HasRoom(uint64_t pages) const;
  void RestoreFrame(Database& database, PageId page);

  // Of the budget: stabilize/session/frame_budget.cc.
  uint64_t FrameBytes() const;
  // Before so many pages are read.
  Status MakeRoom(uint64_t pages);
  template <typename Done, typename Visit>
  void SweepFrames(int rounds, Done&& done, Visit&& visit);
  bool MayDrop(Database& database, PageId page);
  void DropFrame(Database& database, PageId page);
  // The clock has come to the page: its next touch traps.
  void Close(Database& database, PageId page, Access from);
  Status Spill(Database& database, PageId page);
  Status ReadSpilled(const SpilledPage& spilled, std::byte* to) const;
  Status Unspill(Database& database, PageId page);
  void DropSpilled(Database& database, PageId page);
  // Before something is put on a page that may be vacant, or its slots are looked at: gives it
  // memory, and fillers for the slots of the objects that are displaced. It stays without access.
  void PrepareSlots(Database& database, PageId page);
  // A resident or spilled page's image; `buffer` (kPageBytes) is used for the latter.
  Result<std::byte*> ImageOf(Database& database, PageId page, std::byte* buffer);
  void SendHomeWhenTight();

  // Of children: stabilize/session/nesting.cc.
  Result<uint64_t> BeginChild();
  void KeepMade(ObjectImages& made);
  void PutBackMade(ObjectImages& made);
  template <typename Visit>
  void ForEachReferenceToMade(Visit&& visit);
  TransactionLevel TakeChild();
  void CommitChild();
  void AbortChild();
  void AbortChildrenOf(uint64_t transaction);
  Status ReopenForWriting(Database& database, PageId page);
  Status ReopenForWriting(GovernedPage& page);
  bool in_transaction() const { return !levels_.empty(); }
  uint16_t depth() const { return static_cast<uint16_t>(levels_.size() - 1); }

  // `goes_on`: the transaction stays open.
  Status CommitChanges(bool goes_on);
  // Takes back what the open transactions did; no child is open afterwards.
  void Rollback();
  void EndTransactions();
  // Whoever catches Aborted finds the transaction closed.
  Status EndIfAborted(Status status);

  // Callback locking, stabilize/session/called_back.cc: what a shared server's other users make
  // necessary.
  CallbackListener::Answer CalledBack(PageServer& server, DatabaseId id, PageId page,
                                      bool to_read) override;
  // What a disk collection of a shared store asks: stabilize/session/held_references.cc.
  void WithOthersStopped(const std::function<void()>& ask) override;
  std::vector<bool> RefersTo(PageServer& server, DatabaseId id,
                             std::span<const Candidate> candidates) override;
  Status StartAtServers();
  void EndAtServers();
  Status CloseGone(OpenStoreState& store, Status why);
  void CloseGone(Database& database);
  void GiveUpFrame(Database& database, PageId page);
  void GiveUpAll(Database& database);
  // The object that lives elsewhere and whose run the page is part of, or null.
  abi::Ref DisplacedLarge(Database& database, PageId page, const LargeRun& run);
  Status RefreshDisplaced(Database& database);
  // What another program has made of objects that live elsewhere in this one.
  void DecodeIntoDisplaced(Database& database, PageId page, std::span<const abi::Ref> places,
                           const std::byte* image);
  // Permission for the root; its present value. kConflict: the transaction has been rolled back.
  Status LockRoot(Database& database, bool write);
  // Of the home of a displaced object.
  Status WantWriteOf(const DisplacedObject& object);
  // The displaced object that has this byte of the page; null: a transient one has.
  const DisplacedObject* DisplacedAt(const GovernedPage& page, const void* address) const;
  FaultAnswer AbortedAnswer() const;

  gc::Heap& heap_;
  const SessionOptions options_;
  const ProgramTypes types_;
  ProcedureNames procedures_;
  mutable std::recursive_mutex lock_;
  std::vector<std::unique_ptr<OpenStoreState>> stores_;
  std::vector<std::unique_ptr<Database>>
      databases_;  // also closed ones: their addresses stay theirs
  DisplacedObjects displaced_;
  GovernedPages governed_;
  MissingTargets missing_;
  SessionReferences references_{*this};
  SpillFile spill_;
  EncodeArena arena_{spill_};
  // Of the commit that is being made, by two threads; kept for their memory.
  std::array<std::vector<TwinWord>, 2> twins_before_;
  std::vector<FoundReference> found_;
  uint64_t expected_ = 0;           // objects, by all frames; or somewhat more
  std::vector<PageReply> replies_;  // of MakeResident, so that each need not be filled with zeros
  // Pages of displaced objects could not all be protected: until they have gone home no other
  // thread may run.
  bool mappings_short_ = false;
  uint64_t overdraft_bytes_ = 0;  // beyond frame_bytes, until the clock looks again
  // Of the clock.
  struct {
    size_t database = 0;
    uint64_t page = 1;
  } hand_;
  struct {
    const Database* database = nullptr;
    PageId page;
  } kept_;  // the page that a fault is about stays in memory
  std::unique_ptr<HeapBridge> bridge_;
  std::vector<TransactionLevel> levels_;  // open transactions, the top-level one first
  uint64_t last_transaction_ = 0;
  CommitId last_commit_id_;  // that was sent
  SessionStatistics counters_;
  CommitReport last_commit_;
  uint64_t moved_home_at_commit_ = 0;
  bool report_details_ = false;
  bool collecting_ = false;   // frames must stay as they are
  bool joined_heap_ = false;  // the heap knows the bridge
  // The open transactions are over, and what they did is still in memory: until FinishAbort.
  std::atomic<bool> abort_pending_ = false;
};

}  // namespace tenure::stabilize
