#include "compiler/emit/loop_blocks.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <optional>
#include <vector>

#include "compiler/emit/local_barriers.h"

namespace tenure::compiler {

namespace {

// Least number of iterations for which the twin repays the question.
constexpr uint64_t kFewestRounds = 64;
// Greatest size of a loop that gets a twin.
constexpr size_t kMostInstructions = 200;
// Most barriers of such a loop: each is a question.
constexpr size_t kMostBarriers = 4;
// A scalar has no more bytes.
constexpr int64_t kScalarBytes = 8;

// Where a barrier of the loop stores.
struct Stored {
  llvm::LoadInst* block;
  const llvm::SCEV* first;
  int64_t step;  // 0: always to the same address
};

bool IsBarrierCall(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  return callee != nullptr &&
         (callee->getName() == "tn_mark_store" || callee->getName() == "tn_open_for_store");
}

bool CallsSomethingElse(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (call == nullptr || call->isInlineAsm() || IsBarrierCall(*call)) return false;
  const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call);
  return intrinsic == nullptr ||
         (intrinsic->mayReadOrWriteMemory() && !intrinsic->isAssumeLikeIntrinsic());
}

class LoopBlocks {
 public:
  LoopBlocks(llvm::Function& function, llvm::FunctionAnalysisManager& analyses)
      : function_(function),
        loops_(analyses.getResult<llvm::LoopAnalysis>(function)),
        dominators_(analyses.getResult<llvm::DominatorTreeAnalysis>(function)),
        evolution_(analyses.getResult<llvm::ScalarEvolutionAnalysis>(function)),
        assumptions_(analyses.getResult<llvm::AssumptionAnalysis>(function)) {}

  bool Run() {
    bool changed = false;
    std::vector<llvm::BasicBlock*> twins;
    for (llvm::Loop* loop : loops_.getLoopsInPreorder()) {
      if (!MayHaveTwin(*loop)) continue;
      changed |= llvm::simplifyLoop(loop, &dominators_, &loops_, &evolution_, &assumptions_,
                                    /*MSSAU=*/nullptr, /*PreserveLCSSA=*/false);
      changed |= llvm::formLCSSARecursively(*loop, dominators_, &loops_, &evolution_);
      if (MakeTwin(*loop, twins)) changed = true;
    }
    // Nothing is left of the barriers for the passes behind this one.
    for (llvm::BasicBlock* block : twins) {
      llvm::SimplifyInstructionsInBlock(block);
      llvm::ConstantFoldTerminator(block, true);
    }
    if (!twins.empty()) llvm::EliminateUnreachableBlocks(function_);
    return changed;
  }

 private:
  bool MayHaveTwin(const llvm::Loop& loop) const {
    if (!loop.isInnermost()) return false;
    size_t instructions = 0;
    bool has_barrier = false;
    for (const llvm::BasicBlock* block : loop.blocks()) {
      instructions += block->size();
      if (instructions > kMostInstructions) return false;
      for (const llvm::Instruction& instruction : *block) {
        if (CallsSomethingElse(instruction)) return false;
        has_barrier |= IsBlockLoad(instruction);
      }
    }
    return has_barrier;
  }

  std::optional<Stored> StoredBy(llvm::Loop& loop, llvm::LoadInst& block) {
    llvm::Value* const address = AddressOfBlock(block);
    if (address == nullptr) return std::nullopt;
    const llvm::SCEV* const place = evolution_.getSCEV(address);
    if (evolution_.isLoopInvariant(place, &loop)) return Stored{&block, place, 0};
    const auto* walk = llvm::dyn_cast<llvm::SCEVAddRecExpr>(place);
    if (walk == nullptr || walk->getLoop() != &loop || !walk->isAffine()) return std::nullopt;
    const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(walk->getStepRecurrence(evolution_));
    if (step == nullptr || step->getAPInt().getSignificantBits() > 20) return std::nullopt;
    return Stored{&block, walk->getStart(), step->getAPInt().getSExtValue()};
  }

  bool MakeTwin(llvm::Loop& loop, std::vector<llvm::BasicBlock*>& twins) {
    if (!loop.isLoopSimplifyForm() || !loop.isLCSSAForm(dominators_)) return false;
    std::vector<Stored> stores;
    for (llvm::BasicBlock* block : loop.blocks()) {
      for (llvm::Instruction& instruction : *block) {
        if (!IsBlockLoad(instruction)) continue;
        const std::optional<Stored> stored =
            StoredBy(loop, llvm::cast<llvm::LoadInst>(instruction));
        if (!stored || stores.size() == kMostBarriers) return false;
        stores.push_back(*stored);
      }
    }
    // At most so many: an exit may come earlier.
    const llvm::SCEV* const rounds_less_one = evolution_.getSymbolicMaxBackedgeTakenCount(&loop);
    if (llvm::isa<llvm::SCEVCouldNotCompute>(rounds_less_one) ||
        evolution_.getTypeSizeInBits(rounds_less_one->getType()) > 64) {
      return false;
    }
    llvm::BasicBlock* const before = loop.getLoopPreheader();
    llvm::SCEVExpander expander(evolution_, function_.getDataLayout(), "blocks");
    llvm::Instruction* const place = before->getTerminator();
    if (!expander.isSafeToExpandAt(rounds_less_one, place)) return false;
    for (const Stored& stored : stores) {
      if (!expander.isSafeToExpandAt(stored.first, place)) return false;
    }

    llvm::IRBuilder<> builder(place);
    builder.SetCurrentDebugLocation(loop.getStartLoc());
    llvm::Type* const i64 = builder.getInt64Ty();
    llvm::Value* const last =
        expander.expandCodeFor(evolution_.getNoopOrZeroExtend(rounds_less_one, i64), i64, place);
    constexpr uint64_t kMostRounds = uint64_t{1} << 40;
    llvm::Value* const is_long = builder.CreateICmpULT(
        builder.CreateSub(last, builder.getInt64(kFewestRounds)), builder.getInt64(kMostRounds));
    struct Range {
      llvm::Value *first, *bytes;
    };
    std::vector<Range> ranges;
    for (const Stored& stored : stores) {
      llvm::Value* first = expander.expandCodeFor(stored.first, builder.getPtrTy(), place);
      const auto distance = static_cast<uint64_t>(stored.step < 0 ? -stored.step : stored.step);
      llvm::Value* const reach = builder.CreateMul(last, builder.getInt64(distance));
      if (stored.step < 0) {
        first = builder.CreateGEP(builder.getInt8Ty(), first, builder.CreateNeg(reach));
      }
      ranges.push_back({first, builder.CreateAdd(reach, builder.getInt64(kScalarBytes))});
    }

    llvm::BasicBlock* const loop_entry =
        llvm::SplitBlock(before, before->getTerminator(), &dominators_, &loops_);
    llvm::ValueToValueMapTy twin_of;
    llvm::SmallVector<llvm::BasicBlock*, 8> blocks;
    llvm::cloneLoopWithPreheader(loop_entry, before, &loop, twin_of, ".heap", &loops_, &dominators_,
                                 blocks);
    llvm::remapInstructionsInBlocks(blocks, twin_of);
    auto* const twin_entry = llvm::cast<llvm::BasicBlock>(twin_of[loop_entry]);

    llvm::BasicBlock* const ask =
        llvm::BasicBlock::Create(function_.getContext(), "ask", &function_, twin_entry);
    llvm::ReplaceInstWithInst(before->getTerminator(),
                              llvm::BranchInst::Create(ask, loop_entry, is_long));
    if (llvm::Loop* const around = loop.getParentLoop()) around->addBasicBlockToLoop(ask, loops_);
    builder.SetInsertPoint(ask);
    llvm::FunctionCallee in_no_frame = function_.getParent()->getOrInsertFunction(
        "tn_in_no_frame", llvm::FunctionType::get(builder.getInt32Ty(), {builder.getPtrTy(), i64},
                                                  /*isVarArg=*/false));
    llvm::cast<llvm::Function>(in_no_frame.getCallee())->setDoesNotThrow();
    llvm::Value* all = nullptr;
    for (const Range& range : ranges) {
      llvm::Value* const answer = builder.CreateCall(in_no_frame, {range.first, range.bytes});
      all = all == nullptr ? answer : builder.CreateAnd(all, answer);
    }
    builder.CreateCondBr(builder.CreateIsNotNull(all), twin_entry, loop_entry,
                         llvm::MDBuilder(function_.getContext()).createLikelyBranchWeights());

    llvm::SmallVector<std::pair<llvm::BasicBlock*, llvm::BasicBlock*>, 4> edges;
    loop.getExitEdges(edges);
    for (const auto& [inside, outside] : edges) {
      for (llvm::PHINode& phi : outside->phis()) {
        llvm::Value* value = phi.getIncomingValueForBlock(inside);
        if (const auto twin = twin_of.find(value); twin != twin_of.end()) value = twin->second;
        phi.addIncoming(value, llvm::cast<llvm::BasicBlock>(twin_of[inside]));
      }
    }
    for (const Stored& stored : stores) {
      RemoveStoreBarrier(*llvm::cast<llvm::LoadInst>(twin_of[stored.block]));
    }
    twins.insert(twins.end(), blocks.begin(), blocks.end());
    dominators_.recalculate(function_);
    evolution_.forgetAllLoops();
    return true;
  }

  llvm::Function& function_;
  llvm::LoopInfo& loops_;
  llvm::DominatorTree& dominators_;
  llvm::ScalarEvolution& evolution_;
  llvm::AssumptionCache& assumptions_;
};

}  // namespace

llvm::PreservedAnalyses LoopBlocksPass::run(llvm::Function& function,
                                            llvm::FunctionAnalysisManager& analyses) {
  return LoopBlocks(function, analyses).Run() ? llvm::PreservedAnalyses::none()
                                              : llvm::PreservedAnalyses::all();
}

}  // namespace tenure::compiler
