// When to collect, and which generation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "gc/options.h"
#include "gc/persistent_space.h"
#include "gc/throughput_goal.h"

namespace tenure::gc {

// Sizes count whole pages. With the heap's lock.
class Pacer {
 public:
  // `max_bytes`: what the heap may use at most.
  Pacer(const HeapOptions& options, size_t max_bytes);

  // `shares`: databases need a part of the memory, so HeapOptions::shared_heap_bytes counts. A
  // program with databases is expected to keep much data: its first small nursery ends.
  void SharesMemory(bool shares);

  // The heap may use `max_bytes` from now on.
  void SetMaxBytes(size_t max_bytes);

  // A mutator took this many bytes of pages.
  void Allocated(size_t bytes) { young_since_ += bytes; }
  // The same for a large object, which no collection copies.
  void AllocatedLarge(size_t bytes) {
    young_since_ += bytes;
    large_since_ += bytes;
  }
  // Young pages have reached the nursery's size, so that the next page should wait for a
  // collection.
  bool IsTime() const { return young_since_ >= young_limit_; }
  // The kind of the next collection, when the old generation has `old_bytes`.
  CollectionKind NextKind(size_t old_bytes) const {
    return !generational_ || old_bytes >= FullLimit() || ManyMayGoHome(old_bytes)
               ? CollectionKind::kMajor
               : CollectionKind::kMinor;
  }

  // Whether the collection of the old generation in slices should begin, when the old generation
  // uses `old_used_bytes`.
  bool IsTimeForOld(size_t old_used_bytes) const {
    return incremental_ && old_used_bytes >= SlicesLimit();
  }
  // An old collection begins; the old generation uses `old_used_bytes`. As long as little more than
  // half of these are live, later ones begin no earlier: the program has already used the memory.
  void OldCollectionBegins(size_t old_used_bytes) {
    begun_bytes_ = old_used_bytes;
    most_begun_bytes_ = std::max(most_begun_bytes_, old_used_bytes);
  }
  // An old collection has ended: the old generation's bytes in use now, and the dead bytes.
  void OldGenerationSwept(size_t old_used_bytes, size_t died_bytes = 0);
  // The minor collection that ends promoted this many bytes.
  void Promoted(size_t bytes) { promoted_bytes_ = bytes; }
  // How long a slice of that collection may take.
  uint64_t slice_ns() const { return slice_ns_ << stretch(); }
  size_t young_since() const { return young_since_; }
  // An upper estimate of the bytes that a minor collection would copy now.
  size_t ExpectedCopies() const;

  // After a collection: the bytes of each generation now, the bytes copied or promoted in place,
  // and the bytes of old pages that were scanned because their cards were marked. `marking`: until
  // the next collection each store into an old object marks a card, whatever the value stored.
  void CollectionEnded(CollectionKind kind, size_t young_bytes, size_t old_bytes,
                       size_t copied_bytes, size_t card_bytes, bool marking = false);
  // Pages of `page_bytes` became old in place, and live objects take `object_bytes` of them. If a
  // large part was dead, the guess was wrong, as when a program has finished building its data:
  // then the next few collections promote nothing in place, and twice as many after the next wrong
  // guess. Before CollectionEnded.
  void PromotedInPlace(size_t page_bytes, size_t object_bytes);
  // The most objects that may go home in one minor collection; the others wait for the next ones.
  size_t homes_at_once() const;
  // Of the copied objects this many went home. Called before CollectionEnded.
  void WentHome(size_t objects) { went_home_ += objects; }
  // The bytes of objects that are still displaced after a collection.
  void StillDisplaced(CollectionKind kind, size_t bytes);
  // The world was stopped for a collection or a slice from begin_ns to end_ns. After
  // CollectionEnded.
  void PauseEnded(uint64_t begin_ns, uint64_t end_ns);
  // The next page is one of the nursery's last: objects on it have little time to die, so a
  // collection keeps them young even if it promotes eagerly.
  bool IsLate() const { return young_since_ >= young_limit_ - young_limit_ / 4; }
  // Whether survivors become old at once, except those on the nursery's last pages: two copies
  // would cost too much. Survival of nearly all of the smallest nursery is enough for that.
  bool PromotesEagerly() const { return copied_bytes_ > (much_work_ << stretch()) / 4; }
  // Nearly all of the nursery survived, so the objects on its last pages become old as well.
  bool PromotesAll() const { return PromotesEagerly() && nearly_all_survived_; }
  // Promote in place: nearly all small objects survived the last collection, and the last guesses
  // were right. Ask once in each minor collection.
  bool PromotesInPlace();

  // How much memory of free pages is worth keeping.
  size_t FreeBytesToKeep() const {
    const size_t wanted = 2 * nursery_bytes_ + old_limit_ / 2;
    return shares_ ? std::min(wanted, max_bytes_ / 4) : wanted;
  }

  size_t nursery_bytes() const { return nursery_bytes_; }
  size_t young_limit() const { return young_limit_; }
  size_t old_limit() const { return old_limit_; }

 private:
  bool is_adaptive() const { return nursery_max_bytes_ > first_nursery_bytes_; }
  // Most programs begin by building their data. With a large first nursery those that build little
  // never copy it.
  size_t LargeFirstNursery() const { return nursery_max_bytes_ / 4 * 3; }
  // The limit of a nursery that should have `wanted` bytes, when `used_bytes` are in use.
  size_t YoungLimitOf(size_t wanted, size_t used_bytes) const;
  void SetYoungLimit(size_t used_bytes);
  // Notes a pause while the nursery is small, and doubles the nursery if pauses take much time.
  void JudgeStart(uint64_t begin_ns, uint64_t end_ns);
  void AdaptNursery(size_t old_bytes, size_t work_bytes, bool marking);
  unsigned stretch() const { return goal_.stretch(); }
  size_t StretchedNursery(unsigned stretch) const;
  void SetOldLimit(size_t old_bytes);
  void SetMost();
  // True also before the first collection of the old generation.
  bool LittleLives() const;
  // The most bytes that a heap which is not large should have.
  size_t Budget() const;
  size_t WorthCycle() const;
  // With slices, a full collection only reduces fragments, or comes when memory ends.
  size_t FullLimit() const;
  size_t SlicesLimit() const;
  bool ManyMayGoHome(size_t old_bytes) const;

  bool generational_;
  bool incremental_;
  size_t nursery_bytes_;
  size_t nursery_max_bytes_;  // if at most nursery_bytes, the nursery keeps its size
  size_t first_nursery_bytes_;
  // A minor collection that has more to do, in bytes to copy, makes the next nursery smaller.
  size_t much_work_;
  uint64_t slice_ns_;
  size_t min_old_bytes_;
  uint32_t growth_percent_;
  size_t max_bytes_;     // which collections work towards
  size_t hard_bytes_;    // of the heap
  size_t shared_bytes_;  // max_bytes_ when memory is shared and few objects live
  bool shares_ = false;
  size_t young_since_ = 0;
  size_t large_since_ = 0;  // the part of young_since_ that is large objects
  size_t went_home_ = 0;    // since the last collection ended
  size_t displaced_bytes_ = 0;
  size_t stuck_bytes_ = 0;  // the part of them that a full collection did not send home
  size_t young_limit_ = 0;
  size_t old_limit_ = 0;
  size_t swept_bytes_ = 0;  // of the old generation, when its limit was set
  size_t begun_bytes_ = 0;  // when the last collection of the old generation in slices began
  size_t most_begun_bytes_ = 0;
  size_t copied_bytes_ = 0;    // by the last minor collection of a whole nursery
  size_t promoted_bytes_ = 0;  // by the last minor collection
  bool has_copied_ = false;    // there was one
  // The nursery has begun small, little has survived, and it takes little time. Then: the pauses
  // that are judged together, the end of the first one, and the time that the others took.
  bool starting_ = false;
  unsigned start_pauses_ = 0;
  uint64_t start_begin_ns_ = 0;
  uint64_t start_pauses_ns_ = 0;
  bool nearly_all_survived_ = false;
  size_t barely_died_nursery_bytes_ =
      0;                       // size of the last nursery if few objects of it died; else 0
  size_t rests_in_place_ = 0;  // collections that skip promotion in place
  size_t next_rest_;
  bool most_went_home_ = false;  // most of the work of the last collection was that
  bool yields_ = false;
  ThroughputGoal goal_;
  size_t old_bytes_ = 0;   // after the last collection
  size_t used_bytes_ = 0;  // of both generations
};

}  // namespace tenure::gc
