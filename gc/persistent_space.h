// The collector's questions about persistent pages and displaced objects. stabilize/ answers them
// (stabilize/session/heap_bridge.cc), and tests have their own implementation. Without an open
// database the heap has no PersistentSpace (null).
//
// Frames are pages of open databases, outside the heap's own address range; to the collector they
// are old pages that it never frees, never moves and never scans as a whole except when they are
// remembered. Unless a function says otherwise, it is called with the world stopped, on the
// collecting thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi/object_header.h"

namespace tenure::gc {

// kSlice: no collection, but a slice of the old generation's (gc/old_collection.h): nothing moves,
// and nothing is visited. kVerify: the verifier walks the roots. Nothing moves, and the space must
// change nothing that a collection would notice: it visits all that it has (as for kMajor) and
// keeps its lists and cards as they are.
enum class CollectionKind { kMinor, kMajor, kSlice, kVerify };

// The collector's side of the walk. Called for each slot that holds a traced reference: reads the
// slot, evacuates or marks the target if that lies in the collected part of the heap, and updates
// the slot.
class SlotVisitor {
 public:
  virtual void VisitSlot(abi::Ref* slot) = 0;
  // Visits every traced slot of an object (also of one outside the heap, or of an image of one).
  virtual void VisitObjectSlots(const abi::TypeDescriptor& type, abi::Ref object) = 0;
  // True when, after the visits, the object refers to something in the transient heap. Young is a
  // subset.
  virtual bool RefersToHeap(const abi::TypeDescriptor& type, abi::Ref object) const = 0;
  // The same for the young generation: while a frame's slot refers to a young object, the card of
  // the slot's address (as the program sees it) must stay dirty. A major collection leaves none.
  virtual bool RefersToYoung(const abi::TypeDescriptor& type, abi::Ref object) const {
    return RefersToHeap(type, object);
  }

 protected:
  ~SlotVisitor() = default;
};

class PersistentSpace {
 public:
  virtual ~PersistentSpace() = default;

  // Called first in a collection: makes frames of the remembered set and governed pages readable
  // and writable for the collector; their states for mutators stay. kMinor: of governed pages only
  // the young ones; kSlice: none.
  virtual void BeginCollection(CollectionKind kind) = 0;
  // After everything moved: restores the protections that BeginCollection found, except on pages
  // from which every displaced object went home.
  virtual void EndCollection(CollectionKind kind) = 0;

  // Before the first collection, at intervals, with the heap's lock: the program has allocated this
  // many bytes. From the first collection on, EndCollection can tell how much of them lives.
  virtual void AllocatedAtFirst(size_t bytes) { static_cast<void>(bytes); }
  // With the heap's lock, while other threads run: the heap is about to grow by an object of this
  // many bytes, at least kAnnouncedBytes, whose memory has not been touched yet.
  static constexpr size_t kAnnouncedBytes = size_t{1} << 20;
  virtual void WillAllocate(size_t bytes) { static_cast<void>(bytes); }

  // Between BeginCollection and EndCollection: the collector wants to write to a page of the heap
  // that may be governed, and that BeginCollection had no reason to make writable. An example is a
  // page with dirty cards.
  virtual void MakeWritable(const void* page) { static_cast<void>(page); }

  // While the world is stopped: stores an aligned word to a free place on a page of the heap that
  // may be governed. The protection of the page is the same afterwards, and no trap arises. During
  // the store the page is open for every thread: so never while others run.
  virtual void StoreWord(void* place, uint64_t word) { *static_cast<uint64_t*>(place) = word; }

  // Exact roots outside the heap, visited at every call: slots of remembered frames (minor: those
  // with dirty cards suffice), of twins and before-images, and all others that stabilize/ holds
  // (root references, copies of literals).
  virtual void VisitRoots(CollectionKind kind, SlotVisitor& visitor) = 0;
  // Every displaced object of the collected generation is a root: visitor.VisitSlot is called on a
  // slot holding its address. Called before evacuation proceeds, after every pin is known. HomeOf
  // and WentHome are called from inside VisitSlot: the slot may be a copy, and the table must stand
  // such changes.
  virtual void VisitDisplaced(CollectionKind kind, SlotVisitor& visitor) = 0;

  // Asked when the collector is about to evacuate a displaced object (header bit set, not pinned).
  // Where to copy it: `write_at` is where the bytes go (the always-writable second mapping),
  // `lives_at` is its new address. {null, null}: it must stay where it is (the open transaction
  // wrote it); the collector then treats it as pinned. {null, address}: forward only, the copy at
  // home is already right or not wanted. The header at the home is written by the collector: the
  // type's word with no flag set.
  struct Home {
    abi::Ref write_at;
    abi::Ref lives_at;
  };
  virtual Home HomeOf(abi::Ref displaced_object) = 0;
  // The object at `place` now lives at `home`. Its slots at write_at are visited after this call
  // (they are not yet updated), and the cards of the slots that then refer to young objects are
  // marked. Stabilize clears its table entry, and puts the frame in the remembered set, from which
  // a later collection may take it.
  virtual void WentHome(abi::Ref place, abi::Ref home) = 0;

  // The heap wants memory that the system can write out: maps `bytes` of a file at `at`, zero,
  // readable and writable; the child of a fork does not have it. False: there is no such memory.
  // With the heap's lock; other threads run.
  virtual bool MapFileMemory(void* at, size_t bytes) {
    static_cast<void>(at);
    static_cast<void>(bytes);
    return false;
  }

  // The bytes of all displaced objects of the heap.
  virtual size_t DisplacedBytes() const = 0;

  // True for an address inside the ranges reserved for databases.
  virtual bool IsFrameAddress(const void* address) const = 0;

  // The heap page at `page` (abi::kPageBytes long) has displaced objects on it, so that stores to
  // it may be protected and the free rest of it may not be allocated into.
  virtual bool IsGoverned(const void* page) const = 0;
};

}  // namespace tenure::gc
