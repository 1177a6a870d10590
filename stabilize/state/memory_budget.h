// The memory that pages of databases may take (docs/stabilization.md, "Memory smaller than the
// data").
//
// SessionOptions::frame_bytes bounds frames and twins by a fixed size. SessionOptions::memory_bytes
// bounds the process: frames and twins may take the memory that the heap, the page servers' caches
// and all other private memory leave, as the system counts them. So frames make room when the heap
// grows.
#pragma once

#include <cstdint>

namespace tenure::stabilize {

struct SessionState;

// With the session's lock.

// Whether there is a limit at which pages leave memory.
bool HasBudget(const SessionState& session);
// Whether memory is so small that nothing is taken in advance, and that objects go home without a
// copy: below a gigabyte.
bool IsMemorySmall(const SessionState& session);
// Bytes that frames and twins may take now. Without a budget: UINT64_MAX. Measures the process if
// its memory is bounded, which takes a few microseconds.
uint64_t MeasureFrameLimit(SessionState& session);
// The last result of MeasureFrameLimit.
uint64_t FrameLimit(const SessionState& session);
// What frames and twins may take in any case, however much the rest of the process takes.
uint64_t LeastFrameBytes(const SessionState& session);

}  // namespace tenure::stabilize
