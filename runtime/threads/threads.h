// Threads of the library (Thread.T): starting them, parking them, and the lock words of mutexes.
// The library's Thread.m3 keeps the queues; here is what needs the system.
#pragma once

#include <sys/single_threaded.h>

#include <atomic>
#include <cstdint>

#include "abi/object_header.h"
#include "gc/roots.h"
#include "runtime/threads/biased_sections.h"
#include "runtime/threads/mutator.h"
#include "runtime/threads/safepoint.h"

namespace tenure::runtime {

// Runs run(thread) on a new thread; `thread` is its thread object. `stack_bytes` is rounded up to
// what is possible. 0, or the number of the system's error.
int StartThread(abi::Ref thread, void (*run)(abi::Ref thread), uint64_t stack_bytes);

// Thread objects that no mutator has taken over yet. With the list of mutators locked.
void VisitStartingThreads(gc::ExactRootVisitor& visitor);

// The calling thread as a mutator; a thread that C code made becomes one here, until it ends.
// Before that a collection does not see its references, so Modula-3 code that C calls on such a
// thread comes here (by allocating, locking or raising) before it uses traced references.
Mutator& AttachedMutator();

// The calling thread, which works in this top-level transaction (0: in none), ends.
void EndsToWorkIn(uint64_t transaction);

// Lets the calling thread run on any processor again (base/shared_processor.h): called before it
// ends, makes a thread or process, or begins a read-only transaction.
void LeaveSharedProcessor();

// A SafeRegion for waits that are probably long and may be thousands: meanwhile the thread costs a
// stop of the world nothing. It has no allocation buffer in the region.
class ParkedRegion {
 public:
  __attribute__((always_inline)) ParkedRegion() : mutator_(Mutator::Current()) {
    if (mutator_ == nullptr) return;
    EndAllocation(*mutator_);
    BecomeSafe(*mutator_);
    mutator_->Park();
  }
  ~ParkedRegion();
  ParkedRegion(const ParkedRegion&) = delete;
  ParkedRegion& operator=(const ParkedRegion&) = delete;

 private:
  static void EndAllocation(Mutator& mutator);

  Mutator* mutator_;
};

// Waits until clean-ups of weak references wait.
void AwaitCleanups();
void WakeCleaner();

// A lock in one word, zero at first: bits 0 and 1 are its state, bits 32..63 the number of the
// mutator that has it. A word that is biased to a mutator (biased_sections.h) has its number there,
// and that of its section in bits 8..15. The word may lie in the heap; a waiting thread keeps its
// object in place.
class LockWord {
 public:
  static constexpr uint32_t kFree = 0;
  static constexpr uint32_t kHeld = 1;
  static constexpr uint32_t kContended = 2;          // held, and threads may sleep
  static constexpr uint32_t kBiased = kBiasedState;  // free, but its mutator may be in a section

  static uint64_t OwnedBy(uint32_t id, uint32_t state) { return (uint64_t{id} << 32) | state; }

  explicit LockWord(uint64_t* word) : word_(word) {}
  // False: the calling thread has it.
  bool Acquire() { return AcquireAtOnce() || AcquireShared(); }
  // False: the calling thread does not have it.
  bool Release() { return ReleaseAtOnce() || ReleaseShared(); }

  // With one thread no other thread looks at the word, and a locked instruction costs more than
  // most critical sections. False: nothing was done.
  bool AcquireAtOnce() {
    const uint32_t id = Mutator::CurrentId();
    if (__libc_single_threaded == 0 || id == 0 || *word_ != kFree) return false;
    *word_ = OwnedBy(id, kHeld);
    return true;
  }
  bool ReleaseAtOnce() {
    if (__libc_single_threaded == 0 || *word_ != OwnedBy(Mutator::CurrentId(), kHeld)) return false;
    *word_ = kFree;
    return true;
  }
  bool IsMine() const;

  // Biases the lock to the calling thread if it is free. Acquiring it ends that, for the thread
  // itself at once, for others by a system call: so only for locks that one thread uses very often.
  void Bias();
  // Optimized code has the same instructions in line (compiler/lower/biased_sections.cc).
  // TRUE: the lock is biased to the calling thread, and stays free until LeaveBiased. Until then
  // the thread must not raise, wait, nor acquire a lock.
  static bool EnterBiased(const uint64_t* word) {
    const uint64_t biased = tn_biased.word;
    if (__atomic_load_n(word, __ATOMIC_RELAXED) != biased) return false;
    __atomic_store_n(tn_biased.announcement, word, __ATOMIC_RELAXED);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (__atomic_load_n(word, __ATOMIC_ACQUIRE) == biased) return true;
    __atomic_store_n(tn_biased.announcement, nullptr, __ATOMIC_RELEASE);
    return false;
  }
  static void LeaveBiased() { __atomic_store_n(tn_biased.announcement, nullptr, __ATOMIC_RELEASE); }

 private:
  static bool IsBiased(uint64_t word) { return (word & 3) == kBiased; }
  // Acquires the lock, whose word is `biased`; false: the word has changed.
  bool EndBias(uint64_t biased, uint64_t owned);

  // The same with other threads.
  bool AcquireShared();
  bool ReleaseShared();

  uint64_t* word_;
};

}  // namespace tenure::runtime
