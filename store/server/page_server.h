// PageServer: stores the pages of an open store's databases, and makes commits atomic.
//
// design.md section 5, "The page server". A *store* is a directory (docs/page_format.md) that holds
// databases by name; a PageServer object is one store, open. All of a database's data are its
// pages, a root reference and the highest page number that it ever used; the table of types is the
// store's. The server knows nothing of objects, frames or transactions in progress: it answers
// reads and applies commits.
//
// Implementations: BdbPageServer (Berkeley DB in this process), RemotePageServer (a client of
// `tenure serve`), MemoryPageServer, ClusterPageServer (over a replicated engine; nodes of a
// cluster open it), and for tests FailingPageServer (another server, with faults). OpenStore in
// store/open.h chooses one for a path.
//
// Threads: every operation may be called by any thread at any time; none calls back; each may block
// for I/O, so none may be called with a lock held that a fault handler needs.
//
// Failures: a Status never leaves an operation half done. After a failure that leaves the store's
// files in doubt (a failed sync, damage met by Berkeley DB) the server has *failed*: every later
// operation answers that same Status, nothing is tried again, and what was committed is found by
// opening the store anew. Codes used:
//   kNotFound, kExists; kInvalidArgument (a name, a request that makes no sense)
//   kInUse (the store held by another process, number = its id; the database open)
//   kCorrupt (damage; number = the page where one is known)   kFormat (number = the version found)
//   kIo, kNoSpace, kPermission (number = errno)               kClosed
//   kConflict, kUnknownOutcome (answers to Commit, WantRead, WantWrite)
// Texts name the file or page concerned; they live as long as the process.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/format/ids.h"
#include "store/format/page_record.h"
#include "store/format/persistent_ref.h"

namespace tenure::store {

// Bytes of a page that a commit changes. The caller's memory, read during Commit only.
struct ChangedRegion {
  uint32_t offset = 0;               // from the page's start; regions ascend and do not overlap
  std::span<const std::byte> bytes;  // not empty; inside the page
};

// A commit's change of one page: new `contents`, or `regions` of an existing page, or both (the log
// gets the regions, the server keeps the contents), or its removal. The memory is the caller's and
// is read during Commit only, except contents that the caller gives away.
struct PageWrite {
  PageId page;
  uint64_t expected_version = 0;  // as read; 0: the page must not exist yet
  // The page's number is free for new pages afterwards; there need not be a page (version 0).
  // Nothing that is left may refer to it. With neither contents nor regions.
  bool remove = false;
  // PageChecksum of the page as it will be; it is checked. None: the server sums the page, when it
  // has one that was whole before (only where capabilities().sums_pages says so).
  std::optional<uint32_t> checksum = {};
  LargeRun run = {};                    // with `contents` only; regions do not change it
  const std::byte* contents = nullptr;  // kPageBytes, or null
  // Null, or `contents` given away: its new owner may use and change it after Commit too.
  std::shared_ptr<std::byte> given = {};
  std::span<const ChangedRegion> regions = {};  // neither: a new version only
};

// A reference to an object of another database is stored as the number of an entry in this
// database's import table, which names an entry of the other's export table. Entries are numbered
// from 1, never changed and never reused.
struct ImportEntry {
  Uuid database;
  std::string
      store;  // path hint: relative to the importing store's directory; empty: the same store
  std::string name;  // of the database in it
  uint64_t export_number = 0;
  uint64_t export_tag = 0;  // of that entry
  uint64_t lineage = 0;     // PageServer::lineage of the store then; 0: not known

  friend bool operator==(const ImportEntry&, const ImportEntry&) = default;
};

// An object to which other databases refer. After the database has been restored from an older
// copy, or in a copy, the number of an entry may be given out again. The tag, drawn at random,
// tells such entries apart. 0: of format version 1, which has no tags.
struct ExportEntry {
  PersistentRef object;
  uint64_t tag = 0;

  friend bool operator==(const ExportEntry&, const ExportEntry&) = default;
};

// A commit of a store. No other commit has its version and id, even in a copy of the store.
struct CommitMark {
  CommitId id;
  uint64_t version = 0;  // 0: none

  friend constexpr bool operator==(const CommitMark&, const CommitMark&) = default;
};

struct DatabaseCommit {
  DatabaseId database;
  std::span<const PageWrite> pages;   // each page at most once; any order, ascending is fastest
  std::optional<PersistentRef> root;  // the new root, if it changes
  // New entries at the ends of the tables. kConflict unless the tables are as long as expected.
  uint64_t imports_before = 0, exports_before = 0;
  std::span<const ImportEntry> imports = {};
  std::span<const ExportEntry> exports = {};
};

// Who may ask for the outcome of a commit later.
struct CommitAsker {
  // Tells programs that use a server from each other. 0: nobody asks once the store was closed.
  uint64_t place = 0;
  // This program does not ask for its commits up to this version: it knows what became of them.
  uint64_t settled = 0;
};
// The asker of commits from before the store was opened: any program of that time.
inline constexpr uint64_t kEarlierAsker = ~uint64_t{0};

struct OutcomeQuestion {
  CommitId id;
  // A version of the store at which the commit had not taken place; 0: none is known. The higher,
  // the better: a commit above it may be remembered where one above a lower version is not.
  uint64_t above = 0;
  // The program's commits had a CommitAsker, and the store has known the program ever since.
  bool kept = false;
};

// A store remembers at most this many commits beyond the latest ones.
inline constexpr uint32_t kOlderOutcomesMost = 16384;

// A commit: it changes all its databases, or none.
struct CommitRequest {
  CommitId id;
  std::span<const DatabaseCommit> databases;
  // Stores that have prepared their parts of the same commit: that it took place is remembered
  // (Decided) until each of them has acknowledged it.
  std::span<const Uuid> participants = {};
  CommitAsker asker = {};
};

// The store that decides about a commit of several stores.
struct Coordinator {
  Uuid store;
  std::string path;      // hint: relative to the participant's directory
  uint64_t lineage = 0;  // PageServer::lineage of the store; 0: not known
};

// The part of a prepared commit that concerns one database.
struct PreparedPart {
  std::string database;       // its name
  std::vector<PageId> pages;  // that it writes
  std::vector<PageId> fresh;  // those among them that do not exist yet
  bool root = false;          // it changes the root
  bool tables = false;        // it adds to the tables of references between databases
};

struct PreparedCommit {
  CommitId id;
  Coordinator coordinator;
  std::vector<PreparedPart> parts;
};

enum class CommitOutcome : uint8_t {
  kCommitted,  // durable: survives any crash (if the server is durable at all)
  kConflict,   // did not happen: a page's version is not the expected one
  kFailed,     // did not happen: see the status
  kUnknown,    // may have happened: ask Outcome, possibly after opening the store again
};

struct CommitAnswer {
  CommitOutcome outcome = CommitOutcome::kFailed;
  // When committed: the new version of every page written. When unknown: OutcomeQuestion::above.
  uint64_t version = 0;
  Status status;  // ok exactly when committed
};

// One page's answer to Read. `record` is meaningful only if `status` is ok; then it has been
// checked (CheckPageRecord).
struct PageReply {
  Status status;
  PageRecord record;
};

struct DatabaseInfo {
  std::string name;
  Uuid uuid;
  PersistentRef root;  // as of the last commit
  PageId max_page;     // the highest page that a commit has written; invalid when none
  uint64_t pages = 0;  // pages that exist; counted by a walk, so slow
};

struct TypeEntry {
  uint32_t index = 0;  // from 1, without gaps
  std::string description;
};

// Since the server was opened. Bytes are those of page records or of their parts, without keys.
struct PageServerStatistics {
  uint64_t read_calls = 0;
  uint64_t pages_read = 0;
  uint64_t bytes_read = 0;
  uint64_t pages_prefetched = 0;       // of pages_read: that came with a page which was touched
  uint64_t pages_prefetched_used = 0;  // and were touched later
  uint64_t commits = 0;
  uint64_t pages_written = 0;  // whole
  uint64_t pages_changed = 0;  // by regions
  uint64_t bytes_written = 0;  // whole pages and regions, with record headers
  uint64_t log_bytes = 0;      // what commits added to the log
  uint64_t syncs = 0;          // of the log, by commits
  uint64_t largest_group = 0;  // the most commits that one of these syncs made durable
  uint64_t term = 0;           // in which a node leads the store; 0: the store is of no cluster
  uint64_t behind_bytes = 0;   // of a cluster: of pages in its log that are not applied yet
};

struct PageServerCapabilities {
  const char* name = "";    // "bdb", "memory", ...
  bool durable = false;     // a commit survives the process
  bool shared = false;      // permissions can be called back; false: want, release are no-ops
  bool sums_pages = false;  // PageWrite::checksum may be missing
};

enum class OpenMode : uint8_t {
  kOpen,    // kNotFound if there is none
  kCreate,  // kExists if there is one
  kOpenOrCreate,
};

class PageServer;

// An object that a disk collection found unreachable, and would free.
struct Candidate {
  PersistentRef object;
  uint64_t bytes = 0;  // with its header
};

// The holder of permissions of a shared server, which asks it to give pages back. The calls come
// from a thread of the server object, which may be told to call again; and from a thread of the
// program in EndTransaction, AwaitTurn or StartTransaction, which holds the session's lock.
class CallbackListener {
 public:
  enum class Answer : uint8_t {
    kGivenUp,        // the page is not accessible any more (to_read: not writable)
    kInTransaction,  // the page may have been used: when the transaction ends
    kLater,          // the lock that is needed is taken
  };
  virtual Answer CalledBack(PageServer& server, DatabaseId database, PageId page, bool to_read) = 0;
  // Calls `ask` when no other thread of the program is in the middle of anything. By a thread that
  // holds no lock.
  virtual void WithOthersStopped(const std::function<void()>& ask) { ask(); }
  // Called only by a thread of the server object. For each of these objects, in ascending order:
  // whether the program may refer to it from outside of the database.
  virtual std::vector<bool> RefersTo(PageServer&, DatabaseId,
                                     std::span<const Candidate> candidates) {
    return std::vector<bool>(candidates.size(), true);
  }

 protected:
  ~CallbackListener() = default;
};

class PageServer {
 public:
  virtual ~PageServer() = default;
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  virtual PageServerCapabilities capabilities() const = 0;
  virtual PageServerStatistics statistics() const = 0;
  virtual Uuid store_uuid() const = 0;
  // Tells a store from its copies, which have the same uuid: a copy gets a number of its own when
  // it is opened. 0: not known.
  virtual uint64_t lineage() const { return 0; }
  // The store's name among the participants of a commit; a copy of the store has another one.
  Uuid participant() const;

  // Not ok: the reason why the store must be opened again before it can do anything.
  virtual Status failed() const { return Status::Ok(); }

  // For a store that only this process uses, also after a failure: its last possible commit.
  virtual CommitMark LastCommit() const { return {}; }

  // Ends all use of the store, cleanly if nothing failed; later calls of anything answer kClosed.
  // The destructor does it too but cannot tell how it went.
  virtual Status Close() = 0;

  // --- Databases

  // Creation and deletion are atomic and durable when they return. A name is 1 to 100 bytes,
  // letters, digits, '_', '-', '.', or anything above ASCII; it starts with none of the three signs
  // (kInvalidArgument). Opening an open database returns its id again. kCorrupt in every mode: the
  // database was made and not deleted, but its file is gone.
  virtual Result<DatabaseId> OpenDatabase(std::string_view name, OpenMode mode) = 0;
  // Makes and opens an empty database with this uuid, which must not be that of another database of
  // the store (kExists from a shared server). References of other databases to the one that had
  // this uuid before lead to the new one. kNotSupported: the server chooses the uuid.
  virtual Result<DatabaseId> CreateDatabase(std::string_view name, const Uuid& uuid);
  // kInUse while the database is open. If its file is gone, only the name is removed.
  virtual Status DeleteDatabase(std::string_view name) = 0;
  // The id is invalid afterwards. No operation on the database may be in progress.
  virtual Status CloseDatabase(DatabaseId database) = 0;
  // The names, sorted, including those of databases whose files are gone.
  virtual Result<std::vector<std::string>> ListDatabases() = 0;
  virtual Result<DatabaseInfo> Info(DatabaseId database) = 0;

  // The root as last committed; NIL in a new database. Cheap.
  virtual Result<PersistentRef> Root(DatabaseId database) = 0;
  // The highest page that a commit has written or that has been handed out; invalid when none.
  // Frames for all pages up to it can be reserved at once. Cheap.
  virtual Result<PageId> MaxPage(DatabaseId database) = 0;
  // For walks over pages: no page exists from `from` to just before the returned page, which is at
  // least `from` and may be behind MaxPage.
  virtual Result<PageId> NextPage(DatabaseId, PageId from) { return from; }

  // Names a database for ever, also in copies.
  virtual Result<Uuid> DatabaseUuid(DatabaseId database);
  // Makes a new, empty database with this uuid; null: with that of `name`, which is not open, or a
  // new one if `name` does not exist. No other program sees it. Unless CloseReplacing is called it
  // is lost when the store is closed. (A server may not support the two.)
  virtual Result<DatabaseId> CreateReplacement(std::string_view name, const Uuid* uuid = nullptr);
  // Close, and before the store is let go each of these databases takes the place of the one that
  // it was created for: all or none, also after a crash.
  virtual Status CloseReplacing(std::span<const DatabaseId> replacements);

  // The tables of references to and from other databases, as last committed.
  virtual Result<std::vector<ImportEntry>> Imports(DatabaseId database);
  virtual Result<std::vector<ExportEntry>> Exports(DatabaseId database);

  // --- Pages

  // Reads `pages` (any order; consecutive ones are fastest) into `replies` of the same length. A
  // reply has the failure of its own page (kNotFound: never written; kCorrupt), and the other pages
  // are readable. The returned Status is that of the whole call: if it is not ok, no reply is
  // valid. Grants read permission for the pages read.
  virtual Status Read(DatabaseId database, std::span<const PageId> pages,
                      std::span<PageReply> replies) = 0;

  // Reads one page, as Read does, for a program that touches page after page. A shared server may
  // send pages near it, for which may_come(page) holds, in the same answer. The server object keeps
  // those pages. They count as neither read nor held: another program that wants one gets it at
  // once, also while a transaction is open. A later call for one of them sends no message.
  virtual Status ReadTouched(DatabaseId database, PageId page, PageReply& reply,
                             const std::function<bool(PageId)>& may_come) {
    static_cast<void>(may_come);
    return Read(database, std::span(&page, 1), std::span(&reply, 1));
  }

  // Permissions stay with the session until called back or released (callback locking). These may
  // block. kConflict: waiting would have closed a cycle, and this session's transaction is the
  // victim. With capabilities().shared false they return ok at once.
  virtual Status WantRead(DatabaseId database, std::span<const PageId> pages) = 0;
  virtual Status WantWrite(DatabaseId database, std::span<const PageId> pages) = 0;
  virtual Status Release(DatabaseId database, std::span<const PageId> pages) = 0;

  // For shared servers; others do nothing. In WantRead and WantWrite of these, page 0 stands for
  // the root. The listener must be set before a transaction starts.
  virtual void SetListener(CallbackListener*) {}
  // Called before a transaction that repeats a victim's (kConflict): waits, for some seconds at
  // most, until the pages that the victim wanted are free. Meanwhile passes the requests of others
  // to the listener, in the calling thread.
  virtual void AwaitTurn() {}
  // Permissions are asked for between StartTransaction and EndTransaction only. True: all that were
  // granted before are void. A failure: no transaction has started.
  virtual Result<bool> StartTransaction() { return false; }
  // Passes the requests that came during the transaction to the listener, in the calling thread.
  virtual void EndTransaction() {}
  // Whether anything has been granted to the open transaction, or is kept from earlier ones: it may
  // have read that.
  virtual bool HoldsPermissions() { return false; }
  // Whether what was granted to the open transaction, or before it, is still its own, so that
  // another thread's reads may join the transaction. Asks a server only if a lease is over.
  virtual bool StillHolds() { return true; }
  // Whether others wait for pages that the open transaction may have used, until it ends. Does not
  // block.
  virtual bool OthersWait() { return false; }
  // Ok: at some moment after this call began, all that was granted was the program's own.
  // kConflict: it was not, the transaction is void.
  virtual Status Confirm() { return Status::Ok(); }

  // A disk collection of a shared server, which others use meanwhile (docs/recovery.md). Called in
  // a transaction with permission to read all pages and the root, with the unreachable objects in
  // ascending order. From then on the server watches the commits of others for references to them.
  // kInUse: another collection of the database is going on.
  virtual Status OfferCandidates(DatabaseId database, std::span<const Candidate> candidates);
  // After that transaction: whether a program refers to each candidate. No program can ever refer
  // to those that are not reachable from these. kInUse: a program has not answered in time.
  virtual Result<std::vector<bool>> HeldCandidates(DatabaseId database);

  // Called by the only user of the store before places of unreachable objects are given to other
  // objects. kInUse, with a process id or -1, while a program that the store was served to may come
  // again with references to such places. A program that comes again later is told to begin anew.
  virtual Status GivePlacesAgain() { return Status::Ok(); }

  // A run of `count` (at least 1) consecutive page ids with write permission, given to this caller
  // only while this server is open. Ids that no commit used are handed out again after a crash;
  // used ids only after a commit has removed the page. kNoSpace when numbers run out.
  virtual Result<PageRun> AllocatePages(DatabaseId database, uint64_t count) = 0;
  // The same for runs of any length out of what commits have removed, together at most `most`
  // pages; none when there are none.
  virtual Result<std::vector<PageRun>> AllocateRemoved(DatabaseId database, uint64_t most);
  // Gives back ids from AllocatePages that no commit used; part of a run is allowed.
  virtual Status ReturnPages(DatabaseId database, PageRun run) = 0;

  // --- Commit

  // Tells the server pages, kPageBytes each, that the commit with this id is going to write whole:
  // the server may write them before the commit. The pages do not change until EndPrewrite, which
  // is called whether or not there was a commit. Pages count only if the commit has them.
  virtual void Prewrite(CommitId, std::span<const std::byte* const>) {}
  virtual void EndPrewrite() {}

  // Applies the request atomically; returns after it is durable or certain not to have happened, or
  // kUnknown. Every page number written must come from AllocatePages or exist already. A request
  // that writes nothing and changes no root is committed without I/O, and Outcome does not know it.
  virtual CommitAnswer Commit(const CommitRequest& request) = 0;

  // A commit in two steps, so that one sync serves many commits. Order is Commit without the wait
  // for the disk: kCommitted means that the commit has its place behind all commits that were
  // ordered before, and that reads, permissions and later commits see it. It is durable, and so are
  // all before it, when AwaitDurable has answered ok. Commit is Order and AwaitDurable.
  virtual CommitAnswer Order(const CommitRequest& request) { return Commit(request); }
  // Waits until the commit with `version`, and each with a lower version, is durable. One of the
  // waiting threads syncs for all. Not ok: the server has failed; only Outcome, after the store was
  // opened again, tells which commits above DurableVersion() took place. Needs none of the caller's
  // locks, and blocks no other operation meanwhile.
  virtual Status AwaitDurable(uint64_t) { return Status::Ok(); }
  // The highest version for which AwaitDurable would answer ok at once. Does not block.
  virtual uint64_t DurableVersion() const { return ~uint64_t{0}; }

  // Whether the commit happened, in this or an earlier process: its version, or nullopt if it did
  // not. kUnknownOutcome: the store may have forgotten the commit, and nobody will ever know.
  // Another failure: unknown for now. Remembered are the latest commits of the store, and older
  // commits with a CommitAsker until the asker has settled them (outcome_memory.h).
  virtual Result<std::optional<uint64_t>> Outcome(const OutcomeQuestion& question) = 0;
  // The asker has closed the store.
  virtual void ForgetAsker(uint64_t) {}

  // --- Commits that concern several stores (two-phase; a server may not support them)

  // Ensures that the request can be committed later, even after a crash. kConflict and other
  // failures as in Commit. Until Resolve no other commit may write its pages.
  virtual Status Prepare(const CommitRequest& request, const Coordinator& coordinator);
  // Carries out the prepared commit of this id, or forgets it. kFailed with kNotFound: there is
  // none.
  virtual CommitAnswer Resolve(CommitId id, bool commit);
  // The prepared commits that wait for Resolve, also those of earlier processes.
  virtual Result<std::vector<PreparedCommit>> Prepared();
  // Whether a commit with participants took place. Exact until all participants have acknowledged.
  virtual Result<bool> Decided(CommitId id);
  virtual Status Acknowledge(CommitId id, const Uuid& participant);

  // --- Types

  // All entries of the store's type table, by ascending index.
  virtual Result<std::vector<TypeEntry>> TypeEntries() = 0;
  // The index of the entry with exactly this description, made if there is none. A new entry is
  // durable at the latest when a later commit is. Descriptions are opaque here.
  virtual Result<uint32_t> AddType(std::span<const std::byte> description) = 0;
  static constexpr size_t kTypeDescriptionBytesMax = 16 << 20;  // beyond it: kInvalidArgument

 protected:
  PageServer() = default;
};

}  // namespace tenure::store
