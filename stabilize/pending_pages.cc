#include "stabilize/pending_pages.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/copy_bytes.h"

namespace tenure::stabilize {

namespace {

// The union of the ranges, both of which ascend.
std::vector<PendingPage::Range> Union(std::span<const PendingPage::Range> old,
                                      std::span<const ChangedRegion> regions) {
  std::vector<PendingPage::Range> all;
  all.reserve(old.size() + regions.size());
  size_t i = 0, j = 0;
  while (i < old.size() || j < regions.size()) {
    PendingPage::Range next;
    if (j == regions.size() || (i < old.size() && old[i].first <= regions[j].offset)) {
      next = old[i++];
    } else {
      const auto end = static_cast<uint32_t>(regions[j].offset + regions[j].bytes.size());
      next = {regions[j++].offset, end};
    }
    if (!all.empty() && next.first <= all.back().second) {
      all.back().second = std::max(all.back().second, next.second);
    } else {
      all.push_back(next);
    }
  }
  return all;
}

// Whether the ranges, which ascend and are apart, have all of the regions, which ascend too.
bool Cover(std::span<const PendingPage::Range> ranges, std::span<const ChangedRegion> regions) {
  size_t i = 0;
  for (const ChangedRegion& region : regions) {
    const size_t end = region.offset + region.bytes.size();
    while (i < ranges.size() && ranges[i].second < end) ++i;
    if (i == ranges.size() || ranges[i].first > region.offset) return false;
  }
  return true;
}

}  // namespace

void PendingPage::Add(const PageWrite& write, uint64_t version, std::shared_ptr<std::byte> memory) {
  version_ = version;
  checksum_ = write.checksum;
  if (write.given != nullptr) bytes_ = write.given;
  if (bytes_ == nullptr) bytes_ = std::move(memory);
  if (bytes_ == nullptr) bytes_ = {NewPageCopy().release(), GivePageCopyBack()};
  if (write.contents != nullptr) {
    whole_ = true;
    run_ = write.run;
    ranges_.assign(1, Range{0, abi::kPageBytes});
    if (bytes_.get() != write.contents) {
      std::memcpy(bytes_.get(), write.contents, abi::kPageBytes);
    }
    return;
  }
  for (const ChangedRegion& region : write.regions) {
    CopyMostlyWord(bytes_.get() + region.offset, region.bytes.data(), region.bytes.size());
  }
  // Most often the same words change again.
  if (!whole_ && !Cover(ranges_, write.regions)) ranges_ = Union(ranges_, write.regions);
}

Status PendingPage::PutOn(PageId page, PageRecord* record) const {
  // A new sum must not make damage good.
  if (!checksum_ && !whole_) TN_RETURN_IF_ERROR(CheckPageRecord(page, *record));
  record->version = version_;
  if (whole_) record->run = run_;
  for (const auto& [begin, end] : ranges_) {
    std::memcpy(record->contents + begin, bytes_.get() + begin, end - begin);
  }
  record->checksum = checksum_ ? *checksum_ : PageChecksum(page, record->run, record->contents);
  return checksum_ ? CheckPageRecord(page, *record) : Status::Ok();
}

const PendingPage* PendingPages::Find(PageId page) const {
  const auto found = pages_.find(page.number);
  return found == pages_.end() ? nullptr : &found->second;
}

PendingPage& PendingPages::Entry(PageId page, uint64_t tree_version) {
  const auto [entry, made] = pages_.try_emplace(page.number, tree_version);
  created_ += made && tree_version == 0;
  return entry->second;
}

std::vector<PageId> PendingPages::Sorted() const {
  std::vector<PageId> pages;
  pages.reserve(pages_.size());
  for (const auto& [number, page] : pages_) pages.push_back(PageId{number});
  std::sort(pages.begin(), pages.end());
  return pages;
}

void PendingPages::Clear() {
  pages_.clear();
  created_ = 0;
}

}  // namespace tenure::stabilize
