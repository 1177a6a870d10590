// Objects of the Mneme store (Moss 1990, 5): a header, slots of 4 bytes, and bytes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tenure::lab::mneme {

// A slot holds a number of 31 bits, or, with its highest bit set, a reference: the identifier of an
// object, or while an object is swizzled the address of one below 2 GB. 0 is the empty reference.
using Slot = uint32_t;
inline constexpr Slot kReferenceBit = Slot{1} << 31;
inline constexpr bool IsReference(Slot slot) { return static_cast<int32_t>(slot) < 0; }

// Names an object within all open files: file, logical segment of the file, object in it.
class ObjectId {
 public:
  static constexpr uint32_t kFileBits = 8, kLogicalBits = 10, kObjectBits = 10;
  static constexpr uint32_t kBits = kFileBits + kLogicalBits + kObjectBits;

  constexpr ObjectId() = default;
  constexpr ObjectId(uint32_t file, uint32_t logical, uint32_t object)
      : bits_(file << (kLogicalBits + kObjectBits) | logical << kObjectBits | object) {}
  static constexpr ObjectId FromBits(uint32_t bits) {
    ObjectId id;
    id.bits_ = bits;
    return id;
  }
  static constexpr ObjectId FromSlot(Slot slot) { return FromBits(slot & ~kReferenceBit); }

  constexpr uint32_t bits() const { return bits_; }
  constexpr Slot slot() const { return bits_ | kReferenceBit; }
  constexpr uint32_t file() const { return bits_ >> (kLogicalBits + kObjectBits); }
  constexpr uint32_t logical() const {
    return bits_ >> kObjectBits & ((uint32_t{1} << kLogicalBits) - 1);
  }
  constexpr uint32_t object() const { return bits_ & ((uint32_t{1} << kObjectBits) - 1); }
  friend constexpr bool operator==(ObjectId, ObjectId) = default;

 private:
  uint32_t bits_ = 0;
};

inline constexpr uint32_t kSlotsMax = (1 << 12) - 1, kBytesMax = (1 << 12) - 1;

// An object in a segment's buffer, or a copy of one in the program's heap. Its slots and bytes
// follow.
class Object {
 public:
  static constexpr size_t SizeOf(uint32_t slots, uint32_t bytes) {
    return sizeof(uint32_t) + slots * sizeof(Slot) + (bytes + 3) / 4 * 4;
  }

  void SetHeader(uint32_t slots, uint32_t bytes, uint32_t attributes = 0) {
    header_ = slots << 20 | bytes << 8 | attributes;
  }
  uint32_t slot_count() const { return header_ >> 20; }
  uint32_t byte_count() const { return header_ >> 8 & kBytesMax; }
  // The client's, which Mneme gives no meaning.
  uint32_t attributes() const { return header_ & 0xff; }
  size_t size() const { return SizeOf(slot_count(), byte_count()); }

  Slot* slots() { return reinterpret_cast<Slot*>(&header_ + 1); }
  const Slot* slots() const { return reinterpret_cast<const Slot*>(&header_ + 1); }
  uint8_t* bytes() { return reinterpret_cast<uint8_t*>(slots() + slot_count()); }
  const uint8_t* bytes() const { return reinterpret_cast<const uint8_t*>(slots() + slot_count()); }

 private:
  uint32_t header_;
};

// The address of an object as a slot holds it.
inline Slot SlotOf(const Object* object) {
  return static_cast<Slot>(reinterpret_cast<uintptr_t>(object)) | kReferenceBit;
}
inline Object* AddressIn(Slot slot) {
  return reinterpret_cast<Object*>(uintptr_t{slot & ~kReferenceBit});
}

}  // namespace tenure::lab::mneme
