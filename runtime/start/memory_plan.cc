#include "runtime/start/memory_plan.h"

#include <algorithm>

#include "base/machine_limits.h"
#include "gc/page_allocator.h"
#include "store/bdb/bdb_memory.h"

namespace tenure::runtime {

namespace {

// With bounded memory, the page server's cache has this fraction at most. Pages that it lacks are
// mostly in the system's cache of files.
constexpr uint64_t kCachePart = 32;
// And this fraction if the program is given more for databases than there is: with the pages that
// wait for their trees, a server takes more than three times its cache.
constexpr uint64_t kMostCachePart = 8;
// Stacks of threads, arenas of malloc, the first pages of tables.
constexpr uint64_t kOtherBytes = 2 << 20;
// What a program takes that has just begun.
constexpr uint64_t kProgramBytes = 4 << 20;

// What is taken however small the heap and however few the pages in memory are, without what the
// program has taken when it opens its first database.
uint64_t FixedBytes(uint64_t cache_bytes) {
  return store::MemoryOfServer(cache_bytes) + kOtherBytes;
}

uint64_t UsualCache(uint64_t memory) {
  return std::min<uint64_t>(store::BdbOptions().cache_bytes,
                            std::max(memory / kCachePart, kLeastServerCache));
}

uint64_t CacheOf(const Options& options, uint64_t memory) {
  const uint64_t usual = UsualCache(memory);
  const uint64_t budget = options.database_cache_bytes;
  if (budget == 0) return usual;
  // One budget for Berkeley DB's cache and for the pages in memory. It may be larger than the
  // memory is: then it bounds nothing that the memory does not.
  const uint64_t most = std::max(memory / kMostCachePart, usual);
  return std::clamp(budget / 4, kLeastServerCache, most);
}

// The least of pages and heap with which a program gets on, and what commits need for a moment
// (stabilize/state/memory_budget.cc).
uint64_t LeastForObjects(uint64_t memory) { return memory / 8 + memory / 16; }

std::string Megabytes(uint64_t bytes) {
  return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MB";
}

}  // namespace

uint64_t ServerCacheOf(const Options& options) { return CacheOf(options, MemoryOf(options)); }

uint64_t PrivateHeapOf(const Options& options) {
  const uint64_t memory = MemoryOf(options);
  const uint64_t fixed = FixedBytes(ServerCacheOf(options)) + kProgramBytes;
  const uint64_t rest = memory / 4 * 3 - std::min(memory / 4 * 3, fixed);
  // The heap takes files in such steps; 0 would mean that it takes none.
  constexpr uint64_t kStep = gc::PageAllocator::kFileStepBytes;
  return std::max(std::min(rest, memory / 2) / kStep * kStep, kStep);
}

std::string WhyTooLittleMemory(const Options& options, uint64_t taken_bytes) {
  // A larger cache than usual is no need: the server fills it as it reads.
  const auto needed = [&](uint64_t memory) {
    const uint64_t cache = std::min(CacheOf(options, memory), UsualCache(memory));
    return taken_bytes + FixedBytes(cache) + LeastForObjects(memory);
  };
  const uint64_t given = MemoryOf(options);
  if (needed(given) <= given) return "";
  // What is needed grows by less than a quarter of what is given, so this ends soon, at the least
  // number of megabytes that is enough.
  uint64_t enough = given;
  while (needed(enough) > enough) enough = (needed(enough) + (1 << 20) - 1) >> 20 << 20;
  if (options.memory_bytes != 0) {
    return "@M3memory gives this program " + Megabytes(given) + ", and with a database it needs " +
           Megabytes(enough) + " at least: run it with a larger @M3memory=SIZE";
  }
  if (MemoryIsLimited()) {
    // Of a group's limit MemoryOf leaves this or half for the rest.
    constexpr uint64_t kForTheRest = 32 << 20;
    return "the control group allows " + Megabytes(MemoryBytes()) +
           ", of which this program may take " + Megabytes(given) +
           ", and with a database it needs " + Megabytes(enough) +
           " at least: give the container " + Megabytes(enough + std::min(enough, kForTheRest)) +
           " or more";
  }
  return "this machine has too little memory for a program with a database, which needs " +
         Megabytes(enough) + " at least";
}

}  // namespace tenure::runtime
