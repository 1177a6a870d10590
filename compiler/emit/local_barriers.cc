#include "compiler/emit/local_barriers.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include <vector>

namespace tenure::compiler {

namespace {

constexpr char kBlock[] = "tn.block";

// The instruction that turns the address of the store into a number; null when passes have made
// something else of it.
llvm::Instruction* NumberOf(llvm::LoadInst& load) {
  llvm::Value* value = load.getPointerOperand();
  constexpr int kDepthMax = 8;
  for (int depth = 0; depth < kDepthMax; ++depth) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (instruction == nullptr || instruction->getNumOperands() == 0) return nullptr;
    if (llvm::isa<llvm::PtrToIntInst>(instruction)) return instruction;
    if (const auto* call = llvm::dyn_cast<llvm::CallInst>(instruction)) {
      return call->isInlineAsm() && call->arg_size() == 2 ? instruction : nullptr;
    }
    if (llvm::isa<llvm::PHINode>(instruction)) return nullptr;
    value = instruction->getOperand(0);
  }
  return nullptr;
}

}  // namespace

void MarkBlockLoad(llvm::LoadInst& load) {
  load.setMetadata(kBlock, llvm::MDNode::get(load.getContext(), {}));
}

bool IsBlockLoad(const llvm::Instruction& instruction) { return instruction.hasMetadata(kBlock); }

llvm::Value* AddressOfBlock(llvm::LoadInst& load) {
  const llvm::Instruction* const number = NumberOf(load);
  return number == nullptr ? nullptr : number->getOperand(0);
}

void RemoveStoreBarrier(llvm::LoadInst& load) {
  llvm::Instruction* const number = NumberOf(load);
  load.replaceAllUsesWith(llvm::ConstantInt::get(load.getType(), 0));
  load.eraseFromParent();
  if (!llvm::isa<llvm::CallInst>(number)) return;
  llvm::IRBuilder<> builder(number);
  number->replaceAllUsesWith(builder.CreatePtrToInt(number->getOperand(0), number->getType()));
  number->eraseFromParent();
}

llvm::PreservedAnalyses LocalBarriersPass::run(llvm::Function& function,
                                               llvm::FunctionAnalysisManager&) {
  std::vector<llvm::LoadInst*> loads;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (IsBlockLoad(instruction)) loads.push_back(llvm::cast<llvm::LoadInst>(&instruction));
  }
  bool changed = false;
  for (llvm::LoadInst* load : loads) {
    const llvm::Value* const address = AddressOfBlock(*load);
    if (address == nullptr) continue;
    const llvm::Value* const object = llvm::getUnderlyingObject(address);
    if (!llvm::isa<llvm::AllocaInst, llvm::GlobalVariable>(object)) continue;
    RemoveStoreBarrier(*load);
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace tenure::compiler
