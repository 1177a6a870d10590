// Copies of the few characters that texts consist of most often.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tenure::runtime {

// As std::memcpy; a call of that would take longer than the few bytes.
inline void CopyShort(char* to, const char* from, size_t bytes) {
  if (bytes > 16) {
    std::memcpy(to, from, bytes);
  } else if (bytes >= 8) {
    uint64_t first, last;
    std::memcpy(&first, from, 8);
    std::memcpy(&last, from + bytes - 8, 8);
    std::memcpy(to, &first, 8);
    std::memcpy(to + bytes - 8, &last, 8);
  } else if (bytes >= 4) {
    uint32_t first, last;
    std::memcpy(&first, from, 4);
    std::memcpy(&last, from + bytes - 4, 4);
    std::memcpy(to, &first, 4);
    std::memcpy(to + bytes - 4, &last, 4);
  } else {
    for (size_t i = 0; i < bytes; ++i) to[i] = from[i];
  }
}

}  // namespace tenure::runtime
