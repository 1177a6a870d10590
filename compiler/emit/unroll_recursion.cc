#include "compiler/emit/unroll_recursion.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>
#include <vector>

namespace tenure::compiler {

namespace {

// Instructions of the result.
constexpr size_t kSizeMax = 450;
constexpr unsigned kLevelsMax = 8;
// The most bytes of variables that are not in registers: each level has its own.
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

// On a function that calls itself and has no loop in its source.
constexpr char kNoLoopsOfItsOwn[] = "tenure-recursion-without-loops";

// The outermost loop of a function that had none is a tail call that LLVM has made a loop.
bool IsTailCall(const llvm::Loop& loop) {
  return loop.isOutermost() && loop.getHeader()->getParent()->hasFnAttribute(kNoLoopsOfItsOwn);
}

// Around a call in a loop, the values of each level would be alive in the loops of all levels: more
// than there are registers.
bool AnyInLoop(llvm::Function& function, const std::vector<llvm::CallInst*>& calls) {
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  return std::any_of(calls.begin(), calls.end(), [&](const llvm::CallInst* call) {
    const llvm::Loop* const loop = loops.getLoopFor(call->getParent());
    return loop != nullptr && !IsTailCall(*loop);
  });
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

// Inlines `body` at the function's calls of itself.
bool InlineCalls(llvm::Function& function, llvm::Function& body) {
  bool changed = false;
  for (llvm::CallInst* call : CallsOfItself(function)) {
    call->setCalledFunction(&body);
    llvm::InlineFunctionInfo info;
    if (llvm::InlineFunction(*call, info).isSuccess()) {
      changed = true;
    } else {
      call->setCalledFunction(&function);
    }
  }
  return changed;
}

llvm::Function* PrivateCopyOf(llvm::Function& function) {
  llvm::ValueToValueMapTy map;
  llvm::Function* copy = llvm::CloneFunction(&function, map);
  copy->setLinkage(llvm::GlobalValue::InternalLinkage);
  copy->setVisibility(llvm::GlobalValue::DefaultVisibility);
  copy->setComdat(nullptr);
  return copy;
}

// The blocks that can be reached from `begin`; empty if they have too many instructions or a call
// of the function itself.
llvm::SmallPtrSet<llvm::BasicBlock*, 8> ShortWayFrom(llvm::BasicBlock* begin) {
  constexpr size_t kShort = 16;
  llvm::SmallPtrSet<llvm::BasicBlock*, 8> reached{begin};
  std::vector<llvm::BasicBlock*> open{begin};
  size_t size = 0;
  while (!open.empty()) {
    llvm::BasicBlock* block = open.back();
    open.pop_back();
    size += block->sizeWithoutDebug();
    const bool recurs =
        std::any_of(block->begin(), block->end(), [&](const llvm::Instruction& instruction) {
          const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
          return call != nullptr && call->getCalledFunction() == block->getParent();
        });
    if (recurs || size > kShort) return {};
    for (llvm::BasicBlock* next : llvm::successors(block)) {
      if (reached.insert(next).second) open.push_back(next);
    }
  }
  return reached;
}

// For a function that begins with a test whose one side holds all recursive calls and whose other
// side does almost nothing (a search that finds NIL): the number of the edge from the first block
// to the side with the calls. -1 for other functions.
int RecursiveEdge(llvm::Function& function) {
  llvm::BasicBlock& entry = function.getEntryBlock();
  const auto* test = llvm::dyn_cast<llvm::BranchInst>(entry.getTerminator());
  if (test == nullptr || !test->isConditional() || function.isVarArg()) return -1;
  constexpr size_t kShortTest = 8;
  if (static_cast<size_t>(entry.sizeWithoutDebug()) > kShortTest) return -1;
  for (const llvm::Instruction& instruction : entry) {
    if (instruction.mayHaveSideEffects() || llvm::isa<llvm::AllocaInst>(instruction)) return -1;
  }
  for (int edge : {0, 1}) {
    const auto way = ShortWayFrom(test->getSuccessor(1 - static_cast<unsigned>(edge)));
    if (!way.empty() && !way.contains(test->getSuccessor(static_cast<unsigned>(edge)))) return edge;
  }
  return -1;
}

// Replaces the code behind that edge by a call of `function`, the original of this copy.
void CallInsteadOf(llvm::Function& copy, int edge, llvm::Function& function) {
  auto* test = llvm::cast<llvm::BranchInst>(copy.getEntryBlock().getTerminator());
  llvm::BasicBlock* const before = test->getSuccessor(static_cast<unsigned>(edge));
  llvm::BasicBlock* const block = llvm::BasicBlock::Create(copy.getContext(), "recurse", &copy);
  before->removePredecessor(&copy.getEntryBlock());
  test->setSuccessor(static_cast<unsigned>(edge), block);
  llvm::IRBuilder<> builder(block);
  builder.SetCurrentDebugLocation(test->getDebugLoc());
  std::vector<llvm::Value*> arguments;
  for (llvm::Argument& argument : copy.args()) arguments.push_back(&argument);
  llvm::CallInst* const call = builder.CreateCall(&function, arguments);
  call->setCallingConv(function.getCallingConv());
  call->setAttributes(function.getAttributes().removeFnAttributes(copy.getContext()));
  if (call->getType()->isVoidTy()) {
    builder.CreateRetVoid();
  } else {
    builder.CreateRet(call);
  }
  llvm::removeUnreachableBlocks(copy);
}

bool Unroll(llvm::Function& function) {
  if (function.isDeclaration() || function.hasFnAttribute(llvm::Attribute::NoInline) ||
      function.hasFnAttribute(llvm::Attribute::OptimizeNone)) {
    return false;
  }
  const std::vector<llvm::CallInst*> calls = CallsOfItself(function);
  if (calls.empty() || !FrameIsSmall(function)) return false;
  const unsigned levels = Levels(function.getInstructionCount(), calls.size());
  if (levels == 0 || AnyInLoop(function, calls)) return false;

  // Calls in the copies are calls of the function.
  llvm::Function* const copy = PrivateCopyOf(function);
  const int edge = RecursiveEdge(function);
  bool changed = false;
  for (unsigned level = 0; level < levels; ++level) changed |= InlineCalls(function, *copy);
  // Half of the remaining calls in a walk of a tree only find that there is nothing to do. For
  // these only the test is inlined, not the code behind it.
  if (edge >= 0) {
    CallInsteadOf(*copy, edge, function);
    changed |= InlineCalls(function, *copy);
  }
  copy->eraseFromParent();
  return changed;
}

// After a call that has allocated, loads the thread's pointer and limit with a use, and returns the
// use. If every path to the next allocation leaves both in registers, GVN takes them from there.
// Without these loads each allocation waits for the store of the previous one.
std::vector<llvm::CallInst*> LoadMutatorBehindAllocations(llvm::Function& function) {
  llvm::Module& module = *function.getParent();
  llvm::GlobalVariable* const mutator = module.getNamedGlobal("tn_mutator");
  llvm::Function* const allocate = module.getFunction("tn_allocate_slow");
  if (mutator == nullptr || allocate == nullptr) return {};
  const llvm::DataLayout& layout = module.getDataLayout();
  std::vector<llvm::LoadInst*> loads;  // one of each
  std::vector<llvm::CallInst*> calls;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      llvm::Value* const place = load->getPointerOperand();
      const bool known = std::any_of(loads.begin(), loads.end(), [&](llvm::LoadInst* other) {
        return other->getPointerOperand() == place;
      });
      llvm::APInt offset(layout.getIndexSizeInBits(0), 0);
      if (!known && place->stripAndAccumulateConstantOffsets(
                        layout, offset, /*AllowNonInbounds=*/true) == mutator) {
        loads.push_back(load);
      }
    } else if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
               call != nullptr && call->getCalledFunction() == allocate) {
      calls.push_back(call);
    }
  }
  auto* const type = llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()),
                                             {llvm::PointerType::get(module.getContext(), 0)},
                                             /*isVarArg=*/false);
  llvm::InlineAsm* const nothing = llvm::InlineAsm::get(type, "", "r", /*hasSideEffects=*/true);
  std::vector<llvm::CallInst*> uses;
  for (llvm::CallInst* call : calls) {
    llvm::IRBuilder<> builder(call->getNextNode());
    for (llvm::LoadInst* load : loads) {
      uses.push_back(builder.CreateCall(type, nothing, {builder.Insert(load->clone())}));
      uses.back()->setDoesNotThrow();
      uses.back()->setMemoryEffects(llvm::MemoryEffects::none());
    }
  }
  return uses;
}

}  // namespace

llvm::PreservedAnalyses MarkRecursionPass::run(llvm::Function& function,
                                               llvm::FunctionAnalysisManager& analyses) {
  if (!function.isDeclaration() && !CallsOfItself(function).empty() &&
      analyses.getResult<llvm::LoopAnalysis>(function).empty()) {
    function.addFnAttr(kNoLoopsOfItsOwn);
  }
  return llvm::PreservedAnalyses::all();
}

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
    const std::vector<llvm::CallInst*> uses = LoadMutatorBehindAllocations(*function);
    if (!uses.empty()) manager.invalidate(*function, llvm::GVNPass().run(*function, manager));
    for (llvm::CallInst* use : uses) use->eraseFromParent();
    manager.invalidate(*function, simplify.run(*function, manager));
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace tenure::compiler
