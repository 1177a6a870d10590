#include "compiler/emit/ranged_loops.h"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/emit/llvm_versions.h"
#include "compiler/emit/loop_twin.h"

namespace tenure::compiler {

namespace {

// Greatest size of a loop that gets a twin, since the twin doubles it.
constexpr size_t kMostInstructions = 200;
constexpr size_t kMostTests = 8;
// The greatest end of a range that is looked at: no number wraps around on the way to it.
constexpr uint64_t kLastMax = uint64_t{1} << 32;
// Greatest cost of a value before the loop (llvm::SCEVExpander::isHighCostExpansion).
constexpr unsigned kBudget = 4;

// A comparison that is true if and only if a number is at most `last`, or is greater.
struct Test {
  llvm::ICmpInst* comparison;
  const llvm::SCEVAddRecExpr* number;  // grows or falls by one in each iteration
  uint64_t last;
  bool is_inside;  // true: the number is at most `last`
};

class RangedLoops {
 public:
  RangedLoops(llvm::Function& function, llvm::FunctionAnalysisManager& analyses)
      : analyses_(function, analyses),
        costs_(analyses.getResult<llvm::TargetIRAnalysis>(function)) {}

  bool Run() {
    bool changed = false;
    for (llvm::Loop* loop : analyses_.loops.getLoopsInPreorder()) {
      if (!MayHaveTwin(*loop) || !ChoosesByTests(*loop)) continue;
      changed |= analyses_.Simplify(loop);
      if (!loop->isLoopSimplifyForm() || !loop->isLCSSAForm(analyses_.dominators)) continue;
      const llvm::SCEV* const rounds = RoundsOf(*loop);
      if (rounds == nullptr) continue;
      const std::vector<Test> tests = TestsIn(*loop);
      if (tests.empty() || tests.size() > kMostTests) continue;
      MakeTwin(*loop, rounds, tests);
      changed = true;
    }
    return changed;
  }

 private:
  static bool MayHaveTwin(const llvm::Loop& loop) {
    if (!loop.isInnermost() || !loop.isSafeToClone()) return false;
    size_t instructions = 0;
    for (const llvm::BasicBlock* block : loop.blocks()) instructions += block->sizeWithoutDebug();
    return instructions <= kMostInstructions;
  }

  // Whether a comparison chooses a value. Where all comparisons are checks, they take little time
  // (checked_loops.h).
  bool ChoosesByTests(llvm::Loop& loop) {
    return std::ranges::any_of(loop.blocks(), [&](llvm::BasicBlock* block) {
      return std::ranges::any_of(*block, [&](llvm::Instruction& instruction) {
        auto* const select = llvm::dyn_cast<llvm::SelectInst>(&instruction);
        return select != nullptr && TestOf(*select->getCondition(), loop).has_value();
      });
    });
  }

  std::optional<Test> TestOf(llvm::Value& condition, llvm::Loop& loop) {
    auto* const comparison = llvm::dyn_cast<llvm::ICmpInst>(&condition);
    if (comparison == nullptr || !loop.contains(comparison) || !comparison->isUnsigned() ||
        !comparison->getOperand(0)->getType()->isIntegerTy(64)) {
      return std::nullopt;
    }
    const auto* const bound = llvm::dyn_cast<llvm::ConstantInt>(comparison->getOperand(1));
    if (bound == nullptr || bound->isZero() || bound->getValue().ugt(kLastMax)) return std::nullopt;
    const auto* const number = llvm::dyn_cast<llvm::SCEVAddRecExpr>(
        analyses_.evolution.getSCEV(comparison->getOperand(0)));
    if (number == nullptr || number->getLoop() != &loop || !number->isAffine()) return std::nullopt;
    const auto* const step =
        llvm::dyn_cast<llvm::SCEVConstant>(number->getStepRecurrence(analyses_.evolution));
    if (step == nullptr || !(step->getAPInt().isOne() || step->getAPInt().isAllOnes()))
      return std::nullopt;
    const uint64_t value = bound->getZExtValue();
    switch (comparison->getPredicate()) {
      case llvm::CmpInst::ICMP_ULT: return Test{comparison, number, value - 1, true};
      case llvm::CmpInst::ICMP_ULE: return Test{comparison, number, value, true};
      case llvm::CmpInst::ICMP_UGE: return Test{comparison, number, value - 1, false};
      default: return Test{comparison, number, value, false};
    }
  }

  // Most iterations of the loop, less one; null: unknown.
  const llvm::SCEV* RoundsOf(llvm::Loop& loop) {
    llvm::SmallVector<llvm::BasicBlock*, 4> blocks;
    loop.getExitingBlocks(blocks);
    for (const llvm::BasicBlock* block : blocks) {
      const llvm::SCEV* const rounds = analyses_.evolution.getExitCount(&loop, block);
      if (!llvm::isa<llvm::SCEVCouldNotCompute>(rounds) && rounds->getType()->isIntegerTy(64) &&
          IsKnownBefore(rounds, loop)) {
        return rounds;
      }
    }
    return nullptr;
  }

  bool IsKnownBefore(const llvm::SCEV* value, llvm::Loop& loop) {
    llvm::SCEVExpander expander =
        MakeExpander(analyses_.evolution, analyses_.function.getDataLayout(), "ranged");
    const llvm::Instruction* place = loop.getLoopPreheader()->getTerminator();
    return expander.isSafeToExpandAt(value, place) &&
           !expander.isHighCostExpansion({value}, &loop, kBudget, &costs_, place);
  }

  std::vector<Test> TestsIn(llvm::Loop& loop) {
    std::vector<Test> tests;
    for (llvm::BasicBlock* block : loop.blocks()) {
      for (llvm::Instruction& instruction : *block) {
        const std::optional<Test> test = TestOf(instruction, loop);
        if (test && IsKnownBefore(test->number->getStart(), loop)) tests.push_back(*test);
      }
    }
    return tests;
  }

  void MakeTwin(llvm::Loop& loop, const llvm::SCEV* rounds, const std::vector<Test>& tests) {
    llvm::BasicBlock* const before = loop.getLoopPreheader();
    llvm::Instruction* const place = before->getTerminator();
    llvm::SmallVector<std::pair<llvm::BasicBlock*, llvm::BasicBlock*>, 4> exits;
    loop.getExitEdges(exits);
    llvm::IRBuilder<> builder(place);
    builder.SetCurrentDebugLocation(loop.getStartLoc());
    llvm::SCEVExpander expander =
        MakeExpander(analyses_.evolution, analyses_.function.getDataLayout(), "ranged");
    llvm::Value* all_hold = builder.getTrue();
    // Tests of one number with its last value allowed: the least of these counts.
    std::vector<std::pair<const llvm::SCEVAddRecExpr*, uint64_t>> ranges;
    for (const Test& test : tests) {
      const auto found =
          std::ranges::find(ranges, test.number, [](auto& range) { return range.first; });
      if (found == ranges.end()) {
        ranges.emplace_back(test.number, test.last);
      } else {
        found->second = std::min(found->second, test.last);
      }
    }
    llvm::Value* const count = expander.expandCodeFor(rounds, rounds->getType(), place);
    for (const auto& [number, last] : ranges) {
      // So few iterations cannot leave the range and come back.
      for (llvm::Value* value :
           {count, expander.expandCodeFor(number->getStart(), count->getType(), place),
            expander.expandCodeFor(number->evaluateAtIteration(rounds, analyses_.evolution),
                                   count->getType(), place)}) {
        llvm::Value* const holds = builder.CreateICmpULE(value, builder.getInt64(last));
        all_hold = builder.CreateAnd(all_hold, builder.CreateFreeze(holds));
      }
    }
    const LoopTwin twin(analyses_, loop, all_hold, ".ranged", "all_hold");
    llvm::MDBuilder metadata(analyses_.function.getContext());
    before->getTerminator()->setMetadata(llvm::LLVMContext::MD_prof,
                                         metadata.createLikelyBranchWeights());
    llvm::BranchInst::Create(twin.entry, twin.question);
    for (const auto& [inside, outside] : exits) {
      twin.AddToPhis(outside, inside, llvm::cast<llvm::BasicBlock>(twin.of.lookup(inside)));
    }
    for (const Test& test : tests) {
      llvm::Value* const comparison = twin.of.lookup(test.comparison);
      comparison->replaceAllUsesWith(builder.getInt1(test.is_inside));
    }
    llvm::addStringMetadataToLoop(&loop, "llvm.loop.unroll.disable");
    analyses_.Recalculate();
  }

  LoopAnalyses analyses_;
  const llvm::TargetTransformInfo& costs_;
};

}  // namespace

llvm::PreservedAnalyses RangedLoopsPass::run(llvm::Function& function,
                                             llvm::FunctionAnalysisManager& analyses) {
  return RangedLoops(function, analyses).Run() ? llvm::PreservedAnalyses::none()
                                               : llvm::PreservedAnalyses::all();
}

}  // namespace tenure::compiler
