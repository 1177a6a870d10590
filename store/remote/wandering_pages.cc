#include "store/remote/wandering_pages.h"

#include <algorithm>
#include <utility>

namespace tenure::store {

void WanderingPages::NoteWanted(PageId page) {
  Page& noted = pages_[page.number];
  noted.wanders = std::min(noted.wanders + 1, kWandersMost);
  noted.is_written = true;
}

bool WanderingPages::WillBeWritten(PageId page) const {
  const auto found = pages_.find(page.number);
  return found != pages_.end() && found->second.wanders > 0 && found->second.is_written;
}

void WanderingPages::NoteGranted(PageId page, uint64_t version) {
  Page& noted = pages_[page.number];
  if (noted.version != 0) {
    const int change = noted.version == version ? -1 : 1;
    noted.wanders = std::clamp(noted.wanders + change, 0, kWandersMost);
  }
  noted.version = version;
  if (noted.wanders > 0) granted_.push_back({page});
}

void WanderingPages::NoteWritten(PageId page, uint64_t version) {
  if (pages_.empty()) return;
  const auto found = pages_.find(page.number);
  if (found == pages_.end()) return;
  found->second.version = version;
  found->second.is_written = true;
  for (Granted& granted : granted_) {
    if (granted.page == page) granted.is_written = true;
  }
}

std::vector<PageId> WanderingPages::TakeGranted() {
  std::vector<PageId> pages;
  for (const Granted& granted : std::exchange(granted_, {})) {
    pages_[granted.page.number].is_written = granted.is_written;
    pages.push_back(granted.page);
  }
  return pages;
}

}  // namespace tenure::store
