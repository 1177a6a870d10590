// Sizes and addresses on which compiled code, collector and stabilizer agree.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tenure::abi {

// A heap page: unit of spaces, of object-start maps and of persistence. Other powers of two from
// 4 KB to 64 KB must work too.
inline constexpr size_t kPageBytes = 8192;

// Objects whose whole length is more than this get pages of their own and are never copied.
inline constexpr size_t kLargeObjectBytes = kPageBytes / 2;

// Objects start at multiples of this; sizes are rounded up to it.
inline constexpr size_t kGranuleBytes = 8;

// The word before every object.
inline constexpr size_t kHeaderBytes = 8;

// No object has a smaller payload, so that the address of an object never coincides with the
// header of its neighbour, or with the page behind its own.
inline constexpr size_t kMinPayloadBytes = 8;
// One byte per card, for the whole user address space, so the write barrier needs no range test.
#ifndef TENURE_CARD_TABLE_BASE  // A sanitizer may want these addresses for itself.
#define TENURE_CARD_TABLE_BASE 0x200000000000
#endif
inline constexpr uintptr_t kCardTableBase = TENURE_CARD_TABLE_BASE;
inline constexpr unsigned kCardShift = 8;
inline constexpr size_t kCardBytes = size_t{1} << kCardShift;
inline constexpr unsigned kUserAddressBits = 47;
inline constexpr size_t kCardTableBytes = size_t{1} << (kUserAddressBits - kCardShift);
inline constexpr uint8_t kCardClean = 0;
inline constexpr uint8_t kCardDirty = 1;

// Two bytes per heap page of the whole user address space, in tables below the cards. *Watched*
// is not 0 for pages of objects to which a reference must not be stored without marking the
// slot's card: the young ones, and all while the old generation is being marked. *Carded* is not 0
// for pages that may have dirty cards; it is set before the card is.
inline constexpr unsigned kPageShift = 13;
static_assert(kPageBytes == size_t{1} << kPageShift);
inline constexpr size_t kPageTableBytes = size_t{1} << (kUserAddressBits - kPageShift);
inline constexpr uintptr_t kWatchedTableBase = kCardTableBase - 2 * kPageTableBytes;
inline constexpr uintptr_t kCardedTableBase = kCardTableBase - kPageTableBytes;

// One byte per *block* of the whole user address space, above the cards. Code with store barriers
// looks at the byte of the address that it stores to. The byte is 0 where no frame of a database
// has ever been written. A negative byte asks for a call: code with hybrid barriers calls before
// the store, code with software barriers behind the store.
inline constexpr unsigned kBlockShift = kCardShift;
inline constexpr size_t kBlockBytes = size_t{1} << kBlockShift;
inline constexpr size_t kBlockTableBytes = size_t{1} << (kUserAddressBits - kBlockShift);
inline constexpr uintptr_t kBlockTableBase = kCardTableBase + kCardTableBytes;
inline constexpr int8_t kBlockIdle = 0;  // see above
inline constexpr int8_t kBlockSeen = 1;  // a store needs no call: marked, or found by comparison
inline constexpr int8_t kBlockCalls = -1;

// A dereference of NIL is left to the hardware when it touches an address below this; compiled
// code tests explicitly when the access may lie further from the reference.
inline constexpr uintptr_t kNilGuardBytes = 65536;

}  // namespace tenure::abi
