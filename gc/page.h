// The heap's description of one of its pages.
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi/heap_constants.h"

namespace tenure::gc {

// A page's side in the current collection. Between collections every page in use is kTo.
enum class Space : uint8_t {
  kFree,
  kFrom,  // condemned: what lives on it must leave, or be found pinned or marked
  // Condemned by a minor collection, and old already: what is reached on it lives where it is.
  kInPlace,
  kTo,  // stays
};

// A minor collection may skip old pages.
enum class Generation : uint8_t { kYoung, kOld };

enum class PageKind : uint8_t {
  kObjects,     // tiled by objects and fillers; none crosses the page's end
  kLargeFirst,  // first page of a run that holds one large object, from its header on
  kLargeRest,   // the other pages of that run
};

// 8 bytes, so that a walk over all pages of a gigabyte touches one megabyte.
struct PageDescriptor {
  Space space = Space::kFree;
  Generation generation = Generation::kYoung;
  PageKind kind = PageKind::kObjects;
  // The object-start map of this page is right (gc/object_starts.h).
  bool starts_known : 1 = false;
  // During a collection: an object stays on this page, so it is not freed.
  bool kept : 1 = false;
  // During a minor collection, with `kept`: one of these objects is too young to become old, or a
  // thread that does not wait has pinned it.
  bool stays_young : 1 = false;
  // While the world is stopped: a thread was interrupted that allocates on this page, so nothing on
  // it moves or dies, and all its words are ambiguous roots.
  bool open : 1 = false;
  // Old, first of its run: its garbage is not fillers yet, so walks may look only at marked objects
  // (gc/old_collection.h).
  bool unswept : 1 = false;
  // Young: taken for the last part of the nursery, so that its objects had no time to die.
  bool recent : 1 = false;
  // In kLargeFirst: the number of pages of the run. In kLargeRest: how many pages before this one
  // the run begins.
  uint32_t run_pages = 0;
};
static_assert(sizeof(PageDescriptor) == 8);

using abi::kLargeObjectBytes;

}  // namespace tenure::gc
