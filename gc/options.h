// The options of a heap. Units are bytes unless the name says otherwise; 0 means "choose".
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi/type_descriptor.h"

namespace tenure::gc {

// Where an evacuated object comes to lie: @M3gcorder.
enum class EvacuationOrder {
  // Objects go beside an object that refers to them: each root's by itself, the page being filled
  // before older ones (Moon 1984; Wilson, Lam & Moher 1991).
  kHierarchical,
  // In order of the distance from the roots (Cheney 1970).
  kBreadth,
};

// How a minor collection finds old objects that may refer to young ones: @M3gcremember.
enum class Remembering {
  kCards,    // the cards on which their slots lie (gc/card_table.h)
  kObjects,  // the objects; cards tell only which slots were stored to since the last collection
};

// Whether a minor collection makes all live objects of a page old in place, instead of copying
// them: @M3gcinplace. Then objects that were allocated together stay together.
enum class InPlacePromotion {
  kWhenMostSurvives,  // when nearly all of the nursery before survived, as while a program builds
                      // what it works on
  kAlways,
  kNever,
};

struct HeapOptions {
  // The most memory in pages in use. 0: the machine's memory, or the reserved addresses.
  size_t max_heap_bytes = 0;

  // While a database is open, collections keep the heap below this if its live objects fit; pages
  // of databases take the rest of memory. 0: max_heap_bytes.
  size_t shared_heap_bytes = 0;

  // While a database is open, the heap may have more than its private memory: what lies beyond
  // file_memory_from_bytes is memory of files (PersistentSpace::MapFileMemory), and
  // max_bytes_with_files, at least max_heap_bytes, is the limit. 0: all memory is private.
  size_t file_memory_from_bytes = 0;
  size_t max_bytes_with_files = 0;

  // Address range reserved for the heap. 0: 64 GB, less under a limit on address space (RLIMIT_AS)
  // or when max_heap_bytes is small.
  size_t reserve_bytes = 0;

  // A minor collection starts when this many bytes have been allocated since the last collection.
  size_t nursery_bytes = 8u << 20;
  // More than nursery_bytes: the nursery's size follows the work that a minor collection has
  // (gc/pacer.h), between half a megabyte and this. It shrinks when the work would make the pause
  // long. It grows, to give objects more time to die, when more than a twelfth survives and copying
  // the survivors is little work. Not more than nursery_bytes: the nursery's size is fixed.
  size_t nursery_max_bytes = 0;
  // Not 0: the nursery begins with this size, and keeps it while next to nothing survives and
  // collections take next to no time; then it goes on as above. Only with nursery_max_bytes.
  size_t nursery_start_bytes = 0;

  // The longest pause, in milliseconds, that a minor collection in a small heap should take when
  // all of the nursery survives. At least 1.
  uint32_t pause_goal_ms = 6;

  // Where collections take a large share of the time, and fewer of the allocated bytes survive with
  // a larger nursery, pauses may be up to eight times as long (gc/throughput_goal.h). Only with
  // nursery_max_bytes.
  bool pause_goal_yields = false;

  // False: all collections are major. One starts when the heap has grown to `growth_percent` of its
  // size after the last one.
  bool generational = true;

  // A major collection starts when the old generation has grown to `growth_percent` of its size
  // after the last one, but not before it has min_old_bytes.
  size_t min_old_bytes = 32u << 20;
  uint32_t growth_percent = 200;

  // The old generation is collected in slices (gc/old_collection.h); a full collection comes when
  // that does not keep pace, memory is scarce, or it is asked for. False: always a full one.
  bool incremental = true;

  // @M3gcthreads=N: the threads of a full collection, eight at most. 0: one for each processor when
  // the heap is large enough to be worth it.
  size_t collector_threads = 0;

  // How many minor collections an object survives in the young generation before it becomes old: 1
  // to 30.
  uint32_t promotion_age = 2;

  // Full collections by several threads know no order.
  EvacuationOrder order = EvacuationOrder::kHierarchical;

  Remembering remembering = Remembering::kCards;

  // The default promotes in place only in hierarchical order, and never in stress mode, where every
  // object moves unless it is pinned.
  InPlacePromotion in_place = InPlacePromotion::kWhenMostSurvives;

  // Stress mode (@M3gcstress=N): collect at every Nth allocation; 0 is off. Allocation buffers stay
  // empty, so that every allocation takes the slow path; freed pages are protected for a while, so
  // that a stale pointer traps, and freed bytes on kept pages are overwritten.
  uint64_t stress_interval = 0;
  // In stress mode each such collection is a major one, and all others are minor.
  uint32_t stress_major_every = 8;

  // @M3paranoidgc: the verifier runs before and after each collection.
  bool paranoid = false;

  // @M3gctrace: a line on stderr for each collection.
  bool trace = false;

  // Tells the verifier whether an address is a type descriptor of this program. Null: it only
  // checks that memory is there and plausible.
  bool (*is_type_descriptor)(const abi::TypeDescriptor* type) = nullptr;
};

}  // namespace tenure::gc
