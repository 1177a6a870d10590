// A minor collection's look at the dirty cards of old pages. They lie anywhere in a large heap, and
// so do the objects that their slots refer to: each is asked for some steps before it is needed.
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi/object_header.h"
#include "gc/card_table.h"
#include "gc/evacuator.h"

namespace tenure::gc {

class Heap;

// Of a minor collection, when all pins are known.
class CardScanner {
 public:
  CardScanner(Heap& heap, Evacuator& evacuator);

  // Cleans and scans the listed cards. One stays dirty only if it still has a reference to a young
  // object.
  void Run();

 private:
  static constexpr size_t kWaiting = 16;

  template <bool kMarking>
  void ScanCards();
  template <bool kMarking>
  void ScanCard(char* begin);
  template <bool kMarking>
  void ScanObject(abi::Ref object, uintptr_t from, uintptr_t to);
  template <bool kMarking>
  void Visit(abi::Ref* slot, bool marks);
  // The slot's object may be young: it is updated when the object's header has come.
  void Defer(abi::Ref* slot);
  void Update(abi::Ref* slot) {
    if (evacuator_.Update(slot)) CardTable::Mark(slot);
    evacuator_.DrainCopies();
  }

  Heap& heap_;
  Evacuator& evacuator_;
  abi::Ref* waiting_[kWaiting] = {};
  size_t deferred_ = 0;
};

}  // namespace tenure::gc
