// Another page server, with one fault (store/faults/fail_point.h).

#pragma once

#include <atomic>
#include <memory>

#include "store/faults/fail_point.h"
#include "store/server/page_server.h"

namespace tenure::store {

// Every operation is that of `server`, but for the one that the fail point names.
class FailingPageServer final : public PageServer {
 public:
  FailingPageServer(std::unique_ptr<PageServer> server, FailPoint point)
      : server_(std::move(server)), point_(point) {}

  PageServerCapabilities capabilities() const override { return server_->capabilities(); }
  PageServerStatistics statistics() const override { return server_->statistics(); }
  Uuid store_uuid() const override { return server_->store_uuid(); }
  uint64_t lineage() const override { return server_->lineage(); }
  Status Close() override { return server_->Close(); }

  Result<DatabaseId> OpenDatabase(std::string_view name, OpenMode mode) override {
    return server_->OpenDatabase(name, mode);
  }
  Result<DatabaseId> CreateDatabase(std::string_view name, const Uuid& uuid) override {
    return server_->CreateDatabase(name, uuid);
  }
  Status DeleteDatabase(std::string_view name) override { return server_->DeleteDatabase(name); }
  Status CloseDatabase(DatabaseId database) override { return server_->CloseDatabase(database); }
  Result<std::vector<std::string>> ListDatabases() override { return server_->ListDatabases(); }
  Result<DatabaseInfo> Info(DatabaseId database) override { return server_->Info(database); }
  Result<PersistentRef> Root(DatabaseId database) override { return server_->Root(database); }
  Result<PageId> MaxPage(DatabaseId database) override { return server_->MaxPage(database); }
  Result<PageId> NextPage(DatabaseId database, PageId from) override {
    return server_->NextPage(database, from);
  }

  Status Read(DatabaseId database, std::span<const PageId> pages,
              std::span<PageReply> replies) override;
  Status ReadTouched(DatabaseId database, PageId page, PageReply& reply,
                     const std::function<bool(PageId)>& may_come) override;
  Status WantRead(DatabaseId database, std::span<const PageId> pages) override {
    return server_->WantRead(database, pages);
  }
  Status WantWrite(DatabaseId database, std::span<const PageId> pages) override;
  Status Release(DatabaseId database, std::span<const PageId> pages) override {
    return server_->Release(database, pages);
  }
  void SetListener(CallbackListener* listener) override { server_->SetListener(listener); }
  void AwaitTurn() override { server_->AwaitTurn(); }
  Status failed() const override { return server_->failed(); }
  CommitMark LastCommit() const override { return server_->LastCommit(); }
  Status GivePlacesAgain() override { return server_->GivePlacesAgain(); }
  Result<bool> StartTransaction() override { return server_->StartTransaction(); }
  void EndTransaction() override { server_->EndTransaction(); }
  bool HoldsPermissions() override { return server_->HoldsPermissions(); }
  bool OthersWait() override { return server_->OthersWait(); }
  bool StillHolds() override { return server_->StillHolds(); }
  Status Confirm() override { return server_->Confirm(); }
  Status OfferCandidates(DatabaseId database, std::span<const Candidate> candidates) override;
  Result<std::vector<bool>> HeldCandidates(DatabaseId database) override;
  Result<PageRun> AllocatePages(DatabaseId database, uint64_t count) override;
  Result<std::vector<PageRun>> AllocateRemoved(DatabaseId database, uint64_t most) override {
    return server_->AllocateRemoved(database, most);
  }
  Result<DatabaseId> CreateReplacement(std::string_view name, const Uuid* uuid = nullptr) override {
    return server_->CreateReplacement(name, uuid);
  }
  Status CloseReplacing(std::span<const DatabaseId> replacements) override {
    return server_->CloseReplacing(replacements);
  }
  Status ReturnPages(DatabaseId database, PageRun run) override {
    return server_->ReturnPages(database, run);
  }

  void Prewrite(CommitId id, std::span<const std::byte* const> pages) override {
    server_->Prewrite(id, pages);
  }
  void EndPrewrite() override { server_->EndPrewrite(); }
  CommitAnswer Commit(const CommitRequest& request) override;
  CommitAnswer Order(const CommitRequest& request) override;
  Status AwaitDurable(uint64_t version) override { return server_->AwaitDurable(version); }
  uint64_t DurableVersion() const override { return server_->DurableVersion(); }
  Result<std::optional<uint64_t>> Outcome(const OutcomeQuestion& question) override;

  Result<Uuid> DatabaseUuid(DatabaseId database) override {
    return server_->DatabaseUuid(database);
  }
  Result<std::vector<ImportEntry>> Imports(DatabaseId database) override {
    return server_->Imports(database);
  }
  Result<std::vector<ExportEntry>> Exports(DatabaseId database) override {
    return server_->Exports(database);
  }
  Status Prepare(const CommitRequest& request, const Coordinator& coordinator) override;
  CommitAnswer Resolve(CommitId id, bool commit) override;
  Result<std::vector<PreparedCommit>> Prepared() override { return server_->Prepared(); }
  Result<bool> Decided(CommitId id) override { return server_->Decided(id); }
  Status Acknowledge(CommitId id, const Uuid& participant) override;

  Result<std::vector<TypeEntry>> TypeEntries() override { return server_->TypeEntries(); }
  Result<uint32_t> AddType(std::span<const std::byte> description) override;

 private:
  // Reads by read(), which puts the reply to the first of `pages` into *first; or fails.
  template <typename ReadPages>
  Status ReadOrFail(std::span<const PageId> pages, PageReply* first, ReadPages&& read);
  // Counts an operation of the kind that `kind` is about. True for the one that shall fail.
  bool Due(FailPointKind kind);
  // Does one of the steps of commits, which all stores of the process count together.
  template <typename Do>
  auto Step(Do&& step);
  // Does a commit or its first half.
  template <typename Do>
  CommitAnswer CommitWithFaults(Do&& commit);

  const std::unique_ptr<PageServer> server_;
  const FailPoint point_;
  std::atomic<uint64_t> operations_{0};
  std::atomic<bool> silent_{false};  // Outcome fails
};

}  // namespace tenure::store
