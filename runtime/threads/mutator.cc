#include "runtime/threads/mutator.h"

#include <pthread.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>

#include "base/address.h"
#include "base/mutex.h"
#include "runtime/exceptions/exceptions.h"
#include "runtime/threads/biased_sections.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/signal_masks.h"

extern "C" {
// Defined here for all compiled code. Zero: the first allocation takes the slow path.
thread_local tenure::abi::MutatorState tn_mutator
    __attribute__((tls_model("local-exec"))) = {nullptr, nullptr};
}

namespace tenure::runtime {
namespace {

constexpr size_t kGuardBytes = 64 << 10;
// A fault handler reads and decodes pages on this stack, Berkeley DB's calls included.
constexpr size_t kSignalStackBytes = 512 << 10;
constexpr size_t kEmergencyStackBytes = 512 << 10;

Mutex list_mutex;
uint32_t last_id = 0;

// Memory with an inaccessible guard below it; null when memory is exhausted.
char* MapStack(size_t bytes) {
  void* block = mmap(nullptr, kGuardBytes + bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (block == MAP_FAILED) return nullptr;
  if (mprotect(block, kGuardBytes, PROT_NONE) != 0) {
    munmap(block, kGuardBytes + bytes);
    return nullptr;
  }
  return static_cast<char*>(block) + kGuardBytes;
}

void UnmapStack(char* stack, size_t bytes) {
  if (stack != nullptr) munmap(stack - kGuardBytes, kGuardBytes + bytes);
}

}  // namespace

Mutator* Mutator::awake_ = nullptr;
Mutator* Mutator::parked_ = nullptr;
Mutator* Mutator::resting_ = nullptr;
constinit thread_local Mutator* Mutator::current_ __attribute__((tls_model("local-exec"))) =
    nullptr;
constinit thread_local uint32_t Mutator::current_id_ __attribute__((tls_model("local-exec"))) = 0;

// Held from one to the other, around forks and stops.
void Mutator::LockList() TN_NO_LOCK_ANALYSIS { list_mutex.lock(); }
void Mutator::UnlockList() TN_NO_LOCK_ANALYSIS { list_mutex.unlock(); }

bool Mutator::OthersRun() {
  // A thread that leaves a safe region stores its state before it looks at any other memory, as
  // this thread has stored before it looks at the states. Parked threads come and go with the lock.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  const MutexLock lock(list_mutex);
  bool found = false;
  ForEachAwake([&](Mutator& mutator) {
    found = found || (&mutator != current_ && mutator.run_state.load() != RunState::kSafe);
  });
  return found;
}

void Mutator::ForgetOthers() {
  awake_ = parked_ = resting_ = nullptr;
  if (current_ != nullptr) current_->Insert(awake_);
}

void Mutator::Insert(Mutator*& list) {
  before_ = nullptr;
  next_ = list;
  if (next_ != nullptr) next_->before_ = this;
  list_ = &list;
  list = this;
}

void Mutator::TakeOut() {
  (before_ != nullptr ? before_->next_ : *list_) = next_;
  if (next_ != nullptr) next_->before_ = before_;
  list_ = nullptr;
}

void Mutator::Park() {
  LockList();
  TakeOut();
  Insert(parked_);
  UnlockList();
}

void Mutator::Unpark() {
  // A thread that stops the world holds the lock of the list.
  LockList();
  TakeOut();
  Insert(awake_);
  rests_.store(false, std::memory_order_relaxed);
  run_state.store(RunState::kRunning);
  UnlockList();
}

void Mutator::TakeOutResting() {
  for (Mutator* mutator = First(); mutator != nullptr && mutator->list_ != &resting_;) {
    Mutator* const next = After(*mutator);
    if (mutator->rests()) {
      mutator->TakeOut();
      mutator->Insert(resting_);
    }
    mutator = next;
  }
}

// Both are thread-local variables of this program, which lie at the same distance in all threads.
Mutator* Mutator::Of(const abi::MutatorState& state) {
  const ptrdiff_t distance =
      reinterpret_cast<const char*>(&current_) - reinterpret_cast<const char*>(&tn_mutator);
  return *reinterpret_cast<Mutator* const*>(reinterpret_cast<const char*>(&state) + distance);
}

namespace {

// For the first thread, whose stack is the system's: it ends behind the program's arguments and
// environment. The C library asks /proc.
Status FindFirstStack(uintptr_t* low, uintptr_t* high) {
  constexpr uintptr_t kOsPage = 4096, kMost = 64 << 20;
  const auto* const name = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
  rlimit limit;
  if (name == nullptr || getrlimit(RLIMIT_STACK, &limit) != 0) {
    return Status(StatusCode::kNoMemory, "the thread's stack is not known", errno);
  }
  *high = AlignUp(reinterpret_cast<uintptr_t>(name) + std::strlen(name) + 1, kOsPage);
  *low = *high - AlignDown(std::min<uintptr_t>(limit.rlim_cur, kMost), kOsPage);
  return Status::Ok();
}

}  // namespace

Status Mutator::FindStack() {
  pthread_attr_t attributes;
  int error = pthread_getattr_np(pthread_self(), &attributes);
  if (error != 0 && gettid() == getpid()) return FindFirstStack(&stack_low_, &stack_high_);
  if (error != 0) return Status(StatusCode::kNoMemory, "the thread's stack is not known", error);
  void* low = nullptr;
  size_t bytes = 0;
  error = pthread_attr_getstack(&attributes, &low, &bytes);
  pthread_attr_destroy(&attributes);
  if (error != 0) return Status(StatusCode::kNoMemory, "the thread's stack is not known", error);
  stack_low_ = reinterpret_cast<uintptr_t>(low);
  roots_high_ = stack_high_ = stack_low_ + bytes;
  return Status::Ok();
}

Result<HandlerStacks> HandlerStacks::MakeForThisThread() {
  char* const emergency = MapStack(kEmergencyStackBytes);
  char* const signals = MapStack(kSignalStackBytes);
  if (emergency == nullptr || signals == nullptr) {
    UnmapStack(emergency, kEmergencyStackBytes);
    UnmapStack(signals, kSignalStackBytes);
    return Status(StatusCode::kNoMemory, "no memory for the stacks of signal handlers", errno);
  }
  stack_t stack = {};
  stack.ss_sp = signals;
  stack.ss_size = kSignalStackBytes;
  if (sigaltstack(&stack, nullptr) != 0) {
    UnmapStack(emergency, kEmergencyStackBytes);
    UnmapStack(signals, kSignalStackBytes);
    return Status(StatusCode::kNoMemory, "the stack for signal handlers was refused", errno);
  }
  HandlerStacks made;
  made.emergency_low = reinterpret_cast<uintptr_t>(emergency);
  made.emergency_high = made.emergency_low + kEmergencyStackBytes;
  made.signals_low = reinterpret_cast<uintptr_t>(signals);
  made.signals_high = made.signals_low + kSignalStackBytes;
  return made;
}

void HandlerStacks::Free() {
  stack_t none = {};
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, nullptr);
  UnmapStack(reinterpret_cast<char*>(signals_low), kSignalStackBytes);
  UnmapStack(reinterpret_cast<char*>(emergency_low), kEmergencyStackBytes);
}

Result<Mutator*> Mutator::Attach() {
  TN_CHECK(current_ == nullptr);
  auto* mutator = new (std::nothrow) Mutator;
  if (mutator == nullptr) return Status(StatusCode::kNoMemory, "no memory for a thread");
  mutator->state_ = &tn_mutator;
  Status status = mutator->FindStack();
  if (status.ok()) {
    if (const Result<HandlerStacks> stacks = HandlerStacks::MakeForThisThread(); stacks.ok()) {
      mutator->handler_stacks_ = *stacks;
    } else {
      status = stacks.status();
    }
  }
  if (!status.ok()) {
    delete mutator;
    return status;
  }
  mutator->pthread_ = pthread_self();
  current_ = mutator;
  // Until this thread is in the list, stop signals are ignored.
  UnblockNeededSignals();
  LockList();
  mutator->id_ = current_id_ = ++last_id;
  mutator->Insert(awake_);
  UnlockList();
  return mutator;
}

Mutator* Mutator::NewCarried(uintptr_t stack_low, uintptr_t stack_high, void* thread_object) {
  auto* const mutator = new (std::nothrow) Mutator;
  if (mutator == nullptr) return nullptr;
  mutator->stack_low_ = stack_low;
  mutator->roots_high_ = mutator->stack_high_ = mutator->stopped_stack = stack_high;
  mutator->run_state.store(RunState::kSafe);
  mutator->thread_object = thread_object;
  LockList();
  mutator->id_ = ++last_id;
  mutator->Insert(awake_);
  UnlockList();
  return mutator;
}

// Not in line, so that no address of a thread-local variable is older than a switch of stacks.
__attribute__((noinline)) void Mutator::Become(Mutator* mutator, const HandlerStacks& stacks) {
  if (mutator != nullptr) {
    mutator->state_ = &tn_mutator;
    mutator->pthread_ = pthread_self();
    mutator->handler_stacks_ = stacks;
  }
  current_ = mutator;
  current_id_ = mutator == nullptr ? 0 : mutator->id_;
  SetOwnBiasedSection(mutator);
}

void Mutator::DeleteCarried(Mutator* mutator) {
  if (mutator->list_ != nullptr) {
    LockList();
    mutator->TakeOut();
    UnlockList();
  }
  delete mutator;
}

void Mutator::LeaveList() {
  Mutator* mutator = current_;
  TN_CHECK(mutator != nullptr);
  FreeExceptions(*mutator);
  LockList();
  if (mutator->list_ != nullptr) mutator->TakeOut();
  UnlockList();
}

void Mutator::Detach() {
  LeaveList();
  Mutator* mutator = current_;
  GiveBackBiasedSection(*mutator);
  current_ = nullptr;
  current_id_ = 0;
  mutator->handler_stacks_.Free();
  delete mutator;
}

}  // namespace tenure::runtime
