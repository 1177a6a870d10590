#include "stabilize/frames/block_memory.h"

#include <bits/functexcept.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <iterator>
#include <new>
#include <utility>
#include <vector>

#include "abi/heap_constants.h"
#include "base/check.h"
#include "base/mutex.h"
#include "base/worker_thread.h"
#include "stabilize/frames/store_names.h"
#include "store/files/large_blocks.h"
#include "store/files/page_copy.h"

namespace tenure::stabilize {

namespace {

std::shared_ptr<std::byte> NewChunk() { return NewPageCopies(kChunkBytes / abi::kPageBytes); }

// --- Ready chunks

struct Ready {
  // Callers only try to lock it: in a forked child, a thread of the parent may hold it for ever.
  Mutex mutex;
  std::vector<std::shared_ptr<std::byte>> chunks TN_GUARDED_BY(mutex);
  size_t wanted TN_GUARDED_BY(mutex) = 0;
  // The process whose thread makes more; a forked child does not have that thread. 0: none does.
  pid_t making TN_GUARDED_BY(mutex) = 0;
};

// Leaked on purpose: a detached thread may use it during exit.
Ready& TheReady() {
  static Ready& ready = *new Ready;
  return ready;
}

void MakeReady() {
  Ready& ready = TheReady();
  MutexLock lock(ready.mutex);
  while (ready.chunks.size() < ready.wanted) {
    lock.unlock();
    std::shared_ptr<std::byte> chunk = NewChunk();
    lock.lock();
    if (chunk == nullptr) break;
    // The chunks may not be wanted any more.
    if (ready.chunks.size() < ready.wanted) ready.chunks.push_back(std::move(chunk));
  }
  ready.making = 0;
}

}  // namespace

void ExpectChunks(size_t count) {
  Ready& ready = TheReady();
  if (!ready.mutex.try_lock()) return;
  const MutexLock lock(ready.mutex, std::adopt_lock);
  ready.wanted = count;
  const pid_t process = getpid();
  if (ready.chunks.size() >= count || ready.making == process) return;
  if (WorkerThread::StartDetached(MakeReady)) ready.making = process;
}

std::shared_ptr<std::byte> TakeReadyChunk() {
  Ready& ready = TheReady();
  if (!ready.mutex.try_lock()) return nullptr;
  const MutexLock lock(ready.mutex, std::adopt_lock);
  if (ready.wanted > 0) --ready.wanted;
  if (ready.chunks.empty()) return nullptr;
  std::shared_ptr<std::byte> chunk = std::move(ready.chunks.back());
  ready.chunks.pop_back();
  return chunk;
}

void DropReadyChunks() {
  std::vector<std::shared_ptr<std::byte>> dropped;
  Ready& ready = TheReady();
  if (!ready.mutex.try_lock()) return;
  const MutexLock lock(ready.mutex, std::adopt_lock);
  ready.wanted = 0;
  dropped.swap(ready.chunks);
}

// --- Blocks

namespace {

// Blocks are as long as a power of two.
constexpr size_t kShortestBits = 6, kLongestBits = 18;

class Blocks {
 public:
  void* Take(size_t bits) {
    const MutexLock lock(mutex_);
    ++taken_;
    Free*& free = free_[bits - kShortestBits];
    if (free != nullptr) return std::exchange(free, free->next);
    const size_t bytes = size_t{1} << bits;
    if (left_ < bytes && !Add()) {
      --taken_;
      return nullptr;
    }
    left_ -= bytes;
    return next_ + left_;
  }
  void GiveBack(void* block, size_t bits) {
    std::vector<std::shared_ptr<std::byte>> dropped;
    const MutexLock lock(mutex_);
    if (--taken_ == 0) {
      // One is kept: the next commit is most often a small one.
      of_files_ = 0;
      dropped.assign(std::move_iterator(chunks_.begin() + 1), std::move_iterator(chunks_.end()));
      chunks_.resize(1);
      free_ = {};
      next_ = chunks_.front().get();
      left_ = kChunkBytes;
      return;
    }
    Free*& free = free_[bits - kShortestBits];
    free = new (block) Free{free};
  }

  void SetOverflow(uint64_t bytes, std::function<std::shared_ptr<std::byte>()> take_chunk) {
    const MutexLock lock(mutex_);
    most_bytes_ = bytes;
    take_chunk_ = std::move(take_chunk);
  }
  void MakePrivate() {
    const MutexLock lock(mutex_);
    for (; of_files_ > 0; --of_files_) {
      // The last chunks are those of files.
      std::byte* const chunk = chunks_[chunks_.size() - of_files_].get();
      void* const copy =
          mmap(nullptr, kChunkBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      TN_CHECK(copy != MAP_FAILED);
      std::memcpy(copy, chunk, kChunkBytes);
      TN_CHECK(mremap(copy, kChunkBytes, kChunkBytes, MREMAP_MAYMOVE | MREMAP_FIXED, chunk) ==
               static_cast<void*>(chunk));
    }
  }

 private:
  struct Free {
    Free* next;
  };

  // Adds a chunk. The rest of the chunk before, smaller than the block that did not fit, stays
  // unused until the chunk is freed.
  bool Add() TN_REQUIRES(mutex_) {
    std::shared_ptr<std::byte> chunk;
    if (take_chunk_ != nullptr && chunks_.size() * kChunkBytes >= most_bytes_) {
      chunk = take_chunk_();
      of_files_ += chunk != nullptr;
    }
    // Without a file the memory is private, and MakePrivate may copy it to itself.
    of_files_ += chunk == nullptr && of_files_ > 0;
    if (chunk == nullptr) chunk = TakeReadyChunk();
    if (chunk == nullptr) chunk = chunks_.empty() ? NewUntouched() : NewChunk();
    if (chunk == nullptr) return false;
    if (!chunks_.empty() && of_files_ == 0) ExpectChunks(1);
    chunks_.push_back(std::move(chunk));
    next_ = chunks_.back().get();
    left_ = kChunkBytes;
    return true;
  }
  // For commits of few objects: the system maps the memory at the first touch.
  static std::shared_ptr<std::byte> NewUntouched() {
    void* const memory =
        mmap(nullptr, kChunkBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    return {static_cast<std::byte*>(memory), [](std::byte* begin) { munmap(begin, kChunkBytes); }};
  }

  Mutex mutex_;
  std::array<Free*, kLongestBits - kShortestBits + 1> free_ TN_GUARDED_BY(mutex_){};
  std::vector<std::shared_ptr<std::byte>> chunks_ TN_GUARDED_BY(mutex_);
  std::byte* next_ TN_GUARDED_BY(mutex_) = nullptr;  // free memory in the last chunk: left_ bytes
  size_t left_ TN_GUARDED_BY(mutex_) = 0;
  size_t taken_ TN_GUARDED_BY(mutex_) = 0;  // blocks
  uint64_t most_bytes_ TN_GUARDED_BY(mutex_) = UINT64_MAX;
  std::function<std::shared_ptr<std::byte>()> take_chunk_;
  size_t of_files_ TN_GUARDED_BY(mutex_) = 0;  // chunks: the last ones
};

// Never destroyed: containers with static storage may have some.
Blocks& TheBlocks() {
  static Blocks& blocks = *new Blocks;
  return blocks;
}

size_t BitsFor(size_t bytes) {
  return std::max(kShortestBits, static_cast<size_t>(std::bit_width(bytes - 1)));
}

}  // namespace

BlockOverflow::BlockOverflow(uint64_t bytes,
                             std::function<std::shared_ptr<std::byte>()> take_chunk) {
  TheBlocks().SetOverflow(bytes, std::move(take_chunk));
}

BlockOverflow::~BlockOverflow() { TheBlocks().SetOverflow(UINT64_MAX, nullptr); }

void MakeBlocksPrivate() {
  TheBlocks().MakePrivate();
  store::MakeLargeBlocksPrivate();
}

void* TakeBlock(size_t bytes) {
  TN_DCHECK(bytes != 0);
  const size_t bits = BitsFor(bytes);
  if (bits > kLongestBits) return operator new(bytes);
  void* const block = TheBlocks().Take(bits);
  // As operator new, whose answer the containers expect.
  if (block == nullptr) std::__throw_bad_alloc();
  return block;
}

void GiveBlockBack(void* block, size_t bytes) {
  const size_t bits = BitsFor(bytes);
  if (bits > kLongestBits) return operator delete(block);
  TheBlocks().GiveBack(block, bits);
}

}  // namespace tenure::stabilize
