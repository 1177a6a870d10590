// Store barriers of programs that are built with --barriers=hybrid or software: code at each store
// that may reach a persistent object (docs/stabilization.md, "Store barriers").

#include <llvm/IR/MDBuilder.h>

#include "abi/heap_constants.h"
#include "compiler/emit/local_barriers.h"
#include "compiler/lower/function_lowering.h"

namespace tenure::compiler {

using abi::StoreBarriers;

bool FunctionLowering::NeedsStoreBarrier(const Place& place) const {
  if (u_.options.barriers == StoreBarriers::kTrap) return false;
  switch (place.region) {
    case Region::kHeap:
    case Region::kUnknown: return true;
    // Unsafe code turns references into addresses.
    case Region::kUntraced: return u_.in_unsafe_body || (u_.unit != nullptr && u_.unit->is_unsafe);
    case Region::kStack:
    case Region::kGlobal:
    case Region::kFresh: return false;
  }
  return true;
}

llvm::LoadInst* FunctionLowering::LoadBlock(llvm::Value* address) {
  llvm::Value* block = b_.CreateLShr(address, u_.Int(abi::kBlockShift));
  block = b_.CreateIntToPtr(b_.CreateAdd(block, u_.Int(static_cast<int64_t>(abi::kBlockTableBase))),
                            u_.ptr);
  llvm::LoadInst* load = b_.CreateAlignedLoad(u_.i8, block, llvm::Align(1));
  u_.Annotate(load, AccessClass::kCard);
  MarkBlockLoad(*load);
  return load;
}

void FunctionLowering::IfUnlikely(llvm::Value* condition, const std::function<void()>& then) {
  llvm::BasicBlock *calls = Block("calls"), *join = Block("stored");
  b_.CreateCondBr(condition, calls, join,
                  llvm::MDBuilder(u_.context).createUnlikelyBranchWeights());
  b_.SetInsertPoint(calls);
  then();
  b_.CreateBr(join);
  b_.SetInsertPoint(join);
}

void FunctionLowering::IfBlockCalls(llvm::Value* address, const std::function<void()>& then) {
  IfUnlikely(b_.CreateICmpSLT(LoadBlock(address), llvm::ConstantInt::get(u_.i8, 0)), then);
}

void FunctionLowering::WithStoreBarrier(const Place& place, llvm::Value* bytes, bool repeatable,
                                        const std::function<void()>& store) {
  if (!NeedsStoreBarrier(place)) return store();
  llvm::Value* const address = place.address;
  if (u_.options.barriers == StoreBarriers::kHybrid) {
    OpenForStore(place);
    return store();
  }
  const auto store_marked = [&] {
    CallEntry(Entry::tn_begin_marked, {address, bytes});
    store();
    CallEntry(Entry::tn_end_marked, {});
  };
  if (!repeatable) return store_marked();
  store();
  // The address becomes a number only behind the store: a stop may come between any two
  // instructions, and a mark that was seen before the store may be gone.
  llvm::Value* const first = StoredBefore(address, address, u_.i64);
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(bytes);
  if (known != nullptr && known->isZero()) return;
  if (known != nullptr && known->getZExtValue() <= abi::kBlockBytes) {
    llvm::Value* calls = LoadBlock(first);
    if (!known->isOne()) {
      calls = b_.CreateOr(calls, LoadBlock(b_.CreateAdd(first, b_.CreateSub(bytes, u_.Int(1)))));
    }
    IfUnlikely(b_.CreateICmpSLT(calls, llvm::ConstantInt::get(u_.i8, 0)), store_marked);
    return;
  }
  // All blocks of a page are idle together.
  IfUnlikely(b_.CreateICmpNE(LoadBlock(first), llvm::ConstantInt::get(u_.i8, abi::kBlockIdle)),
             [&] {
               llvm::Value* any = CallEntry(Entry::tn_any_block_calls, {address, bytes});
               IfUnlikely(b_.CreateIsNotNull(any), store_marked);
             });
}

void FunctionLowering::OpenForStore(const Place& place) {
  if (!NeedsStoreBarrier(place) || u_.options.barriers != StoreBarriers::kHybrid) return;
  IfBlockCalls(b_.CreatePtrToInt(place.address, u_.i64),
               [&] { CallEntry(Entry::tn_open_for_store, {place.address}); });
}

llvm::Value* FunctionLowering::ReadBeforeStore(const Place& place, llvm::Type* memory,
                                               llvm::Align alignment) {
  if (!NeedsStoreBarrier(place) || u_.options.barriers != StoreBarriers::kSoftware) return nullptr;
  llvm::LoadInst* const load = b_.CreateAlignedLoad(memory, place.address, alignment);
  u_.Annotate(load, AccessClass::kData, memory);
  return load;
}

void FunctionLowering::MarkStore(const Place& place, llvm::Value* value, llvm::Value* before) {
  if (before == nullptr) return;
  llvm::Value* const address = place.address;
  IfBlockCalls(StoredBefore(address, address, u_.i64), [&] {
    llvm::Type* type = value->getType();
    const unsigned bits = type->isPointerTy() ? 64 : type->getPrimitiveSizeInBits();
    const auto number = [&](llvm::Value* of) {
      if (type->isPointerTy()) return b_.CreatePtrToInt(of, u_.i64);
      if (!type->isIntegerTy()) {
        of = b_.CreateBitCast(of, llvm::IntegerType::get(u_.context, bits));
      }
      return b_.CreateZExt(of, u_.i64);
    };
    llvm::CallInst* call = CallEntry(Entry::tn_mark_store,
                                     {address, number(value), u_.Int32(bits / 8), number(before)});
    // The program sees no change, except that the call may raise.
    call->setMemoryEffects(llvm::MemoryEffects::argMemOnly() |
                           llvm::MemoryEffects::inaccessibleMemOnly());
  });
}

void FunctionLowering::ProtectForC(llvm::Value* address) {
  if (u_.options.barriers != StoreBarriers::kSoftware || llvm::isa<llvm::Constant>(address)) return;
  llvm::Value* calls = LoadBlock(b_.CreatePtrToInt(address, u_.i64));
  IfUnlikely(b_.CreateICmpNE(calls, llvm::ConstantInt::get(u_.i8, abi::kBlockIdle)),
             [&] { CallEntry(Entry::tn_protect_for_c, {address}); });
}

}  // namespace tenure::compiler
