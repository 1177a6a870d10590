// Declarations: names into scopes, and what each name denotes, found on demand (docs/language.md 3, 4, 10, 11.1).
#include <algorithm>

#include "compiler/check/checker.h"
#include "compiler/types/layout.h"

namespace tenure::compiler {

namespace {

SymbolKind KindOf(ast::DeclKind kind) {
  switch (kind) {
    case ast::DeclKind::kConst: return SymbolKind::kConstant;
    case ast::DeclKind::kType: return SymbolKind::kType;
    case ast::DeclKind::kException: return SymbolKind::kException;
    case ast::DeclKind::kVariable: return SymbolKind::kVariable;
    case ast::DeclKind::kProcedure: return SymbolKind::kProcedure;
    case ast::DeclKind::kReveal: break;
  }
  return SymbolKind::kError;
}

std::string_view ScopeWord(const Scope* scope) {
  if (!scope->unit_level) return "a nested block";
  return scope->unit->is_interface ? "an interface" : "a module";
}

}  // namespace

// ------------------------------------------------------------------------------------------------- declaring --

void Checker::ReportDuplicate(Name name, SourceSpan span, const Scope::Entry& first) {
  switch (first.origin) {
    case Scope::Origin::kFormal:
      Error(MessageId::kHidesFormal, span, name).Note(MessageId::kDeclaredHere, first.span, name);
      break;
    case Scope::Origin::kImport:
    case Scope::Origin::kFromImport:
      Error(MessageId::kDeclaredAndImported, span, name).Note(MessageId::kDeclaredHere, first.span, name);
      break;
    case Scope::Origin::kExport:
      Error(MessageId::kDeclaredAndExported, span, name).Note(MessageId::kDeclaredHere, first.span, name);
      break;
    default:
      Error(MessageId::kDeclaredTwice, span, name).Note(MessageId::kDeclaredHere, first.span, name);
      break;
  }
}

Symbol* Checker::DeclareName(const ast::Ident& ident, SymbolKind kind, const ast::Decl* decl, Scope* scope,
                             Scope::Origin origin) {
  Symbol* symbol = Make<Symbol>();
  symbol->kind = kind;
  symbol->name = ident.name;
  symbol->span = ident.span;
  symbol->unit = scope->unit;
  symbol->scope = scope;
  symbol->decl = decl;
  if (!ident.name) return symbol;
  if (universe_.FindHere(ident.name) != nullptr) {
    Error(MessageId::kReservedName, ident.span, ident.name);
    return symbol;
  }
  Scope::Entry entry{symbol, ident.span, origin};
  entry.unused_ok = decl != nullptr && decl->pragmas.is_unused;
  if (Scope::Entry* first = scope->FindHere(ident.name)) {
    // A procedure of an exported interface gets its body (20.9).
    if (first->origin == Scope::Origin::kExport && kind == SymbolKind::kProcedure &&
        first->symbol->kind == SymbolKind::kProcedure) {
      Symbol* interface_symbol = first->symbol;
      if (interface_symbol->implemented_by != nullptr && interface_symbol->implemented_by->unit != symbol->unit) {
        Error(MessageId::kBodyTwice, ident.span, interface_symbol->unit->name, ident.name)
            .Note(MessageId::kDeclaredHere, interface_symbol->implemented_by->span, ident.name);
        return symbol;
      }
      symbol->implements = interface_symbol;
      interface_symbol->implemented_by = symbol;
      *first = entry;
      first->used = true;
      return symbol;
    }
    ReportDuplicate(ident.name, ident.span, *first);
    return symbol;
  }
  scope->Insert(ident.name, entry);
  return symbol;
}

void Checker::DeclareDecls(const std::vector<ast::Decl*>& decls, Scope* scope, std::vector<Symbol*>* symbols) {
  const bool interface = scope->unit_level && scope->unit->is_interface;
  for (const ast::Decl* decl : decls) {
    const SymbolKind kind = KindOf(decl->kind);
    auto add = [&](const ast::Ident& ident) {
      Symbol* symbol = DeclareName(ident, kind, decl, scope, Scope::Origin::kDeclared);
      symbols->push_back(symbol);
      if (kind == SymbolKind::kProcedure && interface) procedure_symbols_.push_back(symbol);
      return symbol;
    };
    switch (decl->kind) {
      case ast::DeclKind::kConst: add(ast::As<ast::ConstDecl>(decl)->name); break;
      case ast::DeclKind::kType: {
        const auto* type = ast::As<ast::TypeDecl>(decl);
        if (type->is_opaque && !scope->unit_level) {
          Error(MessageId::kMisplacedDeclaration, type->name.span, "an opaque type", ScopeWord(scope));
        }
        add(type->name);
        break;
      }
      case ast::DeclKind::kException:
        if (!scope->unit_level) {
          Error(MessageId::kMisplacedDeclaration, ast::As<ast::ExceptionDecl>(decl)->name.span, "an exception",
                ScopeWord(scope));
        }
        add(ast::As<ast::ExceptionDecl>(decl)->name);
        break;
      case ast::DeclKind::kVariable:
        for (const ast::Ident& name : ast::As<ast::VariableDecl>(decl)->names) add(name);
        break;
      case ast::DeclKind::kProcedure: {
        const auto* procedure = ast::As<ast::ProcedureDecl>(decl);
        if (interface && procedure->body != nullptr) {
          Error(MessageId::kBodyInInterface, procedure->name.span, procedure->name.name);
        } else if (!interface && procedure->body == nullptr && !scope->unit->failed) {
          Error(MessageId::kMissingBody, procedure->name.span, procedure->name.name);
        }
        add(procedure->name);
        break;
      }
      case ast::DeclKind::kReveal:
        if (!scope->unit_level) {
          Error(MessageId::kMisplacedDeclaration, decl->span, "a revelation", ScopeWord(scope));
        }
        break;
    }
    if (decl->pragmas.external.is_external && !interface) {
      Error(MessageId::kExternalInModule, decl->pragmas.external.span);
    }
  }
}

// ------------------------------------------------------------------------------------------------------ names --

Symbol* Checker::Use(Scope::Entry* entry, SourceSpan span) {
  entry->used = true;
  Symbol* symbol = entry->symbol;
  symbol->used = true;
  if (symbol->unit != unit_) symbol->used_elsewhere = true;
  if (!symbol->first_use.valid()) symbol->first_use = span;
  if (symbol->decl != nullptr && symbol->decl->pragmas.is_obsolete && symbol->unit != unit_) {
    Warn(MessageId::kObsolete, span, symbol->name);
  }
  return symbol;
}

Symbol* Checker::LookUp(const ast::Ident& ident) {
  if (!ident.name) return nullptr;
  if (Scope::Entry* entry = scope_->Find(ident.name)) return Use(entry, ident.span);
  if (!unit_->failed) Error(MessageId::kUndeclared, ident.span, ident.name);
  return nullptr;
}

Symbol* Checker::LookUpIn(UnitInfo* interface, const ast::Ident& ident) {
  if (!ident.name) return nullptr;
  Scope::Entry* entry = interface->scope->FindHere(ident.name);
  if (entry != nullptr && entry->origin == Scope::Origin::kDeclared) return Use(entry, ident.span);
  if (!interface->failed) Error(MessageId::kNotInInterface, ident.span, interface->name, ident.name);
  return nullptr;
}

Symbol* Checker::LookUpQualified(const ast::QualId& id) {
  if (!id.is_qualified()) return LookUp(id.name);
  Symbol* qualifier = LookUp(id.qualifier);
  if (qualifier == nullptr || qualifier->kind == SymbolKind::kError) return nullptr;
  if (qualifier->kind != SymbolKind::kInterface) {
    Error(MessageId::kNotInterface, id.qualifier.span, id.qualifier.name);
    return nullptr;
  }
  return LookUpIn(qualifier->interface, id.name);
}

Exception* Checker::LookUpException(const ast::QualId& id) {
  Symbol* symbol = LookUpQualified(id);
  if (symbol == nullptr || symbol->kind == SymbolKind::kError) return nullptr;
  Resolve(symbol);
  if (symbol->kind != SymbolKind::kException) {
    Error(MessageId::kNotException, id.span, id.span.text());
    return nullptr;
  }
  return symbol->exception;
}

// -------------------------------------------------------------------------------------------------- resolving --

void Checker::Resolve(Symbol* symbol) {
  if (symbol->state == ResolveState::kDone) return;
  if (symbol->state == ResolveState::kInProgress) {
    Error(MessageId::kIllegalRecursion, symbol->span, symbol->name);
    if (symbol->type == nullptr) symbol->type = types().error;
    return;
  }
  if (symbol->decl == nullptr) {
    symbol->state = ResolveState::kDone;
    return;
  }
  symbol->state = ResolveState::kInProgress;
  ContextScope context(*this);
  unit_ = symbol->unit;
  scope_ = symbol->scope;
  if (scope_->unit_level) body_ = &unit_->body;
  const std::string outer_hint = std::exchange(type_name_hint_, std::string());
  switch (symbol->kind) {
    case SymbolKind::kConstant: ResolveConstant(symbol); break;
    case SymbolKind::kType: ResolveTypeDecl(symbol); break;
    case SymbolKind::kException: ResolveException(symbol); break;
    case SymbolKind::kVariable: ResolveVariable(symbol); break;
    case SymbolKind::kProcedure: ResolveProcedure(symbol); break;
    default: break;
  }
  type_name_hint_ = outer_hint;
  symbol->state = ResolveState::kDone;
}

std::string Checker::Qualified(Name name) const { return unit_->name + "." + name.str(); }

// What the link names of a unit's own entities begin with.
std::string Checker::UnitSymbol() const { return unit_->is_interface ? unit_->name : unit_->name + ".m3"; }

std::string Checker::UniqueSymbol(const std::string& symbol) {
  const int uses = unit_->symbol_uses[symbol]++;
  return uses == 0 ? symbol : symbol + "." + std::to_string(uses + 1);
}

void Checker::ResolveConstant(Symbol* symbol) {
  const auto* decl = ast::As<ast::ConstDecl>(symbol->decl);
  Type* declared = decl->type == nullptr ? nullptr : ResolveType(decl->type);
  Type* type = nullptr;
  const Constant* value = CheckConstant(decl->value, &type, "the value of a constant");
  if (symbol->type != nullptr && IsError(symbol->type)) type = symbol->type;  // it refers to itself
  if (value != nullptr && declared != nullptr) {
    if (declared->kind == TypeKind::kOpenArray && type->kind == TypeKind::kOpenArray) {
      if (!Same(declared, type)) value = Member_(value, type, declared, decl->value->span, decl->name.name.view());
    } else {
      value = Member_(value, type, declared, decl->value->span, decl->name.name.view());
    }
  }
  if (declared != nullptr) type = declared;
  symbol->type = value == nullptr ? types().error : type;
  symbol->constant = value == nullptr ? error_constant_ : value;
}

void Checker::ResolveTypeDecl(Symbol* symbol) {
  const auto* decl = ast::As<ast::TypeDecl>(symbol->decl);
  if (!decl->is_opaque) {
    if (scope_->unit_level) type_name_hint_ = symbol->name.str();
    ++types_in_progress_;
    Type* type = ResolveType(decl->type);
    --types_in_progress_;
    if (symbol->type != nullptr && IsError(symbol->type)) return;  // it refers to itself
    symbol->type = type;
    if (type->name.empty()) {
      // A procedure's local type may share its name with another's, which only people see.
      type->name = Qualified(symbol->name);
    }
    return;
  }
  auto* opaque = types().New<OpaqueType>();
  opaque->name = Qualified(symbol->name);
  symbol->type = opaque;
  symbol->state = ResolveState::kDone;  // its identity does not depend on its bound
  opaque_symbols_[opaque] = symbol;
  ++types_in_progress_;
  Type* bound = ResolveType(decl->type);
  --types_in_progress_;
  if (!IsError(bound) && !IsReference(bound)) {
    Error(MessageId::kNotReferenceBound, decl->type->span, TypeToString(bound));
    bound = types().error;
  }
  // A cycle of bounds would have no end.
  for (Type* t = bound; t != nullptr;) {
    if (t == opaque) {
      Error(MessageId::kIllegalRecursion, symbol->span, symbol->name);
      bound = types().refany;
      break;
    }
    auto* next = As<OpaqueType>(t);
    t = next == nullptr ? nullptr : next->bound;
  }
  opaque->bound = IsError(bound) ? types().refany : bound;
}

void Checker::ResolveException(Symbol* symbol) {
  const auto* decl = ast::As<ast::ExceptionDecl>(symbol->decl);
  auto* exception = Make<Exception>();
  exception->name = Qualified(symbol->name);
  exception->symbol = exception->name;
  // A module that does not export the interface of its name must not clash with that.
  if (!unit_->is_interface &&
      std::none_of(unit_->exports.begin(), unit_->exports.end(), [&](UnitInfo* e) { return e->name == unit_->name; })) {
    exception->symbol = UnitSymbol() + "." + symbol->name.str();
  }
  exception->unit = unit_->checked;
  exception->implicit = decl->pragmas.is_implicit;
  symbol->exception = exception;
  unit_->checked->exceptions.push_back(exception);
  if (decl->argument == nullptr) return;
  exception->argument = ResolveType(decl->argument);
  CheckVariableType(exception->argument, decl->argument->span, "the argument of an exception");
}

void Checker::CheckVariableType(Type* type, SourceSpan span, std::string_view what) {
  if (IsError(type)) return;
  if (StripPacked(type)->kind == TypeKind::kOpenArray) {
    Error(MessageId::kOpenArrayHere, span, what);
  } else if (IsEmptyType(type)) {
    Error(MessageId::kEmptyType, span, what, TypeToString(type));
  }
}

void Checker::ResolveVariable(Symbol* symbol) {
  const auto* decl = ast::As<ast::VariableDecl>(symbol->decl);
  auto* variable = Make<Variable>();
  symbol->variable = variable;
  variable->name = symbol->name.str();
  variable->span = symbol->span;
  variable->unit = unit_->checked;
  variable->owner = scope_->owner;
  variable->kind = scope_->unit_level ? Variable::Kind::kGlobal : Variable::Kind::kLocal;
  const ast::ExternalPragma& external =
      decl->pragmas.external.is_external ? decl->pragmas.external : unit_->tree->external;
  variable->external = scope_->unit_level && unit_->is_interface && external.is_external;
  if (scope_->unit_level) {
    variable->symbol = UnitSymbol() + "." + variable->name;
    if (variable->external) {
      const bool own = decl->pragmas.external.is_external && external.link_name;
      variable->symbol = own ? external.link_name.str() : variable->name;
    }
  }

  Type* type = nullptr;
  if (decl->type != nullptr) {
    type = ResolveType(decl->type);
  } else if (decl->initial != nullptr) {
    Expr* initial = CheckExpr(decl->initial);
    type = initial->type;
    symbol->initial = initial;
    if (symbol->type != nullptr && IsError(symbol->type)) type = symbol->type;  // it refers to itself
    if (type->kind == TypeKind::kNull) {
      Error(MessageId::kNilVariable, decl->initial->span, symbol->name);
      type = types().error;
    }
  }
  if (type == nullptr) type = types().error;
  CheckVariableType(type, decl->type != nullptr ? decl->type->span : symbol->span, "a variable");
  if (StripPacked(type)->kind == TypeKind::kOpenArray || IsEmptyType(type)) type = types().error;
  symbol->type = type;
  variable->type = type;

  if (scope_->unit_level) {
    unit_->checked->variables.push_back(variable);
  } else if (variable->owner != nullptr) {
    variable->owner->locals.push_back(variable);
  } else {
    unit_->checked->body_locals.push_back(variable);
  }
  if (scope_->unit_level && unit_->is_interface && decl->initial != nullptr) {
    if (variable->external) {
      Error(MessageId::kExternalInitial, decl->initial->span, symbol->name);
      return;
    }
    // Set before any body runs, so only constants (10.6).
    Verify([this, decl, variable] {
      Type* from = nullptr;
      const Constant* value = CheckConstant(decl->initial, &from, "the initial value of an interface's variable");
      variable->initial = Member_(value, from, variable->type, decl->initial->span, variable->name);
    });
  }
}

void Checker::ResolveProcedure(Symbol* symbol) {
  const auto* decl = ast::As<ast::ProcedureDecl>(symbol->decl);
  auto* type = types().New<ProcedureType>();
  type->c_convention = decl->pragmas.convention != ast::CallingConvention::kModula3;
  symbol->type = type;
  Procedure* procedure = nullptr;
  if (symbol->implements != nullptr) {
    Resolve(symbol->implements);
    procedure = symbol->implements->procedure;
  }
  if (procedure == nullptr) {
    procedure = Make<Procedure>();
    procedure->name = symbol->name.str();
    const Procedure* parent = scope_->owner;
    procedure->parent = scope_->owner;
    procedure->full_name = (parent != nullptr ? parent->full_name : unit_->name) + "." + procedure->name;
    procedure->symbol = UniqueSymbol((parent != nullptr ? parent->symbol : UnitSymbol()) + "." + procedure->name);
    procedure->exported = unit_->is_interface;
  }
  symbol->procedure = procedure;
  procedure->type = type;
  procedure->unit = unit_->checked;
  procedure->span = decl->span;
  procedure->end_span = decl->span;
  procedure->is_inline = procedure->is_inline || decl->pragmas.is_inline;
  if (decl->body != nullptr) {
    procedure->end_span = decl->body->end_span;
    procedure->has_body = true;
  }
  const ast::ExternalPragma& external =
      decl->pragmas.external.is_external ? decl->pragmas.external : unit_->tree->external;
  if (unit_->is_interface && external.is_external) {
    procedure->external = true;
    const bool own = decl->pragmas.external.is_external && external.link_name;
    procedure->symbol = own ? external.link_name.str() : procedure->name;
    unit_->checked->procedures.push_back(procedure);
  }
  if (symbol->implements != nullptr && procedure->external) {
    Error(MessageId::kBodyOfExternal, symbol->span, symbol->name);
  }
  Defer(type, [this, decl, type] { CheckSignature(decl->signature, &type->signature); });
  if (symbol->implements != nullptr) {
    Symbol* declared = symbol->implements;
    Verify([this, symbol, declared, type] {
      auto* promised = As<ProcedureType>(declared->type);
      Complete(promised);
      Complete(type);
      if (!Covers(*unit_, promised->signature, type->signature, false)) {
        Error(MessageId::kSignatureNotCovered, symbol->span, declared->unit->name, symbol->name)
            .Note(MessageId::kDeclaredHere, declared->span, symbol->name);
      }
    });
  }
}

// A formal's type or its default's (5.9); also a field's.
Type* Checker::WithDefault(const ast::TypeExpr* type_tree, const ast::Expr* default_tree, const Constant** value,
                           std::string_view what, SourceSpan span) {
  *value = nullptr;
  Type* type = type_tree == nullptr ? nullptr : ResolveType(type_tree);
  if (default_tree != nullptr) {
    Type* from = nullptr;
    const Constant* constant = CheckConstant(default_tree, &from, what);
    if (type == nullptr) {
      type = from;
      if (type->kind == TypeKind::kNull) {
        Error(MessageId::kNilVariable, default_tree->span, what);
        type = types().error;
      }
    } else if (constant != nullptr) {
      const std::string what_copy(what);
      Verify([this, constant, from, type, default_tree, what_copy] {
        Member_(constant, from, type, default_tree->span, what_copy);
      });
    }
    *value = constant;
  }
  if (type == nullptr) type = types().error;
  (void)span;
  return type;
}

void Checker::CheckSignature(const ast::Signature& tree, Signature* out) {
  std::map<std::string_view, SourceSpan> names;
  for (const ast::FormalGroup& group : tree.formals) {
    const Constant* value = nullptr;
    Type* type = WithDefault(group.type, group.default_value, &value, "the default of a formal", group.span);
    const SourceSpan type_span = group.type != nullptr ? group.type->span : group.span;
    if (IsEmptyType(type)) {
      Error(MessageId::kEmptyType, type_span, "a formal", TypeToString(type));
      type = types().error;
    }
    if (group.mode == ast::Mode::kVar && group.default_value != nullptr) {
      Error(MessageId::kVarDefault, group.default_value->span);
      value = nullptr;
    }
    for (const ast::Ident& name : group.names) {
      if (name.name && !names.emplace(name.name.view(), name.span).second) {
        Error(MessageId::kDeclaredTwice, name.span, name.name)
            .Note(MessageId::kDeclaredHere, names[name.name.view()], name.name);
      }
      Formal formal;
      formal.name = name.name.str();
      formal.mode = group.mode == ast::Mode::kVar        ? ParameterMode::kVar
                    : group.mode == ast::Mode::kReadonly ? ParameterMode::kReadonly
                                                         : ParameterMode::kValue;
      formal.type = type;
      formal.default_value = value;
      out->formals.push_back(formal);
    }
  }
  if (tree.result != nullptr) {
    out->result = ResolveType(tree.result);
    CheckVariableType(out->result, tree.result->span, "a result");
  }
  out->raises_any = tree.raises_kind == ast::RaisesKind::kAny;
  for (const ast::QualId& id : tree.raises) {
    Exception* exception = LookUpException(id);
    if (exception == nullptr) continue;
    if (std::find(out->raises.begin(), out->raises.end(), exception) == out->raises.end()) {
      out->raises.push_back(exception);
    }
  }
}

// ------------------------------------------------------------------------------------------------------ bodies --

Variable* Checker::NewLocal(const ast::Ident& ident, Variable::Kind kind, Type* type) {
  auto* variable = Make<Variable>();
  variable->name = ident.name.str();
  variable->kind = kind;
  variable->type = type;
  variable->owner = scope_->owner;
  variable->unit = unit_->checked;
  variable->span = ident.span;
  if (kind == Variable::Kind::kFormal) return variable;
  if (variable->owner != nullptr) {
    variable->owner->locals.push_back(variable);
  } else {
    unit_->checked->body_locals.push_back(variable);
  }
  return variable;
}

Symbol* Checker::DeclareLocal(Scope* scope, const ast::Ident& ident, Variable* variable, Scope::Origin origin) {
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
      // Two formals of one name were reported with the signature.
      if (scope->FindHere(name.name) != nullptr) continue;
      DeclareLocal(scope, name, variable, Scope::Origin::kFormal);
      if (Scope::Entry* entry = scope->FindHere(name.name)) entry->unused_ok = true;
    }
  }
  for (const Variable* formal : procedure->formals) {
    if (formal->mode == ParameterMode::kValue && StripPacked(formal->type)->kind == TypeKind::kOpenArray) {
      Warn(MessageId::kOpenArrayByValue, formal->span, formal->name);
    }
  }
  std::vector<Symbol*> symbols;
  CheckBlock(*decl->body, scope, &procedure->body, &symbols);
  if (type->signature.result != nullptr && FallsThrough(procedure->body) && !unit_->failed) {
    Warn(MessageId::kMayNotReturn, decl->body->end_span, procedure->name);
  }
  WarnUnreachable(procedure->body);
}

void Checker::CheckBlock(const ast::Block& block, Scope* scope, StmtList* out, std::vector<Symbol*>* symbols) {
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
  CheckStatements(block.body, out);
  if (!unit_->failed) WarnUnused(scope);
}

void Checker::CheckFatal(const ast::Block& block) {
  for (const ast::FatalPragma& fatal : block.fatal) {
    for (const ast::QualId& id : fatal.exceptions) LookUpException(id);
  }
}

void Checker::AddInitializations(const std::vector<Symbol*>& symbols, StmtList* out, bool globals) {
  for (Symbol* symbol : symbols) {
    if (symbol->kind != SymbolKind::kVariable || symbol->variable == nullptr || IsError(symbol->type)) {
      // The initial value of a variable whose type is wrong is checked all the same.
      if (symbol->kind == SymbolKind::kVariable && symbol->initial == nullptr && symbol->decl != nullptr) {
        const auto* decl = ast::As<ast::VariableDecl>(symbol->decl);
        if (decl->initial != nullptr && decl->names.front().span == symbol->span) CheckExpr(decl->initial);
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
    assign->value = Convert(value, symbol->type, Destination::kStore, decl->initial->span);
    out->push_back(assign);
  }
}

void Checker::WarnUnused(Scope* scope) {
  for (const auto& [name, entry] : scope->in_order()) {
    if (entry->used || entry->unused_ok || entry->symbol->used) continue;
    switch (entry->origin) {
      case Scope::Origin::kImport:
      case Scope::Origin::kFromImport: {
        // An import may serve its revelations only.
        const Symbol* symbol = entry->symbol;
        if (symbol->kind == SymbolKind::kError) break;
        const UnitInfo* interface = symbol->kind == SymbolKind::kInterface ? symbol->interface : symbol->unit;
        if (interface != nullptr && interface->revelations.empty()) Warn(MessageId::kUnusedImport, entry->span, name);
        break;
      }
      case Scope::Origin::kDeclared:
      case Scope::Origin::kLocal:
        if (scope->unit_level && (scope->unit->is_interface)) break;
        // Constants and types are often declared for completeness.
        if (entry->symbol->kind == SymbolKind::kVariable || entry->symbol->kind == SymbolKind::kProcedure) {
          Warn(MessageId::kUnusedName, entry->span, name);
        }
        break;
      default: break;
    }
  }
}

}  // namespace tenure::compiler
