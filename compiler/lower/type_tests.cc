// ISTYPE, NARROW, TYPECASE and TYPECODE: questions to an object's descriptor
// (abi/type_descriptor.h).

#include <llvm/IR/MDBuilder.h>

#include <cstddef>

#include "abi/heap_constants.h"
#include "abi/type_descriptor.h"
#include "compiler/lower/function_lowering.h"

namespace tenure::compiler {

llvm::Value* FunctionLowering::LoadDescriptor(llvm::Value* reference) {
  // The low half of the header; the collector's bits are in the other.
  llvm::LoadInst* header = b_.CreateAlignedLoad(
      u_.i32,
      b_.CreateInBoundsGEP(u_.i8, reference, u_.Int(-static_cast<int64_t>(abi::kHeaderBytes))),
      llvm::Align(8));
  u_.Annotate(header, AccessClass::kHeader);
  u_.NeverChanges(header);
  return b_.CreateIntToPtr(b_.CreateZExt(header, u_.i64), u_.ptr);
}

llvm::Value* FunctionLowering::DescriptorField(llvm::Value* descriptor, size_t offset,
                                               llvm::Type* type) {
  llvm::LoadInst* load =
      b_.CreateAlignedLoad(type, Offset(descriptor, static_cast<int64_t>(offset)), llvm::Align(4));
  return u_.Annotate(load, AccessClass::kImmutable);
}

llvm::Value* FunctionLowering::IsMember(llvm::Value* descriptor, const Type* type) {
  type = Bare(type);
  switch (type->kind) {
    case TypeKind::kNull: return b_.getFalse();
    case TypeKind::kRef: return b_.CreateICmpEQ(descriptor, u_.TypeDescriptorOf(type));
    case TypeKind::kRefany:
      if (type != u_.program.types.transient_refany) return b_.getTrue();
      break;
    case TypeKind::kObject: break;
    default: return b_.getTrue();
  }
  // The typecodes of a type and its subtypes are contiguous.
  llvm::Constant* target = u_.TypeDescriptorOf(type);
  // Most often the object has exactly the type, which is known without reading the descriptor.
  llvm::BasicBlock* before = b_.GetInsertBlock();
  llvm::BasicBlock* subtype = Block("subtype");
  llvm::BasicBlock* join = Block("member");
  b_.CreateCondBr(b_.CreateICmpEQ(descriptor, target), join, subtype,
                  llvm::MDBuilder(u_.context).createLikelyBranchWeights());
  b_.SetInsertPoint(subtype);
  llvm::Value* first = DescriptorField(target, offsetof(abi::TypeDescriptor, typecode), u_.i32);
  llvm::Value* last = DescriptorField(target, offsetof(abi::TypeDescriptor, last_subtype), u_.i32);
  llvm::Value* typecode =
      DescriptorField(descriptor, offsetof(abi::TypeDescriptor, typecode), u_.i32);
  llvm::Value* inside = b_.CreateICmpULE(b_.CreateSub(typecode, first), b_.CreateSub(last, first));
  b_.CreateBr(join);
  b_.SetInsertPoint(join);
  llvm::PHINode* member = b_.CreatePHI(u_.i1, 2);
  member->addIncoming(b_.getTrue(), before);
  member->addIncoming(inside, subtype);
  return member;
}

llvm::Value* FunctionLowering::IsTypeOrNil(llvm::Value* reference, const Type* type) {
  type = Bare(type);
  llvm::Value* is_nil = b_.CreateIsNull(reference);
  if (type->kind == TypeKind::kNull) return is_nil;
  llvm::BasicBlock* before = b_.GetInsertBlock();
  llvm::BasicBlock* test = Block("test");
  llvm::BasicBlock* join = Block("tested");
  b_.CreateCondBr(is_nil, join, test, llvm::MDBuilder(u_.context).createUnlikelyBranchWeights());
  b_.SetInsertPoint(test);
  llvm::Value* member = IsMember(LoadDescriptor(reference), type);
  llvm::BasicBlock* tested = b_.GetInsertBlock();
  b_.CreateBr(join);
  b_.SetInsertPoint(join);
  llvm::PHINode* phi = b_.CreatePHI(u_.i1, 2);
  phi->addIncoming(b_.getTrue(), before);
  phi->addIncoming(member, tested);
  return phi;
}

}  // namespace tenure::compiler
