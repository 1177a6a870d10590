// Procedures that call themselves do several levels of the recursion in one call.
#pragma once

#include <llvm/IR/PassManager.h>

namespace tenure::compiler {

// LLVM's inliner leaves recursive calls alone. But walks of lists and trees are often so short that
// the call is most of the work, and half of the calls of a walk of a binary tree only find NIL. So
// this pass, which comes when a procedure is simple (tail calls are loops), puts the procedure into
// itself, and again, until it has a moderate size.
class UnrollRecursionPass : public llvm::PassInfoMixin<UnrollRecursionPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace tenure::compiler
