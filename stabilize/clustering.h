// Where new objects lie: what a commit and the rewriting of a database (dbtool/compact.h) agree on.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "abi/object_header.h"
#include "stabilize/page_server.h"

namespace tenure::stabilize {

// Bytes with the header. Small objects lie directly behind the first that refers to them, if that
// one is new as well and not long (docs/decisions, 13). Two lines of a processor's cache, which
// many fetch together, are small.
inline constexpr size_t kSmallObject = 128, kLongObject = 256;

// Gives small objects behind `first`, which has its place, theirs: depth-first, but not through one
// that also refers to something that is not small. push_targets(object) appends the small ones
// among those that an object refers to, if they have no places, the first of them last, and tells
// whether nothing else is among them. When place(object) returns false, that is the result.
// `waiting` is memory, and afterwards as before.
template <typename Object, typename PushTargets, typename HasPlace, typename Place>
bool PlaceSmallBehind(const Object& first, std::vector<Object>& waiting, PushTargets&& push_targets,
                      HasPlace&& has_place, Place&& place) {
  const auto begin = static_cast<ptrdiff_t>(waiting.size());
  const bool goes_on = push_targets(first);
  while (static_cast<ptrdiff_t>(waiting.size()) > begin) {
    const Object next = waiting.back();
    waiting.pop_back();
    // It may have been reached on another way meanwhile.
    if (has_place(next)) continue;
    const auto before = static_cast<ptrdiff_t>(waiting.size());
    if (goes_on && !push_targets(next)) {
      waiting.erase(waiting.begin() + before, waiting.end());
    } else if (!place(next)) {
      waiting.erase(waiting.begin() + begin, waiting.end());
      return false;
    }
  }
  return true;
}

// A page that new objects are put on, and where its free end begins.
struct OpenPage {
  PageId page;
  size_t offset = abi::kPageBytes;

  size_t left() const { return page.valid() ? abi::kPageBytes - offset : 0; }
};

// What does not fit on the first goes to the second, while smaller objects still fill the first.
class OpenPages {
 public:
  // Null: there is none.
  OpenPage* WithRoom(size_t bytes) {
    const auto found = std::find_if(pages_.begin(), pages_.end(),
                                    [&](const OpenPage& page) { return bytes <= page.left(); });
    return found == pages_.end() ? nullptr : &*found;
  }
  // An empty page comes instead of the fuller one, which is returned.
  OpenPage Replace(PageId fresh) {
    if (pages_[0].left() > pages_[1].left()) std::swap(pages_[0], pages_[1]);
    return std::exchange(pages_[0], std::exchange(pages_[1], {fresh, 0}));
  }
  bool Has(PageId page) const { return page == pages_[0].page || page == pages_[1].page; }
  // Nothing new is put there any more.
  void Close(PageId page) {
    for (OpenPage& open : pages_) {
      if (open.page == page) open = {};
    }
  }
  auto begin() const { return pages_.begin(); }
  auto end() const { return pages_.end(); }

 private:
  std::array<OpenPage, 2> pages_;
};

}  // namespace tenure::stabilize
