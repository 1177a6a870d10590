// Memory below 2 GB, so that an address fits into a slot of 4 bytes beside its tag.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tenure::lab {

// Gives memory out in order, and frees all of it with the arena. Memory is zero when it is given
// out for the first time, and unchanged after Reset. One thread.
class LowArena {
 public:
  LowArena() = default;
  ~LowArena();
  LowArena(const LowArena&) = delete;
  LowArena& operator=(const LowArena&) = delete;

  // `bytes` at an address that `alignment`, a power of two up to the page size, divides. Ends the
  // program when no memory below 2 GB is left.
  void* Allocate(size_t bytes, size_t alignment = 8) {
    uintptr_t at = (next_ + alignment - 1) & ~(uintptr_t{alignment} - 1);
    if (at + bytes > end_) at = NextChunk(bytes);
    next_ = at + bytes;
    return reinterpret_cast<void*>(at);
  }
  // All that was given out is free again. The memory stays mapped, so that a second use costs no
  // page faults.
  void Reset();
  // Given out since the beginning or the last Reset.
  size_t used() const;

 private:
  struct Chunk {
    uintptr_t begin;
    size_t bytes;
  };
  uintptr_t NextChunk(size_t bytes);

  std::vector<Chunk> chunks_;
  size_t current_ = 0;  // the chunk that memory comes from, if there is one
  uintptr_t next_ = 0, end_ = 0;
};

}  // namespace tenure::lab
