// The least and the greatest values of HeapOptions. The run time checks its flags against them.
#pragma once

#include <cstddef>

#include "abi/heap_constants.h"

namespace tenure::gc {

// The least limit that a heap may have (HeapOptions::max_heap_bytes).
inline constexpr size_t kSmallestHeap = 64 * abi::kPageBytes;
// The least fixed size of the nursery (HeapOptions::nursery_bytes). A collection more often than at
// every 16th page would cost more than it frees.
inline constexpr size_t kSmallestNursery = 16 * abi::kPageBytes;
// The most threads of a full collection (HeapOptions::collector_threads).
inline constexpr size_t kMostCollectorThreads = 8;

}  // namespace tenure::gc
