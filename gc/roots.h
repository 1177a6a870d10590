// The collector's sources of the references that mutators hold. runtime/ implements RootSource for
// threads and globals; tests have their own.
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi/mutator_state.h"
#include "abi/object_header.h"

namespace tenure::gc {

// Words that may be references and are never changed.
class AmbiguousRootVisitor {
 public:
  // Every aligned word in [begin, end). A word that points into an object, at its header or just
  // past its end keeps the object alive and where it is. Unaligned ends are rounded inwards.
  virtual void VisitWords(const void* begin, const void* end) = 0;
  // One word, from a register for example.
  virtual void VisitWord(uintptr_t word) = 0;

  // The words that follow are those of a thread that waits (or not): what only such threads pin may
  // become old where it is.
  virtual void OfWaitingThread(bool waits) { static_cast<void>(waits); }

  // Whether words matter only if they point to young objects: then a stack without such words need
  // not be visited again by such visitors until its thread has run.
  virtual bool WantsOnlyYoung() const { return false; }
  // Whether a word since the last call pointed to a young page.
  virtual bool TakeFoundYoung() { return true; }

 protected:
  ~AmbiguousRootVisitor() = default;
};

// Slots outside the heap that surely hold a reference or NIL; the collector updates them.
class ExactRootVisitor {
 public:
  virtual void VisitSlot(abi::Ref* slot) = 0;
  virtual bool WantsOnlyYoung() const { return false; }

  // The traced slots among `runs`, whose offsets are from `base` (abi::GlobalRoot).
  void VisitRuns(void* base, const abi::SlotRun* runs, uint32_t run_count) {
    for (uint32_t r = 0; r < run_count; ++r) {
      if (runs[r].kind != abi::SlotKind::kReference &&
          runs[r].kind != abi::SlotKind::kTransientReference) {
        continue;
      }
      char* slot = static_cast<char*>(base) + runs[r].offset;
      for (uint32_t i = 0; i < runs[r].count; ++i, slot += runs[r].stride) {
        VisitSlot(reinterpret_cast<abi::Ref*>(slot));
      }
    }
  }

 protected:
  ~ExactRootVisitor() = default;
};

class RootSource {
 public:
  virtual ~RootSource() = default;

  // Between the two no mutator runs but the one that collects. They are called on the collecting
  // thread with the heap's lock held, and nest. While the world is stopped the collector
  // allocates nothing from malloc (a stopped thread may hold its lock).
  virtual void StopWorld() = 0;
  virtual void ResumeWorld() = 0;

  // Between the two: whether this mutator was stopped at an arbitrary instruction, perhaps in the
  // middle of an allocation or of a store with its barrier, and not at a point where it waits or
  // asked for a collection (docs/collector.md, "Stopping"). Then its buffer is not touched.
  virtual bool IsInterrupted(const abi::MutatorState& state) {
    static_cast<void>(state);
    return false;
  }

  // Called after a collection, when the world runs again, if clean-ups of weak references wait.
  virtual void CleanupsWait() {}

  // Between StopWorld and ResumeWorld, on the collecting thread. Ambiguous roots include the
  // collecting thread's own stack and its callee-saved registers: the implementation must bring
  // these to memory. May be called more than once in a collection (by the verifier) and must give
  // the same answer.
  virtual void VisitAmbiguousRoots(AmbiguousRootVisitor& visitor) = 0;
  virtual void VisitExactRoots(ExactRootVisitor& visitor) = 0;
};

}  // namespace tenure::gc
