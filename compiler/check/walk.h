// The parts of expressions and statements of the typed program.
#pragma once

#include <vector>

#include "compiler/check/checked_unit.h"

namespace tenure::compiler {

// Calls visit(const Expr*) for each direct operand.
template <typename Visit>
void ForEachOperand(const Expr* expr, const Visit& visit) {
  const auto some = [&](const Expr* operand) {
    if (operand != nullptr) visit(operand);
  };
  switch (expr->kind) {
    case ExprKind::kConstant:
    case ExprKind::kVariable:
    case ExprKind::kProcedure: break;
    case ExprKind::kDeref: some(ExprAs<const DerefExpr>(expr)->operand); break;
    case ExprKind::kField: some(ExprAs<const FieldExpr>(expr)->operand); break;
    case ExprKind::kObjectField: some(ExprAs<const ObjectFieldExpr>(expr)->operand); break;
    case ExprKind::kSubscript:
      some(ExprAs<const SubscriptExpr>(expr)->operand);
      some(ExprAs<const SubscriptExpr>(expr)->index);
      break;
    case ExprKind::kSubarray:
      some(ExprAs<const SubarrayExpr>(expr)->operand);
      some(ExprAs<const SubarrayExpr>(expr)->from);
      some(ExprAs<const SubarrayExpr>(expr)->count);
      break;
    case ExprKind::kUnary: some(ExprAs<const UnaryExpr>(expr)->operand); break;
    case ExprKind::kBinary:
      some(ExprAs<const BinaryExpr>(expr)->left);
      some(ExprAs<const BinaryExpr>(expr)->right);
      break;
    case ExprKind::kCompare:
      some(ExprAs<const CompareExpr>(expr)->left);
      some(ExprAs<const CompareExpr>(expr)->right);
      break;
    case ExprKind::kAnd:
      some(ExprAs<const AndExpr>(expr)->left);
      some(ExprAs<const AndExpr>(expr)->right);
      break;
    case ExprKind::kOr:
      some(ExprAs<const OrExpr>(expr)->left);
      some(ExprAs<const OrExpr>(expr)->right);
      break;
    case ExprKind::kNot: some(ExprAs<const NotExpr>(expr)->operand); break;
    case ExprKind::kIn:
      some(ExprAs<const InExpr>(expr)->element);
      some(ExprAs<const InExpr>(expr)->set);
      break;
    case ExprKind::kCall:
      some(ExprAs<const CallExpr>(expr)->object);
      some(ExprAs<const CallExpr>(expr)->callee);
      for (const Argument& argument : ExprAs<const CallExpr>(expr)->arguments) some(argument.value);
      break;
    case ExprKind::kConvert: some(ExprAs<const ConvertExpr>(expr)->operand); break;
    case ExprKind::kBuiltin:
      for (const Expr* argument : ExprAs<const BuiltinExpr>(expr)->arguments) some(argument);
      break;
    case ExprKind::kNew:
      for (const Expr* length : ExprAs<const NewExpr>(expr)->lengths) some(length);
      for (const NewExpr::Binding& binding : ExprAs<const NewExpr>(expr)->bindings)
        some(binding.value);
      break;
    case ExprKind::kRecordConstructor:
      for (const Expr* field : ExprAs<const RecordConstructorExpr>(expr)->fields) some(field);
      break;
    case ExprKind::kArrayConstructor:
      for (const Expr* element : ExprAs<const ArrayConstructorExpr>(expr)->elements) some(element);
      break;
    case ExprKind::kSetConstructor:
      for (const auto& element : ExprAs<const SetConstructorExpr>(expr)->elements) {
        some(element.low);
        some(element.high);
      }
      break;
  }
}

// As ForEachOperand; but of a chain of binary operators, which may have any length, calls visit for
// the operands of the whole chain, from left to right. Walks that recurse use this one.
template <typename Visit>
void ForEachOperandOfChain(const Expr* expr, const Visit& visit) {
  std::vector<const Expr*> right;
  while (const auto* binary = ExprAs<const BinaryExpr>(expr)) {
    right.push_back(binary->right);
    expr = binary->left;
  }
  if (right.empty()) return ForEachOperand(expr, visit);
  for (visit(expr); !right.empty(); right.pop_back()) visit(right.back());
}

// Calls expression(const Expr*) for each expression that is part of the statement itself, and
// list(const StmtList&) for each statement list in it.
template <typename VisitExpr, typename VisitList>
void ForEachPart(const Stmt* stmt, const VisitExpr& expression, const VisitList& list) {
  const auto some = [&](const Expr* expr) {
    if (expr != nullptr) expression(expr);
  };
  switch (stmt->kind) {
    case StmtKind::kAssign:
      some(StmtAs<const AssignStmt>(stmt)->target);
      some(StmtAs<const AssignStmt>(stmt)->value);
      break;
    case StmtKind::kCall: some(StmtAs<const CallStmt>(stmt)->call); break;
    case StmtKind::kEval: some(StmtAs<const EvalStmt>(stmt)->value); break;
    case StmtKind::kBlock: list(StmtAs<const BlockStmt>(stmt)->body); break;
    case StmtKind::kIf:
      for (const IfStmt::Arm& arm : StmtAs<const IfStmt>(stmt)->arms) {
        some(arm.condition);
        list(arm.body);
      }
      list(StmtAs<const IfStmt>(stmt)->else_body);
      break;
    case StmtKind::kLoop: list(StmtAs<const LoopStmt>(stmt)->body); break;
    case StmtKind::kWhile:
      some(StmtAs<const WhileStmt>(stmt)->condition);
      list(StmtAs<const WhileStmt>(stmt)->body);
      break;
    case StmtKind::kRepeat:
      list(StmtAs<const RepeatStmt>(stmt)->body);
      some(StmtAs<const RepeatStmt>(stmt)->condition);
      break;
    case StmtKind::kFor:
      some(StmtAs<const ForStmt>(stmt)->from);
      some(StmtAs<const ForStmt>(stmt)->to);
      some(StmtAs<const ForStmt>(stmt)->by);
      list(StmtAs<const ForStmt>(stmt)->body);
      break;
    case StmtKind::kCase:
      some(StmtAs<const CaseStmt>(stmt)->selector);
      for (const CaseStmt::Arm& arm : StmtAs<const CaseStmt>(stmt)->arms) list(arm.body);
      list(StmtAs<const CaseStmt>(stmt)->else_body);
      break;
    case StmtKind::kTypecase:
      some(StmtAs<const TypecaseStmt>(stmt)->selector);
      for (const TypecaseStmt::Arm& arm : StmtAs<const TypecaseStmt>(stmt)->arms) list(arm.body);
      list(StmtAs<const TypecaseStmt>(stmt)->else_body);
      break;
    case StmtKind::kExit:
    case StmtKind::kInitialize: break;
    case StmtKind::kReturn: some(StmtAs<const ReturnStmt>(stmt)->value); break;
    case StmtKind::kRaise: some(StmtAs<const RaiseStmt>(stmt)->argument); break;
    case StmtKind::kTryExcept:
      list(StmtAs<const TryExceptStmt>(stmt)->body);
      for (const TryExceptStmt::Handler& handler : StmtAs<const TryExceptStmt>(stmt)->handlers)
        list(handler.body);
      list(StmtAs<const TryExceptStmt>(stmt)->else_body);
      break;
    case StmtKind::kTryFinally:
      list(StmtAs<const TryFinallyStmt>(stmt)->body);
      list(StmtAs<const TryFinallyStmt>(stmt)->finally_body);
      break;
    case StmtKind::kLock:
      some(StmtAs<const LockStmt>(stmt)->mutex);
      list(StmtAs<const LockStmt>(stmt)->body);
      break;
    case StmtKind::kWith:
      for (const WithStmt::Binding& binding : StmtAs<const WithStmt>(stmt)->bindings)
        some(binding.value);
      list(StmtAs<const WithStmt>(stmt)->body);
      break;
    case StmtKind::kIncDec:
      some(StmtAs<const IncDecStmt>(stmt)->target);
      some(StmtAs<const IncDecStmt>(stmt)->amount);
      break;
    case StmtKind::kAssert:
      some(StmtAs<const AssertStmt>(stmt)->condition);
      some(StmtAs<const AssertStmt>(stmt)->message);
      break;
    case StmtKind::kDispose: some(StmtAs<const DisposeStmt>(stmt)->target); break;
  }
}

}  // namespace tenure::compiler
