#include "base/crc32c.h"

#include <array>
#include <cstring>

namespace tenure {

namespace {

constexpr uint32_t kPolynomial = 0x82F63B78;  // CRC-32C, bits reversed

constexpr std::array<uint32_t, 256> MakeTable() {
  std::array<uint32_t, 256> table{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
    table[byte] = crc;
  }
  return table;
}

constexpr std::array<uint32_t, 256> kTable = MakeTable();

// A block's quarters are summed side by side: the processor's CRC instruction takes three cycles
// but can start every cycle, so four independent sums cost little more than one.
constexpr size_t kQuarters = 4;
constexpr size_t kQuarterBytes = kCrcBlockBytes / kQuarters;
using QuarterSums = std::array<uint32_t, kQuarters>;

uint32_t SoftwareCrc(uint32_t crc, const std::byte* bytes, size_t count) {
  crc = ~crc;
  for (size_t i = 0; i < count; ++i) {
    crc = (crc >> 8) ^ kTable[(crc ^ static_cast<uint32_t>(bytes[i])) & 0xFF];
  }
  return ~crc;
}

QuarterSums SoftwareQuarters(const std::byte* contents) {
  QuarterSums sums;
  for (size_t q = 0; q < kQuarters; ++q) {
    sums[q] = SoftwareCrc(0, contents + q * kQuarterBytes, kQuarterBytes);
  }
  return sums;
}

#if defined(__x86_64__)

uint64_t Word(const std::byte* at) {
  uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

// The effect on a checksum of as many zeros as a quarter of a block has. It is linear: the table
// has the result for each value of each byte of the checksum.
using QuarterOfZeros = std::array<std::array<uint32_t, 256>, 4>;

__attribute__((target("sse4.2"))) QuarterOfZeros MakeQuarterOfZeros() {
  QuarterOfZeros table{};
  for (size_t bit = 0; bit < 32; ++bit) {
    uint64_t sum = uint64_t{1} << bit;
    for (size_t i = 0; i < kQuarterBytes; i += 8) sum = __builtin_ia32_crc32di(sum, 0);
    std::array<uint32_t, 256>& of_byte = table[bit / 8];
    for (size_t value = 0; value < 256; ++value) {
      if ((value >> bit % 8 & 1) != 0) of_byte[value] ^= static_cast<uint32_t>(sum);
    }
  }
  return table;
}

// Here, too, four checksums side by side.
__attribute__((target("sse4.2"))) uint64_t HardwareSumOfBlock(uint64_t sum,
                                                              const std::byte* bytes) {
  static const QuarterOfZeros zeros = MakeQuarterOfZeros();
  uint64_t a = sum, b = 0, c = 0, d = 0;
  for (size_t i = 0; i < kQuarterBytes; i += 8) {
    a = __builtin_ia32_crc32di(a, Word(bytes + i));
    b = __builtin_ia32_crc32di(b, Word(bytes + kQuarterBytes + i));
    c = __builtin_ia32_crc32di(c, Word(bytes + 2 * kQuarterBytes + i));
    d = __builtin_ia32_crc32di(d, Word(bytes + 3 * kQuarterBytes + i));
  }
  const auto behind = [](uint64_t first, uint64_t second) {
    return zeros[0][first & 0xFF] ^ zeros[1][first >> 8 & 0xFF] ^ zeros[2][first >> 16 & 0xFF] ^
           zeros[3][first >> 24 & 0xFF] ^ second;
  };
  return behind(behind(behind(a, b), c), d);
}

__attribute__((target("sse4.2"))) uint32_t HardwareCrc(uint32_t crc, const std::byte* bytes,
                                                       size_t count) {
  uint64_t sum = static_cast<uint32_t>(~crc);
  for (; count >= kCrcBlockBytes; bytes += kCrcBlockBytes, count -= kCrcBlockBytes) {
    sum = HardwareSumOfBlock(sum, bytes);
  }
  for (; count >= 8; bytes += 8, count -= 8) sum = __builtin_ia32_crc32di(sum, Word(bytes));
  auto rest = static_cast<uint32_t>(sum);
  for (; count > 0; ++bytes, --count) {
    rest = __builtin_ia32_crc32qi(rest, static_cast<unsigned char>(*bytes));
  }
  return ~rest;
}

// The effect of zeros behind the bytes that were summed.
__attribute__((target("sse4.2"))) uint32_t HardwareSumOfZeros(uint32_t first, uint64_t count) {
  uint64_t sum = first;
  for (; count >= 8; count -= 8) sum = __builtin_ia32_crc32di(sum, 0);
  auto rest = static_cast<uint32_t>(sum);
  for (; count > 0; --count) rest = __builtin_ia32_crc32qi(rest, 0);
  return rest;
}

__attribute__((target("sse4.2"))) QuarterSums HardwareQuarters(const std::byte* contents) {
  uint64_t a = 0xFFFFFFFF, b = a, c = a, d = a;
  for (size_t i = 0; i < kQuarterBytes; i += 8) {
    a = __builtin_ia32_crc32di(a, Word(contents + i));
    b = __builtin_ia32_crc32di(b, Word(contents + kQuarterBytes + i));
    c = __builtin_ia32_crc32di(c, Word(contents + 2 * kQuarterBytes + i));
    d = __builtin_ia32_crc32di(d, Word(contents + 3 * kQuarterBytes + i));
  }
  return {~static_cast<uint32_t>(a), ~static_cast<uint32_t>(b), ~static_cast<uint32_t>(c),
          ~static_cast<uint32_t>(d)};
}

bool HasHardware() {
  static const bool has = __builtin_cpu_supports("sse4.2");
  return has;
}

uint32_t Crc(uint32_t crc, const std::byte* bytes, size_t count) {
  return HasHardware() ? HardwareCrc(crc, bytes, count) : SoftwareCrc(crc, bytes, count);
}

QuarterSums Quarters(const std::byte* contents) {
  return HasHardware() ? HardwareQuarters(contents) : SoftwareQuarters(contents);
}

// Up to this many, each zero takes less time than its part of a multiplication does.
constexpr uint64_t kFewZeros = 1024;

bool SumOfZeros(uint32_t* sum, uint64_t count) {
  if (count > kFewZeros || !HasHardware()) return false;
  *sum = HardwareSumOfZeros(*sum, count);
  return true;
}

#else

bool SumOfZeros(uint32_t*, uint64_t) { return false; }

uint32_t Crc(uint32_t crc, const std::byte* bytes, size_t count) {
  return SoftwareCrc(crc, bytes, count);
}

QuarterSums Quarters(const std::byte* contents) { return SoftwareQuarters(contents); }

#endif

}  // namespace

uint32_t Crc32c(uint32_t crc, std::span<const std::byte> bytes) {
  return Crc(crc, bytes.data(), bytes.size());
}

namespace {

// The product of polynomials over the field of two elements, modulo that of CRC-32C; bit 31 is x^0.
uint32_t ProductOf(uint32_t a, uint32_t b) {
  uint32_t product = 0;
  for (uint32_t bit = uint32_t{1} << 31; bit != 0; bit >>= 1) {
    if ((a & bit) != 0) product ^= b;
    b = (b >> 1) ^ ((b & 1) != 0 ? kPolynomial : 0);
  }
  return product;
}

}  // namespace

uint32_t JoinedCrc32c(uint32_t first, uint32_t second, uint64_t second_bytes) {
  if (SumOfZeros(&first, second_bytes)) return first ^ second;
  // The first sum is multiplied by x once for each bit behind it.
  uint32_t power = uint32_t{1} << 23;  // x^8
  for (; second_bytes != 0; second_bytes >>= 1) {
    if ((second_bytes & 1) != 0) first = ProductOf(first, power);
    power = ProductOf(power, power);
  }
  return first ^ second;
}

std::array<uint32_t, 4> Crc32cOfQuarters(std::span<const std::byte, kCrcBlockBytes> block) {
  return Quarters(block.data());
}

}  // namespace tenure
