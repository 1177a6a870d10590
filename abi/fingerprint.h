// Hashing for type fingerprints: 64 bits, the same on every machine and in every version of Tenure,
// since databases store the results. Not for adversaries.
#pragma once

#include <cstdint>
#include <string_view>

namespace tenure::abi {

class FingerprintHasher {
 public:
  void Add(uint64_t word);
  void Add(
      std::string_view bytes);  // with its length, so that ("ab", "c") differs from ("a", "bc")
  uint64_t Finish() const;

 private:
  uint64_t low_ = 0x9ae16a3b2f90404full;
  uint64_t high_ = 0xc949d7c7509e6557ull;
};

}  // namespace tenure::abi
