#include "gc/throughput_goal.h"

#include <algorithm>

namespace tenure::gc {

namespace {

constexpr unsigned kCollectionsPerWindow = 4;
// Collections should take less of the time than this.
constexpr uint64_t kMuchPercent = 12;
// Below this share a nursery of half the size is good enough.
constexpr uint64_t kLittlePercent = 3;
// Work is counted in units of this fraction of the allocated bytes.
constexpr uint64_t kWhole = 1 << 16;
// If more survives, and does not die soon afterwards, the program builds its data: a larger nursery
// would not let more objects die.
constexpr uint64_t kNearlyAll = kWhole / 3 * 2;
// With less work than this, collections take hardly any time.
constexpr uint64_t kNextToNothing = kWhole / 16;
// A stretch has helped if at least this fraction of the work is gone.
constexpr uint64_t kHelps = 8;
// Windows. After a stretch that did not help, this many pass before the next one; each further
// failure doubles the number, up to kMostWait.
constexpr unsigned kLeastWait = 8;
constexpr unsigned kMostWait = 256;

}  // namespace

void ThroughputGoal::MinorCollectionEnded(size_t allocated_bytes, size_t copied_bytes,
                                          size_t card_work_bytes) {
  ++window_.collections;
  window_.allocated_bytes += allocated_bytes;
  window_.copied_bytes += copied_bytes;
  window_.card_work_bytes += card_work_bytes;
}

bool ThroughputGoal::PauseEnded(uint64_t begin_ns, uint64_t end_ns, bool may_stretch) {
  if (window_begin_ns_ == 0) {
    window_ = Window{};
    window_begin_ns_ = end_ns;
    return false;
  }
  window_.pauses_ns += end_ns - begin_ns;
  if (window_.collections < kCollectionsPerWindow) return false;
  const unsigned before = stretch_;
  stretch_ = Wanted(end_ns - window_begin_ns_, may_stretch);
  window_ = Window{};
  window_begin_ns_ = end_ns;
  return stretch_ != before;
}

// The stretch that is wanted at the end of a window of `time_ns`.
unsigned ThroughputGoal::Wanted(uint64_t time_ns, bool may_stretch) {
  const uint64_t allocated = std::max<uint64_t>(window_.allocated_bytes, 1);
  const uint64_t survived = window_.copied_bytes * kWhole / allocated;
  const uint64_t work = survived + window_.card_work_bytes * kWhole / allocated;
  const uint64_t before = work_before_;
  work_before_ = 0;
  if (before != 0) {
    if (work > before - before / kHelps) {
      wait_after_failure_ = std::clamp(2 * wait_after_failure_, kLeastWait, kMostWait);
      windows_to_wait_ = wait_after_failure_;
      return stretch_before_;
    }
    wait_after_failure_ = 0;
  }
  const bool builds = survived > kNearlyAll && work < 2 * survived && !most_die_old_;
  if (stretch_ > 0 && (window_.pauses_ns * 100 < time_ns * kLittlePercent || builds)) {
    return stretch_ - 1;
  }
  if (windows_to_wait_ > 0) {
    --windows_to_wait_;
    return stretch_;
  }
  if (!may_stretch || stretch_ == kMostStretch || builds || work < kNextToNothing ||
      window_.pauses_ns * 100 < time_ns * kMuchPercent) {
    return stretch_;
  }
  // Stretch to the limit at once: to try half of the stretch for a window costs more than the limit
  // costs where half would have been enough.
  work_before_ = work;
  stretch_before_ = stretch_;
  return kMostStretch;
}

void ThroughputGoal::GiveUp() {
  stretch_ = 0;
  work_before_ = 0;
}

}  // namespace tenure::gc
