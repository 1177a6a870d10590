// Buffers for system calls. The kernel does not trap for us: a buffer in a page of a database that
// is not open gives EFAULT. So the pages are touched first, which may raise the same exceptions as
// a touch by compiled code.
#pragma once

#include <cstddef>

namespace tenure::runtime {

void TouchForReading(const void* buffer, size_t bytes);
void TouchForWriting(void* buffer, size_t bytes);

// Calls call() and gives its result, or -errno. The call may wait as in
// runtime/threads/file_waits.h. Repeats it when a signal interrupted it, and when
// it says EFAULT after touch(): another thread may have closed the pages in between.
template <typename Touch, typename Call>
long CallWithBuffer(Touch&& touch, Call&& call);

}  // namespace tenure::runtime

#include <cerrno>

#include "runtime/threads/own_errno.h"

template <typename Touch, typename Call>
long tenure::runtime::CallWithBuffer(Touch&& touch, Call&& call) {
  constexpr int kAttempts = 16;
  for (int attempt = 0;; ++attempt) {
    touch();
    const long result = call();
    if (result >= 0) return result;
    const int error = OwnErrno();
    if (error == EINTR) {
      attempt = 0;
      continue;
    }
    if (error != EFAULT || attempt == kAttempts) return -error;
  }
}
