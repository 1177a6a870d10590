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
// cluster open it), and for tests PageServerWrapper (another server, with faults). OpenStore in
// store/open.h chooses one for a path. The parts of the contract that only some servers have are
// base classes: SharedUse, TwoPhaseCommits, DiskCollection.
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

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/format/ids.h"
#include "store/format/page_record.h"
#include "store/format/persistent_ref.h"
#include "store/server/commit_request.h"
#include "store/server/disk_collection.h"
#include "store/server/shared_use.h"
#include "store/server/two_phase.h"

namespace tenure::store {

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

class PageServer : public SharedUse, public TwoPhaseCommits, public DiskCollection {
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

  Status WantRead(DatabaseId database, std::span<const PageId>) override {
    return Root(database).status();
  }
  Status WantWrite(DatabaseId database, std::span<const PageId>) override {
    return Root(database).status();
  }
  Status Release(DatabaseId database, std::span<const PageId>) override {
    return Root(database).status();
  }

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
