#pragma once

#include <cstddef>

#include "abi/heap_constants.h"

namespace tenure::gc {

// The least limit that a heap may have (HeapOptions::max_heap_bytes).
inline constexpr size_t kSmallestHeap = 64 * abi::kPageBytes;

}  // namespace tenure::gc
