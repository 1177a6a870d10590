// Images of objects of the transient heap: what the open transactions have made, as it was when a
// child began (stabilize/session/nesting.h). They stay when the child has ended, so that the next
// one of the same parent has only to look for what has changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "abi/object_header.h"
#include "base/flat_table.h"
#include "gc/heap.h"
#include "stabilize/frames/governed_pages.h"

namespace tenure::stabilize {

// With the session's lock and the world stopped.
class ObjectImages {
 public:
  // Brings the images that there are up to date, and adds those of the objects that a commit would
  // name if it came to these references: those of the heap that are neither displaced nor
  // TRANSIENT, and what they lead to.
  class Taker {
   public:
    Taker(const gc::Heap& heap, ObjectImages& images);
    void Reach(abi::Ref target);
    // All that the objects added so far lead to.
    void Finish();

   private:
    void ReachFrom(abi::Ref object);

    const gc::Heap& heap_;
    ObjectImages& images_;
    size_t explored_ = 0;
  };

  // Puts the objects back that are reached now, when pages and roots are as they were when the
  // child began; objects that are not reached keep the child's changes. Some may lie on governed
  // pages, which are left writable until ProtectAll.
  class Restorer {
   public:
    Restorer(ObjectImages& images, GovernedPages& governed);
    void Reach(abi::Ref target);
    // All that the objects put back so far lead to.
    void Finish();

   private:
    ObjectImages& images_;
    GovernedPages& governed_;
    std::vector<bool> reached_;       // by index
    std::vector<size_t> unexplored_;  // indexes
  };

  // Before the objects get names: they are pages' affair from then on.
  void Clear();
  // The collector's: objects and images are roots, and what they refer to moves.
  void VisitSlots(gc::SlotVisitor& visitor);

 private:
  struct Object {
    abi::Ref place = nullptr;
    size_t image = 0;  // of its payload: the first word
    size_t words = 0;
  };
  struct AddressHash {
    uint64_t operator()(uintptr_t address) const { return SpreadBits(address); }
  };

  // Again, if collections may have moved them.
  void Index();
  void PutBack(const Object& object, GovernedPages& governed) const;

  std::vector<Object> objects_;
  std::vector<uint64_t> words_;
  FlatTable<uintptr_t, size_t, AddressHash> index_;  // of the objects, by address
  bool moved_ = false;                               // perhaps, since index_ was made
  size_t most_ = 0;                                  // with more, all are taken anew
};

}  // namespace tenure::stabilize
