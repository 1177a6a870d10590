// Sections of a biased lock (runtime/threads/biased_sections.h) in line: what LockWord::EnterBiased
// and LeaveBiased do (runtime/threads/threads.h).

#include <cstddef>

#include "abi/biased_lock.h"
#include "compiler/lower/function_lowering.h"

namespace tenure::compiler {

namespace {

// Another thread may change the word, or look at it, at any time.
llvm::Value* LoadShared(llvm::IRBuilder<>& builder, llvm::Value* address,
                        llvm::AtomicOrdering order) {
  llvm::LoadInst* load = builder.CreateAlignedLoad(builder.getInt64Ty(), address, llvm::Align(8));
  load->setAtomic(order);
  return load;
}

void StoreShared(llvm::IRBuilder<>& builder, llvm::Value* value, llvm::Value* address,
                 llvm::AtomicOrdering order) {
  builder.CreateAlignedStore(value, address, llvm::Align(8))->setAtomic(order);
}

}  // namespace

llvm::Value* FunctionLowering::LoadOfBiasedLock(size_t offset, llvm::Type* type) {
  llvm::LoadInst* load = b_.CreateAlignedLoad(
      type, Offset(u_.runtime.BiasedLock(), static_cast<int64_t>(offset)), llvm::Align(8));
  u_.Annotate(load, AccessClass::kMutator);
  return load;
}

llvm::Value* FunctionLowering::EnterBiased(llvm::Value* word) {
  using Order = llvm::AtomicOrdering;
  llvm::BasicBlock* announce = Block("announce");
  llvm::BasicBlock* retract = Block("retract");
  llvm::BasicBlock* join = Block("biased");
  llvm::Value* biased = LoadOfBiasedLock(offsetof(abi::BiasedLock, word), u_.i64);
  llvm::BasicBlock* before = b_.GetInsertBlock();
  b_.CreateCondBr(b_.CreateICmpEQ(LoadShared(b_, word, Order::Monotonic), biased), announce, join);
  b_.SetInsertPoint(announce);
  llvm::Value* announcement = LoadOfBiasedLock(offsetof(abi::BiasedLock, announcement), u_.ptr);
  StoreShared(b_, b_.CreatePtrToInt(word, u_.i64), announcement, Order::Monotonic);
  b_.CreateFence(Order::SequentiallyConsistent, llvm::SyncScope::SingleThread);
  llvm::Value* still = b_.CreateICmpEQ(LoadShared(b_, word, Order::Acquire), biased);
  b_.CreateCondBr(still, join, retract);
  b_.SetInsertPoint(retract);
  StoreShared(b_, u_.Int(0), announcement, Order::Release);
  b_.CreateBr(join);
  b_.SetInsertPoint(join);
  llvm::PHINode* entered = b_.CreatePHI(u_.i1, 3);
  entered->addIncoming(b_.getFalse(), before);
  entered->addIncoming(b_.getTrue(), announce);
  entered->addIncoming(b_.getFalse(), retract);
  return FromBoolean(entered);
}

void FunctionLowering::LeaveBiased() {
  llvm::Value* announcement = LoadOfBiasedLock(offsetof(abi::BiasedLock, announcement), u_.ptr);
  StoreShared(b_, u_.Int(0), announcement, llvm::AtomicOrdering::Release);
}

}  // namespace tenure::compiler
