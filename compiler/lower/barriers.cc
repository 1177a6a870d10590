// The write barrier, code that keeps objects alive for the conservative collector, and failing
// checks.

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/MDBuilder.h>

#include "abi/heap_constants.h"
#include "abi/mutator_state.h"
#include "compiler/emit/loop_barriers.h"
#include "compiler/lower/function_lowering.h"
#include "compiler/lower/source_words.h"

namespace tenure::compiler {

static_assert(kMostStoreRanges == abi::kMostStoreRanges);

// --- checks ---

llvm::Constant* FunctionLowering::CheckSiteOf(RuntimeErrorCode code, CheckForm form,
                                              llvm::Constant* detail) {
  llvm::Constant* file = span_.valid() ? u_.CString(std::string(span_.start().path()))
                                       : static_cast<llvm::Constant*>(u_.Null());
  llvm::Type* i16 = llvm::Type::getInt16Ty(u_.context);
  llvm::GlobalVariable* site =
      u_.Static(llvm::ConstantStruct::getAnon(
                    u_.context, {file, u_.Int32(span_.valid() ? span_.line() : 0),
                                 llvm::ConstantInt::get(i16, static_cast<uint64_t>(code)),
                                 llvm::ConstantInt::get(i16, static_cast<uint64_t>(form)),
                                 detail == nullptr ? u_.Null() : detail}),
                8);
  return site;
}

llvm::Value* FunctionLowering::PassedToReport(llvm::Value* value) {
  llvm::Type* type = value->getType();
  if (type->isPointerTy()) return b_.CreatePtrToInt(value, u_.i64);
  if (type->isFloatTy()) value = b_.CreateFPExt(value, llvm::Type::getDoubleTy(u_.context));
  return value->getType()->isDoubleTy() ? b_.CreateBitCast(value, u_.i64) : value;
}

llvm::BasicBlock* FunctionLowering::ErrorBlock(const Failure& failure) {
  llvm::BasicBlock* block = Block("error");
  llvm::IRBuilder<>::InsertPointGuard guard(b_);
  llvm::DebugLoc location = b_.getCurrentDebugLocation();
  b_.SetInsertPoint(block);
  b_.SetCurrentDebugLocation(location);
  std::vector<llvm::Value*> arguments = {CheckSiteOf(failure.code, failure.form, failure.detail)};
  for (llvm::Value* value : failure.values) arguments.push_back(PassedToReport(value));
  constexpr size_t kArguments = 4;
  arguments.resize(kArguments, llvm::PoisonValue::get(u_.i64));
  CallEntry(Entry::tn_check_failed, arguments);
  b_.CreateUnreachable();
  return block;
}

void FunctionLowering::ErrorIf(llvm::Value* condition, const Failure& failure) {
  if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(condition);
      known != nullptr && known->isZero())
    return;
  llvm::BasicBlock* good = Block("checked");
  b_.CreateCondBr(condition, ErrorBlock(failure), good,
                  llvm::MDBuilder(u_.context).createUnlikelyBranchWeights());
  b_.SetInsertPoint(good);
}

void FunctionLowering::FailIf(llvm::Value* condition, const std::function<Failure()>& failure) {
  llvm::BasicBlock* bad = Block("failed");
  llvm::BasicBlock* good = Block("checked");
  b_.CreateCondBr(condition, bad, good, llvm::MDBuilder(u_.context).createUnlikelyBranchWeights());
  b_.SetInsertPoint(bad);
  Fail(failure());
  b_.SetInsertPoint(good);
}

void FunctionLowering::Fail(const Failure& failure) { b_.CreateBr(ErrorBlock(failure)); }

void FunctionLowering::CheckNotNil(llvm::Value* reference, const Expr* expr) {
  const std::string text = SourceText(expr->span);
  llvm::Constant* detail =
      u_.CString(IsProcedure(expr->type) ? "call of a procedure that is NIL: " + text
                                         : "dereference of NIL: " + text);
  ErrorIf(b_.CreateIsNull(reference),
          {RuntimeErrorCode::kBadMemoryReference, CheckForm::kNone, detail});
}

void FunctionLowering::NoteDereference(const Expr* expr, const DereferenceExtent& extent) {
  u_.dereferences.Add(span_, expr->span, extent);
}

// --- write barrier ---

bool FunctionLowering::NeedsBarrier(const Place& place) const {
  return place.region == Region::kHeap || place.region == Region::kUnknown;
}

void FunctionLowering::Barrier(const Place& place, llvm::Value* stored) {
  if (!NeedsBarrier(place)) return;
  // NIL and static texts are never young objects.
  if (llvm::isa<llvm::Constant>(stored)) return;
  // Test the card after the store: a collection may come between any two instructions and clean the
  // card.
  llvm::Value* slot = place.address;
  // The address becomes a number only after the store: otherwise a loop would increment both the
  // address and the number.
  llvm::Value* card = b_.CreateLShr(StoredBefore(slot, slot, u_.i64), u_.Int(abi::kCardShift));
  card = b_.CreateIntToPtr(b_.CreateAdd(card, u_.Int(static_cast<int64_t>(abi::kCardTableBase))),
                           u_.ptr);
  llvm::LoadInst* state = b_.CreateAlignedLoad(u_.i8, card, llvm::Align(1));
  u_.Annotate(state, AccessClass::kCard);
  MarkCardLoad(*state);
  llvm::BasicBlock* filter = Block("filter");
  llvm::BasicBlock* mark = Block("mark");
  llvm::BasicBlock* marked = Block("marked");
  // Loading and testing a byte takes the processor two operations; comparing it in memory with a
  // constant takes three.
  b_.CreateCondBr(
      b_.CreateICmpEQ(InRegister(state), llvm::ConstantInt::get(u_.i8, abi::kCardClean)), filter,
      marked, llvm::MDBuilder(u_.context).createUnlikelyBranchWeights());
  b_.SetInsertPoint(filter);
  const auto byte_of_page = [&](llvm::Value* address, uintptr_t table) {
    llvm::Value* page = b_.CreateLShr(address, u_.Int(abi::kPageShift));
    return b_.CreateIntToPtr(b_.CreateAdd(page, u_.Int(static_cast<int64_t>(table))), u_.ptr);
  };
  llvm::LoadInst* watched = b_.CreateAlignedLoad(
      u_.i8, byte_of_page(b_.CreatePtrToInt(stored, u_.i64), abi::kWatchedTableBase),
      llvm::Align(1));
  u_.Annotate(watched, AccessClass::kCard);
  b_.CreateCondBr(b_.CreateICmpNE(watched, llvm::ConstantInt::get(u_.i8, 0)), mark, marked);
  b_.SetInsertPoint(mark);
  // Volatile, since the order matters: another thread that finds the card dirty does no more work
  // (gc/card_table.h).
  llvm::Value* carded = byte_of_page(StoredBefore(slot, slot, u_.i64), abi::kCardedTableBase);
  for (llvm::Value* byte : {carded, card}) {
    llvm::StoreInst* store = b_.CreateAlignedStore(llvm::ConstantInt::get(u_.i8, abi::kCardDirty),
                                                   byte, llvm::Align(1), /*isVolatile=*/true);
    u_.Annotate(store, AccessClass::kCard);
  }
  b_.CreateBr(marked);
  b_.SetInsertPoint(marked);
  // The stored object is pinned until here, since nothing else tells a collection about the slot.
  UseNow(stored);
}

llvm::Value* FunctionLowering::StoredBefore(llvm::Value* value, llvm::Value* address,
                                            llvm::Type* as) {
  auto* type = llvm::FunctionType::get(as != nullptr ? as : u_.ptr, {u_.ptr, u_.ptr}, false);
  llvm::CallInst* same = b_.CreateCall(
      type, llvm::InlineAsm::get(type, "", "=r,0,*m", /*hasSideEffects=*/true), {value, address});
  same->addParamAttr(1, llvm::Attribute::get(u_.context, llvm::Attribute::ElementType, u_.ptr));
  same->setDoesNotThrow();
  same->setMemoryEffects(llvm::MemoryEffects::argMemOnly(llvm::ModRefInfo::Ref) |
                         llvm::MemoryEffects::inaccessibleMemOnly());
  return same;
}

void FunctionLowering::BarrierForBytes(const Place& place, llvm::Value* bytes, const Type* type) {
  if (!NeedsBarrier(place) || !ContainsTraced(type)) return;
  CallEntry(Entry::tn_end_copy, {place.address, bytes});
}

void FunctionLowering::BeginCopy(const Place& place, llvm::Value* bytes, const Type* type) {
  if (!NeedsBarrier(place) || !ContainsTraced(type)) return;
  CallEntry(Entry::tn_begin_copy, {place.address, bytes});
}

// --- keep-alive ---

// The collector finds an object by any word that points into it. An access by an index may be
// compiled so that only a pointer outside the object is left, and a call in a loop may then collect
// it (platform.md 4). So this code uses the reference once more behind the loop.
void FunctionLowering::KeepAlive(const Place& place) {
  if (!place.indexed || place.base_variable == nullptr || loops_.empty()) return;
  for (Loop& loop : loops_) {
    if (std::find(loop.kept.begin(), loop.kept.end(), place.base_variable) == loop.kept.end()) {
      loop.kept.push_back(place.base_variable);
    }
  }
}

void FunctionLowering::KeepAliveNow(llvm::Value* reference) {
  if (!u_.options.optimize || reference == nullptr || llvm::isa<llvm::Constant>(reference)) return;
  UseNow(reference);
}

llvm::Value* FunctionLowering::InRegister(llvm::Value* value) {
  auto* type = llvm::FunctionType::get(value->getType(), {value->getType()}, false);
  llvm::CallInst* same = b_.CreateCall(
      type, llvm::InlineAsm::get(type, "", "=q,0", /*hasSideEffects=*/false), {value});
  same->setDoesNotThrow();
  same->setDoesNotAccessMemory();
  return same;
}

void FunctionLowering::UseNow(llvm::Value* reference) {
  auto* type = llvm::FunctionType::get(u_.void_type, {u_.ptr}, false);
  llvm::CallInst* use = b_.CreateCall(
      type, llvm::InlineAsm::get(type, "", "r", /*hasSideEffects=*/true), {reference});
  use->setDoesNotThrow();
  use->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
}

void FunctionLowering::FinishLoop() {
  const Loop loop = std::move(loops_.back());
  loops_.pop_back();
  b_.SetInsertPoint(loop.exit);
  for (const Variable* variable : loop.kept) {
    Place place = PlaceOf(variable);
    KeepAliveNow(Load(place, variable->type));
  }
}

}  // namespace tenure::compiler
