#include "dbtool/values/bits.h"

#include <algorithm>
#include <cstring>

namespace tenure::dbtool {

uint64_t BitsAt(std::span<const std::byte> bytes, uint64_t offset, uint64_t count) {
  unsigned __int128 value = 0;
  const uint64_t first = offset / 8, last = (offset + count + 7) / 8;
  if (count == 0 || last > bytes.size()) return 0;
  for (uint64_t i = last; i > first; --i) value = value << 8 | static_cast<unsigned>(bytes[i - 1]);
  value >>= offset % 8;
  const auto low = static_cast<uint64_t>(value);
  return count >= 64 ? low : low & ((uint64_t{1} << count) - 1);
}

void PutBits(std::span<std::byte> bytes, uint64_t offset, uint64_t count, uint64_t value) {
  const uint64_t last = (offset + count + 7) / 8;
  if (count == 0 || last > bytes.size()) return;
  for (uint64_t done = 0; done < count;) {
    const uint64_t bit = offset + done, within = bit % 8;
    const uint64_t part = std::min<uint64_t>(8 - within, count - done);
    const auto mask = static_cast<unsigned>(((1u << part) - 1) << within);
    const auto now = static_cast<unsigned>(bytes[bit / 8]);
    const auto fresh = static_cast<unsigned>(value >> done << within) & mask;
    bytes[bit / 8] = static_cast<std::byte>((now & ~mask) | fresh);
    done += part;
  }
}

void CopyBits(std::span<const std::byte> from, uint64_t from_bit, std::span<std::byte> to,
              uint64_t to_bit, uint64_t count) {
  uint64_t done = 0;
  if (from_bit % 8 == 0 && to_bit % 8 == 0) {
    done = count / 8 * 8;
    std::memcpy(to.data() + to_bit / 8, from.data() + from_bit / 8, count / 8);
  }
  for (; done < count; done += 64) {
    const uint64_t part = std::min<uint64_t>(64, count - done);
    PutBits(to, to_bit + done, part, BitsAt(from, from_bit + done, part));
  }
}

}  // namespace tenure::dbtool
