// The numbers that the pacer's decisions rest on, with their units.
//
// Which number depends on which. A number in the left column was measured with those beside it: who
// changes one of them measures the left one again (bench/gc, bench/oo7).
//
//   number                     depends on
//   min_young_limit_bytes      abi::kPageBytes
//   least_nursery_bytes        min_young_limit_bytes <= it
//   work_per_card_byte,        the time to copy a byte, which is the unit of work
//     work_per_home,
//     old_bytes_per_work
//   work_per_goal_ms           the time to copy a byte; the three above count towards it
//   slice_ns_per_goal_ms       work_per_goal_ms: a slice takes as long as most minor collections
//   least_slice_ns             slice_ns_per_goal_ms <= it, so that a small goal keeps pace
//   large_heap_bytes           old_bytes_per_work, work_per_goal_ms
//   too_large_to_yield_bytes   large_heap_bytes < it
//   homes_at_once              work_per_home
//   budget_percent             HeapOptions::growth_percent; reuse_percent < it
//   least_budget_bytes         worth_reuse_bytes <= it; small_budget_bytes < it
//   small_budget_bytes         little_lives_bytes, small_cycle_bytes, stretched_anyway
//   promotions_on_top,         budget_percent, least_budget_bytes, small_budget_bytes
//     nurseries_on_top
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi/heap_constants.h"
#include "gc/heap_limits.h"

namespace tenure::gc {

struct PacerTuning {
  // --- The nursery ---

  size_t min_young_limit_bytes = kSmallestNursery;  // bytes
  // Bytes. An adaptive nursery is not made smaller; beside a large heap not smaller than half.
  size_t least_nursery_bytes = 512 << 10;
  // The nursery grows if more than one part in 12 of it survived.
  size_t growing_survivor_divisor = 12;
  // A nursery that begins small (HeapOptions::nursery_start_bytes) is doubled while pauses take
  // more than one part in 25 of the time.
  uint64_t starting_time_divisor = 25;
  // Bytes of the old generation. Beside a larger one the nursery's limits are halved.
  size_t large_heap_bytes = 128 << 20;
  // Bytes. One minor collection copies at most twice what the one before it copied, and this much
  // more.
  size_t copy_slack_bytes = 256 << 10;

  // --- Work: what a collection does, counted as bytes to copy ---

  // Work for each byte of a dirty card. Cards lie far apart, so scanning takes longer than copying.
  size_t work_per_card_byte = 2;
  // Work for each object that goes home: its page is made writable, and tables change.
  size_t work_per_home = 768;
  // Bytes of the old generation among which the search for dirty cards is one byte of work. A
  // smaller nursery does not shorten the search, so this work counts up to a limit.
  size_t old_bytes_per_work = 3072;
  // Work for each millisecond of the pause goal: copying 256 KB takes a sixth of a millisecond. So
  // most pauses are a sixth of the goal; the first pauses after a phase in which nearly every
  // object died are the longest.
  size_t work_per_goal_ms = 256 << 10;

  // --- Slices of the old generation's collection ---

  // Nanoseconds for each millisecond of the pause goal: as long as most minor collections. A larger
  // nursery promotes more between two slices, so shorter slices would not keep pace.
  uint64_t slice_ns_per_goal_ms = 1'000'000 / 6;
  // Nanoseconds. No slice is planned shorter than this.
  uint64_t least_slice_ns = 1'000'000;
  // Percent of the live bytes. The old generation may reuse memory that it has had up to this size;
  // promotion while it is marked, and the nursery, come on top.
  size_t reuse_percent = 225;
  // Live bytes. A smaller heap does not wait that long: it is marked quickly, and would outgrow the
  // processor's cache.
  size_t worth_reuse_bytes = 48 << 20;

  // --- Promotion in place ---

  // Minor collections. After a wrong guess this many nurseries of which few objects died are copied
  // all the same, because a page promoted with little on it stays until the old generation is
  // compacted. Each further wrong guess doubles the number, up to most_rests.
  size_t first_rest = 8;
  size_t most_rests = 4096;

  // --- Objects that go home ---

  // Bytes. A full collection to send fewer bytes home would mostly be overhead.
  size_t homes_worth_full_bytes = 4 << 20;
  // Objects in one minor collection beside a heap that is too large to yield: each may be on
  // another page without memory, and getting memory takes a microsecond or two.
  size_t homes_at_once = 1536;

  // --- Longer pauses for more throughput (gc/throughput_goal.h): a stretched nursery ---

  // Bytes of the old generation. Beside a larger one pauses stay as short as possible whatever
  // share of the time they take, and the nursery is too small for a budget to matter.
  size_t too_large_to_yield_bytes = 384 << 20;
  // Bytes. A stretched nursery is at most this large, or as large as the live old generation.
  size_t stretched_nursery_bytes = 32 << 20;
  // Whatever the budget, a nursery may be stretched to this many times its largest size.
  size_t stretched_anyway = 2;

  // --- The budget: what the heap should have at most ---

  // Percent of the live old generation; tables and the program itself come on top.
  size_t budget_percent = 240;
  // Bytes. A smaller budget is not worth its collections.
  size_t least_budget_bytes = 48 << 20;
  // Live bytes of the old generation. With fewer, or before they are known, the nursery is most of
  // the heap: the budget is small_budget_bytes, and small_cycle_bytes of old pages are worth a
  // cycle.
  size_t little_lives_bytes = 4 << 20;
  size_t small_budget_bytes = 28 << 20;
  size_t small_cycle_bytes = 8 << 20;
  // A cycle that begins one minor collection later ends with the promotions of this many minor
  // collections, and with this many nurseries (the present one, and survivors of the one before),
  // on top of the old generation.
  size_t promotions_on_top = 3;
  size_t nurseries_on_top = 2;
};

inline constexpr PacerTuning kTuning;

static_assert(kTuning.min_young_limit_bytes <= kTuning.least_nursery_bytes);
static_assert(kTuning.slice_ns_per_goal_ms <= kTuning.least_slice_ns);
static_assert(kTuning.large_heap_bytes < kTuning.too_large_to_yield_bytes);
static_assert(kTuning.reuse_percent < kTuning.budget_percent);
static_assert(kTuning.worth_reuse_bytes <= kTuning.least_budget_bytes);
static_assert(kTuning.small_budget_bytes < kTuning.least_budget_bytes);

}  // namespace tenure::gc
