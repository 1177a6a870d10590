#include "runtime/heap/root_source.h"

#include "runtime/heap/stack_roots.h"
#include "runtime/sessions/persistence.h"
#include "runtime/threads/mutator.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/threads.h"

namespace tenure::runtime {

// The own stack is recorded here, and not at each visit, which gives the verifier the same answer
// as the collector.
__attribute__((noinline)) void ProgramRoots::StopWorld() {
  if (stops_++ == 0) {
    // A database allocates from malloc while the world is stopped.
    StopMutators(/*outside_c=*/ExistingSession() != nullptr || library_users_.load() > 0);
  }
  if (Mutator* mutator = Mutator::Current()) RecordStack(*mutator);
}

void ProgramRoots::ResumeWorld() {
  if (--stops_ > 0) return;
  if (Mutator* mutator = Mutator::Current()) mutator->stopped_stack = 0;
  ResumeMutators();
}

bool ProgramRoots::IsInterrupted(const abi::MutatorState& state) {
  return runtime::IsInterrupted(state);
}

void ProgramRoots::CleanupsWait() { WakeCleaner(); }

void ProgramRoots::VisitAmbiguousRoots(gc::AmbiguousRootVisitor& visitor) {
  if (!visitor.WantsOnlyYoung()) {
    Mutator::ForEach([](Mutator& mutator) { PrefetchStack(mutator); },
                     [&](Mutator& mutator) { VisitStack(mutator, visitor); });
    return;
  }
  bool some_rest = false;
  Mutator::ForEachActive([&](Mutator& mutator) {
    static_cast<void>(visitor.TakeFoundYoung());
    // The thread that has stopped the world may be in a region, and leave it before the world goes
    // on.
    const bool waits = mutator.run_state.load() == RunState::kSafe &&
                       mutator.fault_context == nullptr && &mutator != Mutator::Current();
    visitor.OfWaitingThread(waits);
    VisitStack(mutator, visitor);
    if (!waits) return;
    visitor.VisitWord(reinterpret_cast<uintptr_t>(mutator.thread_object));
    if (visitor.TakeFoundYoung()) return;
    mutator.Rest();
    some_rest = true;
  });
  visitor.OfWaitingThread(false);
  if (some_rest) Mutator::TakeOutResting();
}

void ProgramRoots::VisitExactRoots(gc::ExactRootVisitor& visitor) {
  for (uint32_t u = 0; u < program_.unit_count; ++u) {
    const abi::UnitInfo& unit = *program_.units[u];
    for (uint32_t r = 0; r < unit.root_count; ++r) {
      const abi::GlobalRoot& root = unit.roots[r];
      visitor.VisitRuns(root.address, root.runs, root.run_count);
    }
  }
  const auto visit = [&](Mutator& mutator) { visitor.VisitSlot(&mutator.thread_object); };
  if (visitor.WantsOnlyYoung()) {
    Mutator::ForEachActive(visit);
  } else {
    Mutator::ForEach(visit);
  }
  VisitStartingThreads(visitor);
}

}  // namespace tenure::runtime
