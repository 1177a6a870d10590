// The old generation collected in slices, in the pauses of minor collections and short ones between
// them, so that no pause grows with the heap.
//
// Marking is by incremental update (Dijkstra et al. 1978) with the cards that the minor collections
// need anyway (Boehm, Demers & Shenker 1991): a minor collection that looks at a card of a marked
// object marks the objects that the card's slots refer to. It also marks the old objects that its
// roots and its copies refer to, and the objects that it promotes. So when no object is left to
// scan, one minor collection that looks at every root finishes the mark. Sweeping makes unmarked
// objects fillers, and long fillers gaps. Pages without a marked object become free at the very
// end, so that no dead object ever refers to a page that has been used again. Nothing moves: the
// full collection compacts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "abi/object_header.h"
#include "base/result.h"
#include "gc/granule_bits.h"
#include "gc/heap_state.h"
#include "gc/page_table.h"
#include "gc/raw_array.h"

namespace tenure::gc {

// The questions need the heap's lock; everything else needs the world stopped as well.
class OldCollection {
 public:
  explicit OldCollection(HeapState& heap) : heap_(heap) {}
  OldCollection(const OldCollection&) = delete;
  OldCollection& operator=(const OldCollection&) = delete;

  // Reserves addresses for one bit per granule of the heap. kNoMemory.
  Status Create(PageTable& pages);

  // --- Questions ---

  bool is_idle() const { return state_ == State::kIdle; }
  bool is_marking() const { return state_ == State::kMarking; }
  // Bytes of the old generation that were marked last or promoted since; after a full collection,
  // those of the pages that it left.
  size_t used_bytes() const { return used_bytes_; }
  // Whether a slice is due when `young_since` bytes have been allocated since the last minor
  // collection.
  bool IsSliceDue(size_t young_since) const { return young_since >= next_slice_at_; }
  // Marking: the object is old, and reached.
  bool IsMarked(abi::Ref object) const { return bits_.View().Test(bits_.OfObject(object)); }
  // An object on an old page that is dead and not yet a filler: its references may dangle.
  bool IsUnsweptGarbage(abi::Ref object) const {
    return pages_->Of(object).unswept && !IsMarked(object);
  }

  // --- In minor collections ---

  void Begin();
  // An old object is live: its slots will be visited. The mark bit may be anywhere in a large
  // table, so the bit is prefetched now and set a few calls later.
  void Mark(abi::Ref object) {
    bits_.PrefetchToSet(bits_.OfObject(object));
    std::swap(object, arriving_[arrived_++ % kArriving]);
    if (object != nullptr) MarkNow(object);
  }
  // The object has just become old; the minor collection visits its slots.
  void MarkPromoted(abi::Ref object) { bits_.View().Set(bits_.OfObject(object)); }
  // The minor collection promoted this many bytes.
  void Promoted(size_t bytes);
  // Whether nothing is left to scan: this minor collection may be the last one of the mark.
  bool MayFinish() const {
    return is_marking() && has_roots_ && arrived_ == 0 && stack_.empty() && parts_.empty();
  }
  // Called in such a minor collection after the visits of all roots: scans the objects that the
  // roots marked. False if that takes too long; then the mark goes on.
  bool TryFinish();
  // Scans all that is left to scan.
  void Drain();
  // Called at the end of the minor collection that has completed the mark.
  void BeginSweep();

  // --- Slices ---

  // Works until about `deadline_ns` (monotonic clock). `young_since` and `young_limit`, in bytes,
  // plan the next slice.
  void Step(uint64_t deadline_ns, size_t young_since, size_t young_limit);
  // Before a full collection: afterwards no object is marked and no page unswept.
  void Abandon();
  // After a full collection.
  void FullCollectionEnded(size_t old_bytes) { used_bytes_ = old_bytes; }

 private:
  enum class State : uint8_t { kIdle, kMarking, kSweeping, kReleasing, kTrimming };
  struct PageRun {
    size_t first;
    size_t count;
  };
  // A large object whose slots have been visited below `next`.
  struct Part {
    abi::Ref object;
    char* next;
  };

  void MarkNow(abi::Ref object) {
    BitmapView bits = bits_.View();
    const size_t bit = bits_.OfObject(object);
    if (bits.Test(bit)) return;
    bits.Set(bit);
    stack_.Push(object);
  }
  void MarkArriving();
  bool Advance(uint64_t deadline_ns);
  void Scan(abi::Ref object, const PageTable::View& pages);
  void ScanPart();
  void VisitSlot(abi::Ref* slot, const PageTable::View& pages);
  void SweepSlice(uint64_t deadline_ns);
  void SweepPage(size_t page);
  void AddDead(size_t first, size_t count);
  void ReleaseSlice(uint64_t deadline_ns);

  HeapState& heap_;
  PageTable* pages_ = nullptr;
  GranuleBits bits_;  // all clear when idle
  State state_ = State::kIdle;
  static constexpr size_t kArriving = 16;
  abi::Ref arriving_[kArriving] = {};  // live, and not yet marked; null when arrived_ is 0
  size_t arrived_ = 0;                 // since there were none
  RawArray<abi::Ref> stack_;
  RawArray<Part> parts_;
  RawArray<PageRun> dead_;  // with nothing marked; flagged `unswept` until they are free
  size_t cursor_ = 0;       // sweeping: a page; releasing: an element of dead_
  size_t sweep_end_ = 0;
  size_t marked_bytes_ = 0;
  size_t promoted_bytes_ = 0;  // since the mark was complete
  size_t debt_bytes_ = 0;      // to be scanned before the next minor collection, best
  unsigned attempts_ = 0;      // to finish
  bool has_roots_ = false;     // a minor collection has marked what its roots refer to
  size_t used_bytes_ = 0;
  size_t next_slice_at_ = ~size_t{0};
};

}  // namespace tenure::gc
