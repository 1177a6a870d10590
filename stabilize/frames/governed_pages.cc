#include "stabilize/frames/governed_pages.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "gc/card_table.h"
#include "stabilize/frames/placed.h"

namespace tenure::stabilize {

using abi::kHeaderBytes;
using abi::kPageBytes;

PartOnPage PartOf(const GovernedPage& page, abi::Ref place, size_t bytes) {
  const char* begin = BeginOf(place);
  const char* end = begin + bytes;
  const char* page_end = page.begin + kPageBytes;
  return {static_cast<size_t>(std::max<const char*>(begin, page.begin) - page.begin),
          static_cast<size_t>(std::min(end, page_end) - page.begin)};
}

bool GovernedPages::ObjectsDiffer(const GovernedPage& page, const std::byte* image) {
  return std::any_of(page.objects.begin(), page.objects.end(), [&](abi::Ref place) {
    const size_t bytes =
        kHeaderBytes + abi::PayloadBytes(*abi::ObjectHeader::Of(place)->type(), place);
    PartOnPage part = PartOf(page, place, bytes);
    if (BeginOf(place) >= page.begin) part.begin += kHeaderBytes;
    return part.begin < part.end &&
           std::memcmp(page.begin + part.begin, image + part.begin, part.end - part.begin) != 0;
  });
}

GovernedPage* GovernedPages::Find(const void* address) {
  char* const begin = PageOf(address);
  GovernedPage* const last = last_found_.load(std::memory_order_relaxed);
  if (last != nullptr && last->begin == begin) return last;
  const std::unique_ptr<GovernedPage>* const found = pages_.Find(begin);
  if (found == nullptr) return nullptr;
  last_found_.store(found->get(), std::memory_order_relaxed);
  return found->get();
}

void GovernedPages::Add(abi::Ref place, size_t bytes) {
  char* const begin = BeginOf(place);
  for (char* page = PageOf(begin); page < begin + bytes; page += kPageBytes) {
    GovernedPage* found = Find(page);
    if (found == nullptr) {
      // About as many as lie on a page.
      constexpr size_t kObjects = 64;
      auto fresh = std::make_unique<GovernedPage>();
      found = fresh.get();
      *pages_.Insert(page).first = std::move(fresh);
      found->begin = page;
      found->objects.reserve(kObjects);
      young_.push_back(found);
      last_found_.store(found, std::memory_order_relaxed);
    }
    GovernedPage& governed = *found;
    governed.objects.push_back(place);
    if (governed.writable && (writable_.empty() || writable_.back() != &governed))
      writable_.push_back(&governed);
  }
}

void GovernedPages::Remove(abi::Ref place, size_t bytes) {
  char* const begin = BeginOf(place);
  for (char* page = PageOf(begin); page < begin + bytes; page += kPageBytes) {
    GovernedPage* const governed = Find(page);
    TN_CHECK(governed != nullptr);
    // Their order means nothing.
    auto& objects = governed->objects;
    const auto at = std::find(objects.begin(), objects.end(), place);
    TN_CHECK(at != objects.end());
    *at = objects.back();
    objects.pop_back();
    if (objects.empty()) emptied_.push_back(page);
  }
}

void GovernedPages::RemoveUndisplaced() {
  pages_.ForEach([&](char* begin, const std::unique_ptr<GovernedPage>& page) {
    std::erase_if(page->objects,
                  [](abi::Ref place) { return !abi::ObjectHeader::Of(place)->displaced(); });
    if (page->objects.empty()) emptied_.push_back(begin);
  });
}

Status GovernedPages::SetWritable(GovernedPage& page, bool writable) {
  if (page.writable == writable) return Status::Ok();
  TN_RETURN_IF_ERROR(protection_->SetWritable(page.begin, 1, writable));
  page.writable = writable;
  if (writable) writable_.push_back(&page);
  return Status::Ok();
}

Status GovernedPages::SetAllWritable(std::vector<GovernedPage*>& pages, bool writable) {
  std::sort(pages.begin(), pages.end(),
            [](const GovernedPage* a, const GovernedPage* b) { return a->begin < b->begin; });
  pages.erase(std::unique(pages.begin(), pages.end()), pages.end());
  for (size_t i = 0; i < pages.size();) {
    if (pages[i]->writable == writable) {
      ++i;
      continue;
    }
    size_t end = i + 1;
    while (end < pages.size() && pages[end]->writable != writable &&
           pages[end]->begin == pages[end - 1]->begin + kPageBytes) {
      ++end;
    }
    TN_RETURN_IF_ERROR(protection_->SetWritable(pages[i]->begin, end - i, writable));
    for (; i < end; ++i) {
      pages[i]->writable = writable;
      if (writable) writable_.push_back(pages[i]);
    }
  }
  return Status::Ok();
}

Status GovernedPages::Sweep() {
  if (emptied_.empty()) return Status::Ok();
  std::vector<GovernedPage*> given_up;
  for (char* begin : emptied_) {
    GovernedPage* page = Find(begin);
    if (page != nullptr && page->objects.empty()) given_up.push_back(page);
  }
  TN_RETURN_IF_ERROR(SetAllWritable(given_up, true));
  const auto is_given_up = [](const GovernedPage* page) { return page->objects.empty(); };
  for (auto* list : {&changed_, &writable_, &young_}) std::erase_if(*list, is_given_up);
  last_found_ = nullptr;
  for (char* begin : emptied_) {
    const std::unique_ptr<GovernedPage>* const page = pages_.Find(begin);
    if (page != nullptr && (*page)->objects.empty()) pages_.Erase(begin);
  }
  emptied_.clear();
  return Status::Ok();
}

Status GovernedPages::Open(GovernedPage& page, GovernedState state) {
  TN_CHECK(page.state == GovernedState::kProtected);
  auto twin = NewPageCopy();
  std::memcpy(twin.get(), page.begin, kPageBytes);
  TN_RETURN_IF_ERROR(MakeWritable(page));
  page.twin = std::move(twin);
  page.state = state;
  page.level = depth_;
  changed_.push_back(&page);
  return Status::Ok();
}

Status GovernedPages::MakeWritable(GovernedPage& page) {
  const Status status = SetWritable(page, true);
  if (status.code() != StatusCode::kNoMemory) return status;
  TN_RETURN_IF_ERROR(ProtectOpened(&page));
  return SetWritable(page, true);
}

Status GovernedPages::KeepWithinQuota(const GovernedPage& opened) {
  // A look at all open pages costs as much as some traps do.
  constexpr size_t kOpenedAtLeast = 256;
  ++opened_;
  if (!protection_->IsShort() || opened_ < kOpenedAtLeast) return Status::Ok();
  return ProtectOpened(&opened);
}

Status GovernedPages::ProtectOpened(const GovernedPage* except) {
  opened_ = 0;
  std::vector<GovernedPage*> others;
  for (const auto* list : {&changed_, &writable_}) {
    for (GovernedPage* page : *list) {
      if (page != except && page->writable) others.push_back(page);
    }
  }
  return SetAllWritable(others, false);
}

Status GovernedPages::StoreWord(uint64_t* place, uint64_t word) {
  GovernedPage* const page = Find(place);
  const bool writable = page == nullptr || page->writable;
  if (!writable) TN_RETURN_IF_ERROR(protection_->SetWritable(page->begin, 1, true));
  *place = word;
  return writable ? Status::Ok() : protection_->SetWritable(page->begin, 1, false);
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
  return MakeWritable(page);
}

void GovernedPages::Restore(GovernedPage& page) {
  TN_CHECK(page.twin != nullptr);
  Restore(page, page.twin.get());
  Accept(page);
}

void GovernedPages::Restore(GovernedPage& page, const std::byte* image) {
  TN_CHECK(MakeWritable(page).ok());
  for (abi::Ref place : page.objects) {
    const abi::ObjectHeader* header = abi::ObjectHeader::Of(place);
    const size_t bytes = kHeaderBytes + abi::PayloadBytes(*header->type(), place);
    const PartOnPage part = PartOf(page, place, bytes);
    std::memcpy(page.begin + part.begin, image + part.begin, part.end - part.begin);
    // The restored image may refer to young objects, and the cards know only the stores since.
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
  std::erase_if(writable_, [&](const GovernedPage* page) {
    return page->state != GovernedState::kProtected &&
           (page->state != GovernedState::kDirty || page->level >= depth_);
  });
  TN_RETURN_IF_ERROR(SetAllWritable(writable_, false));
  writable_.clear();
  return Status::Ok();
}

void GovernedPages::Release() {
  TN_CHECK(UnprotectAll().ok());
  pages_ = {};
  last_found_ = nullptr;
  changed_.clear();
  writable_.clear();
  young_.clear();
  emptied_.clear();
}

Status GovernedPages::UnprotectAll() {
  std::vector<GovernedPage*> all;
  pages_.ForEach(
      [&](char*, const std::unique_ptr<GovernedPage>& page) { all.push_back(page.get()); });
  return SetAllWritable(all, true);
}

}  // namespace tenure::stabilize
