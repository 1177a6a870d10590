// Whether a process whose memory is bounded may take more of it. Any thread, without a lock.
#pragma once

#include <cstdint>

namespace tenure {

// Notes how many bytes of shared memory the frames have.
void NoteSharedBytes(uint64_t bytes);

// Whether a process that may take `memory_bytes` may take `bytes` of private memory more, beside
// the sixteenth that commits and collections need for a moment. Frames are counted as they were
// noted last.
bool HasMemoryFor(uint64_t memory_bytes, uint64_t bytes);

}  // namespace tenure
