// Images of objects of the transient heap that the open transactions have made, as these objects
// were when a child began (stabilize/session/nesting.h). The images stay when the child has ended,
// so the next child of the same parent only has to look for changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "abi/object_header.h"
#include "base/flat_table.h"
#include "gc/heap.h"
#include "stabilize/frames/governed_pages.h"

namespace tenure::stabilize {

// Called with the session's lock and the world stopped.
class ObjectImages {
 public:
  // Brings the existing images up to date, and adds those of the objects to which a commit that
  // found these references would give homes: objects of the heap that are neither displaced nor
  // TRANSIENT, and the objects reached from them.
  class Taker {
   public:
    Taker(const gc::Heap& heap, ObjectImages& images);
    void Reach(abi::Ref target);
    // Adds all that the objects added so far lead to.
    void Finish();

   private:
    void ReachFrom(abi::Ref object);

    const gc::Heap& heap_;
    ObjectImages& images_;
    size_t explored_ = 0;
  };

  // Restores the objects that are reached now, when pages and roots are as they were when the child
  // began; other objects keep the child's changes. Some restored objects may lie on governed pages,
  // which stay writable until ProtectAll.
  class Restorer {
   public:
    Restorer(ObjectImages& images, GovernedPages& governed);
    void Reach(abi::Ref target);
    // Puts back all that the objects put back so far lead to.
    void Finish();

   private:
    ObjectImages& images_;
    GovernedPages& governed_;
    std::vector<bool> reached_;       // by index
    std::vector<size_t> unexplored_;  // indexes
  };

  // Called before the objects get homes: from then on their pages are watched.
  void Clear();
  // For the collector: objects and images are roots, and their targets move.
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

  // Makes index_ again if collections may have moved objects.
  void Index();
  void PutBack(const Object& object, GovernedPages& governed) const;

  std::vector<Object> objects_;
  std::vector<uint64_t> words_;
  FlatTable<uintptr_t, size_t, AddressHash> index_;  // of the objects, by address
  bool moved_ = false;                               // perhaps, since index_ was made
  size_t most_ = 0;                                  // with more, all are taken anew
};

}  // namespace tenure::stabilize
