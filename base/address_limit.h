// The limits on a process's address space (RLIMIT_AS) and on its private writable memory
// (RLIMIT_DATA), which ranges that are reserved must leave room under.
#pragma once

#include <cstddef>

namespace tenure {

// `wanted` bytes, but under a limit on address space at most its `divisor`th part, in multiples of
// `alignment`, a power of two: the program needs the rest.
size_t WithinAddressLimit(size_t wanted, size_t divisor, size_t alignment);

// The same for private memory that can be written, or that brings such memory with it: `wanted`
// bytes, but under a limit on private memory at most `limit / divisor * factor`.
size_t WithinDataLimit(size_t wanted, size_t divisor, size_t factor, size_t alignment);

}  // namespace tenure
