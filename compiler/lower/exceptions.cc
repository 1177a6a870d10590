// RAISE, TRY EXCEPT, TRY FINALLY and LOCK (language.md 13, 14.8-14.10; docs/exceptions.md).
//
// The body of a TRY is a function of its own, called by one invoke, because LLVM gives loads and
// stores that may trap no way to a handler (platform.md 6). It returns its outcome.

#include <llvm/IR/CFG.h>
#include <llvm/IR/Intrinsics.h>

#include "compiler/check/walk.h"
#include "compiler/emit/llvm_versions.h"
#include "compiler/lower/function_lowering.h"

namespace tenure::compiler {

namespace {

// Whether a RETURN, a RAISE, or an EXIT from a loop around the list, is textually in it.
bool MayLeave(const StmtList& list, bool in_loop);

bool MayLeave(const Stmt* stmt, bool in_loop) {
  switch (stmt->kind) {
    case StmtKind::kExit: return !in_loop;
    case StmtKind::kReturn:
    case StmtKind::kRaise: return true;
    case StmtKind::kBlock: return MayLeave(StmtAs<const BlockStmt>(stmt)->body, in_loop);
    case StmtKind::kIf:
      for (const IfStmt::Arm& arm : StmtAs<const IfStmt>(stmt)->arms) {
        if (MayLeave(arm.body, in_loop)) return true;
      }
      return MayLeave(StmtAs<const IfStmt>(stmt)->else_body, in_loop);
    case StmtKind::kLoop: return MayLeave(StmtAs<const LoopStmt>(stmt)->body, true);
    case StmtKind::kWhile: return MayLeave(StmtAs<const WhileStmt>(stmt)->body, true);
    case StmtKind::kRepeat: return MayLeave(StmtAs<const RepeatStmt>(stmt)->body, true);
    case StmtKind::kFor: return MayLeave(StmtAs<const ForStmt>(stmt)->body, true);
    case StmtKind::kCase:
      for (const CaseStmt::Arm& arm : StmtAs<const CaseStmt>(stmt)->arms) {
        if (MayLeave(arm.body, in_loop)) return true;
      }
      return MayLeave(StmtAs<const CaseStmt>(stmt)->else_body, in_loop);
    case StmtKind::kTypecase:
      for (const TypecaseStmt::Arm& arm : StmtAs<const TypecaseStmt>(stmt)->arms) {
        if (MayLeave(arm.body, in_loop)) return true;
      }
      return MayLeave(StmtAs<const TypecaseStmt>(stmt)->else_body, in_loop);
    case StmtKind::kTryExcept: {
      const auto* s = StmtAs<const TryExceptStmt>(stmt);
      if (MayLeave(s->body, in_loop) || MayLeave(s->else_body, in_loop)) return true;
      for (const TryExceptStmt::Handler& handler : s->handlers) {
        if (MayLeave(handler.body, in_loop)) return true;
      }
      return false;
    }
    case StmtKind::kTryFinally:
      return MayLeave(StmtAs<const TryFinallyStmt>(stmt)->body, in_loop) ||
             MayLeave(StmtAs<const TryFinallyStmt>(stmt)->finally_body, in_loop);
    case StmtKind::kLock: return MayLeave(StmtAs<const LockStmt>(stmt)->body, in_loop);
    case StmtKind::kWith: return MayLeave(StmtAs<const WithStmt>(stmt)->body, in_loop);
    default: return false;
  }
}

bool MayLeave(const StmtList& list, bool in_loop) {
  for (const Stmt* stmt : list) {
    if (MayLeave(stmt, in_loop)) return true;
  }
  return false;
}

// Whether a RETURN is textually in the list, and within one of its TRY and LOCK statements if
// `in_try`.
bool MayReturn(const StmtList& list, bool in_try) {
  bool found = false;
  for (const Stmt* stmt : list) {
    const bool outlines = stmt->kind == StmtKind::kTryExcept ||
                          stmt->kind == StmtKind::kTryFinally || stmt->kind == StmtKind::kLock;
    if (stmt->kind == StmtKind::kReturn && !in_try) return true;
    ForEachPart(
        stmt, [](const Expr*) {},
        [&](const StmtList& inner) { found = found || MayReturn(inner, in_try && !outlines); });
  }
  return found;
}

}  // namespace

void FunctionLowering::EmitRaise(const RaiseStmt* stmt) {
  llvm::Value* argument = u_.Null();
  if (stmt->argument != nullptr) {
    Place place = Temporary(stmt->exception->argument);
    EmitInto(stmt->argument, place);
    argument = place.address;
  }
  At(stmt->span);
  llvm::Constant* file = u_.CString(std::string(stmt->span.start().path()));
  CallEntry(Entry::tn_raise,
            {u_.ExceptionOf(stmt->exception), argument, file, u_.Int32(stmt->span.line())});
  b_.CreateUnreachable();
}

llvm::Value* FunctionLowering::InvokeBody(const StmtList& body, llvm::BasicBlock* pad, Kept kept) {
  const std::string name = frame_.symbol + ".try" + std::to_string(++frame_.functions);
  auto* function = llvm::Function::Create(llvm::FunctionType::get(u_.i32, {u_.ptr}, false),
                                          llvm::Function::LinkOnceODRLinkage, name, *u_.module);
  function->setVisibility(llvm::GlobalValue::HiddenVisibility);
  function->addFnAttr(llvm::Attribute::NoInline);
  u_.SetAttributes(*function);
  u_.debug.Begin(*function, frame_.name, body.empty() ? span_ : body.front()->span);

  FunctionLowering inner(u_, frame_, function, true);
  inner.record_ = function->getArg(0);
  inner.body_ = &body;
  inner.kept_ = std::move(kept);
  inner.DeclareCaptured();
  inner.CopyVariables(body, CopyDirection::kFromRecord);
  inner.EmitList(body);
  if (!inner.Terminated()) inner.EndBody(kNormal);
  inner.FinishFunction();

  llvm::Value* record = record_ != nullptr ? record_ : u_.Null();
  CopyVariables(body, CopyDirection::kToRecord);
  llvm::CallBase* outcome = nullptr;
  if (pad == nullptr) {
    outcome = b_.CreateCall(function, {record});
  } else {
    function_->setPersonalityFn(u_.runtime.Personality());
    llvm::BasicBlock* normal = Block("tried");
    outcome = b_.CreateInvoke(function, normal, pad, {record});
    outcome->setIsNoInline();
    b_.SetInsertPoint(normal);
  }
  CopyVariables(body, CopyDirection::kFromRecord);
  return outcome;
}

FunctionLowering::Kept FunctionLowering::KeptFor(const StmtList& body) const {
  Kept kept = kept_;
  const auto& live = frame_.activation->occurrences.at(&body).live_after;
  kept.insert(live.begin(), live.end());
  return kept;
}

// After a RETURN only clean-ups run, and they have their variables in the record.
void FunctionLowering::EndBody(Outcome outcome) {
  if (outcome != kReturned) CopyVariables(*body_, CopyDirection::kToRecord);
  b_.CreateRet(u_.Int32(outcome));
}

// Carries out the body's outcome in this function; continues in a new block if the body ended
// normally.
void FunctionLowering::Continue(llvm::Value* outcome) {
  llvm::BasicBlock* next = Block("next");
  llvm::SwitchInst* choice = b_.CreateSwitch(outcome, next, 2);
  if (frame_.signature != nullptr) {
    llvm::BasicBlock* returned = Block("returned");
    choice->addCase(u_.Int32(kReturned), returned);
    b_.SetInsertPoint(returned);
    ReturnFromFunction();
  }
  if (!loops_.empty() || outlined_) {
    llvm::BasicBlock* exited = Block("exited");
    choice->addCase(u_.Int32(kExited), exited);
    b_.SetInsertPoint(exited);
    EmitExit();
  }
  b_.SetInsertPoint(next);
}

void FunctionLowering::EmitTryExcept(const TryExceptStmt* stmt) {
  SetActivation(stmt->else_activation, nullptr);
  const bool catches = stmt->has_else || !stmt->handlers.empty();
  if (!catches) {
    Continue(InvokeBody(stmt->body, nullptr, kept_));
    return;
  }
  llvm::BasicBlock* pad = Block("landing");
  llvm::BasicBlock* join = Block("endtry");
  llvm::BasicBlock* otherwise = stmt->has_else ? Block("otherwise") : nullptr;
  llvm::BasicBlock* dispatched = nullptr;  // from where an exception comes to `otherwise`
  llvm::Value* outcome = InvokeBody(stmt->body, pad, KeptFor(stmt->body));
  if (stmt->has_else) {
    // EXIT and RETURN are exceptions, too (14.8).
    b_.CreateCondBr(b_.CreateICmpEQ(outcome, u_.Int32(kNormal)), join, otherwise);
  } else {
    Continue(outcome);
    Jump(join);
  }

  b_.SetInsertPoint(pad);
  auto* pair = llvm::StructType::get(u_.context, {u_.ptr, u_.i32});
  llvm::LandingPadInst* landing = b_.CreateLandingPad(pair, 1);
  llvm::Value* thrown = b_.CreateExtractValue(landing, 0);
  llvm::Value* selector = b_.CreateExtractValue(landing, 1);
  CopyVariables(stmt->body, CopyDirection::kFromRecord);
  std::vector<llvm::BasicBlock*> blocks;
  for (const TryExceptStmt::Handler& handler : stmt->handlers) {
    llvm::BasicBlock* block = Block("handler");
    blocks.push_back(block);
    for (const Exception* exception : handler.exceptions) {
      llvm::Constant* descriptor = u_.ExceptionOf(exception);
      landing->addClause(descriptor);
      llvm::Function* type_id =
          DeclareIntrinsic(*u_.module, llvm::Intrinsic::eh_typeid_for, {u_.ptr});
      llvm::BasicBlock* next = Block("dispatch");
      b_.CreateCondBr(b_.CreateICmpEQ(selector, b_.CreateCall(type_id, {descriptor})), block, next);
      b_.SetInsertPoint(next);
    }
  }
  if (stmt->has_else) {
    landing->addClause(u_.Null());
    SetActivation(stmt->else_activation, thrown);
    if (stmt->else_activation == nullptr) CallEntry(Entry::tn_end_catch, {thrown});
    dispatched = b_.GetInsertBlock();
    b_.CreateBr(otherwise);
  } else {
    b_.CreateResume(landing);
  }

  for (size_t i = 0; i < blocks.size(); ++i) {
    const TryExceptStmt::Handler& handler = stmt->handlers[i];
    b_.SetInsertPoint(blocks[i]);
    if (handler.variable != nullptr) {
      Place argument;
      argument.address = CallEntry(Entry::tn_begin_catch, {thrown});
      argument.region = Region::kUntraced;
      const Place variable = PlaceOf(handler.variable);
      if (IsScalar(handler.variable->type)) {
        StoreRaw(variable, handler.variable->type, Load(argument, handler.variable->type));
      } else {
        Copy(variable, argument, handler.variable->type, false);
      }
    }
    SetActivation(handler.activation, thrown);
    if (handler.activation == nullptr) CallEntry(Entry::tn_end_catch, {thrown});
    EmitList(handler.body);
    if (handler.activation != nullptr && !Terminated()) CallEntry(Entry::tn_end_catch, {thrown});
    Jump(join);
  }
  if (stmt->has_else) {
    b_.SetInsertPoint(otherwise);
    llvm::PHINode* kept = nullptr;
    if (stmt->else_activation != nullptr) {
      kept = b_.CreatePHI(u_.ptr, 2);
      for (llvm::BasicBlock* from : llvm::predecessors(otherwise)) {
        kept->addIncoming(from == dispatched ? thrown : u_.Null(), from);
      }
    }
    EmitList(stmt->else_body);
    if (kept != nullptr && !Terminated()) CallEntry(Entry::tn_end_catch, {kept});
    Jump(join);
  }
  b_.SetInsertPoint(join);
}

// The value of Compiler.ThisException in a handler. An exception that the handler asks for is kept
// until the handler ends. If the handler is left in another way, the run time frees the exception
// as an abandoned one.
void FunctionLowering::SetActivation(const Variable* variable, llvm::Value* thrown) {
  if (variable == nullptr) return;
  llvm::Value* activation = u_.Null();
  if (thrown != nullptr) activation = CallEntry(Entry::tn_activation, {thrown});
  StoreRaw(PlaceOf(variable), variable->type, activation);
}

void FunctionLowering::EmitTryFinally(const TryFinallyStmt* stmt) {
  // A RETURN in a TRY within the FINALLY part may be cancelled, and its value must not take the
  // place of the value of a RETURN that led here.
  const bool keeps_result = MayReturn(stmt->body, false) && MayReturn(stmt->finally_body, true);
  // A FINALLY part with an EXIT, RETURN or RAISE may end the exception (14.9), so the search for a
  // handler counts it as one.
  EmitProtected(stmt->body, MayLeave(stmt->finally_body, false), stmt->activation,
                &stmt->finally_body, [&] {
                  const std::function<void()> restore = keeps_result ? KeepResult() : nullptr;
                  EmitList(stmt->finally_body);
                  if (restore && !Terminated()) restore();
                });
}

std::function<void()> FunctionLowering::KeepResult() {
  const Type* type = frame_.signature == nullptr ? nullptr : frame_.signature->result;
  if (type == nullptr || frame_.result_offset < 0) return nullptr;
  llvm::Value* slot = Offset(record_, frame_.result_offset);
  if (IsScalar(type)) {
    llvm::Value* kept = LoadWord(slot, u_.ValueType(type));
    return [this, slot, kept] { StoreWord(slot, kept); };
  }
  Place result;
  result.address = LoadWord(slot, u_.ptr);
  result.region = Region::kStack;
  const Place kept = Temporary(type);
  Copy(kept, result, type, false);
  return [this, result, kept, type] { Copy(result, kept, type, false); };
}

// The clean-up runs after the body in all cases. It is not a handler unless `handles`: an unhandled
// exception is reported where it is raised, before any clean-up (13.5).
void FunctionLowering::EmitProtected(const StmtList& body, bool handles, const Variable* activation,
                                     const StmtList* cleanup_list,
                                     const std::function<void()>& cleanup) {
  auto* pair = llvm::StructType::get(u_.context, {u_.ptr, u_.i32});
  llvm::BasicBlock* pad = Block("landing");
  llvm::BasicBlock* finally = Block("finally");
  SetActivation(activation, nullptr);
  Kept kept = handles ? KeptFor(body) : kept_;
  if (cleanup_list != nullptr) {
    const auto& used = frame_.activation->occurrences.at(cleanup_list).all;
    kept.insert(used.begin(), used.end());
  }
  llvm::Value* outcome = InvokeBody(body, pad, std::move(kept));
  llvm::BasicBlock* normal = b_.GetInsertBlock();
  b_.CreateBr(finally);
  b_.SetInsertPoint(pad);
  llvm::LandingPadInst* landing = b_.CreateLandingPad(pair, 1);
  if (handles) {
    landing->addClause(u_.Null());
  } else {
    landing->setCleanup(true);
  }
  CopyVariables(body, CopyDirection::kFromRecord);
  if (activation != nullptr) SetActivation(activation, b_.CreateExtractValue(landing, 0));
  pad = b_.GetInsertBlock();
  b_.CreateBr(finally);

  b_.SetInsertPoint(finally);
  llvm::PHINode* pending = b_.CreatePHI(pair, 2);
  pending->addIncoming(llvm::Constant::getNullValue(pair), normal);
  pending->addIncoming(landing, pad);
  llvm::PHINode* ended = b_.CreatePHI(u_.i32, 2);
  ended->addIncoming(outcome, normal);
  ended->addIncoming(u_.Int32(kNormal), pad);
  cleanup();
  if (Terminated()) {
    b_.SetInsertPoint(Block("unreachable"));
    return;
  }
  llvm::BasicBlock* resume = Block("resume");
  llvm::BasicBlock* go_on = Block("finished");
  b_.CreateCondBr(b_.CreateIsNull(b_.CreateExtractValue(pending, 0)), go_on, resume);
  b_.SetInsertPoint(resume);
  if (handles) {
    CallEntry(Entry::tn_reraise, {b_.CreateExtractValue(pending, 0)});
    b_.CreateUnreachable();
  } else {
    b_.CreateResume(pending);
  }
  b_.SetInsertPoint(go_on);
  Continue(ended);
}

void FunctionLowering::EmitLock(const LockStmt* stmt) {
  llvm::Value* mutex = EmitValue(stmt->mutex);
  b_.CreateCall(u_.FunctionOf(stmt->acquire), {mutex});
  EmitProtected(stmt->body, false, nullptr, nullptr,
                [&] { b_.CreateCall(u_.FunctionOf(stmt->release), {mutex}); });
}

}  // namespace tenure::compiler
