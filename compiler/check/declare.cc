// Names into scopes, and names looked up (docs/language.md 3).
#include <algorithm>

#include "compiler/check/advisor.h"
#include "compiler/check/checker.h"
#include "compiler/types/describe.h"

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

// --- declaring ---

void Checker::ReportDuplicate(Name name, SourceSpan span, const Scope::Entry& first) {
  switch (first.origin) {
    case Scope::Origin::kFormal:
      Error(MessageId::kHidesFormal, span, name).Note(MessageId::kDeclaredHere, first.span, name);
      break;
    case Scope::Origin::kImport:
    case Scope::Origin::kFromImport:
      Error(MessageId::kDeclaredAndImported, span, name)
          .Note(MessageId::kDeclaredHere, first.span, name);
      break;
    case Scope::Origin::kExport: {
      auto error = Error(MessageId::kDeclaredAndExported, span, name);
      const auto* type = first.symbol == nullptr || first.symbol->decl == nullptr
                             ? nullptr
                             : ast::DynAs<ast::TypeDecl>(first.symbol->decl);
      if (type != nullptr && type->is_opaque) {
        redeclared_.insert(first.symbol);
        error.Hint("an opaque type is revealed: REVEAL " + name.str() + " = BRANDED ...");
      } else {
        error.Hint("the module sees it: take this declaration away");
      }
      error.Note(MessageId::kDeclaredHere, first.span, name);
      break;
    }
    default:
      Error(MessageId::kDeclaredTwice, span, name).Note(MessageId::kDeclaredHere, first.span, name);
      break;
  }
}

Symbol* Checker::DeclareName(const ast::Ident& ident, SymbolKind kind, const ast::Decl* decl,
                             Scope* scope, Scope::Origin origin) {
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
      if (interface_symbol->implemented_by != nullptr &&
          interface_symbol->implemented_by->unit != symbol->unit) {
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

void Checker::DeclareDecls(const std::vector<ast::Decl*>& decls, Scope* scope,
                           std::vector<Symbol*>* symbols) {
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
          Error(MessageId::kMisplacedDeclaration, type->name.span, "an opaque type",
                ScopeWord(scope));
        }
        add(type->name);
        break;
      }
      case ast::DeclKind::kException:
        if (!scope->unit_level) {
          Error(MessageId::kMisplacedDeclaration, ast::As<ast::ExceptionDecl>(decl)->name.span,
                "an exception", ScopeWord(scope));
        }
        add(ast::As<ast::ExceptionDecl>(decl)->name);
        break;
      case ast::DeclKind::kVariable:
        for (const ast::Ident& name : ast::As<ast::VariableDecl>(decl)->names) add(name);
        break;
      case ast::DeclKind::kProcedure: {
        const auto* procedure = ast::As<ast::ProcedureDecl>(decl);
        if (interface && procedure->body != nullptr) {
          Error(MessageId::kBodyInInterface, procedure->name.span, procedure->name.name)
              .Hint("end the heading with ';', and write the body in MODULE " + scope->unit->name);
        } else if (!interface && procedure->body == nullptr && !scope->unit->failed &&
                   !decl->pragmas.external.is_external) {
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

// --- names ---

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

Symbol* Checker::LookUp(const ast::Ident& ident, NameUse use) {
  if (!ident.name) return nullptr;
  if (Scope::Entry* entry = scope_->Find(ident.name)) {
    if (const auto guess = guesses_.find(entry->symbol); guess != guesses_.end()) {
      guess->second.error.Fix(ident.span, guess->second.replacement);
    }
    return Use(entry, ident.span);
  }
  DiagnosticBuilder error;
  std::string replacement;
  if (!unit_->failed && !IsMuted(ident.span)) {
    error = Error(MessageId::kUndeclared, ident.span, ident.name);
    replacement = advisor_->SuggestFor(ident, use, error);
  }
  Symbol* symbol = MakeMissing(ident, error, replacement);
  unit_->scope->Insert(ident.name, {symbol, ident.span, Scope::Origin::kImport, true, true});
  return nullptr;
}

Symbol* Checker::MakeMissing(const ast::Ident& ident, DiagnosticBuilder error,
                             std::string replacement) {
  Symbol* symbol = Make<Symbol>();
  symbol->name = ident.name;
  symbol->span = ident.span;
  symbol->unit = unit_;
  symbol->state = ResolveState::kDone;
  // The source of an instance is the generic's, which is right for other instances.
  if (!replacement.empty() && unit_->instance == nullptr) {
    error.Fix(ident.span, replacement);
    guesses_[symbol] = {error, std::move(replacement)};
  }
  return symbol;
}

Symbol* Checker::LookUpIn(UnitInfo* interface, const ast::Ident& ident) {
  if (!ident.name) return nullptr;
  Scope::Entry* entry = interface->scope->FindHere(ident.name);
  if (entry != nullptr && entry->origin == Scope::Origin::kDeclared) return Use(entry, ident.span);
  if (!interface->failed && IsFirstMiss(interface, ident.name)) {
    DiagnosticBuilder error =
        Error(MessageId::kNotInInterface, ident.span, interface->name, ident.name);
    const std::string replacement = advisor_->SuggestIn(interface, ident, error);
    if (!replacement.empty() && unit_->instance == nullptr) {
      error.Fix(ident.span, replacement);
      member_guesses_[{interface, ident.name.view()}] = {error, replacement};
    }
  } else if (const auto guess = member_guesses_.find({interface, ident.name.view()});
             guess != member_guesses_.end() && unit_->instance == nullptr) {
    guess->second.error.Fix(ident.span, guess->second.replacement);
  }
  return nullptr;
}

bool Checker::IsFirstMiss(const void* owner, Name name) {
  const UnitInfo* asking = unit_->instance != nullptr ? nullptr : unit_;
  return missing_names_.emplace(asking, owner, name.view()).second;
}

void Checker::ReportMissing(MessageId id, Type* type, const ast::Ident& ident,
                            const ast::Expr* object) {
  if (IsFirstMiss(type, ident.name)) {
    DiagnosticBuilder error = Error(id, ident.span, TypeToString(type), ident.name);
    const std::string replacement =
        advisor_->SuggestMember(type, ident, object, error, id == MessageId::kNoSuchMethod);
    if (!replacement.empty() && unit_->instance == nullptr) {
      error.Fix(ident.span, replacement);
      member_guesses_[{type, ident.name.view()}] = {error, replacement};
    }
  } else if (const auto guess = member_guesses_.find({type, ident.name.view()});
             guess != member_guesses_.end() && unit_->instance == nullptr) {
    guess->second.error.Fix(ident.span, guess->second.replacement);
  }
}

Symbol* Checker::LookUpQualified(const ast::QualId& id, NameUse use) {
  if (!id.is_qualified()) return LookUp(id.name, use);
  Symbol* qualifier = LookUp(id.qualifier, NameUse::kQualifier);
  if (qualifier == nullptr || qualifier->kind == SymbolKind::kError) return nullptr;
  if (qualifier->kind != SymbolKind::kInterface) {
    Error(MessageId::kNotInterface, id.qualifier.span, id.qualifier.name);
    return nullptr;
  }
  return LookUpIn(qualifier->interface, id.name);
}

Exception* Checker::LookUpException(const ast::QualId& id) {
  Symbol* symbol = LookUpQualified(id, NameUse::kException);
  if (symbol == nullptr || symbol->kind == SymbolKind::kError) return nullptr;
  Resolve(symbol);
  if (symbol->kind != SymbolKind::kException) {
    Error(MessageId::kNotException, id.span, id.span.text());
    return nullptr;
  }
  return symbol->exception;
}

}  // namespace tenure::compiler
