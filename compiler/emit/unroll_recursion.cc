#include "compiler/emit/unroll_recursion.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <vector>

namespace tenure::compiler {

namespace {

// Instructions of the result.
constexpr size_t kSizeMax = 450;
constexpr unsigned kLevelsMax = 8;
// Bytes of variables that are not in registers: each level has its own.
constexpr uint64_t kFrameMax = 128;

std::vector<llvm::CallInst*> CallsOfItself(llvm::Function& function) {
  std::vector<llvm::CallInst*> calls;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (call == nullptr || call->getCalledFunction() != &function) continue;
    if (!call->isNoInline() && !call->isMustTailCall()) calls.push_back(call);
  }
  return calls;
}

bool FrameIsSmall(const llvm::Function& function) {
  uint64_t bytes = 0;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (variable == nullptr) continue;
    const auto size = variable->getAllocationSize(function.getDataLayout());
    if (!variable->isStaticAlloca() || !size.has_value()) return false;
    bytes += size->getFixedValue();
  }
  return bytes <= kFrameMax;
}

// How many times it may be put into itself.
unsigned Levels(size_t size, size_t calls) {
  size_t copies = calls, total = size;
  unsigned levels = 0;
  while (levels < kLevelsMax && total + copies * size <= kSizeMax) {
    total += copies * size;
    copies *= calls;
    ++levels;
  }
  return levels;
}

bool Unroll(llvm::Function& function) {
  if (function.isDeclaration() || function.hasFnAttribute(llvm::Attribute::NoInline) ||
      function.hasFnAttribute(llvm::Attribute::OptimizeNone)) {
    return false;
  }
  const size_t calls = CallsOfItself(function).size();
  if (calls == 0 || !FrameIsSmall(function)) return false;
  const unsigned levels = Levels(function.getInstructionCount(), calls);
  if (levels == 0) return false;

  // Calls in the copy are calls of the function.
  llvm::ValueToValueMapTy map;
  llvm::Function* copy = llvm::CloneFunction(&function, map);
  copy->setLinkage(llvm::GlobalValue::InternalLinkage);
  copy->setVisibility(llvm::GlobalValue::DefaultVisibility);
  copy->setComdat(nullptr);
  bool changed = false;
  for (unsigned level = 0; level < levels; ++level) {
    for (llvm::CallInst* call : CallsOfItself(function)) {
      call->setCalledFunction(copy);
      llvm::InlineFunctionInfo info;
      if (llvm::InlineFunction(*call, info).isSuccess()) {
        changed = true;
      } else {
        call->setCalledFunction(&function);
      }
    }
  }
  copy->eraseFromParent();
  return changed;
}

}  // namespace

llvm::PreservedAnalyses UnrollRecursionPass::run(llvm::Module& module,
                                                 llvm::ModuleAnalysisManager& analyses) {
  auto& manager = analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
  llvm::FunctionPassManager simplify;
  simplify.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  simplify.addPass(llvm::InstCombinePass());
  simplify.addPass(llvm::SimplifyCFGPass());
  std::vector<llvm::Function*> functions;
  for (llvm::Function& function : module) functions.push_back(&function);
  bool changed = false;
  for (llvm::Function* function : functions) {
    if (!Unroll(*function)) continue;
    changed = true;
    manager.invalidate(*function, llvm::PreservedAnalyses::none());
    manager.invalidate(*function, simplify.run(*function, manager));
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace tenure::compiler
