// Entry points of compiled code for the write barrier.

#include <atomic>

#include "abi/entry_points.h"
#include "abi/heap_constants.h"
#include "runtime/safepoint.h"

extern "C" void tn_mark_cards(void* address, uint64_t bytes) {
  using namespace tenure::abi;
  if (bytes == 0) return;
  auto* cards = reinterpret_cast<uint8_t*>(kCardTableBase);
  const uintptr_t first = reinterpret_cast<uintptr_t>(address) >> kCardShift;
  const uintptr_t last = (reinterpret_cast<uintptr_t>(address) + bytes - 1) >> kCardShift;
  auto* carded = reinterpret_cast<uint8_t*>(kCardedTableBase);
  const uintptr_t last_page = (reinterpret_cast<uintptr_t>(address) + bytes - 1) >> kPageShift;
  for (uintptr_t page = reinterpret_cast<uintptr_t>(address) >> kPageShift; page <= last_page;
       ++page) {
    if (carded[page] == 0) carded[page] = 1;
  }
  std::atomic_signal_fence(std::memory_order_seq_cst);
  // Tested before it is set, as in compiled code: a clean line of the cache stays shared.
  for (uintptr_t card = first; card <= last; ++card) {
    if (cards[card] == kCardClean) cards[card] = kCardDirty;
  }
}

extern "C" void tn_begin_copy() { tenure::runtime::HoldStops(); }

extern "C" void tn_end_copy(void* address, uint64_t bytes) {
  tn_mark_cards(address, bytes);
  tenure::runtime::ReleaseStops();
}
