// Memory for the encoded pages of one commit, in chunks, so that it costs no allocation for each
// page. What a large commit takes beyond a limit is memory of a file, which the system may write
// out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "abi/heap_constants.h"
#include "base/check.h"
#include "stabilize/page_copy.h"
#include "stabilize/spill_file.h"

namespace tenure::stabilize {

class EncodeArena {
 public:
  explicit EncodeArena(const SpillFile& file) : file_(file) {}
  ~EncodeArena() { Shrink(0); }
  EncodeArena(const EncodeArena&) = delete;
  EncodeArena& operator=(const EncodeArena&) = delete;

  void SetLimit(uint64_t bytes) { limit_bytes_ = bytes; }
  // kPageBytes, aligned to 8, valid until Reset.
  std::byte* Take() {
    if (used_ == chunks_.size() * kPages) Add();
    std::byte* page = chunks_[used_ / kPages].memory + used_ % kPages * abi::kPageBytes;
    ++used_;
    return page;
  }
  // Keeps some memory for the next commit: the system need not clear it again.
  void Reset() {
    used_ = 0;
    Shrink(limit_bytes_ == UINT64_MAX ? kChunksKept : 1);
  }

 private:
  static constexpr size_t kPages = 64;
  static constexpr size_t kChunkBytes = kPages * abi::kPageBytes;
  static constexpr size_t kChunkAlignment = 64 << 10;  // of all machines' pages
  static constexpr size_t kChunksKept = 8;             // 4 MB

  struct Chunk {
    std::byte* memory = nullptr;
    bool scratch = false;
  };

  void Add() {
    Chunk chunk;
    if (chunks_.size() * kChunkBytes >= limit_bytes_) {
      chunk.memory = static_cast<std::byte*>(file_.MapScratch(kChunkBytes));
      chunk.scratch = chunk.memory != nullptr;
    }
    if (chunk.memory == nullptr) {
      chunk.memory = static_cast<std::byte*>(aligned_alloc(kChunkAlignment, kChunkBytes));
      TN_CHECK(chunk.memory != nullptr);
      // The first may be for one page only.
      if (!chunks_.empty()) Populate(chunk.memory, kChunkBytes);
    }
    chunks_.push_back(chunk);
  }
  void Shrink(size_t chunks) {
    for (; chunks_.size() > chunks; chunks_.pop_back()) {
      if (chunks_.back().scratch) {
        SpillFile::UnmapScratch(chunks_.back().memory, kChunkBytes);
      } else {
        free(chunks_.back().memory);
      }
    }
  }

  const SpillFile& file_;
  uint64_t limit_bytes_ = UINT64_MAX;
  std::vector<Chunk> chunks_;
  size_t used_ = 0;
};

}  // namespace tenure::stabilize
