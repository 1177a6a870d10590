#include "compiler/emit/narrow_loops.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>
#include <cstdint>

#include "compiler/emit/loop_twin.h"

namespace tenure::compiler {

namespace {

constexpr unsigned kNarrow = 32;
// Greatest size of a loop that gets a twin, since the twin doubles it.
constexpr size_t kMostInstructions = 300;
constexpr unsigned kMostSteps = 6;  // from an instruction to its operands

using Phis = llvm::SmallSetVector<llvm::PHINode*, 8>;

class NarrowLoops {
 public:
  NarrowLoops(llvm::Function& function, llvm::FunctionAnalysisManager& analyses)
      : analyses_(function, analyses) {}

  bool Run() {
    bool changed = false;
    for (llvm::Loop* loop : analyses_.loops.getLoopsInPreorder()) {
      if (!MayHaveTwin(*loop)) continue;
      changed |= analyses_.Simplify(loop);
      if (!loop->isLoopSimplifyForm() || !loop->isLCSSAForm(analyses_.dominators)) continue;
      const Phis narrow = NarrowPhis(*loop);
      const Phis unknown = Unknown(*loop, narrow);
      if (unknown.empty() || std::ranges::none_of(narrow, IsRotated)) continue;
      MakeTwin(*loop, narrow, unknown);
      changed = true;
    }
    return changed;
  }

 private:
  static bool MayHaveTwin(const llvm::Loop& loop) {
    if (!loop.isInnermost() || loop.getLoopLatch() == nullptr) return false;
    size_t instructions = 0;
    for (const llvm::BasicBlock* block : loop.blocks()) {
      instructions += block->sizeWithoutDebug();
      if (instructions > kMostInstructions) return false;
      if (std::any_of(block->begin(), block->end(), CallsSomething)) return false;
    }
    return true;
  }

  // The variables that an iteration leaves with zeros in their upper bits, if it finds them so.
  Phis NarrowPhis(const llvm::Loop& loop) const {
    Phis phis;
    for (llvm::PHINode& phi : loop.getHeader()->phis()) {
      if (phi.getType()->isIntegerTy(2 * kNarrow)) phis.insert(&phi);
    }
    // Each variable that falls out may take others with it.
    while (phis.remove_if([&](const llvm::PHINode* phi) {
      return !IsNarrow(phi->getIncomingValueForBlock(loop.getLoopLatch()), phis, 0);
    })) {
    }
    return phis;
  }

  bool IsNarrow(llvm::Value* value, const Phis& phis, unsigned steps) const {
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(value); phi != nullptr && phis.contains(phi))
      return true;
    if (HasZeros(value)) return true;
    auto* const operation = llvm::dyn_cast<llvm::BinaryOperator>(value);
    if (operation == nullptr || steps == kMostSteps) return false;
    const bool left = IsNarrow(operation->getOperand(0), phis, steps + 1);
    switch (operation->getOpcode()) {
      case llvm::Instruction::LShr: return left;
      case llvm::Instruction::Or:
      case llvm::Instruction::Xor:
        return left && IsNarrow(operation->getOperand(1), phis, steps + 1);
      case llvm::Instruction::And:
        return left || IsNarrow(operation->getOperand(1), phis, steps + 1);
      default: return false;
    }
  }

  bool HasZeros(const llvm::Value* value) const {
    return llvm::computeKnownBits(value, analyses_.function.getDataLayout()).countMaxActiveBits() <=
           kNarrow;
  }

  // Those whose first values may have other upper bits.
  Phis Unknown(const llvm::Loop& loop, const Phis& narrow) const {
    Phis unknown;
    for (llvm::PHINode* phi : narrow) {
      if (!HasZeros(phi->getIncomingValueForBlock(loop.getLoopPreheader()))) unknown.insert(phi);
    }
    return unknown;
  }

  // Whether two shifts of the variable together rotate it, and their results are combined.
  static bool IsRotated(llvm::PHINode* phi) {
    using namespace llvm::PatternMatch;
    for (llvm::User* shift : phi->users()) {
      uint64_t right = 0;
      if (!match(shift, m_LShr(m_Specific(phi), m_ConstantInt(right)))) continue;
      for (llvm::User* both : shift->users()) {
        uint64_t left = 0;
        const auto left_part = m_Shl(m_Specific(phi), m_ConstantInt(left));
        if (match(both,
                  m_c_Or(m_Specific(shift), m_CombineOr(left_part, m_And(left_part, m_Value())))) &&
            left + right == kNarrow) {
          return true;
        }
      }
    }
    return false;
  }

  void MakeTwin(llvm::Loop& loop, const Phis& narrow, const Phis& unknown) {
    llvm::BasicBlock* const before = loop.getLoopPreheader();
    llvm::SmallVector<std::pair<llvm::BasicBlock*, llvm::BasicBlock*>, 4> exits;
    loop.getExitEdges(exits);
    llvm::IRBuilder<> builder(before->getTerminator());
    builder.SetCurrentDebugLocation(loop.getStartLoc());
    llvm::Value* bits = nullptr;
    for (llvm::PHINode* phi : unknown) {
      llvm::Value* const first = builder.CreateFreeze(phi->getIncomingValueForBlock(before));
      bits = bits == nullptr ? first : builder.CreateOr(bits, first);
    }
    llvm::Value* const are_narrow =
        builder.CreateIsNull(builder.CreateLShr(bits, kNarrow), "are_narrow");
    const LoopTwin twin(analyses_, loop, are_narrow, ".narrow", "narrow");
    llvm::MDBuilder metadata(analyses_.function.getContext());
    before->getTerminator()->setMetadata(llvm::LLVMContext::MD_prof,
                                         metadata.createLikelyBranchWeights());
    llvm::BranchInst::Create(twin.entry, twin.question);
    for (const auto& [inside, outside] : exits) {
      twin.AddToPhis(outside, inside, llvm::cast<llvm::BasicBlock>(twin.of.lookup(inside)));
    }
    for (llvm::PHINode* phi : narrow) {
      Narrow(*llvm::cast<llvm::PHINode>(twin.of.lookup(phi)));
    }
    analyses_.Recalculate();
  }

  static void Narrow(llvm::PHINode& phi) {
    llvm::IRBuilder<> builder(&phi);
    llvm::Type* const type = builder.getIntNTy(kNarrow);
    llvm::PHINode* const narrow = builder.CreatePHI(type, phi.getNumIncomingValues());
    builder.SetInsertPoint(phi.getParent(), phi.getParent()->getFirstInsertionPt());
    llvm::Value* const wide = builder.CreateZExt(narrow, phi.getType());
    phi.replaceAllUsesWith(wide);
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      llvm::BasicBlock* const from = phi.getIncomingBlock(i);
      builder.SetInsertPoint(from->getTerminator());
      narrow->addIncoming(builder.CreateTrunc(phi.getIncomingValue(i), type), from);
    }
    narrow->takeName(&phi);
    phi.eraseFromParent();
  }

  LoopAnalyses analyses_;
};

}  // namespace

llvm::PreservedAnalyses NarrowLoopsPass::run(llvm::Function& function,
                                             llvm::FunctionAnalysisManager& analyses) {
  return NarrowLoops(function, analyses).Run() ? llvm::PreservedAnalyses::none()
                                               : llvm::PreservedAnalyses::all();
}

}  // namespace tenure::compiler
