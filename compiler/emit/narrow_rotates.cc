#include "compiler/emit/narrow_rotates.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/DemandedBits.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/PatternMatch.h>

#include <cstdint>
#include <optional>
#include <utility>

namespace tenure::compiler {

namespace {

// `result` is the low `width` bits of `word`, rotated to the right by `right`.
struct Rotation {
  llvm::Instruction* result;
  llvm::Value* word;
  unsigned width;
  unsigned right;
};

std::optional<Rotation> MatchRotation(llvm::Instruction& instruction,
                                      llvm::DemandedBits& demanded) {
  using namespace llvm::PatternMatch;
  auto* type = llvm::dyn_cast<llvm::IntegerType>(instruction.getType());
  if (type == nullptr || type->getBitWidth() > 64) return std::nullopt;
  llvm::Value* word = nullptr;
  llvm::Value* left_part = nullptr;
  uint64_t right = 0;
  if (!match(&instruction,
             m_c_Or(m_OneUse(m_LShr(m_Value(word), m_ConstantInt(right))), m_Value(left_part)))) {
    return std::nullopt;
  }
  uint64_t mask = UINT64_MAX;
  uint64_t left = 0;
  llvm::Value* shifted = left_part;
  if (llvm::Value* masked = nullptr;
      match(left_part, m_And(m_Value(masked), m_ConstantInt(mask)))) {
    shifted = masked;
  }
  if (!match(shifted, m_Shl(m_Specific(word), m_ConstantInt(left)))) return std::nullopt;
  const uint64_t width = left + right;
  if (right == 0 || left == 0 || (width != 8 && width != 16 && width != 32)) return std::nullopt;
  if (2 * width > type->getBitWidth()) return std::nullopt;
  const uint64_t used = demanded.getDemandedBits(&instruction).getZExtValue();
  const uint64_t from_left = used & (UINT64_MAX << left);
  if ((used >> width) != 0 || (from_left & ~mask) != 0) return std::nullopt;
  return Rotation{&instruction, word, static_cast<unsigned>(width), static_cast<unsigned>(right)};
}

void Replace(const Rotation& rotation, llvm::Value* value) {
  value->takeName(rotation.result);
  rotation.result->replaceAllUsesWith(value);
}

// A rotate instruction.
void Narrow(const Rotation& rotation) {
  llvm::IRBuilder<> builder(rotation.result);
  llvm::Type* narrow = builder.getIntNTy(rotation.width);
  llvm::Value* bits = builder.CreateTrunc(rotation.word, narrow);
  llvm::Value* rotated =
      builder.CreateIntrinsic(llvm::Intrinsic::fshr, {narrow},
                              {bits, bits, llvm::ConstantInt::get(narrow, rotation.right)});
  Replace(rotation, builder.CreateZExt(rotated, rotation.word->getType()));
}

// The word with its low bits repeated above them; null: there is no place for that.
llvm::Value* Repeat(llvm::Function& function, llvm::Value* word, unsigned width) {
  llvm::IRBuilder<> builder(function.getContext());
  if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(word)) {
    const auto place = instruction->getInsertionPointAfterDef();
    if (!place) return nullptr;
    builder.SetInsertPoint(instruction->getParent(), *place);
    builder.SetCurrentDebugLocation(instruction->getDebugLoc());
  } else {
    builder.SetInsertPoint(&*function.getEntryBlock().getFirstInsertionPt());
  }
  return builder.CreateOr(word, builder.CreateShl(word, width));
}

}  // namespace

llvm::PreservedAnalyses NarrowRotatesPass::run(llvm::Function& function,
                                               llvm::FunctionAnalysisManager& analyses) {
  auto& demanded = analyses.getResult<llvm::DemandedBitsAnalysis>(function);
  llvm::MapVector<std::pair<llvm::Value*, unsigned>, llvm::SmallVector<Rotation, 4>> found;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (const auto rotation = MatchRotation(instruction, demanded)) {
      found[{rotation->word, rotation->width}].push_back(*rotation);
    }
  }
  bool changed = false;
  const llvm::DataLayout& layout = function.getDataLayout();
  for (const auto& [key, rotations] : found) {
    const auto [word, width] = key;
    const bool narrow = llvm::computeKnownBits(word, layout).countMaxActiveBits() <= width;
    if (narrow) {
      for (const Rotation& rotation : rotations) Narrow(rotation);
      changed = true;
    } else if (rotations.size() > 1) {
      llvm::Value* repeated = Repeat(function, word, width);
      if (repeated == nullptr) continue;
      for (const Rotation& rotation : rotations) {
        llvm::IRBuilder<> builder(rotation.result);
        Replace(rotation, builder.CreateLShr(repeated, rotation.right));
      }
      changed = true;
    }
  }
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

}  // namespace tenure::compiler
