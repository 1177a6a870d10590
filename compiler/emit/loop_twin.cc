#include "compiler/emit/loop_twin.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <algorithm>

#include "compiler/emit/llvm_versions.h"

namespace tenure::compiler {

bool CallsSomething(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (call == nullptr || call->isInlineAsm()) return false;
  const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call);
  return intrinsic == nullptr ||
         (intrinsic->mayReadOrWriteMemory() && !intrinsic->isAssumeLikeIntrinsic());
}

bool IsErrorExit(const llvm::BasicBlock* block) {
  constexpr int kJumpsMax = 4;
  for (int jumps = 0; block != nullptr && jumps < kJumpsMax; ++jumps) {
    if (llvm::isa<llvm::UnreachableInst>(block->getTerminator())) {
      const auto* call =
          llvm::dyn_cast_or_null<llvm::CallBase>(PreviousInstruction(*block->getTerminator()));
      const llvm::Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
      return callee != nullptr && callee->getName().starts_with("tn_");
    }
    if (std::any_of(block->begin(), block->end(), CallsSomething)) return false;
    block = block->getSingleSuccessor();
  }
  return false;
}

LoopAnalyses::LoopAnalyses(llvm::Function& analysed, llvm::FunctionAnalysisManager& analyses)
    : function(analysed),
      loops(analyses.getResult<llvm::LoopAnalysis>(analysed)),
      dominators(analyses.getResult<llvm::DominatorTreeAnalysis>(analysed)),
      evolution(analyses.getResult<llvm::ScalarEvolutionAnalysis>(analysed)),
      assumptions(analyses.getResult<llvm::AssumptionAnalysis>(analysed)) {}

bool LoopAnalyses::Simplify(llvm::Loop* loop) {
  bool changed = llvm::simplifyLoop(loop, &dominators, &loops, &evolution, &assumptions,
                                    /*MSSAU=*/nullptr, /*PreserveLCSSA=*/false);
  changed |= llvm::formLCSSARecursively(*loop, dominators, &loops, &evolution);
  return changed;
}

void LoopAnalyses::Recalculate() {
  dominators.recalculate(function);
  evolution.forgetAllLoops();
}

LoopTwin::LoopTwin(LoopAnalyses& analyses, llvm::Loop& loop, llvm::Value* is_long,
                   const char* suffix, const char* question_name) {
  llvm::BasicBlock* const before = loop.getLoopPreheader();
  loop_entry =
      llvm::SplitBlock(before, before->getTerminator(), &analyses.dominators, &analyses.loops);
  llvm::cloneLoopWithPreheader(loop_entry, before, &loop, of, suffix, &analyses.loops,
                               &analyses.dominators, blocks);
  llvm::remapInstructionsInBlocks(blocks, of);
  entry = llvm::cast<llvm::BasicBlock>(of[loop_entry]);
  question = llvm::BasicBlock::Create(analyses.function.getContext(), question_name,
                                      &analyses.function, entry);
  llvm::ReplaceInstWithInst(before->getTerminator(),
                            llvm::BranchInst::Create(question, loop_entry, is_long));
  if (llvm::Loop* const around = loop.getParentLoop()) {
    around->addBasicBlockToLoop(question, analyses.loops);
  }
}

void LoopTwin::AddToPhis(llvm::BasicBlock* outside, llvm::BasicBlock* inside,
                         llvm::BasicBlock* from) const {
  for (llvm::PHINode& phi : outside->phis()) {
    llvm::Value* value = phi.getIncomingValueForBlock(inside);
    if (const auto twin = of.find(value); twin != of.end()) value = twin->second;
    phi.addIncoming(value, from);
  }
}

}  // namespace tenure::compiler
