#include "base/memory_left.h"

#include <atomic>

#include "base/counted_memory.h"
#include "base/process_memory.h"

namespace tenure {

namespace {

constexpr uint64_t kReservedPart = 16;
std::atomic<uint64_t> shared_bytes = 0;

}  // namespace

void NoteSharedBytes(uint64_t bytes) { shared_bytes.store(bytes, std::memory_order_relaxed); }

bool HasMemoryFor(uint64_t memory_bytes, uint64_t bytes) {
  const uint64_t taken =
      AnonymousBytes() + PageTableBytes() + shared_bytes.load(std::memory_order_relaxed);
  return taken + bytes + memory_bytes / kReservedPart <= memory_bytes;
}

}  // namespace tenure
