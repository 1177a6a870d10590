#include "runtime/heap/stack_roots.h"

#include <ucontext.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "runtime/exceptions/exceptions.h"

namespace tenure::runtime {

constinit thread_local CallForObject call_for_object __attribute__((tls_model("local-exec")));

namespace {

// Leaf code may keep data this far below its stack pointer.
constexpr uintptr_t kRedZoneBytes = 128;

void VisitRange(uintptr_t begin, uintptr_t end, gc::AmbiguousRootVisitor& visitor) {
  if (begin < end) {
    visitor.VisitWords(reinterpret_cast<const void*>(begin), reinterpret_cast<const void*>(end));
  }
}

// The registers at the point where a signal interrupted the thread. The kernel's frame holds all of
// them, the vector registers (which may hold references as well) in an area of their own.
void VisitInterruptedRegisters(const ucontext_t& context, gc::AmbiguousRootVisitor& visitor) {
  for (const greg_t word : context.uc_mcontext.gregs) {
    visitor.VisitWord(static_cast<uintptr_t>(word));
  }
  const auto* state = reinterpret_cast<const char*>(context.uc_mcontext.fpregs);
  if (state == nullptr) return;
  // The area is the legacy 512 bytes, and more when the software-reserved bytes at 464 begin with
  // the kernel's mark; the length of the whole follows.
  constexpr size_t kLegacyBytes = 512;
  constexpr size_t kReservedOffset = 464;
  constexpr uint32_t kExtendedMark = 0x46505853;
  const auto* reserved = reinterpret_cast<const uint32_t*>(state + kReservedOffset);
  const size_t bytes = reserved[0] == kExtendedMark ? reserved[1] : kLegacyBytes;
  visitor.VisitWords(state, state + bytes);
}

// A handler of the program's own may ask for the stack for signals (SA_ONSTACK), and be stopped, or
// wait, there. The frame that the kernel made for the first handler, at the top of the stack for
// signals, then tells where the thread had its own stack. Without such a frame: the lowest place.
// The registers are in that frame too.
__attribute__((no_sanitize("address", "thread"))) uintptr_t
StackUnderHandler(const Mutator& mutator, uintptr_t lowest) {
  const uintptr_t low = mutator.signal_stack_low();
  const uintptr_t high = mutator.signal_stack_high();
  constexpr size_t kNeededBytes = offsetof(ucontext_t, uc_sigmask);
  static_assert(kNeededBytes % sizeof(uintptr_t) == 0);
  for (uintptr_t at = high - kNeededBytes; at >= lowest; at -= sizeof(uintptr_t)) {
    const auto& frame = *reinterpret_cast<const ucontext_t*>(at);
    if (reinterpret_cast<uintptr_t>(frame.uc_stack.ss_sp) != low) continue;
    if (frame.uc_stack.ss_size != high - low) continue;
    const auto stack = static_cast<uintptr_t>(frame.uc_mcontext.gregs[REG_RSP]);
    if ((stack >= mutator.stack_low() && stack < mutator.stack_high()) ||
        (stack >= mutator.emergency_low() && stack < mutator.emergency_high())) {
      return stack - kRedZoneBytes;
    }
  }
  return mutator.stack_low();
}

}  // namespace

void PrefetchStack(const Mutator& mutator) {
  constexpr uintptr_t kLine = 64, kMost = 1024;
  const auto fetch = [](uintptr_t begin, uintptr_t end) {
    for (uintptr_t at = begin; at < std::min(end, begin + kMost); at += kLine) {
      __builtin_prefetch(reinterpret_cast<const void*>(at));
    }
  };
  const auto words = reinterpret_cast<uintptr_t>(mutator.stopped_frame.words);
  fetch(words, words + mutator.stopped_frame.count * sizeof(uintptr_t));
  fetch(mutator.stopped_stack, mutator.roots_high());
}

void VisitStack(const Mutator& mutator, gc::AmbiguousRootVisitor& visitor) {
  uintptr_t own_stack = mutator.stopped_stack;
  if (mutator.stop_context != nullptr) {
    const auto& context = *static_cast<const ucontext_t*>(mutator.stop_context);
    VisitInterruptedRegisters(context, visitor);
    own_stack = static_cast<uintptr_t>(context.uc_mcontext.gregs[REG_RSP]) - kRedZoneBytes;
  } else {
    const bool waits = call_for_object.waits && &mutator == Mutator::Current();
    const StoppedFrame& frame = waits ? call_for_object.frame : mutator.stopped_frame;
    visitor.VisitWords(frame.words, frame.words + frame.count);
    if (waits) own_stack = call_for_object.stack;
  }
  if (mutator.fault_context != nullptr) {
    const auto& context = *static_cast<const ucontext_t*>(mutator.fault_context);
    VisitInterruptedRegisters(context, visitor);
    VisitRange(mutator.stopped_stack, mutator.signal_stack_high(), visitor);
    own_stack = static_cast<uintptr_t>(context.uc_mcontext.gregs[REG_RSP]) - kRedZoneBytes;
  }
  if (own_stack + kRedZoneBytes >= mutator.signal_stack_low() &&
      own_stack < mutator.signal_stack_high()) {
    own_stack = std::max(own_stack, mutator.signal_stack_low());
    VisitRange(own_stack, mutator.signal_stack_high(), visitor);
    own_stack = StackUnderHandler(mutator, own_stack);
  }
  if (own_stack >= mutator.emergency_low() && own_stack < mutator.emergency_high()) {
    VisitRange(own_stack, mutator.emergency_high(), visitor);
    own_stack = mutator.interrupted_stack - kRedZoneBytes;
  }
  if (own_stack < mutator.stack_low()) own_stack = mutator.stack_low();
  VisitRange(own_stack, mutator.roots_high(), visitor);

  ForEachArgument(
      mutator,
      [](void* context, const void* begin, const void* end) {
        static_cast<gc::AmbiguousRootVisitor*>(context)->VisitWords(begin, end);
      },
      &visitor);
}

__attribute__((noinline)) void ClearDeadStack(size_t bytes) {
  constexpr size_t kLeft = 8 << 10;  // for memset, and a signal
  const Mutator* const mutator = Mutator::Current();
  const uintptr_t here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  if (mutator == nullptr || here >= mutator->stack_high()) return;
  if (here < mutator->stack_low() + kLeft) return;
  bytes = std::min(bytes, here - mutator->stack_low() - kLeft);
  void* const dead = __builtin_alloca(bytes);
  std::memset(dead, 0, bytes);
  __asm__ volatile("" : : "r"(dead) : "memory");
}

}  // namespace tenure::runtime
