// One byte per 256 bytes of address space: where old objects and frames may hold references to
// young ones. Compiled code marks the card of a slot's address after a store of a reference to an
// object on a *watched* page, without asking where the slot lies (abi/heap_constants.h); so every
// address at which a program can store a reference needs a card, also on stacks and in globals, and
// every address that may be the stored reference needs a watched byte. Watched are the pages on
// which young objects begin, and all while the old generation is being marked
// (gc/old_collection.h).
//
// A collection looks for dirty cards only on pages that are *carded*. The carded byte is set before
// the card, so every dirty card lies on a carded page. The carded byte is cleared together with all
// cards of the page, and only when no thread is interrupted: a thread might be between the two
// stores.
#pragma once

#include <emmintrin.h>
#include <string.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "abi/heap_constants.h"
#include "base/result.h"

namespace tenure::gc {

// The process has one set of tables, at fixed addresses, and never unmaps them. Any thread;
// clearing a card while mutators run loses their marks.
class CardTable {
 public:
  // Reserves the tables unless they are reserved: whole (544 GB of addresses, no memory), or, under
  // a limit on address space, in pieces for the memory that is mapped now. In pieces, Cover must be
  // called for every range that the heap and databases map later. kNoMemory: something else lies at
  // its addresses, or not even pieces fit.
  static Status Reserve();
  // False: only pieces.
  static bool is_whole();
  // Makes cards for [begin, begin + bytes): the heap's range, frames. Reserves the tables first if
  // that has not been done. Does nothing when the tables are whole.
  static Status Cover(const void* begin, size_t bytes);
  // For a handler of memory faults. True: `address` lies in a piece of the tables that was not
  // mapped and is mapped now, so that the thread can go on. Stacks of threads and memory of C come
  // and go, and get their cards this way. kNoMemory: no addresses are left. Safe in a handler.
  static Result<bool> CoverByFault(uintptr_t address);

  static uint8_t* CardOf(const void* address) {
    return reinterpret_cast<uint8_t*>(abi::kCardTableBase +
                                      (reinterpret_cast<uintptr_t>(address) >> abi::kCardShift));
  }
  static uint8_t* WatchedOf(const void* address) {
    return reinterpret_cast<uint8_t*>(abi::kWatchedTableBase +
                                      (reinterpret_cast<uintptr_t>(address) >> abi::kPageShift));
  }
  static uint8_t* CardedOf(const void* address) {
    return reinterpret_cast<uint8_t*>(abi::kCardedTableBase +
                                      (reinterpret_cast<uintptr_t>(address) >> abi::kPageShift));
  }
  static void WatchPages(const void* begin, size_t pages, bool watched) {
    memset(WatchedOf(begin), watched ? 1 : 0, pages);
  }
  static bool IsDirty(const void* address) { return *CardOf(address) != abi::kCardClean; }
  // Several threads of a collection may mark one card.
  static void Mark(const void* address) {
    for (uint8_t* byte : {CardedOf(address), CardOf(address)}) {
      const std::atomic_ref<uint8_t> mark(*byte);
      if (mark.load(std::memory_order_relaxed) == abi::kCardClean) {
        mark.store(abi::kCardDirty, std::memory_order_relaxed);
      }
    }
  }
  // Like ClearRange with the world stopped, or where no thread stores.
  static void MarkRange(const void* begin, size_t bytes);
  static void ClearRange(const void* begin, size_t bytes) {
    SetRange(begin, bytes, abi::kCardClean);
  }
  static bool AnyDirtyOnPage(const void* page) { return DirtyOnPage(page) != 0; }
  // Bit i: the page's card i.
  static uint32_t DirtyOnPage(const void* page) {
    static_assert(abi::kPageBytes / abi::kCardBytes == 32 && abi::kCardClean == 0);
    const auto* cards = reinterpret_cast<const __m128i*>(CardOf(page));
    const auto clean = [](__m128i bytes) {
      return static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_setzero_si128())));
    };
    return ~(clean(_mm_loadu_si128(cards)) | clean(_mm_loadu_si128(cards + 1)) << 16);
  }
  // Whether one of the kPages pages from `begin` on is carded. In a large heap most are not.
  template <size_t kPages>
  static bool AnyCarded(const void* begin) {
    return AnySet<kPages>(CardedOf(begin));
  }

 private:
  // 16 bytes at a time.
  template <size_t kBytes>
  static bool AnySet(const uint8_t* bytes) {
    static_assert(kBytes % 16 == 0 && abi::kCardClean == 0);
    const __m128i clean = _mm_setzero_si128();
    __m128i any = clean;
#pragma GCC unroll 4
    for (size_t i = 0; i < kBytes; i += 16) {
      any = _mm_or_si128(any, _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + i)));
    }
    return _mm_movemask_epi8(_mm_cmpeq_epi8(any, clean)) != 0xffff;
  }
  static void SetRange(const void* begin, size_t bytes, uint8_t value);
};

}  // namespace tenure::gc
