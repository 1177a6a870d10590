// The words in a thread's stack and registers, as ambiguous roots.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "gc/roots.h"
#include "runtime/threads/mutator.h"

namespace tenure::runtime {

// For the calling thread: copies the caller's frame, with all callee-saved registers, to `frame`,
// and notes in `stack` where the frames of its callers begin. It must not be inlined into its
// caller, and has no local variables of variable size.
__attribute__((always_inline)) inline void RecordFrame(StoppedFrame& frame, uintptr_t& stack) {
  __builtin_unwind_init();
  const uintptr_t* low;
  __asm__ volatile("movq %%rsp, %0" : "=r"(low));
  // The saved frame pointer and the return address lie between the frame and those of the callers.
  const auto* high = static_cast<const uintptr_t*>(__builtin_frame_address(0)) + 2;
  const size_t count = static_cast<size_t>(high - low);
  TN_CHECK(count <= sizeof frame.words / sizeof(uintptr_t));
  for (size_t i = 0; i < count; ++i) frame.words[i] = low[i];
  frame.count = count;
  stack = reinterpret_cast<uintptr_t>(high);
}

// VisitStack then finds the references of the callers until these return; the recording function
// itself may return.
__attribute__((always_inline)) inline void RecordStack(Mutator& mutator) {
  RecordFrame(mutator.stopped_frame, mutator.stopped_stack);
}

// The calling thread has called the run time for an object from compiled code. While `waits`, no
// frame of the run time behind that code holds a reference that is in use, so VisitStack, called by
// this thread, leaves them out: what earlier calls have left in them keeps nothing alive.
struct CallForObject {
  StoppedFrame frame = {};  // of the entry point, with all callee-saved registers
  uintptr_t stack = 0;      // where the frames of the compiled code begin
  bool waits = false;
};
extern constinit thread_local CallForObject call_for_object
    __attribute__((tls_model("local-exec")));

// In the entry point.
__attribute__((always_inline)) inline void RecordCaller() {
  RecordFrame(call_for_object.frame, call_for_object.stack);
}

// Every word that the recorded thread holds: registers, its stack with the red zone of an
// interrupted leaf, the stack it runs on when that is another one (emergency stack, fault handler),
// the arguments of its exceptions in flight.
void VisitStack(const Mutator& mutator, gc::AmbiguousRootVisitor& visitor);

// VisitStack will soon be called: asks for the memory, which other threads have used last.
void PrefetchStack(const Mutator& mutator);

// Zeroes `bytes` of the calling thread's stack behind the caller's frame, or all if it has fewer.
// Words of earlier frames lie where those of later calls will, and a word that these do not
// overwrite would be taken for a reference.
void ClearDeadStack(size_t bytes = size_t{16} << 10);

}  // namespace tenure::runtime
