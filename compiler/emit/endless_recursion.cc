#include "compiler/emit/endless_recursion.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <vector>

namespace tenure::compiler {

namespace {

// Finds the functions that may return; walks each block once. Functions of other modules, and
// functions called through a variable, count as functions that may return.
class Returns {
 public:
  explicit Returns(llvm::Module& module) {
    for (llvm::Function& function : module) {
      if (!function.isDeclaration()) Reach(function.getEntryBlock());
    }
    while (!steps_.empty()) {
      const Step step = steps_.back();
      steps_.pop_back();
      Walk(step);
    }
    for (const auto& [callee, steps] : waiting_) {
      for (const Step& step : steps) stopped_.insert(step.block->getParent());
    }
  }

  bool May(const llvm::Function& function) const { return return_.contains(&function); }

  // Whether a path through the function ends at a call that does not return.
  bool IsStopped(const llvm::Function& function) const { return stopped_.contains(&function); }

 private:
  // Where the walk through a block goes on.
  struct Step {
    llvm::BasicBlock* block;
    llvm::BasicBlock::iterator from;
  };

  void Reach(llvm::BasicBlock& block) {
    if (reached_.insert(&block).second) steps_.push_back({&block, block.begin()});
  }

  void Walk(Step step) {
    llvm::BasicBlock& block = *step.block;
    for (auto it = step.from; it != block.end(); ++it) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&*it);
      llvm::Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
      if (callee != nullptr && !callee->isDeclaration() && !May(*callee)) {
        if (const auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(call)) {
          Reach(*invoke->getUnwindDest());
        }
        waiting_[callee].push_back({&block, it});
        return;
      }
    }
    if (llvm::isa<llvm::ReturnInst>(block.getTerminator())) {
      const llvm::Function* function = block.getParent();
      if (!return_.insert(function).second) return;
      const auto found = waiting_.find(function);
      if (found == waiting_.end()) return;
      steps_.insert(steps_.end(), found->second.begin(), found->second.end());
      found->second.clear();
      return;
    }
    for (llvm::BasicBlock* next : llvm::successors(&block)) Reach(*next);
  }

  llvm::DenseSet<const llvm::BasicBlock*> reached_;
  llvm::DenseSet<const llvm::Function*> return_, stopped_;
  llvm::DenseMap<const llvm::Function*, std::vector<Step>> waiting_;  // for a call to return
  std::vector<Step> steps_;
};

}  // namespace

llvm::PreservedAnalyses EndlessRecursionPass::run(llvm::Module& module,
                                                  llvm::ModuleAnalysisManager& /*analyses*/) {
  const Returns returns(module);
  bool changed = false;
  for (llvm::Function& function : module) {
    if (returns.May(function) || !returns.IsStopped(function)) continue;
    function.addFnAttr("disable-tail-calls", "true");
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace tenure::compiler
