// The word before every object of the traced heap and of every persistent page.
//
//   bits  0..31  address of the type descriptor (aligned to 16, so the low four bits are tags)
//   bit   32     mark (collector, during a collection only)
//   bit   33     displaced: has a home in a database and does not live there yet (stabilize/)
//   bit   34     pinned (collector, during a collection only)
//   bits  35..39 age in nursery collections
//   bits  40..63 of a displaced object: where its entry may be (stabilize/); else spare
// Tag bit 0: forwarded; the rest of the word is the new address of the object.
// Tag bit 1: filler; bits 32..63 are its whole length in bytes, header included (a multiple of 8,
// at least 8: a filler of 8 bytes is only its header).
// A reference points at the payload, the first byte behind this word.
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi/heap_constants.h"
#include "abi/type_descriptor.h"

namespace tenure::abi {

// A reference as compiled code holds it: the address of the payload, or null for NIL.
using Ref = void*;

struct ObjectHeader {
  static constexpr uint64_t kForwardedTag = 1;
  static constexpr uint64_t kFillerTag = 2;
  static constexpr uint64_t kMarkBit = uint64_t{1} << 32;
  static constexpr uint64_t kDisplacedBit = uint64_t{1} << 33;
  static constexpr uint64_t kPinnedBit = uint64_t{1} << 34;
  static constexpr unsigned kAgeShift = 35;
  static constexpr uint64_t kAgeMask = uint64_t{31} << kAgeShift;

  uint64_t word;

  static ObjectHeader* Of(const void* payload) {
    return reinterpret_cast<ObjectHeader*>(reinterpret_cast<uintptr_t>(payload) - kHeaderBytes);
  }
  static uint64_t ForType(const TypeDescriptor* type) { return reinterpret_cast<uint64_t>(type); }
  static uint64_t ForFiller(uint32_t bytes) { return (uint64_t{bytes} << 32) | kFillerTag; }
  static uint64_t ForForwarding(const void* to) {
    return reinterpret_cast<uint64_t>(to) | kForwardedTag;
  }

  bool is_forwarded() const { return (word & kForwardedTag) != 0; }
  bool is_filler() const { return (word & (kForwardedTag | kFillerTag)) == kFillerTag; }
  void* forwarding() const { return reinterpret_cast<void*>(word & ~kForwardedTag); }
  uint32_t filler_bytes() const { return static_cast<uint32_t>(word >> 32); }
  const TypeDescriptor* type() const {
    return reinterpret_cast<const TypeDescriptor*>(word & 0xfffffff0u);
  }
  bool displaced() const { return (word & kDisplacedBit) != 0; }
};
static_assert(sizeof(ObjectHeader) == 8);

// The lengths of an open array, and its elements.
inline uint64_t* OpenLengths(const TypeDescriptor& type, const void* payload) {
  return reinterpret_cast<uint64_t*>(reinterpret_cast<uintptr_t>(payload) + type.payload_bytes);
}

inline size_t ElementCount(const TypeDescriptor& type, const void* payload) {
  const uint64_t* lengths = OpenLengths(type, payload);
  size_t count = 1;
  for (uint32_t i = 0; i < type.open_dimensions; ++i) count *= lengths[i];
  return count;
}

inline size_t ElementsOffset(const TypeDescriptor& type) {
  return type.payload_bytes + 8 * size_t{type.open_dimensions};
}

inline constexpr size_t RoundUpToGranule(size_t bytes) {
  return (bytes + kGranuleBytes - 1) & ~(kGranuleBytes - 1);
}

// The room that a payload of so many bytes takes. Whatever allocates, copies or walks over objects
// asks here, so that no object is taken for shorter than another part of the program made it.
inline constexpr size_t PayloadRoom(size_t bytes) {
  return RoundUpToGranule(bytes < kMinPayloadBytes ? kMinPayloadBytes : bytes);
}

// PayloadRoom of the object; without the header. `payload` is read only for open arrays.
inline size_t PayloadBytes(const TypeDescriptor& type, const void* payload) {
  size_t bytes = type.payload_bytes;
  if ((type.flags & kTypeOpenArray) != 0) {
    bytes = ElementsOffset(type) + ElementCount(type, payload) * type.element_bytes;
  }
  return PayloadRoom(bytes);
}

// Calls visit(void** slot, SlotKind kind) for every slot of the object, in address order of its
// runs.
template <typename Visit>
void ForEachSlot(const TypeDescriptor& type, void* payload, Visit&& visit) {
  auto run_over = [&](char* base, const SlotRun* runs, uint32_t run_count) {
    for (uint32_t r = 0; r < run_count; ++r) {
      char* slot = base + runs[r].offset;
      for (uint32_t i = 0; i < runs[r].count; ++i, slot += runs[r].stride) {
        visit(reinterpret_cast<void**>(slot), runs[r].kind);
      }
    }
  };
  char* base = static_cast<char*>(payload);
  run_over(base, type.slot_runs, type.slot_run_count);
  if ((type.flags & kTypeOpenArray) == 0 || type.element_run_count == 0) return;
  const size_t count = ElementCount(type, payload);
  char* element = base + ElementsOffset(type);
  for (size_t i = 0; i < count; ++i, element += type.element_bytes) {
    run_over(element, type.element_runs, type.element_run_count);
  }
}

// Calls visit(void** slot) for the slots that the collector traces.
template <typename Visit>
void ForEachReference(const TypeDescriptor& type, void* payload, Visit&& visit) {
  if ((type.flags & kTypePure) != 0) return;
  ForEachSlot(type, payload, [&](void** slot, SlotKind kind) {
    if (kind == SlotKind::kReference || kind == SlotKind::kTransientReference) visit(slot);
  });
}

}  // namespace tenure::abi
