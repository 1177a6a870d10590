// Resolves declared names on demand (docs/language.md 4, 10, 11.1).
#include <algorithm>

#include "compiler/check/advisor.h"
#include "compiler/check/checker.h"
#include "compiler/types/describe.h"

namespace tenure::compiler {

namespace {

// The name of a type that is not declared at unit level. A store finds types by their names, so no
// two types of a unit may have one: types of two procedures, or of two blocks.
std::string LocalTypeName(const Symbol& symbol, UnitInfo& unit) {
  const Procedure* const owner = symbol.scope->owner;  // null: a block of the module's body
  const std::string within =
      owner == nullptr ? "BEGIN" : owner->full_name.substr(unit.checked->link_name.size() + 1);
  const std::string name = unit.name + "." + within + "." + symbol.name.str();
  std::string made = name;
  for (int i = 2; unit.symbol_uses["type " + made]++ > 0; ++i) {
    made = name + "_" + std::to_string(i);
  }
  return made;
}

}  // namespace

void Checker::Resolve(Symbol* symbol) {
  if (symbol->state == ResolveState::kDone) return;
  if (symbol->state == ResolveState::kInProgress) {
    auto error = Error(MessageId::kIllegalRecursion, symbol->span, symbol->name);
    if (symbol->kind == SymbolKind::kType)
      error.Hint("a type cannot contain itself; REF " + symbol->name.str() +
                 " can stand inside it");
    if (symbol->type == nullptr) symbol->type = types().error;
    return;
  }
  if (symbol->decl == nullptr) {
    symbol->state = ResolveState::kDone;
    return;
  }
  // Each declaration of a chain that needs the next one takes stack.
  if (resolve_depth_ >= kMaxResolveDepth) {
    Error(MessageId::kTooDeep, symbol->span,
          "the chain of declarations that begins before " + symbol->name.str());
    symbol->kind = SymbolKind::kError;
    symbol->type = types().error;
    symbol->state = ResolveState::kDone;
    return;
  }
  ++resolve_depth_;
  symbol->state = ResolveState::kInProgress;
  ContextScope context(*this);
  unit_ = symbol->unit;
  scope_ = symbol->scope;
  if (scope_->unit_level) body_ = &unit_->body;
  const std::string outer_hint = std::exchange(
      type_name_hint_,
      (scope_->owner == nullptr ? "" : scope_->owner->full_name + ".") + symbol->name.str());
  switch (symbol->kind) {
    case SymbolKind::kConstant:
      ++constants_in_progress_;
      ResolveConstant(symbol);
      --constants_in_progress_;
      break;
    case SymbolKind::kType: ResolveTypeDecl(symbol); break;
    case SymbolKind::kException: ResolveException(symbol); break;
    case SymbolKind::kVariable: ResolveVariable(symbol); break;
    case SymbolKind::kProcedure: ResolveProcedure(symbol); break;
    default: break;
  }
  type_name_hint_ = outer_hint;
  symbol->state = ResolveState::kDone;
  --resolve_depth_;
}

std::string Checker::Qualified(Name name) const { return unit_->name + "." + name.str(); }

// The prefix of the link names of the unit's own entities.
std::string Checker::UnitSymbol() const {
  const std::string& name = unit_->checked->link_name;
  return unit_->is_interface ? name : name + ".m3";
}

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
      if (!Same(declared, type))
        value = RequireMember(value, type, declared, decl->value->span, decl->name.name.view());
    } else if (IsProcedure(declared) || IsReference(declared)) {
      // Later: signatures and referents may depend on this constant.
      Verify([this, symbol, decl, value, type, declared] {
        if (RequireMember(value, type, declared, decl->value->span, decl->name.name.view()) !=
            nullptr) {
          return;
        }
        symbol->type = types().error;
        symbol->constant = error_constant_;
      });
    } else {
      value = RequireMember(value, type, declared, decl->value->span, decl->name.name.view());
    }
  }
  if (declared != nullptr) type = declared;
  symbol->type = value == nullptr ? types().error : type;
  symbol->constant = value == nullptr ? error_constant_ : value;
}

void Checker::MakeOpaque(Symbol* symbol) {
  auto* opaque = types().New<OpaqueType>();
  opaque->name = symbol->unit->name + "." + symbol->name.str();
  type_spans_.emplace(opaque, symbol->span);
  symbol->type = opaque;
  opaque_symbols_[opaque] = symbol;
}

void Checker::Identify(Symbol* symbol) {
  if (symbol->state != ResolveState::kUnseen || symbol->type != nullptr) return;
  const auto* decl =
      symbol->kind == SymbolKind::kType ? ast::DynAs<ast::TypeDecl>(symbol->decl) : nullptr;
  if (decl != nullptr && decl->is_opaque) {
    MakeOpaque(symbol);
  } else {
    Resolve(symbol);
  }
}

void Checker::ResolveTypeDecl(Symbol* symbol) {
  const auto* decl = ast::As<ast::TypeDecl>(symbol->decl);
  if (!decl->is_opaque) {
    ++types_in_progress_;
    Type* type = ResolveType(decl->type);
    --types_in_progress_;
    if (symbol->type != nullptr && IsError(symbol->type)) return;  // it refers to itself
    symbol->type = type;
    if (type->name.empty()) {
      type->name =
          symbol->scope->unit_level ? Qualified(symbol->name) : LocalTypeName(*symbol, *unit_);
      type_spans_.emplace(type, symbol->span);
    }
    return;
  }
  if (symbol->type == nullptr) MakeOpaque(symbol);
  auto* opaque = As<OpaqueType>(symbol->type);
  symbol->state = ResolveState::kDone;  // its identity does not depend on its bound
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
  if (IsError(bound)) symbol->type = bound;
  // A type with a wrong declaration need not be revealed.
  if (IsError(bound) || !symbol->scope->unit_level) opaque_symbols_.erase(opaque);
}

void Checker::ResolveException(Symbol* symbol) {
  const auto* decl = ast::As<ast::ExceptionDecl>(symbol->decl);
  auto* exception = Make<Exception>();
  exception->name = Qualified(symbol->name);
  exception->symbol = unit_->checked->link_name + "." + symbol->name.str();
  // A module that does not export the interface of its own name must not clash with that interface.
  if (!unit_->is_interface && std::none_of(unit_->exports.begin(), unit_->exports.end(),
                                           [&](UnitInfo* e) { return e->name == unit_->name; })) {
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
    auto error = Error(MessageId::kOpenArrayHere, span, what);
    if (what == "a formal") {
      error.Hint("write the formal's type as ARRAY OF T");
    } else {
      error.Hint(
          "write REF ARRAY OF T, whose length NEW(type, n) gives, or a fixed one: ARRAY "
          "[0..9] OF T");
    }
  } else if (IsEmptyType(type)) {
    Error(MessageId::kEmptyType, span, what, TypeToString(type));
  }
}

// The type of an expression if it is known without looking at the operands, else null. So a
// variable may be an operand of the expression that gives its type (4).
Type* Checker::TypeBeforeOperands(const ast::Expr* tree) {
  const auto type_of_name = [&](const ast::Expr* name) -> Type* {
    const auto* simple = ast::DynAs<ast::NameExpr>(name);
    const auto* select = ast::DynAs<ast::SelectExpr>(name);
    if (select != nullptr) simple = ast::DynAs<ast::NameExpr>(select->operand);
    if (simple == nullptr || scope_ == nullptr) return nullptr;
    Scope::Entry* entry = scope_->Find(simple->name);
    Symbol* named = entry == nullptr ? nullptr : entry->symbol;
    if (select != nullptr) {
      if (named == nullptr || named->interface == nullptr) return nullptr;
      entry = named->interface->scope->FindHere(select->selector.name);
      if (entry == nullptr || entry->origin != Scope::Origin::kDeclared) return nullptr;
      named = entry->symbol;
    }
    if (named == nullptr) return nullptr;
    if (named->kind == SymbolKind::kBuiltin) return nullptr;
    if (named->kind != SymbolKind::kType && named->kind != SymbolKind::kProcedure) return nullptr;
    Resolve(named);
    return named->type;
  };
  if (const auto* constructor = ast::DynAs<ast::ConstructorExpr>(tree)) {
    const auto* named = ast::DynAs<ast::NamedType>(constructor->type);
    return named == nullptr ? nullptr : ResolveNamedType(named);
  }
  if (const auto* unary = ast::DynAs<ast::UnaryExpr>(tree))
    return unary->op == ast::UnaryOp::kNot ? types().boolean : nullptr;
  if (const auto* binary = ast::DynAs<ast::BinaryExpr>(tree)) {
    switch (binary->op) {
      case ast::BinaryOp::kAnd:
      case ast::BinaryOp::kOr:
      case ast::BinaryOp::kIn:
      case ast::BinaryOp::kEqual:
      case ast::BinaryOp::kNotEqual:
      case ast::BinaryOp::kLess:
      case ast::BinaryOp::kLessEqual:
      case ast::BinaryOp::kGreater:
      case ast::BinaryOp::kGreaterEqual: return types().boolean;
      case ast::BinaryOp::kConcat: return types().text;
      default: return nullptr;
    }
  }
  const auto* call = ast::DynAs<ast::CallExpr>(tree);
  if (call == nullptr) return nullptr;
  const auto* callee = ast::DynAs<ast::NameExpr>(call->callee);
  Scope::Entry* entry = callee == nullptr ? nullptr : universe_.FindHere(callee->name);
  if (entry == nullptr || entry->symbol->kind != SymbolKind::kBuiltin) {
    auto* procedure = As<ProcedureType>(type_of_name(call->callee));
    if (procedure == nullptr) return nullptr;
    Complete(procedure);
    return procedure->signature.result;
  }
  const auto type_actual = [&](size_t at, Type* otherwise) -> Type* {
    if (at >= call->actuals.size()) return otherwise;
    Type* type = type_of_name(call->actuals[at].value);
    return type == nullptr || type->kind == TypeKind::kProcedure ? nullptr : StripPacked(type);
  };
  switch (entry->symbol->builtin) {
    case BuiltinName::kAdrsize:
    case BuiltinName::kBitsize:
    case BuiltinName::kBytesize:
    case BuiltinName::kNumber:
    case BuiltinName::kTypecode: return types().cardinal;
    case BuiltinName::kAdr: return types().address;
    case BuiltinName::kIstype: return types().boolean;
    case BuiltinName::kNarrow:
    case BuiltinName::kLoophole:
    case BuiltinName::kVal: return type_actual(1, nullptr);
    case BuiltinName::kNew: return type_actual(0, nullptr);
    case BuiltinName::kFloat: return type_actual(1, types().real);
    case BuiltinName::kCeiling:
    case BuiltinName::kFloor:
    case BuiltinName::kRound:
    case BuiltinName::kTrunc: {
      Type* type = type_actual(1, types().integer);
      return type == nullptr ? nullptr : BaseType(type);
    }
    default: return nullptr;
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
    if (Type* known = TypeBeforeOperands(decl->initial); known != nullptr && !IsError(known)) {
      symbol->type = variable->type = known;
      symbol->state = ResolveState::kDone;
    }
    Expr* initial = CheckExpr(decl->initial);
    type = initial->type;
    symbol->initial = initial;
    if (symbol->type != nullptr && IsError(symbol->type))
      type = symbol->type;  // it refers to itself
    if (type->kind == TypeKind::kNull) {
      Error(MessageId::kNilVariable, decl->initial->span, symbol->name)
          .Hint("write the type too: VAR " + symbol->name.str() + ": T := NIL");
      type = types().error;
    }
  }
  if (type == nullptr) type = types().error;
  CheckVariableType(type, decl->type != nullptr ? decl->type->span : symbol->span, "a variable");
  if (StripPacked(type)->kind == TypeKind::kOpenArray || IsEmptyType(type)) type = types().error;
  symbol->type = type;
  variable->type = type;
  SetTrace(variable, symbol->name, decl->trace, scope_);

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
      const Constant* value =
          CheckConstant(decl->initial, &from, "the initial value of an interface's variable");
      variable->initial =
          RequireMember(value, from, variable->type, decl->initial->span, variable->name);
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
    procedure->full_name =
        (parent != nullptr ? parent->full_name : unit_->checked->link_name) + "." + procedure->name;
    procedure->symbol =
        UniqueSymbol((parent != nullptr ? parent->symbol : UnitSymbol()) + "." + procedure->name);
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
      if (promised == nullptr) return;
      Complete(promised);
      Complete(type);
      if (!Covers(*unit_, promised->signature, type->signature, false)) {
        auto error = Error(MessageId::kSignatureNotCovered, symbol->span, declared->unit->name,
                           symbol->name);
        const std::string difference =
            advisor_->SignatureDifference(promised->signature, type->signature, false);
        if (!difference.empty()) error.Hint(difference);
        error.Note(MessageId::kDeclaredHere, declared->span, symbol->name);
      }
    });
  }
}

// A formal's type or its default's (5.9); also a field's.
Type* Checker::WithDefault(const ast::TypeExpr* type_tree, const ast::Expr* default_tree,
                           const Constant** value, std::string_view what) {
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
        RequireMember(constant, from, type, default_tree->span, what_copy);
      });
    }
    // A default that is wrong is reported once, here, and not where it is used.
    *value = constant != nullptr ? constant : error_constant_;
  }
  if (type == nullptr) type = types().error;
  return type;
}

void Checker::CheckSignature(const ast::Signature& tree, Signature* out) {
  std::map<std::string_view, SourceSpan> names;
  for (const ast::FormalGroup& group : tree.formals) {
    const Constant* value = nullptr;
    Type* type = WithDefault(group.type, group.default_value, &value, "the default of a formal");
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

}  // namespace tenure::compiler
