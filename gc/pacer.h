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

  // A mutator took so many bytes of pages.
  void Allocated(size_t bytes) { young_since_ += bytes; }
  // The same for a large object, which no collection copies.
  void AllocatedLarge(size_t bytes) {
    young_since_ += bytes;
    large_since_ += bytes;
  }
  // Young pages have reached the nursery's size, so that the next page should wait for a
  // collection.
  bool IsTime() const { return young_since_ >= young_limit_; }
  // What that collection should be, when the old generation has `old_bytes`.
  CollectionKind NextKind(size_t old_bytes) const {
    return !generational_ || old_bytes >= FullLimit() || ManyMayGoHome(old_bytes)
               ? CollectionKind::kMajor
               : CollectionKind::kMinor;
  }

  // Whether the collection of the old generation in slices should begin, when that uses so much.
  bool IsTimeForOld(size_t old_used_bytes) const {
    return incremental_ && old_used_bytes >= SlicesLimit();
  }
  // It begins, with so much. Later ones begin no earlier where little more lives than half of this:
  // the program has had the memory.
  void OldCollectionBegins(size_t old_used_bytes) {
    begun_bytes_ = old_used_bytes;
    most_begun_bytes_ = std::max(most_begun_bytes_, old_used_bytes);
  }
  // It has ended: what is used now, and what had died of all that was there.
  void OldGenerationSwept(size_t old_used_bytes, size_t died_bytes = 0);
  // The minor collection that ends promoted so much.
  void Promoted(size_t bytes) { promoted_bytes_ = bytes; }
  // How long a slice of that collection may take.
  uint64_t slice_ns() const { return slice_ns_ << stretch(); }
  size_t young_since() const { return young_since_; }
  // What a minor collection now will seldom copy more than.
  size_t ExpectedCopies() const;

  // After a collection: what each generation has now, what was copied or promoted in place, and how
  // many bytes of old pages were scanned because their cards were marked. `marking`: until the next
  // one stores into old objects mark cards whatever they store.
  void CollectionEnded(CollectionKind kind, size_t young_bytes, size_t old_bytes,
                       size_t copied_bytes, size_t card_bytes, bool marking = false);
  // So many bytes of pages became old in place, on which so many were of objects. Where most of
  // them died, as when a program has built what it works on, the next times are done without, and
  // twice as many after the next mistake. Before CollectionEnded.
  void PromotedInPlace(size_t page_bytes, size_t object_bytes);
  // No more objects go home in one minor collection; the others wait for the next ones.
  size_t homes_at_once() const;
  // So many of the objects that the collection copied went home. Before CollectionEnded.
  void WentHome(size_t objects) { went_home_ += objects; }
  // What is still displaced after a collection.
  void StillDisplaced(CollectionKind kind, size_t bytes);
  // The world was stopped for a collection or a slice, from then until then. After CollectionEnded.
  void PauseEnded(uint64_t begin_ns, uint64_t end_ns);
  // The next page of the nursery is one of its last ones: the objects on it are young when the
  // collection comes, however much there is to copy.
  bool IsLate() const { return young_since_ >= young_limit_ - young_limit_ / 4; }
  // So much survives that it should not be copied twice: what is not on the nursery's last pages
  // becomes old at once. Nearly all of the smallest nursery is that much, too.
  bool PromotesEagerly() const { return copied_bytes_ > (much_work_ << stretch()) / 4; }
  // Nearly all of it survived: time would kill few of the objects on the last pages either.
  bool PromotesAll() const { return PromotesEagerly() && nearly_all_survived_; }
  // So few of the small objects died that their places are not worth having; and to expect that was
  // no mistake lately. To be asked once in each minor collection.
  bool PromotesInPlace();

  // How much memory of free pages is worth keeping.
  size_t FreeBytesToKeep() const { return 2 * nursery_bytes_ + old_limit_ / 2; }

  size_t nursery_bytes() const { return nursery_bytes_; }
  size_t young_limit() const { return young_limit_; }
  size_t old_limit() const { return old_limit_; }

 private:
  bool is_adaptive() const { return nursery_max_bytes_ > first_nursery_bytes_; }
  // What the nursery may have beside so much, if it should have `wanted`.
  size_t YoungLimitOf(size_t wanted, size_t used_bytes) const;
  void SetYoungLimit(size_t used_bytes);
  void AdaptNursery(size_t old_bytes, size_t work_bytes, bool marking);
  unsigned stretch() const { return goal_.stretch(); }
  size_t StretchedNursery(unsigned stretch) const;
  void SetOldLimit(size_t old_bytes);
  // As far as the last collection of the old generation tells; before the first one, too.
  bool LittleLives() const;
  // What a heap that is not large should have at most.
  size_t Budget() const;
  size_t WorthCycle() const;
  // With slices a full collection is for fragments, and for the end of memory.
  size_t FullLimit() const;
  size_t SlicesLimit() const;
  bool ManyMayGoHome(size_t old_bytes) const;

  bool generational_;
  bool incremental_;
  size_t nursery_bytes_;
  size_t nursery_max_bytes_;  // at most nursery_bytes: it stays as it is
  size_t first_nursery_bytes_;
  // A minor collection that has more to do, in bytes to copy, makes the next nursery smaller.
  size_t much_work_;
  uint64_t slice_ns_;
  size_t min_old_bytes_;
  uint32_t growth_percent_;
  size_t max_bytes_;
  size_t young_since_ = 0;
  size_t large_since_ = 0;  // of these, of large objects
  size_t went_home_ = 0;    // since the last collection ended
  size_t displaced_bytes_ = 0;
  size_t stuck_bytes_ = 0;  // of these: a full collection did not send them home
  size_t young_limit_ = 0;
  size_t old_limit_ = 0;
  size_t swept_bytes_ = 0;  // of the old generation, when its limit was set
  size_t begun_bytes_ = 0;  // when the last collection of the old generation in slices began
  size_t most_begun_bytes_ = 0;
  size_t copied_bytes_ = 0;    // by the last minor collection of a whole nursery
  size_t promoted_bytes_ = 0;  // by the last minor collection
  bool has_copied_ = false;    // there was one
  bool nearly_all_survived_ = false;
  size_t few_died_of_ = 0;     // a nursery, the last one, so large; 0: more of it died
  size_t rests_in_place_ = 0;  // so many times nothing is promoted in place that would be
  size_t next_rest_;
  bool most_went_home_ = false;  // most of the work of the last collection was that
  bool yields_ = false;
  ThroughputGoal goal_;
  size_t old_bytes_ = 0;   // after the last collection
  size_t used_bytes_ = 0;  // of both generations
};

}  // namespace tenure::gc
