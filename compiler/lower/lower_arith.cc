// Arithmetic and comparisons. Integers wrap around when they overflow (docs/language.md 16.2).

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Intrinsics.h>

#include "compiler/lower/function_lowering.h"

namespace tenure::compiler {

llvm::Value* FunctionLowering::EmitUnary(const UnaryExpr* expr) {
  llvm::Value* value = EmitValue(expr->operand);
  if (expr->op == Op::kPlus) return value;
  return value->getType()->isFloatingPointTy() ? b_.CreateFNeg(value) : b_.CreateNeg(value);
}

bool FunctionLowering::IsNeverNegative(const Expr* expr, llvm::Value* value) {
  return FirstOf(RangeOf(expr)) >= 0 ||
         llvm::isKnownNonNegative(value, llvm::SimplifyQuery(u_.module->getDataLayout()));
}

// The check comes before the operation, which then cannot overflow: LLVM knows from that that a
// variable that only grows in a loop never becomes negative. (It learns nothing for a loop from a
// check of the sum.)
llvm::Value* FunctionLowering::CheckedSum(llvm::Value* a, llvm::Value* b, int64_t last,
                                          const OutOfRange& out_of_range) {
  llvm::Value* most = b_.CreateNSWSub(u_.Int(last), b);
  FailIf(b_.CreateICmpSGT(a, most), [&] { return out_of_range(b_.CreateAdd(a, b)); });
  return b_.CreateAdd(a, b, "", /*HasNUW=*/true, /*HasNSW=*/true);
}

llvm::Value* FunctionLowering::CheckedDifference(llvm::Value* a, llvm::Value* b, int64_t first,
                                                 const OutOfRange& out_of_range) {
  llvm::Value* difference = b_.CreateNSWSub(a, b);
  FailIf(b_.CreateICmpSLT(difference, u_.Int(first)), [&] { return out_of_range(difference); });
  return difference;
}

// DIV and MOD round down; the hardware rounds to zero.
llvm::Value* FunctionLowering::Divide(llvm::Value* a, const Type* range_of_a, llvm::Value* d,
                                      const Type* range_of_d, bool modulo) {
  const llvm::SimplifyQuery query(u_.module->getDataLayout());
  const Failure by_zero = {RuntimeErrorCode::kIntegerDivideByZero,
                           CheckForm::kDivision,
                           u_.CString(modulo ? "MOD" : "DIV"),
                           {a}};
  const auto never_negative = [&](llvm::Value* value, const Type* range) {
    return FirstOf(range) >= 0 || llvm::isKnownNonNegative(value, query);
  };
  if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(d)) {
    const int64_t divisor = known->getSExtValue();
    if (divisor == 0) {
      Fail(by_zero);
      b_.SetInsertPoint(Block("unreachable"));
      return u_.Int(0);
    }
    if (divisor == -1) return modulo ? static_cast<llvm::Value*>(u_.Int(0)) : b_.CreateNeg(a);
    if (divisor > 0 && (divisor & (divisor - 1)) == 0) {
      if (modulo) return b_.CreateAnd(a, u_.Int(divisor - 1));
      return b_.CreateAShr(a, u_.Int(__builtin_ctzll(static_cast<uint64_t>(divisor))));
    }
  }
  // No check for a constant, which is not zero here.
  ErrorIf(b_.CreateICmpEQ(d, u_.Int(0)), by_zero);
  const bool unsigned_d = never_negative(d, range_of_d);
  if (unsigned_d && never_negative(a, range_of_a)) {
    return modulo ? b_.CreateURem(a, d) : b_.CreateUDiv(a, d);
  }
  // FIRST(INTEGER) DIV -1 overflows, and the hardware traps: negate instead.
  llvm::Value* is_minus_one = unsigned_d ? nullptr : b_.CreateICmpEQ(d, u_.Int(-1));
  llvm::Value* divisor = unsigned_d ? d : b_.CreateSelect(is_minus_one, u_.Int(1), d);
  llvm::Value* remainder = b_.CreateSRem(a, divisor);
  llvm::Value* adjust =
      unsigned_d ? b_.CreateICmpSLT(remainder, u_.Int(0))
                 : b_.CreateAnd(b_.CreateICmpNE(remainder, u_.Int(0)),
                                b_.CreateICmpSLT(b_.CreateXor(remainder, divisor), u_.Int(0)));
  if (modulo) return b_.CreateSelect(adjust, b_.CreateAdd(remainder, divisor), remainder);
  llvm::Value* quotient = b_.CreateSub(b_.CreateSDiv(a, divisor), b_.CreateZExt(adjust, u_.i64));
  return unsigned_d ? quotient : b_.CreateSelect(is_minus_one, b_.CreateNeg(a), quotient);
}

llvm::Value* FunctionLowering::FloatMod(llvm::Value* a, llvm::Value* d) {
  // The exact remainder has the sign of a; the result has the sign of d.
  llvm::Value* remainder = b_.CreateFRem(a, d);
  llvm::Value* zero = llvm::ConstantFP::get(a->getType(), 0.0);
  llvm::Value* nonzero = b_.CreateFCmpONE(remainder, zero);
  llvm::Value* differ = b_.CreateXor(b_.CreateFCmpOLT(remainder, zero), b_.CreateFCmpOLT(d, zero));
  return b_.CreateSelect(b_.CreateAnd(nonzero, differ), b_.CreateFAdd(remainder, d), remainder);
}

llvm::Value* FunctionLowering::EmitBinary(const BinaryExpr* expr) {
  if (!IsScalar(expr->type)) return InBytes(EmitLocation(expr), expr->type).address;
  const auto operate = [&](const BinaryExpr* binary, llvm::Value* left,
                           llvm::Value* right) -> llvm::Value* {
    switch (binary->operands) {
      case Operands::kReal:
      case Operands::kLongreal:
        switch (binary->op) {
          case Op::kAdd: return b_.CreateFAdd(left, right);
          case Op::kSubtract: return b_.CreateFSub(left, right);
          case Op::kMultiply: return b_.CreateFMul(left, right);
          case Op::kDivide: return b_.CreateFDiv(left, right);
          default: return FloatMod(left, right);
        }
      case Operands::kSet:
        switch (binary->op) {
          case Op::kAdd: return b_.CreateOr(left, right);
          case Op::kSubtract: return b_.CreateAnd(left, b_.CreateNot(right));
          case Op::kMultiply: return b_.CreateAnd(left, right);
          default: return b_.CreateXor(left, right);
        }
      case Operands::kAddress: {
        const bool left_is_pointer = left->getType()->isPointerTy();
        const bool right_is_pointer = right->getType()->isPointerTy();
        if (left_is_pointer && !right_is_pointer) {
          // Not `inbounds`: LLVM must not assume that the address lies within an object.
          return b_.CreateGEP(u_.i8, left,
                              binary->op == Op::kSubtract ? b_.CreateNeg(right) : right);
        }
        if (!left_is_pointer && right_is_pointer) return b_.CreateGEP(u_.i8, right, left);
        if (left_is_pointer) left = b_.CreatePtrToInt(left, u_.i64);
        if (right_is_pointer) right = b_.CreatePtrToInt(right, u_.i64);
        return binary->op == Op::kSubtract ? b_.CreateSub(left, right) : b_.CreateAdd(left, right);
      }
      default:
        switch (binary->op) {
          case Op::kAdd: return b_.CreateAdd(left, right);
          case Op::kSubtract: return b_.CreateSub(left, right);
          case Op::kMultiply: return b_.CreateMul(left, right);
          default:
            return Divide(left, RangeOf(binary->left), right, RangeOf(binary->right),
                          binary->op == Op::kMod);
        }
    }
  };
  // The chain of operators on the left has no bound, so its walk is a loop, not a recursion.
  std::vector<const BinaryExpr*> spine;
  const Expr* first = expr;
  while (const auto* binary = ExprAs<const BinaryExpr>(first)) {
    spine.push_back(binary);
    first = binary->left;
  }
  llvm::Value* value = EmitValue(first);
  for (size_t i = spine.size(); i-- > 0;) {
    value = operate(spine[i], value, EmitValue(spine[i]->right));
  }
  return value;
}

namespace {

llvm::CmpInst::Predicate FloatPredicate(Op op) {
  switch (op) {
    case Op::kEqual: return llvm::CmpInst::FCMP_OEQ;
    case Op::kNotEqual: return llvm::CmpInst::FCMP_UNE;
    case Op::kLess: return llvm::CmpInst::FCMP_OLT;
    case Op::kLessEqual: return llvm::CmpInst::FCMP_OLE;
    case Op::kGreater: return llvm::CmpInst::FCMP_OGT;
    default: return llvm::CmpInst::FCMP_OGE;
  }
}

llvm::CmpInst::Predicate IntegerPredicate(Op op, bool is_unsigned) {
  switch (op) {
    case Op::kEqual: return llvm::CmpInst::ICMP_EQ;
    case Op::kNotEqual: return llvm::CmpInst::ICMP_NE;
    case Op::kLess: return is_unsigned ? llvm::CmpInst::ICMP_ULT : llvm::CmpInst::ICMP_SLT;
    case Op::kLessEqual: return is_unsigned ? llvm::CmpInst::ICMP_ULE : llvm::CmpInst::ICMP_SLE;
    case Op::kGreater: return is_unsigned ? llvm::CmpInst::ICMP_UGT : llvm::CmpInst::ICMP_SGT;
    default: return is_unsigned ? llvm::CmpInst::ICMP_UGE : llvm::CmpInst::ICMP_SGE;
  }
}

}  // namespace

llvm::Value* FunctionLowering::EmitCompare(const CompareExpr* expr,
                                           std::vector<KnownValue>* known) {
  const bool equality = expr->op == Op::kEqual || expr->op == Op::kNotEqual;
  auto negate_if = [&](llvm::Value* equal) {
    return expr->op == Op::kNotEqual ? b_.CreateNot(equal) : equal;
  };
  const auto value_of = [&](const Expr* operand) {
    llvm::Value* value = EmitValue(operand);
    if (known != nullptr) known->push_back({operand, value});
    return value;
  };
  switch (expr->operands) {
    case Operands::kReal:
    case Operands::kLongreal: {
      llvm::Value* left = value_of(expr->left);
      return b_.CreateFCmp(FloatPredicate(expr->op), left, value_of(expr->right));
    }
    case Operands::kSet: {
      if (!IsScalar(expr->left->type)) return LargeSetCompare(expr->op, expr->left, expr->right);
      llvm::Value* left = value_of(expr->left);
      return SmallSetCompare(expr->op, left, value_of(expr->right));
    }
    case Operands::kProcedure: {
      llvm::Value* left = value_of(expr->left);
      llvm::Value* right = value_of(expr->right);
      if (llvm::isa<llvm::ConstantPointerNull>(left) ||
          llvm::isa<llvm::ConstantPointerNull>(right)) {
        return negate_if(b_.CreateICmpEQ(left, right));
      }
      return negate_if(b_.CreateCall(u_.ProcedureEqual(), {left, right}));
    }
    case Operands::kRecord:
    case Operands::kArray: {
      const Place left = EmitLocation(expr->left);
      const Place right = EmitLocation(expr->right);
      return negate_if(EqualAggregates(left, expr->left->type, right, expr->right->type));
    }
    default: {
      llvm::Value* left = value_of(expr->left);
      llvm::Value* right = value_of(expr->right);
      const bool pointers = left->getType()->isPointerTy();
      return b_.CreateICmp(IntegerPredicate(expr->op, pointers && !equality), left, right);
    }
  }
}

// --- records and arrays ---

namespace {

// Whether equality of the bytes is equality of the values.
bool IsBitwise(const Type* type) {
  if (type->kind == TypeKind::kPacked) return false;
  type = Bare(type);
  if (IsFloat(type) || IsProcedure(type)) return false;
  if (const auto* array = As<ArrayType>(type)) return IsBitwise(array->element);
  if (const auto* open = As<OpenArrayType>(type)) return IsBitwise(open->element);
  if (const auto* record = As<RecordType>(type)) {
    int64_t bits = 0;
    for (size_t i = 0; i < record->fields.size(); ++i) {
      const FieldPlace place = PlaceOfField(record, i);
      // Padding may have any contents.
      if (place.packed || place.bit_offset != bits || !IsBitwise(record->fields[i].type))
        return false;
      bits += place.bit_size;
    }
    return bits == LayoutOf(record).bytes * 8;
  }
  return true;
}

}  // namespace

llvm::Value* FunctionLowering::EqualAggregates(const Place& a, const Type* a_type, const Place& b,
                                               const Type* b_type) {
  llvm::BasicBlock* differ = Block("differ");
  llvm::BasicBlock* join = Block("compared");
  BranchUnlessEqual(a, a_type, b, b_type, differ);
  llvm::BasicBlock* equal = b_.GetInsertBlock();
  b_.CreateBr(join);
  b_.SetInsertPoint(differ);
  b_.CreateBr(join);
  b_.SetInsertPoint(join);
  llvm::PHINode* phi = b_.CreatePHI(u_.i1, 2);
  phi->addIncoming(b_.getTrue(), equal);
  phi->addIncoming(b_.getFalse(), differ);
  return phi;
}

void FunctionLowering::BranchUnlessEqual(const Place& a, const Type* a_type, const Place& b,
                                         const Type* b_type, llvm::BasicBlock* differ) {
  a_type = Bare(a_type);
  b_type = Bare(b_type);
  auto require = [&](llvm::Value* equal) {
    llvm::BasicBlock* next = Block("equal");
    b_.CreateCondBr(equal, next, differ);
    b_.SetInsertPoint(next);
  };
  if (IsScalar(a_type)) {
    llvm::Value* left = Load(a, a_type);
    llvm::Value* right = Load(b, b_type);
    if (IsFloat(a_type)) {
      require(b_.CreateFCmpOEQ(left, right));
    } else if (IsProcedure(a_type)) {
      require(b_.CreateCall(u_.ProcedureEqual(), {left, right}));
    } else {
      require(b_.CreateICmpEQ(left, right));
    }
    return;
  }
  if (const auto* record = As<RecordType>(a_type)) {
    const auto* other = As<RecordType>(b_type);
    for (size_t i = 0; i < record->fields.size(); ++i) {
      BranchUnlessEqual(EmitField(a, record, i), record->fields[i].type, EmitField(b, other, i),
                        other->fields[i].type, differ);
    }
    return;
  }
  if (a_type->kind == TypeKind::kSet) {
    CountedLoop(u_.Int(LayoutOf(a_type).bytes / 8), [&](llvm::Value* index) {
      llvm::Value* left = LoadWord(b_.CreateInBoundsGEP(u_.i64, a.address, index), u_.i64);
      require(
          b_.CreateICmpEQ(left, LoadWord(b_.CreateInBoundsGEP(u_.i64, b.address, index), u_.i64)));
    });
    return;
  }
  // Arrays of different lengths are not equal.
  const std::vector<llvm::Value*> a_length = LengthsOf(a, a_type, 1);
  const std::vector<llvm::Value*> b_length = LengthsOf(b, b_type, 1);
  if (a_length[0] != b_length[0]) require(b_.CreateICmpEQ(a_length[0], b_length[0]));
  auto element_of = [](const Type* array) {
    return As<OpenArrayType>(array) != nullptr ? As<OpenArrayType>(array)->element
                                               : As<ArrayType>(array)->element;
  };
  const bool flat = OpenDimensions(a_type) <= 1 && OpenDimensions(b_type) <= 1;
  if (flat && IsBitwise(element_of(a_type)) && IsBitwise(element_of(b_type))) {
    llvm::FunctionCallee compare = u_.module->getOrInsertFunction(
        "memcmp", llvm::FunctionType::get(u_.i32, {u_.ptr, u_.ptr, u_.i64}, false));
    llvm::Value* bytes = b_.CreateMul(a_length[0], u_.Int(ElementStride(a_type)));
    require(b_.CreateICmpEQ(b_.CreateCall(compare, {a.address, b.address, bytes}), u_.Int32(0)));
    return;
  }
  CountedLoop(a_length[0], [&](llvm::Value* index) {
    BranchUnlessEqual(EmitElement(a, a_type, index), element_of(a_type),
                      EmitElement(b, b_type, index), element_of(b_type), differ);
  });
}

}  // namespace tenure::compiler
