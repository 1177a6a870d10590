#include "runtime/threads/thread_stacks.h"

#include <sys/mman.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/address.h"
#include "base/mutex.h"

namespace tenure::runtime {
namespace {

// Since Linux 6.13: a guard that is no mapping of its own, so that threads do not use up
// vm.max_map_count.
constexpr int kAdviseGuard = 102;  // MADV_GUARD_INSTALL

// So much is reserved at once for stacks of one size, but for larger ones.
constexpr uint64_t kReservationBytes = uint64_t{64} << 20;
// Stacks that are kept with their memory; that of others goes back to the system.
constexpr size_t kKeptWithMemory = 64;

// Stacks of one size.
struct Pool {
  std::vector<uintptr_t>
      unused;  // lowest addresses; those that have their memory are the last ones
  size_t with_memory = 0;
};

Mutex mutex;
std::map<uint64_t, Pool>& Pools() TN_REQUIRES(mutex) {
  static auto* const pools = new std::map<uint64_t, Pool>;
  return *pools;
}

bool Guard(uintptr_t at) {
  auto* const guard = reinterpret_cast<void*>(at);
  return madvise(guard, kStackGuardBytes, kAdviseGuard) == 0 ||
         mprotect(guard, kStackGuardBytes, PROT_NONE) == 0;
}

uint64_t SizeFor(uint64_t bytes) {
  return AlignUp(std::min(bytes, uint64_t{1} << 46), kStackGuardBytes) + kStackGuardBytes;
}

// Reserves stacks of this size, with their guards. False: there is no room for even one.
bool Reserve(uint64_t size, Pool& pool) {
  const uint64_t bytes = std::max(size, kReservationBytes / size * size);
  void* const block = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (block == MAP_FAILED) return false;
  // A huge page for a stack of which a page is used would be a waste.
  madvise(block, bytes, MADV_NOHUGEPAGE);
  const auto low = reinterpret_cast<uintptr_t>(block);
  uint64_t guarded = 0;
  while (guarded < bytes && Guard(low + guarded)) guarded += size;
  if (guarded < bytes) munmap(reinterpret_cast<void*>(low + guarded), bytes - guarded);
  for (uint64_t at = guarded; at > 0; at -= size) pool.unused.push_back(low + at - size);
  return guarded > 0;
}

}  // namespace

ThreadStack TakeStack(uint64_t bytes) {
  const uint64_t size = SizeFor(bytes);
  const MutexLock lock(mutex);
  Pool& pool = Pools()[size];
  if (pool.unused.empty() && !Reserve(size, pool)) return {};
  const uintptr_t low = pool.unused.back();
  pool.unused.pop_back();
  if (pool.with_memory > 0) --pool.with_memory;
  return {low + kStackGuardBytes, low + size};
}

void GiveBackStack(const ThreadStack& stack) {
  const uintptr_t low = stack.low - kStackGuardBytes;
  const MutexLock lock(mutex);
  Pool& pool = Pools()[stack.high - low];
  if (pool.with_memory >= kKeptWithMemory) {
    madvise(reinterpret_cast<void*>(stack.low), stack.high - stack.low, MADV_DONTNEED);
    // Below those that have their memory.
    pool.unused.insert(pool.unused.end() - static_cast<ptrdiff_t>(pool.with_memory), low);
  } else {
    pool.unused.push_back(low);
    ++pool.with_memory;
  }
}

}  // namespace tenure::runtime
