// The state of a store that is open in this process, and the reads of it that every operation
// needs. The classes that change the state: TreeWriter and RedoPolicy (commits), DatabaseOpener
// (databases), NameList (the list of names), TwoPhase (commits of several stores). BdbPageServer is
// their facade.

#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "store/bdb/bdb_environment.h"
#include "store/bdb/bdb_records.h"
#include "store/bdb/pending_pages.h"
#include "store/directory/store_directory.h"
#include "store/server/freed_pages.h"
#include "store/server/outcome_memory.h"
#include "store/server/page_ids.h"
#include "store/server/page_server.h"

namespace tenure::store {

// An open database.
struct DatabaseState {
  std::string name;
  __db* tree = nullptr;
  DatabaseHead head;  // as committed
  uint64_t stamped_in =
      0;  // the BdbEnvironment::period in which the head got its stamp; 0: earlier
  // The stamp that a transaction writes, which has not been committed yet, and its period.
  std::optional<FileStamp> next_stamp;
  uint64_t next_stamped_in = 0;
  PageIds ids{1};
  uint64_t imports = 0, exports = 0;  // entries of the tables
  FreedPages freed;
  std::string replaces;  // the database whose place this one may take; empty: none
  // Of a replacement: why a commit to it has failed. No transaction undoes what that has written.
  Status spoiled;
  PendingPages pending;  // pages that are committed, and not yet in the tree
  bool head_pending = false;
  std::unordered_map<uint64_t, uint64_t> versions;  // versions of some pages of the tree
};

struct BdbStore {
  struct Counters {
    std::atomic<uint64_t> read_calls{0}, pages_read{0}, bytes_read{0};
    std::atomic<uint64_t> commits{0}, pages_written{0}, pages_changed{0}, bytes_written{0};
  };

  BdbStore(StoreDirectory held, const BdbOptions& given)
      : directory(std::move(held)), options(given) {}

  // The functions need trees_mutex, shared or exclusive.

  // kClosed, or why the environment has failed.
  Status Usable() const;
  Result<DatabaseState*> Find(DatabaseId id) const;
  std::optional<DatabaseId> FindOpen(std::string_view name) const;
  DatabaseState& At(DatabaseId id) const { return *databases[id.index]; }
  void ReadRun(DatabaseState& database, std::span<const PageId> pages,
               std::span<PageReply> replies);
  // CheckCommitRequest with the open databases.
  Status CheckRequest(const CommitRequest& request) const;

  // The functions below need trees_mutex exclusively.

  // `in_trees`: the commit has been written to the trees, not only to the redo log.
  void NoteCommitted(const CommitRequest& request, const CommitMark& record, bool in_trees);
  // Counts the page numbers in a commit of an earlier process as handed out.
  void ClaimPages(const CommitRequest& request);
  // Undoes the notes about removed pages and stamps that the databases made for a commit that
  // failed.
  void UndoNotes(const CommitRequest& request);

  StoreDirectory directory;
  const BdbOptions options;
  std::unique_ptr<BdbEnvironment> environment;

  // Held while a commit is ordered, but not while the commit's log is synced. Taken before
  // trees_mutex.
  Mutex commit_mutex TN_ACQUIRED_BEFORE(trees_mutex);
  // Exclusive: changing trees or the members below. Shared: reading them.
  // The analysis cannot know that the store of another object is this one: the classes that work on
  // it say which mutexes their functions need.
  mutable SharedMutex trees_mutex;
  bool closed = false;
  __db* store_tree = nullptr;
  std::vector<std::unique_ptr<DatabaseState>> databases;  // by DatabaseId; null once closed
  std::map<std::string, uint32_t, std::less<>> types;     // description -> index
  OutcomeMemory outcomes{options.latest_outcomes, options.older_outcomes};
  uint64_t version = 0;          // of the last commit
  bool types_unflushed = false;  // types were added and not synced; with commit_mutex

  Counters counters;
};

// The head of the database after the commit.
DatabaseHead HeadAfter(const DatabaseState& database, const DatabaseCommit& commit);

// Counts the number as handed out: a commit of an earlier process was given the page.
void ClaimPage(PageIds& numbers, PageId page);

}  // namespace tenure::store
