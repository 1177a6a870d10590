#include "store/serve/service_history.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "abi/heap_constants.h"
#include "base/mutex.h"

namespace tenure::store {

namespace {

RecentCommit::Part PartOf(const DatabaseCommit& commit, std::string name) {
  RecentCommit::Part part;
  part.database = std::move(name);
  part.root = commit.root.has_value();
  for (const PageWrite& write : commit.pages) {
    if (write.remove) {
      ++part.removed_pages;
    } else if (write.expected_version == 0) {
      ++part.new_pages;
      part.bytes += abi::kPageBytes;
      if (part.new_page_numbers.size() < RecentCommit::kPagesKept) {
        part.new_page_numbers.push_back(write.page.number);
      }
    } else if (write.contents != nullptr) {
      ++part.whole_pages;
      part.bytes += abi::kPageBytes;
      if (part.regions.size() < RecentCommit::kRegionsKept) {
        part.regions.push_back({write.page.number, 0, abi::kPageBytes});
      }
    } else {
      ++part.changed_pages;
      for (const ChangedRegion& region : write.regions) {
        part.bytes += region.bytes.size();
        if (part.regions.size() < RecentCommit::kRegionsKept) {
          part.regions.push_back(
              {write.page.number, region.offset, static_cast<uint32_t>(region.bytes.size())});
        }
      }
    }
  }
  std::ranges::sort(part.new_page_numbers);
  return part;
}

}  // namespace

void ServiceHistory::Note(const CommitRequest& request, uint64_t version,
                          ServingReport::Party party, std::vector<std::string> names) {
  RecentCommit commit;
  commit.party = std::move(party);
  commit.version = version;
  commit.at = std::chrono::duration_cast<std::chrono::milliseconds>(
                  std::chrono::system_clock::now().time_since_epoch())
                  .count();
  for (size_t i = 0; i < request.databases.size(); ++i) {
    commit.parts.push_back(PartOf(request.databases[i], std::move(names[i])));
  }
  const MutexLock guard(lock_);
  ++total_;
  commits_.push_front(std::move(commit));
  if (commits_.size() > kCommitsKept) commits_.pop_back();
}

RecentCommits ServiceHistory::Recent(size_t most) const {
  const MutexLock guard(lock_);
  const size_t count = std::min(most, commits_.size());
  return {total_, {commits_.begin(), commits_.begin() + static_cast<ptrdiff_t>(count)}};
}

}  // namespace tenure::store
