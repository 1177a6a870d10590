// Stopping the mutators and letting them go on (docs/collector.md, "Stopping").
//
// A running thread is stopped by a signal, at whatever instruction it is; a thread that waits
// inside a SafeRegion counts as stopped and is left alone. A thread that holds stops is stopped
// when the hold ends, one in a fault handler when that returns or waits for a page server
// (WaitInSession).
#pragma once

#include <csignal>
#include <cstdint>

#include "abi/mutator_state.h"
#include "runtime/threads/mutator.h"

namespace tenure::runtime {

// Reserved: a program must not use this signal, nor block it in a thread that runs Modula-3 code.
inline constexpr int kStopSignal = SIGPWR;

void InstallStopHandler();

// Stops all mutators except the calling thread, which need not be a mutator. The list of mutators
// is locked until ResumeMutators. One thread at a time: with the heap's lock.
//
// `outside_c`: no thread is stopped in the middle of C library code, where it might hold a lock of
// malloc or stdio, so that the caller may use these.
void StopMutators(bool outside_c);
void ResumeMutators();

// While the world is stopped: whether a signal has stopped this thread at an arbitrary instruction,
// by a stop or a fault. Called for each thread at each stop, so its time must not grow with the
// number of threads.
bool IsInterrupted(const abi::MutatorState& state);

// The first half of a SafeRegion, and of a ParkedRegion (threads.h): the calling thread, which is
// this mutator, counts as stopped from here on.
void BecomeSafe(Mutator& mutator);

// The other half: the calling thread counts as running again, once the world is not stopped.
void LeaveSafety(Mutator& mutator);

// Whether this mutator's thread has stopped the world.
bool HasStoppedWorld(const Mutator& mutator);

// The calling thread waits for something and touches no heap, nor a database's pages. A
// collection finds the references that its callers hold. Does nothing on a thread that is not a
// mutator. Regions do not nest.
class SafeRegion {
 public:
  // Inlined, so that the registers are recorded from the caller's own frame.
  __attribute__((always_inline)) SafeRegion() : mutator_(Mutator::Current()) {
    if (mutator_ != nullptr) BecomeSafe(*mutator_);
  }
  ~SafeRegion();
  SafeRegion(const SafeRegion&) = delete;
  SafeRegion& operator=(const SafeRegion&) = delete;

 private:
  Mutator* mutator_;
};

// From HoldStops to ReleaseStops the calling thread is not stopped. Holds nest and are short;
// inside one the thread must not wait for the heap's lock. Raising from a trap ends all holds.
void HoldStops();
void ReleaseStops();

// Holds stops while it exists.
class StopsHeld {
 public:
  StopsHeld() { HoldStops(); }
  ~StopsHeld() { ReleaseStops(); }
  StopsHeld(const StopsHeld&) = delete;
  StopsHeld& operator=(const StopsHeld&) = delete;
};

// The same for a thread that asks the session something which may wait for a page server: the hold
// pauses during the wait (WaitInSession). Around it no other hold may pause.
class StopsHeldUntilWait {
 public:
  StopsHeldUntilWait() : mutator_(Mutator::Current()) {
    HoldStops();
    if (mutator_ != nullptr) mutator_->hold_may_pause = true;
  }
  ~StopsHeldUntilWait() {
    if (mutator_ != nullptr) mutator_->hold_may_pause = false;
    ReleaseStops();
  }
  StopsHeldUntilWait(const StopsHeldUntilWait&) = delete;
  StopsHeldUntilWait& operator=(const StopsHeldUntilWait&) = delete;

 private:
  Mutator* const mutator_;
};

// SessionOptions::while_waiting: calls work(context) in a safe region, unless the thread is in the
// middle of something that holds stops and may not pause. In the region work begins at once, also
// when the world is being stopped.
void WaitInSession(void (*work)(void* context), void* context);

}  // namespace tenure::runtime
