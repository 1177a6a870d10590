// A page server in front of another one, with which it does everything.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/server/page_server.h"

namespace tenure::store {

// A derived class overrides the operations that it does in another way.
class PageServerWrapper : public PageServer {
 public:
  explicit PageServerWrapper(std::unique_ptr<PageServer> server) : server_(std::move(server)) {}

  PageServerCapabilities capabilities() const override { return server_->capabilities(); }
  PageServerStatistics statistics() const override { return server_->statistics(); }
  Uuid store_uuid() const override { return server_->store_uuid(); }
  uint64_t lineage() const override { return server_->lineage(); }
  Status failed() const override { return server_->failed(); }
  CommitMark LastCommit() const override { return server_->LastCommit(); }
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
  Result<Uuid> DatabaseUuid(DatabaseId database) override {
    return server_->DatabaseUuid(database);
  }
  Result<DatabaseId> CreateReplacement(std::string_view name, const Uuid* uuid) override {
    return server_->CreateReplacement(name, uuid);
  }
  Status CloseReplacing(std::span<const DatabaseId> replacements) override {
    return server_->CloseReplacing(replacements);
  }
  Result<std::vector<ImportEntry>> Imports(DatabaseId database) override {
    return server_->Imports(database);
  }
  Result<std::vector<ExportEntry>> Exports(DatabaseId database) override {
    return server_->Exports(database);
  }

  Status Read(DatabaseId database, std::span<const PageId> pages,
              std::span<PageReply> replies) override {
    return server_->Read(database, pages, replies);
  }
  Status ReadTouched(DatabaseId database, PageId page, PageReply& reply,
                     const std::function<bool(PageId)>& may_come) override {
    return server_->ReadTouched(database, page, reply, may_come);
  }
  Result<PageRun> AllocatePages(DatabaseId database, uint64_t count) override {
    return server_->AllocatePages(database, count);
  }
  Result<std::vector<PageRun>> AllocateRemoved(DatabaseId database, uint64_t most) override {
    return server_->AllocateRemoved(database, most);
  }
  Status ReturnPages(DatabaseId database, PageRun run) override {
    return server_->ReturnPages(database, run);
  }

  void Prewrite(CommitId id, std::span<const std::byte* const> pages) override {
    server_->Prewrite(id, pages);
  }
  void EndPrewrite() override { server_->EndPrewrite(); }
  CommitAnswer Commit(const CommitRequest& request) override { return server_->Commit(request); }
  CommitAnswer Order(const CommitRequest& request) override { return server_->Order(request); }
  Status AwaitDurable(uint64_t version) override { return server_->AwaitDurable(version); }
  uint64_t DurableVersion() const override { return server_->DurableVersion(); }
  Result<std::optional<uint64_t>> Outcome(const OutcomeQuestion& question) override {
    return server_->Outcome(question);
  }
  void ForgetAsker(uint64_t asker) override { server_->ForgetAsker(asker); }
  Result<std::vector<TypeEntry>> TypeEntries() override { return server_->TypeEntries(); }
  Result<uint32_t> AddType(std::span<const std::byte> description) override {
    return server_->AddType(description);
  }

  // SharedUse
  Status WantRead(DatabaseId database, std::span<const PageId> pages) override {
    return server_->WantRead(database, pages);
  }
  Status WantWrite(DatabaseId database, std::span<const PageId> pages) override {
    return server_->WantWrite(database, pages);
  }
  Status Release(DatabaseId database, std::span<const PageId> pages) override {
    return server_->Release(database, pages);
  }
  void SetListener(CallbackListener* listener) override { server_->SetListener(listener); }
  void AwaitTurn() override { server_->AwaitTurn(); }
  Result<bool> StartTransaction() override { return server_->StartTransaction(); }
  void EndTransaction() override { server_->EndTransaction(); }
  bool HoldsPermissions() override { return server_->HoldsPermissions(); }
  bool StillHolds() override { return server_->StillHolds(); }
  bool OthersWait() override { return server_->OthersWait(); }
  Status Confirm() override { return server_->Confirm(); }

  // DiskCollection
  Status OfferCandidates(DatabaseId database, std::span<const Candidate> candidates) override {
    return server_->OfferCandidates(database, candidates);
  }
  Result<std::vector<bool>> HeldCandidates(DatabaseId database) override {
    return server_->HeldCandidates(database);
  }
  Status GivePlacesAgain() override { return server_->GivePlacesAgain(); }

  // TwoPhaseCommits
  Status Prepare(const CommitRequest& request, const Coordinator& coordinator) override {
    return server_->Prepare(request, coordinator);
  }
  CommitAnswer Resolve(CommitId id, bool commit) override { return server_->Resolve(id, commit); }
  Result<std::vector<PreparedCommit>> Prepared() override { return server_->Prepared(); }
  Result<bool> Decided(CommitId id) override { return server_->Decided(id); }
  Status Acknowledge(CommitId id, const Uuid& participant) override {
    return server_->Acknowledge(id, participant);
  }

 protected:
  PageServer& server() const { return *server_; }

 private:
  const std::unique_ptr<PageServer> server_;
};

}  // namespace tenure::store
