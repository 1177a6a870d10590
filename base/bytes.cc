#include "base/bytes.h"

namespace tenure {

void ByteWriter::PutLong(uint64_t number) {
  char bytes[10];
  size_t count = 0;
  for (; number >= 0x80; number >>= 7) bytes[count++] = static_cast<char>(number | 0x80);
  bytes[count++] = static_cast<char>(number);
  PutBytes(bytes, count);
}

void ByteReader::GetBytes(void* bytes, size_t count) {
  const std::span<const std::byte> taken = GetBytes(count);
  if (count == 0) return;
  if (taken.size() == count) {
    std::memcpy(bytes, taken.data(), count);
  } else {
    std::memset(bytes, 0, count);
  }
}

uint64_t ByteReader::GetNumber() {
  if (form_ == NumberForm::kFixed) return Get<uint64_t>();
  if (form_ == NumberForm::kFixed4) return Get<uint32_t>();
  uint64_t number = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const auto part = Get<uint8_t>();
    number |= static_cast<uint64_t>(part & 0x7f) << shift;
    if (part < 0x80) return number;
  }
  failed_ = true;
  return 0;
}

std::string ByteReader::GetText() {
  const std::span<const std::byte> bytes = GetBytes(GetCount(1));
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

size_t ByteReader::GetCount(size_t least) {
  const uint64_t count = GetNumber();
  if (form_ == NumberForm::kShort) least = (least + 7) / 8;
  if (failed_ || count > rest_.size() / least) {
    failed_ = true;
    return 0;
  }
  return static_cast<size_t>(count);
}

}  // namespace tenure
