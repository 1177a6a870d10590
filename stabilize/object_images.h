// Images of objects of the transient heap: what the open transactions have made, as it was when a
// child began (stabilize/nesting.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "abi/object_header.h"
#include "base/flat_table.h"
#include "gc/heap.h"
#include "stabilize/governed_pages.h"

namespace tenure::stabilize {

// With the session's lock and the world stopped.
class ObjectImages {
 public:
  // Adds the objects that a commit would name if it came to these references: those of the heap
  // that are neither displaced nor TRANSIENT, and what they lead to.
  class Taker {
   public:
    Taker(const gc::Heap& heap, ObjectImages& images) : heap_(heap), images_(images) {}
    void Reach(abi::Ref target);
    // All that the objects added so far lead to.
    void Finish();

   private:
    struct AddressHash {
      uint64_t operator()(uintptr_t address) const { return SpreadBits(address); }
    };
    struct Nothing {};
    const gc::Heap& heap_;
    ObjectImages& images_;
    FlatTable<uintptr_t, Nothing, AddressHash> reached_;
    size_t explored_ = 0;
  };

  bool empty() const { return objects_.empty(); }
  // The objects are as they were. Some may lie on governed pages, which it leaves writable until
  // ProtectAll.
  void PutBack(GovernedPages& governed) const;
  // The collector's: objects and images are roots, and what they refer to moves.
  void VisitSlots(gc::SlotVisitor& visitor);

 private:
  struct Object {
    abi::Ref place = nullptr;
    size_t image = 0;  // of its payload: the first word
    size_t words = 0;
  };
  std::vector<Object> objects_;
  std::vector<uint64_t> words_;
};

}  // namespace tenure::stabilize
