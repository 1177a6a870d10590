// Entry points of compiled code for the write barrier.

#include <atomic>
#include <bit>
#include <cstring>

#include "abi/entry_points.h"
#include "abi/heap_constants.h"
#include "runtime/threads/mutator.h"
#include "runtime/threads/safepoint.h"

namespace {

using namespace tenure::abi;

const uint8_t* CardOf(const char* slot) {
  return reinterpret_cast<const uint8_t*>(kCardTableBase +
                                          (reinterpret_cast<uintptr_t>(slot) >> kCardShift));
}

// As the barrier in compiled code, but passes over dirty cards as fast as memory is searched.
void MarkWhereNeeded(const StoreRange& range) {
  char* const end = range.first + range.bytes();
  const uint8_t* const cards_end = CardOf(end - 1) + 1;
  const auto first_from = [&](uintptr_t address) {  // slot
    const uint64_t more = address - reinterpret_cast<uintptr_t>(range.first) + range.step - 1;
    return range.first +
           (std::has_single_bit(range.step) ? more & -range.step : more / range.step * range.step);
  };
  for (char* slot = range.first; slot < end;) {
    const uint8_t* const card = CardOf(slot);
    const void* const clean = std::memchr(card, kCardClean, static_cast<size_t>(cards_end - card));
    if (clean == nullptr) return;
    const uintptr_t begin = (reinterpret_cast<uintptr_t>(clean) - kCardTableBase) << kCardShift;
    if (clean != card) slot = first_from(begin);
    for (; slot < end && reinterpret_cast<uintptr_t>(slot) < begin + kCardBytes;
         slot += range.step) {
      uintptr_t target;
      std::memcpy(&target, slot, sizeof target);
      if (*reinterpret_cast<const uint8_t*>(kWatchedTableBase + (target >> kPageShift)) != 0) {
        tn_mark_cards(slot, sizeof target);
        break;
      }
    }
  }
}

// A store through NIL has not happened. Under a limit on address space there are no cards for that
// address.
void MarkStored(void* address, uint64_t bytes) {
  if (reinterpret_cast<uintptr_t>(address) >= kNilGuardBytes) tn_mark_cards(address, bytes);
}

}  // namespace

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

extern "C" void tn_begin_copy(void* address, uint64_t bytes) {
  tenure::runtime::HoldStops();
  if (tenure::runtime::Mutator* const mutator = tenure::runtime::Mutator::Current()) {
    mutator->copy_to = address;
    mutator->copy_bytes = bytes;
  }
}

extern "C" void tn_end_copy(void* address, uint64_t bytes) {
  tn_mark_cards(address, bytes);
  if (tenure::runtime::Mutator* const mutator = tenure::runtime::Mutator::Current()) {
    mutator->copy_bytes = 0;
  }
  tenure::runtime::ReleaseStops();
}

void tenure::runtime::Mutator::EndCopy() {
  MarkStored(copy_to, copy_bytes);
  copy_bytes = 0;
  holds = 0;
}

// A stop may come between tn_begin_stores and the stores, or between the last store and the marks
// of tn_end_stores: then the stop marks all ranges. It reads the thread's number of ranges.
extern "C" uint32_t tn_begin_stores(uint32_t number, void* first, uint64_t count, uint64_t step) {
  tenure::runtime::Mutator* const mutator = tenure::runtime::Mutator::Current();
  // A signal handler of the program may run code between the stores of a loop.
  if (mutator == nullptr || mutator->store_ranges.load(std::memory_order_relaxed) != number)
    return 0;
  mutator->stores[number] = {static_cast<char*>(first), count, step};
  std::atomic_signal_fence(std::memory_order_seq_cst);
  mutator->store_ranges.store(number + 1, std::memory_order_release);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  return 1;
}

extern "C" void tn_end_stores() {
  tenure::runtime::Mutator& mutator = *tenure::runtime::Mutator::Current();
  const uint32_t ranges = mutator.store_ranges.load(std::memory_order_relaxed);
  for (uint32_t i = 0; i < ranges; ++i) MarkWhereNeeded(mutator.stores[i]);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  mutator.store_ranges.store(0, std::memory_order_release);
}

void tenure::runtime::Mutator::MarkStores() const {
  const uint32_t ranges = store_ranges.load(std::memory_order_acquire);
  for (uint32_t i = 0; i < ranges; ++i) MarkStored(stores[i].first, stores[i].bytes());
}
