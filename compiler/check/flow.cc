// Control flow, for warnings: a function that may end without RETURN, a statement that is never
// reached, a variable that has no value yet, a reference that is NIL.
#include <algorithm>

#include "compiler/check/advisor.h"
#include "compiler/check/checker.h"
#include "compiler/check/value_flow.h"
#include "compiler/check/walk.h"

namespace tenure::compiler {

namespace {

bool IsTrue(const Expr* condition) {
  const auto* constant = ExprAs<const ConstantExpr>(condition);
  return constant != nullptr && constant->value->kind == Constant::Kind::kOrdinal &&
         constant->value->ordinal != 0;
}

}  // namespace

bool Checker::FallsThrough(const StmtList& statements) {
  bool exits = false;
  for (const Stmt* statement : statements) {
    if (!FallsThrough(statement, &exits)) return false;
  }
  return true;
}

// Whether the statement may end normally. Sets *exits if it may EXIT from the loop around it.
bool Checker::FallsThrough(const Stmt* statement, bool* exits) {
  auto list = [&](const StmtList& statements) {
    for (const Stmt* s : statements) {
      if (!FallsThrough(s, exits)) return false;
    }
    return true;
  };
  switch (statement->kind) {
    case StmtKind::kReturn:
    case StmtKind::kRaise: return false;
    case StmtKind::kExit: *exits = true; return false;
    case StmtKind::kBlock: return list(static_cast<const BlockStmt*>(statement)->body);
    case StmtKind::kIf: {
      const auto* s = static_cast<const IfStmt*>(statement);
      bool falls = list(s->else_body);
      for (const IfStmt::Arm& arm : s->arms) {
        const bool arm_falls = list(arm.body);
        falls = falls || arm_falls;
      }
      return falls;
    }
    case StmtKind::kLoop: {
      bool own_exits = false;
      for (const Stmt* s : static_cast<const LoopStmt*>(statement)->body) {
        if (!FallsThrough(s, &own_exits)) break;
      }
      return own_exits;
    }
    case StmtKind::kWhile: {
      const auto* s = static_cast<const WhileStmt*>(statement);
      if (!IsTrue(s->condition)) return true;
      bool own_exits = false;
      for (const Stmt* inner : s->body) {
        if (!FallsThrough(inner, &own_exits)) break;
      }
      return own_exits;
    }
    case StmtKind::kRepeat: {
      const auto* s = static_cast<const RepeatStmt*>(statement);
      bool own_exits = false;
      for (const Stmt* inner : s->body) {
        if (!FallsThrough(inner, &own_exits)) return own_exits;
      }
      return true;
    }
    case StmtKind::kCase: {
      const auto* s = static_cast<const CaseStmt*>(statement);
      bool falls = s->has_else && list(s->else_body);
      for (const CaseStmt::Arm& arm : s->arms) {
        const bool arm_falls = list(arm.body);
        falls = falls || arm_falls;
      }
      return falls;
    }
    case StmtKind::kTypecase: {
      const auto* s = static_cast<const TypecaseStmt*>(statement);
      bool falls = s->has_else && list(s->else_body);
      for (const TypecaseStmt::Arm& arm : s->arms) {
        const bool arm_falls = list(arm.body);
        falls = falls || arm_falls;
      }
      return falls;
    }
    case StmtKind::kTryExcept: {
      const auto* s = static_cast<const TryExceptStmt*>(statement);
      bool falls = list(s->body);
      for (const TryExceptStmt::Handler& handler : s->handlers) {
        const bool handler_falls = list(handler.body);
        falls = falls || handler_falls;
      }
      if (s->has_else) {
        const bool else_falls = list(s->else_body);
        falls = falls || else_falls;
      }
      return falls;
    }
    case StmtKind::kTryFinally: {
      const auto* s = static_cast<const TryFinallyStmt*>(statement);
      const bool body_falls = list(s->body), finally_falls = list(s->finally_body);
      return body_falls && finally_falls;
    }
    case StmtKind::kLock: return list(static_cast<const LockStmt*>(statement)->body);
    case StmtKind::kWith: return list(static_cast<const WithStmt*>(statement)->body);
    case StmtKind::kAssert: {
      const auto* constant =
          ExprAs<const ConstantExpr>(static_cast<const AssertStmt*>(statement)->condition);
      return constant == nullptr || constant->type->kind == TypeKind::kError || IsTrue(constant);
    }
    default: return true;
  }
}

void Checker::WarnUnreachable(const StmtList& statements) {
  if (!unit_->warns) return;
  bool exits = false;
  for (size_t i = 0; i + 1 < statements.size(); ++i) {
    if (FallsThrough(statements[i], &exits)) continue;
    Warn(MessageId::kUnreachable, statements[i + 1]->span);
    break;
  }
  for (const Stmt* statement : statements) {
    switch (statement->kind) {
      case StmtKind::kBlock: WarnUnreachable(static_cast<const BlockStmt*>(statement)->body); break;
      case StmtKind::kIf:
        for (const IfStmt::Arm& arm : static_cast<const IfStmt*>(statement)->arms)
          WarnUnreachable(arm.body);
        WarnUnreachable(static_cast<const IfStmt*>(statement)->else_body);
        break;
      case StmtKind::kLoop: WarnUnreachable(static_cast<const LoopStmt*>(statement)->body); break;
      case StmtKind::kWhile: WarnUnreachable(static_cast<const WhileStmt*>(statement)->body); break;
      case StmtKind::kRepeat:
        WarnUnreachable(static_cast<const RepeatStmt*>(statement)->body);
        break;
      case StmtKind::kFor: WarnUnreachable(static_cast<const ForStmt*>(statement)->body); break;
      case StmtKind::kCase:
        for (const CaseStmt::Arm& arm : static_cast<const CaseStmt*>(statement)->arms)
          WarnUnreachable(arm.body);
        WarnUnreachable(static_cast<const CaseStmt*>(statement)->else_body);
        break;
      case StmtKind::kTypecase:
        for (const TypecaseStmt::Arm& arm : static_cast<const TypecaseStmt*>(statement)->arms) {
          WarnUnreachable(arm.body);
        }
        WarnUnreachable(static_cast<const TypecaseStmt*>(statement)->else_body);
        break;
      case StmtKind::kTryExcept:
        WarnUnreachable(static_cast<const TryExceptStmt*>(statement)->body);
        for (const auto& handler : static_cast<const TryExceptStmt*>(statement)->handlers) {
          WarnUnreachable(handler.body);
        }
        WarnUnreachable(static_cast<const TryExceptStmt*>(statement)->else_body);
        break;
      case StmtKind::kTryFinally:
        WarnUnreachable(static_cast<const TryFinallyStmt*>(statement)->body);
        WarnUnreachable(static_cast<const TryFinallyStmt*>(statement)->finally_body);
        break;
      case StmtKind::kLock: WarnUnreachable(static_cast<const LockStmt*>(statement)->body); break;
      case StmtKind::kWith: WarnUnreachable(static_cast<const WithStmt*>(statement)->body); break;
      default: break;
    }
  }
}

namespace {

void RemoveUsed(const StmtList& list, std::vector<const Variable*>* variables);

void RemoveUsed(const Expr* expr, std::vector<const Variable*>* variables) {
  if (const auto* variable = ExprAs<const VariableExpr>(expr))
    std::erase(*variables, variable->variable);
  ForEachOperandOfChain(expr, [&](const Expr* operand) { RemoveUsed(operand, variables); });
}

void RemoveUsed(const StmtList& list, std::vector<const Variable*>* variables) {
  for (const Stmt* stmt : list) {
    ForEachPart(
        stmt, [&](const Expr* expr) { RemoveUsed(expr, variables); },
        [&](const StmtList& inner) { RemoveUsed(inner, variables); });
  }
}

// A first value for a variable of the type; empty if there is no usual one.
std::string FirstValue(const Type* type, const TypeTable& types) {
  if (type == types.text) return "\"\"";
  if (type == types.boolean) return "FALSE";
  switch (type->kind) {
    case TypeKind::kInteger: return "0";
    case TypeKind::kLongint: return "0L";
    case TypeKind::kReal: return "0.0";
    case TypeKind::kLongreal: return "0.0D0";
    case TypeKind::kExtended: return "0.0X0";
    default: return {};
  }
}

}  // namespace

std::vector<const Variable*> Checker::GlobalsOfBody(const CheckedUnit& unit) {
  std::vector<const Variable*> variables;
  if (!unit_->warns || unit.is_interface) return variables;
  for (const Variable* variable : unit.variables) {
    if (variable->kind == Variable::Kind::kGlobal && !variable->external)
      variables.push_back(variable);
  }
  for (const Procedure* procedure : unit.procedures) RemoveUsed(procedure->body, &variables);
  return variables;
}

void Checker::WarnValueFlow(const StmtList& body, const std::vector<const Variable*>& globals) {
  // After an error, statements may be missing.
  if (!unit_->warns || diagnostics_.error_count() > 0) return;
  ValueFlow flow([&](ValueFlow::Finding finding, const Variable* variable, SourceSpan span) {
    const std::string type = advisor_->TypeHere(variable->type);
    const std::string name = variable->name;
    const bool made = As<RefType>(SeeThrough(variable->type)) != nullptr ||
                      KnownObject(variable->type) != nullptr;
    switch (finding) {
      case ValueFlow::Finding::kUnassigned: {
        const std::string first = FirstValue(StripPacked(variable->type), types());
        auto warning = Warn(MessageId::kUnassigned, span, name);
        warning.Note(MessageId::kDeclaredHere, variable->span, name);
        if (first.empty() || type.empty()) {
          warning.Hint("assign to " + name + " first");
        } else {
          warning.Hint("give " + name + " a first value: VAR " + name + ": " + type +
                       " := " + first);
        }
        break;
      }
      case ValueFlow::Finding::kUnassignedNil: {
        auto warning = Warn(MessageId::kNilFollowed, span, name, ", as nothing was assigned to it");
        warning.Note(MessageId::kDeclaredHere, variable->span, name);
        if (made && !type.empty()) {
          warning.Hint("make one first: " + name + " := NEW(" + type + ")");
        } else {
          warning.Hint("assign to " + name + " first");
        }
        break;
      }
      case ValueFlow::Finding::kNil:
        Warn(MessageId::kNilFollowed, span, name, "")
            .Hint("follow " + name + " only where " + name + " # NIL");
        break;
    }
  });
  flow.Walk(body, globals);
}

}  // namespace tenure::compiler
