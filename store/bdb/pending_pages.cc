#include "store/bdb/pending_pages.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/copy_bytes.h"

namespace tenure::store {

namespace {

using Range = PendingPage::Range;

Range RangeOf(const ChangedRegion& region) {
  return {region.offset, region.offset + static_cast<uint32_t>(region.bytes.size())};
}

// Whether each region lies in one of the ranges. Both ascend.
bool Cover(std::span<const Range> ranges, std::span<const ChangedRegion> regions) {
  auto range = ranges.begin();
  for (const ChangedRegion& region : regions) {
    const auto [begin, end] = RangeOf(region);
    while (range != ranges.end() && range->second < end) ++range;
    if (range == ranges.end() || range->first > begin) return false;
  }
  return true;
}

// The ranges of both, which ascend; those that overlap or touch are one.
std::vector<Range> Union(std::span<const Range> ranges, std::span<const ChangedRegion> regions) {
  std::vector<Range> all;
  all.reserve(ranges.size() + regions.size());
  const auto add = [&](Range next) {
    if (!all.empty() && next.first <= all.back().second) {
      all.back().second = std::max(all.back().second, next.second);
    } else {
      all.push_back(next);
    }
  };
  auto range = ranges.begin();
  for (const ChangedRegion& region : regions) {
    for (; range != ranges.end() && range->first < region.offset; ++range) add(*range);
    add(RangeOf(region));
  }
  for (; range != ranges.end(); ++range) add(*range);
  return all;
}

}  // namespace

void PendingPage::Add(const PageWrite& write, uint64_t version, std::shared_ptr<std::byte> memory) {
  version_ = version;
  checksum_ = write.checksum;
  if (write.contents != nullptr) return AddWhole(write, std::move(memory));
  AddRegions(write.regions);
}

void PendingPage::AddWhole(const PageWrite& write, std::shared_ptr<std::byte> memory) {
  whole_ = true;
  run_ = write.run;
  ranges_.assign(1, Range{0, abi::kPageBytes});
  if (write.given != nullptr) {
    page_ = write.given;
    return;
  }
  if (page_ == nullptr) page_ = std::move(memory);
  if (page_ == nullptr) page_ = {NewPageCopy().release(), GivePageCopyBack()};
  std::memcpy(page_.get(), write.contents, abi::kPageBytes);
}

void PendingPage::AddRegions(std::span<const ChangedRegion> regions) {
  if (page_ == nullptr) page_ = {NewPageCopy().release(), GivePageCopyBack()};
  for (const ChangedRegion& region : regions) {
    CopyMostlyWord(page_.get() + region.offset, region.bytes.data(), region.bytes.size());
  }
  // Most often the same words change again.
  if (!whole_ && !Cover(ranges_, regions)) ranges_ = Union(ranges_, regions);
}

Status PendingPage::PutOn(PageId page, PageRecord* record) const {
  // A new sum must not make damage good.
  if (!checksum_ && !whole_) TN_RETURN_IF_ERROR(CheckPageRecord(page, *record));
  record->version = version_;
  if (whole_) {
    record->run = run_;
    std::memcpy(record->contents, page_.get(), abi::kPageBytes);
  } else {
    for (const auto& [begin, end] : ranges_) {
      std::memcpy(record->contents + begin, page_.get() + begin, end - begin);
    }
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

}  // namespace tenure::store
