// Whether collections may pause for longer, because they take much of the time.
//
// Most programs collect little and want short pauses. One that makes and drops large structures
// copies half of what it allocates when its nursery is small, and next to nothing when that is
// large; one that stores everywhere has the same cards looked at in each collection. So while
// collections take more than a part of the time (HotSpot's throughput goal, GCTimeRatio, is such a
// bound), the nursery is stretched, if that gives them less work; it goes back when it did not, or
// is not needed any more.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tenure::gc {

// Its answers depend only on the arguments of its calls; it reads no clock.
class ThroughputGoal {
 public:
  static constexpr unsigned kMostStretch = 3;

  // How many times the nursery should be doubled.
  unsigned stretch() const { return stretch_; }

  // A minor collection of a whole nursery has ended: the bytes allocated before it, the bytes it
  // copied, and the bytes it could have copied in the time it looked at cards.
  void MinorCollectionEnded(size_t allocated_bytes, size_t copied_bytes, size_t card_work_bytes);
  // The world was stopped from begin_ns to end_ns. `may_stretch`: doubling would make the nursery
  // larger. Returns whether the stretch has changed.
  bool PauseEnded(uint64_t begin_ns, uint64_t end_ns, bool may_stretch);
  // The old generation was collected: whether most of what had become old had died soon.
  void OldGenerationSwept(bool most_died) { most_die_old_ = most_died; }
  // Pauses must be short, at any cost in throughput.
  void GiveUp();

 private:
  // The last few minor collections, and what came between them.
  struct Window {
    unsigned collections = 0;
    uint64_t allocated_bytes = 0;
    uint64_t copied_bytes = 0;
    uint64_t card_work_bytes = 0;
    uint64_t pauses_ns = 0;
  };

  unsigned Wanted(uint64_t time_ns, bool may_stretch);

  unsigned stretch_ = 0;
  Window window_;
  uint64_t window_begin_ns_ = 0;  // 0: there was no pause yet
  // The work before the stretch that this window is to judge; 0: there was none.
  uint64_t work_before_ = 0;
  unsigned stretch_before_ = 0;
  bool most_die_old_ = false;
  unsigned windows_to_wait_ = 0;
  unsigned wait_after_failure_ = 0;
};

}  // namespace tenure::gc
