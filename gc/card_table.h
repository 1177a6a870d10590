// One byte per 512 bytes of address space: where old objects and frames may hold references to
// young ones. Compiled code marks the card of a slot's address after each store of a reference,
// without asking where the slot lies (abi/heap_constants.h); so every address that a program can
// store a reference to needs a card, on stacks and in globals too.
#pragma once

#include <emmintrin.h>

#include <atomic>
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
  // Several threads of a collection may mark one card.
  static void Mark(const void* address) {
    const std::atomic_ref<uint8_t> card(*CardOf(address));
    if (card.load(std::memory_order_relaxed) == abi::kCardClean) {
      card.store(abi::kCardDirty, std::memory_order_relaxed);
    }
  }
  static void MarkRange(const void* begin, size_t bytes) {
    SetRange(begin, bytes, abi::kCardDirty);
  }
  static void ClearRange(const void* begin, size_t bytes) {
    SetRange(begin, bytes, abi::kCardClean);
  }
  // Whether a card of so many pages is dirty. Most of what a minor collection beside a large heap
  // looks at: 16 cards at a time.
  template <size_t kPages>
  static bool AnyDirtyOnPages(const void* begin) {
    static_assert(abi::kPageBytes / abi::kCardBytes % 16 == 0 && abi::kCardClean == 0);
    const auto* cards = reinterpret_cast<const __m128i*>(CardOf(begin));
    const __m128i clean = _mm_setzero_si128();
    __m128i any = clean;
#pragma GCC unroll 4
    for (size_t i = 0; i < kPages * abi::kPageBytes / abi::kCardBytes / 16; ++i) {
      any = _mm_or_si128(any, _mm_loadu_si128(cards + i));
    }
    return _mm_movemask_epi8(_mm_cmpeq_epi8(any, clean)) != 0xffff;
  }
  static bool AnyDirtyOnPage(const void* page) { return AnyDirtyOnPages<1>(page); }

 private:
  static void SetRange(const void* begin, size_t bytes, uint8_t value);
};

}  // namespace tenure::gc
