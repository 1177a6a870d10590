// Loops that only count are not vectorized.
#pragma once

#include <llvm/IR/PassManager.h>

namespace tenure::compiler {

// A loop with checks, such as the range check of a field that it increments, has an exit for each
// check. It keeps most values in registers and stores them after its end. LLVM computes the number
// of iterations from all exits and makes a vector loop whose body is nearly empty, since the values
// have closed formulas. That costs some thirty instructions before the first iteration, and most
// such loops have few iterations. So this pass excludes loops with more than one exit that access
// only fixed addresses. It runs directly before the vectorizer.
class ScalarLoopsPass : public llvm::PassInfoMixin<ScalarLoopsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace tenure::compiler
