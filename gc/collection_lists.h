// The lists that one collection makes. The heap keeps them, so that the next collection reuses
// their memory.
#pragma once

#include <cstddef>

#include "abi/object_header.h"
#include "gc/page.h"
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

  // Whether a page of this generation is full and has not been scanned to its end.
  bool HasFull(Generation generation) const {
    const int i = static_cast<int>(generation);
    return next_full[i] < full[i].size();
  }

  void Clear() {
    for (RawArray<Unscanned>& pages : full) pages.Clear();
    next_full[0] = next_full[1] = next_stayed = next_large = next_went_home = 0;
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
  RawArray<abi::Ref> in_place;  // promoted in place, not scanned yet
  RawArray<abi::Ref> large;
  RawArray<WentHome> went_home;
  // Elements below these have been scanned, or taken by the thread that scans them.
  size_t next_full[2] = {};  // by Generation
  size_t next_stayed = 0;
  size_t next_large = 0;
  size_t next_went_home = 0;
  RawArray<char*> filled_gaps;
  RawArray<char*> dirty_cards;  // first bytes of cards on old pages
  RawArray<PageRun> released;   // pages without live objects
};

}  // namespace tenure::gc
