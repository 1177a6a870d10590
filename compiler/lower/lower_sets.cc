// Sets: of up to 64 elements a word, larger ones words in memory. Bits beyond the last element are
// zero.

#include "compiler/lower/function_lowering.h"

namespace tenure::compiler {

namespace {

const Type* ElementOf(const Type* set) { return As<SetType>(Bare(set))->element; }

int64_t WordsOf(const Type* set) { return LayoutOf(Bare(set)).bytes / 8; }

}  // namespace

llvm::Value* FunctionLowering::SmallSetCompare(Op op, llvm::Value* a, llvm::Value* b) {
  auto subset = [&](llvm::Value* x, llvm::Value* y) {
    return b_.CreateICmpEQ(b_.CreateAnd(x, b_.CreateNot(y)), u_.Int(0));
  };
  switch (op) {
    case Op::kEqual: return b_.CreateICmpEQ(a, b);
    case Op::kNotEqual: return b_.CreateICmpNE(a, b);
    case Op::kLessEqual: return subset(a, b);
    case Op::kGreaterEqual: return subset(b, a);
    case Op::kLess: return b_.CreateAnd(subset(a, b), b_.CreateICmpNE(a, b));
    default: return b_.CreateAnd(subset(b, a), b_.CreateICmpNE(a, b));
  }
}

llvm::Value* FunctionLowering::LargeSetCompare(Op op, const Expr* left, const Expr* right) {
  const Place a = EmitLocation(left);
  const Place b = EmitLocation(right);
  // Whether some bit is in a only, and in b only.
  llvm::AllocaInst* a_only = Alloca(u_.i64, 8);
  llvm::AllocaInst* b_only = Alloca(u_.i64, 8);
  StoreWord(a_only, u_.Int(0));
  StoreWord(b_only, u_.Int(0));
  CountedLoop(u_.Int(WordsOf(left->type)), [&](llvm::Value* index) {
    llvm::Value* x = LoadWord(b_.CreateInBoundsGEP(u_.i64, a.address, index), u_.i64);
    llvm::Value* y = LoadWord(b_.CreateInBoundsGEP(u_.i64, b.address, index), u_.i64);
    StoreWord(a_only, b_.CreateOr(LoadWord(a_only, u_.i64), b_.CreateAnd(x, b_.CreateNot(y))));
    StoreWord(b_only, b_.CreateOr(LoadWord(b_only, u_.i64), b_.CreateAnd(y, b_.CreateNot(x))));
  });
  llvm::Value* a_in_b = b_.CreateICmpEQ(LoadWord(a_only, u_.i64), u_.Int(0));
  llvm::Value* b_in_a = b_.CreateICmpEQ(LoadWord(b_only, u_.i64), u_.Int(0));
  switch (op) {
    case Op::kEqual: return b_.CreateAnd(a_in_b, b_in_a);
    case Op::kNotEqual: return b_.CreateNot(b_.CreateAnd(a_in_b, b_in_a));
    case Op::kLessEqual: return a_in_b;
    case Op::kGreaterEqual: return b_in_a;
    case Op::kLess: return b_.CreateAnd(a_in_b, b_.CreateNot(b_in_a));
    default: return b_.CreateAnd(b_in_a, b_.CreateNot(a_in_b));
  }
}

void FunctionLowering::LargeSetOperation(const BinaryExpr* expr, const Place& to) {
  // The chain of operators on the left has no bound, so its walk is a loop, not a recursion.
  std::vector<const BinaryExpr*> spine;
  const Expr* first = expr;
  while (const auto* binary = ExprAs<const BinaryExpr>(first)) {
    spine.push_back(binary);
    first = binary->left;
  }
  Place a = EmitLocation(first);
  for (size_t i = spine.size(); i-- > 0; a = to) {
    const Op op = spine[i]->op;
    const Place b = EmitLocation(spine[i]->right);
    CountedLoop(u_.Int(WordsOf(expr->type)), [&](llvm::Value* index) {
      llvm::Value* x = LoadWord(b_.CreateInBoundsGEP(u_.i64, a.address, index), u_.i64);
      llvm::Value* y = LoadWord(b_.CreateInBoundsGEP(u_.i64, b.address, index), u_.i64);
      llvm::Value* word;
      switch (op) {
        case Op::kAdd: word = b_.CreateOr(x, y); break;
        case Op::kSubtract: word = b_.CreateAnd(x, b_.CreateNot(y)); break;
        case Op::kMultiply: word = b_.CreateAnd(x, y); break;
        default: word = b_.CreateXor(x, y); break;
      }
      StoreWord(b_.CreateInBoundsGEP(u_.i64, to.address, index), word);
    });
  }
}

llvm::Value* FunctionLowering::EmitIn(const InExpr* expr) {
  const Type* element = ElementOf(expr->set->type);
  const int64_t first = FirstOf(element);
  const int64_t last = LastOf(element);
  llvm::Value* bit = EmitValue(expr->element);
  if (first != 0) bit = b_.CreateSub(bit, u_.Int(first));
  if (last < first) return b_.getFalse();
  llvm::Value* inside = b_.CreateICmpULE(bit, u_.Int(last - first));
  if (expr->set->kind == ExprKind::kConstant && IsScalar(expr->set->type)) {
    llvm::Value* word = b_.CreateLShr(EmitValue(expr->set), b_.CreateAnd(bit, u_.Int(63)));
    return b_.CreateAnd(inside, b_.CreateTrunc(word, u_.i1));
  }
  if (IsScalar(expr->set->type)) {
    // A comparison with zero: the optimiser makes one comparison of several such tests, and a
    // constructor of the same element shares the shift.
    llvm::Value* mask = b_.CreateShl(u_.Int(1), b_.CreateAnd(bit, u_.Int(63)));
    mask = b_.CreateSelect(inside, mask, u_.Int(0));
    return b_.CreateICmpNE(b_.CreateAnd(mask, EmitValue(expr->set)), u_.Int(0));
  }
  const Place set = EmitLocation(expr->set);
  llvm::BasicBlock* before = b_.GetInsertBlock();
  llvm::BasicBlock* test = Block("test");
  llvm::BasicBlock* join = Block("tested");
  b_.CreateCondBr(inside, test, join);
  b_.SetInsertPoint(test);
  llvm::Value* word =
      LoadWord(b_.CreateInBoundsGEP(u_.i64, set.address, b_.CreateLShr(bit, u_.Int(6))), u_.i64);
  llvm::Value* found = b_.CreateTrunc(b_.CreateLShr(word, b_.CreateAnd(bit, u_.Int(63))), u_.i1);
  b_.CreateBr(join);
  b_.SetInsertPoint(join);
  llvm::PHINode* phi = b_.CreatePHI(u_.i1, 2);
  phi->addIncoming(b_.getFalse(), before);
  phi->addIncoming(found, test);
  return phi;
}

llvm::Value* FunctionLowering::EmitSmallSet(const SetConstructorExpr* expr) {
  const int64_t first = FirstOf(ElementOf(expr->type));
  llvm::Value* set = u_.Int(0);
  for (const SetConstructorExpr::Element& element : expr->elements) {
    llvm::Value* low = b_.CreateSub(EmitValue(element.low), u_.Int(first));
    // Values were checked, but with --no-checks the shift must not be undefined either.
    low = b_.CreateAnd(low, u_.Int(63));
    if (element.high == nullptr) {
      set = b_.CreateOr(set, b_.CreateShl(u_.Int(1), low));
      continue;
    }
    llvm::Value* high =
        b_.CreateAnd(b_.CreateSub(EmitValue(element.high), u_.Int(first)), u_.Int(63));
    llvm::Value* up_to_high = b_.CreateSub(b_.CreateShl(u_.Int(2), high), u_.Int(1));
    llvm::Value* from_low = b_.CreateShl(u_.Int(-1), low);
    llvm::Value* range = b_.CreateAnd(up_to_high, from_low);
    set = b_.CreateOr(set, b_.CreateSelect(b_.CreateICmpSLE(low, high), range, u_.Int(0)));
  }
  return set;
}

void FunctionLowering::EmitLargeSet(const SetConstructorExpr* expr, const Place& to) {
  const int64_t first = FirstOf(ElementOf(expr->type));
  const Layout layout = LayoutOf(Bare(expr->type));
  b_.CreateMemSet(to.address, llvm::ConstantInt::get(u_.i8, 0), static_cast<uint64_t>(layout.bytes),
                  llvm::Align(8));
  auto add = [&](llvm::Value* bit) {
    llvm::Value* word = b_.CreateInBoundsGEP(u_.i64, to.address, b_.CreateLShr(bit, u_.Int(6)));
    llvm::Value* mask = b_.CreateShl(u_.Int(1), b_.CreateAnd(bit, u_.Int(63)));
    StoreWord(word, b_.CreateOr(LoadWord(word, u_.i64), mask));
  };
  for (const SetConstructorExpr::Element& element : expr->elements) {
    llvm::Value* low = b_.CreateSub(EmitValue(element.low), u_.Int(first));
    if (element.high == nullptr) {
      add(low);
      continue;
    }
    llvm::Value* high = b_.CreateSub(EmitValue(element.high), u_.Int(first));
    CountedLoop(b_.CreateAdd(b_.CreateSub(high, low), u_.Int(1)),
                [&](llvm::Value* index) { add(b_.CreateAdd(low, index)); });
  }
}

}  // namespace tenure::compiler
