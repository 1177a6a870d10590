#include "runtime/gc_report.h"

#include <cstdio>

#include "runtime/runtime.h"

namespace tenure::runtime {

void PrintHeapStatistics() {
  const gc::HeapStats stats = Runtime::Get().heap().stats();
  const auto number = [](uint64_t value) { return static_cast<unsigned long long>(value); };
  std::fprintf(stderr,
               "gc: %llu minor and %llu major collections, pauses %llu us in all, %llu us at most, "
               "p50 %llu us, p99 %llu us\n",
               number(stats.minor_collections), number(stats.major_collections),
               number(stats.pause_us_total), number(stats.pause_us_max), number(stats.pause_us_p50),
               number(stats.pause_us_p99));
  std::fprintf(
      stderr,
      "gc: %llu bytes allocated, %llu bytes in %llu objects copied, %llu pinned, %llu stayed, "
      "%llu went home\n",
      number(stats.bytes_allocated), number(stats.bytes_copied), number(stats.objects_copied),
      number(stats.objects_pinned), number(stats.objects_stayed), number(stats.objects_went_home));
  std::fprintf(stderr, "gc: heap %llu bytes (young %llu, old %llu, large %llu), at most %llu\n",
               number(stats.heap_bytes), number(stats.young_bytes), number(stats.old_bytes),
               number(stats.large_bytes), number(stats.peak_heap_bytes));
}

}  // namespace tenure::runtime
