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
  const auto it = pages_.find(PageOf(address));
  return it == pages_.end() ? nullptr : &it->second;
}

void GovernedPages::Add(abi::Ref place, size_t bytes) {
  char* const begin = static_cast<char*>(place) - kHeaderBytes;
  for (char* page = PageOf(begin); page < begin + bytes; page += kPageBytes) {
    GovernedPage& governed = pages_[page];
    governed.begin = page;
    governed.objects.push_back(place);
  }
}

void GovernedPages::Remove(abi::Ref place, size_t bytes) {
  char* const begin = static_cast<char*>(place) - kHeaderBytes;
  for (char* page = PageOf(begin); page < begin + bytes; page += kPageBytes) {
    const auto it = pages_.find(page);
    TN_CHECK(it != pages_.end());
    std::erase(it->second.objects, place);
  }
}

Status GovernedPages::SetWritable(GovernedPage& page, bool writable) {
  if (page.writable == writable) return Status::Ok();
  TN_RETURN_IF_ERROR(protection_->SetWritable(page.begin, writable));
  page.writable = writable;
  return Status::Ok();
}

Status GovernedPages::Sweep() {
  for (auto it = pages_.begin(); it != pages_.end();) {
    if (!it->second.objects.empty()) {
      ++it;
      continue;
    }
    TN_RETURN_IF_ERROR(SetWritable(it->second, true));
    it = pages_.erase(it);
  }
  return Status::Ok();
}

Status GovernedPages::Open(GovernedPage& page, GovernedState state) {
  TN_CHECK(page.state == GovernedState::kProtected);
  auto twin = std::make_unique_for_overwrite<std::byte[]>(kPageBytes);
  std::memcpy(twin.get(), page.begin, kPageBytes);
  TN_RETURN_IF_ERROR(SetWritable(page, true));
  page.twin = std::move(twin);
  page.state = state;
  return Status::Ok();
}

void GovernedPages::Restore(GovernedPage& page) {
  TN_CHECK(page.twin != nullptr);
  for (abi::Ref place : page.objects) {
    const abi::ObjectHeader* header = abi::ObjectHeader::Of(place);
    const size_t bytes = kHeaderBytes + abi::PayloadBytes(*header->type(), place);
    const PartOnPage part = PartOf(page, place, bytes);
    std::memcpy(page.begin + part.begin, page.twin.get() + part.begin, part.end - part.begin);
    // What comes back may refer to young objects, and the cards tell of what was there meanwhile.
    gc::CardTable::MarkRange(page.begin + part.begin, part.end - part.begin);
  }
  Accept(page);
}

void GovernedPages::Accept(GovernedPage& page) {
  page.twin.reset();
  page.state = GovernedState::kProtected;
}

Status GovernedPages::ProtectAll() {
  for (auto& [begin, page] : pages_) {
    if (page.state == GovernedState::kProtected) TN_RETURN_IF_ERROR(SetWritable(page, false));
  }
  return Status::Ok();
}

Status GovernedPages::UnprotectAll() {
  for (auto& [begin, page] : pages_) {
    if (page.state == GovernedState::kProtected) TN_RETURN_IF_ERROR(SetWritable(page, true));
  }
  return Status::Ok();
}

}  // namespace tenure::stabilize
