#include "runtime/threads/stack_limit.h"

#include <sys/resource.h>

namespace tenure::runtime {

void BoundMainStack() {
  constexpr rlim_t kUnboundedStackBytes = rlim_t{1} << 30;
  rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0) return;
  if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur <= kUnboundedStackBytes) return;
  limit.rlim_cur = kUnboundedStackBytes;
  // If it is refused the limit stays, and only a recursion without end suffers.
  setrlimit(RLIMIT_STACK, &limit);
}

}  // namespace tenure::runtime
