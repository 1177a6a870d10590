// The random numbers that all programs of a benchmark draw, whatever language they are in.
#pragma once

#include <cstdint>

namespace tenure::lab {

inline uint64_t random_state = 1;

inline void StartRandom(uint64_t seed) { random_state = seed; }

// A number from 0 to n - 1.
inline int32_t Draw(int64_t n) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<int32_t>((random_state >> 33) % static_cast<uint64_t>(n));
}

}  // namespace tenure::lab
