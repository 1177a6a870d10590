// The page server over Berkeley DB, in this process; the store's directory is locked while it is
// open.
//
// One tree per database and one for the store (docs/page_format.md). A commit is one Berkeley DB
// transaction of partial puts (policy `diff`): for each page its record header and the changed
// regions, then the database's head if it changed, and the outcome. With BdbOptions::redo a commit
// is a record of the redo log, and the transaction comes later (bdb_redo.cc). Either log is synced
// before Commit returns, by one of the threads that wait for all of them (bdb_commit_sync.h).

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/bdb/bdb_commit.h"
#include "store/bdb/bdb_commit_records.h"
#include "store/bdb/bdb_commit_sync.h"
#include "store/bdb/bdb_databases.h"
#include "store/bdb/bdb_names.h"
#include "store/bdb/bdb_redo.h"
#include "store/bdb/bdb_store.h"
#include "store/bdb/bdb_tree_writer.h"
#include "store/bdb/bdb_two_phase.h"
#include "store/server/page_server.h"

namespace tenure::store {

class BdbPageServer final : public PageServer {
 public:
  // Opens the store in the directory `path`, or creates it if `mode` says so. Runs recovery. If
  // StoreDirectory::Lock finds the store not writable, every operation that writes fails with
  // kPermission.
  static Result<std::unique_ptr<BdbPageServer>> Open(const std::string& path, OpenMode mode,
                                                     const BdbOptions& options);
  // Makes a store with an empty database in the directory `path`, durably and completely or not at
  // all. Does not hold the store afterwards. The failures are those of Open with kCreate. If this
  // process is the next one to open the store, Open reuses the state in memory (WarmHandoff).
  static Status Create(const std::string& path, const std::string& database,
                       const BdbOptions& options);
  ~BdbPageServer() override;

  const std::string& path() const { return store_.directory.path(); }

  // When the store has failed and does nothing more, `tell` is called once, by any thread, with
  // locks of the store's held.
  void OnFailure(std::function<void()> tell) { store_.environment->OnFailure(std::move(tell)); }
  // Ok, or why nothing works any more.
  Status failed() const override { return store_.environment->failed(); }

  PageServerCapabilities capabilities() const override;
  PageServerStatistics statistics() const override;
  Uuid store_uuid() const override { return store_.directory.uuid(); }
  uint64_t lineage() const override { return store_.directory.lineage(); }
  Status Close() override;

  Result<DatabaseId> OpenDatabase(std::string_view name, OpenMode mode) override;
  Result<DatabaseId> CreateDatabase(std::string_view name, const Uuid& uuid) override;
  Status DeleteDatabase(std::string_view name) override;
  Status CloseDatabase(DatabaseId database) override;
  Result<std::vector<std::string>> ListDatabases() override;
  Result<DatabaseInfo> Info(DatabaseId database) override;
  Result<PersistentRef> Root(DatabaseId database) override;
  Result<PageId> MaxPage(DatabaseId database) override;
  Result<PageId> NextPage(DatabaseId database, PageId from) override;

  Status Read(DatabaseId database, std::span<const PageId> pages,
              std::span<PageReply> replies) override;
  Result<PageRun> AllocatePages(DatabaseId database, uint64_t count) override;
  Result<std::vector<PageRun>> AllocateRemoved(DatabaseId database, uint64_t most) override;
  Status ReturnPages(DatabaseId database, PageRun run) override;

  CommitMark LastCommit() const override;
  Status GivePlacesAgain() override;
  Result<DatabaseId> CreateReplacement(std::string_view name, const Uuid* uuid = nullptr) override;
  Status CloseReplacing(std::span<const DatabaseId> replacements) override;

  void Prewrite(CommitId id, std::span<const std::byte* const> pages) override;
  void EndPrewrite() override;
  CommitAnswer Commit(const CommitRequest& request) override;
  CommitAnswer Order(const CommitRequest& request) override;
  Status AwaitDurable(uint64_t version) override;
  uint64_t DurableVersion() const override { return sync_.durable(); }
  Result<std::optional<uint64_t>> Outcome(const OutcomeQuestion& question) override;
  void ForgetAsker(uint64_t asker) override;

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
  BdbPageServer(StoreDirectory directory, const BdbOptions& options)
      : store_(std::move(directory), options) {}

  // `uuid`: of a database that is made.
  Result<DatabaseId> OpenOrMake(std::string_view name, OpenMode mode, const Uuid& uuid);
  // Goes on with a store that Create has left to WarmHandoff. False if another process has had the
  // directory since.
  bool Resume();

  // Makes the store's files in the empty directory, and no database if the name is empty.
  // Afterwards all files are open and everything is written.
  Status MakeStore(const std::string& database);
  Status MakeTrees(const std::string& database);
  Status OpenStoreTree();
  Status LoadStoreTree();
  // Closes all but the directory. Needs both mutexes.
  Status CloseLocked();
  Status StampReplacements(std::span<const DatabaseId> replacements,
                           std::span<const ListedName> replaced);
  // Notes the names and stamps of databases that CloseReplacing has put in place. The store is
  // closed, and its directory still held.
  Status NoteReplaced(std::span<const ListedName> replaced);

  BdbStore store_;
  NameList names_{store_};
  CommitRecords records_{store_};
  TreeWriter writer_{store_, names_};
  CommitSync sync_{store_};
  RedoPolicy redo_{store_, writer_, sync_};
  Committer committer_{store_, writer_, records_, redo_, sync_};
  DatabaseOpener opener_{store_, names_, records_};
  TwoPhase two_phase_{{*this, store_, writer_, records_, redo_, committer_, sync_}};
  bool replacing_ = false;  // CloseReplacing closes the store
  bool at_rest_ = false;    // kept by WarmHandoff, and the directory left
};

}  // namespace tenure::store
