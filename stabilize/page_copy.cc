#include "stabilize/page_copy.h"

#include <sys/mman.h>

#include <array>
#include <cerrno>
#include <mutex>

#include "abi/heap_constants.h"

namespace tenure::stabilize {

namespace {

// 4 MB: a transaction that writes more spends its time elsewhere.
constexpr size_t kKept = 512;

struct Kept {
  // Nobody waits for it: in a forked child a thread that is not there may have it for ever.
  std::mutex mutex;
  size_t count = 0;
  std::array<std::byte*, kKept> copies;
};

// Never destroyed: databases are closed at the very end.
Kept& AllKept() {
  static Kept& kept = *new Kept;
  return kept;
}

}  // namespace

void GivePageCopyBack::operator()(std::byte* copy) const {
  Kept& kept = AllKept();
  {
    const std::unique_lock lock(kept.mutex, std::try_to_lock);
    if (lock && kept.count < kKept) {
      kept.copies[kept.count++] = copy;
      return;
    }
  }
  delete[] copy;
}

PageCopy NewPageCopy() {
  Kept& kept = AllKept();
  {
    const std::unique_lock lock(kept.mutex, std::try_to_lock);
    if (lock && kept.count > 0) return PageCopy(kept.copies[--kept.count]);
  }
  return PageCopy(new std::byte[abi::kPageBytes]);
}

std::shared_ptr<std::byte> NewPageCopies(size_t count) {
  const size_t bytes = count * abi::kPageBytes;
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  Populate(memory, bytes);
  return {static_cast<std::byte*>(memory), [bytes](std::byte* begin) { munmap(begin, bytes); }};
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

}  // namespace tenure::stabilize
