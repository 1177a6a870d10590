// Memory for commits of many objects: the pages that they send, and their notes about the objects
// to which they give homes. A commit takes megabytes in a short time, so a thread has the system
// map memory in advance (ExpectChunks): then the first touch of a page costs nothing. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace tenure::stabilize {

inline constexpr size_t kChunkBytes = 2 << 20;  // a large page of the system's

// This many chunks will be wanted: a thread has the system map those that are missing.
void ExpectChunks(size_t count);
// A chunk with any contents; null when none is ready.
std::shared_ptr<std::byte> TakeReadyChunk();
// No more chunks are wanted: frees those that are ready.
void DropReadyChunks();

// A block, aligned for anything, with any contents. Short ones are cut from chunks, which are given
// back when there is no block any more.
void* TakeBlock(size_t bytes);
void GiveBlockBack(void* block, size_t bytes);

// While it exists, chunks of blocks beyond `bytes` come from take_chunk(), which gives kChunkBytes
// of memory that the system may write to a file, or null. One at a time.
class BlockOverflow {
 public:
  BlockOverflow(uint64_t bytes, std::function<std::shared_ptr<std::byte>()> take_chunk);
  ~BlockOverflow();
  BlockOverflow(const BlockOverflow&) = delete;
  BlockOverflow& operator=(const BlockOverflow&) = delete;
};
// Before a fork: memory of files, which a child would share, becomes private.
void MakeBlocksPrivate();

// An allocator for containers whose memory is blocks.
template <typename T>
struct BlockAllocator {
  using value_type = T;

  BlockAllocator() = default;
  template <typename U>
  BlockAllocator(const BlockAllocator<U>&) {}
  T* allocate(size_t count) { return static_cast<T*>(TakeBlock(count * sizeof(T))); }
  void deallocate(T* block, size_t count) { GiveBlockBack(block, count * sizeof(T)); }
  template <typename U>
  friend bool operator==(const BlockAllocator&, const BlockAllocator<U>&) {
    return true;
  }
};

template <typename T>
using BlockVector = std::vector<T, BlockAllocator<T>>;

}  // namespace tenure::stabilize
