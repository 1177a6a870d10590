// Stacks of threads that workers run (workers.h): from large reservations, and kept for the next
// thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tenure::runtime {

// An access below `low` is caught as a stack overflow (traps.h) as long as it is no further away
// than kStackGuardBytes.
inline constexpr size_t kStackGuardBytes = size_t{64} << 10;

struct ThreadStack {
  uintptr_t low = 0, high = 0;  // one past the highest address; both 0: there is none
};

// A stack with at least `bytes` bytes, of which the system gives a page when it is first touched.
// It may hold what its last thread has left there. No stack: the system has no memory for it, or no
// mapping (errno says which). Any thread.
ThreadStack TakeStack(uint64_t bytes);
// The calling thread is not on this stack.
void GiveBackStack(const ThreadStack& stack);

}  // namespace tenure::runtime
