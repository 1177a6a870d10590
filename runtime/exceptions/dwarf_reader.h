// Reads the numbers and addresses of DWARF's exception tables, and of tables in their form.
#pragma once

#include <cstdint>
#include <cstring>

#include "base/check.h"

namespace tenure::runtime {

// Pointer encodings of DWARF exception tables: the format in the low four bits, then the base of a
// relative value, then whether the value is indirect.
namespace pointer_encoding {
enum : uint8_t {
  kAbsolutePointer = 0x00,
  kUleb128 = 0x01,
  kUdata2 = 0x02,
  kUdata4 = 0x03,
  kUdata8 = 0x04,
  kSleb128 = 0x09,
  kSdata2 = 0x0a,
  kSdata4 = 0x0b,
  kSdata8 = 0x0c,
  kFormatMask = 0x0f,
  kRelativeToPlace = 0x10,
  kRelativeMask = 0x70,
  kIndirect = 0x80,
  kOmitted = 0xff,
};
}  // namespace pointer_encoding

// Compilers wrote the tables, so a form that the reader does not know ends the process.
class DwarfReader {
 public:
  explicit DwarfReader(const uint8_t* at) : at_(at) {}

  const uint8_t* at() const { return at_; }

  uint8_t Byte() { return *at_++; }

  uint64_t Uleb128() { return Leb128().value; }

  int64_t Sleb128() {
    const auto [value, bits, negative] = Leb128();
    const bool extend = negative && bits < 64;
    return static_cast<int64_t>(extend ? value | ~uint64_t{0} << bits : value);
  }

  // Reads a value, and adds no base to it.
  uintptr_t Plain(uint8_t encoding) {
    using namespace pointer_encoding;
    switch (encoding & kFormatMask) {
      case kAbsolutePointer: return Fixed<uint64_t>();
      case kUleb128: return Uleb128();
      case kUdata2: return Fixed<uint16_t>();
      case kUdata4: return Fixed<uint32_t>();
      case kUdata8: return Fixed<uint64_t>();
      case kSleb128: return static_cast<uintptr_t>(Sleb128());
      case kSdata2: return static_cast<uintptr_t>(int64_t{Fixed<int16_t>()});
      case kSdata4: return static_cast<uintptr_t>(int64_t{Fixed<int32_t>()});
      case kSdata8: return Fixed<uint64_t>();
      default: TN_UNREACHABLE();
    }
  }

  // An address, or zero, which stays zero for every base: zero is the null of a catch-all clause.
  uintptr_t Pointer(uint8_t encoding) {
    using namespace pointer_encoding;
    const uintptr_t place = reinterpret_cast<uintptr_t>(at_);
    uintptr_t value = Plain(encoding);
    if (value == 0) return 0;
    const uint8_t relative = encoding & kRelativeMask;
    TN_CHECK(relative == 0 || relative == kRelativeToPlace);
    if (relative == kRelativeToPlace) value += place;
    if ((encoding & kIndirect) != 0) value = *reinterpret_cast<const uintptr_t*>(value);
    return value;
  }

  template <typename T>
  T Fixed() {
    T value;
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return value;
  }

 private:
  struct Leb {
    uint64_t value;  // its low bits
    unsigned bits;   // how many were written
    bool negative;   // the highest of these is set
  };

  Leb Leb128() {
    uint64_t value = 0;
    unsigned bits = 0;
    uint8_t byte;
    do {
      byte = Byte();
      value |= uint64_t{byte & 0x7fu} << bits;
      bits += 7;
    } while ((byte & 0x80) != 0);
    return {value, bits, (byte & 0x40) != 0};
  }

  const uint8_t* at_;
};

}  // namespace tenure::runtime
