// The stored pages that a commit changes, as they are before the commit, and as they will be.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "abi/heap_constants.h"
#include "base/result.h"
#include "store/server/commit_check.h"
#include "store/server/page_server.h"

namespace tenure::store {

// A page that is not there before.
inline bool IsFresh(const PageWrite& write) {
  return LogsWhole(write) && write.expected_version == 0;
}

class PagesBefore {
 public:
  PagesBefore(PageServer& store, const DatabaseCommit& commit) : store_(store), commit_(commit) {}

  // Calls visit(write, record) for each page that is there and changes; `record` is the stored
  // page. If the page is missing, or has another version, the commit itself reports that.
  // kInvalidArgument for changed regions that are empty, unsorted or outside their page.
  template <typename Visit>
  Status ForEach(const Visit& visit);

  // The page of `record` as it will be; until the next call.
  const std::byte* After(const PageWrite& write, const PageRecord& record);

  // Whether the commit writes the page with this number; known when ForEach has been called.
  bool Writes(uint64_t page) const { return written_.contains(page); }

 private:
  static constexpr size_t kAtOnce = 32;

  Status List();
  Status ReadAll(std::span<const PageWrite* const> writes);

  PageServer& store_;
  const DatabaseCommit& commit_;
  std::unordered_set<uint64_t> written_;
  std::vector<const PageWrite*> changed_;  // pages that are there
  bool listed_ = false, read_ = false;     // changed_, replies_
  std::vector<PageReply> replies_;
  alignas(8) std::byte after_[abi::kPageBytes];
};

// --- Implementation

template <typename Visit>
Status PagesBefore::ForEach(const Visit& visit) {
  TN_RETURN_IF_ERROR(List());
  for (size_t begin = 0; begin < changed_.size(); begin += kAtOnce) {
    const auto writes =
        std::span(changed_).subspan(begin, std::min(kAtOnce, changed_.size() - begin));
    // The last ones are still there.
    if (!read_ || changed_.size() > kAtOnce) TN_RETURN_IF_ERROR(ReadAll(writes));
    read_ = true;
    for (size_t k = 0; k < writes.size(); ++k) {
      const PageReply& reply = replies_[k];
      if (reply.status.ok() && reply.record.version == writes[k]->expected_version) {
        TN_RETURN_IF_ERROR(visit(*writes[k], reply.record));
      } else if (!reply.status.ok() && reply.status.code() != StatusCode::kNotFound &&
                 writes[k]->contents != nullptr) {
        // The commit does not read a page whose whole contents the request has.
        return reply.status;
      }
    }
  }
  return Status::Ok();
}

}  // namespace tenure::store
