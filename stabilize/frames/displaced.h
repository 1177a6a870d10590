// Objects that a commit has named but that still live where they were: place <-> home (design.md
// section 5, "Displaced objects").
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "abi/heap_constants.h"
#include "abi/object_header.h"
#include "base/flat_table.h"
#include "stabilize/frames/block_memory.h"
#include "stabilize/frames/piece_array.h"
#include "stabilize/frames/placed.h"
#include "stabilize/frames/store_names.h"
#include "store/format/persistent_ref.h"

namespace tenure::stabilize {

class Database;

// Objects of one page.
using PageObjects = BlockVector<abi::Ref>;

struct DisplacedObject {
  abi::Ref place = nullptr;  // in the transient heap; its header has the displaced bit
  Database* database = nullptr;
  PersistentRef home;  // the slot: first field, as every reference to it is stored
  size_t bytes = 0;    // header and payload

  Placed at_home() const { return {home, bytes}; }
};

// A bijection between places and homes. With the session's lock. Pointers that it gives are valid
// until the next Add or Remove.
class DisplacedObjects {
 public:
  // The bits in the header of a displaced object: one that says so, and a hint where its entry is,
  // which may be out of date.
  static constexpr unsigned kHintShift = 40;
  static constexpr uint64_t kHeaderBits = abi::ObjectHeader::kDisplacedBit | ~uint64_t{0}
                                                                                 << kHintShift;

  void Add(const DisplacedObject& object);
  void Remove(abi::Ref place);
  // The header bits of an object that Add is called with next.
  uint64_t HeaderBitsOfNext() const {
    return abi::ObjectHeader::kDisplacedBit | (objects_.size() + 1) << kHintShift;
  }
  // Removes and returns all objects whose homes are in the database.
  std::vector<abi::Ref> RemoveAll(const Database* database);

  // Null when the object is not displaced.
  const DisplacedObject* Find(abi::Ref place) const {
    const PlacePage* const page = by_place_.Find(PageOf(place));
    if (page == nullptr) return nullptr;
    const uint32_t number = page->numbers[SlotOf(place)];
    // An address inside of an object is not a place.
    return number == 0 || objects_[number - 1].place != place ? nullptr : &objects_[number - 1];
  }
  // Find for an object whose header says that it is displaced: most often with one look.
  const DisplacedObject* FindByHeader(abi::Ref place) const {
    const uint64_t number = abi::ObjectHeader::Of(place)->word >> kHintShift;
    if (number - 1 < objects_.size() && objects_[number - 1].place == place) {
      return &objects_[number - 1];
    }
    return Find(place);
  }
  // Prefetches the entry for a later Find.
  void Prefetch(uint64_t header_word) const {
    const uint64_t number = header_word >> kHintShift;
    if (number - 1 < objects_.size()) __builtin_prefetch(&objects_[number - 1]);
  }
  // By number, from 0: in the order of Add since the last Remove.
  const DisplacedObject& At(size_t number) const { return objects_[number]; }
  // Where the object with this home lives; null when it is at home.
  abi::Ref PlaceOf(const Database* database, PersistentRef home) const;
  // The displaced objects whose home is on this page, by their homes; null for none.
  const PageObjects* WithHomeOn(const Database* database, PageId page) const;

  size_t size() const { return objects_.size(); }
  size_t bytes() const { return bytes_; }
  // The number of pages on which homes begin.
  size_t home_pages() const { return by_page_.size(); }
  // A copy, so that the caller may change the table meanwhile.
  std::vector<abi::Ref> Places() const;
  std::vector<abi::Ref> PlacesOf(const Database* database) const;
  // Calls stays(place) for each object that is_young(place). The objects that are not young, and
  // those for which stays(place) returns false, are never asked about again. `stays` may remove the
  // object.
  template <typename IsYoung, typename Stays>
  void ForEachYoung(IsYoung&& is_young, Stays&& stays) {
    size_t kept = 0;
    for (size_t i = 0; i < recent_.size(); ++i) {
      const abi::Ref place = recent_[i];
      // Asked first, since it costs least: after a large commit most are old.
      if (is_young(place) && Find(place) != nullptr && stays(place)) recent_[kept++] = place;
    }
    recent_.Truncate(kept);
  }

 private:
  // Page 0 is never a home, so a default HomePage is not a key in use.
  struct HomePage {
    const Database* database = nullptr;
    uint64_t page = 0;
    friend bool operator==(const HomePage&, const HomePage&) = default;
  };
  // Offsets of homes ascend; the places beside them.
  struct Homes {
    BlockVector<uint16_t> offsets;
    PageObjects places;

    size_t FirstNotBelow(uint16_t offset) const;
  };
  // The objects that begin on a page of the heap, by place.
  struct PlacePage {
    BlockVector<uint32_t> numbers;  // in objects_, from 1; 0: nothing
    uint32_t count = 0;
  };
  // No two objects begin nearer to each other than this.
  static constexpr size_t kPlaceBytes = abi::kHeaderBytes + abi::kMinPayloadBytes;
  static uintptr_t PageOf(abi::Ref place) {
    return reinterpret_cast<uintptr_t>(place) & ~(abi::kPageBytes - 1);
  }
  static size_t SlotOf(abi::Ref place) {
    return reinterpret_cast<uintptr_t>(place) % abi::kPageBytes / kPlaceBytes;
  }
  Homes& HomesOn(const HomePage& page);
  void EraseHomes(const HomePage& page);
  uint32_t& NumberOf(abi::Ref place) {
    return by_place_.Find(PageOf(place))->numbers[SlotOf(place)];
  }
  struct PlaceHash {
    uint64_t operator()(uintptr_t page) const { return SpreadBits(page); }
  };
  struct HomePageHash {
    uint64_t operator()(const HomePage& home) const {
      return SpreadBits((reinterpret_cast<uintptr_t>(home.database) >> 4) ^ (home.page << 20));
    }
  };

  PieceArray<DisplacedObject> objects_;
  size_t bytes_ = 0;  // of all
  FlatTable<uintptr_t, PlacePage, PlaceHash> by_place_;
  FlatTable<HomePage, Homes, HomePageHash> by_page_;
  // The last result of HomesOn: homes are given out page by page. Null: unknown.
  struct {
    HomePage page;
    Homes* homes = nullptr;
  } last_homes_;
  PieceArray<abi::Ref> recent_;  // perhaps in the young generation, perhaps removed
};

}  // namespace tenure::stabilize
