// The collector's counters, for @M3gcstats, tests and benchmarks.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tenure::gc {

// Parts of a collection, in their order.
enum class Phase : uint8_t {
  kStop,   // until all other threads have stopped
  kPin,    // ambiguous roots, dirty pages
  kRoots,  // exact roots and dirty cards
  kDrain,  // copying and scanning the reachable objects
  kWeak,   // weak references
  kOld,    // a slice of the old generation's collection
  kSweep,  // pages that are free again
};
inline constexpr size_t kPhases = 7;
inline constexpr const char* kPhaseNames[kPhases] = {"stop", "pin", "roots", "drain",
                                                     "weak", "old", "sweep"};

struct HeapStats {
  uint64_t minor_collections = 0;
  uint64_t major_collections = 0;
  uint64_t old_collections = 0;  // of the old generation, in slices
  uint64_t old_slices = 0;       // pauses for that alone
  uint64_t bytes_allocated = 0;  // pages and large objects handed out to mutators, since the start
  uint64_t bytes_copied = 0;     // by evacuation, also of objects that went home
  uint64_t objects_copied = 0;
  uint64_t bytes_in_place = 0;  // of objects that became old where they were
  uint64_t objects_pinned = 0;  // held by an ambiguous root, summed over collections
  uint64_t objects_stayed = 0;  // pinned, displaced and waiting, or no room to copy; large ones not
  uint64_t objects_went_home = 0;
  uint64_t evacuations_failed = 0;  // stayed because no page was free
  uint64_t cards_scanned = 0;
  uint64_t objects_remembered = 0;  // those that collections looked at

  uint64_t pause_us_total = 0;  // from StopWorld to ResumeWorld
  uint64_t pause_us_max = 0;
  uint64_t pause_us_p50 = 0;  // of the last 4096 pauses
  uint64_t pause_us_p99 = 0;
  // The same in processor time of the thread that collects: what they take when the machine is not
  // busy with other things, once the threads have stopped.
  uint64_t pause_processor_us_total = 0;
  uint64_t pause_processor_us_max = 0;
  uint64_t pause_processor_us_p50 = 0;
  uint64_t pause_processor_us_p99 = 0;

  // Part of the pauses: until all other threads had stopped.
  uint64_t stop_us_total = 0;
  uint64_t stop_us_max = 0;
  uint64_t threads_interrupted = 0;  // stopped at any instruction, summed over collections

  // Parts of the pauses; what is left is the verifier's, and waking the threads.
  uint64_t phase_ns_total[kPhases] = {};

  // Bytes that survived minor collections (copied, promoted in place, or pinned; not large
  // objects), by the number of minor collections that they had survived before; the last one is for
  // all others. The survival rate of each age is its quotient to the one before; that of the first,
  // its quotient to bytes_allocated.
  static constexpr size_t kAges = 4;
  uint64_t survived_bytes[kAges] = {};

  // At the time of the call. Young and old count pages, so fillers and free ends are included.
  size_t heap_bytes = 0;
  size_t young_bytes = 0;
  size_t old_bytes = 0;
  size_t large_bytes = 0;  // part of the two above
  size_t peak_heap_bytes = 0;
  size_t resident_bytes = 0;  // in use, or free but not yet given back to the system
};

}  // namespace tenure::gc
