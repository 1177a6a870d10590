// NEW (language.md 18.4).

#include <llvm/IR/MDBuilder.h>

#include "abi/mutator_state.h"
#include "abi/object_header.h"
#include "compiler/lower/function_lowering.h"
#include "compiler/types/describe.h"
#include "compiler/types/layout.h"

namespace tenure::compiler {

// The fast path of allocation (abi/mutator_state.h) in line: bump the thread's pointer, compare,
// store the header, the length of an open array unless that is null, zeroes, and the first values.
// `slow` is called if there is no room, or if `never` (may be null) is true; it returns a zeroed
// object.
llvm::Value* FunctionLowering::AllocateInline(llvm::Constant* descriptor, llvm::Value* whole_bytes,
                                              llvm::Value* length, llvm::Value* never,
                                              const FirstValues& first_values,
                                              const std::function<llvm::Value*()>& slow) {
  // Not llvm.threadlocal.address: LLVM knows nothing about its result, while it knows that a
  // variable can be read before a loop without harm. In a loop that mostly allocates, both fields
  // then stay in registers. A stop does not change them; only a call may (docs/collector.md,
  // "Stopping").
  llvm::Value* mutator = u_.runtime.Mutator();
  llvm::Value* limit_address = Offset(mutator, offsetof(abi::MutatorState, allocation_limit));
  llvm::LoadInst* start = b_.CreateAlignedLoad(u_.ptr, mutator, llvm::Align(8));
  u_.Annotate(start, AccessClass::kMutator);
  llvm::LoadInst* limit = b_.CreateAlignedLoad(u_.ptr, limit_address, llvm::Align(8));
  u_.Annotate(limit, AccessClass::kMutator);
  llvm::Value* next = b_.CreateGEP(u_.i8, start, whole_bytes);
  llvm::BasicBlock* slow_block = Block("allocate");
  llvm::BasicBlock* fast = Block("bump");
  llvm::BasicBlock* join = Block("allocated");
  llvm::Value* too_long = b_.CreateICmpUGT(next, limit);
  if (never != nullptr) too_long = b_.CreateOr(never, too_long);
  b_.CreateCondBr(too_long, slow_block, fast,
                  llvm::MDBuilder(u_.context).createUnlikelyBranchWeights());
  b_.SetInsertPoint(fast);
  llvm::StoreInst* header =
      b_.CreateAlignedStore(b_.CreatePtrToInt(descriptor, u_.i64), start, llvm::Align(8));
  u_.Annotate(header, AccessClass::kHeader);
  int64_t zeroes_at = abi::kHeaderBytes;
  if (length != nullptr) {
    llvm::StoreInst* store =
        b_.CreateAlignedStore(length, Offset(start, zeroes_at), llvm::Align(8));
    u_.Annotate(store, AccessClass::kLength);
    zeroes_at += sizeof(uint64_t);
  }
  u_.Annotate(b_.CreateMemSet(Offset(start, zeroes_at), llvm::ConstantInt::get(u_.i8, 0),
                              b_.CreateSub(whole_bytes, u_.Int(zeroes_at)), llvm::Align(8)),
              AccessClass::kAnyData);
  if (first_values) first_values(Offset(start, abi::kHeaderBytes));
  // A stop may come between any two instructions (docs/collector.md, "Stopping"): objects below the
  // pointer are complete, and nothing refers to the memory above it.
  llvm::StoreInst* bump = b_.CreateAlignedStore(StoredBefore(next, start), mutator, llvm::Align(8));
  u_.Annotate(bump, AccessClass::kMutator);
  llvm::Value* object =
      StoredBefore(b_.CreateGEP(u_.i8, start, u_.Int(abi::kHeaderBytes)), mutator);
  b_.CreateBr(join);
  b_.SetInsertPoint(slow_block);
  llvm::Value* slow_object = slow();
  if (first_values) first_values(slow_object);
  slow_block = b_.GetInsertBlock();
  b_.CreateBr(join);
  b_.SetInsertPoint(join);
  llvm::PHINode* reference = b_.CreatePHI(u_.ptr, 2);
  reference->addIncoming(object, fast);
  reference->addIncoming(slow_object, slow_block);
  return reference;
}

llvm::Value* FunctionLowering::AllocateFixed(llvm::Constant* descriptor, int64_t payload_bytes,
                                             const FirstValues& first_values) {
  const int64_t payload =
      static_cast<int64_t>(abi::PayloadRoom(static_cast<size_t>(payload_bytes)));
  const int64_t whole = payload + static_cast<int64_t>(abi::kHeaderBytes);
  const auto slow = [&]() -> llvm::Value* {
    return CallEntry(Entry::tn_allocate_slow, {descriptor, u_.Int(payload)});
  };
  // Without optimisation the frame would keep the address of the object's end, where another object
  // begins.
  if (whole > static_cast<int64_t>(abi::kLargeObjectBytes) || !u_.options.optimize) {
    llvm::Value* object = slow();
    if (first_values) first_values(object);
    return object;
  }
  return AllocateInline(descriptor, u_.Int(whole), nullptr, nullptr, first_values, slow);
}

// A traced open array of these lengths, which are not negative.
llvm::Value* FunctionLowering::AllocateOpenArray(llvm::Constant* descriptor, int64_t element_bytes,
                                                 const std::vector<llvm::Value*>& lengths) {
  llvm::AllocaInst* vector = Alloca(llvm::ArrayType::get(u_.i64, lengths.size()), 8);
  const auto slow = [&]() -> llvm::Value* {
    for (size_t i = 0; i < lengths.size(); ++i) {
      StoreWord(Offset(vector, 8 * static_cast<int64_t>(i)), lengths[i]);
    }
    return CallEntry(Entry::tn_allocate_array, {descriptor, vector});
  };
  constexpr auto kFixedBytes = static_cast<int64_t>(abi::kHeaderBytes + sizeof(uint64_t));
  constexpr int64_t kRoom = static_cast<int64_t>(abi::kLargeObjectBytes) - kFixedBytes;
  if (lengths.size() != 1 || element_bytes > kRoom || !u_.options.optimize) return slow();
  // With fewer elements than this the product does not overflow, and the object is not a large one.
  llvm::Value* many =
      b_.CreateICmpUGT(lengths[0], u_.Int(kRoom / std::max<int64_t>(element_bytes, 1)));
  llvm::Value* whole =
      b_.CreateAdd(b_.CreateMul(lengths[0], u_.Int(element_bytes)),
                   u_.Int(kFixedBytes + static_cast<int64_t>(abi::kGranuleBytes) - 1));
  whole = b_.CreateAnd(whole, u_.Int(-static_cast<int64_t>(abi::kGranuleBytes)));
  return AllocateInline(descriptor, whole, lengths[0], many, nullptr, slow);
}

llvm::Value* FunctionLowering::EmitNew(const NewExpr* expr) {
  const Type* type = Bare(expr->allocated);
  const auto* object = As<ObjectType>(type);
  const auto* ref = As<RefType>(type);
  const bool traced = object != nullptr ? object->traced : ref->traced;

  // Everything is computed before the object exists: nothing comes between its birth and its first
  // values.
  std::vector<llvm::Value*> lengths;
  for (const Expr* length : expr->lengths) lengths.push_back(EmitValue(length));
  struct Bound {
    llvm::Value* value = nullptr;
    Place place;
  };
  std::vector<Bound> bound;
  for (const NewExpr::Binding& binding : expr->bindings) {
    Bound b;
    if (IsScalar(binding.value->type)) {
      b.value = EmitValue(binding.value);
    } else {
      b.place = EmitLocation(binding.value);
      if (binding.value->designator) {
        Place copy = Temporary(Bare(binding.value->type));
        Copy(copy, b.place, binding.value->type, false);
        b.place = copy;
      }
    }
    bound.push_back(b);
  }

  // Allocates an object, or a referent that is not an open array.
  const auto store_first_values = [&](llvm::Value* reference) {
    Place whole;
    whole.address = reference;
    whole.region = Region::kFresh;
    if (object == nullptr) {
      Initialize(whole, Bare(ref->referent), true);
    } else if (PayloadNeedsInitialization(object)) {
      InitializePayload(reference, object);
    }
    for (size_t i = 0; i < expr->bindings.size(); ++i) {
      const NewExpr::Binding& binding = expr->bindings[i];
      const Field& field = binding.record != nullptr ? binding.record->fields[binding.field]
                                                     : binding.object->fields[binding.field];
      const Place place = binding.record != nullptr
                              ? EmitField(whole, binding.record, binding.field)
                              : FieldOfPayload(reference, binding.object, binding.field);
      if (bound[i].value != nullptr) {
        StoreRaw(place, field.type, bound[i].value);
      } else {
        Copy(place, AdaptShape(bound[i].place, binding.value->type, field.type), field.type, false);
      }
    }
  };

  if (object != nullptr || OpenDimensions(Bare(ref->referent)) == 0) {
    const int64_t bytes =
        object != nullptr ? PayloadOf(object).bytes : LayoutOf(Bare(ref->referent)).bytes;
    llvm::Constant* descriptor = u_.Null();
    if (object != nullptr) {
      descriptor = u_.TypeDescriptorOf(object);
    } else if (traced) {
      descriptor = u_.TypeDescriptorOf(ref);
    }
    // A few instructions come before the object exists: they spare stores of zeroes.
    constexpr size_t kFewValues = 8;
    constexpr int64_t kFewBytes = 256;
    const bool few = bound.size() <= kFewValues && bytes <= kFewBytes &&
                     std::none_of(bound.begin(), bound.end(),
                                  [](const Bound& bound) { return bound.value == nullptr; });
    if (traced && few) return AllocateFixed(descriptor, bytes, store_first_values);
    llvm::Value* reference =
        traced ? AllocateFixed(descriptor, bytes, nullptr)
               : CallEntry(Entry::tn_allocate_untraced, {descriptor, u_.Int(bytes)});
    store_first_values(reference);
    return reference;
  }

  const Type* referent = Bare(ref->referent);
  const uint32_t dimensions = OpenDimensions(referent);
  llvm::Value* reference;
  const auto failure = [&](RuntimeErrorCode code, llvm::Value* length) {
    return Failure{code, CheckForm::kLength, u_.CString(TypeToString(expr->type)), {length}};
  };
  if (traced) {
    for (llvm::Value* length : lengths) {
      ErrorIf(b_.CreateICmpSLT(length, u_.Int(0)),
              failure(RuntimeErrorCode::kValueOutOfRange, length));
    }
    reference = AllocateOpenArray(u_.TypeDescriptorOf(ref), LayoutOf(referent).bytes, lengths);
  } else {
    llvm::Value* bytes = u_.Int(LayoutOf(referent).bytes);
    for (llvm::Value* length : lengths) {
      ErrorIf(b_.CreateICmpSLT(length, u_.Int(0)),
              failure(RuntimeErrorCode::kValueOutOfRange, length));
      llvm::Value* product =
          b_.CreateBinaryIntrinsic(llvm::Intrinsic::umul_with_overflow, bytes, length);
      ErrorIf(b_.CreateExtractValue(product, 1), failure(RuntimeErrorCode::kOutOfMemory, length));
      bytes = b_.CreateExtractValue(product, 0);
    }
    llvm::Value* room = b_.CreateAdd(bytes, u_.Int(8 * int64_t{dimensions}));
    ErrorIf(b_.CreateICmpULT(room, bytes),
            failure(RuntimeErrorCode::kOutOfMemory, lengths.front()));
    reference = CallEntry(Entry::tn_allocate_untraced, {u_.Null(), room});
    for (uint32_t i = 0; i < dimensions; ++i) {
      llvm::StoreInst* length =
          b_.CreateAlignedStore(lengths[i], Offset(reference, 8 * int64_t{i}), llvm::Align(8));
      u_.Annotate(length, AccessClass::kLength);
    }
  }
  if (u_.options.optimize) {
    // Later accesses load the lengths from the object.
    for (uint32_t i = 0; i < dimensions; ++i) {
      llvm::LoadInst* length = LoadLength(reference, referent, i, traced);
      b_.CreateAssumption(b_.CreateICmpEQ(length, lengths[i]));
      b_.CreateAssumption(b_.CreateICmpULT(
          lengths[i], u_.Int(static_cast<int64_t>(UnitLowering::LengthLimit(referent)))));
    }
  }
  Place elements;
  elements.region = Region::kFresh;
  elements.address = Offset(reference, 8 * int64_t{dimensions});
  elements.lengths = lengths;
  Initialize(elements, referent, true);
  return reference;
}

}  // namespace tenure::compiler
