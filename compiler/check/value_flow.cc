#include "compiler/check/value_flow.h"

#include <algorithm>

#include "compiler/check/walk.h"

namespace tenure::compiler {

namespace {

// The variable whose memory the designator is, or is a part of; null if a reference leads there.
const Variable* RootOf(const Expr* designator) {
  while (designator != nullptr) {
    switch (designator->kind) {
      case ExprKind::kVariable: return ExprAs<const VariableExpr>(designator)->variable;
      case ExprKind::kField: designator = ExprAs<const FieldExpr>(designator)->operand; break;
      case ExprKind::kSubscript:
        designator = ExprAs<const SubscriptExpr>(designator)->operand;
        break;
      case ExprKind::kSubarray: designator = ExprAs<const SubarrayExpr>(designator)->operand; break;
      case ExprKind::kConvert: designator = ExprAs<const ConvertExpr>(designator)->operand; break;
      case ExprKind::kBuiltin: {
        const auto* builtin = ExprAs<const BuiltinExpr>(designator);
        if (builtin->builtin != Builtin::kLoophole) return nullptr;
        designator = builtin->arguments[0];
        break;
      }
      default: return nullptr;
    }
  }
  return nullptr;
}

bool IsConstantNil(const Expr* value) {
  while (const auto* convert = ExprAs<const ConvertExpr>(value)) value = convert->operand;
  const auto* constant = ExprAs<const ConstantExpr>(value);
  return constant != nullptr && constant->value->kind == Constant::Kind::kNil;
}

const Variable* PlainVariable(const Expr* value) {
  while (true) {
    if (const auto* convert = ExprAs<const ConvertExpr>(value)) {
      value = convert->operand;
    } else if (const auto* call = ExprAs<const CallExpr>(value);
               call != nullptr && call->returns_first) {
      value = call->arguments[0].value;
    } else {
      break;
    }
  }
  const auto* variable = ExprAs<const VariableExpr>(value);
  return variable == nullptr ? nullptr : variable->variable;
}

bool IsVarActual(const CallExpr* call, size_t at) {
  return call->signature != nullptr && at < call->signature->formals.size() &&
         call->signature->formals[at].mode == ParameterMode::kVar;
}

// Whether reading a variable of the type before anything was assigned to it is reported. The
// elements of arrays, the fields of records and sets are often filled in pieces.
bool IsScalar(const Type* type) { return IsOrdinal(type) || IsFloat(type) || IsReference(type); }

}  // namespace

// --- what is known ---

void ValueFlow::Join(State* into, const State& other) const {
  if (!other.reachable) return;
  if (!into->reachable) {
    *into = other;
    return;
  }
  for (auto entry = into->facts.begin(); entry != into->facts.end();) {
    const auto found = other.facts.find(entry->first);
    entry->second &= found == other.facts.end() ? uint8_t{0} : found->second;
    entry = entry->second == 0 ? into->facts.erase(entry) : std::next(entry);
  }
}

void ValueFlow::Forget(State* state, const std::set<const Variable*>& variables) {
  for (const Variable* variable : variables) state->facts.erase(variable);
}

bool ValueFlow::IsTracked(const Variable* variable) const {
  if (variable->kind == Variable::Kind::kGlobal && !globals_.contains(variable)) return false;
  return !variable->used_by_nested && !variable->external && !variable->alias &&
         !aliased_.contains(variable);
}

void ValueFlow::Set(const Variable* variable, uint8_t facts) {
  if (facts == 0 || !IsTracked(variable)) {
    state_.facts.erase(variable);
  } else {
    state_.facts[variable] = facts;
  }
}

uint8_t ValueFlow::FirstFacts(const Type* type) {
  if (!IsScalar(type)) return 0;
  return IsReference(type) ? kUnassigned | kNil : kUnassigned;
}

void ValueFlow::FindAliases(const Expr* expr) {
  if (const auto* builtin = ExprAs<const BuiltinExpr>(expr);
      builtin != nullptr &&
      (builtin->builtin == Builtin::kAdr || builtin->builtin == Builtin::kLoophole)) {
    if (const Variable* root = RootOf(builtin->arguments[0])) aliased_.insert(root);
  }
  ForEachOperandOfChain(expr, [&](const Expr* operand) { FindAliases(operand); });
}

void ValueFlow::FindAliases(const StmtList& list) {
  for (const Stmt* stmt : list) {
    if (const auto* with = StmtAs<const WithStmt>(stmt)) {
      for (const WithStmt::Binding& binding : with->bindings) {
        if (!binding.variable->alias) continue;
        if (const Variable* root = RootOf(binding.value)) aliased_.insert(root);
      }
    }
    ForEachPart(
        stmt, [&](const Expr* expr) { FindAliases(expr); },
        [&](const StmtList& inner) { FindAliases(inner); });
  }
}

void ValueFlow::FindWrites(const Expr* expr, std::set<const Variable*>* out) {
  if (const auto* call = ExprAs<const CallExpr>(expr)) {
    for (size_t i = 0; i < call->arguments.size(); ++i) {
      if (!IsVarActual(call, i)) continue;
      if (const Variable* root = RootOf(call->arguments[i].value)) out->insert(root);
    }
  }
  ForEachOperandOfChain(expr, [&](const Expr* operand) { FindWrites(operand, out); });
}

void ValueFlow::FindWrites(const StmtList& list, std::set<const Variable*>* out) {
  for (const Stmt* stmt : list) {
    const Variable* root = nullptr;
    if (const auto* assign = StmtAs<const AssignStmt>(stmt)) root = RootOf(assign->target);
    if (const auto* step = StmtAs<const IncDecStmt>(stmt)) root = RootOf(step->target);
    if (const auto* dispose = StmtAs<const DisposeStmt>(stmt)) root = RootOf(dispose->target);
    if (const auto* initialize = StmtAs<const InitializeStmt>(stmt)) root = initialize->variable;
    if (root != nullptr) out->insert(root);
    ForEachPart(
        stmt, [&](const Expr* expr) { FindWrites(expr, out); },
        [&](const StmtList& inner) { FindWrites(inner, out); });
  }
}

void ValueFlow::Refine(const Expr* condition, bool truth, State* state) const {
  if (const auto* negation = ExprAs<const NotExpr>(condition)) {
    Refine(negation->operand, !truth, state);
  } else if (const auto* both = ExprAs<const AndExpr>(condition); both != nullptr && truth) {
    Refine(both->left, true, state);
    Refine(both->right, true, state);
  } else if (const auto* either = ExprAs<const OrExpr>(condition); either != nullptr && !truth) {
    Refine(either->left, false, state);
    Refine(either->right, false, state);
  } else if (const auto* compare = ExprAs<const CompareExpr>(condition)) {
    if (compare->operands != Operands::kReference) return;
    const Variable* variable = IsConstantNil(compare->right)  ? PlainVariable(compare->left)
                               : IsConstantNil(compare->left) ? PlainVariable(compare->right)
                                                              : nullptr;
    if (variable == nullptr || !IsTracked(variable)) return;
    if ((compare->op == Op::kEqual) == truth) {
      state->facts[variable] |= kNil;
    } else if (const auto found = state->facts.find(variable); found != state->facts.end()) {
      if ((found->second & kNil) != 0) state->reachable = false;
    }
  }
}

// --- expressions ---

void ValueFlow::Read(const Variable* variable, SourceSpan span) {
  // Programs may rely on a reference that begins as NIL.
  if (IsReference(variable->type)) return;
  const auto found = state_.facts.find(variable);
  if (found == state_.facts.end() || (found->second & kUnassigned) == 0 || !state_.reachable)
    return;
  if (is_first_pass_ && conditions_ > 0) return;
  if (reported_.insert(variable).second) report_(Finding::kUnassigned, variable, span);
  state_.facts.erase(found);
}

void ValueFlow::Follow(const Expr* reference, SourceSpan span) {
  const Variable* variable = PlainVariable(reference);
  const auto found = variable == nullptr ? state_.facts.end() : state_.facts.find(variable);
  if (found != state_.facts.end() && (found->second & kNil) != 0 && state_.reachable &&
      !(is_first_pass_ && conditions_ > 0)) {
    const bool unassigned = (found->second & kUnassigned) != 0;
    if (!unassigned || reported_.insert(variable).second)
      report_(unassigned ? Finding::kUnassignedNil : Finding::kNil, variable, span);
    state_.facts.erase(found);
  }
  Value(reference);
}

void ValueFlow::Place(const Expr* expr) {
  switch (expr->kind) {
    case ExprKind::kVariable: return;
    case ExprKind::kField: Place(ExprAs<const FieldExpr>(expr)->operand); return;
    case ExprKind::kSubscript:
      Place(ExprAs<const SubscriptExpr>(expr)->operand);
      Value(ExprAs<const SubscriptExpr>(expr)->index);
      return;
    case ExprKind::kSubarray:
      Place(ExprAs<const SubarrayExpr>(expr)->operand);
      Value(ExprAs<const SubarrayExpr>(expr)->from);
      Value(ExprAs<const SubarrayExpr>(expr)->count);
      return;
    case ExprKind::kConvert: Place(ExprAs<const ConvertExpr>(expr)->operand); return;
    default: Value(expr);
  }
}

void ValueFlow::Call(const CallExpr* call) {
  if (call->object != nullptr) Follow(call->object, call->object->span);
  if (call->callee != nullptr) Value(call->callee);
  for (size_t i = 0; i < call->arguments.size(); ++i) {
    const Expr* value = call->arguments[i].value;
    if (value == nullptr) continue;
    if (IsVarActual(call, i)) {
      Place(value);
    } else {
      Value(value);
    }
  }
  for (size_t i = 0; i < call->arguments.size(); ++i) {
    if (!IsVarActual(call, i)) continue;
    if (const Variable* root = RootOf(call->arguments[i].value)) Set(root, 0);
  }
}

void ValueFlow::Value(const Expr* expr) {
  switch (expr->kind) {
    case ExprKind::kVariable: Read(ExprAs<const VariableExpr>(expr)->variable, expr->span); return;
    case ExprKind::kDeref: Follow(ExprAs<const DerefExpr>(expr)->operand, expr->span); return;
    case ExprKind::kObjectField:
      Follow(ExprAs<const ObjectFieldExpr>(expr)->operand, expr->span);
      return;
    case ExprKind::kCall: Call(ExprAs<const CallExpr>(expr)); return;
    case ExprKind::kAnd:
    case ExprKind::kOr: {
      const bool is_and = expr->kind == ExprKind::kAnd;
      const Expr* left =
          is_and ? ExprAs<const AndExpr>(expr)->left : ExprAs<const OrExpr>(expr)->left;
      const Expr* right =
          is_and ? ExprAs<const AndExpr>(expr)->right : ExprAs<const OrExpr>(expr)->right;
      Value(left);
      State without = state_;
      Refine(left, is_and, &state_);
      ++conditions_;
      Value(right);
      --conditions_;
      Join(&state_, without);
      return;
    }
    default: ForEachOperandOfChain(expr, [&](const Expr* operand) { Value(operand); });
  }
}

bool ValueFlow::IsNil(const Expr* value) const {
  if (IsConstantNil(value)) return true;
  const Variable* variable = PlainVariable(value);
  const auto found = variable == nullptr ? state_.facts.end() : state_.facts.find(variable);
  return found != state_.facts.end() && (found->second & kNil) != 0;
}

// --- statements ---

void ValueFlow::Assign(const Expr* target, const Expr* value) {
  Place(target);
  const bool nil = IsReference(target->type) && IsNil(value);
  Value(value);
  const Variable* root = RootOf(target);
  if (root == nullptr) return;
  Set(root, nil && target->kind == ExprKind::kVariable ? uint8_t{kNil} : uint8_t{0});
}

void ValueFlow::List(const StmtList& list) {
  for (const Stmt* stmt : list) Statement(stmt);
}

void ValueFlow::If(const IfStmt* stmt) {
  State after;
  after.reachable = false;
  const int outer = conditions_;
  for (const IfStmt::Arm& arm : stmt->arms) {
    Value(arm.condition);
    State otherwise = state_;
    Refine(arm.condition, false, &otherwise);
    Refine(arm.condition, true, &state_);
    ++conditions_;
    List(arm.body);
    Join(&after, state_);
    state_ = std::move(otherwise);
  }
  List(stmt->else_body);
  Join(&state_, after);
  conditions_ = outer;
}

void ValueFlow::Loop(const Expr* condition, const StmtList& body, bool test_first, bool can_end) {
  std::set<const Variable*> writes;
  FindWrites(body, &writes);
  if (condition != nullptr) FindWrites(condition, &writes);
  const auto iterate = [&](State* at_end) {
    if (condition != nullptr && test_first) {
      Value(condition);
      *at_end = state_;
      Refine(condition, false, at_end);
      Refine(condition, true, &state_);
    } else if (condition == nullptr) {
      *at_end = state_;
    }
    List(body);
    if (condition != nullptr && !test_first) {
      Value(condition);
      *at_end = state_;
      Refine(condition, true, at_end);
    }
  };
  std::vector<State>* outer_exits = exits_;
  const State entry = state_;
  State end;
  if (!is_first_pass_ && std::ranges::any_of(writes, [&](const Variable* variable) {
        return entry.facts.contains(variable);
      })) {
    std::vector<State> ignored;
    exits_ = &ignored;
    is_first_pass_ = true;
    const int outer = conditions_;
    conditions_ = 0;
    iterate(&end);
    conditions_ = outer;
    is_first_pass_ = false;
  }
  std::vector<State> exits;
  exits_ = &exits;
  state_ = entry;
  Forget(&state_, writes);
  ++conditions_;
  iterate(&end);
  --conditions_;
  exits_ = outer_exits;
  state_ = end;
  if (!can_end) state_.reachable = false;
  for (const State& exit : exits) Join(&state_, exit);
}

// An exception may come from anywhere in the body.
void ValueFlow::Try(const TryExceptStmt* stmt) {
  State handling = state_;
  std::set<const Variable*> writes;
  FindWrites(stmt->body, &writes);
  Forget(&handling, writes);
  ++conditions_;
  List(stmt->body);
  State after = state_;
  for (const TryExceptStmt::Handler& handler : stmt->handlers) {
    state_ = handling;
    List(handler.body);
    Join(&after, state_);
  }
  if (stmt->has_else) {
    state_ = handling;
    List(stmt->else_body);
    Join(&after, state_);
  }
  --conditions_;
  state_ = std::move(after);
}

void ValueFlow::Finally(const TryFinallyStmt* stmt) {
  State handling = state_;
  std::set<const Variable*> writes;
  FindWrites(stmt->body, &writes);
  Forget(&handling, writes);
  const std::set<const Variable*> outer = written_by_finally_;
  FindWrites(stmt->finally_body, &written_by_finally_);
  ++conditions_;
  List(stmt->body);
  written_by_finally_ = outer;
  const bool falls = state_.reachable;
  Join(&state_, handling);
  List(stmt->finally_body);
  --conditions_;
  state_.reachable = state_.reachable && falls;
}

void ValueFlow::Statement(const Stmt* stmt) {
  switch (stmt->kind) {
    case StmtKind::kAssign:
      Assign(StmtAs<const AssignStmt>(stmt)->target, StmtAs<const AssignStmt>(stmt)->value);
      return;
    case StmtKind::kCall: Call(StmtAs<const CallStmt>(stmt)->call); return;
    case StmtKind::kEval: {
      // `EVAL x` only says that x is used.
      const Expr* value = StmtAs<const EvalStmt>(stmt)->value;
      if (value->kind != ExprKind::kVariable) Value(value);
      return;
    }
    case StmtKind::kBlock: List(StmtAs<const BlockStmt>(stmt)->body); return;
    case StmtKind::kInitialize: {
      const Variable* variable = StmtAs<const InitializeStmt>(stmt)->variable;
      Set(variable, FirstFacts(variable->type));
      return;
    }
    case StmtKind::kIf: If(StmtAs<const IfStmt>(stmt)); return;
    case StmtKind::kLoop: Loop(nullptr, StmtAs<const LoopStmt>(stmt)->body, true, false); return;
    case StmtKind::kWhile: {
      const auto* loop = StmtAs<const WhileStmt>(stmt);
      Loop(loop->condition, loop->body, true, true);
      return;
    }
    case StmtKind::kRepeat: {
      const auto* loop = StmtAs<const RepeatStmt>(stmt);
      Loop(loop->condition, loop->body, false, true);
      return;
    }
    case StmtKind::kFor: {
      const auto* loop = StmtAs<const ForStmt>(stmt);
      Value(loop->from);
      Value(loop->to);
      if (loop->by != nullptr) Value(loop->by);
      Loop(nullptr, loop->body, true, true);
      return;
    }
    case StmtKind::kCase:
    case StmtKind::kTypecase: {
      const auto* cases = StmtAs<const CaseStmt>(stmt);
      const auto* types = StmtAs<const TypecaseStmt>(stmt);
      Value(cases != nullptr ? cases->selector : types->selector);
      const State entry = state_;
      State after;
      after.reachable = false;
      const auto arm = [&](const StmtList& body) {
        state_ = entry;
        List(body);
        Join(&after, state_);
      };
      ++conditions_;
      if (cases != nullptr) {
        for (const CaseStmt::Arm& a : cases->arms) arm(a.body);
        if (cases->has_else) arm(cases->else_body);
      } else {
        for (const TypecaseStmt::Arm& a : types->arms) arm(a.body);
        if (types->has_else) arm(types->else_body);
      }
      --conditions_;
      state_ = std::move(after);
      return;
    }
    case StmtKind::kExit:
      Forget(&state_, written_by_finally_);
      if (exits_ != nullptr) exits_->push_back(state_);
      state_.reachable = false;
      return;
    case StmtKind::kReturn:
      if (StmtAs<const ReturnStmt>(stmt)->value != nullptr)
        Value(StmtAs<const ReturnStmt>(stmt)->value);
      state_.reachable = false;
      return;
    case StmtKind::kRaise:
      if (StmtAs<const RaiseStmt>(stmt)->argument != nullptr)
        Value(StmtAs<const RaiseStmt>(stmt)->argument);
      state_.reachable = false;
      return;
    case StmtKind::kTryExcept: Try(StmtAs<const TryExceptStmt>(stmt)); return;
    case StmtKind::kTryFinally: Finally(StmtAs<const TryFinallyStmt>(stmt)); return;
    case StmtKind::kLock:
      Value(StmtAs<const LockStmt>(stmt)->mutex);
      List(StmtAs<const LockStmt>(stmt)->body);
      return;
    case StmtKind::kWith: {
      const auto* with = StmtAs<const WithStmt>(stmt);
      for (const WithStmt::Binding& binding : with->bindings) {
        if (binding.variable->alias) {
          Place(binding.value);
          continue;
        }
        const bool nil = IsReference(binding.value->type) && IsNil(binding.value);
        Value(binding.value);
        Set(binding.variable, nil ? uint8_t{kNil} : uint8_t{0});
      }
      List(with->body);
      return;
    }
    case StmtKind::kIncDec: {
      const auto* step = StmtAs<const IncDecStmt>(stmt);
      Value(step->target);
      if (step->amount != nullptr) Value(step->amount);
      if (const Variable* root = RootOf(step->target)) Set(root, 0);
      return;
    }
    case StmtKind::kAssert: {
      const auto* assertion = StmtAs<const AssertStmt>(stmt);
      Value(assertion->condition);
      if (assertion->message != nullptr) Value(assertion->message);
      Refine(assertion->condition, true, &state_);
      const auto* constant = ExprAs<const ConstantExpr>(assertion->condition);
      if (constant != nullptr && constant->value->ordinal == 0) state_.reachable = false;
      return;
    }
    case StmtKind::kDispose: {
      const Expr* target = StmtAs<const DisposeStmt>(stmt)->target;
      Place(target);
      if (const Variable* root = RootOf(target)) Set(root, 0);
      return;
    }
  }
}

void ValueFlow::Walk(const StmtList& body, const std::vector<const Variable*>& globals) {
  FindAliases(body);
  globals_.insert(globals.begin(), globals.end());
  for (const Variable* variable : globals) Set(variable, FirstFacts(variable->type));
  List(body);
}

}  // namespace tenure::compiler
