// Built-in operations (language.md 17) and the functions of Word and Long that are made in line.

#include <llvm/IR/Intrinsics.h>

#include <cstddef>

#include "abi/type_descriptor.h"
#include "compiler/emit/keep_traps.h"
#include "compiler/lower/function_lowering.h"

namespace tenure::compiler {

llvm::Value* FunctionLowering::EmitBuiltin(const BuiltinExpr* expr) {
  auto argument = [&](size_t i) { return EmitValue(expr->arguments[i]); };
  const bool is_float = expr->operands == Operands::kReal || expr->operands == Operands::kLongreal;
  switch (expr->builtin) {
    case Builtin::kAbs: {
      llvm::Value* value = argument(0);
      if (value->getType()->isFloatingPointTy())
        return b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value);
      return b_.CreateSelect(b_.CreateICmpSLT(value, u_.Int(0)), b_.CreateNeg(value), value);
    }
    case Builtin::kMin:
    case Builtin::kMax: {
      llvm::Value* a = argument(0);
      llvm::Value* b = argument(1);
      const bool min = expr->builtin == Builtin::kMin;
      llvm::Value* first = a->getType()->isFloatingPointTy()
                               ? (min ? b_.CreateFCmpOLE(a, b) : b_.CreateFCmpOGE(a, b))
                               : (min ? b_.CreateICmpSLE(a, b) : b_.CreateICmpSGE(a, b));
      return b_.CreateSelect(first, a, b);
    }
    case Builtin::kFloat: {
      llvm::Value* value = argument(0);
      llvm::Type* type = u_.ValueType(expr->type);
      if (value->getType()->isFloatingPointTy()) return b_.CreateFPCast(value, type);
      return b_.CreateSIToFP(value, type);
    }
    case Builtin::kFloor:
    case Builtin::kCeiling:
    case Builtin::kRound:
    case Builtin::kTrunc: return EmitFloatToInteger(expr);
    case Builtin::kOrd:
    case Builtin::kVal: return argument(0);
    case Builtin::kFirst:
    case Builtin::kLast:
    case Builtin::kNumber: {
      const Type* type = Bare(expr->arguments[0]->type);
      if (const auto* fixed = As<ArrayType>(type)) {
        if (expr->builtin == Builtin::kFirst) return u_.Int(FirstOf(fixed->index));
        if (expr->builtin == Builtin::kLast) return u_.Int(LastOf(fixed->index));
        return u_.Int(ElementCountOf(fixed));
      }
      const Place place = EmitLocation(expr->arguments[0]);
      if (auto* length = llvm::dyn_cast<llvm::LoadInst>(place.lengths[0])) {
        MarkMayTrap(*length);
      }
      if (expr->builtin == Builtin::kFirst) return u_.Int(0);
      if (expr->builtin == Builtin::kNumber) return place.lengths[0];
      return b_.CreateSub(place.lengths[0], u_.Int(1), "", false, true);
    }
    case Builtin::kSizeOfOpenArray: return SizeOfOpenArray(expr);
    case Builtin::kIsType: {
      llvm::Value* reference = argument(0);
      return FromBoolean(IsTypeOrNil(reference, expr->tested));
    }
    case Builtin::kTypecodeOf: {
      llvm::Value* reference = argument(0);
      llvm::BasicBlock* before = b_.GetInsertBlock();
      llvm::BasicBlock* load = Block("typecode");
      llvm::BasicBlock* join = Block("join");
      b_.CreateCondBr(b_.CreateIsNull(reference), join, load);
      b_.SetInsertPoint(load);
      llvm::Value* code = DescriptorField(LoadDescriptor(reference),
                                          offsetof(abi::TypeDescriptor, typecode), u_.i32);
      code = b_.CreateZExt(code, u_.i64);
      b_.CreateBr(join);
      b_.SetInsertPoint(join);
      llvm::PHINode* phi = b_.CreatePHI(u_.i64, 2);
      phi->addIncoming(u_.Int(abi::kTypecodeNull), before);
      phi->addIncoming(code, load);
      return phi;
    }
    case Builtin::kTypecode: {
      const Type* type = Bare(expr->tested);
      if (type->kind == TypeKind::kNull) return u_.Int(abi::kTypecodeNull);
      llvm::Value* code = DescriptorField(u_.TypeDescriptorOf(type),
                                          offsetof(abi::TypeDescriptor, typecode), u_.i32);
      return b_.CreateZExt(code, u_.i64);
    }
    case Builtin::kAdr: return EmitLocation(expr->arguments[0]).address;
    case Builtin::kLoophole: return EmitLoophole(expr);
    case Builtin::kConcat: {
      llvm::Value* left = argument(0);
      llvm::Value* right = argument(1);
      return b_.CreateCall(u_.FunctionOf(u_.program.text_cat), {left, right});
    }
    default: break;
  }
  (void)is_float;
  return EmitWord(expr);
}

llvm::Value* FunctionLowering::EmitFloatToInteger(const BuiltinExpr* expr) {
  llvm::Value* value = EmitValue(expr->arguments[0]);
  const char* function = "TRUNC";
  switch (expr->builtin) {
    case Builtin::kFloor:
      function = "FLOOR";
      value = b_.CreateUnaryIntrinsic(llvm::Intrinsic::floor, value);
      break;
    case Builtin::kCeiling:
      function = "CEILING";
      value = b_.CreateUnaryIntrinsic(llvm::Intrinsic::ceil, value);
      break;
    // To the nearest, ties to even, whatever rounding the program has set: as for constants.
    case Builtin::kRound:
      function = "ROUND";
      value = b_.CreateUnaryIntrinsic(llvm::Intrinsic::roundeven, value);
      break;
    default: break;
  }
  if (u_.checks()) {
    llvm::Type* type = value->getType();
    // Exact in both formats. NaN is in no range.
    llvm::Value* low = llvm::ConstantFP::get(type, -9223372036854775808.0);
    llvm::Value* high = llvm::ConstantFP::get(type, 9223372036854775808.0);
    llvm::Value* fits = b_.CreateAnd(b_.CreateFCmpOGE(value, low), b_.CreateFCmpOLT(value, high));
    // An argument this large is its own rounded value.
    ErrorIf(b_.CreateNot(fits),
            {RuntimeErrorCode::kValueOutOfRange, CheckForm::kFloat, u_.CString(function), {value}});
  }
  return b_.CreateIntrinsic(llvm::Intrinsic::fptosi_sat, {u_.i64, value->getType()}, {value});
}

llvm::Value* FunctionLowering::EmitLoophole(const BuiltinExpr* expr) {
  const Expr* operand = expr->arguments[0];
  if (!IsScalar(expr->type) || !IsScalar(operand->type)) {
    if (IsScalar(expr->type)) return Load(EmitDesignator(expr, false), expr->type);
    return InBytes(EmitLocation(expr), expr->type).address;
  }
  llvm::Value* value = EmitValue(operand);
  llvm::Type* from = value->getType();
  llvm::Type* to = u_.ValueType(expr->type);
  if (from == to) {
    if (!to->isIntegerTy()) return value;
    // The same bits, read with the new type's sign.
    const Type* type = Bare(expr->type);
    const int64_t bits = LayoutOf(type).bytes * 8;
    if (bits == 64) return value;
    auto* narrow = llvm::IntegerType::get(u_.context, static_cast<unsigned>(bits));
    const bool is_signed = IsOrdinal(type) && FirstOf(type) < 0;
    value = b_.CreateTrunc(value, narrow);
    return is_signed ? b_.CreateSExt(value, u_.i64) : b_.CreateZExt(value, u_.i64);
  }
  // Through memory: any two types of one size.
  Place place = Temporary(operand->type);
  StoreRaw(place, operand->type, value);
  return Load(place, expr->type);
}

llvm::Value* FunctionLowering::SizeOfOpenArray(const BuiltinExpr* expr) {
  const Type* type = Bare(expr->arguments[0]->type);
  const Place place = EmitLocation(expr->arguments[0]);
  if (expr->scale == 8 && place.lengths.size() == 1) {
    return b_.CreateMul(u_.Int(ElementBits(type)), place.lengths[0]);
  }
  llvm::Value* bytes = OpenArrayBytes(type, place.lengths, /*is_row=*/false);
  return expr->scale == 8 ? b_.CreateShl(bytes, u_.Int(3)) : bytes;
}

// Interface Word: 64 bits, unsigned.
llvm::Value* FunctionLowering::EmitWord(const BuiltinExpr* expr) {
  std::vector<llvm::Value*> a;
  for (const Expr* argument : expr->arguments) a.push_back(EmitValue(argument));
  auto shift_left = [&](llvm::Value* value, llvm::Value* count) {
    llvm::Value* shifted = b_.CreateShl(value, b_.CreateAnd(count, u_.Int(63)));
    return b_.CreateSelect(b_.CreateICmpULT(count, u_.Int(64)), shifted, u_.Int(0));
  };
  auto shift_right = [&](llvm::Value* value, llvm::Value* count) {
    llvm::Value* shifted = b_.CreateLShr(value, b_.CreateAnd(count, u_.Int(63)));
    return b_.CreateSelect(b_.CreateICmpULT(count, u_.Int(64)), shifted, u_.Int(0));
  };
  auto mask = [&](llvm::Value* bits) {  // the low `bits` bits, 0..64
    return b_.CreateNot(shift_left(u_.Int(-1), bits));
  };
  auto check_field = [&](llvm::Value* first, llvm::Value* bits) {
    if (!u_.checks()) return;
    llvm::Value* bad = b_.CreateOr(b_.CreateICmpUGT(first, u_.Int(64)),
                                   b_.CreateICmpUGT(bits, b_.CreateSub(u_.Int(64), first)));
    ErrorIf(bad,
            {RuntimeErrorCode::kValueOutOfRange, CheckForm::kBitField, nullptr, {first, bits}});
  };
  auto check_not_zero = [&](const char* function) {
    ErrorIf(b_.CreateICmpEQ(a[1], u_.Int(0)), {RuntimeErrorCode::kIntegerDivideByZero,
                                               CheckForm::kUnsignedDivision,
                                               u_.CString(function),
                                               {a[0]}});
  };
  switch (expr->builtin) {
    case Builtin::kWordPlus: return b_.CreateAdd(a[0], a[1]);
    case Builtin::kWordTimes: return b_.CreateMul(a[0], a[1]);
    case Builtin::kWordMinus: return b_.CreateSub(a[0], a[1]);
    case Builtin::kWordDivide: check_not_zero("DIV"); return b_.CreateUDiv(a[0], a[1]);
    case Builtin::kWordMod: check_not_zero("MOD"); return b_.CreateURem(a[0], a[1]);
    case Builtin::kWordLT: return FromBoolean(b_.CreateICmpULT(a[0], a[1]));
    case Builtin::kWordLE: return FromBoolean(b_.CreateICmpULE(a[0], a[1]));
    case Builtin::kWordGT: return FromBoolean(b_.CreateICmpUGT(a[0], a[1]));
    case Builtin::kWordGE: return FromBoolean(b_.CreateICmpUGE(a[0], a[1]));
    case Builtin::kWordAnd: return b_.CreateAnd(a[0], a[1]);
    case Builtin::kWordOr: return b_.CreateOr(a[0], a[1]);
    case Builtin::kWordXor: return b_.CreateXor(a[0], a[1]);
    case Builtin::kWordNot: return b_.CreateNot(a[0]);
    case Builtin::kWordLeftShift: return shift_left(a[0], a[1]);
    case Builtin::kWordRightShift: return shift_right(a[0], a[1]);
    case Builtin::kWordShift:
      return b_.CreateSelect(b_.CreateICmpSGE(a[1], u_.Int(0)), shift_left(a[0], a[1]),
                             shift_right(a[0], b_.CreateNeg(a[1])));
    case Builtin::kWordRotate:
    case Builtin::kWordLeftRotate:
      return b_.CreateIntrinsic(llvm::Intrinsic::fshl, {u_.i64}, {a[0], a[0], a[1]});
    case Builtin::kWordRightRotate:
      return b_.CreateIntrinsic(llvm::Intrinsic::fshr, {u_.i64}, {a[0], a[0], a[1]});
    case Builtin::kWordExtract:
      check_field(a[1], a[2]);
      return b_.CreateAnd(shift_right(a[0], a[1]), mask(a[2]));
    case Builtin::kWordInsert: {
      check_field(a[2], a[3]);
      llvm::Value* field = shift_left(mask(a[3]), a[2]);
      return b_.CreateOr(b_.CreateAnd(a[0], b_.CreateNot(field)),
                         b_.CreateAnd(shift_left(a[1], a[2]), field));
    }
    default: return u_.Int(0);
  }
}

}  // namespace tenure::compiler
