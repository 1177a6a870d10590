// Unrolls recursion: one call of a recursive procedure does several levels.
#pragma once

#include <llvm/IR/PassManager.h>

namespace tenure::compiler {

// Notes, as an attribute, that a function calls itself and has no loop. UnrollRecursionPass needs
// to know: when it runs, LLVM has made tail calls into loops, and these look like all others. To
// run before LLVM's passes.
class MarkRecursionPass : public llvm::PassInfoMixin<MarkRecursionPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// LLVM's inliner leaves recursive calls alone. But walks of lists and trees are often so short that
// the call is most of the work, and half of the calls of a walk of a binary tree only find NIL. So
// this pass, which runs when the procedure has been simplified (tail calls are loops), inlines the
// procedure into itself repeatedly until it has a moderate size. A call in a loop of the source
// stays a call.
class UnrollRecursionPass : public llvm::PassInfoMixin<UnrollRecursionPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace tenure::compiler
