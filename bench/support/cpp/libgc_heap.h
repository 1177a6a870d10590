// Namespace heap (see malloc_heap.h) by the conservative collector libgc. `main` calls GC_INIT.
#pragma once

#include <gc.h>

#include <cstddef>
#include <cstdlib>

namespace heap {

inline void* Allocate(size_t bytes) {
  void* place = GC_MALLOC(bytes);
  if (place == nullptr) std::abort();
  return place;
}

// The collector does not scan these objects.
inline void* AllocateChars(size_t bytes) {
  void* place = GC_MALLOC_ATOMIC(bytes);
  if (place == nullptr) std::abort();
  return place;
}

inline void Free(void*) {}  // the collector does it

}  // namespace heap
