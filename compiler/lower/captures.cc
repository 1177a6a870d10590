#include "compiler/lower/captures.h"

namespace tenure::compiler {

// Walks the procedures one after the other and notes for each variable the functions in which it
// occurs.
class CaptureWalk {
 public:
  explicit CaptureWalk(Captures& captures) : captures_(captures) {}

  void Walk(const Procedure* procedure, const StmtList& body) {
    activation_ = &captures_.activations_[procedure];
    activation_->procedure = procedure;
    function_ = functions_++;
    direct_ = &activation_->direct;
    if (procedure != nullptr) {
      if (procedure->parent != nullptr) {
        Activation& parent = captures_.activations_[procedure->parent];
        parent.has_nested = true;
        parent.has_closures = parent.has_closures || procedure->address_taken;
      }
      for (const Variable* formal : procedure->formals) Note(formal);
    }
    List(body);
    for (const TryEnd& end : try_ends_) {
      for (const Variable* variable : end.occurrences->all) {
        const Span& span = spans_.at(variable);
        if (span.last > end.at || span.first < end.loop) {
          end.occurrences->live_after.insert(variable);
        }
      }
    }
    try_ends_.clear();
  }

 private:
  // Occurrences are numbered in the order of the text.
  struct Span {
    int first = 0, last = 0;
  };
  struct TryEnd {
    Activation::Occurrences* occurrences;
    int at;    // the last occurrence in the body
    int loop;  // the first one in the innermost loop around the statement; 0: in no loop
  };

  void Note(const Variable* variable) {
    if (variable == nullptr || variable->kind == Variable::Kind::kGlobal) return;
    if (variable->owner != activation_->procedure) {
      if (variable->owner == nullptr) {
        captures_.static_aliases_.insert(variable);
      } else {
        Capture(captures_.activations_[variable->owner], variable);
      }
      return;
    }
    direct_->insert(variable);
    ++occurrence_;
    spans_.try_emplace(variable, Span{occurrence_, 0}).first->second.last = occurrence_;
    for (Part* part = part_; part != nullptr; part = part->outer) {
      if (part->noted.insert(variable).second) part->occurrences.all.push_back(variable);
    }
    const auto [it, fresh] = function_of_.insert({variable, function_});
    if (!fresh && it->second != function_) Capture(*activation_, variable);
  }

  void Capture(Activation& activation, const Variable* variable) {
    if (activation.slot_of.insert({variable, activation.captured.size()}).second) {
      activation.captured.push_back(variable);
    }
  }

  // A TRY or LOCK body, or a FINALLY part, that is being walked.
  struct Part {
    Activation::Occurrences& occurrences;
    Part* outer;
    std::unordered_set<const Variable*> noted;
  };

  void TryBody(const StmtList& body) {
    activation_->has_try = true;
    const int outer = function_;
    std::unordered_set<const Variable*>* const outer_direct = direct_;
    Part part{activation_->occurrences[&body], part_, {}};
    part_ = &part;
    direct_ = &part.occurrences.direct;
    function_ = functions_++;
    const int loop = loop_;
    List(body);
    try_ends_.push_back({&part.occurrences, occurrence_, loop});
    function_ = outer;
    direct_ = outer_direct;
    part_ = part.outer;
  }

  void Loop(const StmtList& body) {
    const int outer = loop_;
    loop_ = occurrence_ + 1;
    List(body);
    loop_ = outer;
  }

  // Part of the function in which the TRY statement is.
  void FinallyPart(const StmtList& list) {
    Part part{activation_->occurrences[&list], part_, {}};
    part_ = &part;
    List(list);
    part_ = part.outer;
  }

  // The variable that is the whole designator, or null.
  static const Variable* WholeVariable(const Expr* expr) {
    while (const auto* convert = ExprAs<const ConvertExpr>(expr)) expr = convert->operand;
    const auto* variable = ExprAs<const VariableExpr>(expr);
    return variable != nullptr ? variable->variable : nullptr;
  }
  void Assign(const Expr* target) {
    if (const Variable* variable = WholeVariable(target)) activation_->assigned.insert(variable);
  }
  void Locate(const Expr* designator) {
    if (const Variable* variable = WholeVariable(designator)) {
      activation_->located.insert(variable);
    }
  }

  void List(const StmtList& list) {
    for (const Stmt* stmt : list) Statement(stmt);
  }

  void Statement(const Stmt* stmt);
  void Expression(const Expr* expr);
  void Arguments(const CallExpr& call);

  Captures& captures_;
  Activation* activation_ = nullptr;
  std::unordered_map<const Variable*, int> function_of_;
  int function_ = 0;
  int functions_ = 0;
  std::unordered_set<const Variable*>* direct_ = nullptr;  // of the function
  Part* part_ = nullptr;                                   // the innermost
  std::unordered_map<const Variable*, Span> spans_;
  int occurrence_ = 0;  // the last one
  int loop_ = 0;        // the number that the first one in the innermost loop has; 0: none
  std::vector<TryEnd> try_ends_;
};

void CaptureWalk::Arguments(const CallExpr& call) {
  Expression(call.object);
  Expression(call.callee);
  for (const Argument& argument : call.arguments) {
    if (argument.pass == Argument::Pass::kReference) Assign(argument.value);
    Expression(argument.value);
  }
}

void CaptureWalk::Expression(const Expr* expr) {
  if (expr == nullptr) return;
  switch (expr->kind) {
    case ExprKind::kConstant:
    case ExprKind::kProcedure: break;
    case ExprKind::kVariable: Note(ExprAs<const VariableExpr>(expr)->variable); break;
    case ExprKind::kDeref: Expression(ExprAs<const DerefExpr>(expr)->operand); break;
    case ExprKind::kField: Expression(ExprAs<const FieldExpr>(expr)->operand); break;
    case ExprKind::kObjectField: Expression(ExprAs<const ObjectFieldExpr>(expr)->operand); break;
    case ExprKind::kSubscript:
      Expression(ExprAs<const SubscriptExpr>(expr)->operand);
      Expression(ExprAs<const SubscriptExpr>(expr)->index);
      break;
    case ExprKind::kSubarray: {
      const auto* e = ExprAs<const SubarrayExpr>(expr);
      Expression(e->operand);
      Expression(e->from);
      Expression(e->count);
      break;
    }
    case ExprKind::kUnary: Expression(ExprAs<const UnaryExpr>(expr)->operand); break;
    case ExprKind::kBinary: {
      const auto* binary = ExprAs<const BinaryExpr>(expr);
      for (; binary != nullptr; binary = ExprAs<const BinaryExpr>(expr)) {
        Expression(binary->right);
        expr = binary->left;  // which may be deep
      }
      Expression(expr);
      break;
    }
    case ExprKind::kCompare:
      Expression(ExprAs<const CompareExpr>(expr)->left);
      Expression(ExprAs<const CompareExpr>(expr)->right);
      break;
    case ExprKind::kAnd:
      Expression(ExprAs<const AndExpr>(expr)->left);
      Expression(ExprAs<const AndExpr>(expr)->right);
      break;
    case ExprKind::kOr:
      Expression(ExprAs<const OrExpr>(expr)->left);
      Expression(ExprAs<const OrExpr>(expr)->right);
      break;
    case ExprKind::kNot: Expression(ExprAs<const NotExpr>(expr)->operand); break;
    case ExprKind::kIn:
      Expression(ExprAs<const InExpr>(expr)->element);
      Expression(ExprAs<const InExpr>(expr)->set);
      break;
    case ExprKind::kCall: Arguments(*ExprAs<const CallExpr>(expr)); break;
    case ExprKind::kConvert: Expression(ExprAs<const ConvertExpr>(expr)->operand); break;
    case ExprKind::kBuiltin: {
      const auto* builtin = ExprAs<const BuiltinExpr>(expr);
      if (builtin->builtin == Builtin::kAdr) Locate(builtin->arguments[0]);
      for (const Expr* argument : builtin->arguments) Expression(argument);
      break;
    }
    case ExprKind::kNew:
      for (const Expr* length : ExprAs<const NewExpr>(expr)->lengths) Expression(length);
      for (const NewExpr::Binding& binding : ExprAs<const NewExpr>(expr)->bindings)
        Expression(binding.value);
      break;
    case ExprKind::kRecordConstructor:
      for (const Expr* field : ExprAs<const RecordConstructorExpr>(expr)->fields) Expression(field);
      break;
    case ExprKind::kArrayConstructor:
      for (const Expr* element : ExprAs<const ArrayConstructorExpr>(expr)->elements)
        Expression(element);
      break;
    case ExprKind::kSetConstructor:
      for (const auto& element : ExprAs<const SetConstructorExpr>(expr)->elements) {
        Expression(element.low);
        Expression(element.high);
      }
      break;
  }
}

void CaptureWalk::Statement(const Stmt* stmt) {
  switch (stmt->kind) {
    case StmtKind::kAssign:
      Assign(StmtAs<const AssignStmt>(stmt)->target);
      Expression(StmtAs<const AssignStmt>(stmt)->target);
      Expression(StmtAs<const AssignStmt>(stmt)->value);
      break;
    case StmtKind::kCall: Arguments(*StmtAs<const CallStmt>(stmt)->call); break;
    case StmtKind::kEval: Expression(StmtAs<const EvalStmt>(stmt)->value); break;
    case StmtKind::kBlock: List(StmtAs<const BlockStmt>(stmt)->body); break;
    case StmtKind::kIf:
      for (const IfStmt::Arm& arm : StmtAs<const IfStmt>(stmt)->arms) {
        Expression(arm.condition);
        List(arm.body);
      }
      List(StmtAs<const IfStmt>(stmt)->else_body);
      break;
    case StmtKind::kLoop: Loop(StmtAs<const LoopStmt>(stmt)->body); break;
    case StmtKind::kWhile:
      Expression(StmtAs<const WhileStmt>(stmt)->condition);
      Loop(StmtAs<const WhileStmt>(stmt)->body);
      break;
    case StmtKind::kRepeat:
      Loop(StmtAs<const RepeatStmt>(stmt)->body);
      Expression(StmtAs<const RepeatStmt>(stmt)->condition);
      break;
    case StmtKind::kFor: {
      const auto* s = StmtAs<const ForStmt>(stmt);
      Note(s->variable);
      Expression(s->from);
      Expression(s->to);
      Expression(s->by);
      Loop(s->body);
      break;
    }
    case StmtKind::kCase: {
      const auto* s = StmtAs<const CaseStmt>(stmt);
      Expression(s->selector);
      for (const CaseStmt::Arm& arm : s->arms) List(arm.body);
      List(s->else_body);
      break;
    }
    case StmtKind::kTypecase: {
      const auto* s = StmtAs<const TypecaseStmt>(stmt);
      Expression(s->selector);
      for (const TypecaseStmt::Arm& arm : s->arms) {
        Note(arm.variable);
        List(arm.body);
      }
      List(s->else_body);
      break;
    }
    case StmtKind::kExit: break;
    case StmtKind::kReturn: Expression(StmtAs<const ReturnStmt>(stmt)->value); break;
    case StmtKind::kRaise: Expression(StmtAs<const RaiseStmt>(stmt)->argument); break;
    case StmtKind::kTryExcept: {
      const auto* s = StmtAs<const TryExceptStmt>(stmt);
      TryBody(s->body);
      Note(s->else_activation);
      for (const TryExceptStmt::Handler& handler : s->handlers) {
        Note(handler.activation);
        Note(handler.variable);
        List(handler.body);
      }
      List(s->else_body);
      break;
    }
    case StmtKind::kTryFinally:
      Note(StmtAs<const TryFinallyStmt>(stmt)->activation);
      TryBody(StmtAs<const TryFinallyStmt>(stmt)->body);
      FinallyPart(StmtAs<const TryFinallyStmt>(stmt)->finally_body);
      break;
    case StmtKind::kLock:
      Expression(StmtAs<const LockStmt>(stmt)->mutex);
      TryBody(StmtAs<const LockStmt>(stmt)->body);
      break;
    case StmtKind::kWith:
      for (const WithStmt::Binding& binding : StmtAs<const WithStmt>(stmt)->bindings) {
        if (binding.variable->alias) Locate(binding.value);
        Expression(binding.value);
        Note(binding.variable);
      }
      List(StmtAs<const WithStmt>(stmt)->body);
      break;
    case StmtKind::kIncDec:
      Assign(StmtAs<const IncDecStmt>(stmt)->target);
      Expression(StmtAs<const IncDecStmt>(stmt)->target);
      Expression(StmtAs<const IncDecStmt>(stmt)->amount);
      break;
    case StmtKind::kAssert:
      Expression(StmtAs<const AssertStmt>(stmt)->condition);
      Expression(StmtAs<const AssertStmt>(stmt)->message);
      break;
    case StmtKind::kDispose:
      Assign(StmtAs<const DisposeStmt>(stmt)->target);
      Expression(StmtAs<const DisposeStmt>(stmt)->target);
      break;
    case StmtKind::kInitialize: Note(StmtAs<const InitializeStmt>(stmt)->variable); break;
  }
}

void Captures::Add(const Procedure* procedure) {
  CaptureWalk(*this).Walk(procedure, procedure->body);
}

Captures::Captures(const CheckedUnit& unit) {
  activations_[nullptr];
  CaptureWalk walk(*this);
  for (const Procedure* procedure : unit.procedures) {
    if (procedure->has_body && !procedure->external) walk.Walk(procedure, procedure->body);
  }
  walk.Walk(nullptr, unit.body);
}

}  // namespace tenure::compiler
