// Calls: matching actuals with formals, modes, known functions, raises (docs/language.md 11, 13).
#include <algorithm>

#include "base/near_names.h"
#include "compiler/check/advisor.h"
#include "compiler/check/builtins.h"
#include "compiler/check/checker.h"
#include "compiler/types/describe.h"

namespace tenure::compiler {

Operand Checker::CheckCall(const ast::CallExpr* tree) {
  const auto* name = ast::DynAs<ast::NameExpr>(static_cast<const ast::Expr*>(tree->callee));
  if (name != nullptr && scope_->Find(name->name) == nullptr &&
      advisor_->SuggestMethod(tree, {name->name, name->span})) {
    return {};
  }
  const ast::CallExpr* outer = std::exchange(called_, tree);
  const Operand callee =
      name != nullptr ? CheckName(name, NameUse::kCallee) : CheckOperand(tree->callee);
  called_ = outer;
  auto check_actuals_only = [&] {
    // Report mistakes in the actuals even if nothing is known about the formals.
    for (const ast::Actual& actual : tree->actuals) CheckOperand(actual.value);
  };
  auto* node = Node<CallExpr>(tree->span, nullptr);
  bool no_self_keyword = false;
  switch (callee.kind) {
    case Operand::Kind::kError: check_actuals_only(); return {};
    case Operand::Kind::kBuiltin: return builtins_->CheckBuiltin(callee.symbol, tree);
    case Operand::Kind::kMethod:
      node->object = callee.value;
      node->method_type = callee.method_type;
      node->method = callee.method;
      node->signature = &callee.method_type->methods[callee.method].signature;
      break;
    case Operand::Kind::kValue: {
      auto* type = As<ProcedureType>(SeeThrough(callee.value->type));
      if (type == nullptr) {
        auto error =
            Error(MessageId::kNotProcedure, tree->callee->span, TypeToString(callee.value->type));
        advisor_->Advise(error, advisor_->NotProcedureAdvice(callee.value, tree));
        check_actuals_only();
        return {};
      }
      Complete(type);
      if (auto* procedure = ExprAs<ProcedureExpr>(callee.value)) {
        // Also if the function has another name here (10.1).
        if (const std::optional<Builtin> word = WordFunction(procedure->procedure)) {
          return CheckWordCall(type, tree, *word);
        }
      }
      if (callee.symbol != nullptr && callee.symbol->kind == SymbolKind::kProcedure) {
        if (callee.symbol->unit->name == "Compiler" && callee.symbol->unit->is_interface) {
          return CheckCompilerCall(tree);
        }
      }
      node->signature = &type->signature;
      if (auto* procedure = ExprAs<ProcedureExpr>(callee.value)) {
        node->procedure = procedure->procedure;
      } else {
        node->callee = callee.value;
      }
      no_self_keyword = !type->signature.formals.empty() && type->signature.formals[0].name.empty();
      break;
    }
    case Operand::Kind::kType: {
      // The messages about the actuals come first.
      const Expr* first = nullptr;
      for (const ast::Actual& actual : tree->actuals) {
        const Expr* value = CheckExpr(actual.value);
        if (first == nullptr) first = value;
      }
      auto error =
          Error(MessageId::kNotProcedure, tree->callee->span, "type " + TypeToString(callee.type));
      advisor_->Advise(error, advisor_->TypeCalledAdvice(callee.type, tree, first));
      return {};
    }
    default:
      ValueOf(callee, tree->callee->span);
      check_actuals_only();
      return {};
  }
  const bool ok = MatchActuals(*node->signature, tree, no_self_keyword, &node->arguments);
  NoteRaises(*node->signature, tree->span);
  if (callee.kind == Operand::Kind::kMethod) {
    NoteRoot(*node);
    if (ok) NoteCheckedValues(node);
  }
  node->type = node->signature->result;
  Operand result;
  result.kind = node->type == nullptr ? Operand::Kind::kNoValue : Operand::Kind::kValue;
  result.value = node;
  if (!ok && node->type != nullptr) {
    // Keep the result's type, so that the use of the result is checked too.
    if (IsError(node->type)) return {};
  }
  if (node->type != nullptr && IsError(node->type)) return {};
  return result;
}

bool Checker::MatchActuals(const Signature& signature, const ast::CallExpr* tree,
                           bool no_self_keyword, std::vector<Argument>* out) {
  const std::vector<ast::Actual>& actuals = tree->actuals;
  const SourceSpan span = tree->span;
  const size_t count = signature.formals.size();
  std::vector<const ast::Actual*> bound(count, nullptr);
  bool ok = true, keyword_seen = false;
  for (size_t i = 0; i < actuals.size(); ++i) {
    const ast::Actual& actual = actuals[i];
    size_t at = count;
    if (actual.keyword.name) {
      keyword_seen = true;
      for (size_t f = 0; f < count; ++f) {
        if (actual.keyword.name == signature.formals[f].name && !(no_self_keyword && f == 0))
          at = f;
      }
      if (at == count) {
        DiagnosticBuilder error =
            Error(MessageId::kUnknownKeyword, actual.keyword.span, actual.keyword.name);
        NearNames near(actual.keyword.name.view());
        for (const Formal& formal : signature.formals) near.Consider(formal.name);
        if (near.is_sure()) error.Fix(actual.keyword.span, near.best());
        if (!near.best().empty()) {
          error.Hint(MessageId::kDidYouMean, near.best());
        } else if (count > 0) {
          error.Hint(MessageId::kFormalsAre, JoinNames(near.Nearest(count)));
        }
      } else if (bound[at] != nullptr) {
        Error(MessageId::kBoundTwice, actual.span, actual.keyword.name);
        at = count;
      }
    } else if (keyword_seen) {
      Error(MessageId::kPositionalAfterKeyword, actual.span)
          .Hint("give this value a name too, or write it before the values with names");
    } else if (i >= count) {
      if (i == count) {
        auto error = Error(MessageId::kTooManyActuals, actual.span, count, actuals.size(),
                           ShortSource(tree->callee->span));
        error.Hint(ShortSource(tree->callee->span) + " is " + SignatureToString(signature));
      }
    } else {
      at = i;
    }
    if (at == count) {
      ok = false;
      CheckOperand(actual.value);
    } else {
      bound[at] = &actual;
    }
  }
  // In the order of the text, so that the messages about the actuals come in that order.
  std::vector<Expr*> values(count, nullptr);
  for (size_t i = 0; i < actuals.size(); ++i) {
    for (size_t f = 0; f < count; ++f) {
      if (bound[f] != &actuals[i]) continue;
      values[f] = CheckVarActual(signature.formals[f], actuals[i].value, tree->callee->span);
      if (values[f] == nullptr) values[f] = CheckExpr(actuals[i].value);
    }
  }
  if (ReportSwapped(signature, bound, values, tree->callee->span)) return false;
  for (size_t f = 0; f < count; ++f) {
    const Formal& formal = signature.formals[f];
    if (bound[f] == nullptr) {
      if (formal.default_value == nullptr) {
        if (ok) {
          auto error = Error(MessageId::kFormalUnbound, span,
                             formal.name.empty() ? "the object" : formal.name,
                             ShortSource(tree->callee->span));
          const auto* select =
              ast::DynAs<ast::SelectExpr>(static_cast<const ast::Expr*>(tree->callee));
          if (formal.name.empty() && select != nullptr) {
            const std::string method = select->selector.name.str();
            error.Hint("a method is called for an object x: x." + method + "(" +
                       (count > 1 ? "..." : "") + ")");
          } else {
            error.Hint(ShortSource(tree->callee->span) + " is " + SignatureToString(signature));
          }
        }
        ok = false;
        continue;
      }
      Argument argument;
      argument.pass = formal.mode == ParameterMode::kValue ? Argument::Pass::kValue
                                                           : Argument::Pass::kTemporary;
      argument.value = MakeConstant(formal.default_value, formal.type, span);
      argument.formal_type = formal.type;
      out->push_back(argument);
      continue;
    }
    out->push_back(PassActual(formal, values[f], bound[f]->value->span, tree->callee->span));
    if (IsError(out->back().value)) ok = false;
  }
  return ok;
}

// ADR(x) for a VAR formal, as C has it: reports this and returns an error; otherwise null.
Expr* Checker::CheckVarActual(const Formal& formal, const ast::Expr* tree, SourceSpan procedure) {
  const auto* call = ast::DynAs<ast::CallExpr>(tree);
  if (formal.mode != ParameterMode::kVar || unit_->is_unsafe || call == nullptr) return nullptr;
  const auto* callee = ast::DynAs<ast::NameExpr>(static_cast<const ast::Expr*>(call->callee));
  if (callee == nullptr || callee->name != "ADR" || call->actuals.size() != 1) return nullptr;
  CheckExpr(call->actuals[0].value);
  const SourceSpan operand = call->actuals[0].value->span;
  Error(MessageId::kVarNotDesignator, tree->span, formal.name, ShortSource(procedure))
      .Hint("a VAR formal takes the variable itself: write " + ShortSource(operand))
      .Fix({operand.file, tree->span.begin, operand.begin}, "")
      .Fix({operand.file, operand.end, tree->span.end}, "");
  return MakeError(tree->span);
}

// Two actuals that fit each other's formal but not their own: reported as one mistake.
bool Checker::ReportSwapped(const Signature& signature,
                            const std::vector<const ast::Actual*>& bound,
                            const std::vector<Expr*>& values, SourceSpan procedure) {
  std::vector<size_t> wrong;
  const auto fits = [&](size_t value, size_t formal) {
    return Assignable(values[value]->type, signature.formals[formal].type) != Assignability::kNo;
  };
  for (size_t f = 0; f < values.size(); ++f) {
    if (values[f] == nullptr) continue;
    if (IsError(values[f]) || IsError(signature.formals[f].type)) return false;
    if (!fits(f, f)) wrong.push_back(f);
  }
  if (wrong.size() != 2 || !fits(wrong[0], wrong[1]) || !fits(wrong[1], wrong[0])) return false;
  const ast::Actual *first = bound[wrong[0]], *second = bound[wrong[1]];
  if (first->keyword.name || second->keyword.name) return false;
  const std::string a = ShortSource(first->span), b = ShortSource(second->span);
  Error(MessageId::kActualsSwapped, Join(first->span, second->span),
        signature.formals[wrong[0]].name, signature.formals[wrong[1]].name, ShortSource(procedure),
        TypeToString(signature.formals[wrong[0]].type),
        TypeToString(signature.formals[wrong[1]].type))
      .Hint("write " + b + " before " + a)
      .Fix(first->span, second->span.text())
      .Fix(second->span, first->span.text());
  return true;
}

// Modes (11.4).
Argument Checker::PassActual(const Formal& formal, Expr* value, SourceSpan span,
                             SourceSpan procedure) {
  const Receiver receiver{.kind = Receiver::Kind::kFormal, .name = formal.name, .owner = procedure};
  Argument argument;
  argument.formal_type = formal.type;
  argument.value = value;
  if (IsError(value) || IsError(formal.type)) {
    argument.value = MakeError(span);
    return argument;
  }
  const TypeKind kind = StripPacked(formal.type)->kind;
  const bool array = kind == TypeKind::kArray || kind == TypeKind::kOpenArray;
  if (formal.mode == ParameterMode::kValue) {
    argument.pass = Argument::Pass::kValue;
    argument.value =
        kind == TypeKind::kOpenArray && Assignable(value->type, formal.type) == Assignability::kYes
            ? value
            : Convert(value, formal.type, Destination::kPass, span, receiver);
    return argument;
  }
  const Assignability assignability = Assignable(value->type, formal.type);
  const bool packed = value->type->kind == TypeKind::kPacked;
  const bool aliases =
      value->designator && (!packed || IsWholeVariable(value)) &&
      (array ? assignability != Assignability::kNo : Same(value->type, formal.type));
  if (formal.mode == ParameterMode::kVar) {
    argument.pass = Argument::Pass::kReference;
    if (!value->designator) {
      const std::string type = advisor_->TypeHere(formal.type), name = formal.name;
      Error(MessageId::kVarNotDesignator, span, formal.name, ShortSource(procedure))
          .Hint("give the value to a variable first: VAR " + name +
                (type.empty() ? "" : ": " + type) + " := " + ShortSource(span));
    } else if (!value->writable) {
      const auto [reason, help] = advisor_->ReadonlyReason(value);
      Error(MessageId::kVarNotWritable, span, formal.name, ShortSource(procedure), reason)
          .Hint("copy the value to a variable of your own, and give that one");
    } else if (aliases ? !packed && !IsByteAligned(value) : Same(value->type, formal.type)) {
      Error(MessageId::kVarPacked, span, formal.name, ShortSource(procedure))
          .Hint("copy it to a variable, call, and copy it back");
    } else if (!aliases) {
      auto error = Error(MessageId::kVarType, span, formal.name, ShortSource(procedure),
                         TypeToString(formal.type), TypeToString(value->type));
      advisor_->NoteDeclaration(error, formal.type);
      if (value->type != formal.type) advisor_->NoteDeclaration(error, value->type);
      advisor_->Advise(error, advisor_->VarAdvice(formal, value, span));
    } else {
      NoteWrite(value);
      if (array && assignability == Assignability::kShapeCheck) {
        argument.value = Retype(value, formal.type, Conversion::kShape);
      }
      return argument;
    }
    argument.value = MakeError(span);
    return argument;
  }
  if (aliases && (packed || IsByteAligned(value))) {
    argument.pass = Argument::Pass::kReference;
    if (array && assignability == Assignability::kShapeCheck) {
      argument.value = Retype(value, formal.type, Conversion::kShape);
    }
    return argument;
  }
  argument.pass = Argument::Pass::kTemporary;
  argument.value = kind == TypeKind::kOpenArray && assignability == Assignability::kYes
                       ? value
                       : Convert(value, formal.type, Destination::kPass, span, receiver);
  return argument;
}

// --- known functions ---

std::optional<Builtin> Checker::WordFunction(const Procedure* procedure) {
  // Only the link names of the library's own interfaces begin with these names.
  std::string_view name = procedure->symbol;
  if (!procedure->exported || procedure->parent != nullptr) return std::nullopt;
  if (!name.starts_with("Word.") && !name.starts_with("Long.")) return std::nullopt;
  name.remove_prefix(5);
  static constexpr std::pair<std::string_view, Builtin> kFunctions[] = {
      {"Plus", Builtin::kWordPlus},
      {"Times", Builtin::kWordTimes},
      {"Minus", Builtin::kWordMinus},
      {"Divide", Builtin::kWordDivide},
      {"Mod", Builtin::kWordMod},
      {"LT", Builtin::kWordLT},
      {"LE", Builtin::kWordLE},
      {"GT", Builtin::kWordGT},
      {"GE", Builtin::kWordGE},
      {"And", Builtin::kWordAnd},
      {"Or", Builtin::kWordOr},
      {"Xor", Builtin::kWordXor},
      {"Not", Builtin::kWordNot},
      {"Shift", Builtin::kWordShift},
      {"LeftShift", Builtin::kWordLeftShift},
      {"RightShift", Builtin::kWordRightShift},
      {"Rotate", Builtin::kWordRotate},
      {"LeftRotate", Builtin::kWordLeftRotate},
      {"RightRotate", Builtin::kWordRightRotate},
      {"Extract", Builtin::kWordExtract},
      {"Insert", Builtin::kWordInsert},
  };
  for (const auto& [function, builtin] : kFunctions) {
    if (function == name) return builtin;
  }
  return std::nullopt;
}

Operand Checker::CheckWordCall(const ProcedureType* type, const ast::CallExpr* tree,
                               Builtin builtin) {
  std::vector<Argument> arguments;
  const bool ok = MatchActuals(type->signature, tree, false, &arguments);
  Type* result = type->signature.result;
  if (!ok || result == nullptr || IsError(result)) return {};
  auto* node = Node<BuiltinExpr>(tree->span, result);
  node->builtin = builtin;
  node->operands = Operands::kInteger;
  std::vector<int64_t> values;
  for (const Argument& argument : arguments) {
    node->arguments.push_back(argument.value);
    if (const Constant* constant = OrdinalConstant(argument.value))
      values.push_back(constant->ordinal);
  }
  if (values.size() == node->arguments.size()) {
    if (const std::optional<int64_t> folded = FoldWord(builtin, values))
      return Value(MakeOrdinal(*folded, result, tree->span));
    const bool divides = builtin == Builtin::kWordDivide || builtin == Builtin::kWordMod;
    WarnUnlessReported(node, divides ? "" : "[0..Word.Size]");
  }
  return Value(node);
}

// Interface Compiler (25.4): the place of the call, the exception that is being handled.
Operand Checker::CheckCompilerCall(const ast::CallExpr* tree) {
  const std::string_view name =
      tree->callee->span.text().substr(tree->callee->span.text().rfind('.') + 1);
  auto text = [&](std::string_view value) {
    std::u32string wide(value.begin(), value.end());
    return Value(MakeText(wide, false, tree->span));
  };
  const std::string_view path = tree->span.start().path();
  if (name == "ThisLine")
    return Value(MakeOrdinal(tree->span.line(), types().cardinal, tree->span));
  if (name == "ThisPath") return text(path);
  if (name == "ThisFile") {
    const size_t slash = path.rfind('/');
    return text(slash == std::string_view::npos ? path : path.substr(slash + 1));
  }
  if (body_ == nullptr || body_->activations.empty()) {
    Error(MessageId::kNoActiveHandler, tree->span);
    return {};
  }
  Variable*& activation = *body_->activations.back();
  if (activation == nullptr) {
    ast::Ident ident;
    ident.name = interner_.Intern("ThisException");
    ident.span = tree->span;
    activation = NewLocal(ident, Variable::Kind::kLocal, types().address);
  }
  auto* value = Node<VariableExpr>(tree->span, types().address);
  value->variable = activation;
  return Value(value);
}

// --- exceptions ---

bool Checker::FatalHere(Exception* exception) {
  for (Scope* scope = scope_; scope != nullptr; scope = scope->parent) {
    for (const ast::FatalPragma* fatal : scope->fatal) {
      if (fatal->is_any) return true;
      if (exception == nullptr) continue;
      for (const ast::QualId& id : fatal->exceptions) {
        if (LookUpException(id) == exception) return true;
      }
    }
  }
  return false;
}

void Checker::NoteRaises(const Signature& signature, SourceSpan span) {
  if (signature.raises_any) {
    NoteRaise(nullptr, span);
  } else {
    for (Exception* exception : signature.raises) NoteRaise(exception, span);
  }
}

// Conservative: looks at the handlers textually around the call, then at the procedure's raises
// set.
void Checker::NoteRaise(Exception* exception, SourceSpan span) {
  if (body_ == nullptr || (exception != nullptr && exception->implicit)) return;
  for (auto frame = body_->catches.rbegin(); frame != body_->catches.rend(); ++frame) {
    if (frame->catches_all) return;
    if (exception == nullptr) continue;
    for (const TryExceptStmt::Handler& handler : *frame->handlers) {
      if (std::find(handler.exceptions.begin(), handler.exceptions.end(), exception) !=
          handler.exceptions.end()) {
        return;
      }
    }
  }
  if (body_->signature != nullptr) {
    if (body_->signature->raises_any) return;
    const auto& raises = body_->signature->raises;
    if (exception != nullptr && std::find(raises.begin(), raises.end(), exception) != raises.end())
      return;
    if (body_->procedure != nullptr) body_->procedure->may_violate_raises = true;
  }
  if (unit_->warns && !FatalHere(exception)) {
    auto warning = Warn(MessageId::kMayBeUnhandled, span,
                        exception == nullptr ? "any exception" : exception->name);
    if (body_->procedure == nullptr) {
      warning.Hint("handle it with TRY ... EXCEPT");
    } else {
      warning.Hint("handle it with TRY ... EXCEPT, or add it to RAISES of " +
                   body_->procedure->name);
    }
  }
}

}  // namespace tenure::compiler
