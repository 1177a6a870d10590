// Copies and comparisons of the few characters that texts consist of most often.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tenure::runtime {

// 16 bytes, which have a register of their own.
struct TwoWords {
  uint64_t words[2];
};

// Copies between one and two words.
template <typename Word>
void CopyEnds(char* to, const char* from, size_t bytes) {
  Word first, last;
  std::memcpy(&first, from, sizeof first);
  std::memcpy(&last, from + bytes - sizeof last, sizeof last);
  std::memcpy(to, &first, sizeof first);
  std::memcpy(to + bytes - sizeof last, &last, sizeof last);
}
template <typename Word>
bool EqualEnds(const char* a, const char* b, size_t bytes) {
  Word first[2], last[2];
  std::memcpy(&first[0], a, sizeof(Word));
  std::memcpy(&first[1], b, sizeof(Word));
  std::memcpy(&last[0], a + bytes - sizeof(Word), sizeof(Word));
  std::memcpy(&last[1], b + bytes - sizeof(Word), sizeof(Word));
  return first[0] == first[1] && last[0] == last[1];
}

// As std::memcpy; a call of that would take longer than the few bytes.
inline void CopyShort(char* to, const char* from, size_t bytes) {
  if (bytes > 32) {
    std::memcpy(to, from, bytes);
  } else if (bytes > 16) {
    CopyEnds<TwoWords>(to, from, bytes);
  } else if (bytes >= 8) {
    CopyEnds<uint64_t>(to, from, bytes);
  } else if (bytes >= 4) {
    CopyEnds<uint32_t>(to, from, bytes);
  } else {
    for (size_t i = 0; i < bytes; ++i) to[i] = from[i];
  }
}

// Whether std::memcmp finds no difference.
inline bool EqualShort(const char* a, const char* b, size_t bytes) {
  if (bytes > 16) return std::memcmp(a, b, bytes) == 0;
  if (bytes >= 8) return EqualEnds<uint64_t>(a, b, bytes);
  if (bytes >= 4) return EqualEnds<uint32_t>(a, b, bytes);
  for (size_t i = 0; i < bytes; ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

}  // namespace tenure::runtime
