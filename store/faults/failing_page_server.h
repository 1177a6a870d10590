// Another page server, with one fault (store/faults/fail_point.h).

#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include "store/faults/fail_point.h"
#include "store/server/page_server_wrapper.h"

namespace tenure::store {

// Every operation is that of `server`, but for the one that the fail point names.
class FailingPageServer final : public PageServerWrapper {
 public:
  FailingPageServer(std::unique_ptr<PageServer> server, FailPoint point)
      : PageServerWrapper(std::move(server)), point_(point) {}

  Status Read(DatabaseId database, std::span<const PageId> pages,
              std::span<PageReply> replies) override;
  Status ReadTouched(DatabaseId database, PageId page, PageReply& reply,
                     const std::function<bool(PageId)>& may_come) override;
  Status WantWrite(DatabaseId database, std::span<const PageId> pages) override;
  Status OfferCandidates(DatabaseId database, std::span<const Candidate> candidates) override;
  Result<std::vector<bool>> HeldCandidates(DatabaseId database) override;
  Result<PageRun> AllocatePages(DatabaseId database, uint64_t count) override;
  CommitAnswer Commit(const CommitRequest& request) override;
  CommitAnswer Order(const CommitRequest& request) override;
  Result<std::optional<uint64_t>> Outcome(const OutcomeQuestion& question) override;
  Status Prepare(const CommitRequest& request, const Coordinator& coordinator) override;
  CommitAnswer Resolve(CommitId id, bool commit) override;
  Status Acknowledge(CommitId id, const Uuid& participant) override;
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

  const FailPoint point_;
  std::atomic<uint64_t> operations_{0};
  std::atomic<bool> silent_{false};  // Outcome fails
};

}  // namespace tenure::store
