// Common parts of the passes that give a loop a twin without barriers or checks (loop_barriers.h,
// loop_blocks.h, checked_loops.h).
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

namespace tenure::compiler {

// Whether the instruction calls a procedure, or an intrinsic that uses memory.
bool CallsSomething(const llvm::Instruction& instruction);

// Whether the block leads to a run-time error, from which control does not come back.
bool IsErrorExit(const llvm::BasicBlock* block);

// LLVM's analyses of a function's loops.
struct LoopAnalyses {
  LoopAnalyses(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

  // Gives the loop a preheader, and phis for values that are used behind it. True: this has changed
  // the function.
  bool Simplify(llvm::Loop* loop);
  // Call after a loop has got a twin.
  void Recalculate();

  llvm::Function& function;
  llvm::LoopInfo& loops;
  llvm::DominatorTree& dominators;
  llvm::ScalarEvolution& evolution;
  llvm::AssumptionCache& assumptions;
};

struct LoopTwin {
  // Clones a loop that Simplify has prepared. The end of the preheader branches on `is_long`: if
  // true to the new block `question`, to which the caller adds a jump to `entry` or to
  // `loop_entry`; else to `loop_entry`. AddToPhis then adds the twin to phis behind the loop.
  // `suffix` and `question_name` name the new blocks in LLVM code.
  LoopTwin(LoopAnalyses& analyses, llvm::Loop& loop, llvm::Value* is_long, const char* suffix,
           const char* question_name);

  // The phis of a block behind the loop: a block of the loop leads there, and `from` now as well,
  // with the values of the twin.
  void AddToPhis(llvm::BasicBlock* outside, llvm::BasicBlock* inside, llvm::BasicBlock* from) const;

  llvm::ValueToValueMapTy of;  // from the loop's blocks and instructions to the twin's
  llvm::SmallVector<llvm::BasicBlock*, 8> blocks;
  llvm::BasicBlock* loop_entry = nullptr;
  llvm::BasicBlock* entry = nullptr;
  llvm::BasicBlock* question = nullptr;
};

}  // namespace tenure::compiler
