#include "compiler/emit/constant_arguments.h"

#include <llvm/Analysis/InlineCost.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "compiler/emit/exact_lines.h"

namespace tenure::compiler {

namespace {

// Instructions of a procedure that is copied.
constexpr size_t kSizeMax = 400;
constexpr size_t kCopiesMax = 3;  // of one procedure
// Copies may pass their functions on to further copies.
constexpr size_t kCopiesInModule = 100;
// Instructions of a passed function that comes in line: a comparison of a few fields.
constexpr size_t kInLineMax = 40;

// The functions that a call passes, by the number of the argument.
using Functions = std::vector<std::pair<unsigned, llvm::Function*>>;

Functions FunctionsPassed(const llvm::CallBase& call, const llvm::Function& callee) {
  Functions passed;
  for (const llvm::Argument& argument : callee.args()) {
    llvm::Value* const value = call.getArgOperand(argument.getArgNo());
    auto* const function = llvm::dyn_cast<llvm::Function>(value);
    if (function != nullptr && !argument.use_empty())
      passed.emplace_back(argument.getArgNo(), function);
  }
  return passed;
}

bool MayBeCopied(const llvm::Function& function) {
  return !function.isDeclaration() && !function.isVarArg() && !function.hasOptNone() &&
         !function.hasFnAttribute(llvm::Attribute::NoInline) &&
         function.getInstructionCount() <= kSizeMax;
}

llvm::Function* CopyFor(llvm::Function& function, const Functions& passed) {
  llvm::ValueToValueMapTy map;
  llvm::Function* const copy = llvm::CloneFunction(&function, map);
  std::string name = function.getName().str();
  for (const auto& [number, known] : passed) {
    copy->getArg(number)->replaceAllUsesWith(known);
    // Nothing in Modula-3 has such a name, and no other copy.
    name += "$" + std::to_string(number) + "$" + known->getName().str();
  }
  copy->setName(name);
  // The same in all units that make this copy, and only these call it.
  copy->setLinkage(llvm::GlobalValue::LinkOnceODRLinkage);
  copy->setVisibility(llvm::GlobalValue::HiddenVisibility);
  copy->setComdat(nullptr);
  return copy;
}

// A copy of a procedure, and the functions that it calls directly now.
struct Copy {
  llvm::Function* function;
  std::vector<llvm::Function*> known;
};

class Copies {
 public:
  const std::vector<Copy>& made() const { return made_; }
  // Directs the calls of the function to copies.
  bool Direct(llvm::Function& function) {
    if (!MayBeCopied(function)) return false;
    std::vector<llvm::CallBase*> calls;
    for (const llvm::Use& use : function.uses()) {
      auto* const call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
      if (call != nullptr && call->isCallee(&use) &&
          call->getFunctionType() == function.getFunctionType()) {
        calls.push_back(call);
      }
    }
    bool changed = false;
    for (llvm::CallBase* call : calls) {
      const Functions passed = FunctionsPassed(*call, function);
      if (passed.empty()) continue;
      if (llvm::Function* const copy = Of(function, passed)) {
        call->setCalledFunction(copy);
        changed = true;
      }
    }
    return changed;
  }

 private:
  llvm::Function* Of(llvm::Function& function, const Functions& passed) {
    std::map<Functions, llvm::Function*>& copies = copies_[&function];
    if (const auto found = copies.find(passed); found != copies.end()) return found->second;
    if (copies.size() == kCopiesMax || count_ == kCopiesInModule) return nullptr;
    ++count_;
    Copy copy{CopyFor(function, passed), {}};
    for (const auto& [number, known] : passed) copy.known.push_back(known);
    made_.push_back(copy);
    return copies[passed] = copy.function;
  }

  std::map<llvm::Function*, std::map<Functions, llvm::Function*>> copies_;
  std::vector<Copy> made_;
  size_t count_ = 0;
};

// A call of a known function that also passes a static link, NIL. Calls of procedure values pass
// one, and top-level procedures have no parameter for it.
bool PassesNoLink(const llvm::CallInst& call) {
  const auto* const callee = llvm::dyn_cast<llvm::Function>(call.getCalledOperand());
  if (callee == nullptr || callee->isVarArg() || call.arg_size() != callee->arg_size() + 1)
    return false;
  const unsigned link = call.arg_size() - 1;
  const llvm::FunctionType* const type = callee->getFunctionType();
  if (!call.paramHasAttr(link, llvm::Attribute::Nest) || call.isMustTailCall() ||
      !llvm::isa<llvm::ConstantPointerNull>(call.getArgOperand(link)) ||
      type->getReturnType() != call.getType()) {
    return false;
  }
  for (unsigned i = 0; i < link; ++i) {
    if (type->getParamType(i) != call.getArgOperand(i)->getType()) return false;
  }
  return true;
}

// The same call as LLVM can have it in line.
void DropLink(llvm::CallInst& call) {
  auto* const callee = llvm::cast<llvm::Function>(call.getCalledOperand());
  std::vector<llvm::Value*> arguments(call.arg_begin(), call.arg_end() - 1);
  llvm::CallInst* const direct = llvm::CallInst::Create(callee, arguments, "", call.getIterator());
  direct->setCallingConv(call.getCallingConv());
  direct->setTailCallKind(call.getTailCallKind());
  direct->setDebugLoc(call.getDebugLoc());
  if (call.isNoInline()) direct->setIsNoInline();
  direct->takeName(&call);
  call.replaceAllUsesWith(direct);
  call.eraseFromParent();
}

// Puts short functions that a copy calls directly in line: LLVM's inliner has run before, and most
// of these procedures are called in loops.
void PutInLine(const Copy& copy, llvm::FunctionAnalysisManager& analyses) {
  const auto is_short = [&](llvm::Function* known) {
    return known != copy.function && MayBeCopied(*known) && !known->isInterposable() &&
           known->getInstructionCount() <= kInLineMax && llvm::isInlineViable(*known).isSuccess();
  };
  std::vector<llvm::Function*> known;
  std::copy_if(copy.known.begin(), copy.known.end(), std::back_inserter(known), is_short);
  if (known.empty()) return;
  const auto run = [&](llvm::FunctionPassManager&& passes) {
    analyses.invalidate(*copy.function, passes.run(*copy.function, analyses));
  };
  llvm::FunctionPassManager direct;
  direct.addPass(KnownProceduresPass());
  direct.addPass(llvm::SimplifyCFGPass());
  direct.addPass(llvm::InstCombinePass());
  direct.addPass(KeepLinesPass());
  direct.addPass(KnownProceduresPass());
  run(std::move(direct));
  std::vector<llvm::CallBase*> calls;
  for (llvm::Instruction& instruction : llvm::instructions(*copy.function)) {
    auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call != nullptr && !call->isNoInline() &&
        std::find(known.begin(), known.end(), call->getCalledFunction()) != known.end()) {
      calls.push_back(call);
    }
  }
  bool changed = false;
  for (llvm::CallBase* call : calls) {
    llvm::InlineFunctionInfo info;
    changed |= llvm::InlineFunction(*call, info).isSuccess();
  }
  if (!changed) return;
  analyses.invalidate(*copy.function, llvm::PreservedAnalyses::none());
  llvm::FunctionPassManager clean;
  clean.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  clean.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  clean.addPass(llvm::SimplifyCFGPass());
  clean.addPass(llvm::InstCombinePass());
  clean.addPass(KeepLinesPass());
  run(std::move(clean));
}

}  // namespace

llvm::PreservedAnalyses ConstantArgumentsPass::run(llvm::Module& module,
                                                   llvm::ModuleAnalysisManager& analyses) {
  Copies copies;
  bool changed = false;
  for (bool again = true; again;) {
    again = false;
    for (llvm::Function& function : module) again |= copies.Direct(function);
    changed |= again;
  }
  llvm::FunctionAnalysisManager& functions =
      analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
  for (const Copy& copy : copies.made()) PutInLine(copy, functions);
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

llvm::PreservedAnalyses KnownProceduresPass::run(llvm::Function& function,
                                                 llvm::FunctionAnalysisManager&) {
  std::vector<llvm::LoadInst*> tests;
  std::vector<llvm::CallInst*> calls;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (call != nullptr && PassesNoLink(*call)) calls.push_back(call);
    auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (load != nullptr && load->getType()->isIntegerTy(64) &&
        llvm::isa<llvm::Function>(load->getPointerOperand()) &&
        std::ranges::all_of(load->users(), [](const llvm::User* user) {
          const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(user);
          return comparison != nullptr && comparison->isEquality() &&
                 llvm::PatternMatch::match(comparison->getOperand(1),
                                           llvm::PatternMatch::m_AllOnes());
        })) {
      tests.push_back(load);
    }
  }
  for (llvm::LoadInst* load : tests) {
    // The code of a procedure never begins with all ones: for the tests, 0 does as well.
    load->replaceAllUsesWith(llvm::ConstantInt::get(load->getType(), 0));
    load->eraseFromParent();
  }
  for (llvm::CallInst* call : calls) DropLink(*call);
  if (tests.empty() && calls.empty()) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

}  // namespace tenure::compiler
