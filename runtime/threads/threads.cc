#include "runtime/threads/threads.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <new>
#include <utility>

#include "base/check.h"
#include "base/futex.h"
#include "base/shared_processor.h"
#include "runtime/heap/other_collector.h"
#include "runtime/heap/stack_roots.h"
#include "runtime/reports/report.h"
#include "runtime/sessions/persistence.h"
#include "runtime/start/runtime.h"
#include "runtime/threads/mutator.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/thread_limits.h"
#include "runtime/threads/transaction_turns.h"
#include "runtime/threads/workers.h"
#include "runtime/traps/traps.h"

namespace tenure::runtime {
namespace {

constexpr uint64_t kStackBytesMin = 256 << 10;
constexpr uint64_t kGuardBytes = 64 << 10;

// A thread between StartThread and the moment when it is a mutator.
struct StartingThread {
  abi::Ref thread;
  void (*run)(abi::Ref thread);
  uint64_t transaction;  // that the thread which starts it works in
  StartingThread* next;
};

StartingThread* starting_threads = nullptr;  // with the list of mutators locked

void Unlink(StartingThread* starting) {
  Mutator::LockList();
  StartingThread** link = &starting_threads;
  while (*link != starting) link = &(*link)->next;
  *link = starting->next;
  Mutator::UnlockList();
  delete starting;
}

Status JoinCollector(Mutator& mutator) {
  if (OtherCollector* other = LinkedCollector()) TN_RETURN_IF_ERROR(other->AddThread(mutator));
  mutator.has_buffer = true;
  return Runtime::Get().heap().AddMutator(mutator.state());
}

void LeaveCollector(Mutator& mutator) {
  Runtime::Get().heap().RemoveMutator(mutator.state());
  if (OtherCollector* other = LinkedCollector()) {
    // libgc does not stop threads that it does not know, and these must not be in its way.
    Mutator::LeaveList();
    other->RemoveThread();
  }
}

// A forked child cannot use transactions, and its turns may be locked for ever.
void StartsToWorkIn(uint64_t transaction) {
  if (transaction != 0 && !InForkedChild()) TransactionTurns::OfProcess().WorkerCame(transaction);
}

void* ThreadMain(void* argument) {
  auto* starting = static_cast<StartingThread*>(argument);
  Result<Mutator*> attached = Mutator::Attach();
  if (!attached.ok() && GiveUpMappings()) attached = Mutator::Attach();
  if (!attached.ok()) ReportAndEndAtOnce(WhyNoThread(ENOMEM));
  Mutator& mutator = **attached;
  mutator.thread_object = starting->thread;
  mutator.transaction = starting->transaction;
  mutator.RootsEndAt(__builtin_frame_address(0));
  void (*const run)(abi::Ref) = starting->run;
  Unlink(starting);
  if (!JoinCollector(mutator).ok()) ReportAndEndAtOnce("a thread was started twice");

  run(mutator.thread_object);

  EndsToWorkIn(mutator.transaction);
  LeaveSharedProcessor();
  LeaveCollector(mutator);
  Mutator::Detach();
  return nullptr;
}

// Tries before a thread sleeps: most locks are held for less time than a sleep takes.
constexpr int kSpins = 100;

uint32_t OwnId() {
  const uint32_t id = Mutator::CurrentId();
  return id != 0 ? id : AttachedMutator().id();
}

// Its destructor detaches threads that C code made.
pthread_key_t foreign_key;
pthread_once_t foreign_once = PTHREAD_ONCE_INIT;

void DetachForeign(void*) {
  if (Mutator* mutator = Mutator::Current()) {
    EndsToWorkIn(mutator->transaction);
    LeaveSharedProcessor();
    LeaveCollector(*mutator);
    Mutator::Detach();
  }
}

// Grows when clean-ups come to wait.
std::atomic<uint32_t> cleanups_word{0};

// What a thread's stack needs so that the program has `wanted` bytes.
uint64_t StackBytesFor(uint64_t wanted) {
  return std::clamp<uint64_t>(wanted, kStackBytesMin, uint64_t{1} << 40) + kStackRoomBytes;
}

int StartCarried(abi::Ref thread, void (*run)(abi::Ref thread), uint64_t stack_bytes,
                 uint64_t transaction) {
  StartsToWorkIn(transaction);
  const auto start = [&] {
    return Workers::Start(thread, run, StackBytesFor(stack_bytes), transaction);
  };
  int error = start();
  if (error != 0 && [] {
        const StopsHeld held;
        return GiveUpMappings();
      }()) {
    error = start();
  }
  if (error != 0) EndsToWorkIn(transaction);
  return error;
}

}  // namespace

void EndsToWorkIn(uint64_t transaction) {
  if (transaction != 0 && !InForkedChild()) TransactionTurns::OfProcess().WorkerLeft(transaction);
}

int StartThread(abi::Ref thread, void (*run)(abi::Ref thread), uint64_t stack_bytes) {
  RequireStackRoom(nullptr);
  const uint64_t transaction = AttachedMutator().transaction;
  if (Workers::InUse()) return StartCarried(thread, run, stack_bytes, transaction);
  auto* starting = new (std::nothrow) StartingThread{thread, run, transaction, nullptr};
  if (starting == nullptr) return ENOMEM;
  StartsToWorkIn(transaction);
  Mutator::LockList();
  starting->next = starting_threads;
  starting_threads = starting;
  Mutator::UnlockList();

  constexpr uint64_t kRound = 64 << 10;
  stack_bytes = (StackBytesFor(stack_bytes) + kGuardBytes + kRound - 1) / kRound * kRound;
  LeaveSharedProcessor();
  pthread_attr_t attributes;
  int error = pthread_attr_init(&attributes);
  if (error == 0) {
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setguardsize(&attributes, kGuardBytes);
    error = pthread_attr_setstacksize(&attributes, stack_bytes);
    pthread_t created;
    if (error == 0) error = pthread_create(&created, &attributes, ThreadMain, starting);
    // Its stack needs mappings, which pages of databases may have taken.
    if (error == EAGAIN && [] {
          const StopsHeld held;
          return GiveUpMappings();
        }()) {
      error = pthread_create(&created, &attributes, ThreadMain, starting);
    }
    pthread_attr_destroy(&attributes);
  }
  if (error != 0) {
    Unlink(starting);
    EndsToWorkIn(transaction);
  }
  return error;
}

// Threads wait far more often than they allocate, and the heap's lock is held during commits.
void ParkedRegion::EndAllocation(Mutator& mutator) {
  // The buffer is its worker's, for the next thread.
  if (mutator.carried != nullptr) return;
  if (!std::exchange(mutator.has_buffer, false)) return;
  Runtime::Get().heap().RemoveMutator(mutator.state());
}

ParkedRegion::~ParkedRegion() {
  if (mutator_ != nullptr) mutator_->Unpark();
}

void LeaveSharedProcessor() {
  const StopsHeld held;
  SharedProcessor::LeaveHere();
}

Mutator& AttachedMutator() {
  if (Mutator* mutator = Mutator::Current()) return *mutator;
  pthread_once(&foreign_once,
               [] { TN_CHECK(pthread_key_create(&foreign_key, DetachForeign) == 0); });
  const Result<Mutator*> attached = Mutator::Attach();
  if (!attached.ok() || !JoinCollector(**attached).ok()) {
    ReportAndEndAtOnce("no memory for a thread");
  }
  pthread_setspecific(foreign_key, *attached);
  return **attached;
}

namespace {

// Not in line: the heap's lock is known by the kernel thread, which is another one after a wait.
__attribute__((noinline)) bool CleanupsWait() {
  OtherCollector* const other = LinkedCollector();
  return other != nullptr ? other->CleanupsWait()
                          : Runtime::Get().heap().weak_refs().CleanupsWait();
}

}  // namespace

void AwaitCleanups() {
  // The object of the last clean-up may be free now.
  ClearDeadStack();
  for (;;) {
    const uint32_t seen = cleanups_word.load();
    if (CleanupsWait()) return;
    const SafeRegion waiting;
    FutexWait(&cleanups_word, seen);
  }
}

void WakeCleaner() {
  cleanups_word.fetch_add(1);
  FutexWake(&cleanups_word);
}

void VisitStartingThreads(gc::ExactRootVisitor& visitor) {
  for (StartingThread* s = starting_threads; s != nullptr; s = s->next) {
    visitor.VisitSlot(&s->thread);
  }
}

bool LockWord::AcquireShared() {
  const uint32_t id = OwnId();
  uint64_t seen = 0;
  if (__atomic_compare_exchange_n(word_, &seen, OwnedBy(id, kHeld), false, __ATOMIC_ACQUIRE,
                                  __ATOMIC_RELAXED)) {
    return true;
  }
  if (IsBiased(seen)) {
    if (EndBias(seen, OwnedBy(id, kHeld))) return true;
    seen = __atomic_load_n(word_, __ATOMIC_RELAXED);
  }
  if (!IsBiased(seen) && (seen >> 32) == id) return false;
  for (int i = 0; i < kSpins; ++i) {
    __builtin_ia32_pause();
    seen = 0;
    if (__atomic_load_n(word_, __ATOMIC_RELAXED) == 0 &&
        __atomic_compare_exchange_n(word_, &seen, OwnedBy(id, kHeld), false, __ATOMIC_ACQUIRE,
                                    __ATOMIC_RELAXED)) {
      return true;
    }
  }
  seen = __atomic_load_n(word_, __ATOMIC_RELAXED);
  for (;;) {
    if (seen == 0) {
      // Whether other threads sleep too is unknown: then the release wakes none, or one.
      if (__atomic_compare_exchange_n(word_, &seen, OwnedBy(id, kContended), false,
                                      __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
        return true;
      }
      continue;
    }
    if (IsBiased(seen)) {
      if (EndBias(seen, OwnedBy(id, kContended))) return true;
      seen = __atomic_load_n(word_, __ATOMIC_RELAXED);
      continue;
    }
    const uint64_t contended = (seen & ~uint64_t{3}) | kContended;
    if (seen != contended && !__atomic_compare_exchange_n(word_, &seen, contended, false,
                                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      continue;
    }
    {
      const SafeRegion waiting;
      FutexWait(word_, static_cast<uint32_t>(contended));  // the low half comes first in memory
    }
    seen = __atomic_load_n(word_, __ATOMIC_RELAXED);
  }
}

bool LockWord::ReleaseShared() {
  if (!IsMine()) return false;
  if ((__atomic_exchange_n(word_, kFree, __ATOMIC_RELEASE) & 3) != kContended) return true;
  FutexWake(word_, 1);
  Workers::GiveWay();
  return true;
}

bool LockWord::IsMine() const {
  const uint64_t seen = __atomic_load_n(word_, __ATOMIC_RELAXED);
  return seen >> 32 == OwnId() && !IsBiased(seen);
}

void LockWord::Bias() {
  Mutator& mutator = AttachedMutator();
  const int section = TakeBiasedSection(mutator);
  if (section < 0) return;
  uint64_t seen = 0;
  const uint64_t biased = BiasedWord(mutator.id(), static_cast<uint32_t>(section));
  __atomic_compare_exchange_n(word_, &seen, biased, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

bool LockWord::EndBias(uint64_t biased, uint64_t owned) {
  if (!__atomic_compare_exchange_n(word_, &biased, owned, false, __ATOMIC_ACQUIRE,
                                   __ATOMIC_RELAXED)) {
    return false;
  }
  if (biased >> 32 != owned >> 32) AwaitEndOfSection(biased >> 8 & 0xff, word_);
  return true;
}

}  // namespace tenure::runtime
