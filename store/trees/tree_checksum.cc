#include "store/trees/tree_checksum.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tenure::store {

namespace {

constexpr uint32_t kFactor = 33;

constexpr uint32_t Power(unsigned exponent) {
  uint32_t power = 1;
  for (; exponent > 0; --exponent) power *= kFactor;
  return power;
}

// Eight bytes at a time: their products do not wait for each other.
uint32_t Plain(uint32_t sum, const uint8_t* bytes, size_t count) {
  for (; count >= 8; bytes += 8, count -= 8) {
    sum = sum * Power(8) + bytes[0] * Power(7) + bytes[1] * Power(6) + bytes[2] * Power(5) +
          bytes[3] * Power(4) + bytes[4] * Power(3) + bytes[5] * Power(2) + bytes[6] * Power(1) +
          bytes[7];
  }
  for (; count > 0; ++bytes, --count) sum = sum * kFactor + *bytes;
  return sum;
}

#if defined(__x86_64__)

constexpr size_t kStep = 128;  // four vectors, so that a multiplication need not wait

// The sum of four bytes in each of eight lanes. No partial sum overflows: at most 255 * 34 in 16
// bits with sign, and that times 33^2 + 1 in 32.
__attribute__((target("avx2"))) __m256i FourBytes(const uint8_t* bytes) {
  const __m256i pairs = _mm256_maddubs_epi16(
      _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes)), _mm256_set1_epi16(0x0121));
  return _mm256_madd_epi16(pairs, _mm256_set1_epi32((1 << 16) | Power(2)));
}

// `count` is a multiple of kStep. Lane j of vector v ends with the sum of its own four bytes of
// every step; what each is still to be multiplied with follows from its place.
__attribute__((target("avx2"))) uint32_t Vectors(const uint8_t* bytes, size_t count) {
  const __m256i step = _mm256_set1_epi32(static_cast<int>(Power(kStep)));
  __m256i a = _mm256_setzero_si256(), b = a, c = a, d = a;
  for (; count > 0; bytes += kStep, count -= kStep) {
    a = _mm256_add_epi32(_mm256_mullo_epi32(a, step), FourBytes(bytes));
    b = _mm256_add_epi32(_mm256_mullo_epi32(b, step), FourBytes(bytes + 32));
    c = _mm256_add_epi32(_mm256_mullo_epi32(c, step), FourBytes(bytes + 64));
    d = _mm256_add_epi32(_mm256_mullo_epi32(d, step), FourBytes(bytes + 96));
  }
  alignas(32) uint32_t lanes[kStep / 4];
  _mm256_store_si256(reinterpret_cast<__m256i*>(lanes), a);
  _mm256_store_si256(reinterpret_cast<__m256i*>(lanes + 8), b);
  _mm256_store_si256(reinterpret_cast<__m256i*>(lanes + 16), c);
  _mm256_store_si256(reinterpret_cast<__m256i*>(lanes + 24), d);
  uint32_t sum = 0;
  for (const uint32_t lane : lanes) sum = sum * Power(4) + lane;
  return sum;
}

bool HasVectors() {
  static const bool has = __builtin_cpu_supports("avx2");
  return has;
}

#endif

}  // namespace

uint32_t TreeChecksum(const void* bytes, size_t count) {
  const auto* at = static_cast<const uint8_t*>(bytes);
  uint32_t sum = 0;
#if defined(__x86_64__)
  if (count >= kStep && HasVectors()) {
    const size_t most = count - count % kStep;
    sum = Vectors(at, most);
    at += most;
    count -= most;
  }
#endif
  return Plain(sum, at, count);
}

void LinkTreeChecksum() {}

}  // namespace tenure::store

struct __db;

// Replaces Berkeley DB's checksum function, by its name. The first argument is not used.
extern "C" uint32_t __ham_func4(__db*, const void* key, uint32_t length) {
  return tenure::store::TreeChecksum(key, length);
}
