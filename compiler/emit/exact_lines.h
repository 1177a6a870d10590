// Keeps the lines of stack traces right in optimized code.
//
// An instruction that stands for two of different lines has no line, and LLVM forgets the line of
// one that it moves out of a loop. A call, and an access that may trap, need theirs: a report names
// it.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/PassManager.h>

namespace tenure::compiler {

// Forbids, for the whole process, to make one instruction out of equal ones on several paths. Call
// it before the first pass runs.
void ForbidMergingOfPaths();

// The same for the passes that ask the callbacks.
void ForbidMergingOfPaths(llvm::PassInstrumentationCallbacks& callbacks);

// The same for the calls of a module, in machine code too.
void ForbidMergingOfCalls(llvm::Module& module);

// Remembers the lines of loads and stores, and gives them back to those that have lost theirs. Runs
// between passes that move instructions; remembers nothing across inlining.
class KeepLinesPass : public llvm::PassInfoMixin<KeepLinesPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace tenure::compiler
