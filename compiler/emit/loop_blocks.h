// Loops that store to the heap many times in a row look once whether they do.
#pragma once

#include <llvm/IR/PassManager.h>

namespace tenure::compiler {

// A loop that calls nothing but its store barriers, and stores at even distances, gets a twin
// without store barriers. The twin runs if the loop goes round often and stores to no frame of a
// database (tn_in_no_frame): addresses of the heap and of stacks never become frames. The pass
// runs before the passes that look for loops without calls.
class LoopBlocksPass : public llvm::PassInfoMixin<LoopBlocksPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace tenure::compiler
