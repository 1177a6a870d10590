#include "store/server/pages_before.h"

#include <algorithm>
#include <cstring>

#include "store/server/request_failure.h"

namespace tenure::store {

using abi::kPageBytes;

namespace {

Status CheckRegions(const PageWrite& write) {
  size_t end = 0;
  for (const ChangedRegion& region : write.regions) {
    if (region.bytes.empty() || region.offset < end || region.offset > kPageBytes ||
        region.bytes.size() > kPageBytes - region.offset) {
      return WrongPage(write.page, "regions that are empty, unsorted or outside the page");
    }
    end = region.offset + region.bytes.size();
  }
  return Status::Ok();
}

}  // namespace

Status PagesBefore::List() {
  if (listed_) return Status::Ok();
  for (const PageWrite& write : commit_.pages) {
    written_.insert(write.page.number);
    TN_RETURN_IF_ERROR(CheckRegions(write));
    if (!IsFresh(write) && (LogsWhole(write) || !write.regions.empty() || write.remove)) {
      changed_.push_back(&write);
    }
  }
  listed_ = true;
  return Status::Ok();
}

const std::byte* PagesBefore::After(const PageWrite& write, const PageRecord& record) {
  if (LogsWhole(write)) return write.contents;
  std::memcpy(after_, record.contents, kPageBytes);
  for (const ChangedRegion& region : write.regions) {
    std::memcpy(after_ + region.offset, region.bytes.data(), region.bytes.size());
  }
  return after_;
}

Status PagesBefore::ReadAll(std::span<const PageWrite* const> writes) {
  std::vector<PageId> pages;
  for (const PageWrite* const write : writes) pages.push_back(write->page);
  replies_.resize(std::max(replies_.size(), pages.size()));
  const std::span replies = std::span(replies_).first(pages.size());
  for (PageReply& reply : replies) reply.status = Status::Ok();
  return store_.Read(commit_.database, pages, replies);
}

}  // namespace tenure::store
