#include "runtime/root_source.h"

#include "runtime/mutator.h"
#include "runtime/stack_roots.h"

namespace tenure::runtime {

// One thread is a mutator so far: it is the one that collects, and only what it holds has to be
// recorded. Recording here, and not at each visit, gives the verifier the same answer as the
// collector.
__attribute__((noinline)) void ProgramRoots::StopWorld() {
  if (Mutator* mutator = Mutator::Current()) RecordStack(*mutator);
}

void ProgramRoots::ResumeWorld() {
  if (Mutator* mutator = Mutator::Current()) mutator->stopped_stack = 0;
}

void ProgramRoots::VisitAmbiguousRoots(gc::AmbiguousRootVisitor& visitor) {
  Mutator::ForEach([&](Mutator& mutator) { VisitStack(mutator, visitor); });
}

void ProgramRoots::VisitExactRoots(gc::ExactRootVisitor& visitor) {
  for (uint32_t u = 0; u < program_.unit_count; ++u) {
    const abi::UnitInfo& unit = *program_.units[u];
    for (uint32_t r = 0; r < unit.root_count; ++r) {
      const abi::GlobalRoot& root = unit.roots[r];
      visitor.VisitRuns(root.address, root.runs, root.run_count);
    }
  }
}

}  // namespace tenure::runtime
