// Suggestions for names and units that are not found: near names, names of other languages, other
// interfaces, imports.
#include <algorithm>
#include <cctype>
#include <filesystem>

#include "base/near_names.h"
#include "compiler/check/advisor.h"
#include "compiler/check/checker.h"
#include "compiler/check/suggest_names.h"
#include "compiler/types/describe.h"

namespace tenure::compiler {

namespace {

char Letter(NameUse use) {
  switch (use) {
    case NameUse::kType: return 'T';
    case NameUse::kCallee: return 'C';
    case NameUse::kQualifier: return 'I';
    case NameUse::kValue: return 'V';
    case NameUse::kException: return 'E';
  }
  return 'V';
}

bool Suits(SymbolKind kind, NameUse use) {
  switch (use) {
    case NameUse::kValue:
      return kind == SymbolKind::kConstant || kind == SymbolKind::kVariable ||
             kind == SymbolKind::kProcedure;
    case NameUse::kCallee:
      return kind == SymbolKind::kProcedure || kind == SymbolKind::kBuiltin ||
             kind == SymbolKind::kVariable;
    case NameUse::kQualifier:
      return kind == SymbolKind::kInterface || kind == SymbolKind::kVariable ||
             kind == SymbolKind::kType;
    case NameUse::kType: return kind == SymbolKind::kType;
    case NameUse::kException: return kind == SymbolKind::kException;
  }
  return false;
}

const ast::EnumerationType* EnumerationOf(const Symbol* symbol) {
  const auto* decl = ast::DynAs<ast::TypeDecl>(symbol->decl);
  return decl == nullptr
             ? nullptr
             : ast::DynAs<ast::EnumerationType>(static_cast<const ast::TypeExpr*>(decl->type));
}

bool HasElement(const Symbol* symbol, Name name) {
  const ast::EnumerationType* enumeration = EnumerationOf(symbol);
  return enumeration != nullptr &&
         std::ranges::any_of(enumeration->elements,
                             [&](const ast::Ident& element) { return element.name == name; });
}

// A file of the unit in the folder of another file.
std::filesystem::path Beside(std::string_view file, std::string_view unit, const char* ending) {
  return std::filesystem::path(file).parent_path() / (std::string(unit) + ending);
}

}  // namespace

bool HasSameLetters(std::string_view a, std::string_view b) { return Lower(a) == Lower(b); }

void HintAtNames(DiagnosticBuilder& error, const NearNames& near,
                 const std::vector<std::string>& names) {
  if (names.empty()) {
    error.Hint(MessageId::kHasNone);
  } else if (names.size() <= kShownNames) {
    error.Hint(MessageId::kHasMembers, JoinNames(names));
  } else {
    error.Hint(MessageId::kNearestAre, JoinNames(near.Nearest(4)));
  }
}

const InterfaceIndex& Advisor::Index(const SourceFile* importer) {
  const void* package = c_.source_.PackageOf(importer);
  auto found = indices_.find(package);
  if (found == indices_.end()) {
    found = indices_.emplace(package, InterfaceIndex(c_.source_.VisibleInterfaces(importer))).first;
  }
  return found->second;
}

void Advisor::FixImport(DiagnosticBuilder& error, std::string_view interface) {
  const ast::Unit* tree = c_.unit_->tree;
  if (c_.unit_->instance != nullptr || !tree->heading_end.valid()) return;
  for (auto import = tree->imports.rbegin(); import != tree->imports.rend(); ++import) {
    if (import->interface.name == interface && !import->is_from) return;
    if (import->is_from || !import->span.valid()) continue;
    const SourceSpan end = c_.unit_->file->Span(import->span.end, import->span.end);
    error.Fix(end, ", " + std::string(interface));
    return;
  }
  error.Fix(tree->heading_end, "\nIMPORT " + std::string(interface) + ";");
}

std::string Advisor::ImportedName(std::string_view interface) {
  for (const auto& [name, entry] : c_.unit_->scope->in_order()) {
    if (entry->symbol->kind == SymbolKind::kInterface &&
        entry->symbol->interface->name == interface) {
      return name.str();
    }
  }
  return "";
}

// --- names that are not declared ---

// Returns the replacement of the name in the program, or the empty text if it is not certain.
std::string Advisor::SuggestFor(const ast::Ident& ident, NameUse use, DiagnosticBuilder& error) {
  const std::string_view name = ident.name.view();
  const SourceFile* file = c_.unit_->file;

  // The interface itself, not imported or under another name.
  if (use == NameUse::kQualifier) {
    if (const std::string local = ImportedName(name); !local.empty()) {
      error.Hint(MessageId::kImportedAs, name, local);
      return local;
    }
    if (name == c_.unit_->name) {
      error.Hint(MessageId::kAdvice,
                 "names of the unit itself are written without " + std::string(name) + ".");
      return "";
    }
    if (Index(file).Find(name) != nullptr) {
      error.Hint(MessageId::kAddImport, name);
      FixImport(error, name);
      return "";
    }
  }

  NearNames near(name);
  for (Scope* scope = c_.scope_; scope != nullptr; scope = scope->parent) {
    for (const auto& [candidate, entry] : scope->in_order()) {
      if (Suits(entry->symbol->kind, use)) near.Consider(candidate.view());
    }
  }
  if (near.is_sure() && HasSameLetters(near.best(), name)) {
    error.Hint(MessageId::kDidYouMean, near.best());
    return near.best();
  }

  // The same name in an imported interface.
  if (use != NameUse::kQualifier && name != "T") {
    std::vector<std::string> exact;
    for (const auto& [local, entry] : c_.unit_->scope->in_order()) {
      if (entry->symbol->kind != SymbolKind::kInterface) continue;
      Scope::Entry* found = entry->symbol->interface->scope->FindHere(ident.name);
      if (found != nullptr && found->origin == Scope::Origin::kDeclared &&
          Suits(found->symbol->kind, use)) {
        exact.push_back(local.str() + "." + ident.name.str());
      }
    }
    if (!exact.empty()) {
      error.Hint(MessageId::kDidYouMean, JoinNames(exact, "or"));
      // Which exception was meant depends on the exceptions that may be raised.
      return exact.size() == 1 && use != NameUse::kException ? exact[0] : "";
    }
  }

  // The object in a method's procedure.
  const std::string lower = Lower(name);
  if (lower == "self" || lower == "this" || lower == "me") {
    const Procedure* procedure = c_.body_ != nullptr ? c_.body_->procedure : nullptr;
    if (procedure != nullptr && !procedure->formals.empty()) {
      const std::string& object = procedure->formals[0]->name;
      error.Hint(MessageId::kTheObject, object);
      return object;
    }
    error.Hint(MessageId::kAdvice,
               "the object of a method is the first formal of its procedure: PROCEDURE P(self: T)");
    return "";
  }

  if (use != NameUse::kQualifier || !near.is_sure()) {
    std::string replacement;
    if (SuggestForeignName(ident, Letter(use), error, &replacement)) return replacement;
    // `super.m()`, `stdout.put()`.
    if (use == NameUse::kQualifier && SuggestForeignName(ident, 'V', error, &replacement)) {
      return replacement;
    }
  }
  if (near.is_sure()) {
    error.Hint(MessageId::kDidYouMean, near.best());
    return near.best();
  }

  // An element without its enumeration.
  if (use == NameUse::kValue || use == NameUse::kCallee) {
    for (Scope* scope = c_.scope_; scope != nullptr; scope = scope->parent) {
      for (const auto& [type, entry] : scope->in_order()) {
        if (HasElement(entry->symbol, ident.name)) {
          const std::string element = type.str() + "." + ident.name.str();
          error.Hint(MessageId::kIsElement, type, element);
          return element;
        }
        if (entry->symbol->kind != SymbolKind::kInterface) continue;
        for (const auto& [inner, other] : entry->symbol->interface->scope->in_order()) {
          if (other->origin != Scope::Origin::kDeclared || !HasElement(other->symbol, ident.name))
            continue;
          const std::string qualified = type.str() + "." + inner.str();
          const std::string element = qualified + "." + ident.name.str();
          error.Hint(MessageId::kIsElement, qualified, element);
          return element;
        }
      }
    }
  }

  // A name of an imported interface, without the interface or joined to its name.
  std::vector<std::string> qualified;
  for (const auto& [local, entry] : c_.unit_->scope->in_order()) {
    if (entry->symbol->kind != SymbolKind::kInterface) continue;
    Scope* scope = entry->symbol->interface->scope;
    const auto consider = [&](std::string_view inner) {
      Scope::Entry* found = scope->FindHere(ask_.interner_.Intern(inner));
      if (found != nullptr && found->origin == Scope::Origin::kDeclared &&
          Suits(found->symbol->kind, use)) {
        qualified.push_back(local.str() + "." + std::string(inner));
      }
    };
    consider(name);
    if (name.size() > local.view().size() && name.starts_with(local.view())) {
      consider(name.substr(local.view().size()));
      if (name[local.view().size()] == '_') consider(name.substr(local.view().size() + 1));
    }
  }
  if (!qualified.empty()) {
    error.Hint(MessageId::kDidYouMean, JoinNames(qualified, "or"));
    return qualified.size() == 1 ? qualified[0] : "";
  }

  if (use == NameUse::kQualifier && near.best().empty()) {
    NearNames interfaces(name);
    for (const InterfaceSummary& interface : Index(file).all()) {
      if (interface.is_unsafe && !c_.unit_->is_unsafe) continue;
      interfaces.Consider(interface.name);
    }
    if (!interfaces.best().empty()) {
      const std::string local = ImportedName(interfaces.best());
      if (local.empty()) {
        error.Hint(MessageId::kMeantAndImport, interfaces.best(), interfaces.best());
      } else {
        error.Hint(MessageId::kDidYouMean, local);
      }
      if (!interfaces.is_sure()) return "";
      if (local.empty()) FixImport(error, interfaces.best());
      return local.empty() ? interfaces.best() : local;
    }
  }
  if (!near.best().empty()) {
    error.Hint(MessageId::kDidYouMean, near.best());
    return "";
  }

  if (SuggestOutOfScope(name, error)) return "";

  // A name of an interface that is not imported.
  if (use != NameUse::kQualifier && name.size() > 1 && name != "T") {
    const std::vector<std::string> interfaces = Index(file).Declaring(name, c_.unit_->is_unsafe);
    if (interfaces.size() == 1) {
      const std::string written = interfaces[0] + "." + ident.name.str();
      error.Hint(MessageId::kIsInNotImported, interfaces[0], written);
      return "";
    }
    if (interfaces.size() > 1 && interfaces.size() <= 4) {
      error.Hint(MessageId::kAreIn, JoinNames(interfaces));
      return "";
    }
  }
  switch (use) {
    case NameUse::kValue: error.Hint(MessageId::kDeclareVariable, name); break;
    case NameUse::kCallee: error.Hint(MessageId::kDeclareProcedure, name); break;
    case NameUse::kQualifier: error.Hint(MessageId::kDeclareInterface, name); break;
    case NameUse::kType: error.Hint(MessageId::kDeclareType, name); break;
    case NameUse::kException: error.Hint(MessageId::kDeclareException, name); break;
  }
  return "";
}

bool Advisor::SuggestForeignName(const ast::Ident& ident, char use, DiagnosticBuilder& error,
                                 std::string* replacement) {
  const ForeignName* foreign = FindForeignName(ident.name.view(), use);
  if (foreign == nullptr) return false;
  std::string meant(foreign->replacement);
  // The interface of `I.p`.
  std::string interface;
  if (const size_t dot = meant.find('.'); use != 'I' && dot != std::string::npos &&
                                          std::isupper(static_cast<unsigned char>(meant[0])) != 0 &&
                                          meant[dot + 1] != '.') {
    interface = meant.substr(0, dot);
    if (const std::string local = ImportedName(interface); !local.empty()) {
      meant = local + meant.substr(dot);
      interface.clear();
    }
  }
  if (!foreign->advice.empty()) {
    error.Hint(MessageId::kAdvice, foreign->advice);
  } else if (interface.empty()) {
    error.Hint(MessageId::kDidYouMean, meant);
  } else {
    error.Hint(MessageId::kMeantAndImport, meant, interface);
  }
  if (meant.empty()) return true;
  if (use == 'I') {
    const std::string local = ImportedName(meant);
    if (local.empty()) FixImport(error, meant);
    // The names of that interface differ, so the program needs more than this change.
    return true;
  }
  if (!interface.empty()) FixImport(error, interface);
  *replacement = meant;
  return true;
}

// A local name of another part of the unit.
bool Advisor::SuggestOutOfScope(std::string_view name, DiagnosticBuilder& error) {
  const auto found = c_.locals_.find(name);
  if (found == c_.locals_.end()) return false;
  const Variable* variable = found->second;
  const auto hint = [&](std::string_view what, const std::string& where) {
    error.Hint(MessageId::kOnlyInside, what, name, where)
        .Note(MessageId::kDeclaredHere, variable->span, name);
    return true;
  };
  switch (variable->kind) {
    case Variable::Kind::kFor:
      return hint("the variable", "in its FOR loop; declare another one with VAR");
    case Variable::Kind::kWith: return hint("the name", "in its WITH statement");
    case Variable::Kind::kTypecase:
    case Variable::Kind::kHandler: return hint("the variable", "in its arm");
    default: break;
  }
  if (variable->owner == nullptr) return hint("the variable", "in its block");
  return hint(variable->kind == Variable::Kind::kFormal ? "the formal" : "the variable",
              "in procedure " + variable->owner->name);
}

// --- names that an interface does not declare ---

std::string Advisor::SuggestIn(UnitInfo* interface, const ast::Ident& ident,
                               DiagnosticBuilder& error) {
  const std::string_view name = ident.name.view();
  if (c_.unit_->instance != nullptr && ident.span.file != c_.unit_->file) {
    // The text is the generic's: what it needs is lacking in the interface of the instance.
    error.Hint("generic " + c_.unit_->instance->generic.name.str() +
               " needs it: declare it in interface " + interface->name);
    return "";
  }
  NearNames near(name);
  std::vector<std::string> names;
  for (const auto& [candidate, entry] : interface->scope->in_order()) {
    if (entry->origin != Scope::Origin::kDeclared) continue;
    near.Consider(candidate.view());
    names.push_back(candidate.str());
  }
  if (near.is_sure()) {
    error.Hint(MessageId::kDidYouMean, near.best());
    return near.best();
  }
  if (SuggestMethodOf(interface, name, error)) return "";
  for (const UnitInfo* module : interface->exporters) {
    if (c_.source_.PackageOf(module->file) != c_.source_.PackageOf(c_.unit_->file)) continue;
    const Scope::Entry* entry = module->scope->FindHere(ident.name);
    if (entry == nullptr || entry->origin != Scope::Origin::kDeclared) continue;
    error.Hint(MessageId::kDeclareInInterface, module->name, interface->name)
        .Note(MessageId::kDeclaredHere, entry->span, ident.name);
    return "";
  }
  for (const char use : {'C', 'T', 'V'}) {
    const ForeignName* foreign = FindForeignName(name, use);
    if (foreign == nullptr || interface->name != "IO") continue;
    std::string replacement;
    SuggestForeignName(ident, use, error, &replacement);
    const std::string prefix = interface->name + ".";
    return replacement.starts_with(prefix) ? replacement.substr(prefix.size()) : "";
  }
  if (!near.best().empty() && !near.is_abbreviation()) {
    error.Hint(MessageId::kDidYouMean, near.best());
    return "";
  }
  // The type of an interface is often called as the interface.
  if (name == interface->name &&
      interface->scope->FindHere(ask_.interner_.Intern("T")) != nullptr) {
    error.Hint(MessageId::kDidYouMean, interface->name + ".T");
    return "T";
  }
  if (name.size() > 1 && name != "T") {
    const std::vector<std::string> others =
        Index(c_.unit_->file).Declaring(name, c_.unit_->is_unsafe);
    if (!others.empty() && others.size() <= 3) {
      error.Hint(MessageId::kIsIn, JoinNames(others), others[0] + "." + ident.name.str());
      return "";
    }
  }
  if (!near.best().empty()) {
    error.Hint(MessageId::kDidYouMean, near.best());
    return "";
  }
  HintAtNames(error, near, names);
  return "";
}

// `Transaction.Commit(tr)` for `tr.commit()`.
bool Advisor::SuggestMethodOf(UnitInfo* interface, std::string_view name,
                              DiagnosticBuilder& error) {
  if (c_.is_loading_) return false;
  Scope::Entry* entry = interface->scope->FindHere(ask_.interner_.Intern("T"));
  if (entry == nullptr || entry->symbol->kind != SymbolKind::kType) return false;
  ask_.Resolve(entry->symbol);
  for (const std::string& method : MemberNames(entry->symbol->type, /*methods_only=*/true)) {
    if (!HasSameLetters(method, name)) continue;
    error.Hint(method + " is a method of " + interface->name + ".T: x." + method + "(...)");
    return true;
  }
  return false;
}

// --- units that are not found ---

void Advisor::SuggestInterface(std::string_view name, SourceSpan span, DiagnosticBuilder& error) {
  if (c_.source_.GenericInterface(name, span.file) != nullptr) {
    std::vector<std::string> instances = Index(span.file).InstancesOf(name);
    // Instances with short names are of well-known types.
    std::stable_sort(
        instances.begin(), instances.end(),
        [](const std::string& a, const std::string& b) { return a.size() < b.size(); });
    if (instances.size() > 4) instances.resize(4);
    if (instances.empty()) {
      error.Hint(MessageId::kMakeInstance, name);
    } else {
      error.Hint(MessageId::kIsGeneric, name, JoinNames(instances, "or"));
    }
    return;
  }
  if (std::error_code ignored;
      std::filesystem::exists(Beside(span.file->path(), name, ".i3"), ignored)) {
    // The build file does not name it.
    const bool has_module =
        std::filesystem::exists(Beside(span.file->path(), name, ".m3"), ignored);
    error.Hint(std::string(name) + ".i3 is there: add " + (has_module ? "module" : "interface") +
               "(\"" + std::string(name) + "\") to the build file");
    return;
  }
  NearNames near(name);
  for (const InterfaceSummary& interface : Index(span.file).all()) near.Consider(interface.name);
  const ForeignName* foreign = FindForeignName(name, 'I');
  const bool same_letters = !near.best().empty() && HasSameLetters(near.best(), name);
  if (foreign != nullptr && !same_letters) {
    if (!foreign->advice.empty()) {
      error.Hint(MessageId::kAdvice, foreign->advice);
    } else {
      error.Hint(MessageId::kDidYouMean, foreign->replacement);
    }
  } else if (!near.best().empty()) {
    error.Hint(MessageId::kDidYouMean, near.best());
    if (near.is_sure()) {
      error.Fix(span, near.best());
      ask_.interface_guesses_[std::string(name)] = {error, near.best()};
    }
  } else {
    error.Hint(MessageId::kWriteInterface, name);
  }
}

bool Advisor::PackageHasMain() const {
  return std::ranges::any_of(c_.options_.units, [](const SourceFile* file) {
    const std::string_view text = file == nullptr ? std::string_view() : file->text();
    return text.find("MODULE Main") != std::string_view::npos ||
           text.find("EXPORTS Main") != std::string_view::npos;
  });
}

}  // namespace tenure::compiler
