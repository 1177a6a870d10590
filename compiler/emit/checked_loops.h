// Loops decide before they begin whether one of their checks will fail.
#pragma once

#include <llvm/IR/PassManager.h>

namespace tenure::compiler {

// An innermost loop that counts to a known end, and in which each iteration checks a subscript or a
// range, gets a twin without the checks. The twin runs if the loop ends before the first check
// would fail; else the loop itself runs, and fails where it must. A twin with one exit can be
// vectorized. The pass runs before the vectorizer.
class CheckedLoopsPass : public llvm::PassInfoMixin<CheckedLoopsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace tenure::compiler
