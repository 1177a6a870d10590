#include "gc/pacer.h"

#include <algorithm>
#include <utility>

#include "gc/pacer_tuning.h"

namespace tenure::gc {

Pacer::Pacer(const HeapOptions& options, size_t max_bytes)
    : generational_(options.generational),
      incremental_(options.generational && options.incremental),
      nursery_bytes_(std::max(options.nursery_bytes, kTuning.min_young_limit_bytes)),
      nursery_max_bytes_(options.nursery_max_bytes),
      first_nursery_bytes_(nursery_bytes_),
      much_work_(options.pause_goal_ms * kTuning.work_per_goal_ms),
      slice_ns_(
          std::max(kTuning.slice_ns_per_goal_ms * options.pause_goal_ms, kTuning.least_slice_ns)),
      min_old_bytes_(options.min_old_bytes),
      growth_percent_(std::max(options.growth_percent, 100u)),
      max_bytes_(max_bytes),
      hard_bytes_(max_bytes),
      shared_bytes_(options.shared_heap_bytes == 0
                        ? max_bytes
                        : std::min(options.shared_heap_bytes, max_bytes)),
      old_limit_(std::min(options.min_old_bytes, max_bytes / 2)),
      next_rest_(kTuning.first_rest) {
  if (is_adaptive()) nursery_bytes_ = LargeFirstNursery();
  starting_ = is_adaptive() && options.nursery_start_bytes != 0;
  if (starting_) {
    nursery_bytes_ = std::clamp(options.nursery_start_bytes, kTuning.min_young_limit_bytes,
                                first_nursery_bytes_);
  }
  yields_ = is_adaptive() && options.pause_goal_yields;
  SetYoungLimit(0);
}

void Pacer::SharesMemory(bool shares) {
  shares_ = shares && shared_bytes_ < hard_bytes_;
  SetMost();
  if (shares && starting_) {
    starting_ = false;
    nursery_bytes_ = has_copied_ ? first_nursery_bytes_ : LargeFirstNursery();
  }
  SetYoungLimit(used_bytes_);
}

void Pacer::SetMaxBytes(size_t max_bytes) {
  hard_bytes_ = max_bytes;
  SetMost();
  SetYoungLimit(used_bytes_);
}

// Live objects that need more than the heap's share get it, and half as much again to be collected
// in.
void Pacer::SetMost() {
  max_bytes_ = shares_ ? std::clamp(used_bytes_ / 2 * 3, shared_bytes_, hard_bytes_) : hard_bytes_;
}

// Survivors of the nursery need room to go to. Near the end of memory collections become more
// frequent rather than fail to copy; near the budget those of a stretched nursery that copied much.
size_t Pacer::YoungLimitOf(size_t wanted, size_t used_bytes) const {
  const auto room = [&](size_t bytes) { return bytes - std::min(bytes, used_bytes); };
  if (stretch() > 0) {
    const size_t most = room(Budget());
    const size_t copies = std::min(most / 2, 2 * copied_bytes_ + kTuning.copy_slack_bytes);
    const size_t anyway = (LittleLives() ? 1 : kTuning.stretched_anyway) * nursery_max_bytes_;
    wanted = std::min(wanted, std::max(most - copies, anyway));
  }
  return std::max(std::min(wanted, room(max_bytes_) / 2), kTuning.min_young_limit_bytes);
}

void Pacer::SetYoungLimit(size_t used_bytes) {
  size_t wanted = nursery_bytes_;
  if (!generational_) {
    wanted = std::max(used_bytes / 100 * (growth_percent_ - 100), min_old_bytes_);
  }
  young_limit_ = YoungLimitOf(wanted, used_bytes);
}

bool Pacer::LittleLives() const { return swept_bytes_ < kTuning.little_lives_bytes; }

size_t Pacer::Budget() const {
  return LittleLives()
             ? kTuning.small_budget_bytes
             : std::max(kTuning.least_budget_bytes, swept_bytes_ / 100 * kTuning.budget_percent);
}

// Bytes of the old generation: with fewer, a cycle is not worth its cost.
size_t Pacer::WorthCycle() const {
  return stretch() > 0 && LittleLives() ? kTuning.small_cycle_bytes : min_old_bytes_ / 4 * 3;
}

void Pacer::CollectionEnded(CollectionKind kind, size_t young_bytes, size_t old_bytes,
                            size_t copied_bytes, size_t card_bytes, bool marking) {
  old_bytes_ = old_bytes;
  used_bytes_ = young_bytes + old_bytes;
  SetMost();
  const size_t work_of_cards = kTuning.work_per_card_byte * card_bytes;
  const size_t work_of_homes = kTuning.work_per_home * went_home_;
  went_home_ = 0;
  // Committed objects stay alive however long a collection waits, so a longer wait frees nothing.
  most_went_home_ = work_of_homes > copied_bytes + work_of_cards;
  if (stretch() > 0 && (old_bytes > kTuning.too_large_to_yield_bytes || most_went_home_)) {
    goal_.GiveUp();
    nursery_bytes_ = nursery_max_bytes_;
  }
  // Only a collection of a whole nursery says how long objects live.
  if (kind == CollectionKind::kMinor && young_since_ >= young_limit_) {
    goal_.MinorCollectionEnded(young_since_, copied_bytes, work_of_cards);
    copied_bytes_ = copied_bytes;
    const bool is_first = !std::exchange(has_copied_, true);
    nearly_all_survived_ = copied_bytes > young_since_ - young_since_ / 3;
    const size_t small = young_since_ - large_since_;
    barely_died_nursery_bytes_ = copied_bytes > small - small / 8 ? young_since_ : 0;
    if (copied_bytes > young_since_ / kTuning.growing_survivor_divisor) starting_ = false;
    AdaptNursery(old_bytes,
                 copied_bytes + work_of_cards + work_of_homes +
                     std::min(old_bytes / kTuning.old_bytes_per_work, much_work_ / 3),
                 marking && work_of_cards > 2 * copied_bytes);
    if (is_first && is_adaptive()) nursery_bytes_ = std::min(nursery_bytes_, first_nursery_bytes_);
  }
  young_since_ = 0;
  large_since_ = 0;
  SetYoungLimit(used_bytes_);
  if (kind == CollectionKind::kMajor) SetOldLimit(old_bytes);
}

bool Pacer::PromotesInPlace() {
  // In a much larger nursery more objects have time to die.
  if (barely_died_nursery_bytes_ == 0 || young_since_ > 2 * barely_died_nursery_bytes_)
    return false;
  if (rests_in_place_ == 0) return true;
  --rests_in_place_;
  return false;
}

void Pacer::PromotedInPlace(size_t page_bytes, size_t object_bytes) {
  if (object_bytes < page_bytes / 4 * 3) {
    rests_in_place_ = next_rest_;
    next_rest_ = std::min(2 * next_rest_, kTuning.most_rests);
  } else if (next_rest_ > kTuning.first_rest) {
    --next_rest_;
  }
}

void Pacer::PauseEnded(uint64_t begin_ns, uint64_t end_ns) {
  if (starting_) JudgeStart(begin_ns, end_ns);
  if (!yields_ || old_bytes_ > kTuning.too_large_to_yield_bytes) return;
  const bool may_stretch =
      !most_went_home_ && YoungLimitOf(StretchedNursery(stretch() + 1), used_bytes_) > young_limit_;
  if (!goal_.PauseEnded(begin_ns, end_ns, may_stretch)) return;
  nursery_bytes_ = StretchedNursery(stretch());
  starting_ = false;
  SetYoungLimit(used_bytes_);
}

// Judges several pauses together: the system may interrupt any single one.
void Pacer::JudgeStart(uint64_t begin_ns, uint64_t end_ns) {
  constexpr unsigned kPauses = 8;
  if (start_pauses_++ == 0) {
    start_begin_ns_ = end_ns;
    return;
  }
  start_pauses_ns_ += end_ns - begin_ns;
  if (start_pauses_ <= kPauses) return;
  if (start_pauses_ns_ > (end_ns - start_begin_ns_) / kTuning.starting_time_divisor) {
    nursery_bytes_ = std::min(2 * nursery_bytes_, first_nursery_bytes_);
    starting_ = nursery_bytes_ < first_nursery_bytes_;
    SetYoungLimit(used_bytes_);
  }
  start_pauses_ = 0;
  start_pauses_ns_ = 0;
}

void Pacer::OldGenerationSwept(size_t old_used_bytes, size_t died_bytes) {
  // Bytes promoted during the cycle count as live, so they say nothing about how many died.
  const size_t added = begun_bytes_ - std::min(begun_bytes_, swept_bytes_);
  goal_.OldGenerationSwept(died_bytes > added / 2);
  SetOldLimit(old_used_bytes);
}

size_t Pacer::StretchedNursery(unsigned stretch) const {
  return std::min(nursery_max_bytes_ << stretch,
                  std::max({nursery_max_bytes_, kTuning.stretched_nursery_bytes, swept_bytes_}));
}

size_t Pacer::homes_at_once() const {
  return old_bytes_ > kTuning.too_large_to_yield_bytes ? kTuning.homes_at_once : SIZE_MAX;
}

size_t Pacer::ExpectedCopies() const {
  const size_t small = young_since_ - large_since_;
  return has_copied_ ? std::min(small, 2 * copied_bytes_ + kTuning.copy_slack_bytes) : small;
}

// While objects die young, a larger nursery lets more of them die; while nearly all live, as when a
// program builds its data, a larger nursery only makes pauses longer. Beside a large heap, where
// each pause has more work, the nursery stays small; and while the mark of the old generation marks
// many cards it is no larger than it must be.
void Pacer::AdaptNursery(size_t old_bytes, size_t work_bytes, bool marking) {
  if (!is_adaptive() || starting_) return;
  if (stretch() > 0) {
    nursery_bytes_ = StretchedNursery(stretch());
    return;
  }
  const size_t shift = old_bytes > kTuning.large_heap_bytes ? 1 : 0;
  if (work_bytes > much_work_) {
    // With the present survival rate this size gives the next collection the wanted amount of work.
    nursery_bytes_ = nursery_bytes_ / (work_bytes >> 10) * (much_work_ >> 10);
  } else if (work_bytes <= much_work_ / 2 &&
             (nursery_bytes_ < first_nursery_bytes_ >> shift ||
              copied_bytes_ > nursery_bytes_ / kTuning.growing_survivor_divisor)) {
    nursery_bytes_ *= 2;
  }
  const size_t least =
      std::min(first_nursery_bytes_,
               marking ? kTuning.min_young_limit_bytes : kTuning.least_nursery_bytes >> shift);
  nursery_bytes_ = std::clamp(nursery_bytes_, least, nursery_max_bytes_ >> shift);
}

void Pacer::StillDisplaced(CollectionKind kind, size_t bytes) {
  displaced_bytes_ = bytes;
  stuck_bytes_ = kind == CollectionKind::kMajor ? bytes : std::min(stuck_bytes_, bytes);
}

// Objects that were old when a commit displaced them go home only in a full collection. It is due
// when it would send home at least as many bytes as it has to copy, unless the pause would be long.
bool Pacer::ManyMayGoHome(size_t old_bytes) const {
  const size_t homes = displaced_bytes_ - stuck_bytes_;
  const size_t others = old_bytes - std::min(old_bytes, homes);
  return homes >= std::max(kTuning.homes_worth_full_bytes, others) &&
         others <= kTuning.too_large_to_yield_bytes;
}

size_t Pacer::FullLimit() const {
  if (!incremental_) return old_limit_;
  // All of a stretched nursery may be promoted while the slices are on their way.
  const size_t promoted = stretch() > 0 ? 2 * nursery_bytes_ : 0;
  return std::min(2 * old_limit_ + promoted, std::max(old_limit_, max_bytes_ - max_bytes_ / 4));
}

// Objects that become old during a cycle stay until the next one, so a cycle begins before the
// limit.
size_t Pacer::SlicesLimit() const {
  size_t limit = old_limit_ - (old_limit_ - std::min(swept_bytes_, old_limit_)) / 4;
  if (stretch() > 0) {
    // The nursery and the promotions during the cycle come on top, each half of the live bytes.
    limit = std::min(limit, std::max(WorthCycle(), swept_bytes_ + swept_bytes_ / 2));
  } else if (swept_bytes_ >= kTuning.worth_reuse_bytes) {
    const size_t had = std::min(most_begun_bytes_, swept_bytes_ / 100 * kTuning.reuse_percent);
    limit = std::max(limit, std::min(had, max_bytes_ / 2));
  }
  // With a nursery of fixed size, the user has chosen how much memory it takes.
  if (!is_adaptive() || old_bytes_ > kTuning.too_large_to_yield_bytes) return limit;
  // Keeps the whole heap at the end of the cycle within the budget.
  const size_t on_top =
      kTuning.promotions_on_top * promoted_bytes_ + kTuning.nurseries_on_top * young_limit_;
  const size_t in_budget = Budget() - std::min(Budget(), on_top);
  // Let the old generation grow by at least half before the next cycle; by a quarter
  // if the nursery is stretched, since few large minor collections promote much at once.
  const size_t added = swept_bytes_ / (stretch() > 0 ? 4 : 2);
  const size_t least = std::max(WorthCycle(), swept_bytes_ + added);
  return std::min(limit, std::max(in_budget, least));
}

void Pacer::SetOldLimit(size_t old_bytes) {
  swept_bytes_ = old_bytes;
  const size_t grown = old_bytes / 100 * growth_percent_;
  old_limit_ = std::max(grown, min_old_bytes_);
  // A full copy needs as much room as the live data takes. When the live data leaves less room,
  // half of the rest may fill up before the next attempt.
  if (old_limit_ > max_bytes_ / 2) {
    const size_t room = max_bytes_ > old_bytes ? max_bytes_ - old_bytes : 0;
    old_limit_ = std::min(old_limit_, std::max(max_bytes_ / 2, old_bytes + room / 2));
  }
}

}  // namespace tenure::gc
