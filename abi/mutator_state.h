// The per-thread fields that compiled code touches. The run time's Mutator begins with one.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tenure::abi {

// Inline allocation of an object whose whole length (header and payload, rounded) is n bytes, at
// most kLargeObjectBytes (abi/heap_constants.h):
//   start = allocation_pointer; if (start + n > allocation_limit) call tn_allocate_slow;
//   store the header at start; store the rest, zeroes or first values, up to start + n;
//   allocation_pointer = start + n; the reference is start + 8.
// Memory between the two pointers holds anything, and a stop may come between any two instructions:
// so all of the object is stored before the pointer moves. Both null: the next allocation takes the
// slow path (so it is at the start, and always under @M3gcstress).
struct MutatorState {
  char* allocation_pointer;
  char* allocation_limit;
};
static_assert(sizeof(MutatorState) == 16);

// The slots that a loop without write barriers stores references to: `count` of them, `step` bytes
// from each to the next. tn_begin_stores tells the run time of them, one range after the other, and
// of no more than kMostStoreRanges.
struct StoreRange {
  char* first = nullptr;  // the lowest
  uint64_t count = 0;
  uint64_t step = 0;

  uint64_t bytes() const { return (count - 1) * step + sizeof(void*); }
};
inline constexpr uint32_t kMostStoreRanges = 4;

}  // namespace tenure::abi

// Local-exec thread-local variable of the program's run time; compiled code reads it directly.
extern "C" constinit thread_local tenure::abi::MutatorState tn_mutator
    __attribute__((tls_model("local-exec")));
