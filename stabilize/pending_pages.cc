#include "stabilize/pending_pages.h"

#include <algorithm>
#include <cstring>
#include <utility>

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

}  // namespace

void PendingPage::Add(const PageWrite& write, uint64_t version, std::shared_ptr<std::byte> memory) {
  if (bytes_ == nullptr) bytes_ = std::move(memory);
  if (bytes_ == nullptr) bytes_ = {NewPageCopy().release(), GivePageCopyBack()};
  version_ = version;
  checksum_ = write.checksum;
  if (write.contents != nullptr) {
    whole_ = true;
    run_ = write.run;
    ranges_.assign(1, Range{0, abi::kPageBytes});
    std::memcpy(bytes_.get(), write.contents, abi::kPageBytes);
    return;
  }
  for (const ChangedRegion& region : write.regions) {
    std::memcpy(bytes_.get() + region.offset, region.bytes.data(), region.bytes.size());
  }
  if (!whole_) ranges_ = Union(ranges_, write.regions);
}

void PendingPage::Put(PageRecord* record) const {
  record->version = version_;
  record->checksum = checksum_;
  if (whole_) record->run = run_;
  for (const auto& [begin, end] : ranges_) {
    std::memcpy(record->contents + begin, bytes_.get() + begin, end - begin);
  }
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
