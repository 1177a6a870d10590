// Loops that store many references in a row mark their cards at the end.
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassManager.h>

#include <cstddef>

namespace tenure::compiler {

// The load is that of a write barrier: of the card of a slot, whose address is what the operand is
// computed from by way of an empty piece of inline assembler (the first call among its operands).
void MarkCardLoad(llvm::LoadInst& load);

// Of the slots that a loop stores to, in runs (abi/mutator_state.h).
inline constexpr size_t kMostStoreRanges = 4;

// A loop that calls nothing and stores references to slots at even distances, as one over an array
// does, gets a twin without barriers for the case that it runs long enough. Before the twin the
// thread says which slots it is going to store to (tn_begin_stores); when the world is stopped
// meanwhile their cards are marked, all of them, and so they are when the loop is left by an
// exception. Behind the twin the cards are marked whose slots need it (tn_end_stores). So nothing
// is late: the collector looks at cards only while the world is stopped. Comes directly before the
// vectorizer.
class LoopBarriersPass : public llvm::PassInfoMixin<LoopBarriersPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace tenure::compiler
