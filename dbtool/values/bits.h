// Bits of an object's payload: bit i of a payload is bit i % 8 of its byte i / 8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tenure::dbtool {

// `count` bits, at most 64, from bit `offset` on. 0 if they do not all lie in `bytes`.
uint64_t BitsAt(std::span<const std::byte> bytes, uint64_t offset, uint64_t count);
// Bits that do not all lie in `bytes` change nothing.
void PutBits(std::span<std::byte> bytes, uint64_t offset, uint64_t count, uint64_t value);
// Any number of bits; both places must have them.
void CopyBits(std::span<const std::byte> from, uint64_t from_bit, std::span<std::byte> to,
              uint64_t to_bit, uint64_t count);

}  // namespace tenure::dbtool
