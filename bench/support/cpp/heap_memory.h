// The heap that was included (malloc_heap.h), as memory of the laboratory's PointerHeap.
#pragma once

#include <cstddef>

#include "bench/support/cpp/containers.h"
#include "lab/oo7/pointer_heap.h"

namespace bench {

struct HeapMemory {
  template <class Key, class Value>
  using Index = bench::Index<Key, Value>;
  using String = bench::HeapString;
  static void* Allocate(size_t bytes) { return heap::Allocate(bytes); }
  static void* AllocateChars(size_t bytes) { return heap::AllocateChars(bytes); }
  static void Free(void* place) { heap::Free(place); }
};

using Pointers = tenure::lab::oo7::PointerHeap<HeapMemory>;

}  // namespace bench
