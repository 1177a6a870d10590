#include "compiler/emit/scalar_loops.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <algorithm>

namespace tenure::compiler {

namespace {

// Whether the loop touches memory whose address changes from iteration to iteration.
bool WalksThroughMemory(const llvm::Loop& loop) {
  return std::any_of(loop.block_begin(), loop.block_end(), [&](const llvm::BasicBlock* block) {
    return std::any_of(block->begin(), block->end(), [&](const llvm::Instruction& instruction) {
      if (!instruction.mayReadOrWriteMemory()) return false;
      if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
          call != nullptr && call->isAssumeLikeIntrinsic()) {
        return false;
      }
      const llvm::Value* place = llvm::getLoadStorePointerOperand(&instruction);
      return place == nullptr || !loop.isLoopInvariant(place);
    });
  });
}

}  // namespace

llvm::PreservedAnalyses ScalarLoopsPass::run(llvm::Function& function,
                                             llvm::FunctionAnalysisManager& analyses) {
  for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    if (!loop->isInnermost() || loop->getExitingBlock() != nullptr || WalksThroughMemory(*loop)) {
      continue;
    }
    llvm::addStringMetadataToLoop(loop, "llvm.loop.isvectorized", 1);
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace tenure::compiler
