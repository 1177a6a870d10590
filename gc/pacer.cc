#include "gc/pacer.h"

#include <algorithm>
#include <utility>

#include "abi/heap_constants.h"

namespace tenure::gc {

namespace {

// Collecting more often than at every 16th page would be work for nothing.
constexpr size_t kMinYoungLimit = 16 * abi::kPageBytes;
constexpr size_t kSurvivorsWorthGrowing = 12;
// An adaptive nursery is not made smaller than this; half of it beside a large heap.
constexpr size_t kLeastNursery = 512 << 10;
// Cards lie far apart, so that looking at them takes longer than copying as much.
constexpr size_t kWorkPerCardByte = 2;
// A page of a database is made ready, and tables are changed, which takes as long as copying this.
constexpr size_t kWorkPerHome = 768;
// A full collection for the sake of fewer bytes of homes would be mostly what it takes in any case.
constexpr size_t kHomesWorthCollecting = 4 << 20;
// Marked cards are looked for everywhere: for so much of the old generation that takes as long as
// copying a byte. A smaller nursery does not make it less, so that it counts up to a limit.
constexpr size_t kOldBytesPerWork = 3072;
// Copying this takes a sixth of a millisecond, so that most pauses are a sixth of what is aimed at:
// the first ones after a phase in which nearly all died are the longest.
constexpr size_t kWorkPerGoalMs = 256 << 10;
// As long as most minor collections take. A larger nursery brings more to promote between two
// slices, so that shorter ones would not keep pace.
constexpr uint64_t kSliceNsPerGoalMs = 1'000'000 / 6;
constexpr uint64_t kLeastSliceNs = 1'000'000;
constexpr size_t kLargeHeap = 128 << 20;
// Memory that the old generation has had may be used again up to this part of what lives: what is
// promoted while it is marked, and the nursery, come on top. A small heap is marked in no time, and
// would grow out of the cache.
constexpr size_t kHadPercent = 225;
constexpr size_t kWorthWaiting = 48 << 20;
// After the first mistake, and any, so many nurseries of which few died are copied all the same:
// pages on which little lives are the old generation's until that is compacted.
constexpr size_t kFirstRest = 8;
constexpr size_t kMostRests = 4096;
// One minor collection copies this much more than twice what the one before it did, or less.
constexpr size_t kSeldomMore = 256 << 10;
// Beside more than this pauses are as short as they can be, whatever part of the time they take,
// and the nursery is too small for a budget to matter.
constexpr size_t kTooLargeToYield = 384 << 20;
// Beside so large a heap no more objects go home in a collection: each may be on another page,
// which has no memory yet, and to get that takes a microsecond or two.
constexpr size_t kHomesAtOnce = 1536;
// A stretched nursery is no larger than this, or than what lives in the old generation.
constexpr size_t kMostBesideSmallHeap = 32 << 20;
// What the heap should have at most, in parts of what lives in the old generation: the tables
// beside it and the program itself come on top. A small heap need not be smaller than this.
constexpr size_t kBudgetPercent = 240;
constexpr size_t kLeastBudget = 48 << 20;
// Where no more than this lives, or is known to, the nursery is most of what the program has: then
// the budget is this, and so much that has become old is worth a cycle.
constexpr size_t kNextToNothing = 4 << 20;
constexpr size_t kSmallBudget = 28 << 20;
constexpr size_t kWorthCycle = 8 << 20;
// Whatever the budget, a nursery may else be stretched to so many times its largest size.
constexpr size_t kStretchedAnyway = 2;
// A cycle that begins one minor collection later ends beside so many more of what one promotes, and
// beside the nursery and what survived of the one before.
constexpr size_t kPromotionsOnTop = 3;
constexpr size_t kNurseriesOnTop = 2;

}  // namespace

Pacer::Pacer(const HeapOptions& options, size_t max_bytes)
    : generational_(options.generational),
      incremental_(options.generational && options.incremental),
      nursery_bytes_(std::max(options.nursery_bytes, kMinYoungLimit)),
      nursery_max_bytes_(options.nursery_max_bytes),
      first_nursery_bytes_(nursery_bytes_),
      much_work_(options.pause_goal_ms * kWorkPerGoalMs),
      slice_ns_(std::max(kSliceNsPerGoalMs * options.pause_goal_ms, kLeastSliceNs)),
      min_old_bytes_(options.min_old_bytes),
      growth_percent_(std::max(options.growth_percent, 100u)),
      max_bytes_(max_bytes),
      old_limit_(std::min(options.min_old_bytes, max_bytes / 2)),
      next_rest_(kFirstRest) {
  // Most programs begin by building what they work on: those that build little are spared a copy
  // of it.
  if (is_adaptive()) nursery_bytes_ = nursery_max_bytes_ / 4 * 3;
  yields_ = is_adaptive() && options.pause_goal_yields;
  SetYoungLimit(0);
}

// Survivors of the nursery need room to go to. Near the end of memory collections become more
// frequent rather than fail to copy; near the budget those of a stretched nursery that copied much.
size_t Pacer::YoungLimitOf(size_t wanted, size_t used_bytes) const {
  const auto room = [&](size_t bytes) { return bytes - std::min(bytes, used_bytes); };
  if (stretch() > 0) {
    const size_t most = room(Budget());
    const size_t copies = std::min(most / 2, 2 * copied_bytes_ + kSeldomMore);
    const size_t anyway = (LittleLives() ? 1 : kStretchedAnyway) * nursery_max_bytes_;
    wanted = std::min(wanted, std::max(most - copies, anyway));
  }
  return std::max(std::min(wanted, room(max_bytes_) / 2), kMinYoungLimit);
}

void Pacer::SetYoungLimit(size_t used_bytes) {
  size_t wanted = nursery_bytes_;
  if (!generational_) {
    wanted = std::max(used_bytes / 100 * (growth_percent_ - 100), min_old_bytes_);
  }
  young_limit_ = YoungLimitOf(wanted, used_bytes);
}

bool Pacer::LittleLives() const { return swept_bytes_ < kNextToNothing; }

size_t Pacer::Budget() const {
  return LittleLives() ? kSmallBudget : std::max(kLeastBudget, swept_bytes_ / 100 * kBudgetPercent);
}

// Of what is old: less would not be worth a cycle.
size_t Pacer::WorthCycle() const {
  return stretch() > 0 && LittleLives() ? kWorthCycle : min_old_bytes_ / 4 * 3;
}

void Pacer::CollectionEnded(CollectionKind kind, size_t young_bytes, size_t old_bytes,
                            size_t copied_bytes, size_t card_bytes, bool marking) {
  old_bytes_ = old_bytes;
  used_bytes_ = young_bytes + old_bytes;
  const size_t work_of_cards = kWorkPerCardByte * card_bytes;
  const size_t work_of_homes = kWorkPerHome * went_home_;
  went_home_ = 0;
  // What is committed lives, however long a collection waits.
  most_went_home_ = work_of_homes > copied_bytes + work_of_cards;
  if (stretch() > 0 && (old_bytes > kTooLargeToYield || most_went_home_)) {
    goal_.GiveUp();
    nursery_bytes_ = nursery_max_bytes_;
  }
  // Only what came through a whole nursery says how long objects live.
  if (kind == CollectionKind::kMinor && young_since_ >= young_limit_) {
    goal_.MinorCollectionEnded(young_since_, copied_bytes, work_of_cards);
    copied_bytes_ = copied_bytes;
    const bool is_first = !std::exchange(has_copied_, true);
    nearly_all_survived_ = copied_bytes > young_since_ - young_since_ / 3;
    const size_t small = young_since_ - large_since_;
    few_died_of_ = copied_bytes > small - small / 8 ? young_since_ : 0;
    AdaptNursery(old_bytes,
                 copied_bytes + work_of_cards + work_of_homes +
                     std::min(old_bytes / kOldBytesPerWork, much_work_ / 3),
                 marking && work_of_cards > 2 * copied_bytes);
    if (is_first && is_adaptive()) nursery_bytes_ = std::min(nursery_bytes_, first_nursery_bytes_);
  }
  young_since_ = 0;
  large_since_ = 0;
  SetYoungLimit(used_bytes_);
  if (kind == CollectionKind::kMajor) SetOldLimit(old_bytes);
}

bool Pacer::PromotesInPlace() {
  // In a much larger nursery more had time to die.
  if (few_died_of_ == 0 || young_since_ > 2 * few_died_of_) return false;
  if (rests_in_place_ == 0) return true;
  --rests_in_place_;
  return false;
}

void Pacer::PromotedInPlace(size_t page_bytes, size_t object_bytes) {
  if (object_bytes < page_bytes / 4 * 3) {
    rests_in_place_ = next_rest_;
    next_rest_ = std::min(2 * next_rest_, kMostRests);
  } else if (next_rest_ > kFirstRest) {
    --next_rest_;
  }
}

void Pacer::PauseEnded(uint64_t begin_ns, uint64_t end_ns) {
  if (!yields_ || old_bytes_ > kTooLargeToYield) return;
  const bool may_stretch =
      !most_went_home_ && YoungLimitOf(StretchedNursery(stretch() + 1), used_bytes_) > young_limit_;
  if (!goal_.PauseEnded(begin_ns, end_ns, may_stretch)) return;
  nursery_bytes_ = StretchedNursery(stretch());
  SetYoungLimit(used_bytes_);
}

void Pacer::OldGenerationSwept(size_t old_used_bytes, size_t died_bytes) {
  // What was promoted meanwhile is alive and tells nothing.
  const size_t added = begun_bytes_ - std::min(begun_bytes_, swept_bytes_);
  goal_.OldGenerationSwept(died_bytes > added / 2);
  SetOldLimit(old_used_bytes);
}

size_t Pacer::StretchedNursery(unsigned stretch) const {
  return std::min(nursery_max_bytes_ << stretch,
                  std::max({nursery_max_bytes_, kMostBesideSmallHeap, swept_bytes_}));
}

size_t Pacer::homes_at_once() const {
  return old_bytes_ > kTooLargeToYield ? kHomesAtOnce : SIZE_MAX;
}

size_t Pacer::ExpectedCopies() const {
  const size_t small = young_since_ - large_since_;
  return has_copied_ ? std::min(small, 2 * copied_bytes_ + kSeldomMore) : small;
}

// While objects die, a larger nursery gives them more time to; while nearly all live, as when a
// program builds what it works on, it only makes pauses longer. Beside a large heap, where a pause
// has more to look at, the nursery stays small; and while many cards are marked for the sake of the
// old generation's mark it is no larger than it must be.
void Pacer::AdaptNursery(size_t old_bytes, size_t work_bytes, bool marking) {
  if (!is_adaptive()) return;
  if (stretch() > 0) {
    nursery_bytes_ = StretchedNursery(stretch());
    return;
  }
  const size_t shift = old_bytes > kLargeHeap ? 1 : 0;
  if (work_bytes > much_work_) {
    // The next one should bring as much work as is wanted, if things go on like this.
    nursery_bytes_ = nursery_bytes_ / (work_bytes >> 10) * (much_work_ >> 10);
  } else if (work_bytes <= much_work_ / 2 &&
             (nursery_bytes_ < first_nursery_bytes_ >> shift ||
              copied_bytes_ > nursery_bytes_ / kSurvivorsWorthGrowing)) {
    nursery_bytes_ *= 2;
  }
  const size_t least =
      std::min(first_nursery_bytes_, marking ? kMinYoungLimit : kLeastNursery >> shift);
  nursery_bytes_ = std::clamp(nursery_bytes_, least, nursery_max_bytes_ >> shift);
}

void Pacer::StillDisplaced(CollectionKind kind, size_t bytes) {
  displaced_bytes_ = bytes;
  stuck_bytes_ = kind == CollectionKind::kMajor ? bytes : std::min(stuck_bytes_, bytes);
}

// What was old already when a commit found it, only a full collection sends home: it is time when
// that leaves no more to copy than it frees. Where that would be a long pause, memory must do.
bool Pacer::ManyMayGoHome(size_t old_bytes) const {
  const size_t homes = displaced_bytes_ - stuck_bytes_;
  const size_t others = old_bytes - std::min(old_bytes, homes);
  return homes >= std::max(kHomesWorthCollecting, others) && others <= kTooLargeToYield;
}

size_t Pacer::FullLimit() const {
  if (!incremental_) return old_limit_;
  // All of a stretched nursery may be promoted while the slices are on their way.
  const size_t promoted = stretch() > 0 ? 2 * nursery_bytes_ : 0;
  return std::min(2 * old_limit_ + promoted, std::max(old_limit_, max_bytes_ - max_bytes_ / 4));
}

// What becomes old while the cycle runs stays until the next one, so it begins before the limit.
size_t Pacer::SlicesLimit() const {
  size_t limit = old_limit_ - (old_limit_ - std::min(swept_bytes_, old_limit_)) / 4;
  if (stretch() > 0) {
    // The nursery, and what is promoted meanwhile, come on top: each is half of what lives.
    limit = std::min(limit, std::max(WorthCycle(), swept_bytes_ + swept_bytes_ / 2));
  } else if (swept_bytes_ >= kWorthWaiting) {
    const size_t had = std::min(most_begun_bytes_, swept_bytes_ / 100 * kHadPercent);
    limit = std::max(limit, std::min(had, max_bytes_ / 2));
  }
  // Who chose the nursery has chosen what it takes.
  if (!is_adaptive() || old_bytes_ > kTooLargeToYield) return limit;
  // So that all that the heap has by then is within the budget.
  const size_t on_top = kPromotionsOnTop * promoted_bytes_ + kNurseriesOnTop * young_limit_;
  const size_t in_budget = Budget() - std::min(Budget(), on_top);
  // Something must be there to be collected; less where minor collections are few and promote much.
  const size_t added = swept_bytes_ / (stretch() > 0 ? 4 : 2);
  const size_t least = std::max(WorthCycle(), swept_bytes_ + added);
  return std::min(limit, std::max(in_budget, least));
}

void Pacer::SetOldLimit(size_t old_bytes) {
  swept_bytes_ = old_bytes;
  const size_t grown = old_bytes / 100 * growth_percent_;
  old_limit_ = std::max(grown, min_old_bytes_);
  // A full copy needs as much room as what it copies. When the live data leaves no such room, half
  // of what is left may fill up before the next attempt.
  if (old_limit_ > max_bytes_ / 2) {
    const size_t room = max_bytes_ > old_bytes ? max_bytes_ - old_bytes : 0;
    old_limit_ = std::min(old_limit_, std::max(max_bytes_ / 2, old_bytes + room / 2));
  }
}

}  // namespace tenure::gc
