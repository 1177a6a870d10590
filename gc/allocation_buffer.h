// Per-thread bump allocation within one page. Compiled code bumps abi::MutatorState; here is what
// the heap keeps beside it.
//
// A buffer is one heap page, or a free place on a page that the last collection kept: no object
// crosses a page's end, so that pages can be pinned, governed and walked one by one. The free
// memory of a buffer holds arbitrary bytes, so an allocation stores the whole object before it
// moves the buffer's pointer.
#pragma once

#include <cstddef>

#include "abi/mutator_state.h"
#include "gc/persistent_space.h"
#include "gc/raw_array.h"

namespace tenure::gc {

// Free memory on one page. Idle (a gap), and in a buffer while the world is stopped, it is a
// filler.
struct Region {
  char* pointer = nullptr;
  char* limit = nullptr;

  size_t bytes() const { return static_cast<size_t>(limit - pointer); }
  // Null when it does not fit.
  char* Take(size_t size) {
    if (bytes() < size) return nullptr;
    char* place = pointer;
    pointer += size;
    return place;
  }
  // Makes the remaining memory a filler. `governor` stores to the page if the page may be
  // protected; null: the page is not protected.
  void Fill(PersistentSpace* governor = nullptr) const;
  // Fills and forgets it.
  void Close(PersistentSpace* governor = nullptr);
};

struct AllocationBuffer {
  abi::MutatorState* state = nullptr;
  Region hidden;    // in stress mode, where the state stays empty
  Region overflow;  // for objects that do not fit into a buffer with much room left
  // While the world is stopped and the thread is interrupted: the word at the state's pointer,
  // which may be the header of an object that does not count as allocated yet. Until the thread
  // goes on, a filler is in its place.
  bool suspended = false;
  uint64_t begun_header = 0;
  // Not null: a commit met the thread while it was interrupted and put displaced objects on the
  // page that the state points to. A trap there, under the heap's lock, would wait for threads that
  // wait for this lock; and an allocation there makes the page dirty.
  PersistentSpace* governor = nullptr;
  // The thread was told that the heap is full. While it handles that error, it may allocate from
  // the page allocator's reserve, until the heap has room again.
  bool may_use_reserve = false;

  // The state as a region, and back.
  Region Load() const { return {state->allocation_pointer, state->allocation_limit}; }
  void Store(const Region& region) {
    state->allocation_pointer = region.pointer;
    state->allocation_limit = region.limit;
  }
  // Makes fillers of all regions; the state's pointers become null. If the page is governed, only
  // while the world is stopped: else Abandon comes first.
  void Retire();
  // Takes the rest of a governed page away from its thread and leaves it as it is. It must become a
  // filler before anybody walks the page.
  Region Abandon();
  // Makes fillers of all regions: the pages can be walked while the thread is stopped.
  void MakeWalkable() const;
  // For an interrupted thread: closes the part that only the heap allocates from, leaves the
  // thread's state alone, and makes the rest of the page walkable, until Resume. `space`: tells
  // whether the page has become governed meanwhile; null: no database is open.
  void Suspend();
  void Resume(PersistentSpace* space);
};

// All mutators' buffers. With the heap's lock, or the world stopped.
class AllocationBuffers {
 public:
  void Add(abi::MutatorState& state);
  // Retires and removes the mutator's buffer. False when there is none.
  bool Remove(abi::MutatorState& state);
  // Null when it is not there. Valid until the next Add or Remove.
  AllocationBuffer* Find(const abi::MutatorState& state);

  // Retires those that are not suspended.
  void RetireAll();
  // Calls visit(AllocationBuffer&) for each.
  template <typename Visit>
  void ForEach(Visit&& visit) {
    for (AllocationBuffer& buffer : buffers_) visit(buffer);
  }
  const AllocationBuffer* begin() const { return buffers_.begin(); }
  const AllocationBuffer* end() const { return buffers_.end(); }

 private:
  RawArray<AllocationBuffer> buffers_;
};

}  // namespace tenure::gc
