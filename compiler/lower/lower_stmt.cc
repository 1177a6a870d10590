// Statements (language.md 14).

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/MDBuilder.h>

#include "compiler/lower/function_lowering.h"
#include "compiler/lower/value_descriptors.h"
#include "compiler/types/describe.h"

namespace tenure::compiler {

void FunctionLowering::EmitList(const StmtList& list) {
  for (const Stmt* stmt : list) {
    if (Terminated()) return;  // the code that follows cannot be reached
    EmitStmt(stmt);
  }
}

namespace {

bool DeclaresNames(StmtKind kind) {
  return kind == StmtKind::kBlock || kind == StmtKind::kFor || kind == StmtKind::kWith ||
         kind == StmtKind::kTypecase || kind == StmtKind::kTryExcept;
}

}  // namespace

void FunctionLowering::EmitStmt(const Stmt* stmt) {
  llvm::DIScope* const outer = scope_;
  if (DeclaresNames(stmt->kind)) scope_ = u_.debug.NewScope(*function_, outer, stmt->span);
  At(stmt->span);
  const bool counts = stmt->kind != StmtKind::kBlock && stmt->kind != StmtKind::kInitialize;
  if (u_.coverage != nullptr && counts) u_.coverage->CountStatement(b_, stmt->span);
  switch (stmt->kind) {
    case StmtKind::kAssign: EmitAssign(StmtAs<const AssignStmt>(stmt)); break;
    case StmtKind::kCall: EmitCall(StmtAs<const CallStmt>(stmt)->call, nullptr); break;
    case StmtKind::kEval: {
      const Expr* value = StmtAs<const EvalStmt>(stmt)->value;
      if (value->designator) {
        // The loaded value would be unused, so the load would be removed and not trap at NIL.
        EmitAliasPlace(value);
      } else if (value->type == nullptr || IsScalar(value->type)) {
        EmitValue(value);
      } else {
        EmitLocation(value);
      }
      break;
    }
    case StmtKind::kBlock: EmitList(StmtAs<const BlockStmt>(stmt)->body); break;
    case StmtKind::kIf: EmitIf(StmtAs<const IfStmt>(stmt)); break;
    case StmtKind::kLoop: EmitLoop(StmtAs<const LoopStmt>(stmt)); break;
    case StmtKind::kWhile: EmitWhile(StmtAs<const WhileStmt>(stmt)); break;
    case StmtKind::kRepeat: EmitRepeat(StmtAs<const RepeatStmt>(stmt)); break;
    case StmtKind::kFor: EmitFor(StmtAs<const ForStmt>(stmt)); break;
    case StmtKind::kCase: EmitCase(StmtAs<const CaseStmt>(stmt)); break;
    case StmtKind::kTypecase: EmitTypecase(StmtAs<const TypecaseStmt>(stmt)); break;
    case StmtKind::kExit: EmitExit(); break;
    case StmtKind::kReturn: EmitReturn(StmtAs<const ReturnStmt>(stmt)); break;
    case StmtKind::kRaise: EmitRaise(StmtAs<const RaiseStmt>(stmt)); break;
    case StmtKind::kTryExcept: EmitTryExcept(StmtAs<const TryExceptStmt>(stmt)); break;
    case StmtKind::kTryFinally: EmitTryFinally(StmtAs<const TryFinallyStmt>(stmt)); break;
    case StmtKind::kLock: EmitLock(StmtAs<const LockStmt>(stmt)); break;
    case StmtKind::kWith: EmitWith(StmtAs<const WithStmt>(stmt)); break;
    case StmtKind::kIncDec: EmitIncDec(StmtAs<const IncDecStmt>(stmt)); break;
    case StmtKind::kAssert: EmitAssert(StmtAs<const AssertStmt>(stmt)); break;
    case StmtKind::kDispose: EmitDispose(StmtAs<const DisposeStmt>(stmt)); break;
    case StmtKind::kInitialize: {
      const Variable* variable = StmtAs<const InitializeStmt>(stmt)->variable;
      InitializeLocal(PlaceOf(variable), variable->type);
      break;
    }
  }
  scope_ = outer;
}

// --- assignment ---

void FunctionLowering::EmitAssign(const AssignStmt* stmt) {
  const Type* type = Bare(stmt->target->type);
  // Compute the value first, so that no address into the heap is held meanwhile.
  if (IsScalar(type)) {
    llvm::Value* value = EmitValue(stmt->value);
    wanted_ = {stmt->target, {0, LayoutOf(type).bytes, true}};
    Store(EmitPlace(stmt->target), type, value);
    return;
  }
  // A constructor or a call may refer to the target, so its value is made in a temporary (14.1).
  const Place from = EmitLocation(stmt->value);
  wanted_ = {stmt->target, {0, LayoutOf(type).bytes, true}};
  const Place to = EmitPlace(stmt->target);
  const bool is_array = type->kind == TypeKind::kArray || type->kind == TypeKind::kOpenArray;
  if (is_array) CheckSameShape(to, type, from, stmt->value->type);
  Copy(to, from, type, is_array && stmt->value->kind != ExprKind::kConstant);
}

void FunctionLowering::EmitIncDec(const IncDecStmt* stmt) {
  const Type* type = Bare(stmt->target->type);
  llvm::Value* amount = stmt->amount == nullptr ? u_.Int(1) : EmitValue(stmt->amount);
  const bool negative_amount = stmt->amount != nullptr && !IsNeverNegative(stmt->amount, amount);
  const Place place = EmitPlace(stmt->target);
  llvm::Value* old = Load(place, type);
  if (!IsOrdinal(type)) {
    StoreRaw(place, type,
             b_.CreateGEP(u_.i8, old, stmt->decrement ? b_.CreateNeg(amount) : amount));
    return;
  }
  const int64_t first = FirstOf(type);
  const int64_t last = LastOf(type);
  const bool bounded = first != INT64_MIN || last != INT64_MAX;
  llvm::Value* value;
  const auto out_of_range = [&](llvm::Value* wrapped) {
    return Failure{RuntimeErrorCode::kValueOutOfRange,
                   stmt->decrement ? CheckForm::kDecrement : CheckForm::kIncrement,
                   ValueDescriptorOf(u_, type),
                   {wrapped, amount}};
  };
  if (u_.checks() && bounded && first >= 0 && !negative_amount) {
    StoreRaw(place, type,
             stmt->decrement ? CheckedDifference(old, amount, first, out_of_range)
                             : CheckedSum(old, amount, last, out_of_range));
    return;
  }
  // Whether a sum that wraps around could fall into the range again. From a value that is not
  // negative it wraps around to a negative one.
  bool may_come_back = first < 0;
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(amount); first < 0 && constant) {
    const __int128 step = constant->getSExtValue();
    const __int128 width = static_cast<__int128>(last) - first;
    may_come_back = (width + (step < 0 ? -step : step)) >> 64 != 0;
  }
  if (u_.checks() && bounded && may_come_back) {
    llvm::Value* sum = b_.CreateBinaryIntrinsic(
        stmt->decrement ? llvm::Intrinsic::ssub_with_overflow : llvm::Intrinsic::sadd_with_overflow,
        old, amount);
    value = b_.CreateExtractValue(sum, 0);
    ErrorIf(b_.CreateExtractValue(sum, 1), out_of_range(value));
  } else {
    value = stmt->decrement ? b_.CreateSub(old, amount) : b_.CreateAdd(old, amount);
  }
  if (bounded) {
    // The sum's own range, if the step is known.
    const auto* known = llvm::dyn_cast<llvm::ConstantInt>(amount);
    const int64_t step = known == nullptr ? 0 : known->getSExtValue();
    if (known != nullptr && (step == 1 || step == -1) && u_.checks()) {
      const bool up = (step == 1) != stmt->decrement;
      llvm::Value* bad =
          up ? b_.CreateICmpSGT(value, u_.Int(last)) : b_.CreateICmpSLT(value, u_.Int(first));
      // The last INTEGER has no successor.
      if ((up && last == INT64_MAX) || (!up && first == INT64_MIN)) {
        bad = b_.CreateICmpEQ(old, u_.Int(up ? INT64_MAX : INT64_MIN));
      }
      ErrorIf(bad, out_of_range(value));
    } else if (first >= 0 && u_.checks()) {
      // One unsigned comparison, also for a sum that has wrapped around.
      llvm::Value* distance = first == 0 ? value : b_.CreateSub(value, u_.Int(first));
      ErrorIf(b_.CreateICmpUGT(distance, u_.Int(last - first)), out_of_range(value));
    } else {
      CheckRange(value, u_.program.types.integer, type, first, last);
    }
  }
  StoreRaw(place, type, value);
}

void FunctionLowering::EmitDispose(const DisposeStmt* stmt) {
  const Type* type = Bare(stmt->target->type);
  const Place place = EmitPlace(stmt->target);
  if (!IsTracedReference(type)) {
    CallEntry(Entry::tn_dispose_untraced,
              {Load(place, type), u_.Int32(type->kind == TypeKind::kObject ? 1 : 0)});
  }
  StoreRaw(place, type, u_.Null());
}

// --- choices ---

void FunctionLowering::CountBranch(SourceSpan span, size_t n) {
  if (u_.coverage != nullptr) u_.coverage->CountBranch(b_, span, n);
}

llvm::BasicBlock* FunctionLowering::CountedWay(llvm::BasicBlock* to, SourceSpan span, size_t n) {
  if (u_.coverage == nullptr) return to;
  llvm::BasicBlock* way = Block("way");
  const llvm::IRBuilderBase::InsertPointGuard guard(b_);
  b_.SetInsertPoint(way);
  CountBranch(span, n);
  b_.CreateBr(to);
  return way;
}

void FunctionLowering::EmitIf(const IfStmt* stmt) {
  llvm::BasicBlock* join = Block("endif");
  for (const IfStmt::Arm& arm : stmt->arms) {
    llvm::BasicBlock* then = Block("then");
    llvm::BasicBlock* otherwise = Block("else");
    At(arm.condition->span);
    if (u_.coverage != nullptr && &arm != &stmt->arms.front()) {
      u_.coverage->CountStatement(b_, arm.condition->span);
    }
    EmitBranch(arm.condition, then, otherwise);
    b_.SetInsertPoint(then);
    CountBranch(arm.condition->span, 0);
    EmitList(arm.body);
    Jump(join);
    b_.SetInsertPoint(otherwise);
    CountBranch(arm.condition->span, 1);
  }
  EmitList(stmt->else_body);
  Jump(join);
  b_.SetInsertPoint(join);
}

void FunctionLowering::EmitCase(const CaseStmt* stmt) {
  llvm::Value* selector = EmitValue(stmt->selector);
  llvm::BasicBlock* join = Block("endcase");
  llvm::BasicBlock* otherwise = Block("otherwise");
  // Long ranges become comparisons, the others become entries of a switch.
  constexpr uint64_t kEntriesMax = 64;
  std::vector<llvm::BasicBlock*> blocks;
  std::vector<std::pair<int64_t, llvm::BasicBlock*>> entries;
  for (const CaseStmt::Arm& arm : stmt->arms) {
    llvm::BasicBlock* block = Block("case");
    blocks.push_back(block);
    for (const auto& [low, high] : arm.ranges) {
      if (low > high) continue;
      const uint64_t width = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
      if (width < kEntriesMax) {
        for (uint64_t i = 0; i <= width; ++i) {
          entries.emplace_back(static_cast<int64_t>(static_cast<uint64_t>(low) + i), block);
        }
        continue;
      }
      llvm::BasicBlock* next = Block("case");
      b_.CreateCondBr(b_.CreateICmpULE(b_.CreateSub(selector, u_.Int(low)),
                                       u_.Int(static_cast<int64_t>(width))),
                      block, next);
      b_.SetInsertPoint(next);
    }
  }
  llvm::SwitchInst* choice =
      b_.CreateSwitch(selector, otherwise, static_cast<unsigned>(entries.size()));
  for (const auto& [value, block] : entries) choice->addCase(u_.Int(value), block);
  // LLVM takes time quadratic in the size of a jump table; a giant one becomes comparisons.
  constexpr size_t kJumpTableMax = 4096;
  if (entries.size() > kJumpTableMax) function_->addFnAttr("no-jump-tables", "true");
  for (size_t i = 0; i < blocks.size(); ++i) {
    b_.SetInsertPoint(blocks[i]);
    CountBranch(stmt->span, i);
    EmitList(stmt->arms[i].body);
    Jump(join);
  }
  EmitElse(*stmt, otherwise, join,
           {RuntimeErrorCode::kUnhandledCase,
            CheckForm::kCase,
            ValueDescriptorOf(u_, stmt->selector->type),
            {selector}});
}

template <typename Choice>
void FunctionLowering::EmitElse(const Choice& stmt, llvm::BasicBlock* otherwise,
                                llvm::BasicBlock* join, const Failure& unhandled) {
  b_.SetInsertPoint(otherwise);
  At(stmt.span);
  if (stmt.has_else) {
    CountBranch(stmt.span, stmt.arms.size());
    EmitList(stmt.else_body);
    Jump(join);
  } else {
    Fail(unhandled);
  }
  b_.SetInsertPoint(join);
}

void FunctionLowering::EmitTypecase(const TypecaseStmt* stmt) {
  llvm::Value* selector = EmitValue(stmt->selector);
  llvm::BasicBlock* join = Block("endcase");
  llvm::BasicBlock* otherwise = Block("otherwise");
  std::vector<llvm::BasicBlock*> blocks;
  for (size_t i = 0; i < stmt->arms.size(); ++i) blocks.push_back(Block("typecase"));
  // NIL is a member of every reference type, so the first arm takes it.
  llvm::BasicBlock* test = Block("test");
  b_.CreateCondBr(b_.CreateIsNull(selector), blocks.empty() ? otherwise : blocks[0], test);
  b_.SetInsertPoint(test);
  llvm::Value* descriptor = LoadDescriptor(selector);
  std::string wanted;
  for (size_t i = 0; i < stmt->arms.size(); ++i) {
    for (const Type* type : stmt->arms[i].types) {
      if (!wanted.empty()) wanted += " or ";
      wanted += TypeToString(type);
      llvm::BasicBlock* next = Block("test");
      b_.CreateCondBr(IsMember(descriptor, type), blocks[i], next);
      b_.SetInsertPoint(next);
    }
  }
  b_.CreateBr(otherwise);
  for (size_t i = 0; i < stmt->arms.size(); ++i) {
    b_.SetInsertPoint(blocks[i]);
    if (const Variable* variable = stmt->arms[i].variable)
      StoreRaw(PlaceOf(variable), variable->type, selector);
    CountBranch(stmt->span, i);
    EmitList(stmt->arms[i].body);
    Jump(join);
  }
  EmitElse(*stmt, otherwise, join,
           {RuntimeErrorCode::kUnhandledTypecase,
            CheckForm::kTypecase,
            wanted.empty() ? nullptr : u_.CString(wanted),
            {selector}});
}

// --- loops ---

FunctionLowering::StackMark FunctionLowering::MarkStack() {
  StackMark mark;
  mark.saved = b_.CreateStackSave();
  mark.constructors = stack_constructors_;
  return mark;
}

void FunctionLowering::RestoreStack(StackMark& mark) {
  mark.restored = b_.CreateStackRestore(mark.saved);
}

void FunctionLowering::ForgetUnused(StackMark mark) {
  if (mark.constructors != stack_constructors_) return;
  mark.restored->eraseFromParent();
  mark.saved->eraseFromParent();
}

void FunctionLowering::EmitLoopBody(const StmtList& body, llvm::BasicBlock* next,
                                    llvm::BasicBlock* exit) {
  loops_.push_back({exit, {}});
  EmitList(body);
  Jump(next);
}

namespace {

// LOOP IF condition THEN EXIT END END
bool OnlyAsksWhetherToExit(const StmtList& body) {
  if (body.size() != 1 || body[0]->kind != StmtKind::kIf) return false;
  const auto* question = StmtAs<const IfStmt>(body[0]);
  return question->arms.size() == 1 && question->else_body.empty() &&
         question->arms[0].body.size() == 1 && question->arms[0].body[0]->kind == StmtKind::kExit;
}

}  // namespace

void FunctionLowering::EmitLoop(const LoopStmt* stmt) {
  llvm::BasicBlock* body = Block("loop");
  llvm::BasicBlock* exit = Block("endloop");
  StackMark mark = MarkStack();
  b_.CreateBr(body);
  b_.SetInsertPoint(body);
  RestoreStack(mark);
  in_idle_loop_ = OnlyAsksWhetherToExit(stmt->body);
  EmitLoopBody(stmt->body, body, exit);
  in_idle_loop_ = false;
  FinishLoop();
  ForgetUnused(mark);
}

void FunctionLowering::EmitWhile(const WhileStmt* stmt) {
  llvm::BasicBlock* test = Block("while");
  llvm::BasicBlock* body = Block("do");
  llvm::BasicBlock* exit = Block("endwhile");
  StackMark mark = MarkStack();
  b_.CreateBr(test);
  b_.SetInsertPoint(test);
  RestoreStack(mark);
  loops_.push_back({exit, {}});
  in_idle_loop_ = stmt->body.empty();
  EmitBranch(stmt->condition, body, CountedWay(exit, stmt->condition->span, 1));
  in_idle_loop_ = false;
  b_.SetInsertPoint(body);
  CountBranch(stmt->condition->span, 0);
  EmitList(stmt->body);
  Jump(test);
  FinishLoop();
  ForgetUnused(mark);
}

void FunctionLowering::EmitRepeat(const RepeatStmt* stmt) {
  llvm::BasicBlock* body = Block("repeat");
  llvm::BasicBlock* exit = Block("endrepeat");
  StackMark mark = MarkStack();
  b_.CreateBr(body);
  b_.SetInsertPoint(body);
  RestoreStack(mark);
  loops_.push_back({exit, {}});
  EmitList(stmt->body);
  if (!Terminated()) {
    At(stmt->condition->span);
    in_idle_loop_ = stmt->body.empty();
    if (u_.coverage != nullptr) u_.coverage->CountStatement(b_, stmt->condition->span);
    EmitBranch(stmt->condition, CountedWay(exit, stmt->condition->span, 0),
               CountedWay(body, stmt->condition->span, 1));
    in_idle_loop_ = false;
  }
  FinishLoop();
  ForgetUnused(mark);
}

void FunctionLowering::EmitFor(const ForStmt* stmt) {
  llvm::Value* from = EmitValue(stmt->from);
  llvm::Value* to = EmitValue(stmt->to);
  llvm::Value* by = stmt->by == nullptr ? u_.Int(1) : EmitValue(stmt->by);
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(by);
  llvm::BasicBlock* body = Block("for");
  llvm::BasicBlock* step = Block("step");
  llvm::BasicBlock* again = Block("next");
  llvm::BasicBlock* exit = Block("endfor");

  llvm::Value* up = b_.CreateICmpSLE(from, to);
  llvm::Value* down = b_.CreateICmpSGE(from, to);
  llvm::Value* is_up = b_.CreateICmpSGE(by, u_.Int(0));
  StackMark mark = MarkStack();
  b_.CreateCondBr(b_.CreateSelect(is_up, up, down), body, exit);
  llvm::BasicBlock* before = b_.GetInsertBlock();

  b_.SetInsertPoint(body);
  llvm::PHINode* index = b_.CreatePHI(u_.i64, 2);
  index->addIncoming(from, before);
  RestoreStack(mark);
  // Tells LLVM that the index does not pass the limit, which LLVM cannot derive because the loop
  // ends at equality. This makes subscript checks superfluous.
  if (u_.options.optimize && known != nullptr && !llvm::isa<llvm::Constant>(to)) {
    b_.CreateAssumption(known->isNegative() ? b_.CreateICmpSGE(index, to)
                                            : b_.CreateICmpSLE(index, to));
  }
  StoreRaw(PlaceOf(stmt->variable), stmt->variable->type, index);
  EmitLoopBody(stmt->body, step, exit);

  // Test for another value before stepping, so that the loop can reach the last INTEGER.
  b_.SetInsertPoint(step);
  At(stmt->span);
  if (known != nullptr && (known->isOne() || known->isMinusOne())) {
    b_.CreateCondBr(b_.CreateICmpEQ(index, to), exit, again);
  } else {
    llvm::Value* left = b_.CreateSelect(is_up, b_.CreateSub(to, index), b_.CreateSub(index, to));
    llvm::Value* distance = b_.CreateSelect(is_up, by, b_.CreateNeg(by));
    b_.CreateCondBr(b_.CreateICmpUGE(left, distance), again, exit);
  }
  b_.SetInsertPoint(again);
  index->addIncoming(b_.CreateAdd(index, by, "", false, /*HasNSW=*/true), again);
  b_.CreateBr(body);
  FinishLoop();
  ForgetUnused(mark);
}

void FunctionLowering::EmitExit() {
  if (!loops_.empty()) {
    b_.CreateBr(loops_.back().exit);
  } else {
    EndBody(kExited);
  }
}

// --- RETURN, WITH ---

void FunctionLowering::EmitReturn(const ReturnStmt* stmt) {
  if (stmt->value == nullptr) {
    ReturnFromFunction();
    return;
  }
  const Type* type = frame_.signature->result;
  if (!IsScalar(type)) {
    Place result;
    result.address = result_pointer_ != nullptr
                         ? result_pointer_
                         : LoadWord(Offset(record_, frame_.result_offset), u_.ptr);
    result.region = Region::kStack;
    if (Bare(stmt->value->type)->kind == TypeKind::kOpenArray ||
        stmt->value->kind == ExprKind::kConvert) {
      const Place from = EmitLocation(stmt->value);
      CheckSameShape(result, type, from, stmt->value->type);
      Copy(result, from, type, false);
    } else {
      EmitInto(stmt->value, result);
    }
    ReturnFromFunction();
    return;
  }
  llvm::Value* value = EmitValue(stmt->value);
  if (outlined_) {
    StoreWord(Offset(record_, frame_.result_offset), value);
    EndBody(kReturned);
  } else {
    b_.CreateRet(value);
  }
}

void FunctionLowering::ReturnFromFunction() {
  if (outlined_) {
    EndBody(kReturned);
  } else if (function_->getReturnType()->isVoidTy()) {
    b_.CreateRetVoid();
  } else {
    b_.CreateRet(LoadWord(Offset(record_, frame_.result_offset), function_->getReturnType()));
  }
}

void FunctionLowering::EmitWith(const WithStmt* stmt) {
  std::vector<llvm::Value*> bases;  // values that must outlive the body, for each binding
  bases.reserve(stmt->bindings.size());
  for (const WithStmt::Binding& binding : stmt->bindings) {
    const Variable* variable = binding.variable;
    llvm::Value* base = nullptr;
    At(binding.value->span);
    if (variable->alias) {
      const Place place = EmitAliasPlace(binding.value);
      BindAlias(variable, place);
      alias_info_[variable] = {place.region, place.base};
      const TypeKind kind = Bare(variable->type)->kind;
      if (kind == TypeKind::kArray || kind == TypeKind::kOpenArray || kind == TypeKind::kRecord)
        base = place.base;
    } else if (Bare(variable->type)->kind == TypeKind::kOpenArray) {
      const Place place = EmitLocation(binding.value);
      BindAlias(variable, place);
      base = place.base;
    } else {
      EmitInto(binding.value, PlaceOf(variable));
    }
    bases.push_back(base);
  }
  EmitList(stmt->body);
  for (size_t i = bases.size(); i-- > 0;) {
    if (!Terminated()) KeepAliveNow(bases[i]);
    alias_info_.erase(stmt->bindings[i].variable);
  }
}

}  // namespace tenure::compiler
