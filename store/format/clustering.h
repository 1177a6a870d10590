// Where new objects lie: what a commit and the rewriting of a database (dbtool/collect/compact.h)
// agree on.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "abi/object_header.h"
#include "base/stamped_set.h"
#include "store/format/persistent_ref.h"

namespace tenure::store {

// Bytes with the header. Small objects lie directly behind the first that refers to them, if that
// one is new as well and not long (docs/decisions, 13). Two lines of a processor's cache, which
// many fetch together, are small.
inline constexpr size_t kSmallObject = 128, kLongObject = 256;
// Small objects that come depth-first are put together by kind, this many bytes at a time.
inline constexpr size_t kClusterBytes = size_t{64} * 1024;
// A page for objects that lie apart gets other objects only if it has this much room.
inline constexpr size_t kWorthMixing = abi::kPageBytes / 8;

// Long objects without references (`pure`), as texts and arrays of numbers, lie apart from their
// referrers: a traversal of references does not read them, and changes to them touch no other page.
inline bool LiesApart(size_t bytes, bool pure) { return pure && bytes > kLongObject; }

// Gives places to the small objects behind `first`, which has a place: depth-first, but not through
// an object that also refers to a large one. push_targets(object) appends the small targets of an
// object that have no places, the first one last, and returns whether all its targets are small. If
// place(object) returns false, the result is false. `waiting` is scratch memory, empty before and
// after the call.
template <typename Object, typename PushTargets, typename HasPlace, typename Place>
bool PlaceSmallBehind(const Object& first, std::vector<Object>& waiting, PushTargets&& push_targets,
                      HasPlace&& has_place, Place&& place) {
  const auto begin = static_cast<ptrdiff_t>(waiting.size());
  const bool goes_on = push_targets(first);
  while (static_cast<ptrdiff_t>(waiting.size()) > begin) {
    const Object next = waiting.back();
    waiting.pop_back();
    // Another path may have reached the object meanwhile.
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

// Collects the objects that PlaceSmallBehind finds, to place them together by kind, in the order in
// which the kinds appeared. Then an update or a scan of all objects of one kind needs the fewest
// pages. `Key` identifies an object.
template <typename Object, typename Key, typename Kind, typename Hash>
class Cluster {
 public:
  // Has been added, and not been placed.
  bool Contains(const Key& key) const { return waiting_.Contains(key); }
  bool full() const { return bytes_ >= kClusterBytes; }
  // Adds an object; `bytes` includes its header. An object whose kind is null, which has no
  // references, follows the object that was added last.
  void Add(const Object& object, const Key& key, const Kind* kind, size_t bytes) {
    if (kind != nullptr || used_ == 0) last_ = GroupOf(kind);
    groups_[last_].objects.push_back(object);
    waiting_.Insert(key);
    bytes_ += bytes;
  }
  // Calls place(object) for all, until it returns false, which is the result. Afterwards there are
  // none.
  template <typename Place>
  bool PlaceAll(Place&& place) {
    bool good = true;
    for (size_t group = 0; group < used_; ++group) {
      for (const Object& object : groups_[group].objects) good = good && place(object);
      groups_[group].objects.clear();
    }
    waiting_.Clear();
    used_ = 0;
    bytes_ = 0;
    return good;
  }

 private:
  struct Group {
    const Kind* kind;
    std::vector<Object> objects;
  };

  size_t GroupOf(const Kind* kind) {
    size_t group = 0;
    while (group < used_ && groups_[group].kind != kind) ++group;
    if (group == used_) {
      if (used_ == groups_.size()) groups_.emplace_back();
      groups_[used_++].kind = kind;
    }
    return group;
  }

  std::vector<Group> groups_;  // their memory is used again
  size_t used_ = 0, last_ = 0, bytes_ = 0;
  StampedSet<Key, Hash> waiting_;
};

// A page that new objects are put on, and where its free end begins.
struct OpenPage {
  PageId page;
  size_t offset = abi::kPageBytes;

  size_t left() const { return page.valid() ? abi::kPageBytes - offset : 0; }
};

// Two open pages for objects that lie apart, and two for all others. An object too large for the
// first page goes to the second, while smaller objects still fill the first.
class OpenPages {
 public:
  // Null: there is none.
  OpenPage* WithRoom(size_t bytes, bool apart) {
    for (OpenPage& page : PairFor(apart)) {
      if (bytes <= page.left()) return &page;
    }
    return nullptr;
  }
  // Puts an empty page in the place of one that is full enough, and returns that one.
  OpenPage Replace(PageId fresh, bool apart) {
    const OpenPage full = Exchange({fresh, 0}, PairFor(apart));
    return apart && full.left() >= kWorthMixing ? Exchange(full, PairFor(false)) : full;
  }
  bool Has(PageId page) const {
    return std::any_of(pages_.begin(), pages_.end(),
                       [&](const OpenPage& open) { return open.page == page; });
  }
  // Puts nothing more on the page.
  void Close(PageId page) {
    for (OpenPage& open : pages_) {
      if (open.page == page) open = {};
    }
  }
  auto begin() const { return pages_.begin(); }
  auto end() const { return pages_.end(); }

 private:
  std::span<OpenPage, 2> PairFor(bool apart) {
    return std::span<OpenPage, 2>(pages_.data() + (apart ? 2 : 0), 2);
  }
  // Returns the fullest of the three; the other two become the pair.
  static OpenPage Exchange(const OpenPage& page, std::span<OpenPage, 2> pair) {
    if (pair[0].left() > pair[1].left()) std::swap(pair[0], pair[1]);
    if (page.left() < pair[0].left()) return page;
    return std::exchange(pair[0], std::exchange(pair[1], page));
  }

  std::array<OpenPage, 4> pages_;
};

}  // namespace tenure::store
