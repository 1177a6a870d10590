// Mutator: what the run time keeps for a thread that runs Modula-3 code. Its allocation pointers
// are the thread's `tn_mutator` (abi/mutator_state.h), which compiled code reads directly.
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi/mutator_state.h"
#include "base/result.h"

namespace tenure::runtime {

struct ExceptionInFlight;

// A copy of the frame in which a thread stopped; the callee-saved registers are in it.
struct StoppedFrame {
  uintptr_t words[128];
  size_t count = 0;
};

class Mutator {
 public:
  // Makes the calling thread a mutator; its stack may hold references from here on. The alternate
  // stack for signal handlers and the emergency stack (traps.h) are allocated. One for each thread.
  static Result<Mutator*> Attach();
  // Before the thread ends. Exceptions still in flight are freed.
  static void Detach();

  // Null when the calling thread is no mutator. Allowed in signal handlers.
  static Mutator* Current();

  // Calls visit(Mutator&) for every attached mutator, with the list locked.
  template <typename Visit>
  static void ForEach(Visit&& visit) {
    LockList();
    for (Mutator* m = first_; m != nullptr; m = m->next_) visit(*m);
    UnlockList();
  }

  abi::MutatorState& state() { return *state_; }

  // The thread's own stack: from its lowest usable address to one past its highest.
  uintptr_t stack_low() const { return stack_low_; }
  uintptr_t stack_high() const { return stack_high_; }

  // A stack of its own for raising and reporting after the thread's stack has overflowed.
  uintptr_t emergency_low() const { return emergency_low_; }
  uintptr_t emergency_high() const { return emergency_high_; }

  // One past the highest address of the stack for signal handlers.
  uintptr_t signal_stack_high() const;

  // While code runs on the emergency stack: where the thread's own stack was left; else 0.
  uintptr_t interrupted_stack = 0;

  // While the thread is inside a fault handler: the ucontext_t with its registers; else null.
  void* fault_context = nullptr;

  // Exceptions raised and not yet ended, newest first (exceptions.h).
  ExceptionInFlight* exceptions = nullptr;

  // While the world is stopped: the frame in which this thread stopped, and the lowest address of
  // its callers' frames (stack_roots.h).
  StoppedFrame stopped_frame;
  uintptr_t stopped_stack = 0;

 private:
  Mutator() = default;
  static void LockList();
  static void UnlockList();
  Status FindStack();
  Status MakeSignalStacks();

  static Mutator* first_;

  Mutator* next_ = nullptr;
  abi::MutatorState* state_ = nullptr;
  uintptr_t stack_low_ = 0;
  uintptr_t stack_high_ = 0;
  uintptr_t emergency_low_ = 0;
  uintptr_t emergency_high_ = 0;
  void* signal_stack_ = nullptr;
};

}  // namespace tenure::runtime
