// Statements (docs/language.md 14).
#include <algorithm>

#include "compiler/check/advisor.h"
#include "compiler/check/checker.h"
#include "compiler/types/describe.h"

namespace tenure::compiler {

void Checker::CheckStatements(const ast::StmtList& trees, StmtList* out,
                              const ast::StmtList* trace) {
  std::vector<const Variable*> written_outside;
  written_outside.swap(written_);
  for (const ast::Stmt* tree : trees) {
    Stmt* statement = CheckStatement(tree);
    if (statement != nullptr) {
      out->push_back(statement);
      const int errors = diagnostics_.error_count();
      if (trace != nullptr || !written_.empty()) AddTraces(statement, trace, out);
      if (diagnostics_.error_count() > errors) trace = nullptr;  // one report is enough
    }
    written_.clear();
  }
  written_.swap(written_outside);
}

Stmt* Checker::CheckStatement(const ast::Stmt* tree) {
  if (tree == nullptr) return nullptr;
  switch (tree->kind) {
    case ast::StmtKind::kError: return nullptr;
    case ast::StmtKind::kAssign: return CheckAssign(ast::As<ast::AssignStmt>(tree));
    case ast::StmtKind::kBlock: return CheckBlockStatement(ast::As<ast::BlockStmt>(tree));
    case ast::StmtKind::kCall: return CheckCallStatement(ast::As<ast::CallStmt>(tree));
    case ast::StmtKind::kCase: return CheckCase(ast::As<ast::CaseStmt>(tree));
    case ast::StmtKind::kExit: return CheckExit(ast::As<ast::ExitStmt>(tree));
    case ast::StmtKind::kEval: {
      auto* statement = Statement<EvalStmt>(tree->span);
      statement->value = CheckExpr(ast::As<ast::EvalStmt>(tree)->value);
      return statement;
    }
    case ast::StmtKind::kFor: return CheckFor(ast::As<ast::ForStmt>(tree));
    case ast::StmtKind::kIf: return CheckIf(ast::As<ast::IfStmt>(tree));
    case ast::StmtKind::kLock: return CheckLock(ast::As<ast::LockStmt>(tree));
    case ast::StmtKind::kLoop: {
      auto* statement = Statement<LoopStmt>(tree->span);
      ++body_->loop_depth;
      CheckStatements(ast::As<ast::LoopStmt>(tree)->body, &statement->body);
      --body_->loop_depth;
      return statement;
    }
    case ast::StmtKind::kRaise: return CheckRaise(ast::As<ast::RaiseStmt>(tree));
    case ast::StmtKind::kRepeat: {
      const auto* repeat = ast::As<ast::RepeatStmt>(tree);
      auto* statement = Statement<RepeatStmt>(tree->span);
      ++body_->loop_depth;
      CheckStatements(repeat->body, &statement->body);
      --body_->loop_depth;
      statement->condition = CheckCondition(repeat->condition, "the condition of UNTIL");
      return statement;
    }
    case ast::StmtKind::kReturn: return CheckReturn(ast::As<ast::ReturnStmt>(tree));
    case ast::StmtKind::kTypecase: return CheckTypecase(ast::As<ast::TypecaseStmt>(tree));
    case ast::StmtKind::kTryExcept: return CheckTryExcept(ast::As<ast::TryExceptStmt>(tree));
    case ast::StmtKind::kTryFinally: return CheckTryFinally(ast::As<ast::TryFinallyStmt>(tree));
    case ast::StmtKind::kWhile: {
      const auto* loop = ast::As<ast::WhileStmt>(tree);
      auto* statement = Statement<WhileStmt>(tree->span);
      statement->condition = CheckCondition(loop->condition, "the condition of WHILE");
      ++body_->loop_depth;
      CheckStatements(loop->body, &statement->body);
      --body_->loop_depth;
      return statement;
    }
    case ast::StmtKind::kWith: return CheckWith(ast::As<ast::WithStmt>(tree));
    case ast::StmtKind::kAssert: return CheckAssert(ast::As<ast::AssertStmt>(tree));
    case ast::StmtKind::kDebug: return CheckDebug(ast::As<ast::DebugStmt>(tree));
  }
  return nullptr;
}

bool Checker::CheckWritable(Expr* target, SourceSpan span) {
  if (IsError(target)) return false;
  if (!target->designator) {
    auto error = Error(MessageId::kNotDesignator, span, advisor_->NotVariableReason(target, span));
    advisor_->Advise(error, advisor_->NotVariableAdvice(target, span));
    return false;
  }
  if (!target->writable) {
    const auto [reason, help] = advisor_->ReadonlyReason(target);
    auto error = Error(MessageId::kReadonly, span, span.text(), reason);
    if (!help.empty()) error.Hint(help);
    return false;
  }
  return true;
}

Stmt* Checker::CheckAssign(const ast::AssignStmt* tree) {
  assigned_ = tree->target;
  Expr* target = CheckExpr(tree->target);
  assigned_ = nullptr;
  Expr* value = CheckExpr(tree->value);
  if (!CheckWritable(target, tree->target->span) || IsError(value)) return nullptr;
  auto* statement = Statement<AssignStmt>(tree->span);
  statement->target = target;
  statement->value = Convert(value, target->type, Destination::kStore, tree->value->span,
                             {.kind = Receiver::Kind::kVariable, .owner = tree->target->span});
  NoteWrite(target);
  return statement;
}

// A name alone as a statement: a procedure without its parentheses, or a value.
void Checker::ReportNameAlone(const ast::Expr* tree) {
  const auto* name = ast::DynAs<ast::NameExpr>(tree);
  const Operand operand = name != nullptr ? CheckName(name, NameUse::kCallee) : CheckOperand(tree);
  const Signature* signature = nullptr;
  if (operand.kind == Operand::Kind::kError) return;
  if (operand.kind == Operand::Kind::kMethod) {
    signature = &operand.method_type->methods[operand.method].signature;
  } else if (operand.kind == Operand::Kind::kValue) {
    auto* type = As<ProcedureType>(SeeThrough(operand.value->type));
    if (type != nullptr) Complete(type);
    if (type != nullptr) signature = &type->signature;
  }
  if (signature == nullptr) {
    Error(MessageId::kUnusedValue, tree->span);
    return;
  }
  DiagnosticBuilder error = Error(MessageId::kCallNeedsParentheses, tree->span, tree->span.text());
  const bool needs_none = std::ranges::all_of(
      signature->formals, [](const Formal& formal) { return formal.default_value != nullptr; });
  if (needs_none && signature->result == nullptr) {
    error.Fix(tree->span.file->Span(tree->span.end, tree->span.end), "()");
  }
}

Stmt* Checker::CheckCallStatement(const ast::CallStmt* tree) {
  if (tree->call->lacks_parentheses) {
    ReportNameAlone(tree->call->callee);
    return nullptr;
  }
  const Operand operand = CheckCall(tree->call);
  switch (operand.kind) {
    case Operand::Kind::kError: return nullptr;
    case Operand::Kind::kStatement: operand.statement->span = tree->span; return operand.statement;
    case Operand::Kind::kNoValue: {
      auto* statement = Statement<CallStmt>(tree->span);
      statement->call = ExprAs<CallExpr>(operand.value);
      return statement;
    }
    default:
      Error(MessageId::kValueUnused, tree->span)
          .Fix(tree->span.file->Span(tree->span.begin, tree->span.begin), "EVAL ");
      return nullptr;
  }
}

Stmt* Checker::CheckBlockStatement(const ast::BlockStmt* tree) {
  auto* statement = Statement<BlockStmt>(tree->span);
  ContextScope context(*this);
  std::vector<Symbol*> symbols;
  CheckBlock(tree->block, NewScope(), &statement->body, &symbols);
  if (body_->procedure == nullptr) {
    for (const Symbol* symbol : symbols) {
      if (symbol->kind == SymbolKind::kProcedure && symbol->procedure != nullptr) {
        unit_->checked->nested_in_body.push_back(symbol->procedure);
      }
    }
  }
  return statement;
}

Stmt* Checker::CheckIf(const ast::IfStmt* tree) {
  auto* statement = Statement<IfStmt>(tree->span);
  for (const ast::IfArm& arm_tree : tree->arms) {
    IfStmt::Arm arm;
    arm.condition = CheckCondition(arm_tree.condition, "the condition of IF");
    CheckStatements(arm_tree.body, &arm.body);
    statement->arms.push_back(std::move(arm));
  }
  CheckStatements(tree->else_body, &statement->else_body);
  return statement;
}

Stmt* Checker::CheckFor(const ast::ForStmt* tree) {
  Expr* from = CheckExpr(tree->from);
  Expr* to = CheckExpr(tree->to);
  Expr* by = tree->by == nullptr ? nullptr : CheckExpr(tree->by);
  Type* type = types().error;
  if (!IsError(from) && !IsError(to)) {
    const Expr* reported = nullptr;
    for (const Expr* bound : {from, to}) {
      if (IsOrdinal(bound->type)) continue;
      if (reported != nullptr && Same(reported->type, bound->type)) continue;
      reported = bound;
      auto error =
          Error(MessageId::kNotOrdinal, bound->span, "a bound of FOR", TypeToString(bound->type));
      advisor_->Advise(error,
                       advisor_->BoundAdvice(bound, bound == from, bound == from ? to : from));
    }
    if (IsOrdinal(from->type) && IsOrdinal(to->type)) {
      if (Same(BaseType(from->type), BaseType(to->type))) {
        type = BaseType(from->type);
      } else {
        auto error = Error(MessageId::kBoundsDiffer, Join(tree->from->span, tree->to->span),
                           TypeToString(BaseType(from->type)), TypeToString(BaseType(to->type)));
        advisor_->Advise(error, advisor_->WayTo(to, tree->to->span, BaseType(from->type)));
      }
    }
  }
  if (by != nullptr && !IsError(by) && !IsError(type)) {
    const TypeKind wanted =
        type->kind == TypeKind::kLongint ? TypeKind::kLongint : TypeKind::kInteger;
    if (BaseType(by->type)->kind != wanted) {
      auto error =
          Error(MessageId::kBuiltinOperand, by->span, "BY of this FOR",
                wanted == TypeKind::kLongint ? "a LONGINT" : "an INTEGER", TypeToString(by->type));
      Type* number = wanted == TypeKind::kLongint ? types().longint : types().integer;
      advisor_->Advise(error, advisor_->WayTo(by, tree->by->span, number));
    }
  }
  ContextScope context(*this);
  Scope* scope = NewScope();
  auto* statement = Statement<ForStmt>(tree->span);
  statement->variable = NewLocal(tree->index, Variable::Kind::kFor, type);
  statement->variable->writable = false;
  DeclareLocal(scope, tree->index, statement->variable, Scope::Origin::kLocal);
  if (Scope::Entry* entry = scope->FindHere(tree->index.name)) entry->unused_ok = true;
  scope_ = scope;
  statement->from = ToBase(from);
  statement->to = ToBase(to);
  statement->by = by == nullptr ? nullptr : ToBase(by);
  SetTrace(statement->variable, tree->index.name, tree->trace, scope);
  ++body_->loop_depth;
  AddTrace(statement->variable, &statement->body);
  CheckStatements(tree->body, &statement->body);
  --body_->loop_depth;
  return statement;
}

Stmt* Checker::CheckCase(const ast::CaseStmt* tree) {
  auto* statement = Statement<CaseStmt>(tree->span);
  Expr* selector = CheckExpr(tree->selector);
  bool ok = !IsError(selector);
  if (ok && !IsOrdinal(selector->type)) {
    auto error = Error(MessageId::kNotOrdinal, selector->span, "the selector of CASE",
                       TypeToString(selector->type));
    advisor_->Advise(error, advisor_->SelectorAdvice(selector, tree));
    ok = false;
  }
  struct Range {
    int64_t low, high;
    SourceSpan span;
  };
  std::vector<Range> all;
  for (const ast::CaseArm& arm_tree : tree->arms) {
    CaseStmt::Arm arm;
    for (const ast::CaseLabel& label : arm_tree.labels) {
      if (!ok) break;  // its labels are of the selector's kind
      Type *low_type = nullptr, *high_type = nullptr;
      const Constant* low = CheckConstant(label.low, &low_type, "a label of CASE");
      const Constant* high =
          label.high == nullptr ? low : CheckConstant(label.high, &high_type, "a label of CASE");
      if (low == nullptr || high == nullptr || !ok) continue;
      if (label.high != nullptr && low->kind == Constant::Kind::kOrdinal &&
          high->kind == Constant::Kind::kOrdinal && low->ordinal > high->ordinal &&
          IsOrdinal(high_type) && IsOrdinal(low_type)) {
        continue;  // selects nothing
      }
      low = RequireMember(low, low_type, selector->type, label.low->span, "a label of CASE");
      if (label.high != nullptr) {
        high = RequireMember(high, high_type, selector->type, label.high->span, "a label of CASE");
      }
      if (low == nullptr || high == nullptr) continue;
      all.push_back({low->ordinal, high->ordinal, label.span});
      arm.ranges.push_back({low->ordinal, high->ordinal});
    }
    CheckStatements(arm_tree.body, &arm.body);
    statement->arms.push_back(std::move(arm));
  }
  statement->has_else = tree->has_else;
  CheckStatements(tree->else_body, &statement->else_body);
  if (!ok) return nullptr;
  std::stable_sort(all.begin(), all.end(),
                   [](const Range& a, const Range& b) { return a.low < b.low; });
  __int128 covered = 0;
  const Range* widest = nullptr;
  bool overlap = false;
  for (const Range& range : all) {
    if (widest != nullptr && range.low <= widest->high) {
      const bool later = range.span.begin > widest->span.begin;
      Error(MessageId::kLabelTwice, later ? range.span : widest->span)
          .Note(MessageId::kOtherLabelHere, later ? widest->span : range.span);
      overlap = true;
    }
    if (widest == nullptr || range.high > widest->high) widest = &range;
    covered += static_cast<__int128>(range.high) - range.low + 1;
  }
  const auto values = static_cast<__int128>(LastOf(selector->type)) - FirstOf(selector->type) + 1;
  if (!tree->has_else && !overlap && covered < values)
    Warn(MessageId::kCaseNotExhaustive, tree->selector->span,
         advisor_->MissingLabels(*statement, selector->type))
        .Hint("add these labels, or ELSE");
  statement->selector = ToBase(selector);
  return statement;
}

Stmt* Checker::CheckTypecase(const ast::TypecaseStmt* tree) {
  auto* statement = Statement<TypecaseStmt>(tree->span);
  Expr* selector = CheckExpr(tree->selector);
  bool ok = !IsError(selector);
  if (ok) {
    Type* type = StripPacked(selector->type);
    const bool testable =
        IsReference(type) && type->kind != TypeKind::kAddress &&
        (IsTracedReference(type) || KnownObject(type) != nullptr || type->kind == TypeKind::kNull);
    if (!testable) {
      auto error =
          Error(MessageId::kTypecaseSelector, selector->span, TypeToString(selector->type));
      if (IsOrdinal(type)) {
        error.Hint("CASE chooses by the value of an " + TypeToString(selector->type));
      } else {
        error.Hint("the type of this value is always " + TypeToString(selector->type));
      }
      ok = false;
    }
  }
  std::vector<std::pair<Type*, SourceSpan>> seen;
  for (const ast::TypecaseArm& arm_tree : tree->arms) {
    TypecaseStmt::Arm arm;
    for (const ast::TypeExpr* type_tree : arm_tree.types) {
      Type* type = ResolveType(type_tree);
      if (IsError(type) || !ok) continue;
      type = StripPacked(type);
      if (!IsReference(type) || !Subtype(type, selector->type)) {
        auto error = Error(MessageId::kTypecaseLabel, type_tree->span, TypeToString(type),
                           TypeToString(selector->type));
        advisor_->NoteDeclaration(error, type);
        advisor_->NoteDeclaration(error, selector->type);
        error.Hint("a value of type " + TypeToString(selector->type) + " is never of this type");
        continue;
      }
      for (const auto& [earlier, span] : seen) {
        if (Subtype(type, earlier)) {
          Warn(MessageId::kTypecaseUnreachable, type_tree->span, TypeToString(earlier));
          break;
        }
      }
      seen.push_back({type, type_tree->span});
      arm.types.push_back(type);
    }
    ContextScope context(*this);
    if (arm_tree.variable.name) {
      Type* type = types().error;
      if (arm_tree.types.size() != 1) {
        Error(MessageId::kTypecaseVariable, arm_tree.variable.span);
      } else if (!arm.types.empty()) {
        type = arm.types[0];
      }
      Scope* scope = NewScope();
      arm.variable = NewLocal(arm_tree.variable, Variable::Kind::kTypecase, type);
      DeclareLocal(scope, arm_tree.variable, arm.variable, Scope::Origin::kLocal);
      scope_ = scope;
      SetTrace(arm.variable, arm_tree.variable.name, arm_tree.trace, scope);
      AddTrace(arm.variable, &arm.body);
    }
    CheckStatements(arm_tree.body, &arm.body);
    if (arm_tree.variable.name && !unit_->failed) WarnUnused(scope_);
    statement->arms.push_back(std::move(arm));
  }
  statement->has_else = tree->has_else;
  CheckStatements(tree->else_body, &statement->else_body);
  if (!ok) return nullptr;
  statement->selector = selector;
  return statement;
}

Stmt* Checker::CheckExit(const ast::ExitStmt* tree) {
  if (body_->loop_depth == 0) {
    Error(MessageId::kExitOutsideLoop, tree->span);
    return nullptr;
  }
  const auto& elses = body_->else_at_loop_depth;
  if (!elses.empty() && elses.back() == body_->loop_depth)
    Warn(MessageId::kCaughtByElse, tree->span, "EXIT");
  return Statement<ExitStmt>(tree->span);
}

Stmt* Checker::CheckReturn(const ast::ReturnStmt* tree) {
  Expr* value = tree->value == nullptr ? nullptr : CheckExpr(tree->value);
  auto* statement = Statement<ReturnStmt>(tree->span);
  if (body_->signature == nullptr) {
    Error(MessageId::kReturnInModule, tree->span)
        .Hint("the program ends at the END of the module; Process.Exit ends it earlier");
    return nullptr;
  }
  if (!body_->else_at_loop_depth.empty()) Warn(MessageId::kCaughtByElse, tree->span, "RETURN");
  Type* result = body_->signature->result;
  if (result == nullptr) {
    if (value != nullptr) {
      auto error = Error(MessageId::kReturnValue, tree->value->span, body_->procedure->name);
      error.Note(MessageId::kDeclaredHere, body_->procedure->span, body_->procedure->name);
      const std::string type = IsError(value) ? "" : advisor_->TypeHere(value->type);
      error.Hint("a result needs a type behind the formals: PROCEDURE " + body_->procedure->name +
                 "(...): " + (type.empty() ? "T" : type));
    }
    return statement;
  }
  if (value == nullptr) {
    Error(MessageId::kReturnNeedsValue, tree->span, body_->procedure->name, TypeToString(result))
        .Hint("write RETURN with a value of type " + TypeToString(result));
    return statement;
  }
  statement->value = Convert(value, result, Destination::kStore, tree->value->span,
                             {.kind = Receiver::Kind::kResult, .name = body_->procedure->name});
  return statement;
}

Stmt* Checker::CheckRaise(const ast::RaiseStmt* tree) {
  Exception* exception = LookUpException(tree->exception);
  Expr* argument = tree->argument == nullptr ? nullptr : CheckExpr(tree->argument);
  if (exception == nullptr) return nullptr;
  NoteRaise(exception, tree->span);
  if (exception->argument == nullptr && argument != nullptr) {
    auto error = Error(MessageId::kRaiseSuperfluous, tree->argument->span, exception->name);
    advisor_->NoteDeclaration(error, tree->exception);
    const std::string type = IsError(argument) ? "" : advisor_->TypeHere(argument->type);
    const SourceSpan exception_span = tree->exception.span;
    error.Hint("an argument needs a type: EXCEPTION " + tree->exception.name.name.str() + "(" +
               (type.empty() ? "T" : type) + "); without it: RAISE " + ShortSource(exception_span));
    return nullptr;
  }
  if (exception->argument != nullptr && argument == nullptr) {
    auto error = Error(MessageId::kRaiseNeedsArgument, tree->span, exception->name,
                       TypeToString(exception->argument));
    advisor_->NoteDeclaration(error, tree->exception);
    error.Hint("write RAISE " + ShortSource(tree->exception.span) + "(...) with a value of type " +
               TypeToString(exception->argument));
    return nullptr;
  }
  auto* statement = Statement<RaiseStmt>(tree->span);
  statement->exception = exception;
  if (argument != nullptr) {
    statement->argument =
        Convert(argument, exception->argument, Destination::kStore, tree->argument->span,
                {.kind = Receiver::Kind::kException, .name = exception->name});
  }
  return statement;
}

Stmt* Checker::CheckTryExcept(const ast::TryExceptStmt* tree) {
  auto* statement = Statement<TryExceptStmt>(tree->span);
  std::map<Exception*, SourceSpan> seen;
  for (const ast::Handler& handler_tree : tree->handlers) {
    TryExceptStmt::Handler handler;
    for (const ast::QualId& id : handler_tree.exceptions) {
      Exception* exception = LookUpException(id);
      if (exception == nullptr) continue;
      const auto [place, fresh] = seen.emplace(exception, id.span);
      if (!fresh) {
        Error(MessageId::kHandledTwice, id.span, exception->name)
            .Note(MessageId::kOtherHandlerHere, place->second, exception->name);
        continue;
      }
      handler.exceptions.push_back(exception);
    }
    statement->handlers.push_back(std::move(handler));
  }
  statement->has_else = tree->has_else;
  body_->catches.push_back({&statement->handlers, tree->has_else});
  if (tree->has_else) body_->else_at_loop_depth.push_back(body_->loop_depth);
  CheckStatements(tree->body, &statement->body);
  if (tree->has_else) body_->else_at_loop_depth.pop_back();
  body_->catches.pop_back();

  for (size_t i = 0; i < tree->handlers.size(); ++i) {
    const ast::Handler& handler_tree = tree->handlers[i];
    TryExceptStmt::Handler& handler = statement->handlers[i];
    ContextScope context(*this);
    if (handler_tree.variable.name) {
      Type* type = types().error;
      bool known = handler.exceptions.size() == handler_tree.exceptions.size();
      for (const Exception* exception : handler.exceptions) {
        if (exception->argument == nullptr) {
          auto error =
              Error(MessageId::kHandlerVariable, handler_tree.variable.span, exception->name);
          for (const ast::QualId& id : handler_tree.exceptions)
            advisor_->NoteDeclaration(error, id);
          error.Hint("write the handler without (" + handler_tree.variable.name.str() + ")");
          known = false;
          break;
        }
        if (exception != handler.exceptions[0] &&
            !Same(exception->argument, handler.exceptions[0]->argument)) {
          Error(MessageId::kHandlerArguments, handler_tree.variable.span)
              .Hint("give each of these exceptions a handler of its own, separated by |");
          known = false;
          break;
        }
      }
      if (known && !handler.exceptions.empty()) type = handler.exceptions[0]->argument;
      Scope* scope = NewScope();
      handler.variable = NewLocal(handler_tree.variable, Variable::Kind::kHandler, type);
      DeclareLocal(scope, handler_tree.variable, handler.variable, Scope::Origin::kLocal);
      scope_ = scope;
      SetTrace(handler.variable, handler_tree.variable.name, handler_tree.trace, scope);
      AddTrace(handler.variable, &handler.body);
    }
    body_->activations.push_back(&handler.activation);
    CheckStatements(handler_tree.body, &handler.body);
    body_->activations.pop_back();
    if (handler_tree.variable.name && !unit_->failed) WarnUnused(scope_);
  }
  body_->activations.push_back(&statement->else_activation);
  CheckStatements(tree->else_body, &statement->else_body);
  body_->activations.pop_back();
  return statement;
}

Stmt* Checker::CheckTryFinally(const ast::TryFinallyStmt* tree) {
  auto* statement = Statement<TryFinallyStmt>(tree->span);
  CheckStatements(tree->body, &statement->body);
  body_->activations.push_back(&statement->activation);
  CheckStatements(tree->finally_body, &statement->finally_body);
  body_->activations.pop_back();
  return statement;
}

Stmt* Checker::CheckLock(const ast::LockStmt* tree) {
  auto* statement = Statement<LockStmt>(tree->span);
  Expr* mutex = CheckExpr(tree->mutex);
  if (!IsError(mutex)) {
    if (Assignable(mutex->type, types().mutex) == Assignability::kNo) {
      Error(MessageId::kLockOperand, mutex->span, TypeToString(mutex->type))
          .Hint(
              "a MUTEX is made by NEW(MUTEX); an object can be one: TYPE T = MUTEX OBJECT ... END");
    } else {
      mutex = Convert(mutex, types().mutex, Destination::kPass, mutex->span);
    }
  }
  statement->mutex = mutex;
  const UnitInfo* thread = OwnInterface("Thread");
  for (const auto& [name, procedure] :
       {std::pair{"Acquire", &statement->acquire}, std::pair{"Release", &statement->release}}) {
    Scope::Entry* entry =
        thread == nullptr ? nullptr : thread->scope->FindHere(interner_.Intern(name));
    if (entry == nullptr) {
      if (options_.needs_main) Error(MessageId::kNeedsInterface, tree->span, "LOCK", "Thread");
      break;
    }
    Resolve(entry->symbol);
    if (!entry->symbol->first_use.valid()) entry->symbol->first_use = tree->span;
    *procedure = entry->symbol->procedure;
  }
  CheckStatements(tree->body, &statement->body);
  return statement;
}

Stmt* Checker::CheckWith(const ast::WithStmt* tree) {
  auto* statement = Statement<WithStmt>(tree->span);
  ContextScope context(*this);
  std::vector<Scope*> scopes;
  bool traced = false;  // the binding before
  for (const ast::Binding& binding_tree : tree->bindings) {
    Expr* value = CheckExpr(binding_tree.value);
    WithStmt::Binding binding;
    binding.value = value;
    // A WITH name can begin at any bit only if its type is packed; other types get there only by
    // LOOPHOLE.
    if (value->designator && !IsError(value) && value->type->kind != TypeKind::kPacked &&
        !IsByteAligned(value)) {
      Error(MessageId::kWithBits, binding_tree.value->span);
      value = binding.value = MakeError(binding_tree.value->span);
    }
    binding.variable = NewLocal(binding_tree.name, Variable::Kind::kWith, value->type);
    binding.variable->alias = value->designator && !IsError(value);
    binding.variable->writable = value->writable;
    if (binding.variable->alias && IsWholeVariable(value)) whole_aliases_.insert(binding.variable);
    // One scope for all bindings, since a scope for each would make name look-up slow. Values that
    // are already checked do not see the later names. The procedure of a trace is checked later and
    // could see them.
    if (scopes.empty() || traced || scopes.back()->FindHere(binding_tree.name.name) != nullptr) {
      scopes.push_back(NewScope());
      scope_ = scopes.back();
    }
    DeclareLocal(scope_, binding_tree.name, binding.variable, Scope::Origin::kLocal);
    statement->bindings.push_back(binding);
    SetTrace(binding.variable, binding_tree.name.name, binding_tree.trace, scope_);
    traced = binding_tree.trace != nullptr;
  }
  for (const WithStmt::Binding& binding : statement->bindings) {
    AddTrace(binding.variable, &statement->body);
  }
  CheckStatements(tree->body, &statement->body);
  if (!unit_->failed) {
    for (Scope* scope : scopes) WarnUnused(scope);
  }
  return statement;
}

Stmt* Checker::CheckAssert(const ast::AssertStmt* tree) {
  auto* statement = Statement<AssertStmt>(tree->span);
  statement->condition = CheckCondition(tree->condition, "the condition of ASSERT");
  if (tree->message != nullptr) {
    Expr* message = CheckExpr(tree->message);
    statement->message = Convert(message, types().text, Destination::kPass, tree->message->span);
  }
  return statement;
}

// DEBUG prints only in a debugging compiler; the operands are checked in any case.
Stmt* Checker::CheckDebug(const ast::DebugStmt* tree) {
  if (tree->condition != nullptr) CheckCondition(tree->condition, "the condition of DEBUG");
  for (const ast::Expr* text_tree : tree->texts) {
    Convert(CheckExpr(text_tree), types().text, Destination::kPass, text_tree->span);
  }
  return nullptr;
}

}  // namespace tenure::compiler
