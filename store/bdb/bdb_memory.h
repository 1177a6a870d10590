// What a page server over Berkeley DB takes of memory, in proportion to its cache.
#pragma once

#include <algorithm>
#include <cstdint>

#include "store/trees/double_write.h"

namespace tenure::store {

// The buffer of Berkeley DB's log. A larger one means fewer writes; it is not worth more than a
// quarter of the cache.
constexpr uint32_t LogBufferBytes(uint64_t cache_bytes) {
  return static_cast<uint32_t>(std::clamp<uint64_t>(cache_bytes / 4, 256 << 10, 4 << 20));
}

// The most bytes of pages that wait for their trees.
constexpr uint64_t MostPendingBytes(uint64_t cache_bytes) {
  return std::max<uint64_t>(2 << 20, 2 * cache_bytes);
}

// All memory of the server. Berkeley DB makes a cache a quarter larger than it was told.
constexpr uint64_t MemoryOfServer(uint64_t cache_bytes) {
  return cache_bytes / 4 * 5 + LogBufferBytes(cache_bytes) + kDoubleWriteBatchBytes +
         MostPendingBytes(cache_bytes);
}

}  // namespace tenure::store
