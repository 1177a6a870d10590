// Stopping the mutators and letting them go on (docs/collector.md, "Stopping").
//
// A running thread is stopped by a signal, at whatever instruction it is; one that waits inside a
// SafeRegion counts as stopped and is left alone. A thread that holds stops is stopped when the
// hold ends, one in a fault handler when that returns.
#pragma once

#include <csignal>
#include <cstdint>

#include "abi/mutator_state.h"
#include "runtime/mutator.h"

namespace tenure::runtime {

// Not for the program's own use; it must not be blocked in a thread that runs Modula-3 code.
inline constexpr int kStopSignal = SIGPWR;

void InstallStopHandler();
void UnblockStopSignal();

// Stops all mutators but the calling thread, which may be none. From here to ResumeMutators the
// list of mutators is locked. One thread at a time: with the heap's lock.
//
// `outside_c`: no thread is stopped in the middle of C library code, where it might hold a lock of
// malloc or stdio, so that the caller may use these.
void StopMutators(bool outside_c);
void ResumeMutators();

// While the world is stopped: whether the signal stopped this thread in the middle of something.
// Asked for each thread at each stop, so it must not depend on how many there are.
bool IsInterrupted(const abi::MutatorState& state);

// The first half of a SafeRegion, and of a ParkedRegion (threads.h): the calling thread, which is
// this mutator, counts as stopped from here on.
void BecomeSafe(Mutator& mutator);

// The calling thread waits for something and touches no heap, nor a database's pages. What its
// callers hold is found by a collection. Nothing when the thread is no mutator. Not nested.
class SafeRegion {
 public:
  // In line: what the caller has in registers is recorded from its own frame.
  __attribute__((always_inline)) SafeRegion() : mutator_(Mutator::Current()) {
    if (mutator_ != nullptr) BecomeSafe(*mutator_);
  }
  ~SafeRegion();
  SafeRegion(const SafeRegion&) = delete;
  SafeRegion& operator=(const SafeRegion&) = delete;

 private:
  Mutator* mutator_;
};

// Between the two the calling thread is not stopped. They nest. Short, and nothing inside waits for
// the heap's lock. Raising from a trap ends all holds.
void HoldStops();
void ReleaseStops();

class StopsHeld {
 public:
  StopsHeld() { HoldStops(); }
  ~StopsHeld() { ReleaseStops(); }
  StopsHeld(const StopsHeld&) = delete;
  StopsHeld& operator=(const StopsHeld&) = delete;
};

}  // namespace tenure::runtime
