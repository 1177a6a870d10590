// Giving memory back to the system while its addresses stay mapped.
#pragma once

#include <sys/mman.h>

#include <cerrno>
#include <cstddef>

namespace tenure {

// As madvise with MADV_DONTNEED, also where C code has locked the memory (mlockall): 0, or -1 with
// errno. Kernels before Linux 5.18 refuse that. Any thread, and signal handlers.
inline int DropPages(void* begin, size_t bytes) {
  constexpr int kDontNeedLocked = 24;  // MADV_DONTNEED_LOCKED, which older headers lack
  if (madvise(begin, bytes, MADV_DONTNEED) == 0) return 0;
  return errno == EINVAL ? madvise(begin, bytes, kDontNeedLocked) : -1;
}

}  // namespace tenure
