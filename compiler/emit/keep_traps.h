// Keeps the trap of a dereference of NIL even where the loaded value is not used.
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassManager.h>

namespace tenure::compiler {

// Marks a load through a reference that may be NIL.
void MarkMayTrap(llvm::LoadInst& load);

// LLVM removes loads whose values are not used, and moves others to the only path that uses them;
// the run-time error for NIL would go with them (language.md 23). Before all optimisation, this
// pass gives an empty use, which emits no instruction, to every marked load whose value might be
// unused: where a use may not follow, where the value is passed to a formal that may be ignored,
// and where the result of a call may be dropped. Other loads stay unchanged and cost nothing.
class KeepTrapsPass : public llvm::PassInfoMixin<KeepTrapsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace tenure::compiler
