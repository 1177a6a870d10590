// A minor collection's look at the dirty cards of old pages and at remembered objects. They lie
// anywhere in a large heap, and so do the objects that their slots refer to: each is prefetched
// some steps before it is needed.
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi/object_header.h"
#include "gc/card_table.h"
#include "gc/evacuator.h"
#include "gc/heap_state.h"
#include "gc/old_collection.h"

namespace tenure::gc {

// Used for one minor collection, after all pins.
class CardScanner {
 public:
  CardScanner(HeapState& heap, OldCollection& old, Evacuator& evacuator);

  // Scans the remembered objects, and cleans and scans the listed cards. An object stays
  // remembered, or a card dirty, only if it still has a reference to a young object.
  void Run();

 private:
  static constexpr size_t kWaiting = 16;

  struct Slot {
    abi::Ref* slot;
    abi::Ref object;  // whose slot it is
  };

  template <bool kMarking>
  void ScanRemembered();
  template <bool kMarking>
  void ScanCards();
  template <bool kMarking>
  void ScanCard(char* begin);
  template <bool kMarking>
  uint32_t WordsToVisit(const uintptr_t* card) const;
  template <bool kMarking>
  void Visit(const Slot& slot, bool marks);
  // The slot may refer to a young object: prefetches its header, and updates the slot later.
  void Defer(Slot slot);
  void Update(const Slot& slot);

  HeapState& heap_;
  OldCollection& old_;
  Evacuator& evacuator_;
  const bool remembers_objects_;
  Slot waiting_[kWaiting] = {};
  size_t deferred_ = 0;
};

}  // namespace tenure::gc
