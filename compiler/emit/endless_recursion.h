// Keeps endless recursion a stack overflow, even where the recursive calls are tail calls.
#pragma once

#include <llvm/IR/PassManager.h>

namespace tenure::compiler {

// LLVM turns a tail call into a loop, and also a call whose result is only added to another value.
// So an endless recursion would become an endless loop, and the run-time error (language.md 23)
// would never come. Before all optimisation, this pass finds the procedures that cannot return
// without a call of another such procedure, and keeps their calls as calls.
class EndlessRecursionPass : public llvm::PassInfoMixin<EndlessRecursionPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace tenure::compiler
