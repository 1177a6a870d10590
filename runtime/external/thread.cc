// The C side of the library's threads (RTThread.i3).

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <ctime>

#include "base/futex.h"
#include "base/spinning.h"
#include "runtime/exceptions/runtime_errors.h"
#include "runtime/heap/stack_roots.h"
#include "runtime/heap/text.h"
#include "runtime/start/runtime.h"
#include "runtime/threads/file_waits.h"
#include "runtime/threads/mutator.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/thread_limits.h"
#include "runtime/threads/threads.h"
#include "runtime/threads/workers.h"

using namespace tenure::runtime;
using tenure::FutexWait;
using tenure::FutexWake;
using tenure::abi::Ref;

namespace {

// Guards the queues of conditions and the states of threads.
uint64_t queues_word = 0;

// The methods of a mutex that is not specialised, in its first two slots.
const void* mutex_acquire = nullptr;
const void* mutex_release = nullptr;

const void* MethodOf(Ref object, size_t slot) {
  const auto* type = reinterpret_cast<const char*>(tenure::abi::ObjectHeader::Of(object)->type());
  return reinterpret_cast<const void* const*>(type + tenure::abi::kMethodsOffset)[slot];
}

// Has the layout of RTThread.Uses.
struct MutexUses {
  int64_t thread;
  int64_t count;
  int64_t patience;
};

// The lower half of a permit, on which its thread sleeps.
constexpr uint32_t kNoPermit = 0, kPermit = 1, kSleeps = 2;

// Longer than it takes to wake a thread: two threads that wait for each other in turns need not
// sleep once both look.
constexpr std::chrono::microseconds kSpin(50);
constexpr int kLooksBetweenYields = 256;  // 10 us

bool SpinForPermit(const uint32_t* word) {
  thread_local tenure::SpinPatience patience;
  if (!patience.ShouldSpin()) return false;
  const auto has_permit = [&] { return __atomic_load_n(word, __ATOMIC_ACQUIRE) == kPermit; };
  const bool has = tenure::SpinUntil(has_permit, kSpin, kLooksBetweenYields);
  patience.Note(/*in_vain=*/!has);
  return has;
}

}  // namespace

extern "C" {

uint8_t tn_mutex_acquire(uint64_t* word) { return LockWord(word).Acquire() ? 1 : 0; }
uint8_t tn_mutex_release(uint64_t* word) { return LockWord(word).Release() ? 1 : 0; }
uint8_t tn_mutex_is_mine(uint64_t* word) { return LockWord(word).IsMine() ? 1 : 0; }

void tn_thread_suspend_others() {
  Runtime::Get().roots().StopOutsideC(true);
  Runtime::Get().heap().StopWorld();
}

void tn_thread_resume_others() {
  Runtime::Get().heap().ResumeWorld();
  Runtime::Get().roots().StopOutsideC(false);
}

void tn_mutex_set_methods(const void* acquire, const void* release) {
  mutex_acquire = acquire;
  mutex_release = release;
}

uint8_t tn_mutex_is_plain(Ref mutex) {
  return MethodOf(mutex, 0) == mutex_acquire && MethodOf(mutex, 1) == mutex_release ? 1 : 0;
}

uint8_t tn_mutex_lock_at_once(Ref mutex, uint64_t* word) {
  if (mutex == nullptr || MethodOf(mutex, 0) != mutex_acquire) return 0;
  return LockWord(word).AcquireAtOnce() ? 1 : 0;
}

uint8_t tn_mutex_unlock_at_once(Ref mutex, uint64_t* word) {
  if (mutex == nullptr || MethodOf(mutex, 1) != mutex_release) return 0;
  return LockWord(word).ReleaseAtOnce() ? 1 : 0;
}

uint8_t tn_mutex_enter_biased(const uint64_t* word) { return LockWord::EnterBiased(word) ? 1 : 0; }
void tn_mutex_leave_biased() { LockWord::LeaveBiased(); }

uint8_t tn_mutex_used(MutexUses* uses) {
  // Biasing again takes longer each time that another thread has come.
  constexpr int64_t kPatienceMin = 16;
  constexpr int64_t kPatienceMax = int64_t{1} << 20;
  const int64_t id = AttachedMutator().id();
  if (uses->thread == id) return ++uses->count >= uses->patience ? 1 : 0;
  uses->patience = uses->thread == 0 ? kPatienceMin : std::min(2 * uses->patience, kPatienceMax);
  uses->thread = id;
  uses->count = 0;
  return 0;
}

void tn_mutex_bias(uint64_t* word) {
  if (__libc_single_threaded == 0) LockWord(word).Bias();
}

void tn_thread_lock_queues() { LockWord(&queues_word).Acquire(); }
void tn_thread_unlock_queues() { LockWord(&queues_word).Release(); }

int64_t tn_thread_start(Ref thread, void (*run)(Ref), int64_t stack_bytes) {
  return StartThread(thread, run, stack_bytes < 0 ? 0 : static_cast<uint64_t>(stack_bytes));
}

Ref tn_thread_why_none(int64_t error) {
  return tenure::runtime::NewText(tenure::runtime::WhyNoThread(static_cast<int>(error)));
}

void tn_thread_clear_dead_stack() { ClearDeadStack(4096); }

Ref tn_thread_self() { return AttachedMutator().thread_object; }
void tn_thread_set_self(Ref thread) { AttachedMutator().thread_object = thread; }
int64_t tn_thread_number() { return AttachedMutator().id(); }

uint8_t tn_thread_park(uint64_t* permit, double seconds) {
  auto* word = reinterpret_cast<uint32_t*>(permit);
  const bool for_ever = seconds < 0;
  const timespec deadline =
      tenure::FutexDeadlineAfter(for_ever || std::isnan(seconds) ? 0 : seconds);
  if (SpinForPermit(word)) return 1;
  for (;;) {
    uint32_t seen = kNoPermit;
    __atomic_compare_exchange_n(word, &seen, kSleeps, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE);
    if (seen == kPermit) return 1;
    const SafeRegion waiting;
    if (!FutexWait(word, kSleeps, for_ever ? nullptr : &deadline)) break;
  }
  uint32_t seen = kSleeps;
  __atomic_compare_exchange_n(word, &seen, kNoPermit, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE);
  return seen == kPermit ? 1 : 0;
}

uint8_t tn_thread_permit(uint64_t* permit) {
  auto* word = reinterpret_cast<uint32_t*>(permit);
  return __atomic_exchange_n(word, kPermit, __ATOMIC_RELEASE) == kSleeps ? 1 : 0;
}

void tn_thread_wake_parked(uint64_t* permit) { FutexWake(permit, 1); }

void tn_thread_unpark(uint64_t* permit) {
  (void)tn_thread_permit(permit);
  FutexWake(permit, 1);
}

int64_t tn_thread_new_waker() { return NewWaker(); }
void tn_thread_close_waker(int64_t waker) { CloseWaker(waker); }
void tn_thread_wake(int64_t waker) { WakeByWaker(waker); }

// The results are those of ThreadInput.State.
int64_t tn_thread_await_file(int64_t fd, uint8_t output, int64_t waker, double seconds) {
  return static_cast<int64_t>(AwaitFile(static_cast<int>(fd), output != 0, waker, seconds));
}

void tn_weak_await_cleanups() { AwaitCleanups(); }

void tn_thread_yield() {
  if (!Workers::InUse()) {
    sched_yield();
    return;
  }
  const SafeRegion yielding;
  Workers::Yield();
}

}  // extern "C"
