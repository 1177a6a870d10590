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

#include "abi/object_header.h"
#include "base/result.h"
#include "gc/granule_bits.h"
#include "gc/page_table.h"
#include "gc/raw_array.h"

namespace tenure::gc {

// With the world stopped. Between collections every remembered object is live, or was live at the
// last mark of the old generation.
class RememberedObjects {
 public:
  // Reserves addresses. kNoMemory. Must precede every other call that names an object.
  Status Create(const PageTable& pages) {
    return bits_.Create(pages, "no addresses for the bits of remembered objects");
  }

  bool Has(abi::Ref object) const { return bits_.View().Test(bits_.OfObject(object)); }
  // Adds the object, unless it is there already.
  void Add(abi::Ref object) {
    BitmapView bits = bits_.View();
    const size_t bit = bits_.OfObject(object);
    if (bits.Test(bit)) return;
    bits.Set(bit);
    objects_.Push(object);
  }

  // Forgets all objects, and calls visit(object) for each; `visit` may add any object again.
  template <typename Visit>
  void TakeAll(Visit&& visit) {
    const size_t taken = objects_.size();
    for (size_t i = 0; i < taken; ++i) {
      if (i + kAhead < taken) {
        __builtin_prefetch(abi::ObjectHeader::Of(objects_[i + kAhead]));
        bits_.PrefetchToSet(bits_.OfObject(objects_[i + kAhead]));
      }
      const abi::Ref object = objects_[i];
      bits_.View().Clear(bits_.OfObject(object));
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
        bits_.View().Clear(bits_.OfObject(object));
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

  GranuleBits bits_;  // of those in the list
  RawArray<abi::Ref> objects_;
};

}  // namespace tenure::gc
