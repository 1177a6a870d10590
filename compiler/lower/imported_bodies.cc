#include "compiler/lower/imported_bodies.h"

#include <algorithm>

#include "compiler/check/walk.h"

namespace tenure::compiler {

namespace {

// Statements and expressions. The optimiser judges by the code; this only bounds its work.
constexpr size_t kShort = 80;
// For procedures of packages, which call nothing: an edit compiles the callers again.
constexpr size_t kShortOfPackage = 40;
constexpr size_t kShortAsTold = 400;  // <*INLINE*>
constexpr size_t kMostBodies = 100;   // in one unit
constexpr int kDeepest = 3;           // calls from a procedure of the unit

// The parts of a list of statements, each counted once.
class Parts {
 public:
  // Stops when there are more than `limit` parts; the result is then not complete.
  Parts(const StmtList& body, size_t limit) {
    Add(body);
    for (size_t i = 0; i < stmts.size() && whole; ++i) {
      ForEachPart(
          stmts[i], [&](const Expr* expr) { exprs.push_back(expr); },
          [&](const StmtList& list) { Add(list); });
      whole = stmts.size() + exprs.size() <= limit;
    }
    for (size_t i = 0; i < exprs.size() && whole; ++i) {
      ForEachOperand(exprs[i], [&](const Expr* operand) { exprs.push_back(operand); });
      whole = stmts.size() + exprs.size() <= limit;
    }
  }

  std::vector<const Stmt*> stmts;
  std::vector<const Expr*> exprs;
  bool whole = true;

 private:
  void Add(const StmtList& list) { stmts.insert(stmts.end(), list.begin(), list.end()); }
};

// Those that are called, and those whose values are passed on: the optimiser may find out where
// these are called.
void AddProcedures(const Parts& parts, std::vector<const Procedure*>& procedures) {
  for (const Expr* expr : parts.exprs) {
    const auto* call = ExprAs<const CallExpr>(expr);
    const auto* value = ExprAs<const ProcedureExpr>(expr);
    const auto* constant = ExprAs<const ConstantExpr>(expr);
    if (call != nullptr && call->procedure != nullptr) procedures.push_back(call->procedure);
    if (value != nullptr) procedures.push_back(value->procedure);
    const Constant* known = constant != nullptr ? constant->value : nullptr;
    if (known != nullptr && known->kind == Constant::Kind::kProcedure &&
        known->procedure != nullptr)
      procedures.push_back(known->procedure);
  }
}

// Whether other units can name it.
bool IsKnownOutside(const Procedure* procedure) {
  return procedure->exported || procedure->external;
}

bool IsKnownOutside(const Constant& value) {
  if (value.kind == Constant::Kind::kProcedure) return IsKnownOutside(value.procedure);
  return value.kind != Constant::Kind::kRecord && value.kind != Constant::Kind::kArray;
}

bool IsPrivateGlobal(const Variable* variable) {
  return variable->kind == Variable::Kind::kGlobal && !variable->external &&
         !variable->unit->is_interface;
}

// The optimiser knows more of a variable that no other unit can name; and what a call means may
// depend on revelations that the caller's unit does not see.
bool IsLeaf(const Parts& parts) {
  if (std::ranges::any_of(parts.exprs, [](const Expr* expr) {
        const auto* use = ExprAs<const VariableExpr>(expr);
        return use != nullptr && IsPrivateGlobal(use->variable);
      })) {
    return false;
  }
  std::vector<const Procedure*> procedures;
  AddProcedures(parts, procedures);
  return procedures.empty();
}

// Its code would be the same in another unit.
bool CanMove(const Parts& parts) {
  for (const Stmt* stmt : parts.stmts) {
    switch (stmt->kind) {
      // These statements are lowered to functions of their own.
      case StmtKind::kTryExcept:
      case StmtKind::kTryFinally:
      case StmtKind::kLock: return false;
      default: break;
    }
  }
  for (const Expr* expr : parts.exprs) {
    const auto* constant = ExprAs<const ConstantExpr>(expr);
    const auto* value = ExprAs<const ProcedureExpr>(expr);
    const auto* call = ExprAs<const CallExpr>(expr);
    if (constant != nullptr && !IsKnownOutside(*constant->value)) return false;
    if (value != nullptr && !IsKnownOutside(value->procedure)) return false;
    if (call != nullptr && call->procedure != nullptr && !IsKnownOutside(call->procedure))
      return false;
  }
  return true;
}

}  // namespace

ImportedBodies::ImportedBodies(const Program& program) {
  for (const CheckedUnit* unit : program.units) {
    for (const Procedure* procedure : unit->procedures) Add(procedure);
  }
}

void ImportedBodies::Add(const Procedure* procedure) {
  if (!procedure->has_body || procedure->external || procedure->parent != nullptr ||
      !procedure->exported || procedure->may_violate_raises) {
    return;
  }
  const Parts parts(procedure->body, procedure->is_inline           ? kShortAsTold
                                     : procedure->unit->is_standard ? kShort
                                                                    : kShortOfPackage);
  if (!parts.whole || !CanMove(parts)) return;
  if (!procedure->is_inline && !procedure->unit->is_standard && !IsLeaf(parts)) return;
  AddProcedures(parts, calls_of_[procedure]);
  for (const Expr* expr : parts.exprs) {
    const auto* use = ExprAs<const VariableExpr>(expr);
    if (use != nullptr && IsPrivateGlobal(use->variable)) shared_.insert(use->variable);
  }
}

std::vector<const Procedure*> ImportedBodies::Of(const CheckedUnit& unit) const {
  std::vector<const Procedure*> found, level;
  std::unordered_set<const Procedure*> seen;
  for (const Procedure* procedure : unit.procedures) {
    if (procedure->has_body) AddProcedures(Parts(procedure->body, SIZE_MAX), level);
  }
  AddProcedures(Parts(unit.body, SIZE_MAX), level);
  for (int depth = 0; depth < kDeepest; ++depth) {
    std::vector<const Procedure*> next;
    for (const Procedure* callee : level) {
      if (callee->unit == &unit || found.size() == kMostBodies) continue;
      const auto calls = calls_of_.find(callee);
      if (calls == calls_of_.end() || !seen.insert(callee).second) continue;
      found.push_back(callee);
      next.insert(next.end(), calls->second.begin(), calls->second.end());
    }
    level = std::move(next);
  }
  return found;
}

}  // namespace tenure::compiler
