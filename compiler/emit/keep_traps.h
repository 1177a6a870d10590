// Dereferences of NIL trap also where the value that they load is not needed.
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassManager.h>

namespace tenure::compiler {

// The load is one through a reference that may be NIL.
void MarkMayTrap(llvm::LoadInst& load);

// LLVM removes loads whose values are not used, and moves others to the only path that uses them;
// the run-time error for NIL would go with them (language.md 23). Before all optimisation, this
// pass gives every marked load whose value might turn out unneeded an empty use, which is no
// instruction: where no use is sure to follow, where a formal that may be ignored is passed, and
// where the result of a call may be dropped. Other loads stay as they are and cost nothing.
class KeepTrapsPass : public llvm::PassInfoMixin<KeepTrapsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace tenure::compiler
