// Calls: arguments, procedures, methods, values, C functions (docs/calling_convention.md).

#include "abi/heap_constants.h"
#include "abi/type_descriptor.h"
#include "compiler/lower/function_lowering.h"

namespace tenure::compiler {

// The load of a type descriptor's address.
constexpr DereferenceExtent kHeaderExtent = {-static_cast<int64_t>(abi::kHeaderBytes),
                                             abi::kHeaderBytes, false};

llvm::CallInst* FunctionLowering::CallEntry(Entry entry, std::vector<llvm::Value*> arguments) {
  llvm::CallInst* call = b_.CreateCall(u_.runtime.Get(entry), arguments);
  // An exception of the callee is raised at the line of the call, the line to which the callee
  // would return.
  call->setTailCallKind(llvm::CallInst::TCK_NoTail);
  // A merged call would have no line, and would belong to none of the inlined callers.
  if (call->doesNotReturn()) call->addFnAttr(llvm::Attribute::NoMerge);
  return call;
}

void FunctionLowering::EmitArgument(const Argument& argument, ParameterMode mode,
                                    std::vector<llvm::Value*>& values, std::vector<Place>& keep) {
  const Type* formal = argument.formal_type;
  const Passing passing = PassingOf(formal, mode);
  if (passing == Passing::kValue) {
    values.push_back(EmitValue(argument.value));
    return;
  }
  Place place;
  if (argument.pass == Argument::Pass::kReference && argument.value->designator) {
    place = EmitAliasPlace(argument.value);
    // A packed component has no address: the callee gets a copy of an actual that it only reads. An
    // actual for VAR is a whole variable, even if the place of a WITH name leaves that open.
    if (mode == ParameterMode::kVar) place.bit_offset = nullptr;
    place = InBytes(place, argument.value->type);
  } else if (IsScalar(argument.value->type)) {
    place = Temporary(formal);
    StoreRaw(place, formal, EmitValue(argument.value));
  } else {
    // NIL is detected whether the callee uses the actual or not.
    place =
        argument.value->designator ? EmitAliasPlace(argument.value) : EmitLocation(argument.value);
    place = InBytes(place, argument.value->type);
    const bool owned = argument.value->kind == ExprKind::kConstant || !argument.value->designator;
    if (argument.pass == Argument::Pass::kTemporary && !owned && passing == Passing::kAddress) {
      Place copy = Temporary(formal);
      Copy(copy, place, formal, false);
      place = copy;
    }
  }
  // The address of a scalar keeps the object alive without help: the callee computes no other
  // address from it.
  if (place.base != nullptr && (passing == Passing::kOpenArray || !IsScalar(formal)))
    keep.push_back(place);
  place = AdaptShape(place, argument.value->type, formal);
  values.push_back(place.address);
  if (passing == Passing::kOpenArray)
    values.insert(values.end(), place.lengths.begin(), place.lengths.end());
}

llvm::Value* FunctionLowering::CallExternal(const CallExpr* call, Place* result) {
  if (call->procedure->symbol == "tn_text_is_flat8" && call->arguments.size() == 1 &&
      u_.program.text8_type != nullptr) {
    // Most operations on texts begin with this test, and nearly always find a flat text. A text
    // that is NIL traps at the load.
    llvm::Value* text = EmitValue(call->arguments[0].value);
    NoteDereference(call->arguments[0].value, kHeaderExtent);
    llvm::Value* is_flat =
        b_.CreateICmpEQ(LoadDescriptor(text), u_.TypeDescriptorOf(u_.program.text8_type));
    return FromBoolean(
        b_.CreateIntrinsic(llvm::Intrinsic::expect, {is_flat->getType()}, {is_flat, b_.getTrue()}));
  }
  if (call->procedure->symbol == "tn_mutex_enter_biased" && u_.options.optimize) {
    return EnterBiased(EmitPlace(call->arguments[0].value).address);
  }
  if (call->procedure->symbol == "tn_mutex_leave_biased" && u_.options.optimize) {
    LeaveBiased();
    return nullptr;
  }
  if (call->procedure->symbol == "tn_memory_move" && call->arguments.size() == 3 &&
      u_.options.optimize) {
    std::vector<llvm::Value*> values;
    for (const Argument& argument : call->arguments) values.push_back(EmitValue(argument.value));
    llvm::BasicBlock* done = Block("moved");
    // Ranges of `size` to 2 * `size` bytes: their first and their last bytes, which may overlap.
    const auto move_ends = [&](llvm::Type* type, int64_t size) {
      llvm::BasicBlock* move = Block("move");
      llvm::BasicBlock* next = Block("next");
      llvm::Value* end = b_.CreateSub(values[2], u_.Int(size));
      b_.CreateCondBr(b_.CreateICmpULE(end, u_.Int(size)), move, next);
      b_.SetInsertPoint(move);
      const llvm::Align any(1);
      llvm::Value* first = b_.CreateAlignedLoad(type, values[1], any);
      llvm::Value* last = b_.CreateAlignedLoad(type, b_.CreateGEP(u_.i8, values[1], end), any);
      b_.CreateAlignedStore(first, values[0], any);
      b_.CreateAlignedStore(last, b_.CreateGEP(u_.i8, values[0], end), any);
      b_.CreateBr(done);
      b_.SetInsertPoint(next);
    };
    move_ends(u_.i64, 8);
    move_ends(b_.getInt32Ty(), 4);
    move_ends(llvm::FixedVectorType::get(u_.i64, 2), 16);
    move_ends(b_.getInt16Ty(), 2);
    move_ends(u_.i8, 1);
    u_.CallExternal(b_, call->procedure, values);
    b_.CreateBr(done);
    b_.SetInsertPoint(done);
    return nullptr;
  }
  std::vector<llvm::Value*> values;
  std::vector<Place> keep;
  const Type* result_type = call->signature->result;
  if (result_type != nullptr && !IsScalar(result_type)) values.push_back(result->address);
  for (size_t i = 0; i < call->arguments.size(); ++i) {
    const Formal& formal = call->signature->formals[i];
    const size_t first = values.size();
    EmitArgument(call->arguments[i], formal.mode, values, keep);
    // Texts never change.
    const bool is_text = Bare(formal.type) == Bare(u_.program.types.text);
    if (formal.mode == ParameterMode::kVar ||
        (formal.mode == ParameterMode::kValue && IsReference(Bare(formal.type)) && !is_text)) {
      ProtectForC(values[first]);
    }
  }
  llvm::Value* value = u_.CallExternal(b_, call->procedure, values);
  for (const Place& place : keep) KeepAliveNow(place.base);
  return value;
}

llvm::Value* FunctionLowering::ExtendFromC(llvm::Value* value, const Type* type) {
  llvm::Type* memory = u_.MemoryType(type);
  if (!memory->isIntegerTy() || memory == value->getType()) return value;
  value = b_.CreateTrunc(value, memory);
  const bool is_signed = IsOrdinal(Bare(type)) && FirstOf(Bare(type)) < 0;
  return is_signed ? b_.CreateSExt(value, u_.i64) : b_.CreateZExt(value, u_.i64);
}

llvm::Value* FunctionLowering::EmitCall(const CallExpr* call, Place* result) {
  const SourceSpan outer = span_;
  At(call->span);
  const Type* result_type = call->signature->result;
  Place temporary;
  if (result_type != nullptr && !IsScalar(result_type) && result == nullptr) {
    temporary = Temporary(result_type);
    result = &temporary;
  }
  if (call->procedure != nullptr && call->procedure->external) {
    llvm::Value* value = CallExternal(call, result);
    At(outer);
    return value;
  }

  std::vector<llvm::Value*> values;
  std::vector<Place> keep;
  if (result_type != nullptr && !IsScalar(result_type)) values.push_back(result->address);
  llvm::Value* object = nullptr;
  llvm::Value* callee = nullptr;
  if (call->object != nullptr) {
    object = EmitValue(call->object);
    values.push_back(object);
  } else if (call->callee != nullptr) {
    callee = EmitValue(call->callee);
  }
  for (size_t i = 0; i < call->arguments.size(); ++i) {
    EmitArgument(call->arguments[i], call->signature->formals[i].mode, values, keep);
  }

  llvm::CallInst* made;
  if (call->procedure != nullptr) {
    if (UnitLowering::NeedsLink(call->procedure))
      values.push_back(FrameOf(call->procedure->parent));
    llvm::Function* function = u_.FunctionOf(call->procedure);
    At(call->span);
    made = b_.CreateCall(function, values);
    if (UnitLowering::NeedsLink(call->procedure)) {
      made->addParamAttr(static_cast<unsigned>(values.size() - 1), llvm::Attribute::Nest);
    }
  } else if (object != nullptr) {
    At(call->span);
    const uint32_t slot = MethodSlot(call->method_type, call->method);
    NoteDereference(call->object, kHeaderExtent);
    llvm::Value* method =
        DescriptorField(LoadDescriptor(object), abi::kMethodsOffset + 8 * size_t{slot}, u_.ptr);
    made = b_.CreateCall(u_.FunctionTypeOf(*call->signature, true, false), method, values);
  } else {
    At(call->span);
    // A closure or a code address; top-level procedures do not look at the static link.
    CheckNotNil(callee, call->callee);
    llvm::BasicBlock* plain = b_.GetInsertBlock();
    llvm::BasicBlock* closure = Block("closure");
    llvm::BasicBlock* join = Block("call");
    llvm::Value* word = b_.CreateAlignedLoad(u_.i64, callee, llvm::Align(1));
    b_.CreateCondBr(b_.CreateICmpEQ(word, u_.Int(-1)), closure, join);
    b_.SetInsertPoint(closure);
    llvm::Value* code = LoadWord(Offset(callee, 8), u_.ptr);
    llvm::Value* link = LoadWord(Offset(callee, 16), u_.ptr);
    b_.CreateBr(join);
    b_.SetInsertPoint(join);
    llvm::PHINode* target = b_.CreatePHI(u_.ptr, 2);
    target->addIncoming(callee, plain);
    target->addIncoming(code, closure);
    llvm::PHINode* target_link = b_.CreatePHI(u_.ptr, 2);
    target_link->addIncoming(u_.Null(), plain);
    target_link->addIncoming(link, closure);
    values.push_back(target_link);
    made = b_.CreateCall(u_.FunctionTypeOf(*call->signature, false, true), target, values);
    made->addParamAttr(static_cast<unsigned>(values.size() - 1), llvm::Attribute::Nest);
  }
  // Optimization may find out which procedure is called, after EndlessRecursionPass has looked for
  // endless recursion: the call never becomes a loop.
  if (call->procedure == nullptr) made->setTailCallKind(llvm::CallInst::TCK_NoTail);
  for (const Place& place : keep) KeepAliveNow(place.base);
  At(outer);
  if (result_type != nullptr && !IsScalar(result_type)) return result->address;
  // A C function may be behind a procedure value; it leaves the upper bits of the register alone.
  if (callee != nullptr && result_type != nullptr) return ExtendFromC(made, result_type);
  return made;
}

}  // namespace tenure::compiler
