// One byte per 512 bytes of address space: where old objects and frames may hold references to
// young ones. Compiled code marks the card of a slot's address after each store of a reference,
// without asking where the slot lies (abi/heap_constants.h); so every address that a program can
// store a reference to needs a card, on stacks and in globals too.
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi/heap_constants.h"
#include "base/result.h"

namespace tenure::gc {

// The table is the process's: fixed addresses, never unmapped. Any thread; who clears a card while
// mutators run loses their marks.
class CardTable {
 public:
  // Reserves the table if that has not been done: whole (256 GB of addresses, no memory), or under
  // a limit on address space only pieces, for what is mapped now; then Cover must be called for
  // what is mapped later. kNoMemory: something else lies at its addresses, or not even pieces fit.
  static Status Reserve();
  // False: only pieces.
  static bool is_whole();
  // Sees to it that [begin, begin + bytes) has cards: the heap's range, frames, thread stacks.
  // Reserves the table first if need be. Costs nothing when the table is whole.
  static Status Cover(const void* begin, size_t bytes);

  static uint8_t* CardOf(const void* address) {
    return reinterpret_cast<uint8_t*>(abi::kCardTableBase +
                                      (reinterpret_cast<uintptr_t>(address) >> abi::kCardShift));
  }
  static bool IsDirty(const void* address) { return *CardOf(address) != abi::kCardClean; }
  static void Mark(const void* address) {
    uint8_t* card = CardOf(address);
    if (*card == abi::kCardClean) *card = abi::kCardDirty;
  }
  static void MarkRange(const void* begin, size_t bytes) {
    SetRange(begin, bytes, abi::kCardDirty);
  }
  static void ClearRange(const void* begin, size_t bytes) {
    SetRange(begin, bytes, abi::kCardClean);
  }
  // Whether a card of these bytes, whole heap pages, is dirty.
  static bool AnyDirty(const void* begin, size_t bytes) {
    static_assert(abi::kPageBytes / abi::kCardBytes % 8 == 0);
    const uint8_t* cards = CardOf(begin);
    uint64_t any = 0;
    for (size_t i = 0; i < bytes / abi::kCardBytes; i += 8) {
      uint64_t eight;
      __builtin_memcpy(&eight, cards + i, 8);
      any |= eight;
    }
    return any != 0;
  }
  static bool AnyDirtyOnPage(const void* page) { return AnyDirty(page, abi::kPageBytes); }

 private:
  static void SetRange(const void* begin, size_t bytes, uint8_t value);
};

}  // namespace tenure::gc
