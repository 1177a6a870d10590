// The limit on a process's address space (RLIMIT_AS), which ranges that are reserved must leave
// room under.
#pragma once

#include <cstddef>

namespace tenure {

// `wanted` bytes, but under a limit at most its `divisor`th part, in multiples of `alignment`, a
// power of two: the program needs the rest.
size_t WithinAddressLimit(size_t wanted, size_t divisor, size_t alignment);

}  // namespace tenure
