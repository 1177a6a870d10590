// Values of expressions.

#include <utility>
#include <vector>

#include "compiler/lower/function_lowering.h"
#include "compiler/lower/value_descriptors.h"
#include "compiler/types/describe.h"

namespace tenure::compiler {

namespace {

// Whether to compute the value takes a few instructions, reads only variables of the procedure and
// can neither fail nor have an effect. `budget`: the number of operands left.
bool IsSimple(const Expr* expr, int& budget) {
  if (--budget < 0 || !IsScalar(expr->type)) return false;
  switch (expr->kind) {
    case ExprKind::kConstant: return true;
    case ExprKind::kVariable: {
      const Variable* variable = ExprAs<const VariableExpr>(expr)->variable;
      return !variable->alias && variable->kind != Variable::Kind::kGlobal;
    }
    case ExprKind::kBinary: {
      const auto* binary = ExprAs<const BinaryExpr>(expr);
      const bool of_words =
          IsOrdinal(expr->type) && (binary->op == Op::kAdd || binary->op == Op::kSubtract);
      const bool of_sets = Bare(expr->type)->kind == TypeKind::kSet;
      return (of_words || of_sets) && IsSimple(binary->left, budget) &&
             IsSimple(binary->right, budget);
    }
    case ExprKind::kConvert: {
      const auto* convert = ExprAs<const ConvertExpr>(expr);
      return convert->conversion == Conversion::kNone && IsSimple(convert->operand, budget);
    }
    default: return false;
  }
}

// A test whether an element is in a set of one word, so short that a jump around it costs more.
bool IsSimpleMembership(const Expr* expr) {
  while (const auto* negation = ExprAs<const NotExpr>(expr)) expr = negation->operand;
  const auto* membership = ExprAs<const InExpr>(expr);
  int budget = 6;
  return membership != nullptr && IsSimple(membership->element, budget) &&
         IsSimple(membership->set, budget);
}

// For a test `word # 0`, which EmitIn makes: the word. Else null.
llvm::Value* MaskedIf(llvm::Value* test) {
  const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(test);
  if (compare == nullptr || compare->getPredicate() != llvm::CmpInst::ICMP_NE) return nullptr;
  const auto* zero = llvm::dyn_cast<llvm::ConstantInt>(compare->getOperand(1));
  return zero != nullptr && zero->isZero() && zero->getBitWidth() == 64 ? compare->getOperand(0)
                                                                        : nullptr;
}

// The same for the negation of such a test.
llvm::Value* MaskedIfNot(llvm::Value* test) {
  const auto* negation = llvm::dyn_cast<llvm::BinaryOperator>(test);
  if (negation == nullptr || negation->getOpcode() != llvm::Instruction::Xor) return nullptr;
  const auto* ones = llvm::dyn_cast<llvm::ConstantInt>(negation->getOperand(1));
  return ones != nullptr && ones->isOne() ? MaskedIf(negation->getOperand(0)) : nullptr;
}

// The last operands of an AND or OR, as far as they are such tests.
struct Memberships {
  std::vector<const Expr*> tests;  // the last one first
  const Expr* before = nullptr;    // the operands before them; null: none
};

Memberships LastMemberships(const Expr* condition) {
  Memberships found;
  const bool all = condition->kind == ExprKind::kAnd;
  if (!all && condition->kind != ExprKind::kOr) return found;
  found.before = condition;
  while (found.before->kind == condition->kind) {
    const auto* both = ExprAs<const AndExpr>(found.before);
    const auto* either = ExprAs<const OrExpr>(found.before);
    const Expr* right = all ? both->right : either->right;
    if (!IsSimpleMembership(right)) return found;
    found.tests.push_back(right);
    found.before = all ? both->left : either->left;
  }
  if (IsSimpleMembership(found.before)) found.tests.push_back(std::exchange(found.before, nullptr));
  return found;
}

}  // namespace

llvm::Value* FunctionLowering::EmitValue(const Expr* expr) {
  switch (expr->kind) {
    case ExprKind::kConstant:
      return u_.ScalarConstant(*ExprAs<const ConstantExpr>(expr)->value, expr->type);
    case ExprKind::kVariable:
    case ExprKind::kDeref:
    case ExprKind::kField:
    case ExprKind::kObjectField:
    case ExprKind::kSubscript: return Load(EmitDesignator(expr, false), expr->type);
    case ExprKind::kProcedure:
      return EmitProcedureValue(ExprAs<const ProcedureExpr>(expr)->procedure);
    case ExprKind::kUnary: return EmitUnary(ExprAs<const UnaryExpr>(expr));
    case ExprKind::kBinary: return EmitBinary(ExprAs<const BinaryExpr>(expr));
    case ExprKind::kCompare:
    case ExprKind::kAnd:
    case ExprKind::kOr:
    case ExprKind::kNot:
    case ExprKind::kIn: return FromBoolean(EmitBoolean(expr));
    case ExprKind::kCall: return EmitCall(ExprAs<const CallExpr>(expr), nullptr);
    case ExprKind::kConvert: return EmitConvert(ExprAs<const ConvertExpr>(expr));
    case ExprKind::kBuiltin: return EmitBuiltin(ExprAs<const BuiltinExpr>(expr));
    case ExprKind::kNew: return EmitNew(ExprAs<const NewExpr>(expr));
    case ExprKind::kSetConstructor: return EmitSmallSet(ExprAs<const SetConstructorExpr>(expr));
    case ExprKind::kSubarray:
    case ExprKind::kRecordConstructor:
    case ExprKind::kArrayConstructor: break;
  }
  // An aggregate: its address.
  return InBytes(EmitLocation(expr), expr->type).address;
}

llvm::Value* FunctionLowering::EmitBoolean(const Expr* expr) {
  switch (expr->kind) {
    case ExprKind::kCompare: return EmitCompare(ExprAs<const CompareExpr>(expr));
    case ExprKind::kNot: return b_.CreateNot(EmitBoolean(ExprAs<const NotExpr>(expr)->operand));
    case ExprKind::kIn: return EmitIn(ExprAs<const InExpr>(expr));
    case ExprKind::kAnd:
    case ExprKind::kOr: {
      llvm::BasicBlock* when_true = Block("true");
      llvm::BasicBlock* when_false = Block("false");
      llvm::BasicBlock* join = Block("join");
      EmitBranch(expr, when_true, when_false);
      b_.SetInsertPoint(when_true);
      b_.CreateBr(join);
      b_.SetInsertPoint(when_false);
      b_.CreateBr(join);
      b_.SetInsertPoint(join);
      llvm::PHINode* phi = b_.CreatePHI(u_.i1, 2);
      phi->addIncoming(b_.getTrue(), when_true);
      phi->addIncoming(b_.getFalse(), when_false);
      return phi;
    }
    default: return b_.CreateICmpNE(EmitValue(expr), u_.Int(0));
  }
}

void FunctionLowering::EmitBranch(const Expr* condition, llvm::BasicBlock* when_true,
                                  llvm::BasicBlock* when_false) {
  const Memberships last = LastMemberships(condition);
  if (last.tests.size() >= 2) {
    // Computes all of them and branches once: which one decides is hard to predict.
    const bool all = condition->kind == ExprKind::kAnd;
    if (last.before != nullptr) {
      llvm::BasicBlock* next = Block(all ? "and" : "or");
      EmitBranch(last.before, all ? next : when_true, all ? when_false : next);
      b_.SetInsertPoint(next);
    }
    llvm::Value* value = nullptr;
    llvm::Value* bits = nullptr;  // not zero: one of the elements is a member
    for (size_t i = last.tests.size(); i-- > 0;) {
      llvm::Value* test = EmitBoolean(last.tests[i]);
      // The tests that decide alone when their element is a member need one comparison together.
      if (llvm::Value* masked = all ? MaskedIfNot(test) : MaskedIf(test)) {
        bits = bits == nullptr ? masked : b_.CreateOr(bits, masked);
      } else if (value == nullptr) {
        value = test;
      } else {
        value = all ? b_.CreateAnd(value, test) : b_.CreateOr(value, test);
      }
    }
    if (bits != nullptr) {
      llvm::Value* test = all ? b_.CreateICmpEQ(bits, u_.Int(0)) : b_.CreateICmpNE(bits, u_.Int(0));
      if (value != nullptr) test = all ? b_.CreateAnd(value, test) : b_.CreateOr(value, test);
      value = test;
    }
    b_.CreateCondBr(value, when_true, when_false);
    return;
  }
  if (const auto* both = ExprAs<const AndExpr>(condition)) {
    llvm::BasicBlock* right = Block("and");
    EmitBranch(both->left, right, when_false);
    b_.SetInsertPoint(right);
    EmitBranch(both->right, when_true, when_false);
  } else if (const auto* either = ExprAs<const OrExpr>(condition)) {
    llvm::BasicBlock* right = Block("or");
    EmitBranch(either->left, when_true, right);
    b_.SetInsertPoint(right);
    EmitBranch(either->right, when_true, when_false);
  } else if (const auto* negation = ExprAs<const NotExpr>(condition)) {
    EmitBranch(negation->operand, when_false, when_true);
  } else {
    b_.CreateCondBr(EmitBoolean(condition), when_true, when_false);
  }
}

// --- conversions ---

const Type* FunctionLowering::RangeOf(const Expr* expr) {
  const auto* builtin = ExprAs<const BuiltinExpr>(expr);
  if (builtin != nullptr &&
      (builtin->builtin == Builtin::kVal || builtin->builtin == Builtin::kOrd)) {
    return RangeOf(builtin->arguments[0]);
  }
  const auto* convert = ExprAs<const ConvertExpr>(expr);
  if (convert != nullptr && convert->conversion == Conversion::kNone &&
      IsOrdinal(convert->operand->type) && BaseType(expr->type) == expr->type) {
    return RangeOf(convert->operand);
  }
  return Bare(expr->type);
}

llvm::Value* FunctionLowering::CheckRange(llvm::Value* value, const Type* from, const Type* type,
                                          int64_t low, int64_t high) {
  if (!u_.checks()) return value;
  const int64_t first = IsOrdinal(from) ? FirstOf(from) : INT64_MIN;
  const int64_t last = IsOrdinal(from) ? LastOf(from) : INT64_MAX;
  if (first >= low && last <= high) return value;
  llvm::Value* bad;
  if (low > high) {
    bad = b_.getTrue();
  } else if (first >= low) {
    bad = b_.CreateICmpSGT(value, u_.Int(high));
  } else if (last <= high) {
    bad = b_.CreateICmpSLT(value, u_.Int(low));
  } else {
    // One unsigned comparison; the difference fits because the range is not all of INTEGER.
    const uint64_t width = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
    llvm::Value* distance = low == 0 ? value : b_.CreateSub(value, u_.Int(low));
    bad = b_.CreateICmpUGT(distance, u_.Int(static_cast<int64_t>(width)));
  }
  ErrorIf(bad, {RuntimeErrorCode::kValueOutOfRange,
                CheckForm::kRange,
                RangeDescriptorOf(u_, type, low, high),
                {value}});
  return value;
}

llvm::Value* FunctionLowering::EmitRangeOfSum(const ConvertExpr* expr) {
  const auto* binary = ExprAs<const BinaryExpr>(expr->operand);
  if (!u_.checks() || binary == nullptr || binary->operands != Operands::kInteger ||
      (binary->op != Op::kAdd && binary->op != Op::kSubtract)) {
    return nullptr;
  }
  const int64_t first = FirstOf(expr->type);
  const int64_t last = LastOf(expr->type);
  // A difference is no more than its left operand.
  const bool one_sided =
      binary->op == Op::kAdd ? first == 0 : last >= LastOf(RangeOf(binary->left));
  if (first < 0 || first > last || !one_sided || FirstOf(RangeOf(binary->left)) < 0 ||
      FirstOf(RangeOf(binary->right)) < 0) {
    return nullptr;
  }
  llvm::Value* left = EmitValue(binary->left);
  llvm::Value* right = EmitValue(binary->right);
  const auto out_of_range = [&](llvm::Value* result) {
    return Failure{RuntimeErrorCode::kValueOutOfRange,
                   CheckForm::kRange,
                   RangeDescriptorOf(u_, expr->type, first, last),
                   {result}};
  };
  return binary->op == Op::kAdd ? CheckedSum(left, right, last, out_of_range)
                                : CheckedDifference(left, right, first, out_of_range);
}

llvm::Value* FunctionLowering::EmitConvert(const ConvertExpr* expr) {
  if (!IsScalar(expr->type)) return InBytes(EmitLocation(expr), expr->type).address;
  if (expr->conversion == Conversion::kRange) {
    if (llvm::Value* sum = EmitRangeOfSum(expr)) return sum;
  }
  llvm::Value* value = EmitValue(expr->operand);
  switch (expr->conversion) {
    case Conversion::kNone:
    case Conversion::kShape: return value;
    case Conversion::kRange:
      return CheckRange(value, RangeOf(expr->operand), expr->type, FirstOf(expr->type),
                        LastOf(expr->type));
    case Conversion::kNarrow: {
      if (llvm::isa<llvm::ConstantPointerNull>(value)) return value;
      ErrorIf(b_.CreateNot(IsTypeOrNil(value, expr->type)), {RuntimeErrorCode::kNarrowFailed,
                                                             CheckForm::kNarrow,
                                                             u_.CString(TypeToString(expr->type)),
                                                             {value}});
      return value;
    }
    case Conversion::kNotLocal: {
      // A closure begins with a word of ones; no machine code begins so
      // (docs/calling_convention.md).
      if (llvm::isa<llvm::Constant>(value)) return value;
      llvm::BasicBlock* test = Block("test");
      llvm::BasicBlock* good = Block("checked");
      b_.CreateCondBr(b_.CreateIsNull(value), good, test);
      b_.SetInsertPoint(test);
      llvm::Value* word = b_.CreateAlignedLoad(u_.i64, value, llvm::Align(1));
      b_.CreateCondBr(
          b_.CreateICmpEQ(word, u_.Int(-1)),
          ErrorBlock(
              {RuntimeErrorCode::kNarrowFailed, CheckForm::kLocalProcedure, nullptr, {value}}),
          good);
      b_.SetInsertPoint(good);
      return value;
    }
  }
  return value;
}

llvm::Value* FunctionLowering::EmitProcedureValue(const Procedure* procedure) {
  if (!UnitLowering::NeedsLink(procedure)) return u_.CodeOf(procedure);
  // A closure: a word of ones, the code, the static link. It cannot outlive the frame that it
  // refers to, because local procedures are only passed as parameters (language.md 11.2).
  llvm::AllocaInst* closure = Alloca(u_.BytesType(24), 8, "closure");
  StoreWord(closure, u_.Int(-1));
  StoreWord(Offset(closure, 8), u_.FunctionOf(procedure));
  StoreWord(Offset(closure, 16), FrameOf(procedure->parent));
  return closure;
}

// --- constructors ---

void FunctionLowering::EmitConstructor(const Expr* expr, const Place& to) {
  const Type* type = Bare(expr->type);
  if (const auto* record_constructor = ExprAs<const RecordConstructorExpr>(expr)) {
    const auto* record = As<RecordType>(type);
    for (size_t i = 0; i < record_constructor->fields.size(); ++i) {
      EmitInto(record_constructor->fields[i], EmitField(to, record, i));
    }
  } else if (const auto* array_constructor = ExprAs<const ArrayConstructorExpr>(expr)) {
    const auto& elements = array_constructor->elements;
    for (size_t i = 0; i < elements.size(); ++i) {
      Place element = EmitElement(to, type, u_.Int(static_cast<int64_t>(i)));
      EmitInto(elements[i], element);
    }
    const auto* fixed = As<ArrayType>(type);
    if (fixed == nullptr || !array_constructor->repeat_last || elements.empty()) return;
    const int64_t given = static_cast<int64_t>(elements.size());
    const int64_t rest = ElementCountOf(fixed) - given;
    if (rest <= 0) return;
    const Place last = EmitElement(to, type, u_.Int(given - 1));
    CountedLoop(u_.Int(rest), [&](llvm::Value* index) {
      const Place element = EmitElement(to, type, b_.CreateAdd(index, u_.Int(given)));
      if (IsScalar(fixed->element)) {
        StoreRaw(element, fixed->element, Load(last, fixed->element));
      } else {
        Copy(element, last, fixed->element, false);
      }
    });
  } else {
    EmitLargeSet(ExprAs<const SetConstructorExpr>(expr), to);
  }
}

void FunctionLowering::CountedLoop(llvm::Value* count,
                                   const std::function<void(llvm::Value*)>& body) {
  llvm::BasicBlock* before = b_.GetInsertBlock();
  llvm::BasicBlock* loop = Block("loop");
  llvm::BasicBlock* done = Block("done");
  b_.CreateCondBr(b_.CreateICmpSGT(count, u_.Int(0)), loop, done);
  b_.SetInsertPoint(loop);
  llvm::PHINode* index = b_.CreatePHI(u_.i64, 2);
  index->addIncoming(u_.Int(0), before);
  body(index);
  llvm::Value* next = b_.CreateAdd(index, u_.Int(1), "", true, true);
  index->addIncoming(next, b_.GetInsertBlock());
  b_.CreateCondBr(b_.CreateICmpEQ(next, count), done, loop);
  b_.SetInsertPoint(done);
}

}  // namespace tenure::compiler
