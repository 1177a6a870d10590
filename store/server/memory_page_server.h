// A page server whose stores live in this process's memory, for tests and trials. FailingPageServer
// makes its faults.
//
// A store's path is only a name, and the store lasts from its creation to the end of the process:
// opening it again finds what was committed. Like a store on disk it can be open once at a time.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "store/server/page_ids.h"
#include "store/server/page_server.h"

namespace tenure::store {

class MemoryPageServer final : public PageServer {
 public:
  static Result<std::unique_ptr<MemoryPageServer>> Open(const std::string& path, OpenMode mode);
  // Deletes a store that is not open, if it exists: for tests that want a fresh one.
  static void Forget(const std::string& path);
  ~MemoryPageServer() override;

  PageServerCapabilities capabilities() const override;
  PageServerStatistics statistics() const override;
  Uuid store_uuid() const override;
  uint64_t lineage() const override;
  Status Close() override;

  Result<DatabaseId> OpenDatabase(std::string_view name, OpenMode mode) override;
  Result<DatabaseId> CreateDatabase(std::string_view name, const Uuid& uuid) override;
  Status DeleteDatabase(std::string_view name) override;
  Status CloseDatabase(DatabaseId database) override;
  Result<std::vector<std::string>> ListDatabases() override;
  Result<DatabaseInfo> Info(DatabaseId database) override;
  Result<PersistentRef> Root(DatabaseId database) override;
  Result<PageId> MaxPage(DatabaseId database) override;

  Status Read(DatabaseId database, std::span<const PageId> pages,
              std::span<PageReply> replies) override;
  Result<PageRun> AllocatePages(DatabaseId database, uint64_t count) override;
  Result<std::vector<PageRun>> AllocateRemoved(DatabaseId database, uint64_t most) override;
  Status ReturnPages(DatabaseId database, PageRun run) override;

  CommitAnswer Commit(const CommitRequest& request) override;
  Result<std::optional<uint64_t>> Outcome(const OutcomeQuestion& question) override;

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
  struct Database;
  struct Store;
  struct OpenDatabaseState {
    std::shared_ptr<Database> database;
    PageIds ids{1};
  };

  explicit MemoryPageServer(std::shared_ptr<Store> store) : store_(std::move(store)) {}

  struct Stores;
  static Stores& AllStores();

  // `uuid`: of a database that is made.
  Result<DatabaseId> OpenOrMake(std::string_view name, OpenMode mode, const Uuid& uuid);
  Status Usable() const TN_REQUIRES(mutex_);
  Result<OpenDatabaseState*> Find(DatabaseId id) TN_REQUIRES(mutex_);
  Status CheckRequest(const CommitRequest& request) TN_REQUIRES(mutex_);
  // Makes the pages as the commit changes them; or answers why the commit is impossible.
  CommitAnswer MakeRecords(const CommitRequest& request, uint64_t version,
                           std::vector<std::unique_ptr<PageRecord>>* records) TN_REQUIRES(mutex_);

  const std::shared_ptr<Store> store_;
  mutable Mutex mutex_;  // guards all below and the store
  bool closed_ TN_GUARDED_BY(mutex_) = false;
  std::vector<std::unique_ptr<OpenDatabaseState>> databases_
      TN_GUARDED_BY(mutex_);  // by DatabaseId; null once closed
  PageServerStatistics statistics_ TN_GUARDED_BY(mutex_);
};

}  // namespace tenure::store
