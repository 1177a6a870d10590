// The checksum of all that is stored or sent: CRC-32C (Castagnoli, RFC 3720), by the processor's
// instructions where it has them. Any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tenure {

// The checksum of `bytes`, continued from `crc`, which is 0 at first.
uint32_t Crc32c(uint32_t crc, std::span<const std::byte> bytes);

// The checksum of two byte sequences, one behind the other, from the checksum of each (started with
// 0) and the length of the second.
uint32_t JoinedCrc32c(uint32_t first, uint32_t second, uint64_t second_bytes);

// The checksums of a block's four quarters, each started with 0. All four take little more time
// than one.
inline constexpr size_t kCrcBlockBytes = 8192;
std::array<uint32_t, 4> Crc32cOfQuarters(std::span<const std::byte, kCrcBlockBytes> block);

}  // namespace tenure
