#include "abi/fingerprint.h"

namespace tenure::abi {

namespace {

// Both halves of a 128-bit product folded together: every bit of the result depends on all of both.
uint64_t Fold(uint64_t a, uint64_t b) {
  const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

}  // namespace

void FingerprintHasher::Add(uint64_t word) {
  low_ = Fold(low_ ^ word, 0xa0761d6478bd642full) + high_;
  high_ = Fold(high_ + word, 0xe7037ed1a0b428dbull) ^ low_;
}

void FingerprintHasher::Add(std::string_view bytes) {
  Add(uint64_t{bytes.size()});
  for (size_t i = 0; i < bytes.size(); i += 8) {
    uint64_t word = 0;
    for (size_t k = 0; k < 8 && i + k < bytes.size(); ++k) {
      word |= uint64_t{static_cast<unsigned char>(bytes[i + k])} << (8 * k);
    }
    Add(word);
  }
}

uint64_t FingerprintHasher::Finish() const {
  return Fold(low_ ^ 0x8ebc6af09c88c6e3ull, high_ ^ 0x589965cc75374cc3ull);
}

}  // namespace tenure::abi
