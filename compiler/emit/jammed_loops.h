// Sums of products are computed several at a time.
#pragma once

#include <llvm/IR/PassManager.h>

namespace tenure::compiler {

// A loop around a loop that adds up floating-point numbers, as in a product of matrices, waits for
// each addition before it begins the next. The pass gives such a pair of loops a twin in which four
// iterations of the outer loop go through the inner loop together; each sum is made in the order in
// which it was. The twin has no checks. It runs if both loops end before a check would fail, and if
// what the outer loop stores lies apart from what both load; else the loops themselves run. The
// pass runs before those that look for innermost loops.
class JammedLoopsPass : public llvm::PassInfoMixin<JammedLoopsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace tenure::compiler
