// Memory for the encoded pages of one commit, in chunks, so that no page costs an allocation.
// Beyond a limit a large commit takes memory of a file, which the system may write out.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "abi/heap_constants.h"
#include "base/check.h"
#include "stabilize/frames/block_memory.h"
#include "stabilize/frames/store_names.h"
#include "store/files/page_copy.h"
#include "store/files/spill_file.h"

namespace tenure::stabilize {

class EncodeArena {
 public:
  explicit EncodeArena(const SpillFile& file) : file_(file) {}
  EncodeArena(const EncodeArena&) = delete;
  EncodeArena& operator=(const EncodeArena&) = delete;

  void SetLimit(uint64_t bytes) { limit_bytes_ = bytes; }
  // kPageBytes, aligned to 8, with any contents, valid until Reset.
  std::byte* Take() {
    if (left_ == 0) Add();
    if (left_ == kPages / 2) ExpectNext();
    std::byte* const page = next_;
    next_ += abi::kPageBytes;
    --left_;
    return page;
  }
  // The same for at most kPageBytes, at any address: the changes of many pages lie together.
  std::byte* TakeBytes(size_t bytes) {
    if (bytes > part_left_) {
      part_ = Take();
      part_left_ = abi::kPageBytes;
    }
    part_left_ -= bytes;
    return std::exchange(part_, part_ + bytes);
  }
  // Shares a page of Take: it is valid as long as anybody has the result. Null when that cannot be.
  // The page keeps all of its chunk, so this is for commits of many pages.
  std::shared_ptr<std::byte> GiveAway(std::byte* page) {
    for (size_t tried = 0; tried < used_; ++tried, ++looked_at_) {
      if (looked_at_ >= used_) looked_at_ = 0;
      const Chunk& chunk = chunks_[looked_at_];
      if (page < chunk.memory.get() || page >= chunk.memory.get() + chunk.pages * abi::kPageBytes) {
        continue;
      }
      return chunk.scratch ? nullptr : std::shared_ptr<std::byte>(chunk.memory, page);
    }
    TN_UNREACHABLE();
  }
  // Keeps some memory for the next commit: the system need not clear it again.
  void Reset() {
    size_t kept = 0;
    const size_t most = limit_bytes_ == UINT64_MAX ? kChunksKept : 1;
    for (Chunk& chunk : chunks_) {
      const bool given_away = chunk.memory.use_count() > 1;
      if (given_away || chunk.scratch || kept == most) continue;
      std::swap(chunks_[kept++], chunk);
    }
    chunks_.resize(kept);
    // Acquires: uses of dropped pages by other threads happen before their new use here.
    std::atomic_thread_fence(std::memory_order_acquire);
    used_ = left_ = part_left_ = 0;
  }

 private:
  static constexpr size_t kFirstPages = 64;
  static constexpr size_t kPages = kChunkBytes / abi::kPageBytes;
  static constexpr size_t kChunkAlignment = 64 << 10;  // of all machines' pages
  static constexpr size_t kChunksKept = 3;

  struct Chunk {
    std::shared_ptr<std::byte> memory;
    size_t pages = 0;
    bool scratch = false;
  };

  // The next chunk, made if it is missing.
  void Add() {
    if (used_ == chunks_.size()) chunks_.push_back(NewChunk());
    const Chunk& chunk = chunks_[used_++];
    next_ = chunk.memory.get();
    left_ = chunk.pages;
  }
  uint64_t BytesOfAll() const {
    uint64_t bytes = 0;
    for (const Chunk& chunk : chunks_) bytes += chunk.pages * abi::kPageBytes;
    return bytes;
  }
  // Has the next chunk prepared while this one is filled.
  void ExpectNext() {
    if (used_ == chunks_.size() && BytesOfAll() + kChunkBytes <= limit_bytes_) ExpectChunks(1);
  }
  Chunk NewChunk() {
    const uint64_t bytes = BytesOfAll();
    if (bytes >= limit_bytes_) {
      if (auto* const scratch = static_cast<std::byte*>(file_.MapScratch(kChunkBytes))) {
        return {{scratch, [](std::byte* memory) { SpillFile::UnmapScratch(memory, kChunkBytes); }},
                kPages,
                true};
      }
    }
    if (bytes + kChunkBytes <= limit_bytes_) {
      std::shared_ptr<std::byte> memory = TakeReadyChunk();
      if (memory == nullptr && !chunks_.empty()) memory = NewPageCopies(kPages);
      if (memory != nullptr) return {std::move(memory), kPages, false};
    }
    // One page may be all that is needed: the system gives memory at the first touch.
    void* const memory = aligned_alloc(kChunkAlignment, kFirstPages * abi::kPageBytes);
    TN_CHECK(memory != nullptr);
    return {{static_cast<std::byte*>(memory), [](std::byte* begin) { free(begin); }},
            kFirstPages,
            false};
  }

  const SpillFile& file_;
  uint64_t limit_bytes_ = UINT64_MAX;
  std::vector<Chunk> chunks_;
  size_t used_ = 0;       // chunks
  size_t looked_at_ = 0;  // by GiveAway: pages are asked about in about the order of Take
  // The free pages in the last of those.
  std::byte* next_ = nullptr;
  size_t left_ = 0;
  // Free memory in the last page for TakeBytes.
  std::byte* part_ = nullptr;
  size_t part_left_ = 0;
};

}  // namespace tenure::stabilize
