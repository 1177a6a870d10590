// Copying a few bytes without a call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tenure {

// memcpy for lengths that are mostly one word: a load and a store, without a call.
inline void CopyMostlyWord(void* to, const void* from, size_t bytes) {
  if (bytes == sizeof(uint64_t)) {
    std::memcpy(to, from, sizeof(uint64_t));
  } else if (bytes > 0) {
    std::memcpy(to, from, bytes);
  }
}

}  // namespace tenure
