#include "store/trees/tree_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "base/address.h"
#include "base/address_limit.h"
#include "base/mutex.h"
#include "store/files/page_copy.h"

namespace tenure::store {

namespace {

// The reserved addresses; further buffers come from malloc.
constexpr size_t kRegionBytes = size_t{1} << 30;
// This much memory is ready beyond the buffers in use. It is made ready in steps, since other
// threads that map memory wait for the end of a step.
constexpr size_t kAheadBytes = 1 << 20;
constexpr size_t kStepBytes = 128 << 10;
// Addresses become usable in steps of this size: limits on a process's memory, except that on its
// addresses, count usable memory.
constexpr size_t kOpenBytes = 2 << 20;
constexpr size_t kKeptBytes = 1 << 20;
constexpr size_t kSystemsPageBytes = 4096;

}  // namespace

TreeBuffers::~TreeBuffers() {
  if (base_ != nullptr) munmap(base_, bytes_);
}

bool TreeBuffers::Contains(const void* memory) const {
  const size_t bytes = bytes_.load(std::memory_order_acquire);
  return reinterpret_cast<uintptr_t>(memory) - reinterpret_cast<uintptr_t>(base_) < bytes;
}

void* TreeBuffers::Take() {
  const MutexLock lock(mutex_);
  if (!Reserve()) return nullptr;
  if (free_ != nullptr) {
    FreeBuffer* const buffer = free_;
    free_ = buffer->next;
    ++in_use_;
    return buffer;
  }
  if (!Open(used_ + kBufferBytes)) return nullptr;
  // If no thread makes memory ready, or not fast enough, the buffer costs page faults.
  char* const buffer = base_ + used_;
  used_ += kBufferBytes;
  ++in_use_;
  if (served_ && Wanted()) changed_.notify_one();
  return buffer;
}

void TreeBuffers::Give(void* buffer) {
  const MutexLock lock(mutex_);
  auto* const given = static_cast<FreeBuffer*>(buffer);
  given->next = free_;
  free_ = given;
  if (--in_use_ > 0) return;
  // The last store has been closed, or an opening has closed the files that it had looked at.
  const size_t end = AlignUp(std::max(used_, ready_), kSystemsPageBytes);
  if (end > kKeptBytes) {
    static_cast<void>(madvise(base_ + kKeptBytes, end - kKeptBytes, MADV_DONTNEED));
  }
  free_ = nullptr;
  used_ = 0;
  ready_ = std::min(ready_, kKeptBytes);
  if (served_) changed_.notify_one();
}

void TreeBuffers::Ready() {
  MutexLock lock(mutex_);
  if (Reserve() && Wanted()) MakeReady(lock);
}

void TreeBuffers::Serve() {
  MutexLock lock(mutex_);
  if (served_) return;
  served_ = true;
  while (in_use_ > 0) {
    if (Wanted()) {
      MakeReady(lock);
    } else {
      changed_.wait(lock);
    }
  }
  served_ = false;
}

size_t TreeBuffers::in_use() {
  const MutexLock lock(mutex_);
  return in_use_;
}

bool TreeBuffers::Reserve() {
  if (bytes_ != 0 || failed_) return !failed_;
  const size_t wanted = WithinAddressLimit(kRegionBytes, 64, kSystemsPageBytes);
  void* const place =
      mmap(nullptr, wanted, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  failed_ = place == MAP_FAILED;
  if (failed_) return false;
  base_ = static_cast<char*>(place);
  bytes_.store(wanted, std::memory_order_release);
  return true;
}

bool TreeBuffers::Open(size_t end) {
  if (end <= open_) return true;
  const size_t more = std::min<size_t>(kOpenBytes, bytes_ - open_);
  if (end > open_ + more || mprotect(base_ + open_, more, PROT_READ | PROT_WRITE) != 0)
    return false;
  open_ += more;
  return true;
}

bool TreeBuffers::Wanted() const { return ready_ < bytes_ && used_ + kAheadBytes > ready_; }

// Releases the lock meanwhile: a buffer that is taken now may be filled before its memory is ready.
// The analysis cannot follow the lock of a caller, which this function releases for a while.
void TreeBuffers::MakeReady(MutexLock& lock) TN_NO_LOCK_ANALYSIS {
  const size_t from = AlignDown(std::max(ready_, used_), kSystemsPageBytes);
  const size_t to = std::min<size_t>(from + kStepBytes, bytes_);
  ready_ = to;
  if (!Open(to)) return;
  lock.unlock();
  Populate(base_ + from, to - from);
  lock.lock();
}

TreeBuffers& TheTreeBuffers() {
  static auto* const buffers = new TreeBuffers;
  return *buffers;
}

void* TreeAllocate(size_t bytes) {
  if (bytes >= kTreePageBytes && bytes <= TreeBuffers::kBufferBytes) {
    if (void* const buffer = TheTreeBuffers().Take()) return buffer;
  }
  return std::malloc(bytes);
}

void* TreeReallocate(void* memory, size_t bytes) {
  if (!TheTreeBuffers().Contains(memory)) return std::realloc(memory, bytes);
  if (bytes <= TreeBuffers::kBufferBytes) return memory;
  void* const larger = std::malloc(bytes);
  if (larger == nullptr) return nullptr;
  std::memcpy(larger, memory, TreeBuffers::kBufferBytes);
  TreeFree(memory);
  return larger;
}

void TreeFree(void* memory) {
  if (TheTreeBuffers().Contains(memory)) {
    TheTreeBuffers().Give(memory);
  } else {
    std::free(memory);
  }
}

}  // namespace tenure::store
