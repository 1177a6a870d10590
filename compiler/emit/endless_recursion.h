// A recursion that cannot end is a stack overflow, also where its calls are the last thing done.
#pragma once

#include <llvm/IR/PassManager.h>

namespace tenure::compiler {

// LLVM makes a loop of a tail call, or of one whose result is only added to something. Of a
// recursion without an end that is a loop without an end, and the run-time error (language.md 23)
// would never come. Before all optimisation, this pass finds the procedures all of whose ways to a
// return lead through a call of such a procedure, and leaves their calls as they are.
class EndlessRecursionPass : public llvm::PassInfoMixin<EndlessRecursionPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace tenure::compiler
