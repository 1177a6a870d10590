// The state of the heap that its operations share: pages and what is known about them, free places,
// lists, and counters.
//
// Plain data with the few steps that several operations need. Heap owns the state and is the facade
// for the run time; Collector, Evacuator, CardScanner, SharedDrain, OldCollection and Verifier take
// a reference to it. This header knows none of them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/result.h"
#include "gc/allocation_buffer.h"
#include "gc/collection_lists.h"
#include "gc/object_starts.h"
#include "gc/options.h"
#include "gc/pacer.h"
#include "gc/page_allocator.h"
#include "gc/page_table.h"
#include "gc/persistent_space.h"
#include "gc/raw_array.h"
#include "gc/remembered_objects.h"
#include "gc/roots.h"
#include "gc/stats.h"

namespace tenure::gc {

// The contents of freed places in stress mode, and of new buffers in paranoid mode: a byte that
// makes neither an address nor a small number.
inline constexpr int kPoison = 0xdb;

// Threads: every member with the heap's lock; reads of `pages` from any thread.
struct HeapState {
  // `roots` outlives the state. Initialize must succeed before anything else is called.
  HeapState(const HeapOptions& options, RootSource& roots);
  HeapState(const HeapState&) = delete;
  HeapState& operator=(const HeapState&) = delete;

  // Reserves addresses for the heap and its tables: `reserve_bytes` for the heap, of which at most
  // `max_bytes` are in use at one time; `quarantine_pages` as in PageAllocator. kNoMemory.
  Status Initialize(size_t reserve_bytes, size_t max_bytes, size_t quarantine_pages);

  bool remembers_objects() const { return options.remembering == Remembering::kObjects; }
  // Whether a mutator was stopped at an arbitrary instruction. Only while the world is stopped.
  bool AnyInterrupted() const { return interrupted > 0; }
  // Whether the minor collection that begins promotes pages in place. Asked once in each.
  bool PromotesInPlace();

  RawArray<Region>& gaps_of(Generation generation) { return gaps[static_cast<int>(generation)]; }

  // Lists and watches a new young page: a page of small objects, or the first of a large object.
  void AddYoungPage(size_t page);
  // Makes the free place a filler, and keeps it as a gap if it is worth allocating into.
  void AddGap(Generation generation, const Region& gap);
  // Frees everything on the page but the objects whose bits are set in the page's object-start map.
  // Returns the bytes of these objects; with 0 the page is left as it is.
  size_t FreeBetweenObjects(size_t page);

  const HeapOptions options;
  RootSource& roots;
  PersistentSpace* persistent_space = nullptr;  // null: no database is open

  PageTable pages;
  PageAllocator page_allocator;
  ObjectStarts starts;
  RememberedObjects remembered;
  Pacer pacer;
  AllocationBuffers buffers;
  // Free places for allocation, by generation: on pages that a collection kept, and behind the last
  // copies. Each is a filler. The taker of a gap removes it, and asks then whether its page is
  // governed.
  RawArray<Region> gaps[2];
  CollectionLists lists;
  // Every young page, and the first page of every young large object, in any order: a minor
  // collection looks at no other page.
  RawArray<size_t> young_pages;
  bool watches_all = false;  // old pages are watched too (gc/card_table.h)
  size_t old_bytes = 0;      // pages of the old generation, after the last collection
  size_t interrupted = 0;    // mutators with suspended buffers; 0 unless the world is stopped
  HeapStats counters;

 private:
  // AddGap for a place where an object was; in stress mode it is overwritten first.
  void AddFreed(Generation generation, const Region& gap);
};

}  // namespace tenure::gc
