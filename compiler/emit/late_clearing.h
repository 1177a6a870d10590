// Clearing of local variables only on the paths that use them.
#pragma once

#include <llvm/IR/PassManager.h>

namespace tenure::compiler {

// The language gives a local array of references NIL, which the compiler does where the block of
// its declaration begins. Often only one branch uses the array, and not the common one:
//
//     VAR buffer: ARRAY [0..99] OF TEXT;
//     BEGIN
//       IF short THEN RETURN quick(x) END;
//       ... buffer ...
//
// The pass moves such a memset of a local variable to the nearest block that dominates all uses of
// the variable, but not into a loop.
class LateClearingPass : public llvm::PassInfoMixin<LateClearingPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace tenure::compiler
