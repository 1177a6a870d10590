#include "store/remote/read_ahead.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

namespace tenure::store {

namespace {

// A message to the server and its answer take as long as some 15 more pages in that answer. So a
// group of kWindowFirst pays when one of its pages is touched later. Larger ones must do better,
// since they may take pages that other programs want.
constexpr uint64_t kUnusedForOne = 7, kUnusedForOneOfMany = 3;
// Another program that wants a page which this one keeps waits for a message and its answer: as
// much as a page that is used saves.
constexpr uint64_t kLostCounts = 8;
// After this many reads with a window of one page, a larger group is tried again.
constexpr uint64_t kTryAgainAfter = 64;

}  // namespace

bool ReadAhead::Take(PageId page, PageRecord* record) {
  forward_ = page.number == last_.number + 1;
  last_ = page;
  const auto found = kept_.find(page.number);
  if (found == kept_.end()) return false;
  *record = *found->second.record;
  const bool came_along = found->second.came_along;
  order_.erase(found->second.place);
  kept_.erase(found);
  if (came_along) NoteUsed();
  return true;
}

PageRun ReadAhead::Around(PageId page) {
  if (forward_) {
    forward_window_ = std::min(2 * forward_window_, kWindowMost);
    return {page, std::max(forward_window_, window_)};
  }
  forward_window_ = kWindowFirst / 2;
  if (window_ == 1 && ++misses_alone_ >= kTryAgainAfter) {
    misses_alone_ = 0;
    window_ = kWindowFirst;
  }
  return {PageId{page.number / window_ * window_}, window_};
}

void ReadAhead::Keep(PageId page, std::span<const std::byte> record) {
  (void)Drop(page);
  order_.push_back(page.number);
  auto copy = std::make_unique_for_overwrite<PageRecord>();
  std::memcpy(copy.get(), record.data(), sizeof *copy);
  kept_[page.number] = {std::move(copy), std::prev(order_.end()), true};
}

void ReadAhead::KeepUsed(PageId page, std::unique_ptr<PageRecord> record) {
  (void)Drop(page);
  order_.push_back(page.number);
  kept_[page.number] = {std::move(record), std::prev(order_.end()), false};
}

PageId ReadAhead::DropSurplus() {
  if (kept_.size() <= kPagesMost) return {};
  const PageId first{order_.front()};
  bool came_along = false;
  (void)Drop(first, &came_along);
  if (came_along) NoteUnused(1);
  return first;
}

bool ReadAhead::Drop(PageId page, bool* came_along) {
  const auto found = kept_.find(page.number);
  if (found == kept_.end()) return false;
  if (came_along != nullptr) *came_along = found->second.came_along;
  order_.erase(found->second.place);
  kept_.erase(found);
  return true;
}

bool ReadAhead::Lose(PageId page) {
  bool came_along = false;
  if (!Drop(page, &came_along)) return false;
  if (!came_along) return true;
  forward_window_ = kWindowFirst / 2;
  NoteUnused(kLostCounts);
  return true;
}

void ReadAhead::Clear() {
  kept_.clear();
  order_.clear();
}

void ReadAhead::NoteUsed() {
  ++used_;
  if (window_ == kWindowMost || used_ < 2 * window_ || used_ < unused_) return;
  window_ *= 2;
  used_ = unused_ = 0;
}

void ReadAhead::NoteUnused(uint64_t count) {
  unused_ += count;
  const uint64_t most = window_ > kWindowFirst ? kUnusedForOneOfMany : kUnusedForOne;
  if (unused_ < 2 * window_ || unused_ <= most * used_) return;
  window_ = window_ > kWindowFirst ? window_ / 2 : 1;
  used_ = unused_ = 0;
}

}  // namespace tenure::store
