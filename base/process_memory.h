// The operating system's figures about this process's memory.
#pragma once

#include <cstdint>

namespace tenure {

// Bytes of private memory that are resident: the heap, malloc's memory, stacks; not files that are
// mapped, and not shared memory. 0 when the system does not tell (no /proc). Takes about a
// microsecond. Any thread.
uint64_t AnonymousBytes();

}  // namespace tenure
