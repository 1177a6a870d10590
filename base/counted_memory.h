// Memory of a process that a control group counts although the program does not ask for it: the
// system's tables, and what malloc keeps.
#pragma once

#include <cstdint>

namespace tenure {

// Bytes of the system's tables of this process's pages, which a control group counts, too: 8 for
// each small page that has been touched in a mapping that is still there. Read anew at some of the
// calls, since that takes longer. 0 when the system does not tell. Any thread.
uint64_t PageTableBytes();

// Makes malloc give memory back that is not in use, beyond a fraction of `memory_bytes`: by itself
// it comes to keep tens of megabytes when blocks of megabytes come and go. Once, while the process
// has one thread or few. No effect with another C library.
void BoundFreeMalloc(uint64_t memory_bytes);

}  // namespace tenure
