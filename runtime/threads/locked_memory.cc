// mlockall for C code. The system's fills all memory that is mapped, and this program maps far more
// addresses than it will use: for the heap, for frames of databases, for cards. So memory that is
// in use is locked now, and other memory when it is first used.

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/sanitizers.h"

// Sanitizers, which map even more, have one that does nothing.
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)

extern "C" int mlockall(int flags) noexcept {
  return static_cast<int>(syscall(SYS_mlockall, flags | MCL_ONFAULT));
}

#endif
