// Blocks and the bodies of procedures (docs/language.md 10.4, 11).
#include "compiler/check/checker.h"
#include "compiler/types/layout.h"

namespace tenure::compiler {

Variable* Checker::NewLocal(const ast::Ident& ident, Variable::Kind kind, Type* type) {
  auto* variable = Make<Variable>();
  variable->name = ident.name.str();
  variable->kind = kind;
  variable->type = type;
  variable->owner = scope_->owner;
  variable->unit = unit_->checked;
  variable->span = ident.span;
  if (ident.name && unit_->warns) locals_[ident.name.view()] = variable;
  if (kind == Variable::Kind::kFormal) return variable;
  if (variable->owner != nullptr) {
    variable->owner->locals.push_back(variable);
  } else {
    unit_->checked->body_locals.push_back(variable);
  }
  return variable;
}

Symbol* Checker::DeclareLocal(Scope* scope, const ast::Ident& ident, Variable* variable,
                              Scope::Origin origin) {
  Symbol* symbol = DeclareName(ident, SymbolKind::kVariable, nullptr, scope, origin);
  symbol->state = ResolveState::kDone;
  symbol->variable = variable;
  symbol->type = variable->type;
  return symbol;
}

Scope* Checker::NewScope() {
  Scope* scope = &scopes_.emplace_back();
  scope->parent = scope_;
  scope->unit = unit_;
  scope->owner = scope_->owner;
  return scope;
}

void Checker::CheckProcedureBody(Symbol* symbol) {
  Resolve(symbol);
  const auto* decl = ast::As<ast::ProcedureDecl>(symbol->decl);
  if (decl->body == nullptr || symbol->procedure == nullptr) return;
  Procedure* procedure = symbol->procedure;
  auto* type = As<ProcedureType>(symbol->type);
  Complete(type);
  if (!procedure->formals.empty() || !procedure->body.empty()) return;  // a second body, reported

  ContextScope context(*this);
  BodyContext body;
  body.unit = unit_;
  body.procedure = procedure;
  body.signature = &type->signature;
  body.damaged = decl->body->has_errors || (body_ != nullptr && body_->damaged);
  body_ = &body;
  Scope* scope = NewScope();
  scope->owner = procedure;
  scope_ = scope;
  unit_->checked->procedures.push_back(procedure);

  size_t next = 0;
  for (const ast::FormalGroup& group : decl->signature.formals) {
    for (const ast::Ident& name : group.names) {
      if (next == type->signature.formals.size()) break;
      const Formal& formal = type->signature.formals[next++];
      Variable* variable = NewLocal(name, Variable::Kind::kFormal, formal.type);
      variable->mode = formal.mode;
      variable->alias = formal.mode != ParameterMode::kValue;
      variable->writable = formal.mode != ParameterMode::kReadonly;
      procedure->formals.push_back(variable);
      SetTrace(variable, name.name, group.trace, scope);
      // Two formals of one name were reported with the signature.
      if (scope->FindHere(name.name) != nullptr) continue;
      DeclareLocal(scope, name, variable, Scope::Origin::kFormal);
      if (Scope::Entry* entry = scope->FindHere(name.name)) entry->unused_ok = true;
    }
  }
  for (const Variable* formal : procedure->formals) {
    if (formal->mode == ParameterMode::kValue &&
        StripPacked(formal->type)->kind == TypeKind::kOpenArray) {
      Warn(MessageId::kOpenArrayByValue, formal->span, formal->name);
    }
  }
  for (const Variable* formal : procedure->formals) AddTrace(formal, &procedure->body);
  std::vector<Symbol*> symbols;
  CheckBlock(*decl->body, scope, &procedure->body, &symbols);
  if (type->signature.result != nullptr && FallsThrough(procedure->body) && !unit_->failed) {
    Warn(MessageId::kMayNotReturn, decl->body->end_span, procedure->name)
        .Hint("write RETURN or RAISE before this END");
  }
  WarnUnreachable(procedure->body);
  WarnValueFlow(procedure->body, {});
}

void Checker::CheckBlock(const ast::Block& block, Scope* scope, StmtList* out,
                         std::vector<Symbol*>* symbols) {
  scope_ = scope;
  for (const ast::FatalPragma& fatal : block.fatal) scope->fatal.push_back(&fatal);
  CheckFatal(block);
  DeclareDecls(block.declarations, scope, symbols);
  for (Symbol* symbol : *symbols) Resolve(symbol);
  Settle();
  AddInitializations(*symbols, out, /*globals=*/false);
  for (Symbol* symbol : *symbols) {
    if (symbol->kind == SymbolKind::kProcedure) CheckProcedureBody(symbol);
  }
  CheckStatements(block.body, out, block.trace.empty() ? nullptr : &block.trace);
  if (!unit_->failed) WarnUnused(scope);
}

void Checker::CheckFatal(const ast::Block& block) {
  for (const ast::FatalPragma& fatal : block.fatal) {
    for (const ast::QualId& id : fatal.exceptions) LookUpException(id);
  }
}

void Checker::AddInitializations(const std::vector<Symbol*>& symbols, StmtList* out, bool globals) {
  for (Symbol* symbol : symbols) {
    if (symbol->kind != SymbolKind::kVariable || symbol->variable == nullptr ||
        IsError(symbol->type)) {
      // Check the initial value even if the variable's type is wrong.
      if (symbol->kind == SymbolKind::kVariable && symbol->initial == nullptr &&
          symbol->decl != nullptr) {
        const auto* decl = ast::As<ast::VariableDecl>(symbol->decl);
        if (decl->initial != nullptr && decl->names.front().span == symbol->span)
          CheckExpr(decl->initial);
      }
      continue;
    }
    const auto* decl = ast::As<ast::VariableDecl>(symbol->decl);
    if (decl->initial == nullptr) {
      if (globals && !NeedsInitialization(symbol->type)) continue;  // static data begins as zeros
      auto* initialize = Statement<InitializeStmt>(symbol->span);
      initialize->variable = symbol->variable;
      out->push_back(initialize);
      continue;
    }
    Expr* value = symbol->initial != nullptr ? symbol->initial : CheckExpr(decl->initial);
    auto* target = Node<VariableExpr>(symbol->span, symbol->type);
    target->variable = symbol->variable;
    target->designator = target->writable = true;
    auto* assign = Statement<AssignStmt>(Join(symbol->span, decl->initial->span));
    assign->target = target;
    assign->value = Convert(value, symbol->type, Destination::kStore, decl->initial->span,
                            {.kind = Receiver::Kind::kVariable, .owner = symbol->span});
    out->push_back(assign);
    AddTrace(symbol->variable, out);
  }
}

namespace {

// A test, a benchmark, or what runs around tests: `tenure test` finds these by their signatures and
// names (stdlib/test/Test.i3).
bool IsForTests(const Symbol& symbol) {
  const auto* type = As<ProcedureType>(symbol.type);
  if (symbol.kind != SymbolKind::kProcedure || type == nullptr) return false;
  if (type->signature.formals.size() != 1) return false;
  const Formal& formal = type->signature.formals[0];
  const auto* opaque = As<OpaqueType>(formal.type);
  if (opaque == nullptr || formal.mode != ParameterMode::kValue) return false;
  const std::string_view name = symbol.name.view();
  const auto is_named = [&](std::string_view prefix) {
    return name.starts_with(prefix) &&
           (name.size() == prefix.size() || name[prefix.size()] < 'a' || name[prefix.size()] > 'z');
  };
  if (opaque->name == "Test.Bench") return is_named("Bench");
  return opaque->name == "Test.T" && (is_named("Test") || name == "SetUp" || name == "TakeDown");
}

}  // namespace

void Checker::WarnUnused(Scope* scope) {
  for (const auto& [name, entry] : scope->in_order()) {
    if (entry->used || entry->unused_ok || entry->symbol->used) continue;
    switch (entry->origin) {
      case Scope::Origin::kImport:
      case Scope::Origin::kFromImport: {
        // The unit may import an interface only for its revelations.
        const Symbol* symbol = entry->symbol;
        if (symbol->kind == SymbolKind::kError) break;
        const UnitInfo* interface =
            symbol->kind == SymbolKind::kInterface ? symbol->interface : symbol->unit;
        if (interface != nullptr && interface->revelations.empty())
          Warn(MessageId::kUnusedImport, entry->span, name);
        break;
      }
      case Scope::Origin::kDeclared:
      case Scope::Origin::kLocal:
        if (scope->unit_level && (scope->unit->is_interface)) break;
        // Constants and types are often declared for completeness.
        if (scope->unit_level && IsForTests(*entry->symbol)) break;
        if (entry->symbol->kind == SymbolKind::kVariable ||
            entry->symbol->kind == SymbolKind::kProcedure) {
          Warn(MessageId::kUnusedName, entry->span, name);
        }
        break;
      default: break;
    }
  }
}

}  // namespace tenure::compiler
