// Mutator: what the run time keeps for a thread that runs Modula-3 code. Its allocation pointers
// are the thread's `tn_mutator` (abi/mutator_state.h), which compiled code reads directly.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "abi/mutator_state.h"
#include "base/result.h"

namespace tenure::runtime {

struct BiasedSection;
struct Carried;
struct ExceptionInFlight;

// A copy of the frame in which a thread stopped; the callee-saved registers are in it.
struct StoppedFrame {
  uintptr_t words[128];
  size_t count = 0;
};

// What a kernel thread has beside the stack of the code that it runs: a stack for signal handlers,
// and one for raising and reporting after a stack has overflowed.
struct HandlerStacks {
  uintptr_t emergency_low = 0, emergency_high = 0;
  uintptr_t signals_low = 0, signals_high = 0;

  // Makes them, and lets the calling thread's signal handlers use the one for signals.
  static Result<HandlerStacks> MakeForThisThread();
  // By the same thread.
  void Free();
};

// The state of a thread for a thread that stops the world (safepoint.h).
enum class RunState : uint32_t {
  kRunning,
  kSafe,     // waits for something, touches no heap; its stack is recorded
  kStopped,  // waits for the world to go on
};

class Mutator {
 public:
  // Makes the calling thread a mutator; its stack may hold references from here on. The alternate
  // stack for signal handlers and the emergency stack (traps.h) are allocated. One for each thread.
  static Result<Mutator*> Attach();
  // A thread that workers carry (workers.h), with this stack and this thread object: in the list,
  // but not running yet. Null when memory is exhausted.
  static Mutator* NewCarried(uintptr_t stack_low, uintptr_t stack_high, void* thread_object);
  // Its thread has ended, or never begun. Takes it out of the list if it is there.
  static void DeleteCarried(Mutator* mutator);
  // Before the thread ends. Exceptions still in flight are freed.
  static void Detach();
  // The first half of Detach: ForEach no longer finds the calling thread.
  static void LeaveList();
  // The calling kernel thread runs the code of `mutator` from here on, or of none: null.
  static void Become(Mutator* mutator, const HandlerStacks& stacks);

  // Null when the calling thread is not a mutator. Allowed in signal handlers.
  static Mutator* Current() { return current_; }
  // The mutator that has this state; null when its thread has detached.
  static Mutator* Of(const abi::MutatorState& state);
  // Its id(), or 0.
  static uint32_t CurrentId() { return current_id_; }

  // Calls visit(Mutator&) for every attached mutator. With the list locked, so that no thread
  // attaches or detaches. A thread that stops the world locks it until the world goes on.
  template <typename Visit>
  static void ForEach(Visit&& visit) {
    for (Mutator* m = First(); m != nullptr; m = After(*m)) visit(*m);
  }
  // Like ForEach, without parked mutators.
  template <typename Visit>
  static void ForEachAwake(Visit&& visit) {
    for (Mutator* m = awake_; m != nullptr; m = m->next_) visit(*m);
  }
  // Like ForEach; ahead(Mutator&) is called some steps before the visit, to prefetch.
  template <typename Ahead, typename Visit>
  static void ForEach(Ahead&& ahead, Visit&& visit) {
    constexpr int kAhead = 6;
    Mutator* later = First();
    const auto ask = [&] {
      if (later == nullptr) return;
      ahead(*later);
      later = After(*later);
    };
    for (int i = 0; i < kAhead; ++i) ask();
    for (Mutator* m = First(); m != nullptr; m = After(*m)) {
      ask();
      visit(*m);
    }
  }
  // With the list locked: whether the calling thread is the only one.
  static bool IsAlone() { return First() == nullptr || After(*First()) == nullptr; }
  static void LockList();
  static void UnlockList();
  // Whether a mutator other than the calling one is running: neither parked nor in another region
  // in which its state is kSafe. Locks the list. After false: their stores so far are visible here,
  // and the calling thread's stores so far are visible to them when they leave their regions.
  static bool OthersRun();
  // In the child of a fork, with the list locked: forgets all but the calling thread.
  static void ForgetOthers();
  // With the world stopped: this mutator, which is in a safe region, refers to nothing young. It is
  // left out of ForEachAwake and ForEachActive until it leaves the region.
  void Rest() { rests_.store(true, std::memory_order_relaxed); }
  // With the world stopped, after calls of Rest.
  static void TakeOutResting();
  // With the list locked.
  static bool SomeRest() { return resting_ != nullptr; }
  // Whether it rests: then only Unpark ends its region.
  bool rests() const { return rests_.load(std::memory_order_relaxed); }
  // Like ForEach, without those that rest.
  template <typename Visit>
  static void ForEachActive(Visit&& visit) {
    for (Mutator* m = First(); m != nullptr && m->list_ != &resting_; m = After(*m)) visit(*m);
  }

  // From here to Unpark the calling thread, whose state is kSafe, is parked: a thread that stops
  // the world does not look at it, so parked threads cost a stop nothing. Unpark waits for the
  // world to go on. See ParkedRegion (threads.h).
  void Park();
  void Unpark();

  abi::MutatorState& state() { return *state_; }

  // The thread's own stack: from its lowest usable address to one past its highest.
  uintptr_t stack_low() const { return stack_low_; }
  uintptr_t stack_high() const { return stack_high_; }
  // One past the highest that may hold references: where the thread's first Modula-3 procedure was
  // called, or stack_high(). The C library's own data at a stack's end are above.
  uintptr_t roots_high() const { return roots_high_; }
  // For the calling thread: the frames of its callers hold no references.
  void RootsEndAt(const void* frame) { roots_high_ = reinterpret_cast<uintptr_t>(frame); }

  // Of the kernel thread that runs the thread.
  const HandlerStacks& handler_stacks() const { return handler_stacks_; }
  uintptr_t emergency_low() const { return handler_stacks_.emergency_low; }
  uintptr_t emergency_high() const { return handler_stacks_.emergency_high; }
  uintptr_t signal_stack_low() const { return handler_stacks_.signals_low; }
  uintptr_t signal_stack_high() const { return handler_stacks_.signals_high; }

  // While code runs on the emergency stack: where the thread's own stack was left; else 0.
  uintptr_t interrupted_stack = 0;

  // While the thread is inside a fault handler: the ucontext_t with its registers; else null.
  void* fault_context = nullptr;

  // RequireStackRoom found that the stack is all but used up; what it was called with.
  bool stack_exhausted = false;
  const void* stack_exhausted_at = nullptr;

  // What workers need to carry the thread; null: the thread is a kernel thread of its own.
  Carried* carried = nullptr;

  // Of the thread's last call of Database or Transaction (runtime/external/database.cc).
  const char* last_message = "";
  // The flags that FloatMode ignores.
  int64_t ignored_float_flags = 0;

  // Exceptions raised and not yet ended, newest first (exceptions.h).
  ExceptionInFlight* exceptions = nullptr;

  // The members below belong to the protocol in safepoint.cc.
  std::atomic<RunState> run_state{RunState::kRunning};
  std::atomic<bool> signalled{false};     // the stop signal was sent and not yet taken
  std::atomic<bool> declined{false};      // it was taken where this thread could not stop
  uint32_t holds = 0;                     // not stopped while positive
  bool hold_may_pause = false;            // the hold of a StopsHeldUntilWait
  std::atomic<bool> stop_pending{false};  // a stop waits for the end of the hold
  // Whether the heap has an allocation buffer for the thread (Heap::AddMutator). A thread that has
  // waited in a ParkedRegion has none until it allocates. The thread's own.
  bool has_buffer = false;
  // Where the stop signal interrupted the thread, a ucontext_t; null when it stopped otherwise.
  void* stop_context = nullptr;

  // While several words are copied, with stops held: where to.
  void* copy_to = nullptr;
  uint64_t copy_bytes = 0;
  // Takes the place of tn_end_copy when the copy traps: marks the cards of the part that was
  // copied.
  void EndCopy();

  // While a loop stores without barriers: where (entry_barrier.cc). `store_ranges` is written last.
  abi::StoreRange stores[abi::kMostStoreRanges];
  std::atomic<uint32_t> store_ranges{0};
  // Marks the cards of all these ranges: for a stopped thread, or by the thread itself.
  void MarkStores() const;
  // The loop is left before its end.
  void EndStores() {
    if (store_ranges.load(std::memory_order_relaxed) == 0) return;
    MarkStores();
    store_ranges.store(0, std::memory_order_relaxed);
  }

  pthread_t pthread() const { return pthread_; }

  // The top-level transaction that the thread works in or has worked in last; 0: none
  // (transaction_turns.h). The thread's own.
  uint64_t transaction = 0;

  // Where the thread announces its biased sections (biased_sections.h); null until it needs one.
  BiasedSection* biased_section = nullptr;

  // The thread's object (Thread.T), an exact root; NIL until the library makes it.
  void* thread_object = nullptr;
  // Its number, never 0 and never used again.
  uint32_t id() const { return id_; }

  // While the world is stopped: the frame in which this thread stopped, and the lowest address of
  // its callers' frames (stack_roots.h).
  StoppedFrame stopped_frame;
  uintptr_t stopped_stack = 0;

 private:
  Mutator() = default;
  Status FindStack();

  void Insert(Mutator*& list);
  void TakeOut();
  static Mutator* FirstBehindAwake() { return parked_ != nullptr ? parked_ : resting_; }
  static Mutator* First() { return awake_ != nullptr ? awake_ : FirstBehindAwake(); }
  static Mutator* After(const Mutator& mutator) {
    if (mutator.next_ != nullptr) return mutator.next_;
    if (mutator.list_ == &awake_) return FirstBehindAwake();
    return mutator.list_ == &parked_ ? resting_ : nullptr;
  }

  static Mutator* awake_;
  static Mutator* parked_;
  static Mutator* resting_;
  static constinit thread_local Mutator* current_ __attribute__((tls_model("local-exec")));
  static constinit thread_local uint32_t current_id_ __attribute__((tls_model("local-exec")));

  Mutator* next_ = nullptr;
  Mutator* before_ = nullptr;
  Mutator** list_ = nullptr;  // that it is in, or null
  abi::MutatorState* state_ = nullptr;
  uintptr_t stack_low_ = 0;
  uintptr_t stack_high_ = 0;
  uintptr_t roots_high_ = 0;
  HandlerStacks handler_stacks_;
  pthread_t pthread_ = {};
  uint32_t id_ = 0;
  std::atomic<bool> rests_{false};
};

}  // namespace tenure::runtime
