#include "compiler/emit/keep_traps.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <vector>

namespace tenure::compiler {

namespace {

// Metadata of marked loads.
constexpr char kMayTrap[] = "tn.may_trap";
// Limits of the search for a use. A superfluous empty use does no harm.
constexpr unsigned kDepthMax = 24;
constexpr unsigned kBlocksMax = 48;
// The number of paths doubles with each jump.
constexpr unsigned kJumpsMax = 6;

bool IsMarked(const llvm::Value* value) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(value);
  return load != nullptr && load->hasMetadata(kMayTrap);
}

bool DoesNothing(const llvm::Instruction& instruction) {
  return !instruction.mayHaveSideEffects() && !IsMarked(&instruction);
}

// The block that all paths from the beginning of `block` reach before they have any effect; `block`
// itself if there is no later one.
const llvm::BasicBlock* FirstThatMatters(const llvm::BasicBlock* block, unsigned depth = 0) {
  const llvm::Instruction* last = block->getTerminator();
  if (depth > kJumpsMax || last->getNumSuccessors() == 0) return block;
  for (const llvm::Instruction& instruction : *block) {
    if (llvm::isa<llvm::PHINode>(instruction) || !DoesNothing(instruction)) return block;
  }
  const llvm::BasicBlock* common = nullptr;
  for (const llvm::BasicBlock* next : llvm::successors(block)) {
    const llvm::BasicBlock* place = FirstThatMatters(next, depth + 1);
    if (common != nullptr && place != common) return block;
    common = place;
  }
  return common;
}

// Does every path from `from` to a return lead through `through`? Paths that end in a run-time
// error do not count.
bool IsPassed(const llvm::BasicBlock* from, const llvm::BasicBlock* through) {
  if (from == through) return true;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> seen;
  std::vector<const llvm::BasicBlock*> open{from};
  seen.insert(from);
  while (!open.empty()) {
    const llvm::BasicBlock* block = open.back();
    open.pop_back();
    if (llvm::isa<llvm::ReturnInst>(block->getTerminator())) return false;
    for (const llvm::BasicBlock* next : llvm::successors(block)) {
      if (next == through || !seen.insert(next).second) continue;
      if (seen.size() > kBlocksMax) return false;
      open.push_back(next);
    }
  }
  return true;
}

bool IsOnlyStoredTo(const llvm::Value* address) {
  return std::all_of(address->use_begin(), address->use_end(), [](const llvm::Use& use) {
    const llvm::User* user = use.getUser();
    if (llvm::isa<llvm::GEPOperator>(user)) return IsOnlyStoredTo(user);
    return llvm::isa<llvm::StoreInst>(user) &&
           use.getOperandNo() == llvm::StoreInst::getPointerOperandIndex();
  });
}

// Is it a variable of the module that nothing reads and that other modules cannot name?
bool IsOnlyWritten(const llvm::Value* object) {
  const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(object);
  return variable != nullptr && variable->hasLocalLinkage() && IsOnlyStoredTo(variable);
}

class Uses {
 public:
  // At the place where the value is computed: will it surely be used later?
  bool AreSure(const llvm::Value* value, const llvm::BasicBlock* block, unsigned depth = 0) {
    const auto [found, is_new] = known_.try_emplace(value, false);
    // A value that depends on itself is found here and counts as not surely used.
    if (!is_new || depth > kDepthMax) return found->second;
    for (const llvm::Use& use : value->uses()) {
      if (!IsSure(use, block, depth)) continue;
      known_[value] = true;
      return true;
    }
    return false;
  }

 private:
  bool IsSure(const llvm::Use& use, const llvm::BasicBlock* block, unsigned depth) {
    const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(user)) {
      return IsPassed(block, phi->getIncomingBlock(use)) &&
             AreSure(phi, phi->getParent(), depth + 1);
    }
    if (!IsPassed(block, user->getParent())) return false;
    if (IsMarked(user)) return true;  // which will stay
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
      // A variable that is never read will be removed.
      const llvm::Value* object = store->getPointerOperand()->stripInBoundsOffsets();
      return store->isVolatile() || !(llvm::isa<llvm::AllocaInst>(object) || IsOnlyWritten(object));
    }
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(user)) {
      const llvm::Function* callee = call->getCalledFunction();
      if (callee != nullptr && !callee->isDeclaration() && call->isArgOperand(&use)) {
        const llvm::Argument* formal = callee->getArg(call->getArgOperandNo(&use));
        return AreSure(formal, &callee->getEntryBlock(), depth + 1);
      }
    }
    if (user->isTerminator() && user->getNumSuccessors() > 1) return Decides(user, depth);
    if (user->mayHaveSideEffects() || user->isTerminator()) return true;
    return AreSure(user, user->getParent(), depth + 1);
  }

  // Does the target of the jump matter? Not if all paths meet before they have any effect.
  bool Decides(const llvm::Instruction* jump, unsigned depth) {
    if (jump->mayHaveSideEffects()) return true;
    const llvm::BasicBlock* common = nullptr;
    for (const llvm::BasicBlock* next : llvm::successors(jump->getParent())) {
      const llvm::BasicBlock* place = FirstThatMatters(next);
      if (common != nullptr && place != common) return true;
      common = place;
    }
    for (const llvm::PHINode& phi : common->phis()) {
      if (AreSure(&phi, common, depth + 1)) return true;
    }
    return false;
  }

  llvm::DenseMap<const llvm::Value*, bool> known_;
};

// Adds a use of the value before `before`.
void AddEmptyUse(llvm::Value* value, llvm::Instruction* before) {
  llvm::IRBuilder<> builder(before);
  llvm::Type* type = value->getType();
  if (type->isIntegerTy() && type->getIntegerBitWidth() > 64) {
    value = builder.CreateTrunc(value, builder.getInt64Ty());
  } else if (type->isIntegerTy() && type->getIntegerBitWidth() < 8) {
    value = builder.CreateZExt(value, builder.getInt8Ty());
  }
  type = value->getType();
  if (!type->isIntegerTy() && !type->isPointerTy() && !type->isFloatTy() && !type->isDoubleTy()) {
    return;
  }
  auto* signature = llvm::FunctionType::get(builder.getVoidTy(), {type}, false);
  llvm::InlineAsm* nothing = llvm::InlineAsm::get(
      signature, "", type->isFloatingPointTy() ? "x" : "r", /*hasSideEffects=*/true);
  llvm::CallInst* use = builder.CreateCall(signature, nothing, {value});
  use->setDoesNotThrow();
  use->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
}

}  // namespace

void MarkMayTrap(llvm::LoadInst& load) {
  load.setMetadata(kMayTrap, llvm::MDNode::get(load.getContext(), {}));
}

llvm::PreservedAnalyses KeepTrapsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  Uses uses;
  // Find all values first: an added use would count as a use.
  std::vector<std::pair<llvm::Value*, llvm::Instruction*>> wanted;
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (IsMarked(&instruction)) {
        if (!uses.AreSure(&instruction, instruction.getParent()))
          wanted.emplace_back(&instruction, instruction.getNextNode());
        continue;
      }
      const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call == nullptr || call->getType()->isVoidTy()) continue;
      const llvm::Function* callee = call->getCalledFunction();
      if (callee == nullptr || callee->isDeclaration()) continue;
      if (!uses.AreSure(call, call->getParent()))
        wanted.emplace_back(&instruction, instruction.getNextNode());
    }
  }
  for (const auto& [value, before] : wanted) AddEmptyUse(value, before);
  return wanted.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

}  // namespace tenure::compiler
