// Procedures that are called with known procedure values.
#pragma once

#include <llvm/IR/PassManager.h>

namespace tenure::compiler {

// A sort, a walk or a table gets its comparison as a parameter. For calls that pass a known
// function, this pass makes a copy of the procedure that calls this function directly; what the
// copy passes on to itself or to other procedures is known as well, and a short function comes in
// line. Long procedures are not copied, and none is copied for more than a few functions. LLVM's
// own pass for this leaves functions alone whose linkage is not internal
// (docs/calling_convention.md, linkage).
class ConstantArgumentsPass : public llvm::PassInfoMixin<ConstantArgumentsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

// A call of a procedure value tests whether the value is a closure, by the word that it begins
// with, and passes a static link. Where the value is known to be a function, this pass drops the
// test, and in the next run the link.
class KnownProceduresPass : public llvm::PassInfoMixin<KnownProceduresPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace tenure::compiler
