// The lists that one collection makes. The heap keeps them, so that the next one finds memory.
#pragma once

#include <cstddef>

#include "abi/object_header.h"
#include "gc/raw_array.h"

namespace tenure::gc {

// Empty between collections.
struct CollectionLists {
  // Copies from `scan` to `end` whose slots have not been visited.
  struct Unscanned {
    char* scan;
    char* end;
  };
  struct WentHome {
    abi::Ref write_at;
    abi::Ref lives_at;
  };
  struct PageRun {
    size_t first;
    size_t count;
  };

  void Clear() {
    for (RawArray<Unscanned>& pages : full) pages.Clear();
    stayed.Clear();
    in_place.Clear();
    large.Clear();
    went_home.Clear();
    filled_gaps.Clear();
    dirty_cards.Clear();
    released.Clear();
  }

  RawArray<Unscanned> full[2];  // by Generation: pages filled and not scanned to their ends
  RawArray<abi::Ref> stayed;    // small objects, in the order of discovery
  RawArray<abi::Ref> in_place;  // have become old where they are, and are not scanned yet
  RawArray<abi::Ref> large;
  RawArray<WentHome> went_home;
  RawArray<char*> filled_gaps;
  RawArray<char*> dirty_cards;  // where they begin, on old pages
  RawArray<PageRun> released;   // pages on which nothing lives
};

}  // namespace tenure::gc
