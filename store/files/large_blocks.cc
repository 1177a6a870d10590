#include "store/files/large_blocks.h"

#include <bits/functexcept.h>
#include <pthread.h>
#include <sys/mman.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#include "base/check.h"
#include "base/memory_left.h"
#include "base/mutex.h"

namespace tenure::store {

namespace {

// Blocks of files: seldom more than a few at once. When there is no place, a block is private.
struct Block {
  void* begin = nullptr;
  size_t bytes = 0;
};

struct LargeBlocks {
  Mutex mutex;
  void* (*take)(void* context, size_t bytes) = nullptr;
  void* context TN_GUARDED_BY(mutex) = nullptr;
  std::array<Block, 64> blocks TN_GUARDED_BY(mutex);
};
// Constant initialization: `operator new` may be called before any constructor.
constinit LargeBlocks all;
constinit std::atomic<bool> used = false;
constinit std::atomic<size_t> count = 0;

[[maybe_unused]] void* Take(size_t bytes) {
  // `take` may allocate small blocks, which do not come here.
  const MutexLock lock(all.mutex);
  if (all.take == nullptr) return nullptr;
  for (Block& block : all.blocks) {
    if (block.begin != nullptr) continue;
    void* const memory = all.take(all.context, bytes);
    if (memory != nullptr) {
      block = {memory, bytes};
      count.fetch_add(1, std::memory_order_relaxed);
    }
    return memory;
  }
  return nullptr;
}

// False: it is not one of Take's.
[[maybe_unused]] bool GiveBack(void* memory) {
  constexpr uintptr_t kSystemsPageBytes = 4096;
  if (count.load(std::memory_order_relaxed) == 0 ||
      reinterpret_cast<uintptr_t>(memory) % kSystemsPageBytes != 0) {
    return false;
  }
  size_t bytes = 0;
  {
    const MutexLock lock(all.mutex);
    for (Block& block : all.blocks) {
      if (block.begin != memory) continue;
      bytes = block.bytes;
      block = {};
      count.fetch_sub(1, std::memory_order_relaxed);
      break;
    }
  }
  if (bytes == 0) return false;
  munmap(memory, bytes);
  return true;
}

}  // namespace

LargeBlocksInFiles::LargeBlocksInFiles(uint64_t memory_bytes, const SpillFile& files)
    : memory_bytes_(memory_bytes), files_(files) {
  UseFilesForLargeBlocks(Take, this);
}

LargeBlocksInFiles::~LargeBlocksInFiles() { UseFilesForLargeBlocks(nullptr, nullptr); }

void* LargeBlocksInFiles::Take(void* self, size_t bytes) {
  const auto* const blocks = static_cast<const LargeBlocksInFiles*>(self);
  return HasMemoryFor(blocks->memory_bytes_, bytes) ? nullptr : blocks->files_.MapScratch(bytes);
}

void UseFilesForLargeBlocks(void* (*take)(void* context, size_t bytes), void* context) {
  // A forked child has one thread, and another one may have had the lock. It is not held around the
  // fork: MakeLargeBlocksPrivate, which takes it, is called by a handler of forks, too.
  [[maybe_unused]] static const int watched =
      pthread_atfork(nullptr, nullptr, [] { new (&all.mutex) Mutex; });
  const MutexLock lock(all.mutex);
  all.take = take;
  all.context = context;
  used.store(take != nullptr, std::memory_order_relaxed);
}

void MakeLargeBlocksPrivate() {
  const MutexLock lock(all.mutex);
  for (Block& block : all.blocks) {
    if (block.begin == nullptr) continue;
    void* const copy =
        mmap(nullptr, block.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    TN_CHECK(copy != MAP_FAILED);
    std::memcpy(copy, block.begin, block.bytes);
    TN_CHECK(mremap(copy, block.bytes, block.bytes, MREMAP_MAYMOVE | MREMAP_FIXED, block.begin) ==
             block.begin);
  }
}

}  // namespace tenure::store

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

// The operators of arrays, and those with a size, call these. Weak: C++ code of a program may have
// its own.
__attribute__((weak)) void* operator new(size_t bytes) {
  using namespace tenure::store;
  if (bytes >= kLargeBlockBytes && used.load(std::memory_order_relaxed)) {
    if (void* const block = Take(bytes)) return block;
  }
  for (;;) {
    if (void* const block = std::malloc(bytes == 0 ? 1 : bytes)) return block;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) std::__throw_bad_alloc();
    handler();
  }
}

__attribute__((weak)) void operator delete(void* block) noexcept {
  if (block != nullptr && !tenure::store::GiveBack(block)) std::free(block);
}

__attribute__((weak)) void operator delete(void* block, size_t) noexcept { operator delete(block); }

#endif
