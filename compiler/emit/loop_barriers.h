// Loops that store many references in a row mark their cards at the end.
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassManager.h>

#include <cstddef>

namespace tenure::compiler {

// Marks the load of a card in a write barrier. The load's operand is computed from the slot's
// address, through an empty piece of inline assembler (the first call among the operands).
void MarkCardLoad(llvm::LoadInst& load);

// Greatest number of runs of slots that a loop may announce (abi/mutator_state.h).
inline constexpr size_t kMostStoreRanges = 4;

// A loop without calls that stores references to slots at even distances, like a loop over an
// array, gets a twin without barriers, which runs when the number of iterations is large enough.
// Before the twin the thread announces the slots that it will store to (tn_begin_stores). If the
// world is stopped during the twin, or an exception leaves the loop, all cards of these slots are
// marked. After the twin the cards are marked whose slots need it (tn_end_stores). No mark comes
// too late, because the collector looks at cards only while the world is stopped. The pass runs
// directly before the vectorizer.
class LoopBarriersPass : public llvm::PassInfoMixin<LoopBarriersPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace tenure::compiler
