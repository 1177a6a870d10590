#include "runtime/reports/gc_report.h"

#include <algorithm>
#include <cstdio>

#include "runtime/heap/other_collector.h"
#include "runtime/start/runtime.h"

namespace tenure::runtime {
namespace {

void PrintForPeople(const gc::HeapStats& stats) {
  const auto number = [](uint64_t value) { return static_cast<unsigned long long>(value); };
  std::fprintf(
      stderr,
      "gc: %llu minor and %llu major collections, %llu of the old generation with %llu slices, "
      "pauses %llu us in all, %llu us at most, "
      "p50 %llu us, p99 %llu us\n",
      number(stats.minor_collections), number(stats.major_collections),
      number(stats.old_collections), number(stats.old_slices), number(stats.pause_us_total),
      number(stats.pause_us_max), number(stats.pause_us_p50), number(stats.pause_us_p99));
  std::fprintf(
      stderr,
      "gc: %llu bytes allocated, %llu bytes in %llu objects copied, %llu bytes promoted in place, "
      "%llu objects pinned, %llu stayed, %llu went home\n",
      number(stats.bytes_allocated), number(stats.bytes_copied), number(stats.objects_copied),
      number(stats.bytes_in_place), number(stats.objects_pinned), number(stats.objects_stayed),
      number(stats.objects_went_home));
  std::fprintf(stderr,
               "gc: processor time of pauses %llu us in all, %llu us at most, p50 %llu us, "
               "p99 %llu us\n",
               number(stats.pause_processor_us_total), number(stats.pause_processor_us_max),
               number(stats.pause_processor_us_p50), number(stats.pause_processor_us_p99));
  std::fprintf(stderr, "gc: heap %llu bytes (young %llu, old %llu, large %llu), at most %llu\n",
               number(stats.heap_bytes), number(stats.young_bytes), number(stats.old_bytes),
               number(stats.large_bytes), number(stats.peak_heap_bytes));
  std::fputs("gc: us by phase:", stderr);
  uint64_t rest_us = stats.pause_us_total;
  for (size_t phase = 0; phase < gc::kPhases; ++phase) {
    const uint64_t phase_us = stats.phase_ns_total[phase] / 1000;
    rest_us -= std::min(rest_us, phase_us);
    std::fprintf(stderr, " %s %llu,", gc::kPhaseNames[phase], number(phase_us));
  }
  std::fprintf(stderr, " rest %llu\ngc: bytes that survived their first minor collection",
               number(rest_us));
  for (size_t age = 0; age < gc::HeapStats::kAges; ++age) {
    std::fprintf(stderr, "%s %llu",
                 age == 0   ? ""
                 : age == 1 ? ", their second"
                            : ",",
                 number(stats.survived_bytes[age]));
  }
  std::fputs("\n", stderr);
}

void PrintJson(const gc::HeapStats& stats) {
  struct Field {
    const char* name;
    uint64_t value;
  };
  const Field fields[] = {
      {"minor_collections", stats.minor_collections},
      {"major_collections", stats.major_collections},
      {"old_collections", stats.old_collections},
      {"old_slices", stats.old_slices},
      {"bytes_allocated", stats.bytes_allocated},
      {"bytes_copied", stats.bytes_copied},
      {"objects_copied", stats.objects_copied},
      {"bytes_in_place", stats.bytes_in_place},
      {"objects_pinned", stats.objects_pinned},
      {"objects_stayed", stats.objects_stayed},
      {"objects_went_home", stats.objects_went_home},
      {"evacuations_failed", stats.evacuations_failed},
      {"cards_scanned", stats.cards_scanned},
      {"objects_remembered", stats.objects_remembered},
      {"threads_interrupted", stats.threads_interrupted},
      {"pause_us_total", stats.pause_us_total},
      {"pause_us_max", stats.pause_us_max},
      {"pause_us_p50", stats.pause_us_p50},
      {"pause_us_p99", stats.pause_us_p99},
      {"pause_processor_us_total", stats.pause_processor_us_total},
      {"pause_processor_us_max", stats.pause_processor_us_max},
      {"pause_processor_us_p50", stats.pause_processor_us_p50},
      {"pause_processor_us_p99", stats.pause_processor_us_p99},
      {"stop_us_total", stats.stop_us_total},
      {"stop_us_max", stats.stop_us_max},
      {"heap_bytes", stats.heap_bytes},
      {"young_bytes", stats.young_bytes},
      {"old_bytes", stats.old_bytes},
      {"large_bytes", stats.large_bytes},
      {"peak_heap_bytes", stats.peak_heap_bytes},
      {"resident_bytes", stats.resident_bytes},
  };
  const char* separator = "{\"gc\": {";
  for (const Field& field : fields) {
    std::fprintf(stderr, "%s\"%s\": %llu", separator, field.name,
                 static_cast<unsigned long long>(field.value));
    separator = ", ";
  }
  separator = ", \"phase_us\": {";
  for (size_t phase = 0; phase < gc::kPhases; ++phase) {
    std::fprintf(stderr, "%s\"%s\": %llu", separator, gc::kPhaseNames[phase],
                 static_cast<unsigned long long>(stats.phase_ns_total[phase] / 1000));
    separator = ", ";
  }
  separator = "}, \"survived_bytes_by_age\": [";
  for (const uint64_t bytes : stats.survived_bytes) {
    std::fprintf(stderr, "%s%llu", separator, static_cast<unsigned long long>(bytes));
    separator = ", ";
  }
  std::fputs("]}}\n", stderr);
}

}  // namespace

void PrintHeapStatistics() {
  OtherCollector* other = LinkedCollector();
  const gc::HeapStats stats = other != nullptr ? other->stats() : Runtime::Get().heap().stats();
  if (Runtime::Get().options().gc_statistics_json) {
    PrintJson(stats);
  } else {
    PrintForPeople(stats);
  }
}

}  // namespace tenure::runtime
