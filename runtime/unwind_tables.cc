#include "runtime/unwind_tables.h"

#include <cstring>

#include "base/check.h"

namespace tenure::runtime {
namespace {

// Pointer encodings of the DWARF exception header: format in the low four bits, then what it is
// relative to, then whether the value is found indirectly.
enum Encoding : uint8_t {
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

class Reader {
 public:
  explicit Reader(const uint8_t* at) : at_(at) {}

  const uint8_t* at() const { return at_; }

  uint8_t Byte() { return *at_++; }

  uint64_t Uleb128() { return Leb128().value; }

  int64_t Sleb128() {
    const auto [value, bits, negative] = Leb128();
    const bool extend = negative && bits < 64;
    return static_cast<int64_t>(extend ? value | ~uint64_t{0} << bits : value);
  }

  // A value alone; nothing added.
  uintptr_t Plain(uint8_t encoding) {
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
    const uintptr_t place = reinterpret_cast<uintptr_t>(at_);
    uintptr_t value = Plain(encoding);
    if (value == 0) return 0;
    const uint8_t relative = encoding & kRelativeMask;
    TN_CHECK(relative == 0 || relative == kRelativeToPlace);
    if (relative == kRelativeToPlace) value += place;
    if ((encoding & kIndirect) != 0) value = *reinterpret_cast<const uintptr_t*>(value);
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

  template <typename T>
  T Fixed() {
    T value;
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return value;
  }

  const uint8_t* at_;
};

size_t BytesOf(uint8_t encoding) {
  switch (encoding & kFormatMask) {
    case kUdata2:
    case kSdata2: return 2;
    case kUdata4:
    case kSdata4: return 4;
    case kAbsolutePointer:
    case kUdata8:
    case kSdata8: return 8;
    default: TN_UNREACHABLE();
  }
}

// Walks the chain of actions of a call site: catch clauses in order, cleanups between.
LandingPad ChooseAction(uintptr_t landing_pad, const uint8_t* action, const uint8_t* types_end,
                        uint8_t types_encoding, ClauseMatcher matches, void* context) {
  LandingPad result;
  for (;;) {
    Reader reader(action);
    const int64_t filter = reader.Sleb128();
    const uint8_t* next_base = reader.at();
    const int64_t next = reader.Sleb128();
    if (filter == 0) {
      if (result.kind == LandingPad::Kind::kNone) {
        result = {LandingPad::Kind::kCleanup, landing_pad, 0};
      }
    } else if (filter > 0 && matches != nullptr) {
      Reader entry(types_end - static_cast<size_t>(filter) * BytesOf(types_encoding));
      const auto* type = reinterpret_cast<const void*>(entry.Pointer(types_encoding));
      if (matches(type, context)) return {LandingPad::Kind::kHandler, landing_pad, filter};
    }
    // Negative filters are C++'s exception specifications; we emit none.
    if (next == 0) return result;
    action = next_base + next;
  }
}

}  // namespace

LandingPad FindLandingPad(const uint8_t* lsda, uintptr_t function, uintptr_t code,
                          ClauseMatcher matches, void* context) {
  if (lsda == nullptr) return {};
  Reader reader(lsda);
  const uint8_t start_encoding = reader.Byte();
  const uintptr_t landing_base =
      start_encoding == kOmitted ? function : reader.Pointer(start_encoding);
  const uint8_t types_encoding = reader.Byte();
  const uint8_t* types_end = nullptr;
  if (types_encoding != kOmitted) {
    const uint64_t offset = reader.Uleb128();
    types_end = reader.at() + offset;
  }
  const uint8_t site_encoding = reader.Byte();
  const uint64_t sites_bytes = reader.Uleb128();
  const uint8_t* sites_end = reader.at() + sites_bytes;
  const uint8_t* actions = sites_end;

  while (reader.at() < sites_end) {
    const uintptr_t start = reader.Plain(site_encoding);
    const uintptr_t length = reader.Plain(site_encoding);
    const uintptr_t landing = reader.Plain(site_encoding);
    const uint64_t action = reader.Uleb128();
    if (code < function + start) return {};  // the sites are sorted
    if (code - function - start >= length) continue;
    if (landing == 0) return {};
    const uintptr_t landing_pad = landing_base + landing;
    if (action == 0) return {LandingPad::Kind::kCleanup, landing_pad, 0};
    return ChooseAction(landing_pad, actions + action - 1, types_end, types_encoding, matches,
                        context);
  }
  return {};
}

}  // namespace tenure::runtime
