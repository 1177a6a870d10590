// Pages of the storage manager under QuickStore and E (White & DeWitt 1995, 4 and 5): objects on
// pages of 8 KB, larger ones on consecutive pages.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tenure::lab::esm {

inline constexpr size_t kPageBytes = 8192;

// An object: its page, and its place in the page's table. 0: none.
using ObjectId = uint64_t;
constexpr uint32_t kLargePlace = 0xfff;  // the object has the page and the following ones
constexpr ObjectId MakeId(uint64_t page, uint32_t place) { return page << 12 | place; }
constexpr uint64_t PageOf(ObjectId id) { return id >> 12; }
constexpr uint32_t PlaceOf(ObjectId id) { return static_cast<uint32_t>(id & 0xfff); }
constexpr bool IsLarge(ObjectId id) { return PlaceOf(id) == kLargePlace; }

// QuickStore's data of a page with pointers: its mapping object and its bitmap object.
struct MetaObject {
  ObjectId mapping;
  ObjectId bitmap;
};

// At the start of a page with objects. Objects follow; the table of their places grows downwards
// from the page's end. The further pages of a large object have no head.
struct PageHead {
  uint16_t count;
  uint16_t used;
  uint32_t reserved;
  uint64_t large;     // bytes of the object that has the page and the following ones; 0: none
  MetaObject meta;    // of a page with small objects
  uint64_t metas_at;  // of a large object with pointers: where behind the first page's start there
                      // is a MetaObject for each of its pages
};
struct PlaceEntry {
  uint16_t offset, bytes;
};

inline PageHead& HeadOf(std::byte* page) { return *reinterpret_cast<PageHead*>(page); }
inline PlaceEntry& EntryAt(std::byte* page, uint32_t place) {
  return reinterpret_cast<PlaceEntry*>(page + kPageBytes)[-1 - int64_t{place}];
}

// In front of each object.
struct ObjectHeader {
  uint32_t type;
  uint32_t unique;  // tells an object from one that had its place before
};

}  // namespace tenure::lab::esm
