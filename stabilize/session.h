// Session: all of stabilize/ that a process has, and what the run time calls. Databases, the one
// transaction, faults, commit (design.md section 5).
//
// Threads: every operation takes the session's lock; none is called with a lock of the collector
// held, and none while the world is stopped but those of the heap bridge. HandleFault runs in a
// signal handler of the thread that faulted; only compiled code and copying by the run time touch
// protected memory, so it interrupts no holder of any lock.
#pragma once

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
#include "stabilize/database.h"
#include "stabilize/displaced.h"
#include "stabilize/frame_mapping.h"
#include "stabilize/governed_pages.h"
#include "stabilize/store.h"

namespace tenure::stabilize {

class HeapBridge;

struct SessionOptions {
  StoreOptions store;      // kind of page server, cache, fail point; `mode` is not used
  MappingOptions mapping;  // fault tier, random base
};

struct SessionStatistics {
  uint64_t read_faults = 0;
  uint64_t write_faults = 0;  // first writes, of frames and of governed pages
  uint64_t pages_read = 0;
  uint64_t bytes_read = 0;
  uint64_t pages_written = 0;  // whole or in part
  uint64_t bytes_written = 0;
  uint64_t log_bytes = 0;
  uint64_t commits = 0;        // that reached a server
  uint64_t objects_named = 0;  // made persistent
  uint64_t objects_moved_home = 0;
  uint64_t objects_displaced = 0;  // now
  uint64_t pages_governed = 0;     // now
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
    kAborted
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

  // --- The transaction
  // -------------------------------------------------------------------------------- There is at
  // most one. A serial number names it; 0 is none.
  Result<uint64_t> Begin();  // kInUse when one is open
  // Makes what it changed durable. Afterwards it is closed, whatever the answer; if that is not ok,
  // memory is as it was before the transaction. kConflict; kUnknownOutcome (its databases are
  // closed); other failures as they are.
  Status Commit(uint64_t transaction);
  // The same, but it stays open, and a later abort returns to here. When it fails it is closed.
  Status Checkpoint(uint64_t transaction);
  // Commit and begin, under the same number.
  Status Chain(uint64_t transaction);
  Status Abort(uint64_t transaction);
  bool IsOpen(uint64_t transaction) const {
    return transaction != 0 && transaction == transaction_;
  }

  // --- Traps
  // -------------------------------------------------------------------------------------------
  FaultAnswer HandleFault(const void* address, bool is_write);

  // Aborts what is open and closes all databases and stores, at the end of the process.
  Status Shutdown();

  SessionStatistics statistics();

 private:
  friend class HeapBridge;
  friend class Stabilizer;

  struct PathParts {
    std::string store;
    std::string database;
  };
  static PathParts Split(std::string_view path);
  Result<OpenStoreState*> Store(const std::string& path, OpenMode mode);
  void ReleaseStore(OpenStoreState& store);
  Database* FindOpen(const std::string& store, const std::string& name);
  Database* At(const void* address);

  FaultAnswer HandleFrameFault(Database& database, const void* address, bool is_write);
  FaultAnswer HandleGovernedFault(GovernedPage& page, const void* address);
  // Reads, decodes and publishes the page, and neighbours when faults run forward.
  Status MakeResident(Database& database, PageId page);
  Status OpenForWriting(Database& database, PageId page);

  Status CommitChanges();
  void Rollback();

  // Callback locking, stabilize/called_back.cc: what a shared server's other users make necessary.
  CallbackListener::Answer CalledBack(PageServer& server, DatabaseId id, PageId page,
                                      bool to_read) override;
  Status StartAtServers();
  void EndAtServers();
  void DropFrame(Database& database, PageId page);
  void DropAllFrames(Database& database);
  Status RefreshDisplaced(Database& database);
  // What another program has made of objects that live elsewhere in this one.
  Status DecodeIntoDisplaced(Database& database, PageId page, const std::vector<abi::Ref>& places,
                             const std::byte* image);
  // Permission for the root; its present value. kConflict: the transaction has been rolled back.
  Status LockRoot(Database& database, bool write);
  Status WantWriteOfGoverned(GovernedPage& page);

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
  std::unique_ptr<HeapBridge> bridge_;
  uint64_t transaction_ = 0;
  uint64_t last_transaction_ = 0;
  SessionStatistics counters_;
};

}  // namespace tenure::stabilize
