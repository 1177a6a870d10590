#include "base/crc32c.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/random.h"

namespace tenure {
namespace {

std::span<const std::byte> Bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

// The value that RFC 3720 gives for the digits, and another of its examples.
TEST(Crc32cTest, IsCastagnoli) {
  EXPECT_EQ(Crc32c(0, Bytes("123456789")), 0xE3069283u);
  std::byte zeros[32] = {};
  EXPECT_EQ(Crc32c(0, zeros), 0x8A9136AAu);
  EXPECT_EQ(Crc32c(Crc32c(0, Bytes("1234")), Bytes("56789")), 0xE3069283u);
}

// Long inputs are summed in several parts side by side, and the sums are combined.
TEST(Crc32cTest, OfManyBytesIsThatOfItsPieces) {
  std::string bytes(5 * 8192 + 77, '\0');
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 131 + i / 251);
  for (const size_t length : {8191u, 8192u, 8193u, 3u * 8192, 5u * 8192 + 77}) {
    const std::string_view whole(bytes.data(), length);
    uint32_t sum = 0;
    for (size_t at = 0; at < length; at += 1000) sum = Crc32c(sum, Bytes(whole.substr(at, 1000)));
    EXPECT_EQ(Crc32c(0, Bytes(whole)), sum) << length;
    EXPECT_EQ(Crc32c(77, Bytes(whole)),
              Crc32c(Crc32c(77, Bytes(whole.substr(0, 5))), Bytes(whole.substr(5))))
        << length;
  }
}

TEST(Crc32cTest, SumsOfPartsAreJoined) {
  std::vector<std::byte> bytes(3 * kCrcBlockBytes + 5);
  Random random(4711);
  for (std::byte& byte : bytes) byte = std::byte(random.Below(256));
  const std::span<const std::byte> all = bytes;
  for (const size_t cut : {size_t{0}, size_t{1}, size_t{44}, kCrcBlockBytes, all.size() - 1025,
                           all.size() - 1024, all.size() - 1017, all.size() - 3, all.size()}) {
    const uint32_t first = Crc32c(0, all.first(cut)), second = Crc32c(0, all.subspan(cut));
    EXPECT_EQ(JoinedCrc32c(first, second, all.size() - cut), Crc32c(0, all)) << cut;
  }
}

// The sum bit by bit, by the definition of the polynomial.
uint32_t Slowly(std::span<const std::byte> bytes) {
  uint32_t crc = ~uint32_t{0};
  for (const std::byte byte : bytes) {
    crc ^= static_cast<uint32_t>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82F63B78 : 0);
  }
  return ~crc;
}

TEST(Crc32cTest, IsThatOfTheDefinition) {
  Random random(12);
  std::vector<std::byte> bytes(2 * kCrcBlockBytes + 100);
  for (std::byte& byte : bytes) byte = std::byte(random.Below(256));
  for (size_t begin = 0; begin < 9; ++begin) {
    for (const size_t length : {size_t{0}, size_t{1}, size_t{7}, size_t{64}, kCrcBlockBytes - 1,
                                kCrcBlockBytes, 2 * kCrcBlockBytes + 9}) {
      const auto some = std::span<const std::byte>(bytes).subspan(begin, length);
      EXPECT_EQ(Crc32c(0, some), Slowly(some)) << begin << ' ' << length;
    }
  }
}

TEST(Crc32cTest, QuartersAreSummedEach) {
  Random random(13);
  std::vector<std::byte> bytes(kCrcBlockBytes);
  for (std::byte& byte : bytes) byte = std::byte(random.Below(256));
  const std::span<const std::byte> block = bytes;
  const auto sums = Crc32cOfQuarters(block.first<kCrcBlockBytes>());
  for (size_t q = 0; q < 4; ++q) {
    EXPECT_EQ(sums[q], Crc32c(0, block.subspan(q * kCrcBlockBytes / 4, kCrcBlockBytes / 4))) << q;
  }
}

}  // namespace
}  // namespace tenure
