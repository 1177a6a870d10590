#include "dbtool/stored/page_writes.h"

#include <algorithm>
#include <optional>
#include <span>

namespace tenure::dbtool {

Status CheckNothingPrepared(store::PageServer& server) {
  TN_ASSIGN_OR_RETURN(std::vector<store::PreparedCommit> prepared, server.Prepared());
  if (prepared.empty()) return Status::Ok();
  return Status(StatusCode::kInUse,
                "a commit of several stores waits for its outcome; open a database of the store "
                "with a program first");
}

std::byte* PageWrites::Put(store::PageId page, uint64_t expected_version,
                           const store::LargeRun& run) {
  store::PageWrite write;
  write.page = page;
  write.expected_version = expected_version;
  write.run = run;
  std::byte* const contents = contents_.emplace_back().bytes;
  write.contents = contents;
  writes_.push_back(write);
  return contents;
}

void PageWrites::Remove(store::PageId page, uint64_t expected_version) {
  store::PageWrite write;
  write.page = page;
  write.expected_version = expected_version;
  write.remove = true;
  writes_.push_back(write);
}

void PageWrites::Forget() {
  writes_.clear();
  contents_.clear();
}

Status PageWrites::WantWrite() {
  std::vector<store::PageId> pages;
  for (const store::PageWrite& write : writes_) pages.push_back(write.page);
  std::sort(pages.begin(), pages.end());
  return server_.WantWrite(database_, pages);
}

Status PageWrites::Commit(const store::DatabaseCommit* more) {
  std::sort(writes_.begin(), writes_.end(),
            [](const auto& a, const auto& b) { return a.page < b.page; });
  for (store::PageWrite& write : writes_) {
    if (!write.remove) {
      write.checksum = store::PageChecksum(write.page, write.run, write.contents);
    }
  }
  store::DatabaseCommit commit;
  if (more != nullptr) commit = *more;
  commit.database = database_;
  commit.pages = writes_;
  const store::CommitId id = store::NewCommitId();
  const store::CommitAnswer answer = server_.Commit({id, std::span(&commit, 1)});
  Forget();
  if (answer.outcome == store::CommitOutcome::kCommitted) {
    version_ = answer.version;
    return Status::Ok();
  }
  if (answer.outcome != store::CommitOutcome::kUnknown || !server_.capabilities().shared) {
    return answer.status;
  }
  // The server may be back. A commit that took place must not be repeated.
  const Result<std::optional<uint64_t>> outcome =
      server_.Outcome({.id = id, .above = answer.version});
  if (!outcome.ok()) return Status(StatusCode::kUnknownOutcome, answer.status.text());
  if (!outcome->has_value()) return answer.status;
  version_ = **outcome;
  return Status::Ok();
}

}  // namespace tenure::dbtool
