#include "store/bdb/pending_pages.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "base/copy_bytes.h"

namespace tenure::store {

namespace {

// The union of two ascending lists of ranges.
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

size_t BytesIn(std::span<const PendingPage::Range> ranges) {
  size_t bytes = 0;
  for (const auto& [begin, end] : ranges) bytes += end - begin;
  return bytes;
}

// Each range with its bytes, which are the bytes of one after those of another.
template <typename Use>
void ForEachRange(std::span<const PendingPage::Range> ranges, const std::byte* bytes, Use use) {
  for (const auto& [begin, end] : ranges) {
    use(begin, std::span<const std::byte>(bytes, end - begin));
    bytes += end - begin;
  }
}

// Copies the regions to their places in `bytes`, the bytes of the ranges; both ascend. False, after
// some were copied: a region lies outside the ranges.
bool PutInto(std::span<const PendingPage::Range> ranges, std::span<const ChangedRegion> regions,
             std::byte* bytes) {
  size_t i = 0, before = 0;  // bytes of the ranges before that one
  for (const ChangedRegion& region : regions) {
    const size_t end = region.offset + region.bytes.size();
    for (; i < ranges.size() && ranges[i].second < end; ++i) {
      before += ranges[i].second - ranges[i].first;
    }
    if (i == ranges.size() || ranges[i].first > region.offset) return false;
    CopyMostlyWord(bytes + before + (region.offset - ranges[i].first), region.bytes.data(),
                   region.bytes.size());
  }
  return true;
}

}  // namespace

void PendingPage::Add(const PageWrite& write, uint64_t version, std::shared_ptr<std::byte> memory) {
  version_ = version;
  checksum_ = write.checksum;
  if (write.contents != nullptr) return AddWhole(write, std::move(memory));
  if (!whole_) return AddRegions(write.regions);
  for (const ChangedRegion& region : write.regions) {
    CopyMostlyWord(page_.get() + region.offset, region.bytes.data(), region.bytes.size());
  }
}

void PendingPage::AddWhole(const PageWrite& write, std::shared_ptr<std::byte> memory) {
  whole_ = true;
  run_ = write.run;
  ranges_.assign(1, Range{0, abi::kPageBytes});
  bytes_ = {};
  if (write.given != nullptr) {
    page_ = write.given;
    return;
  }
  if (page_ == nullptr) page_ = std::move(memory);
  if (page_ == nullptr) page_ = {NewPageCopy().release(), GivePageCopyBack()};
  std::memcpy(page_.get(), write.contents, abi::kPageBytes);
}

void PendingPage::AddRegions(std::span<const ChangedRegion> regions) {
  // Most often the same words change again.
  if (PutInto(ranges_, regions, bytes_.data())) return;
  std::vector<Range> all = Union(ranges_, regions);
  std::vector<std::byte> bytes(BytesIn(all));
  std::vector<ChangedRegion> old;
  old.reserve(ranges_.size());
  ForEachRange(ranges_, bytes_.data(), [&](uint32_t begin, std::span<const std::byte> range) {
    old.push_back({begin, range});
  });
  TN_CHECK(PutInto(all, old, bytes.data()) && PutInto(all, regions, bytes.data()));
  ranges_ = std::move(all);
  bytes_ = std::move(bytes);
}

Status PendingPage::PutOn(PageId page, PageRecord* record) const {
  // A new sum must not make damage good.
  if (!checksum_ && !whole_) TN_RETURN_IF_ERROR(CheckPageRecord(page, *record));
  record->version = version_;
  if (whole_) {
    record->run = run_;
    std::memcpy(record->contents, page_.get(), abi::kPageBytes);
  } else {
    ForEachRange(ranges_, bytes_.data(), [&](uint32_t begin, std::span<const std::byte> range) {
      std::memcpy(record->contents + begin, range.data(), range.size());
    });
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
