// Per-thread bump allocation within one page. Compiled code bumps abi::MutatorState; here is what
// the heap keeps beside it.
//
// A buffer is one heap page, or a free place on a page that the last collection kept: no object
// crosses a page's end, so that pages can be pinned, governed and walked one by one, and zeroing 8
// KB leaves in the first-level cache what is about to be used.
#pragma once

#include <cstddef>

#include "abi/mutator_state.h"
#include "gc/persistent_space.h"
#include "gc/raw_array.h"

namespace tenure::gc {

// Free memory on one page. In use as a buffer it is zeroed; idle (a gap) it is a filler.
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
  // Makes a filler of what is left and forgets it. `governor`: the page may be protected, and this
  // stores to it; null: it is not.
  void Close(PersistentSpace* governor = nullptr);
};

struct AllocationBuffer {
  abi::MutatorState* state = nullptr;
  Region hidden;    // in stress mode, where the state stays empty
  Region overflow;  // for objects that do not fit into a buffer with much room left
  // While the world is stopped and the thread is interrupted: the header word at the state's
  // pointer and the length behind it, which an allocation may have stored without taking the place
  // yet. Memory has 0 there meanwhile, as behind them.
  bool suspended = false;
  uint64_t begun_header = 0;
  uint64_t begun_length = 0;
  // Not null: a commit met the thread while it was interrupted and put displaced objects on the
  // page that the state points to. A trap there, under the heap's lock, would wait for threads that
  // wait for this lock; and what is allocated there makes the page dirty.
  PersistentSpace* governor = nullptr;
  // The thread was told that the heap is full: what it allocates to get over that may come from the
  // page allocator's reserve, until there is room again.
  bool may_use_reserve = false;

  // The state as a region, and back.
  Region Load() const { return {state->allocation_pointer, state->allocation_limit}; }
  void Store(const Region& region) {
    state->allocation_pointer = region.pointer;
    state->allocation_limit = region.limit;
  }
  // Fillers everywhere; the state's pointers become null.
  void Retire();
  // For an interrupted thread: closes what only the heap takes from, leaves the state alone, and
  // makes what it points to walkable, until Resume. `space`: whether the page has become governed
  // meanwhile; null: no database is open.
  void Suspend();
  void Resume(PersistentSpace* space);
};

// All mutators' buffers. With the heap's lock, or the world stopped.
class AllocationBuffers {
 public:
  void Add(abi::MutatorState& state);
  // False when it is not there.
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
  // The limit of the buffer whose free part begins at this address; null when there is none.
  char* LimitOfBufferAt(const char* pointer) const;

  const AllocationBuffer* begin() const { return buffers_.begin(); }
  const AllocationBuffer* end() const { return buffers_.end(); }

 private:
  RawArray<AllocationBuffer> buffers_;
};

}  // namespace tenure::gc
