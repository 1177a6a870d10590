#include "compiler/emit/loop_barriers.h"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "compiler/emit/llvm_versions.h"
#include "compiler/emit/loop_twin.h"

namespace tenure::compiler {

namespace {

constexpr char kCard[] = "tn.card";
// Least number of iterations for which the twin repays the two calls around it.
constexpr uint64_t kFewestRounds = 32;
// Greatest size of a loop that gets a twin, since the twin doubles it.
constexpr size_t kMostInstructions = 200;

// A barrier in a loop.
struct LoopBarrier {
  llvm::LoadInst* card;
  int64_t step;             // from a slot to the slot of the next iteration
  const llvm::SCEV* first;  // slot
};

struct LoopExit {
  llvm::BasicBlock* inside;
  llvm::BasicBlock* outside;
  bool is_error;
};

struct Plan {
  std::vector<LoopBarrier> barriers;
  std::vector<LoopExit> exits;
  const llvm::SCEV* rounds_less_one;
};

// The inline assembler that turns the slot's address into a number.
llvm::CallInst* StoredBeforeOf(llvm::LoadInst& card) {
  llvm::Value* value = card.getPointerOperand();
  constexpr int kDepthMax = 8;
  for (int depth = 0; depth < kDepthMax; ++depth) {
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(value)) {
      return call->isInlineAsm() && call->arg_size() == 2 ? call : nullptr;
    }
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (instruction == nullptr || instruction->getNumOperands() == 0) return nullptr;
    value = instruction->getOperand(0);
  }
  return nullptr;
}

class LoopBarriers {
 public:
  LoopBarriers(llvm::Function& function, llvm::FunctionAnalysisManager& analyses)
      : analyses_(function, analyses) {}

  bool Run() {
    bool changed = false;
    for (llvm::Loop* loop : loops_.getLoopsInPreorder()) {
      if (!MayHaveTwin(*loop)) continue;
      changed |= analyses_.Simplify(loop);
      if (const std::optional<Plan> plan = PlanFor(*loop)) {
        MakeTwin(*loop, *plan);
        changed = true;
      }
    }
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
        if (CallsSomething(instruction)) return false;
        has_barrier |= instruction.hasMetadata(kCard);
      }
    }
    return has_barrier;
  }

  std::optional<Plan> PlanFor(llvm::Loop& loop) {
    if (!loop.isLoopSimplifyForm() || !loop.isLCSSAForm(dominators_)) return std::nullopt;
    Plan plan;
    for (llvm::BasicBlock* block : loop.blocks()) {
      for (llvm::Instruction& instruction : *block) {
        auto* card = llvm::dyn_cast<llvm::LoadInst>(&instruction);
        if (card == nullptr || !card->hasMetadata(kCard)) continue;
        const std::optional<LoopBarrier> barrier = BarrierOf(loop, *card);
        if (!barrier || plan.barriers.size() == kMostStoreRanges) return std::nullopt;
        plan.barriers.push_back(*barrier);
      }
    }

    // The number of iterations if no error ends the loop. The bounds checks limit this number, so
    // no announced slot lies behind the end of an array.
    llvm::SmallVector<std::pair<llvm::BasicBlock*, llvm::BasicBlock*>, 4> edges;
    loop.getExitEdges(edges);
    bool ends = false;
    for (const auto& [inside, outside] : edges) {
      if (!llvm::isa<llvm::BranchInst>(inside->getTerminator())) return std::nullopt;
      plan.exits.push_back({inside, outside, IsErrorExit(outside)});
      if (plan.exits.back().is_error) continue;
      ends = true;
      // At an exit with a known count all announced slots have been stored to.
      if (llvm::isa<llvm::SCEVCouldNotCompute>(evolution_.getExitCount(&loop, inside))) {
        return std::nullopt;
      }
      for (const LoopBarrier& barrier : plan.barriers) {
        if (!dominators_.dominates(barrier.card->getParent(), inside)) return std::nullopt;
      }
    }
    plan.rounds_less_one = evolution_.getSymbolicMaxBackedgeTakenCount(&loop);
    if (!ends || llvm::isa<llvm::SCEVCouldNotCompute>(plan.rounds_less_one) ||
        evolution_.getTypeSizeInBits(plan.rounds_less_one->getType()) > 64) {
      return std::nullopt;
    }

    llvm::SCEVExpander expander = MakeExpander(evolution_, function_.getDataLayout(), "stores");
    const llvm::Instruction* place = loop.getLoopPreheader()->getTerminator();
    if (!expander.isSafeToExpandAt(plan.rounds_less_one, place)) return std::nullopt;
    for (const LoopBarrier& barrier : plan.barriers) {
      if (!expander.isSafeToExpandAt(barrier.first, place)) return std::nullopt;
    }
    return plan;
  }

  std::optional<LoopBarrier> BarrierOf(llvm::Loop& loop, llvm::LoadInst& card) {
    llvm::CallInst* const stored_before = StoredBeforeOf(card);
    if (stored_before == nullptr) return std::nullopt;
    llvm::Value* const slot = stored_before->getArgOperand(0);
    if (!slot->getType()->isPointerTy()) return std::nullopt;
    const auto* walk = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(slot));
    if (walk == nullptr || walk->getLoop() != &loop || !walk->isAffine()) return std::nullopt;
    const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(walk->getStepRecurrence(evolution_));
    constexpr int64_t kWord = 8, kFar = 256;
    if (step == nullptr || step->getAPInt().getSignificantBits() > 32) return std::nullopt;
    const int64_t bytes = step->getAPInt().getSExtValue();
    if (bytes == 0 || bytes % kWord != 0 || bytes > kFar || bytes < -kFar) return std::nullopt;
    return LoopBarrier{&card, bytes, walk->getStart()};
  }

  void MakeTwin(llvm::Loop& loop, const Plan& plan) {
    llvm::BasicBlock* const before = loop.getLoopPreheader();

    llvm::IRBuilder<> builder(before->getTerminator());
    builder.SetCurrentDebugLocation(loop.getStartLoc());
    llvm::SCEVExpander expander = MakeExpander(evolution_, function_.getDataLayout(), "stores");
    llvm::Type* const i64 = builder.getInt64Ty();
    llvm::Value* const rounds = builder.CreateAdd(
        expander.expandCodeFor(evolution_.getNoopOrZeroExtend(plan.rounds_less_one, i64), i64,
                               before->getTerminator()),
        builder.getInt64(1), "rounds");
    std::vector<llvm::Value*> lowest;
    for (const LoopBarrier& barrier : plan.barriers) {
      llvm::Value* first =
          expander.expandCodeFor(barrier.first, barrier.first->getType(), before->getTerminator());
      if (barrier.step < 0) {
        llvm::Value* last =
            builder.CreateMul(builder.CreateSub(rounds, builder.getInt64(1)),
                              builder.getInt64(static_cast<uint64_t>(barrier.step)));
        first = builder.CreateGEP(builder.getInt8Ty(), first, last);
      }
      lowest.push_back(first);
    }
    // 0 is 2^64 rounds.
    constexpr uint64_t kMostRounds = uint64_t{1} << 40;
    llvm::Value* const is_long =
        builder.CreateICmpULT(builder.CreateSub(rounds, builder.getInt64(kFewestRounds)),
                              builder.getInt64(kMostRounds), "long");

    LoopTwin twin(analyses_, loop, is_long, ".bare", "begin_stores");
    builder.SetInsertPoint(twin.question);
    const llvm::FunctionCallee begin_stores =
        RunTime("tn_begin_stores", builder.getInt32Ty(),
                {builder.getInt32Ty(), builder.getPtrTy(), i64, i64});
    llvm::Value* may_go = nullptr;
    for (size_t i = 0; i < plan.barriers.size(); ++i) {
      const int64_t step = plan.barriers[i].step;
      llvm::Value* const answer = builder.CreateCall(
          begin_stores, {builder.getInt32(static_cast<uint32_t>(i)), lowest[i], rounds,
                         builder.getInt64(static_cast<uint64_t>(step < 0 ? -step : step))});
      if (i == 0) may_go = builder.CreateIsNotNull(answer);
    }
    builder.CreateCondBr(may_go, twin.entry, twin.loop_entry,
                         llvm::MDBuilder(function_.getContext()).createLikelyBranchWeights());

    for (const auto& [inside, outside, is_error] : plan.exits) {
      auto* const from = llvm::cast<llvm::BasicBlock>(twin.of[inside]);
      llvm::BasicBlock* last = from;
      if (!is_error) {
        last = llvm::BasicBlock::Create(function_.getContext(), "end_stores", &function_, outside);
        builder.SetInsertPoint(last);
        builder.CreateCall(RunTime("tn_end_stores", builder.getVoidTy(), {}));
        builder.CreateBr(outside);
        from->getTerminator()->replaceSuccessorWith(outside, last);
        if (llvm::Loop* const around = loops_.getLoopFor(outside)) {
          around->addBasicBlockToLoop(last, loops_);
        }
      }
      twin.AddToPhis(outside, inside, last);
    }
    for (const LoopBarrier& barrier : plan.barriers) {
      RemoveBarrier(*llvm::cast<llvm::LoadInst>(twin.of[barrier.card]));
    }
    analyses_.Recalculate();
  }

  llvm::FunctionCallee RunTime(const char* name, llvm::Type* result,
                               llvm::ArrayRef<llvm::Type*> parameters) {
    llvm::FunctionCallee callee = function_.getParent()->getOrInsertFunction(
        name, llvm::FunctionType::get(result, parameters, /*isVarArg=*/false));
    llvm::cast<llvm::Function>(callee.getCallee())->setDoesNotThrow();
    return callee;
  }

  // The card counts as dirty, so the code that tests it has no effect and is removed.
  static void RemoveBarrier(llvm::LoadInst& card) {
    llvm::CallInst* const stored_before = StoredBeforeOf(card);
    std::vector<llvm::CallInst*> copies;  // in registers
    for (llvm::User* user : card.users()) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(user);
      if (call != nullptr && call->isInlineAsm()) copies.push_back(call);
    }
    llvm::Value* const dirty = llvm::ConstantInt::get(card.getType(), 1);
    for (llvm::CallInst* copy : copies) {
      copy->replaceAllUsesWith(dirty);
      copy->eraseFromParent();
    }
    card.replaceAllUsesWith(dirty);
    card.eraseFromParent();
    llvm::IRBuilder<> builder(stored_before);
    stored_before->replaceAllUsesWith(
        builder.CreatePtrToInt(stored_before->getArgOperand(0), stored_before->getType()));
    stored_before->eraseFromParent();
  }

  LoopAnalyses analyses_;
  llvm::Function& function_ = analyses_.function;
  llvm::LoopInfo& loops_ = analyses_.loops;
  llvm::DominatorTree& dominators_ = analyses_.dominators;
  llvm::ScalarEvolution& evolution_ = analyses_.evolution;
};

}  // namespace

void MarkCardLoad(llvm::LoadInst& load) {
  load.setMetadata(kCard, llvm::MDNode::get(load.getContext(), {}));
}

llvm::PreservedAnalyses LoopBarriersPass::run(llvm::Function& function,
                                              llvm::FunctionAnalysisManager& analyses) {
  return LoopBarriers(function, analyses).Run() ? llvm::PreservedAnalyses::none()
                                                : llvm::PreservedAnalyses::all();
}

}  // namespace tenure::compiler
