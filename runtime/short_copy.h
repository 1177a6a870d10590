// Copies and comparisons of the few characters that texts consist of most often.
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

// Whether std::memcmp finds no difference.
inline bool EqualShort(const char* a, const char* b, size_t bytes) {
  if (bytes > 16) return std::memcmp(a, b, bytes) == 0;
  if (bytes >= 8) {
    uint64_t first[2], last[2];
    std::memcpy(&first[0], a, 8);
    std::memcpy(&first[1], b, 8);
    std::memcpy(&last[0], a + bytes - 8, 8);
    std::memcpy(&last[1], b + bytes - 8, 8);
    return first[0] == first[1] && last[0] == last[1];
  }
  if (bytes >= 4) {
    uint32_t first[2], last[2];
    std::memcpy(&first[0], a, 4);
    std::memcpy(&first[1], b, 4);
    std::memcpy(&last[0], a + bytes - 4, 4);
    std::memcpy(&last[1], b + bytes - 4, 4);
    return first[0] == first[1] && last[0] == last[1];
  }
  for (size_t i = 0; i < bytes; ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

}  // namespace tenure::runtime
