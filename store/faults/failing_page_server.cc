#include "store/faults/failing_page_server.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string>

#include "store/faults/io_faults.h"
#include "store/format/status_text.h"

namespace tenure::store {

namespace {

std::atomic<uint64_t> steps_done{0};  // of all stores of the process

Status InjectedNoSpace() {
  return Status(StatusCode::kNoSpace, "no space left (asked for by @M3dbfail)", ENOSPC);
}

Status InjectedIo() {
  return Status(StatusCode::kIo, "input/output error (asked for by @M3dbfail)", EIO);
}

Status InjectedConflict() {
  return Status(StatusCode::kConflict, "conflict (asked for by @M3dbfail)");
}

}  // namespace

bool FailingPageServer::Due(FailPointKind kind) {
  return point_.kind == kind && operations_.fetch_add(1) + 1 == point_.count;
}

template <typename ReadPages>
Status FailingPageServer::ReadOrFail(std::span<const PageId> pages, PageReply* first,
                                     ReadPages&& read) {
  if (Due(FailPointKind::kReadIo)) return InjectedIo();
  if (Due(FailPointKind::kReadConflict)) return InjectedConflict();
  const Status status = read();
  if (status.ok() && !pages.empty() && Due(FailPointKind::kReadCorrupt)) {
    const uint64_t number = pages[0].number;
    first->status =
        Failure(StatusCode::kCorrupt,
                "page " + std::to_string(number) + " is damaged (asked for by @M3dbfail)",
                static_cast<int64_t>(number));
  }
  return status;
}

Status FailingPageServer::Read(DatabaseId database, std::span<const PageId> pages,
                               std::span<PageReply> replies) {
  return ReadOrFail(pages, replies.data(), [&] { return server().Read(database, pages, replies); });
}

Status FailingPageServer::ReadTouched(DatabaseId database, PageId page, PageReply& reply,
                                      const std::function<bool(PageId)>& may_come) {
  return ReadOrFail(std::span(&page, 1), &reply,
                    [&] { return server().ReadTouched(database, page, reply, may_come); });
}

Status FailingPageServer::WantWrite(DatabaseId database, std::span<const PageId> pages) {
  if (Due(FailPointKind::kWriteConflict)) return InjectedConflict();
  return server().WantWrite(database, pages);
}

Result<PageRun> FailingPageServer::AllocatePages(DatabaseId database, uint64_t count) {
  if (Due(FailPointKind::kAllocateNoSpace)) return InjectedNoSpace();
  return server().AllocatePages(database, count);
}

Result<uint32_t> FailingPageServer::AddType(std::span<const std::byte> description) {
  if (Due(FailPointKind::kTypeNoSpace)) return InjectedNoSpace();
  return server().AddType(description);
}

template <typename Do>
auto FailingPageServer::Step(Do&& step) {
  const bool due = steps_done.fetch_add(1) + 1 == point_.count;
  if (due && point_.kind == FailPointKind::kStepCrash) _exit(kCrashStatus);
  auto result = step();
  if (due && point_.kind == FailPointKind::kStepCrashDone) _exit(kCrashStatus);
  if (due && point_.kind == FailPointKind::kStepStop) kill(getpid(), SIGSTOP);
  return result;
}

Status FailingPageServer::Prepare(const CommitRequest& request, const Coordinator& coordinator) {
  return Step([&] { return server().Prepare(request, coordinator); });
}

CommitAnswer FailingPageServer::Resolve(CommitId id, bool commit) {
  return Step([&] { return server().Resolve(id, commit); });
}

Status FailingPageServer::OfferCandidates(DatabaseId database,
                                          std::span<const Candidate> candidates) {
  return Step([&] { return server().OfferCandidates(database, candidates); });
}

Result<std::vector<bool>> FailingPageServer::HeldCandidates(DatabaseId database) {
  return Step([&] { return server().HeldCandidates(database); });
}

Status FailingPageServer::Acknowledge(CommitId id, const Uuid& participant) {
  return Step([&] { return server().Acknowledge(id, participant); });
}

template <typename Do>
CommitAnswer FailingPageServer::CommitWithFaults(Do&& commit) {
  if (Due(FailPointKind::kCommitConflict)) return {CommitOutcome::kConflict, 0, InjectedConflict()};
  if (Due(FailPointKind::kCommitNoSpace)) return {CommitOutcome::kFailed, 0, InjectedNoSpace()};
  if (Due(FailPointKind::kCommitIo)) return {CommitOutcome::kFailed, 0, InjectedIo()};
  if (Due(FailPointKind::kCommitMissing)) {
    const Status missing(StatusCode::kNotFound, "a page does not exist (asked for by @M3dbfail)");
    return {CommitOutcome::kFailed, 0, missing};
  }

  const Status lost(StatusCode::kUnknownOutcome, "no answer to a commit (asked for by @M3dbfail)");
  const uint64_t above = server().LastCommit().version;
  if (Due(FailPointKind::kCommitUnknownLost)) return {CommitOutcome::kUnknown, above, lost};
  const CommitAnswer answer = Step(commit);
  if (Due(FailPointKind::kCommitUnknownDone)) return {CommitOutcome::kUnknown, above, lost};
  if (Due(FailPointKind::kCommitUnknownSilent)) {
    silent_ = true;
    return {CommitOutcome::kUnknown, above, lost};
  }
  return answer;
}

CommitAnswer FailingPageServer::Commit(const CommitRequest& request) {
  return CommitWithFaults([&] { return server().Commit(request); });
}

CommitAnswer FailingPageServer::Order(const CommitRequest& request) {
  return CommitWithFaults([&] { return server().Order(request); });
}

Result<std::optional<uint64_t>> FailingPageServer::Outcome(const OutcomeQuestion& question) {
  if (silent_) return InjectedIo();
  return server().Outcome(question);
}

}  // namespace tenure::store
