#include "runtime/threads/safepoint.h"

#include <semaphore.h>
#include <ucontext.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <ctime>

#include "base/check.h"
#include "base/futex.h"
#include "base/sanitizers.h"
#include "runtime/heap/stack_roots.h"
#include "runtime/threads/mutator.h"

// The linker's: the code of the program and of this library, not of shared libraries.
extern "C" const char __executable_start[];  // NOLINT: its name is the linker's
extern "C" const char etext[];

namespace tenure::runtime {
namespace {

// Odd while the world is stopped or being stopped. Threads wait for it to change.
std::atomic<uint32_t> stop_word{0};
std::atomic<bool> stop_outside_c{false};
// Posted when a thread has stopped, or has declined: a hint to look at the states.
sem_t acknowledgements;

// Declined stops are tried again after this.
constexpr long kRetryNanoseconds = 30'000;
// A thread that waits for a post looks at the state again after this, with or without a post.
constexpr long kLookNanoseconds = 1'000'000;

// The thread that has stopped the world: it goes on, also out of safe regions. Null otherwise.
std::atomic<const Mutator*> stopper = nullptr;

bool Stopping(uint32_t word) { return (word & 1) != 0; }

void AwaitResume(uint32_t word) {
  while (stop_word.load() == word) KernelFutexWait(&stop_word, word);
}

bool IsSystemCall(const uint8_t* code) { return code[0] == 0x0f && code[1] == 0x05; }

// The thread is in the program's own code, or waits in a system call that malloc does not use for
// memory.
bool HoldsNoLibraryLock(const ucontext_t& context) {
  const auto rip = static_cast<uintptr_t>(context.uc_mcontext.gregs[REG_RIP]);
  if (rip >= reinterpret_cast<uintptr_t>(__executable_start) &&
      rip < reinterpret_cast<uintptr_t>(etext)) {
    return true;
  }
  const auto* code = reinterpret_cast<const uint8_t*>(rip);
  const long rax = static_cast<long>(context.uc_mcontext.gregs[REG_RAX]);
  // A signal makes the kernel go back to the instruction, or end the call with EINTR.
  if (IsSystemCall(code - 2)) return rax == -EINTR;
  if (!IsSystemCall(code)) return false;
  switch (rax) {
    case SYS_mmap:
    case SYS_munmap:
    case SYS_mremap:
    case SYS_mprotect:
    case SYS_madvise:
    case SYS_brk: return false;
    default: return true;
  }
}

// A stop that came during a hold, or is taken at a call.
__attribute__((noinline)) void StopHere(Mutator& mutator) {
  const uint32_t word = stop_word.load();
  RecordStack(mutator);
  mutator.run_state.store(RunState::kStopped);
  sem_post(&acknowledgements);
  AwaitResume(word);
}

// ThreadSanitizer calls handlers later, when the thread calls the C library, and then from where
// the thread is, with the registers that it had when the signal came.
bool IsCalledLate(const Mutator& mutator) {
  if constexpr (!kThreadSanitizer) return false;
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  return here >= mutator.stack_low() && here < mutator.stack_high();
}

void OnStopSignal(int, siginfo_t*, void* context) {
  const int saved_errno = errno;
  Mutator* mutator = Mutator::Current();
  // The signal was not sent by this run time.
  if (mutator == nullptr || !mutator->signalled.exchange(false)) return;
  if (!Stopping(stop_word.load())) return;  // late: the stop is over
  if (mutator->run_state.load() != RunState::kRunning) {
    // The thread has come to wait meanwhile, and goes on only when the world does.
    sem_post(&acknowledgements);
  } else if (mutator->holds > 0) {
    mutator->stop_pending = true;
  } else if (IsCalledLate(*mutator)) {
    StopHere(*mutator);
  } else if (stop_outside_c.load() && !HoldsNoLibraryLock(*static_cast<ucontext_t*>(context))) {
    mutator->declined.store(true);
    sem_post(&acknowledgements);
  } else {
    const uint32_t word = stop_word.load();
    mutator->stop_context = context;
    mutator->run_state.store(RunState::kStopped);
    sem_post(&acknowledgements);
    AwaitResume(word);
    mutator->stop_context = nullptr;
  }
  errno = saved_errno;
}

// False when the thread is gone or needs no signal.
bool Signal(Mutator& mutator) {
  if (mutator.run_state.load() == RunState::kSafe) return false;
  mutator.signalled.store(true);
  if (pthread_kill(mutator.pthread(), kStopSignal) == 0) return true;
  mutator.signalled.store(false);
  return false;
}

}  // namespace

void InstallStopHandler() {
  TN_CHECK(sem_init(&acknowledgements, 0, 0) == 0);
  struct sigaction action = {};
  action.sa_sigaction = OnStopSignal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigfillset(&action.sa_mask);
  TN_CHECK(sigaction(kStopSignal, &action, nullptr) == 0);
}

void StopMutators(bool outside_c) {
  Mutator* const self = Mutator::Current();
  Mutator::LockList();
  stop_outside_c.store(outside_c);
  stop_word.fetch_add(1);

  Mutator::ForEachAwake([&](Mutator& mutator) {
    if (&mutator != self) Signal(mutator);
  });
  // States decide; a post only says that it is time to look again.
  for (;;) {
    bool all_stopped = true;
    bool declined = false;
    Mutator::ForEachAwake([&](Mutator& mutator) {
      if (&mutator == self || mutator.run_state.load() != RunState::kRunning) return;
      all_stopped = false;
      declined |= mutator.declined.exchange(false);
    });
    if (all_stopped) break;
    timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_nsec += declined ? kRetryNanoseconds : kLookNanoseconds;
    if (limit.tv_nsec >= 1'000'000'000) {
      ++limit.tv_sec;
      limit.tv_nsec -= 1'000'000'000;
    }
    sem_timedwait(&acknowledgements, &limit);
    Mutator::ForEachAwake([&](Mutator& mutator) {
      if (&mutator != self && !mutator.signalled.load() && !mutator.stop_pending &&
          mutator.run_state.load() == RunState::kRunning) {
        Signal(mutator);
      }
    });
  }
  stopper.store(self);
  Mutator::ForEachAwake([](Mutator& mutator) { mutator.MarkStores(); });
}

void ResumeMutators() {
  stopper.store(nullptr);
  // Only threads that are awake, or were when the world was stopped and rest since, wait for this.
  bool others = Mutator::SomeRest();
  Mutator::ForEachAwake([&, self = Mutator::Current()](Mutator& mutator) {
    others |= &mutator != self;
    if (mutator.run_state.load() == RunState::kStopped) {
      mutator.run_state.store(RunState::kRunning);
    }
  });
  stop_word.fetch_add(1);
  if (others) KernelFutexWake(&stop_word);
  Mutator::UnlockList();
}

bool IsInterrupted(const abi::MutatorState& state) {
  const Mutator* const mutator = Mutator::Of(state);
  if (mutator == nullptr) return false;
  // A thread in a fault handler counts as stopped while it waits for a page server.
  if (mutator->fault_context != nullptr) return true;
  return mutator->run_state.load() == RunState::kStopped && mutator->stop_context != nullptr;
}

__attribute__((noinline)) void BecomeSafe(Mutator& mutator) {
  RecordStack(mutator);
  mutator.run_state.store(RunState::kSafe);
}

void LeaveSafety(Mutator& mutator) {
  for (;;) {
    mutator.run_state.store(RunState::kRunning);
    // A thread that stops the world sets the word before it looks at the state.
    const uint32_t word = stop_word.load();
    if (!Stopping(word) || HasStoppedWorld(mutator)) {
      if (!mutator.rests()) return;
      // A thread that stops the world does not see this one, which touches nothing until it does.
      mutator.run_state.store(RunState::kSafe);
      return mutator.Unpark();
    }
    mutator.run_state.store(RunState::kSafe);
    AwaitResume(word);
  }
}

bool HasStoppedWorld(const Mutator& mutator) { return stopper.load() == &mutator; }

SafeRegion::~SafeRegion() {
  if (mutator_ != nullptr) LeaveSafety(*mutator_);
}

void HoldStops() {
  if (Mutator* mutator = Mutator::Current()) {
    ++mutator->holds;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
}

void ReleaseStops() {
  Mutator* mutator = Mutator::Current();
  if (mutator == nullptr) return;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (mutator->holds > 0) --mutator->holds;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (mutator->holds == 0 && mutator->stop_pending) {
    mutator->stop_pending = false;
    StopHere(*mutator);
  }
}

void WaitInSession(void (*work)(void* context), void* context) {
  Mutator* const mutator = Mutator::Current();
  const bool held = mutator != nullptr && mutator->holds > 0;
  if (held && !(mutator->holds == 1 && mutator->hold_may_pause)) return work(context);
  {
    const SafeRegion safe;
    // Not before the region: a stop that has come during the hold would stop this thread, and the
    // thread that has stopped the world may wait for the work.
    if (held) {
      mutator->holds = 0;
      if (mutator->stop_pending.exchange(false)) sem_post(&acknowledgements);
    }
    work(context);
  }
  if (held) HoldStops();
}

}  // namespace tenure::runtime
