// The page server of a node that leads a store of a cluster: the store's log and pages are the
// engine's, which has them on several machines.
//
// A commit is a record at the next position of the store's log; its position is its version. Order
// stages the record, so that reads and later commits see it, and AwaitDurable appends it, with all
// that others have put meanwhile. Pages follow: a thread applies what is durable to the engine's
// tables. When an append fails, or another node leads the store, the server has failed; to open the
// store again is to attach again, which tells what has happened.
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/worker_thread.h"
#include "store/cluster/cluster_state.h"
#include "store/cluster/engine.h"
#include "store/cluster/lease.h"
#include "store/cluster/log_queue.h"
#include "store/server/commit_image.h"
#include "store/server/page_ids.h"

namespace tenure::store {

struct ClusterOptions {
  NodeId node = {};
  // The node that led the store last, as far as this node knows (Engine::Attach).
  std::optional<NodeId> former = {};
  // The node's; null: the store is used as long as appends succeed. While the lease is not valid
  // every operation answers kInUse.
  const Lease* lease = nullptr;
  LeaseTime (*now)() = LeaseNow;
  // Commits fail with this status until `refuses_until`: the engine has refused earlier ones, and
  // each that it refuses costs an attachment. Reads go on.
  Status refusal = {};
  LeaseTime refuses_until{};
  size_t cached_records = 1 << 15;  // 256 MB
  // How many commits are remembered (PageServer::Outcome). Tests make it small.
  size_t latest_outcomes = 4096;
  size_t older_outcomes = kOlderOutcomesMost;
  // False: what is committed is applied by ApplyNow and by commits that find too much pending.
  bool apply_thread = true;
  std::chrono::milliseconds apply_interval{250};
  uint64_t apply_bytes = 64 << 20;     // pending: applied at once
  uint64_t pending_bytes = 256 << 20;  // pending: commits wait
};

class ClusterPageServer final : public PageServer {
 public:
  // Attaches to the store of this name.
  static Result<std::unique_ptr<ClusterPageServer>> Open(std::unique_ptr<Engine> engine,
                                                         const std::string& name, OpenMode mode,
                                                         const ClusterOptions& options);
  ~ClusterPageServer() override;

  uint64_t term() const { return attachment_.term; }
  // Makes all commits durable, and applies them to the engine's tables.
  Status ApplyNow();

  // Sessions of programs (ClusterSessions), which every later leader knows. `program`: its name.
  // EnterSession is durable when it returns. EndSession is not, but is before any commit that is
  // ordered later.
  Status EnterSession(const Uuid& session, const std::string& program);
  Status EndSession(const Uuid& session);
  std::map<Uuid, std::string> Sessions() const;

  PageServerCapabilities capabilities() const override;
  PageServerStatistics statistics() const override;
  Uuid store_uuid() const override { return uuid_; }
  uint64_t lineage() const override { return attachment_.lineage; }
  Status failed() const override { return queue_.failed(); }
  CommitMark LastCommit() const override;
  Status Close() override;

  Result<DatabaseId> OpenDatabase(std::string_view name, OpenMode mode) override;
  Status DeleteDatabase(std::string_view name) override;
  Status CloseDatabase(DatabaseId database) override;
  Result<std::vector<std::string>> ListDatabases() override;
  Result<DatabaseInfo> Info(DatabaseId database) override;
  Result<PersistentRef> Root(DatabaseId database) override;
  Result<PageId> MaxPage(DatabaseId database) override;
  Result<PageId> NextPage(DatabaseId database, PageId from) override;
  Result<Uuid> DatabaseUuid(DatabaseId database) override;
  Result<std::vector<ImportEntry>> Imports(DatabaseId database) override;
  Result<std::vector<ExportEntry>> Exports(DatabaseId database) override;

  Status Read(DatabaseId database, std::span<const PageId> pages,
              std::span<PageReply> replies) override;
  Result<PageRun> AllocatePages(DatabaseId database, uint64_t count) override;
  Result<std::vector<PageRun>> AllocateRemoved(DatabaseId database, uint64_t most) override;
  Status ReturnPages(DatabaseId database, PageRun run) override;

  CommitAnswer Commit(const CommitRequest& request) override;
  CommitAnswer Order(const CommitRequest& request) override;
  Status AwaitDurable(uint64_t version) override;
  uint64_t DurableVersion() const override { return queue_.durable(); }
  Result<std::optional<uint64_t>> Outcome(const OutcomeQuestion& question) override;
  void ForgetAsker(uint64_t asker) override;

  Status Prepare(const CommitRequest& request, const Coordinator& coordinator) override;
  CommitAnswer Resolve(CommitId id, bool commit) override;
  Result<std::vector<PreparedCommit>> Prepared() override;
  Result<bool> Decided(CommitId id) override;
  Status Acknowledge(CommitId id, const Uuid& participant) override;

  Result<std::vector<TypeEntry>> TypeEntries() override;
  Result<uint32_t> AddType(std::span<const std::byte> description) override;

 private:
  struct OpenDatabaseState {
    std::shared_ptr<ClusterDatabase> database;
    PageIds ids{1};
  };
  ClusterPageServer(std::unique_ptr<Engine> engine, std::string name, const Uuid& uuid,
                    const Attachment& attachment, const ClusterOptions& options);
  Status Recover();
  Status Replay(const PlacedRecord& placed);

  // These need mutex_.
  Status Usable() const TN_REQUIRES(mutex_);
  Result<OpenDatabaseState*> Find(DatabaseId id) TN_REQUIRES(mutex_);
  std::optional<DatabaseId> FindOpen(const ClusterDatabase& database) const TN_REQUIRES(mutex_);
  DatabaseId OpenAnew(const std::shared_ptr<ClusterDatabase>& database) TN_REQUIRES(mutex_);
  void CountCommit(const CommitRequest& request) TN_REQUIRES(mutex_);
  void Stage(const CommitRequest& request, uint64_t version, std::span<const StagedPart> parts)
      TN_REQUIRES(mutex_);
  // Ids for the databases of an image, opened where they are not open; `opened` gets those.
  Result<std::vector<DatabaseId>> OpenFor(const PreparedImage& image,
                                          std::vector<DatabaseId>* opened) TN_REQUIRES(mutex_);
  // Counts the page numbers in a commit of an earlier process as handed out.
  void ClaimPages(const CommitRequest& request) TN_REQUIRES(mutex_);

  // These need commit_mutex_ and no other.
  CommitAnswer CheckRequest(const CommitRequest& request);
  // Makes the pages as the commit changes them; or answers why the commit is impossible.
  CommitAnswer MakeParts(const CommitRequest& request, uint64_t version,
                         std::vector<StagedPart>* parts);
  // Puts the record of a checked request into the log and stages it.
  CommitAnswer OrderAs(const CommitRequest& request, LogRecord record);
  // ClusterOptions::refusal, while it lasts.
  Status Refusal() const;
  // Applies when more is pending than the options allow.
  Status MakeRoom();
  Status ApplyLocked();

  // Reads the records of pages as they are when no commit runs meanwhile; null for a page without a
  // record. Needs no mutex.
  Status Fetch(const std::shared_ptr<ClusterDatabase>& database, std::span<const PageId> pages,
               std::span<PageReply> replies);
  // Returns the engine's answer; if the answer says that the attachment is over, notes so.
  Status Noted(Status answer);
  std::string Encode(const CommitRequest& request, const Coordinator& coordinator);

  void WantApplied() TN_REQUIRES(applier_mutex_);
  void RunApplier();
  void StopApplier();

  const std::unique_ptr<Engine> engine_;
  const std::string name_;
  const Uuid uuid_;
  const Attachment attachment_;
  const ClusterOptions options_;
  LogQueue queue_;

  // Held while something is put into the log and staged, and during Engine::Apply. Taken first.
  Mutex commit_mutex_;

  mutable Mutex mutex_;  // guards the members below; held for no engine's call
  bool closed_ TN_GUARDED_BY(mutex_) = false;
  ClusterState state_ TN_GUARDED_BY(mutex_);
  uint64_t applies_ TN_GUARDED_BY(mutex_) = 0;
  std::vector<std::unique_ptr<OpenDatabaseState>> databases_
      TN_GUARDED_BY(mutex_);  // by DatabaseId; null once closed
  PageServerStatistics statistics_ TN_GUARDED_BY(mutex_);

  WorkerThread applier_;
  Mutex applier_mutex_;
  CondVar apply_wanted_;
  bool apply_requested_ TN_GUARDED_BY(applier_mutex_) = false,
                        apply_hurries_ TN_GUARDED_BY(applier_mutex_) = false,
                        stop_applier_ TN_GUARDED_BY(applier_mutex_) = false;
};

}  // namespace tenure::store
