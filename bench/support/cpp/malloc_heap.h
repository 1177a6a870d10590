// Namespace heap by malloc. A program of C++ objects takes one of malloc_heap.h, libgc_heap.h and
// mapped_heap.h, before the objects:
//
//   void* Allocate(size_t bytes)       fails by ending the program
//   void* AllocateChars(size_t bytes) the same for objects without pointers
//   void Free(void* place)             frees a block of either, or null
#pragma once

#include <cstddef>
#include <cstdlib>

namespace heap {

inline void* Allocate(size_t bytes) {
  void* place = std::malloc(bytes);
  if (place == nullptr) std::abort();
  return place;
}

inline void* AllocateChars(size_t bytes) { return Allocate(bytes); }

inline void Free(void* place) { std::free(place); }

}  // namespace heap
