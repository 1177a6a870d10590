// A seeded generator for tests and benchmarks: the same seed gives the same sequence on every
// machine. Not for secrets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/check.h"

namespace tenure {

// SplitMix64: a counter that steps by the golden ratio, mixed by two multiplications. One thread.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    state_ += 0x9E3779B97F4A7C15u;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  // In [0, limit), limit > 0. The high half of the product is uniform up to limit/2^64.
  uint64_t Below(uint64_t limit) {
    TN_DCHECK(limit > 0);
    return static_cast<uint64_t>((static_cast<unsigned __int128>(Next()) * limit) >> 64);
  }

  // In [low, high], low <= high, the whole range of int64_t excepted.
  int64_t Between(int64_t low, int64_t high) {
    TN_DCHECK(low <= high);
    const uint64_t count = static_cast<uint64_t>(high) - static_cast<uint64_t>(low) + 1;
    return static_cast<int64_t>(static_cast<uint64_t>(low) + Below(count));
  }

  // True once in `times` on average.
  bool OneIn(uint64_t times) { return Below(times) == 0; }

  // In [0, 1).
  double Real() { return static_cast<double>(Next() >> 11) * 0x1.0p-53; }

  // Any order of the sequence equally likely.
  template <typename Sequence>
  void Shuffle(Sequence& sequence) {
    for (size_t i = sequence.size(); i > 1; --i) std::swap(sequence[i - 1], sequence[Below(i)]);
  }

 private:
  uint64_t state_;
};

}  // namespace tenure
