// OO7 in C++ with malloc and no store: the limit that all others are measured by.
#include <cstddef>
#include <cstdlib>
#include <new>

namespace heap {

inline void* Allocate(size_t bytes) {
  void* place = std::malloc(bytes);
  if (place == nullptr) std::abort();
  return place;
}

inline void* AllocateChars(size_t bytes) { return Allocate(bytes); }

inline void Free(void* place) { std::free(place); }

template <class T>
T* Make() {
  return new (Allocate(sizeof(T))) T();
}

}  // namespace heap

#include "bench/oo7_cpp/measure.h"

int main(int argc, char** argv) { return oo7::MeasureInMemory(argc, argv); }
