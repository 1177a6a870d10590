#include "store/files/page_copy.h"

#include <sys/mman.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>

#include "abi/heap_constants.h"
#include "base/mutex.h"

namespace tenure::store {

namespace {

// 4 MB: a transaction that writes more spends its time elsewhere.
constexpr size_t kKept = 512;
constexpr size_t kLargePageBytes = 2 << 20;
// A large page that is free may have no memory behind it on the machine's own host, and then takes
// many times as long as small ones that were used before (docs/platform.md, 7): a program that
// commits little is better off without.
constexpr size_t kSmallPagesBytes = 16 << 20;

// By NewPageCopies, so far.
std::atomic<size_t> given{0};

struct Kept {
  // Callers only try to lock the mutex: in a forked child, a thread of the parent may hold it for
  // ever.
  Mutex mutex;
  size_t count TN_GUARDED_BY(mutex) = 0;
  std::array<std::byte*, kKept> copies TN_GUARDED_BY(mutex);
};

// Lives until the process ends: databases are closed at the very end.
Kept& AllKept() {
  static Kept& kept = *new Kept;
  return kept;
}

}  // namespace

void GivePageCopyBack::operator()(std::byte* copy) const {
  Kept& kept = AllKept();
  if (kept.mutex.try_lock()) {
    const MutexLock lock(kept.mutex, std::adopt_lock);
    if (kept.count < kKept) {
      kept.copies[kept.count++] = copy;
      return;
    }
  }
  delete[] copy;
}

PageCopy NewPageCopy() {
  Kept& kept = AllKept();
  if (kept.mutex.try_lock()) {
    const MutexLock lock(kept.mutex, std::adopt_lock);
    if (kept.count > 0) return PageCopy(kept.copies[--kept.count]);
  }
  return PageCopy(new std::byte[abi::kPageBytes]);
}

std::shared_ptr<std::byte> NewPageCopies(size_t count) {
  const size_t bytes = count * abi::kPageBytes;
  // Large pages begin at their multiples.
  const size_t slack = bytes < kLargePageBytes ? 0 : kLargePageBytes;
  void* const memory =
      mmap(nullptr, bytes + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  auto* begin = static_cast<std::byte*>(memory);
  if (slack != 0) {
    const size_t before = -reinterpret_cast<uintptr_t>(memory) % kLargePageBytes;
    if (before != 0) munmap(begin, before);
    begin += before;
    if (before != slack) munmap(begin + bytes, slack - before);
    // The rest behind the last large page gets small pages.
    if (given.fetch_add(bytes, std::memory_order_relaxed) >= kSmallPagesBytes) {
      static_cast<void>(madvise(begin, bytes / kLargePageBytes * kLargePageBytes, MADV_HUGEPAGE));
    }
  }
  Populate(begin, bytes);
  return {begin, [bytes](std::byte* copies) { munmap(copies, bytes); }};
}

void Populate(void* memory, size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  const int error = errno;
  static_cast<void>(madvise(memory, bytes, MADV_POPULATE_WRITE));
  errno = error;
#else
  static_cast<void>(memory);
  static_cast<void>(bytes);
#endif
}

}  // namespace tenure::store
