// Loops decide before they begin whether the elements that they look for can be in a set.
#pragma once

#include <llvm/IR/PassManager.h>

namespace tenure::compiler {

// A test whether a number is in a set asks first whether the number lies in the range of the set's
// elements, and so does a set that is made of a number. Where the number grows or falls evenly in a
// loop that counts to a known end, the first number and the last answer that for all of them. A
// loop with such tests gets a twin in which they hold. The twin runs if they do; else the loop
// itself runs. The loop may call procedures and may end early.
class RangedLoopsPass : public llvm::PassInfoMixin<RangedLoopsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace tenure::compiler
