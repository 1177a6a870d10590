#include "lab/support/low_memory.h"

#include <sys/mman.h>

#include <algorithm>

#include "lab/support/fail.h"

namespace tenure::lab {

namespace {

constexpr size_t kChunkBytes = size_t{4} << 20;

}  // namespace

LowArena::~LowArena() {
  for (const Chunk& chunk : chunks_) munmap(reinterpret_cast<void*>(chunk.begin), chunk.bytes);
}

uintptr_t LowArena::NextChunk(size_t bytes) {
  const size_t from = chunks_.empty() || next_ == 0 ? 0 : current_ + 1;
  for (current_ = from; current_ < chunks_.size(); ++current_) {
    if (chunks_[current_].bytes >= bytes) break;
  }
  if (current_ == chunks_.size()) {
    const size_t wanted = std::max(kChunkBytes, (bytes + 4095) / 4096 * 4096);
    void* const memory = mmap(nullptr, wanted, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    if (memory == MAP_FAILED) Fail("there is no more memory below 2 GB");
    chunks_.push_back({reinterpret_cast<uintptr_t>(memory), wanted});
  }
  end_ = chunks_[current_].begin + chunks_[current_].bytes;
  return chunks_[current_].begin;
}

void LowArena::Reset() {
  current_ = 0;
  next_ = chunks_.empty() ? 0 : chunks_[0].begin;
  end_ = chunks_.empty() ? 0 : next_ + chunks_[0].bytes;
}

size_t LowArena::used() const {
  if (chunks_.empty()) return 0;
  size_t bytes = next_ - chunks_[current_].begin;
  for (size_t i = 0; i < current_; ++i) bytes += chunks_[i].bytes;
  return bytes;
}

}  // namespace tenure::lab
