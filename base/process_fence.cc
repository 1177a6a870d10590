#include "base/process_fence.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

namespace tenure {
namespace {

std::atomic<bool (*)()> ask_others{nullptr};

bool Membarrier(int command) {
  const int saved_errno = errno;
  const bool done = syscall(SYS_membarrier, command, 0, 0) == 0;
  errno = saved_errno;
  return done;
}

}  // namespace

bool CanFenceAllThreads() {
  static const bool can = Membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
  return can;
}

bool FenceAllThreads() {
  if (!CanFenceAllThreads()) return false;
  if (Membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED)) return true;
  // A forked child may have to register again.
  return Membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) &&
         Membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
}

bool FenceRunningThreads() {
  bool (*const others_run)() = ask_others.load(std::memory_order_relaxed);
  if (others_run != nullptr && !others_run()) return true;
  return FenceAllThreads();
}

void AskBeforeFences(bool (*others_run)()) { ask_others = others_run; }

}  // namespace tenure
