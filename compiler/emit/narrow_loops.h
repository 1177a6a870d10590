// Loops that rotate the low bits of words compute with short words.
#pragma once

#include <llvm/IR/PassManager.h>

namespace tenure::compiler {

// A loop such as that of SHA-256 keeps words of 32 bits in variables of type Word.T: after a few
// iterations the upper bits of all of them are zero, but those of their first values are unknown.
// An innermost loop that rotates 32 bits of such a variable gets a twin in which these variables
// have 32 bits. The twin runs if the upper bits of the first values are zero; else the loop itself
// runs. The pass runs before the one that makes rotate instructions (narrow_rotates.h).
class NarrowLoopsPass : public llvm::PassInfoMixin<NarrowLoopsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace tenure::compiler
