// Pages in the order in which they were added, each once. A page leaves in constant time: it stays
// in the list, with a mark in its frame, until somebody looks at the list.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "stabilize/frames/page_frames.h"

namespace tenure::stabilize {

// Needs the lock of the frames. `kPlace` is the member of Frame that belongs to this list.
template <Frame::ListPlace Frame::* kPlace>
class PageList {
 public:
  explicit PageList(PageFrames& frames) : frames_(frames) {}

  size_t size() const { return pages_.size() - gone_; }
  // False: the page is there already.
  bool Add(PageId page) {
    Frame::ListPlace& place = frames_.At(page).*kPlace;
    if (std::exchange(place.in, true)) return false;
    if (std::exchange(place.listed, true)) {
      --gone_;
    } else {
      pages_.push_back(page);
    }
    return true;
  }
  // False: the page is not there.
  bool Remove(PageId page) {
    Frame::ListPlace& place = frames_.At(page).*kPlace;
    if (!std::exchange(place.in, false)) return false;
    ++gone_;
    return true;
  }
  const std::vector<PageId>& pages() {
    if (gone_ != 0) {
      std::erase_if(pages_, [&](PageId page) {
        Frame::ListPlace& place = frames_.At(page).*kPlace;
        place.listed = place.in;
        return !place.in;
      });
      gone_ = 0;
    }
    return pages_;
  }
  // The list is empty afterwards.
  std::vector<PageId> Take() {
    (void)pages();
    for (PageId page : pages_) frames_.At(page).*kPlace = {};
    return std::exchange(pages_, {});
  }
  // All frames have gone.
  void Forget() {
    pages_.clear();
    gone_ = 0;
  }

 private:
  PageFrames& frames_;
  std::vector<PageId> pages_;
  size_t gone_ = 0;  // how many of them are not in the list any more
};

}  // namespace tenure::stabilize
