// One collection, phase by phase.
#pragma once

#include <cstddef>

#include "gc/evacuator.h"
#include "gc/heap_state.h"
#include "gc/old_collection.h"
#include "gc/persistent_space.h"
#include "gc/raw_array.h"
#include "gc/stats.h"

namespace tenure::gc {

class HelperThreads;
class WeakRefs;

// Made, run once and dropped while the world is stopped, with the heap's lock.
class Collector {
 public:
  // `helpers` share the work of a major collection.
  Collector(HeapState& heap, OldCollection& old, WeakRefs& weak_refs, CollectionKind kind,
            HelperThreads& helpers);

  void Run();

 private:
  bool major() const { return kind_ == CollectionKind::kMajor; }
  void CondemnPages();
  void PinAmbiguousRoots();
  void FindDirtyCards();
  void ChoosePagesInPlace();
  bool WantsOnlyYoungRoots() const;
  void VisitExactRoots(bool all);
  void WatchPages();
  void SweepPages();
  bool SweepPage(size_t index);
  void RebuildKeptPage(size_t page, const abi::Ref* first, const abi::Ref* last);
  void FinishLargeObject(size_t page);
  void Release(size_t first, size_t count);
  void FreeReleasedPages();
  // A step of the old generation's collection, in the remaining time of this pause.
  void StepOldCollection(bool mark_complete);
  // The phase that began with the last EndPhase is over.
  void EndPhase(Phase phase);

  HeapState& heap_;
  OldCollection& old_;
  WeakRefs& weak_refs_;
  const CollectionKind kind_;
  HelperThreads& helpers_;
  Evacuator evacuator_;
  CollectionLists& lists_;
  uint64_t began_ns_ = 0;
  uint64_t phase_began_ns_ = 0;
  size_t young_bytes_ = 0;
  size_t old_bytes_ = 0;
  size_t released_bytes_ = 0;
  const abi::Ref* next_stayed_ = nullptr;  // while pages are swept, by address
};

}  // namespace tenure::gc
