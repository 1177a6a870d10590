// Rotations of the low bits of a word.
#pragma once

#include <llvm/IR/PassManager.h>

namespace tenure::compiler {

// Word.T has 64 bits, so a program rotates 32 bits by two shifts:
//
//     Word.And(Word.Or(Word.RightShift(x, 7), Word.LeftShift(x, 25)), 16_FFFFFFFF)
//
// If the upper bits of x are zero and those of the result are not used, the pass makes a rotate
// instruction of this. If the upper bits of x are unknown, two rotations or more of the same x
// share x with its low bits repeated above it, and each of them is one shift of that. The pass does
// the same for 8 and 16 bits.
class NarrowRotatesPass : public llvm::PassInfoMixin<NarrowRotatesPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace tenure::compiler
