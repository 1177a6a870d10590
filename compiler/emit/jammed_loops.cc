#include "compiler/emit/jammed_loops.h"

#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/emit/llvm_versions.h"
#include "compiler/emit/loop_twin.h"

namespace tenure::compiler {

namespace {

// Iterations of the outer loop that go through the inner loop together: their sums and what they
// load fit into the registers.
constexpr unsigned kTogether = 4;
// Greatest sizes of a loop that is jammed.
constexpr size_t kMostInInner = 30;
constexpr size_t kMostInOuter = 80;  // without the inner loop
constexpr size_t kMostAccesses = 8;  // of the pair of loops
// Greatest cost of a value before the loops (llvm::SCEVExpander::isHighCostExpansion). Two loops
// take longer than a few multiplications.
constexpr unsigned kBudget = 30;

struct Edge {
  llvm::BasicBlock* inside;
  llvm::BasicBlock* outside;
};

// A check fails after this number of iterations of its loop.
struct Check {
  Edge edge;
  bool of_inner;
  const llvm::SCEV* rounds;
};

// A branch that is the same in all iterations: to a check that fails, or past the inner loop.
struct Guard {
  llvm::BranchInst* branch;
  unsigned stays;  // the successor in the twin
};

// The length of an array that a loop loads, loaded before it as well.
struct Length {
  llvm::LoadInst* load;
  llvm::LoadInst* early;
  llvm::Value* is_there;         // the reference is not NIL
  std::vector<llvm::Use*> uses;  // of `load`
};

// The addresses that an instruction touches while the loops run.
struct Range {
  const llvm::SCEV* begin;
  const llvm::SCEV* end;
};

struct Plan {
  const llvm::SCEV* outer_rounds = nullptr;  // before the loop ends, less one
  const llvm::SCEV* inner_rounds = nullptr;
  Edge end = {};  // of the outer loop
  Edge inner_end = {};
  std::vector<Check> checks;
  std::vector<Guard> guards;
  std::vector<const llvm::SCEV*> not_negative;
  std::vector<Range> loads;
  std::vector<Range> stores;
};

class JammedLoops {
 public:
  JammedLoops(llvm::Function& function, llvm::FunctionAnalysisManager& analyses)
      : analyses_(function, analyses),
        costs_(analyses.getResult<llvm::TargetIRAnalysis>(function)),
        remarks_(analyses.getResult<llvm::OptimizationRemarkEmitterAnalysis>(function)) {}

  bool Run() {
    bool changed = false;
    for (llvm::Loop* outer : loops_.getLoopsInPreorder()) {
      if (outer->getSubLoops().size() != 1) continue;
      llvm::Loop* const inner = outer->getSubLoops().front();
      if (!MayBeJammed(*outer, *inner)) continue;
      changed |= analyses_.Simplify(outer);
      if (!outer->isLoopSimplifyForm() || !inner->isLoopSimplifyForm() ||
          !outer->isRecursivelyLCSSAForm(dominators_, loops_)) {
        continue;
      }
      const std::vector<Length> lengths = LoadLengthsBefore(*outer);
      changed |= !lengths.empty();
      const std::optional<Plan> plan = PlanFor(*outer, *inner);
      if (plan) {
        Jam(*outer, *plan, lengths);
        changed = true;
      } else {
        UseOwnLoads(lengths);
      }
    }
    return changed;
  }

 private:
  static bool MayBeJammed(const llvm::Loop& outer, const llvm::Loop& inner) {
    if (!inner.isInnermost() || !AddsUp(inner)) return false;
    size_t in_inner = 0;
    size_t in_outer = 0;
    for (const llvm::BasicBlock* block : outer.blocks()) {
      const bool is_inner = inner.contains(block);
      (is_inner ? in_inner : in_outer) += block->sizeWithoutDebug();
      for (const llvm::Instruction& instruction : *block) {
        if (CallsSomething(instruction)) return false;
        // The assembly code only keeps references in registers.
        if (!instruction.mayReadOrWriteMemory() || llvm::isa<llvm::CallBase>(instruction)) continue;
        if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
          if (!load->isSimple()) return false;
        } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
          if (!store->isSimple() || is_inner) return false;
        } else {
          return false;
        }
      }
    }
    return in_inner <= kMostInInner && in_outer <= kMostInOuter;
  }

  // Whether each iteration adds to a sum of the iteration before, which takes longer than the rest.
  static bool AddsUp(const llvm::Loop& loop) {
    const llvm::BasicBlock* const latch = loop.getLoopLatch();
    if (latch == nullptr) return false;
    bool found = false;
    for (const llvm::PHINode& phi : loop.getHeader()->phis()) {
      if (!phi.getType()->isFloatingPointTy()) continue;
      const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(phi.getIncomingValueForBlock(latch));
      if (sum == nullptr || !loop.contains(sum) || sum->hasAllowReassoc()) return false;
      if (sum->getOpcode() != llvm::Instruction::FAdd &&
          sum->getOpcode() != llvm::Instruction::FSub) {
        return false;
      }
      if (sum->getOperand(0) != &phi && sum->getOperand(1) != &phi) return false;
      found = true;
    }
    return found;
  }

  // Loads the lengths of arrays, which never change, before the outer loop, and lets the loops use
  // these. A reference that may be NIL must not trap before the loops come to it, so a word
  // elsewhere stands for its lengths, and the twin does not run.
  std::vector<Length> LoadLengthsBefore(llvm::Loop& outer) {
    std::vector<Length> lengths;
    llvm::IRBuilder<> builder(outer.getLoopPreheader()->getTerminator());
    for (llvm::BasicBlock* block : outer.blocks()) {
      for (llvm::Instruction& instruction : *block) {
        auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
        if (load == nullptr || !load->hasMetadata(llvm::LLVMContext::MD_invariant_load)) continue;
        llvm::Value* const place = load->getPointerOperand();
        llvm::APInt offset(64, 0);
        llvm::Value* const reference = place->stripAndAccumulateConstantOffsets(
            analyses_.function.getDataLayout(), offset, /*AllowNonInbounds=*/false);
        if (!outer.isLoopInvariant(reference) || llvm::isa<llvm::Constant>(reference)) continue;
        builder.SetCurrentDebugLocation(load->getDebugLoc());
        llvm::Value* const is_there = builder.CreateFreeze(builder.CreateIsNotNull(reference));
        llvm::AllocaInst* const elsewhere = Elsewhere(load->getType());
        llvm::Value* const from = builder.CreateSelect(
            is_there, builder.CreatePtrAdd(reference, builder.getInt(offset)), elsewhere);
        llvm::LoadInst* const early =
            builder.CreateAlignedLoad(load->getType(), from, load->getAlign());
        early->copyMetadata(*load, {llvm::LLVMContext::MD_range});
        Length length = {load, early, is_there, {}};
        for (llvm::Use& use : load->uses()) length.uses.push_back(&use);
        for (llvm::Use* use : length.uses) use->set(early);
        lengths.push_back(std::move(length));
      }
    }
    if (!lengths.empty()) evolution_.forgetLoop(&outer);
    return lengths;
  }

  // A variable that holds zero.
  llvm::AllocaInst* Elsewhere(llvm::Type* type) {
    llvm::BasicBlock& first = analyses_.function.getEntryBlock();
    llvm::IRBuilder<> builder(&first, first.getFirstInsertionPt());
    llvm::AllocaInst* const variable = builder.CreateAlloca(type);
    builder.CreateStore(llvm::Constant::getNullValue(type), variable);
    return variable;
  }

  void UseOwnLoads(const std::vector<Length>& lengths) {
    for (const Length& length : lengths) {
      for (llvm::Use* use : length.uses) use->set(length.load);
    }
  }

  std::optional<Plan> PlanFor(llvm::Loop& outer, llvm::Loop& inner) {
    Plan plan;
    if (!FindExits(outer, inner, plan) || !FindAccesses(outer, inner, plan)) return std::nullopt;
    return plan;
  }

  // Both loops are to end in one place, and otherwise only by checks whose numbers of iterations
  // are known before the outer loop.
  bool FindExits(llvm::Loop& outer, llvm::Loop& inner, Plan& plan) {
    for (llvm::BasicBlock* const block : outer.blocks()) {
      for (llvm::BasicBlock* const next : llvm::successors(block)) {
        const bool of_inner = inner.contains(block);
        const bool leaves = !outer.contains(next);
        if (!leaves && (!of_inner || inner.contains(next))) continue;
        auto* const branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
        if (branch == nullptr || !branch->isConditional()) return false;
        if (leaves && IsTheSame(*branch->getCondition(), outer)) {
          if (!IsErrorExit(next)) return false;
          plan.guards.push_back({branch, branch->getSuccessor(0) == next ? 1u : 0u});
          continue;
        }
        const llvm::SCEV* rounds = evolution_.getExitCount(of_inner ? &inner : &outer, block);
        if (llvm::isa<llvm::SCEVCouldNotCompute>(rounds) || !IsKnownBefore(rounds, outer))
          return false;
        if (!leaves) {
          if (plan.inner_rounds != nullptr) return false;
          plan.inner_rounds = rounds;
          plan.inner_end = {block, next};
        } else if (IsErrorExit(next)) {
          plan.checks.push_back({{block, next}, of_inner, rounds});
        } else if (!of_inner && plan.outer_rounds == nullptr) {
          plan.outer_rounds = rounds;
          plan.end = {block, next};
        } else {
          return false;
        }
      }
    }
    return plan.inner_rounds != nullptr && plan.outer_rounds != nullptr &&
           FindGuards(outer, inner, plan) &&
           std::ranges::all_of(plan.checks, [&](const Check& check) {
             return check.rounds->getType() ==
                    (check.of_inner ? plan.inner_rounds : plan.outer_rounds)->getType();
           });
  }

  // Whether all iterations have the same value, or compare the same values.
  static bool IsTheSame(const llvm::Value& condition, const llvm::Loop& outer) {
    if (outer.isLoopInvariant(&condition)) return true;
    const auto* const comparison = llvm::dyn_cast<llvm::ICmpInst>(&condition);
    return comparison != nullptr && outer.hasLoopInvariantOperands(comparison);
  }

  // The outer loop may have no other choices than those that leave it, and whether to enter the
  // inner loop.
  bool FindGuards(llvm::Loop& outer, llvm::Loop& inner, Plan& plan) {
    for (llvm::BasicBlock* const block : outer.blocks()) {
      if (inner.contains(block)) continue;
      std::vector<unsigned> inside;
      llvm::Instruction* const end = block->getTerminator();
      for (unsigned i = 0; i < end->getNumSuccessors(); ++i) {
        if (outer.contains(end->getSuccessor(i))) inside.push_back(i);
      }
      if (inside.size() == 1) continue;
      auto* const branch = llvm::dyn_cast<llvm::BranchInst>(end);
      if (inside.size() != 2 || branch == nullptr || !IsTheSame(*branch->getCondition(), outer))
        return false;
      const auto enters = std::ranges::find_if(inside, [&](unsigned i) {
        return dominators_.dominates(llvm::BasicBlockEdge(block, end->getSuccessor(i)),
                                     inner.getHeader());
      });
      if (enters == inside.end()) return false;
      plan.guards.push_back({branch, *enters});
    }
    return true;
  }

  bool FindAccesses(llvm::Loop& outer, llvm::Loop& inner, Plan& plan) {
    for (llvm::BasicBlock* block : outer.blocks()) {
      for (llvm::Instruction& instruction : *block) {
        llvm::Value* const place = llvm::getLoadStorePointerOperand(&instruction);
        if (place == nullptr) continue;
        const std::optional<Range> range = RangeOf(instruction, *place, outer, inner, plan);
        if (!range) return false;
        (llvm::isa<llvm::StoreInst>(instruction) ? plan.stores : plan.loads).push_back(*range);
        if (plan.stores.size() + plan.loads.size() > kMostAccesses) return false;
      }
    }
    return true;
  }

  // Between the address in the first iteration of both loops and the one in the last, if it only
  // grows.
  std::optional<Range> RangeOf(llvm::Instruction& instruction, llvm::Value& place,
                               llvm::Loop& outer, llvm::Loop& inner, Plan& plan) {
    const llvm::SCEV* begin = evolution_.getSCEV(&place);
    const llvm::SCEV* end = begin;
    for (const auto& [loop, rounds] :
         {std::pair{&inner, plan.inner_rounds}, std::pair{&outer, plan.outer_rounds}}) {
      const auto* first = llvm::dyn_cast<llvm::SCEVAddRecExpr>(begin);
      if (first != nullptr && first->getLoop() == loop) {
        if (!first->isAffine()) return std::nullopt;
        const llvm::SCEV* const step = first->getStepRecurrence(evolution_);
        if (step->getType() != rounds->getType() || !IsKnownBefore(step, outer))
          return std::nullopt;
        if (!evolution_.isKnownNonNegative(step)) plan.not_negative.push_back(step);
        begin = first->getStart();
        const auto* last = llvm::dyn_cast<llvm::SCEVAddRecExpr>(end);
        const llvm::SCEV* const last_start =
            last != nullptr && last->getLoop() == loop ? last->getStart() : end;
        end = evolution_.getAddExpr(last_start, evolution_.getMulExpr(step, rounds));
      }
      if (!evolution_.isLoopInvariant(begin, loop)) return std::nullopt;
    }
    const llvm::DataLayout& layout = analyses_.function.getDataLayout();
    const llvm::TypeSize bytes = layout.getTypeStoreSize(llvm::getLoadStoreType(&instruction));
    if (bytes.isScalable()) return std::nullopt;
    llvm::Type* const word = layout.getIntPtrType(place.getType());
    end = evolution_.getAddExpr(end, evolution_.getConstant(word, bytes.getFixedValue()));
    if (!IsKnownBefore(begin, outer) || !IsKnownBefore(end, outer)) return std::nullopt;
    return Range{begin, end};
  }

  bool IsKnownBefore(const llvm::SCEV* value, llvm::Loop& outer) {
    llvm::SCEVExpander expander =
        MakeExpander(evolution_, analyses_.function.getDataLayout(), "jammed");
    const llvm::Instruction* place = outer.getLoopPreheader()->getTerminator();
    return evolution_.isLoopInvariant(value, &outer) && expander.isSafeToExpandAt(value, place) &&
           !expander.isHighCostExpansion({value}, &outer, kBudget, &costs_, place);
  }

  // Whether the twin may run instead of the loops, computed before them.
  llvm::Value* Question(const Plan& plan, const std::vector<Length>& lengths,
                        llvm::Instruction* place) {
    llvm::IRBuilder<> builder(place);
    llvm::SCEVExpander expander =
        MakeExpander(evolution_, analyses_.function.getDataLayout(), "jammed");
    const auto value_of = [&](const llvm::SCEV* value) {
      return expander.expandCodeFor(value, value->getType(), place);
    };
    llvm::Value* const outer_rounds = value_of(plan.outer_rounds);
    llvm::Value* const inner_rounds = value_of(plan.inner_rounds);
    llvm::Value* answer = builder.CreateFreeze(builder.CreateICmpUGE(
        outer_rounds, llvm::ConstantInt::get(outer_rounds->getType(), kTogether - 1)));
    const auto and_also = [&](llvm::Value* holds) {
      // The loops may end before they look at a value, which may then be poison.
      answer = builder.CreateAnd(answer, builder.CreateFreeze(holds));
    };
    for (const Check& check : plan.checks) {
      llvm::Value* const until = value_of(check.rounds);
      // The last iteration does not come to a check behind its end.
      const llvm::BasicBlock* const end = (check.of_inner ? plan.inner_end : plan.end).inside;
      const bool behind_end = dominators_.dominates(end, check.edge.inside);
      and_also(builder.CreateICmp(behind_end ? llvm::CmpInst::ICMP_ULE : llvm::CmpInst::ICMP_ULT,
                                  check.of_inner ? inner_rounds : outer_rounds, until));
    }
    for (const Length& length : lengths) and_also(length.is_there);
    for (const Guard& guard : plan.guards) {
      llvm::Value* condition = guard.branch->getCondition();
      if (auto* const comparison = llvm::dyn_cast<llvm::ICmpInst>(condition)) {
        condition = builder.CreateICmp(comparison->getPredicate(), comparison->getOperand(0),
                                       comparison->getOperand(1));
      }
      and_also(guard.stays == 0 ? condition : builder.CreateNot(condition));
    }
    for (const llvm::SCEV* value : plan.not_negative) {
      and_also(builder.CreateICmpSGE(value_of(value), llvm::ConstantInt::get(value->getType(), 0)));
    }
    // What the loops store may lie before or behind what they touch otherwise.
    for (size_t i = 0; i < plan.stores.size(); ++i) {
      const Range& store = plan.stores[i];
      std::vector<Range> others = plan.loads;
      others.insert(others.end(), plan.stores.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                    plan.stores.end());
      for (const Range& other : others) {
        and_also(builder.CreateOr(
            builder.CreateFreeze(builder.CreateICmpULE(value_of(store.end), value_of(other.begin))),
            builder.CreateFreeze(
                builder.CreateICmpULE(value_of(other.end), value_of(store.begin)))));
      }
    }
    return answer;
  }

  void Jam(llvm::Loop& outer, const Plan& plan, const std::vector<Length>& lengths) {
    llvm::BasicBlock* const before = outer.getLoopPreheader();
    llvm::Value* const answer = Question(plan, lengths, before->getTerminator());
    const LoopTwin twin(analyses_, outer, answer, ".jammed", "may_jam");
    llvm::MDBuilder metadata(analyses_.function.getContext());
    before->getTerminator()->setMetadata(llvm::LLVMContext::MD_prof,
                                         metadata.createLikelyBranchWeights());
    llvm::BranchInst::Create(twin.entry, twin.question);
    UseOwnLoads(lengths);
    for (const Length& length : lengths) {
      llvm::cast<llvm::Instruction>(twin.of.lookup(length.load))->eraseFromParent();
    }
    for (const Check& check : plan.checks) {
      auto* const block = llvm::cast<llvm::BasicBlock>(twin.of.lookup(check.edge.inside));
      auto* const branch = llvm::cast<llvm::BranchInst>(block->getTerminator());
      const unsigned stays = branch->getSuccessor(0) == check.edge.outside ? 1 : 0;
      llvm::ReplaceInstWithInst(branch, llvm::BranchInst::Create(branch->getSuccessor(stays)));
    }
    for (const Guard& guard : plan.guards) {
      auto* const block = llvm::cast<llvm::BasicBlock>(twin.of.lookup(guard.branch->getParent()));
      auto* const branch = llvm::cast<llvm::BranchInst>(block->getTerminator());
      // An exit's phis do not know the twin.
      if (outer.contains(guard.branch->getSuccessor(1 - guard.stays)))
        branch->getSuccessor(1 - guard.stays)->removePredecessor(block, /*KeepOneInputPHIs=*/true);
      llvm::ReplaceInstWithInst(branch,
                                llvm::BranchInst::Create(branch->getSuccessor(guard.stays)));
    }
    twin.AddToPhis(plan.end.outside, plan.end.inside,
                   llvm::cast<llvm::BasicBlock>(twin.of.lookup(plan.end.inside)));
    EndAtLatch(*llvm::cast<llvm::BasicBlock>(twin.of.lookup(plan.end.inside)));
    EndAtLatch(*llvm::cast<llvm::BasicBlock>(twin.of.lookup(plan.inner_end.inside)));
    llvm::Loop* const jammed =
        loops_.getLoopFor(llvm::cast<llvm::BasicBlock>(twin.of.lookup(outer.getHeader())));
    analyses_.Recalculate();
    analyses_.Simplify(jammed);
    if (jammed->getExitingBlock() != jammed->getLoopLatch() ||
        jammed->getSubLoops().front()->getExitingBlock() !=
            jammed->getSubLoops().front()->getLoopLatch()) {
      return;
    }
    llvm::UnrollAndJamLoop(jammed, kTogether, /*TripCount=*/0, /*TripMultiple=*/1,
                           /*UnrollRemainder=*/false, &loops_, &evolution_, &dominators_,
                           &analyses_.assumptions, &costs_, &remarks_);
    analyses_.Recalculate();
    ShareCounters(*jammed);
  }

  // Makes the block in which a loop ends its last one, if only the step to the next iteration comes
  // behind it.
  void EndAtLatch(llvm::BasicBlock& end) {
    llvm::Loop* const loop = loops_.getLoopFor(&end);
    while (loop->getLoopLatch() != &end) {
      llvm::BasicBlock* const next = [&]() -> llvm::BasicBlock* {
        for (llvm::BasicBlock* block : llvm::successors(&end)) {
          if (loop->contains(block)) return block;
        }
        return nullptr;
      }();
      llvm::BasicBlock* const behind = next == nullptr ? nullptr : next->getSingleSuccessor();
      if (behind == nullptr || next->getSinglePredecessor() != &end ||
          loops_.getLoopFor(next) != loop) {
        return;
      }
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(*next)) {
        if (llvm::isa<llvm::AssumeInst>(instruction)) {
          instruction.eraseFromParent();  // it does not hold in the last iteration
        } else if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
          phi->replaceAllUsesWith(phi->getIncomingValue(0));
          phi->eraseFromParent();
        } else if (!instruction.isTerminator()) {
          if (!llvm::isSafeToSpeculativelyExecute(&instruction)) return;
          instruction.moveBefore(end, end.getTerminator()->getIterator());
        }
      }
      end.getTerminator()->replaceSuccessorWith(next, behind);
      behind->replacePhiUsesWith(next, &end);
      loops_.removeBlock(next);
      next->eraseFromParent();
    }
  }

  // Jamming gives the inner loop a counter for each iteration of the outer loop.
  void ShareCounters(llvm::Loop& jammed) {
    llvm::SCEVExpander expander =
        MakeExpander(evolution_, analyses_.function.getDataLayout(), "jammed");
    llvm::SmallVector<llvm::WeakTrackingVH, 8> dead;
    for (llvm::Loop* inner : jammed.getSubLoops()) {
      expander.replaceCongruentIVs(inner, &dominators_, dead, &costs_);
    }
    llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
  }

  LoopAnalyses analyses_;
  const llvm::TargetTransformInfo& costs_;
  llvm::OptimizationRemarkEmitter& remarks_;
  llvm::LoopInfo& loops_ = analyses_.loops;
  llvm::DominatorTree& dominators_ = analyses_.dominators;
  llvm::ScalarEvolution& evolution_ = analyses_.evolution;
};

}  // namespace

llvm::PreservedAnalyses JammedLoopsPass::run(llvm::Function& function,
                                             llvm::FunctionAnalysisManager& analyses) {
  if (!JammedLoops(function, analyses).Run()) return llvm::PreservedAnalyses::all();
  // Iterations that go together load some values from the same places.
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
  llvm::EarlyCSEPass(/*UseMemorySSA=*/true).run(function, analyses);
  return llvm::PreservedAnalyses::none();
}

}  // namespace tenure::compiler
