#include "compiler/emit/checked_loops.h"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "compiler/emit/llvm_versions.h"
#include "compiler/emit/loop_twin.h"

namespace tenure::compiler {

namespace {

// Greatest size of a loop that gets a twin, since the twin doubles it.
constexpr size_t kMostInstructions = 100;
// Greatest cost of the numbers of iterations (llvm::SCEVExpander::isHighCostExpansion).
constexpr unsigned kBudget = 4;

struct Edge {
  llvm::BasicBlock* inside;
  llvm::BasicBlock* outside;
};

struct Check {
  Edge edge;
  const llvm::SCEV* rounds;  // before the check fails
  bool behind_end;           // each iteration tests for the end before the check
};

struct Plan {
  const llvm::SCEV* rounds = nullptr;  // before the loop ends
  std::vector<Check> checks;           // without those that fail after an unknown number of rounds
  std::vector<Edge> other_exits;
};

class CheckedLoops {
 public:
  CheckedLoops(llvm::Function& function, llvm::FunctionAnalysisManager& analyses)
      : analyses_(function, analyses),
        costs_(analyses.getResult<llvm::TargetIRAnalysis>(function)) {}

  bool Run() {
    bool changed = false;
    for (llvm::Loop* loop : loops_.getLoopsInPreorder()) {
      if (!MayHaveTwin(*loop)) continue;
      changed |= analyses_.Simplify(loop);
      if (const Plan plan = PlanFor(*loop); !plan.checks.empty()) {
        MakeTwin(*loop, plan);
        changed = true;
      }
    }
    return changed;
  }

 private:
  // Beside a call, the checks take little time.
  static bool MayHaveTwin(const llvm::Loop& loop) {
    if (!loop.isInnermost() || loop.getExitingBlock() != nullptr) return false;
    size_t instructions = 0;
    for (const llvm::BasicBlock* block : loop.blocks()) {
      instructions += block->sizeWithoutDebug();
      if (instructions > kMostInstructions) return false;
      if (std::any_of(block->begin(), block->end(), CallsSomething)) return false;
    }
    return true;
  }

  // A plan without checks: the loop gets no twin.
  Plan PlanFor(llvm::Loop& loop) {
    if (!loop.isLoopSimplifyForm() || !loop.isLCSSAForm(dominators_)) return {};
    Plan plan;
    llvm::SmallVector<std::pair<llvm::BasicBlock*, llvm::BasicBlock*>, 4> edges;
    loop.getExitEdges(edges);
    const llvm::BasicBlock* end = nullptr;
    for (const auto& [inside, outside] : edges) {
      const auto* branch = llvm::dyn_cast<llvm::BranchInst>(inside->getTerminator());
      if (branch == nullptr || !branch->isConditional()) return {};
      const llvm::SCEV* rounds = evolution_.getExitCount(&loop, inside);
      const bool known = !llvm::isa<llvm::SCEVCouldNotCompute>(rounds) && IsCheap(rounds, loop);
      if (known && IsErrorExit(outside)) {
        plan.checks.push_back({{inside, outside}, rounds, false});
        continue;
      }
      if (known && end == nullptr && !IsErrorExit(outside)) {
        end = inside;
        plan.rounds = rounds;
      }
      plan.other_exits.push_back({inside, outside});
    }
    if (end == nullptr) return {};
    for (auto check = plan.checks.begin(); check != plan.checks.end();) {
      if (check->rounds->getType() == plan.rounds->getType()) {
        check->behind_end = dominators_.dominates(end, check->edge.inside);
        ++check;
      } else {
        plan.other_exits.push_back(check->edge);
        check = plan.checks.erase(check);
      }
    }
    return plan;
  }

  bool IsCheap(const llvm::SCEV* rounds, llvm::Loop& loop) {
    llvm::SCEVExpander expander =
        MakeExpander(evolution_, analyses_.function.getDataLayout(), "checked");
    const llvm::Instruction* place = loop.getLoopPreheader()->getTerminator();
    return expander.isSafeToExpandAt(rounds, place) &&
           !expander.isHighCostExpansion({rounds}, &loop, kBudget, &costs_, place);
  }

  void MakeTwin(llvm::Loop& loop, const Plan& plan) {
    llvm::Instruction* const place = loop.getLoopPreheader()->getTerminator();
    llvm::IRBuilder<> builder(place);
    builder.SetCurrentDebugLocation(loop.getStartLoc());
    llvm::SCEVExpander expander =
        MakeExpander(evolution_, analyses_.function.getDataLayout(), "checked");
    llvm::Type* const type = plan.rounds->getType();
    llvm::Value* const rounds = expander.expandCodeFor(plan.rounds, type, place);
    llvm::Value* all_hold = builder.getTrue();
    for (const Check& check : plan.checks) {
      llvm::Value* const until = expander.expandCodeFor(check.rounds, type, place);
      llvm::Value* const holds = builder.CreateICmp(
          check.behind_end ? llvm::CmpInst::ICMP_ULE : llvm::CmpInst::ICMP_ULT, rounds, until);
      // The loop may end before it looks at a length, which may then be poison.
      all_hold = builder.CreateAnd(all_hold, builder.CreateFreeze(holds));
    }
    llvm::BasicBlock* const before = loop.getLoopPreheader();
    const LoopTwin twin(analyses_, loop, all_hold, ".checked", "all_hold");
    llvm::MDBuilder metadata(analyses_.function.getContext());
    before->getTerminator()->setMetadata(llvm::LLVMContext::MD_prof,
                                         metadata.createLikelyBranchWeights());
    builder.SetInsertPoint(twin.question);
    builder.CreateBr(twin.entry);

    for (const Check& check : plan.checks) {
      auto* const block = llvm::cast<llvm::BasicBlock>(twin.of.lookup(check.edge.inside));
      auto* const branch = llvm::cast<llvm::BranchInst>(block->getTerminator());
      const unsigned stays = branch->getSuccessor(0) == check.edge.outside ? 1 : 0;
      llvm::ReplaceInstWithInst(branch, llvm::BranchInst::Create(branch->getSuccessor(stays)));
    }
    for (const Edge& edge : plan.other_exits) {
      twin.AddToPhis(edge.outside, edge.inside,
                     llvm::cast<llvm::BasicBlock>(twin.of.lookup(edge.inside)));
    }
    // The loop itself runs only to a check that fails.
    llvm::addStringMetadataToLoop(&loop, "llvm.loop.isvectorized", 1);
    llvm::addStringMetadataToLoop(&loop, "llvm.loop.unroll.disable");
    analyses_.Recalculate();
  }

  LoopAnalyses analyses_;
  const llvm::TargetTransformInfo& costs_;
  llvm::LoopInfo& loops_ = analyses_.loops;
  llvm::DominatorTree& dominators_ = analyses_.dominators;
  llvm::ScalarEvolution& evolution_ = analyses_.evolution;
};

}  // namespace

llvm::PreservedAnalyses CheckedLoopsPass::run(llvm::Function& function,
                                              llvm::FunctionAnalysisManager& analyses) {
  return CheckedLoops(function, analyses).Run() ? llvm::PreservedAnalyses::none()
                                                : llvm::PreservedAnalyses::all();
}

}  // namespace tenure::compiler
