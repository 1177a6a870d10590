// Loops that only count are not vectorized.
#pragma once

#include <llvm/IR/PassManager.h>

namespace tenure::compiler {

// A loop with checks, as of the range of a field that it increments, has an exit for each, and much
// of what it changes is in registers while it runs and stored behind it. LLVM computes from all
// exits how often such a loop runs and makes a vector loop of it, of whose body little is left in
// the end, since the values have formulas: that costs some thirty instructions before the first
// time round, and most such loops go round a few times. So those with more than one exit that touch
// only what lies in one place stay as they are. Comes directly before the vectorizer.
class ScalarLoopsPass : public llvm::PassInfoMixin<ScalarLoopsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace tenure::compiler
