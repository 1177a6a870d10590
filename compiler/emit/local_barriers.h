// Store barriers of variables that turn out to be local.
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassManager.h>

namespace tenure::compiler {

// Marks the load of a block's byte in a store barrier. The load's operand is computed from the
// address of the store: through a ptrtoint, or through an empty piece of inline assembler whose
// first operand is the address.
void MarkBlockLoad(llvm::LoadInst& load);
bool IsBlockLoad(const llvm::Instruction& instruction);
// The address of the store; null when passes have made something else of the computation.
llvm::Value* AddressOfBlock(llvm::LoadInst& load);
// The block counts as idle, so the code that looks at its byte has no effect. AddressOfBlock is not
// null.
void RemoveStoreBarrier(llvm::LoadInst& load);

// A procedure that stores to a VAR parameter may, once inlined, store to a local variable. Then no
// page of a database is stored to: the barrier goes, and the variable may live in a register.
class LocalBarriersPass : public llvm::PassInfoMixin<LocalBarriersPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace tenure::compiler
