// The pragma TRACE (docs/language.md 26): calls behind the statements that assign to a variable,
// and statements behind each statement of a block. Both are checked anew at each place, because
// nested procedures access variables in another way.
#include <algorithm>

#include "compiler/check/checker.h"

namespace tenure::compiler {

void Checker::SetTrace(const Variable* variable, Name name, ast::Expr* procedure, Scope* scope) {
  if (procedure == nullptr || variable == nullptr) return;
  auto* text = arena_.New<ast::TextLiteralExpr>();
  text->value.assign(name.view().begin(), name.view().end());
  auto* value = arena_.New<ast::NameExpr>();
  value->name = name;
  auto* call = arena_.New<ast::CallExpr>();
  call->callee = procedure;
  for (ast::Expr* actual : {static_cast<ast::Expr*>(text), static_cast<ast::Expr*>(value)}) {
    actual->span = procedure->span;
    call->actuals.push_back({{}, actual, procedure->span});
  }
  call->span = procedure->span;
  traces_[variable] = {call, scope};
}

// The variable itself or a part of it, not what it refers to.
void Checker::NoteWrite(const Expr* target) {
  if (traces_.empty()) return;
  for (;;) {
    switch (target->kind) {
      case ExprKind::kField: target = ExprAs<const FieldExpr>(target)->operand; continue;
      case ExprKind::kSubscript: target = ExprAs<const SubscriptExpr>(target)->operand; continue;
      case ExprKind::kSubarray: target = ExprAs<const SubarrayExpr>(target)->operand; continue;
      case ExprKind::kVariable: {
        const Variable* variable = ExprAs<const VariableExpr>(target)->variable;
        if (traces_.contains(variable) &&
            std::find(written_.begin(), written_.end(), variable) == written_.end()) {
          written_.push_back(variable);
        }
        return;
      }
      default: return;
    }
  }
}

void Checker::AddTrace(const Variable* variable, StmtList* out) {
  const auto found = traces_.find(variable);
  if (found == traces_.end()) return;
  const Trace trace = found->second;
  ContextScope context(*this);
  scope_ = trace.scope;
  // Assignments by the trace call itself are not traced.
  const std::vector<const Variable*> written = written_;
  ast::CallStmt tree;
  tree.call = const_cast<ast::CallExpr*>(trace.call);
  tree.span = trace.call->span;
  Stmt* statement = CheckCallStatement(&tree);
  written_ = written;
  if (statement != nullptr) {
    out->push_back(statement);
  } else {
    traces_.erase(variable);  // one report is enough
  }
}

void Checker::AddTraces(const Stmt* statement, const ast::StmtList* trace, StmtList* out) {
  std::vector<const Variable*> written;
  written.swap(written_);
  bool exits = false;
  if (!FallsThrough(statement, &exits)) return;
  for (const Variable* variable : written) AddTrace(variable, out);
  if (trace != nullptr) CheckStatements(*trace, out);
}

}  // namespace tenure::compiler
