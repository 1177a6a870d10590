#include "base/counted_memory.h"

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>

namespace tenure {

uint64_t PageTableBytes() {
  // The tables grow by a page for two megabytes of mappings.
  constexpr unsigned kEvery = 16;
  static std::atomic<unsigned> calls = 0;
  static std::atomic<uint64_t> last = 0;
  if (calls.fetch_add(1, std::memory_order_relaxed) % kEvery != 0) return last;
  const int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[4096];
  const ssize_t bytes = read(file, text, sizeof text - 1);
  close(file);
  if (bytes <= 0) return 0;
  text[bytes] = '\0';
  const char* const line = strstr(text, "\nVmPTE:");
  if (line != nullptr) last = strtoull(line + strlen("\nVmPTE:"), nullptr, 10) << 10;
  return last;
}

void BoundFreeMalloc(uint64_t memory_bytes) {
#ifdef __GLIBC__
  constexpr uint64_t kLeast = 128 << 10, kMost = 4 << 20;
  const auto threshold = static_cast<int>(std::clamp(memory_bytes / 256, kLeast, kMost));
  // Each of the two also stops the thresholds from rising with the blocks that are freed.
  mallopt(M_MMAP_THRESHOLD, threshold);
  mallopt(M_TRIM_THRESHOLD, 2 * threshold);
  // Each arena keeps free memory of its own.
  if (memory_bytes < uint64_t{1} << 30) mallopt(M_ARENA_MAX, 2);
#else
  static_cast<void>(memory_bytes);
#endif
}

}  // namespace tenure
