#include "compiler/emit/loop_blocks.h"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>
#include <vector>

#include "compiler/emit/llvm_versions.h"
#include "compiler/emit/local_barriers.h"
#include "compiler/emit/loop_twin.h"

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

bool IsBarrierCall(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  return callee != nullptr &&
         (callee->getName() == "tn_mark_store" || callee->getName() == "tn_open_for_store");
}

class LoopBlocks {
 public:
  LoopBlocks(llvm::Function& function, llvm::FunctionAnalysisManager& analyses)
      : analyses_(function, analyses) {}

  bool Run() {
    bool changed = false;
    std::vector<llvm::BasicBlock*> twins;
    for (llvm::Loop* loop : loops_.getLoopsInPreorder()) {
      if (!MayHaveTwin(*loop)) continue;
      changed |= analyses_.Simplify(loop);
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
        if (CallsSomething(instruction) && !IsBarrierCall(instruction)) return false;
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
    // The most iterations less one; an exit may come earlier.
    const llvm::SCEV* const rounds_less_one = evolution_.getSymbolicMaxBackedgeTakenCount(&loop);
    if (llvm::isa<llvm::SCEVCouldNotCompute>(rounds_less_one) ||
        evolution_.getTypeSizeInBits(rounds_less_one->getType()) > 64) {
      return false;
    }
    llvm::BasicBlock* const before = loop.getLoopPreheader();
    llvm::SCEVExpander expander = MakeExpander(evolution_, function_.getDataLayout(), "blocks");
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

    LoopTwin twin(analyses_, loop, is_long, ".heap", "ask");
    builder.SetInsertPoint(twin.question);
    llvm::FunctionCallee in_no_frame = function_.getParent()->getOrInsertFunction(
        "tn_in_no_frame", llvm::FunctionType::get(builder.getInt32Ty(), {builder.getPtrTy(), i64},
                                                  /*isVarArg=*/false));
    llvm::cast<llvm::Function>(in_no_frame.getCallee())->setDoesNotThrow();
    llvm::Value* all = nullptr;
    for (const Range& range : ranges) {
      llvm::Value* const answer = builder.CreateCall(in_no_frame, {range.first, range.bytes});
      all = all == nullptr ? answer : builder.CreateAnd(all, answer);
    }
    builder.CreateCondBr(builder.CreateIsNotNull(all), twin.entry, twin.loop_entry,
                         llvm::MDBuilder(function_.getContext()).createLikelyBranchWeights());

    llvm::SmallVector<std::pair<llvm::BasicBlock*, llvm::BasicBlock*>, 4> edges;
    loop.getExitEdges(edges);
    for (const auto& [inside, outside] : edges) {
      twin.AddToPhis(outside, inside, llvm::cast<llvm::BasicBlock>(twin.of[inside]));
    }
    for (const Stored& stored : stores) {
      RemoveStoreBarrier(*llvm::cast<llvm::LoadInst>(twin.of[stored.block]));
    }
    twins.insert(twins.end(), twin.blocks.begin(), twin.blocks.end());
    analyses_.Recalculate();
    return true;
  }

  LoopAnalyses analyses_;
  llvm::Function& function_ = analyses_.function;
  llvm::LoopInfo& loops_ = analyses_.loops;
  llvm::DominatorTree& dominators_ = analyses_.dominators;
  llvm::ScalarEvolution& evolution_ = analyses_.evolution;
};

}  // namespace

llvm::PreservedAnalyses LoopBlocksPass::run(llvm::Function& function,
                                            llvm::FunctionAnalysisManager& analyses) {
  return LoopBlocks(function, analyses).Run() ? llvm::PreservedAnalyses::none()
                                              : llvm::PreservedAnalyses::all();
}

}  // namespace tenure::compiler
