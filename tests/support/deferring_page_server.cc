#include "tests/support/deferring_page_server.h"

#include <cerrno>
#include <utility>
#include <vector>

#include "base/check.h"
#include "store/server/page_server_wrapper.h"

namespace tenure::testing {

using namespace store;

namespace {

// A request with all that it refers to.
class KeptRequest {
 public:
  KeptRequest(const CommitRequest& request, uint64_t version) : version_(version) {
    request_.id = request.id;
    for (const DatabaseCommit& commit : request.databases) {
      DatabaseCommit& kept = databases_.emplace_back(commit);
      auto& pages = pages_.emplace_back(commit.pages.begin(), commit.pages.end());
      for (PageWrite& write : pages) {
        if (write.contents != nullptr) write.contents = Keep({write.contents, abi::kPageBytes});
        write.given.reset();
        auto& regions = regions_.emplace_back(write.regions.begin(), write.regions.end());
        for (ChangedRegion& region : regions) {
          region.bytes = {Keep(region.bytes), region.bytes.size()};
        }
        write.regions = regions;
      }
      kept.pages = pages;
      kept.imports = imports_.emplace_back(commit.imports.begin(), commit.imports.end());
      kept.exports = exports_.emplace_back(commit.exports.begin(), commit.exports.end());
    }
    request_.databases = databases_;
  }
  KeptRequest(const KeptRequest&) = delete;
  KeptRequest& operator=(const KeptRequest&) = delete;

  const CommitRequest& request() const { return request_; }
  uint64_t version() const { return version_; }

 private:
  const std::byte* Keep(std::span<const std::byte> bytes) {
    return bytes_.emplace_back(bytes.begin(), bytes.end()).data();
  }

  const uint64_t version_;
  CommitRequest request_;
  std::vector<DatabaseCommit> databases_;
  std::deque<std::vector<PageWrite>> pages_;
  std::deque<std::vector<ChangedRegion>> regions_;
  std::deque<std::vector<std::byte>> bytes_;
  std::deque<std::vector<ImportEntry>> imports_;
  std::deque<std::vector<ExportEntry>> exports_;
};

}  // namespace

void SyncControl::Hold() {
  const std::lock_guard lock(mutex_);
  holds_ = true;
}

void SyncControl::Sync() {
  const std::lock_guard lock(mutex_);
  holds_ = false;
  changed_.notify_all();
}

void SyncControl::Fail(size_t kept) {
  const std::lock_guard lock(mutex_);
  holds_ = false;
  fails_ = true;
  kept_ = kept;
  changed_.notify_all();
}

void SyncControl::Vanish() {
  const std::lock_guard lock(mutex_);
  vanished_ = true;
  changed_.notify_all();
}

int SyncControl::waiting() {
  const std::lock_guard lock(mutex_);
  return waiting_;
}

class DeferringPageServer final : public PageServerWrapper {
 public:
  DeferringPageServer(std::unique_ptr<PageServer> server, std::shared_ptr<SyncControl> control)
      : PageServerWrapper(std::move(server)), control_(std::move(control)) {
    mark_ = this->server().LastCommit();
    durable_ = mark_.version;
  }

  Status failed() const override { return failed_; }
  CommitMark LastCommit() const override { return mark_; }
  Status Close() override {
    TN_CHECK(ordered_.empty() || !failed_.ok() || IsGone());
    return server().Close();
  }

  Result<PageId> MaxPage(DatabaseId database) override {
    if (IsGone()) return Gone();
    return server().MaxPage(database);
  }
  Result<std::vector<ImportEntry>> Imports(DatabaseId database) override {
    if (IsGone()) return Gone();
    return server().Imports(database);
  }
  Result<std::vector<ExportEntry>> Exports(DatabaseId database) override {
    return server().Exports(database);
  }
  Status Read(DatabaseId database, std::span<const PageId> pages,
              std::span<PageReply> replies) override {
    if (!failed_.ok()) return failed_;
    return server().Read(database, pages, replies);
  }
  Status ReadTouched(DatabaseId database, PageId page, PageReply& reply,
                     const std::function<bool(PageId)>& may_come) override {
    return PageServer::ReadTouched(database, page, reply, may_come);
  }
  Result<bool> StartTransaction() override {
    if (IsGone()) return true;
    return server().StartTransaction();
  }
  Status WantWrite(DatabaseId, std::span<const PageId>) override { return failed_; }
  Result<PageRun> AllocatePages(DatabaseId database, uint64_t count) override {
    if (!failed_.ok()) return failed_;
    return server().AllocatePages(database, count);
  }
  void Prewrite(CommitId, std::span<const std::byte* const>) override {}
  void EndPrewrite() override {}

  CommitAnswer Order(const CommitRequest& request) override {
    const std::lock_guard lock(control_->mutex_);
    if (!failed_.ok()) return {CommitOutcome::kFailed, 0, failed_};
    mark_ = {request.id, mark_.version + 1};
    ordered_.emplace_back(request, mark_.version);
    return {CommitOutcome::kCommitted, mark_.version, Status::Ok()};
  }
  Status AwaitDurable(uint64_t version) override {
    std::unique_lock lock(control_->mutex_);
    ++control_->waiting_;
    control_->changed_.wait(lock, [&] {
      return version <= durable_ || !failed_.ok() || !control_->holds_ || control_->vanished_;
    });
    --control_->waiting_;
    if (version <= durable_) return Status::Ok();
    if (control_->vanished_) return Gone();
    if (!failed_.ok()) return failed_;
    const size_t wanted = control_->fails_ ? control_->kept_ : ordered_.size();
    for (size_t i = 0; i < wanted && !ordered_.empty(); ++i) MakeNextDurable();
    if (std::exchange(control_->fails_, false)) {
      failed_ = Status(StatusCode::kIo, "a sync of the log failed", EIO);
      // Nobody knows which of them are in the store.
      durable_ -= wanted;
    }
    control_->changed_.notify_all();
    return version <= durable_ ? Status::Ok() : failed_;
  }
  uint64_t DurableVersion() const override {
    const std::lock_guard lock(control_->mutex_);
    return durable_;
  }
  CommitAnswer Commit(const CommitRequest& request) override {
    const CommitAnswer answer = Order(request);
    if (answer.outcome != CommitOutcome::kCommitted || AwaitDurable(answer.version).ok())
      return answer;
    return {CommitOutcome::kUnknown, 0, failed_};
  }
  Result<std::optional<uint64_t>> Outcome(const OutcomeQuestion& question) override {
    if (IsGone()) return Gone();
    if (!failed_.ok()) return failed_;
    return server().Outcome(question);
  }
  Status Prepare(const CommitRequest& request, const Coordinator& coordinator) override {
    return TwoPhaseCommits::Prepare(request, coordinator);
  }

 private:
  bool IsGone() const {
    const std::lock_guard lock(control_->mutex_);
    return control_->vanished_;
  }
  static Status Gone() { return Status(StatusCode::kClosed, "the server is gone"); }
  void MakeNextDurable() {
    const CommitAnswer answer = server().Commit(ordered_.front().request());
    TN_CHECK(answer.outcome == CommitOutcome::kCommitted);
    TN_CHECK(answer.version == ordered_.front().version());
    durable_ = answer.version;
    ordered_.pop_front();
  }

  const std::shared_ptr<SyncControl> control_;
  // With the control's mutex.
  std::deque<KeptRequest> ordered_;
  CommitMark mark_;
  uint64_t durable_ = 0;
  Status failed_;
};

namespace {

class DeferringFaults final : public StoreFaults {
 public:
  explicit DeferringFaults(std::shared_ptr<SyncControl> control) : control_(std::move(control)) {}
  bool PlanFileFault() const override { return false; }
  std::unique_ptr<PageServer> InFrontOf(std::unique_ptr<PageServer> server) const override {
    return std::make_unique<DeferringPageServer>(std::move(server), control_);
  }

 private:
  const std::shared_ptr<SyncControl> control_;
};

}  // namespace

std::shared_ptr<const StoreFaults> Deferring(std::shared_ptr<SyncControl> control) {
  return std::make_shared<DeferringFaults>(std::move(control));
}

}  // namespace tenure::testing
