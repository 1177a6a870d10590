// Finds, along the flow of control, variables that are read before anything was assigned to them,
// and references that are certainly NIL where a program follows them. Internal to compiler/check.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <unordered_map>
#include <vector>

#include "compiler/check/checked_unit.h"

namespace tenure::compiler {

class ValueFlow {
 public:
  enum class Finding : uint8_t {
    kUnassigned,     // the variable is read, and no path to this place assigns to it
    kUnassignedNil,  // the same, and the reference, NIL at first, is followed
    kNil,            // the reference is followed, and is NIL on all paths to this place
  };
  using Report = std::function<void(Finding, const Variable*, SourceSpan)>;

  // Reports each variable at most once as unassigned.
  explicit ValueFlow(Report report) : report_(std::move(report)) {}

  // `globals`: variables of the module that only these statements use; they have no value at first.
  void Walk(const StmtList& body, const std::vector<const Variable*>& globals);

 private:
  // Facts about a variable at a place.
  enum : uint8_t { kUnassigned = 1, kNil = 2 };
  struct State {
    bool reachable = true;
    std::unordered_map<const Variable*, uint8_t> facts;  // a variable that is missing has no facts
  };

  void Join(State* into, const State& other) const;
  static void Forget(State* state, const std::set<const Variable*>& variables);
  void Set(const Variable* variable, uint8_t facts);
  static uint8_t FirstFacts(const Type* type);
  bool IsTracked(const Variable* variable) const;
  // Finds the variables to which other names lead: these have no facts.
  void FindAliases(const StmtList& list);
  void FindAliases(const Expr* expr);
  // The variables that the statements, or the expression, may assign to.
  static void FindWrites(const StmtList& list, std::set<const Variable*>* out);
  static void FindWrites(const Expr* expr, std::set<const Variable*>* out);

  void List(const StmtList& list);
  void Statement(const Stmt* stmt);
  void If(const IfStmt* stmt);
  // `condition` is null for LOOP and FOR; `can_end`: the loop may end without EXIT.
  void Loop(const Expr* condition, const StmtList& body, bool test_first, bool can_end);
  void Try(const TryExceptStmt* stmt);
  void Finally(const TryFinallyStmt* stmt);
  void Assign(const Expr* target, const Expr* value);

  void Value(const Expr* expr);
  // The place that a designator denotes: what leads there is read, the variable itself is not.
  void Place(const Expr* expr);
  void Follow(const Expr* reference, SourceSpan span);
  void Call(const CallExpr* call);
  void Read(const Variable* variable, SourceSpan span);
  void Refine(const Expr* condition, bool truth, State* state) const;
  // Whether the value is certainly NIL here.
  bool IsNil(const Expr* value) const;

  Report report_;
  State state_;
  std::set<const Variable*> globals_, aliased_, reported_;
  std::vector<State>* exits_ = nullptr;  // of the innermost loop
  std::set<const Variable*> written_by_finally_;
  // In the first pass over a loop, facts hold for the first iteration only; this counts the
  // conditions between the loop's beginning and here. Only code that every first iteration executes
  // is reported.
  bool is_first_pass_ = false;
  int conditions_ = 0;
};

}  // namespace tenure::compiler
