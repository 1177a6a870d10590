#include "stabilize/state/memory_budget.h"

#include <algorithm>

#include "abi/heap_constants.h"
#include "base/counted_memory.h"
#include "base/memory_left.h"
#include "base/process_memory.h"
#include "stabilize/state/session_state.h"
#include "store/trees/double_write.h"

namespace tenure::stabilize {

namespace {

// This fraction of the memory stays free for commits and collections, which need it for a moment.
constexpr uint64_t kFreePart = 16;
// And this much: buffers and tables of a commit that do not depend on the memory, such as those of
// large arrays that move to the store.
constexpr uint64_t kFreeBytes = 2 << 20;
// A commit takes this part of the objects that it makes persistent on top: for its tables.
constexpr uint64_t kTablesPart = 2;
// A commit takes this for each page that it changes: its regions and tables here, and what a page
// server over Berkeley DB notes about a page of a transaction. Measured with pages of eight objects
// that all change.
constexpr uint64_t kBytesForDirtyPage = 800;
// Frames may always take this part of the memory: with less, a transaction would read the same
// pages again and again.
constexpr uint64_t kLeastPart = 8;
constexpr uint64_t kSmallBytes = uint64_t{1} << 30;

uint64_t TwinBytes(const SessionState& session) {
  uint64_t twins = 0;
  for (const auto& database : session.databases) twins += database->twins();
  return twins * abi::kPageBytes;
}

// The memory of frames.
uint64_t SharedBytes(const SessionState& session) {
  uint64_t bytes = 0;
  for (const auto& database : session.databases) {
    if (database->open()) bytes += database->mapping().UsedBytes();
  }
  return bytes;
}

// What the next commit takes at once, when pages cannot leave memory any more.
uint64_t CommitBytes(const SessionState& session) {
  uint64_t pages = 0;
  for (const auto& database : session.databases) pages += database->dirty_count();
  return pages == 0 ? 0 : store::kDoubleWriteBatchBytes + pages * kBytesForDirtyPage;
}

// All private memory and what the system needs to map it, but no frames and twins.
uint64_t OtherBytes(const SessionState& session) {
  uint64_t bytes = AnonymousBytes();
  // Without /proc: adds up the largest parts, which are known.
  if (bytes == 0) {
    bytes = session.heap.HeapBytes() + session.options.store.bdb.cache_bytes + TwinBytes(session);
  }
  return bytes - std::min(bytes, TwinBytes(session)) + PageTableBytes();
}

}  // namespace

bool HasBudget(const SessionState& session) {
  return session.options.frame_bytes != 0 || session.options.memory_bytes != 0;
}

bool IsMemorySmall(const SessionState& session) {
  const SessionOptions& options = session.options;
  return options.frame_bytes != 0 ||
         (options.memory_bytes != 0 && options.memory_bytes < kSmallBytes);
}

uint64_t MeasureFrameLimit(SessionState& session) {
  const SessionOptions& options = session.options;
  uint64_t limit = options.frame_bytes != 0 ? options.frame_bytes : UINT64_MAX;
  if (options.memory_bytes != 0) {
    const uint64_t memory = options.memory_bytes;
    NoteSharedBytes(SharedBytes(session));
    const uint64_t heap = session.heap.HeapBytes();
    const uint64_t fresh = heap - std::min<uint64_t>(heap, session.displaced.bytes());
    const uint64_t taken = OtherBytes(session) + memory / kFreePart + kFreeBytes +
                           fresh / kTablesPart + CommitBytes(session);
    limit = std::min(limit, std::max(memory - std::min(memory, taken), LeastFrameBytes(session)));
  }
  return session.allowance.SetLimit(limit);
}

uint64_t FrameLimit(const SessionState& session) { return session.allowance.limit(); }

uint64_t LeastFrameBytes(const SessionState& session) {
  return session.options.memory_bytes / kLeastPart;
}

}  // namespace tenure::stabilize
