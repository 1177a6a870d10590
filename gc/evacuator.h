// Moves reachable objects out of the condemned pages: copy, forward, scan (Cheney 1970). Objects
// that may not move are marked where they are and scanned like copies.
//
// The scan is breadth-first within the page being filled, and that page goes before older ones, so
// that objects end up near what refers to them (Moon 1984; Wilson, Lam & Moher 1991); or it is
// breadth-first altogether (EvacuationOrder).
//
// While a program builds what it works on, nearly all survives, and allocation order is the better
// one: then minor collections promote whole pages where they are (InPlacePromotion), as mostly
// copying collectors first did (Bartlett 1988).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "abi/object_header.h"
#include "gc/card_table.h"
#include "gc/collection_lists.h"
#include "gc/heap_state.h"
#include "gc/old_collection.h"
#include "gc/page_table.h"
#include "gc/persistent_space.h"
#include "gc/raw_array.h"
#include "gc/stats.h"

namespace tenure::gc {

// Bytes. A copying thread prefetches the line this far ahead of the place that it fills.
inline constexpr size_t kPrefetchDistance = 384;

// Copies the words of a small object behind its header; `bytes` is its length with the header. Also
// prefetches the headers of the objects it refers to, because the copy is scanned soon.
[[gnu::always_inline]] inline void CopyToBeScanned(uint64_t* to, const uint64_t* from, size_t bytes,
                                                   const PageTable::View& pages) {
  for (size_t i = 1; i < bytes / 8; ++i) {
    const uint64_t value = from[i];
    to[i] = value;
    const bool inside = pages.Contains(reinterpret_cast<const void*>(value));
    __builtin_prefetch(inside ? reinterpret_cast<const char*>(value - abi::kHeaderBytes)
                              : reinterpret_cast<const char*>(to));
  }
}

// Lives for one collection, on the collecting thread. Condemned pages are kFrom from the first pin
// on. When Drain has returned and no more roots come, every live object is on a kTo page or is
// kept.
class Evacuator final : public SlotVisitor {
 public:
  Evacuator(HeapState& heap, OldCollection& old, CollectionKind kind);

  // --- Roots ---

  // The object, on a kFrom page, stays where it is, because an ambiguous root may refer to it. All
  // pins precede all visits. If only threads that wait pin objects of a page, the page may become
  // old (PromoteKept).
  void Pin(abi::Ref object, bool by_waiting_thread);

  void VisitSlot(abi::Ref* slot) override { Update(slot); }
  void VisitObjectSlots(const abi::TypeDescriptor& type, abi::Ref object) override;
  bool RefersToHeap(const abi::TypeDescriptor& type, abi::Ref object) const override;
  bool RefersToYoung(const abi::TypeDescriptor& type, abi::Ref object) const override;

  // Evacuates or marks the object that the slot refers to, and updates the slot. True when it
  // refers to a young object afterwards.
  bool Update(abi::Ref* slot);

  // Visits the slots of an object that may be condemned, without keeping that object.
  void VisitFieldsInPlace(abi::Ref object);

  // --- Promotion in place ---

  // The condemned young page, which has no pinned and no displaced object, becomes old; objects on
  // it that are reached stay in place. After all pins, before all visits.
  void PromoteInPlace(size_t page);
  // Before any object is copied: the page, on which objects are pinned, becomes old with them. Its
  // other objects leave it. The caller marks the pinned ones if the old generation is being marked.
  void PromoteKept(size_t page);
  // Bytes of the pages promoted in place, and of the objects reached on them.
  uint64_t in_place_page_bytes() const { return in_place_page_bytes_; }
  uint64_t in_place_bytes() const { return in_place_bytes_; }

  // --- While the old generation is being marked (gc/old_collection.h) ---

  // Old objects that an ambiguous root may refer to are marked too.
  void MarkOldRoots(bool also_ambiguous) { marks_ambiguous_ = also_ambiguous; }
  bool marks_ambiguous() const { return marks_ambiguous_; }
  // Every live object of the old generation is marked: an unmarked one is dead.
  void MarkIsComplete() { mark_complete_ = true; }
  uint64_t copied_bytes() const {
    return bytes_copied_ + destinations_[0].bytes() + destinations_[1].bytes();
  }
  uint64_t promoted_bytes() const {
    return promoted_bytes_ + in_place_bytes_ + destinations_[1].bytes();
  }

  // Scans until nothing is left to scan.
  void Drain();
  // Between two roots: scans the copies made since the last call, so that the objects reached from
  // one root end up together. Does nothing in breadth-first order, where Drain scans all copies.
  void DrainCopies() {
    if (hierarchical_ && HasUnscannedCopies()) ScanCopies();
  }

  // --- With several threads (gc/shared_drain.h) ---

  // Lists the copied objects that have not been scanned, so that any thread can take them.
  void ListUnscannedCopies();
  // Other threads have copied objects of this many bytes.
  void CopiedElsewhere(uint64_t objects, uint64_t bytes) {
    objects_copied_ += objects;
    bytes_copied_ += bytes;
  }

  // --- Answers, when drained ---

  // A major collection makes every live object old. But an interrupted thread may be about to store
  // into a fresh object without a barrier, or have an open page: then pinned objects keep their
  // generation, and cards are kept as in a minor collection.
  bool leaves_nothing_young() const { return nothing_young_; }

  bool IsOutsideHeap(const void* address) const { return !pages_.Contains(address); }
  // Reached so far, or not condemned.
  bool IsLive(abi::Ref object) const;
  // Where a live object is now.
  abi::Ref CurrentAddress(abi::Ref object) const;

  // Ends copying: the rest of each page being filled becomes a gap.
  void Finish();

  // Small objects that stay, in the order of discovery; their headers carry the mark bit, and the
  // pinned bit if an ambiguous root holds them.
  RawArray<abi::Ref>& stayed() { return lists_.stayed; }

 private:
  // Where copies of one generation go: a page or gap that is scanned up to `scan` and filled up to
  // `top`. CollectionLists::full has the pages that are full and not scanned to their ends.
  struct Destination {
    Generation generation;
    char* scan = nullptr;
    char* top = nullptr;
    char* limit = nullptr;
    char* begin = nullptr;
    uint64_t bytes_before = 0;  // in those that are full

    uint64_t bytes() const { return bytes_before + static_cast<size_t>(top - begin); }
  };

  // Like Update; with kAnswers false the result has no meaning.
  template <bool kAnswers>
  bool UpdateInline(abi::Ref* slot, const PageTable::View& pages);
  bool UpdateCondemned(abi::Ref* slot, PageDescriptor& page);
  bool BecomesOld(uint32_t age, bool recent) const { return age >= old_from_age_[recent]; }
  void BecameOld(abi::Ref copy);
  void CountSurvivor(uint32_t age_before, size_t bytes) {
    survived_bytes_[std::min<size_t>(age_before, HeapStats::kAges - 1)] += bytes;
  }
  void CountCopy(uint32_t age_before, size_t bytes) {
    ++objects_copied_;
    CountSurvivor(age_before, bytes);
  }
  void ReachInPlace(abi::Ref object);
  abi::Ref Evacuate(abi::Ref object, abi::ObjectHeader* header, const PageDescriptor& page);
  abi::Ref EvacuateLarge(abi::Ref object, abi::ObjectHeader* header, PageDescriptor& page);
  void MarkLarge(abi::Ref object, abi::ObjectHeader* header, PageDescriptor& page, bool pinned);
  // Null when the object must stay.
  abi::Ref SendHome(abi::Ref object, abi::ObjectHeader* header);
  void Stay(abi::Ref object, abi::ObjectHeader* header);
  char* TakePlace(Destination& to, size_t bytes) {
    while (static_cast<size_t>(to.limit - to.top) < bytes) {
      if (!NextRegion(to)) return nullptr;
    }
    char* place = to.top;
    to.top += bytes;
    return place;
  }
  bool NextRegion(Destination& to);

  // How an object is remembered that refers to a young object after its scan.
  enum class Remember { kNothing, kCards, kObject };
  // The slot refers to a young object; it will be `card_distance` bytes from its present address.
  // `any` is set if the object, not the card, is remembered.
  template <Remember kRemember>
  static void NoteYoung(abi::Ref* slot, ptrdiff_t card_distance, bool& any) {
    if (kRemember == Remember::kObject) any = true;
    if (kRemember == Remember::kCards) {
      CardTable::Mark(reinterpret_cast<char*>(slot) + card_distance);
    }
  }
  template <Remember kRemember>
  void ScanSlots(const abi::TypeDescriptor& type, abi::Ref object, ptrdiff_t card_distance);
  template <Remember kRemember>
  void ScanFields(const abi::TypeDescriptor& type, abi::Ref object, ptrdiff_t card_distance,
                  const PageTable::View& pages);
  template <typename Scan>
  void ChooseRemember(Generation generation, Scan&& scan);
  void ScanObject(abi::Ref object, Generation generation);
  template <Remember kRemember>
  void ScanRegion(Destination& to);
  bool HasUnscannedCopies() const {
    for (const Destination& to : destinations_) {
      if (to.scan < to.top || lists_.HasFull(to.generation)) return true;
    }
    return false;
  }
  void ScanCopies();
  bool ScanNewest();
  bool ScanOldest();
  void ScanInPlace();
  bool ScanQueues();

  HeapState& heap_;
  PageTable& pages_;
  PersistentSpace* persistent_space_;
  OldCollection& old_;
  const bool major_;
  const bool in_mark_;  // what is old and visited, or becomes old, is marked
  bool marks_ambiguous_ = false;
  bool mark_complete_ = false;
  const bool nothing_young_;
  const bool remembers_objects_;
  const bool hierarchical_;
  const uint32_t promotion_age_;
  uint32_t old_from_age_[2];  // by PageDescriptor::recent

  CollectionLists& lists_;
  Destination destinations_[2];  // by Generation
  uint64_t objects_copied_ = 0;
  // Excludes the bytes of the present destinations_.
  uint64_t bytes_copied_ = 0;
  uint64_t promoted_bytes_ = 0;
  uint64_t in_place_page_bytes_ = 0;
  uint64_t in_place_bytes_ = 0;
  uint64_t survived_bytes_[HeapStats::kAges] = {};  // of a minor collection, by age before it
};

}  // namespace tenure::gc
