#include "stabilize/governed_pages.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "gc/card_table.h"

namespace tenure::stabilize {

using abi::kHeaderBytes;
using abi::kPageBytes;

PartOnPage PartOf(const GovernedPage& page, abi::Ref place, size_t bytes) {
  const char* begin = static_cast<char*>(place) - kHeaderBytes;
  const char* end = begin + bytes;
  const char* page_end = page.begin + kPageBytes;
  return {static_cast<size_t>(std::max<const char*>(begin, page.begin) - page.begin),
          static_cast<size_t>(std::min(end, page_end) - page.begin)};
}

GovernedPage* GovernedPages::Find(const void* address) {
  char* const begin = PageOf(address);
  GovernedPage* const last = last_found_.load(std::memory_order_relaxed);
  if (last != nullptr && last->begin == begin) return last;
  const auto it = pages_.find(begin);
  if (it == pages_.end()) return nullptr;
  last_found_.store(&it->second, std::memory_order_relaxed);
  return &it->second;
}

void GovernedPages::Add(abi::Ref place, size_t bytes) {
  char* const begin = static_cast<char*>(place) - kHeaderBytes;
  for (char* page = PageOf(begin); page < begin + bytes; page += kPageBytes) {
    GovernedPage* found = Find(page);
    if (found == nullptr) {
      found = &pages_[page];
      found->begin = page;
    }
    GovernedPage& governed = *found;
    governed.objects.push_back(place);
    if (governed.writable && (writable_.empty() || writable_.back() != &governed))
      writable_.push_back(&governed);
  }
}

void GovernedPages::Remove(abi::Ref place, size_t bytes) {
  char* const begin = static_cast<char*>(place) - kHeaderBytes;
  for (char* page = PageOf(begin); page < begin + bytes; page += kPageBytes) {
    GovernedPage* const governed = Find(page);
    TN_CHECK(governed != nullptr);
    std::erase(governed->objects, place);
    if (governed->objects.empty()) emptied_.push_back(governed);
  }
}

void GovernedPages::RemoveUndisplaced() {
  for (auto& [begin, page] : pages_) {
    std::erase_if(page.objects,
                  [](abi::Ref place) { return !abi::ObjectHeader::Of(place)->displaced(); });
    if (page.objects.empty()) emptied_.push_back(&page);
  }
}

Status GovernedPages::SetWritable(GovernedPage& page, bool writable) {
  if (page.writable == writable) return Status::Ok();
  TN_RETURN_IF_ERROR(protection_->SetWritable(page.begin, writable));
  page.writable = writable;
  (writable ? writable_ : recent_).push_back(&page);
  return Status::Ok();
}

Status GovernedPages::Sweep() {
  std::erase_if(emptied_, [](const GovernedPage* page) { return !page->objects.empty(); });
  if (emptied_.empty()) return Status::Ok();
  for (GovernedPage* page : emptied_) TN_RETURN_IF_ERROR(SetWritable(*page, true));
  const auto given_up = [](const GovernedPage* page) { return page->objects.empty(); };
  std::erase_if(changed_, given_up);
  std::erase_if(writable_, given_up);
  std::erase_if(recent_, given_up);
  last_found_ = nullptr;
  std::vector<char*> begins;
  for (const GovernedPage* page : emptied_) begins.push_back(page->begin);
  emptied_.clear();
  for (char* begin : begins) pages_.erase(begin);
  return Status::Ok();
}

Status GovernedPages::Open(GovernedPage& page, GovernedState state) {
  TN_CHECK(page.state == GovernedState::kProtected);
  auto twin = std::make_unique_for_overwrite<std::byte[]>(kPageBytes);
  std::memcpy(twin.get(), page.begin, kPageBytes);
  TN_RETURN_IF_ERROR(SetWritable(page, true));
  page.twin = std::move(twin);
  page.state = state;
  page.level = depth_;
  changed_.push_back(&page);
  return Status::Ok();
}

Status GovernedPages::StoreWord(uint64_t* place, uint64_t word) {
  GovernedPage* const page = Find(place);
  const bool writable = page == nullptr || page->writable;
  if (!writable) TN_RETURN_IF_ERROR(protection_->SetWritable(page->begin, true));
  *place = word;
  return writable ? Status::Ok() : protection_->SetWritable(page->begin, false);
}

void GovernedPages::SetDepth(uint16_t depth) {
  depth_ = depth;
  // A child's abort may have left some that are as committed again.
  std::erase_if(changed_,
                [](const GovernedPage* page) { return page->state == GovernedState::kProtected; });
  writable_.insert(writable_.end(), changed_.begin(), changed_.end());
}

Status GovernedPages::Reopen(GovernedPage& page) {
  page.level = depth_;
  return SetWritable(page, true);
}

void GovernedPages::Restore(GovernedPage& page) {
  TN_CHECK(page.twin != nullptr);
  Restore(page, page.twin.get());
  Accept(page);
}

void GovernedPages::Restore(GovernedPage& page, const std::byte* image) {
  TN_CHECK(SetWritable(page, true).ok());
  for (abi::Ref place : page.objects) {
    const abi::ObjectHeader* header = abi::ObjectHeader::Of(place);
    const size_t bytes = kHeaderBytes + abi::PayloadBytes(*header->type(), place);
    const PartOnPage part = PartOf(page, place, bytes);
    std::memcpy(page.begin + part.begin, image + part.begin, part.end - part.begin);
    // What comes back may refer to young objects, and the cards tell of what was there meanwhile.
    gc::CardTable::MarkRange(page.begin + part.begin, part.end - part.begin);
  }
}

void GovernedPages::Accept(GovernedPage& page) {
  page.twin.reset();
  page.state = GovernedState::kProtected;
  page.level = 0;
  if (page.writable) writable_.push_back(&page);
}

Status GovernedPages::ProtectAll() {
  for (GovernedPage* page : writable_) {
    const bool protect = page->state == GovernedState::kProtected ||
                         (page->state == GovernedState::kDirty && page->level < depth_);
    if (protect) TN_RETURN_IF_ERROR(SetWritable(*page, false));
  }
  writable_.clear();
  return Status::Ok();
}

Status GovernedPages::UnprotectAll() {
  for (auto& [begin, page] : pages_) TN_RETURN_IF_ERROR(SetWritable(page, true));
  recent_.clear();
  return Status::Ok();
}

}  // namespace tenure::stabilize
