// Old objects of the heap that refer to young ones, where objects are remembered and not cards
// (Remembering::kObjects; Hosking, Moss & Stefanovic 1992 compare the two). The barrier in compiled
// code knows slots, and marks their cards; here these only tell a collection what has been stored
// since the last one (Hosking & Hudson 1993). An object on such a card that refers to something
// young when the collection ends is remembered, and its card stays clean: the next collection looks
// at this object, the whole of it, and at no other one on the card.
//
// Objects in frames, and all while a major collection runs, have cards.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "abi/heap_constants.h"
#include "abi/object_header.h"
#include "base/bitmap.h"
#include "base/result.h"
#include "gc/page_table.h"
#include "gc/raw_array.h"

namespace tenure::gc {

// With the world stopped. Between collections all of them are live, or were so when the old
// generation was marked last.
class RememberedObjects {
 public:
  RememberedObjects() = default;
  ~RememberedObjects();
  RememberedObjects(const RememberedObjects&) = delete;
  RememberedObjects& operator=(const RememberedObjects&) = delete;

  // Reserves addresses for one bit per granule of the heap. kNoMemory. Without this there are no
  // objects to ask for.
  Status Create(const PageTable& pages);

  bool Has(abi::Ref object) const { return Bits().Test(BitOf(object)); }
  // A second time does nothing.
  void Add(abi::Ref object) {
    BitmapView bits = Bits();
    const size_t bit = BitOf(object);
    if (bits.Test(bit)) return;
    bits.Set(bit);
    objects_.Push(object);
  }

  // Forgets all, and calls visit(object) for each, which may add any object again.
  template <typename Visit>
  void TakeAll(Visit&& visit) {
    const size_t taken = objects_.size();
    for (size_t i = 0; i < taken; ++i) {
      if (i + kAhead < taken) {
        __builtin_prefetch(abi::ObjectHeader::Of(objects_[i + kAhead]));
        __builtin_prefetch(bits_ + BitOf(objects_[i + kAhead]) / 64, 1);
      }
      const abi::Ref object = objects_[i];
      Bits().Clear(BitOf(object));
      visit(object);
    }
    std::copy(objects_.begin() + taken, objects_.end(), objects_.begin());
    objects_.Truncate(objects_.size() - taken);
  }

  // Keeps those for which keep(object) is true.
  template <typename Keep>
  void Retain(Keep&& keep) {
    size_t kept = 0;
    for (const abi::Ref object : objects_) {
      if (keep(object)) {
        objects_[kept++] = object;
      } else {
        Bits().Clear(BitOf(object));
      }
    }
    objects_.Truncate(kept);
  }
  void Clear() {
    Retain([](abi::Ref) { return false; });
  }

  size_t size() const { return objects_.size(); }

 private:
  static constexpr size_t kAhead = 8;
  static constexpr size_t kWordsPerPage = abi::kPageBytes / abi::kGranuleBytes / 64;

  BitmapView Bits() const {
    return BitmapView(bits_, pages_->page_count() * (abi::kPageBytes / abi::kGranuleBytes));
  }
  size_t BitOf(abi::Ref object) const {
    return (reinterpret_cast<uintptr_t>(object) - abi::kHeaderBytes - pages_->base()) /
           abi::kGranuleBytes;
  }

  const PageTable* pages_ = nullptr;
  uint64_t* bits_ = nullptr;  // of those in the list
  RawArray<abi::Ref> objects_;
};

}  // namespace tenure::gc
