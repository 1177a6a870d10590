// OO7 in C++ with the conservative collector libgc in place of malloc and free.
#include <gc.h>

#include <cstddef>
#include <cstdlib>
#include <new>

namespace heap {

inline void* Allocate(size_t bytes) {
  void* place = GC_MALLOC(bytes);
  if (place == nullptr) std::abort();
  return place;
}

// The collector need not look into them.
inline void* AllocateChars(size_t bytes) {
  void* place = GC_MALLOC_ATOMIC(bytes);
  if (place == nullptr) std::abort();
  return place;
}

inline void Free(void*) {}  // the collector does it

template <class T>
T* Make() {
  return new (Allocate(sizeof(T))) T();
}

}  // namespace heap

#include "bench/oo7_cpp/measure.h"

int main(int argc, char** argv) {
  GC_INIT();
  return oo7::MeasureInMemory(argc, argv);
}
