#pragma once

// The page server over Berkeley DB, in this process; the store's directory is locked while it is
// open.
//
// One tree per database and one for the store (docs/page_format.md). A commit is one Berkeley DB
// transaction of partial puts (policy `diff`): for each page its record header and the changed
// regions, then the database's head if it changed, and the outcome. The log is synced before Commit
// returns. With BdbOptions::redo it is a record of the redo log, synced, and the transaction comes
// later (bdb_redo.cc).

#include <array>
#include <atomic>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/worker_thread.h"
#include "store/bdb/bdb_environment.h"
#include "store/bdb/bdb_records.h"
#include "store/bdb/pending_pages.h"
#include "store/directory/store_directory.h"
#include "store/log/redo_ahead.h"
#include "store/log/redo_log.h"
#include "store/server/freed_pages.h"
#include "store/server/page_ids.h"
#include "store/server/page_server.h"

namespace tenure::store {

class BdbPageServer final : public PageServer {
 public:
  // Opens, or as `mode` says creates, the store in the directory `path`. Runs recovery. Where
  // StoreDirectory::Lock finds that nothing may be written, whatever would write fails with
  // kPermission.
  static Result<std::unique_ptr<BdbPageServer>> Open(const std::string& path, OpenMode mode,
                                                     const BdbOptions& options);
  // Makes a store with an empty database in the directory `path`, and lets others have it: all of
  // it or nothing, durable, and for the disk in one step. The failures are those of Open with
  // kCreate. If this process opens it next, before anyone else has, that goes on with what is in
  // memory.
  static Status Create(const std::string& path, const std::string& database,
                       const BdbOptions& options);
  ~BdbPageServer() override;

  // When the store has failed and does nothing more, `tell` is called once, by any thread, with
  // locks of the store's held.
  void OnFailure(std::function<void()> tell) { environment_->OnFailure(std::move(tell)); }
  // Ok, or why nothing works any more.
  Status failed() const override { return environment_->failed(); }

  PageServerCapabilities capabilities() const override;
  PageServerStatistics statistics() const override;
  Uuid store_uuid() const override { return directory_.uuid(); }
  uint64_t lineage() const override { return directory_.lineage(); }
  Status Close() override;

  Result<DatabaseId> OpenDatabase(std::string_view name, OpenMode mode) override;
  Status DeleteDatabase(std::string_view name) override;
  Status CloseDatabase(DatabaseId database) override;
  Result<std::vector<std::string>> ListDatabases() override;
  Result<DatabaseInfo> Info(DatabaseId database) override;
  Result<PersistentRef> Root(DatabaseId database) override;
  Result<PageId> MaxPage(DatabaseId database) override;
  Result<PageId> NextPage(DatabaseId database, PageId from) override;

  Status Read(DatabaseId database, std::span<const PageId> pages,
              std::span<PageReply> replies) override;
  Status WantRead(DatabaseId database, std::span<const PageId> pages) override;
  Status WantWrite(DatabaseId database, std::span<const PageId> pages) override;
  Status Release(DatabaseId database, std::span<const PageId> pages) override;
  Result<PageRun> AllocatePages(DatabaseId database, uint64_t count) override;
  Result<std::vector<PageRun>> AllocateRemoved(DatabaseId database, uint64_t most) override;
  Status ReturnPages(DatabaseId database, PageRun run) override;

  CommitMark LastCommit() const override;
  Status GivePlacesAgain() override;
  Result<DatabaseId> CreateReplacement(std::string_view name, const Uuid* uuid = nullptr) override;
  Status CloseReplacing(std::span<const DatabaseId> replacements) override;

  void SendAhead(CommitId id, std::span<const std::byte* const> pages) override;
  void EndAhead() override;
  CommitAnswer Commit(const CommitRequest& request) override;
  Result<std::optional<uint64_t>> Outcome(CommitId id) override;

  Result<Uuid> DatabaseUuid(DatabaseId database) override;
  Result<std::vector<ImportEntry>> Imports(DatabaseId database) override;
  Result<std::vector<ExportEntry>> Exports(DatabaseId database) override;

  Status Prepare(const CommitRequest& request, const Coordinator& coordinator) override;
  CommitAnswer Resolve(CommitId id, bool commit) override;
  Result<std::vector<PreparedCommit>> Prepared() override;
  Result<bool> Decided(CommitId id) override;
  Status Acknowledge(CommitId id, const Uuid& participant) override;

  Result<std::vector<TypeEntry>> TypeEntries() override;
  Result<uint32_t> AddType(std::span<const std::byte> description) override;

 private:
  struct OpenDatabaseState {
    std::string name;
    __db* tree = nullptr;
    DatabaseHead head;  // as committed
    PageIds ids{1};
    uint64_t imports = 0, exports = 0;  // entries of the tables
    FreedPages freed;
    std::string replaces;  // the database whose place this one may take
    PendingPages pending;  // committed, and not in the tree
    bool head_pending = false;
    std::unordered_map<uint64_t, uint64_t> versions;  // of pages in the tree, as far as known
  };

  struct Counters {
    std::atomic<uint64_t> read_calls{0}, pages_read{0}, bytes_read{0};
    std::atomic<uint64_t> commits{0}, pages_written{0}, pages_changed{0}, bytes_written{0};
  };

  BdbPageServer(StoreDirectory directory, const BdbOptions& options)
      : directory_(std::move(directory)), options_(options) {}

  // What Create has left for Open: without the lock on its directory, which Resume takes if that is
  // the same as it was.
  struct MadeLast;
  static MadeLast& TheMadeLast();
  static std::unique_ptr<BdbPageServer> TakeMade(const std::string& path);
  static void KeepMade(std::unique_ptr<BdbPageServer> server);
  bool Resume();

  // In the directory, which has nothing yet; no database if the name is empty. All is open then,
  // and nothing left to be written.
  Status MakeStore(const std::string& database);
  Status MakeTrees(const std::string& database);
  Status OpenStoreTree();
  Status LoadStoreTree();
  Status LoadHead(OpenDatabaseState& database);
  Status CheckNextPage(const OpenDatabaseState& database);
  Result<DatabaseId> AddDatabase(std::unique_ptr<OpenDatabaseState> database);
  // A replacement is not in the list of names.
  enum class Listed : bool { kNo, kYes };
  Result<DatabaseId> CreateDatabase(const std::string& name, const std::string& file,
                                    const Uuid& uuid, Listed listed);

  // The list of names. All but Lost and TakeName write, and need both mutexes or nobody else.
  Status Lost(std::string_view name) const;  // kCorrupt, and what to do
  bool TakeName(uint32_t number, std::span<const std::byte> record);
  Result<uint32_t> PutName(__db_txn* transaction, std::string_view name);
  Status NoteNames(std::span<const std::string> names);
  Status NoteNamesOfFiles();
  Status RemoveName(std::string_view name);
  Status NoteReplaced();

  // All need trees_mutex_, shared or exclusive.
  Status Usable() const;
  Result<OpenDatabaseState*> Find(DatabaseId id) const;
  std::optional<DatabaseId> FindOpen(std::string_view name) const;
  void ReadRun(OpenDatabaseState& database, std::span<const PageId> pages,
               std::span<PageReply> replies);

  // Parts of Commit; need trees_mutex_ exclusively.
  Status CheckRequest(const CommitRequest& request) const;
  Status CheckSpace(const CommitRequest& request);
  // `prepared`: this is what Resolve makes of a prepared commit, whose record then goes.
  CommitAnswer CommitOr(const CommitRequest& request, bool prepared);
  Status WriteTables(__db_txn* transaction, const OpenDatabaseState& database,
                     const DatabaseCommit& commit);
  Status CountEntries(OpenDatabaseState& database);
  Status LoadFreed(OpenDatabaseState& database);
  Status RemovePage(__db_txn* transaction, OpenDatabaseState& database, const PageWrite& write);
  Status WriteFreed(__db_txn* transaction, OpenDatabaseState& database);
  void UndoFreed(const CommitRequest& request);
  Status CloseUnlocked();
  Result<std::string> CommitRecord(std::byte tag, CommitId id);
  // An empty text removes the record.
  Status PutCommitRecord(__db_txn* transaction, std::byte tag, CommitId id,
                         const std::string& text);
  Status WriteDatabase(__db_txn* transaction, const DatabaseCommit& commit, uint64_t version);
  Status WritePage(__db_txn* transaction, OpenDatabaseState& database, const PageWrite& write,
                   uint64_t version);
  Status ChangePage(__db_txn* transaction, OpenDatabaseState& database, const PageWrite& write,
                    uint64_t version, size_t gap);
  Status WriteOutcome(__db_txn* transaction, const OutcomeRecord& record);
  Status WriteHead(__db_txn* transaction, const OpenDatabaseState& database,
                   const DatabaseHead& head);
  void NoteCommitted(const CommitRequest& request, const OutcomeRecord& record, bool in_trees);
  // Numbers of pages that a commit of an earlier process was given count as handed out.
  void ClaimPages(const CommitRequest& request);
  static void ClaimPage(PageIds& numbers, PageId page);
  Status ClaimPrepared(OpenDatabaseState& database);
  Result<std::vector<PreparedCommit>> PreparedRecords();

  // The policy `redo`; need commit_mutex_, and but for RedoCommit trees_mutex_ exclusively.
  bool FitsRedo(const CommitRequest& request) const;
  // How many pages wait for the trees. Needs commit_mutex_ only.
  uint64_t PendingCount() const;
  CommitAnswer RedoCommit(const CommitRequest& request);
  Result<uint64_t> VersionOf(OpenDatabaseState& database, PageId page);
  Status CheckRedo(const DatabaseCommit& commit, uint64_t version);
  void StageRedo(const CommitRequest& request, const OutcomeRecord& record);
  Status ApplyPage(__db_txn* transaction, OpenDatabaseState& database, PageId page);
  Status ApplyDatabase(__db_txn* transaction, OpenDatabaseState& database);
  // Puts what is pending into the trees, not durably. A failure is the environment's, or there is
  // no space: then it owes it, and all is still pending.
  Status ApplyPending();
  // The same, durably: the log is empty.
  Status EmptyRedo();
  // What the environment owes.
  Status CatchUp();
  bool BeginAhead(CommitId id);
  Status OpenRedo();
  Status ReplayRedo();
  Status ReplayRecord(const RedoRecord& record, std::vector<DatabaseId>* opened);
  void WantApplied();
  void RunApplier();
  void StopApplier();

  // Puts the header and these ranges of the record where the cursor is, those nearer to each other
  // than `gap` together. Berkeley DB's code.
  int PutRanges(class Cursor& cursor, PageKey& key, const PageRecord& record,
                std::span<const PendingPage::Range> ranges, size_t gap);
  // A put costs about 10 µs whatever its size, since Berkeley DB compares the whole record with the
  // old one byte by byte to find what to log; a byte more in it costs some nanoseconds, in the log
  // and its sync. So neighbours nearer to each other than this go in one put.
  static constexpr size_t kPutGapBytes = 1024;
  DatabaseHead HeadAfter(const OpenDatabaseState& database, const DatabaseCommit& commit) const;

  StoreDirectory directory_;
  const BdbOptions options_;
  std::unique_ptr<BdbEnvironment> environment_;

  // Held through a whole commit, its sync included. Taken before trees_mutex_.
  std::mutex commit_mutex_;
  // Exclusive: changing trees or what is below. Shared: reading them.
  mutable std::shared_mutex trees_mutex_;
  bool closed_ = false;
  bool at_rest_ = false;  // made, and the directory left
  __db* store_tree_ = nullptr;
  std::vector<std::unique_ptr<OpenDatabaseState>> databases_;  // by DatabaseId; null once closed
  std::map<std::string, uint32_t, std::less<>> types_;         // description -> index
  std::map<std::string, uint32_t, std::less<>> names_;         // of databases -> number in the list
  std::array<OutcomeRecord, kOutcomesKept> outcomes_{};        // the ring, as on disk
  uint64_t version_ = 0;                                       // of the last commit

  Counters counters_;

  // With commit_mutex_, for the policy `redo`.
  RedoLog redo_;
  RedoAhead redo_ahead_{redo_};
  std::vector<OutcomeRecord> pending_outcomes_;  // of commits that are not in the trees
  uint64_t pending_bytes_ = 0;
  bool types_unflushed_ = false;
  std::atomic<uint64_t> redo_bytes_{0}, redo_syncs_{0};
  WorkerThread applier_;
  std::mutex applier_mutex_;
  std::condition_variable apply_wanted_;
  bool apply_requested_ = false;
  bool stop_applier_ = false;
};

}  // namespace tenure::store
