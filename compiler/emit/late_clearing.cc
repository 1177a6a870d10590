#include "compiler/emit/late_clearing.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <vector>

namespace tenure::compiler {

namespace {

// The nearest block that dominates all uses of the variable but this memset. Null if there are no
// others, or if one of them is not always behind the memset.
llvm::BasicBlock* DominatorOfUses(llvm::AllocaInst& variable, llvm::MemSetInst& clearing,
                                  llvm::DominatorTree& tree) {
  llvm::BasicBlock* dominator = nullptr;
  std::vector<llvm::Value*> addresses = {&variable};
  while (!addresses.empty()) {
    llvm::Value* const address = addresses.back();
    addresses.pop_back();
    for (llvm::Use& use : address->uses()) {
      auto* const user = llvm::cast<llvm::Instruction>(use.getUser());
      if (user == &clearing || user->isLifetimeStartOrEnd()) continue;
      // Where an address is computed nothing is read.
      if (llvm::isa<llvm::GetElementPtrInst>(user)) {
        addresses.push_back(user);
        continue;
      }
      if (!tree.dominates(&clearing, use)) return nullptr;
      auto* const phi = llvm::dyn_cast<llvm::PHINode>(user);
      llvm::BasicBlock* const block =
          phi != nullptr ? phi->getIncomingBlock(use) : user->getParent();
      dominator = dominator == nullptr ? block : tree.findNearestCommonDominator(dominator, block);
    }
  }
  return dominator;
}

bool MoveTowardsUses(llvm::MemSetInst& clearing, llvm::DominatorTree& tree,
                     const llvm::LoopInfo& loops) {
  auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(clearing.getDest());
  if (variable == nullptr || !variable->isStaticAlloca() || clearing.isVolatile()) return false;
  if (!llvm::isa<llvm::Constant>(clearing.getValue()) ||
      !llvm::isa<llvm::Constant>(clearing.getLength())) {
    return false;
  }
  llvm::BasicBlock* const from = clearing.getParent();
  llvm::BasicBlock* to = DominatorOfUses(*variable, clearing, tree);
  if (to == nullptr) return false;
  const auto is_place = [&](llvm::BasicBlock* block) {
    const llvm::Loop* const loop = loops.getLoopFor(block);
    return (loop == nullptr || loop->contains(from)) && !block->isEHPad();
  };
  while (to != from && !is_place(to)) to = tree.getNode(to)->getIDom()->getBlock();
  if (to == from) return false;
  clearing.moveBefore(*to, to->getFirstInsertionPt());
  return true;
}

}  // namespace

llvm::PreservedAnalyses LateClearingPass::run(llvm::Function& function,
                                              llvm::FunctionAnalysisManager& analyses) {
  std::vector<llvm::MemSetInst*> clearings;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (auto* clearing = llvm::dyn_cast<llvm::MemSetInst>(&instruction))
      clearings.push_back(clearing);
  }
  if (clearings.empty()) return llvm::PreservedAnalyses::all();
  llvm::DominatorTree& tree = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  const llvm::LoopInfo& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  bool changed = false;
  for (llvm::MemSetInst* clearing : clearings) changed |= MoveTowardsUses(*clearing, tree, loops);
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

}  // namespace tenure::compiler
