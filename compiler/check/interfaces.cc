// Units, imports, exports and generic instances (docs/language.md 20, 21, 22.3).
#include <algorithm>
#include <cctype>

#include "abi/fingerprint.h"
#include "compiler/check/advisor.h"
#include "compiler/check/checker.h"
#include "compiler/parse/parser.h"

namespace tenure::compiler {

namespace {

std::string_view FileStem(std::string_view path) {
  if (const size_t slash = path.rfind('/'); slash != std::string_view::npos)
    path.remove_prefix(slash + 1);
  return path.substr(0, path.rfind('.'));
}

std::string_view UnitWord(const ast::Unit* tree) {
  return tree->kind == ast::UnitKind::kInterface ? "interface" : "module";
}

// Whether the instance has one actual more than the generic has formals. The extra actual comes
// first and names the root of the instance's types: Root, the default, or RootTransient (27.4).
bool SaysRoot(const ast::Unit& instance, const ast::Unit& generic) {
  if (instance.actuals.size() != generic.formals.size() + 1) return false;
  const std::string_view first = instance.actuals[0].name.view();
  return first == "Root" || first == "RootTransient";
}

}  // namespace

const ast::Unit* Checker::ParseFile(const SourceFile* file) {
  return Parse(*file, arena_, interner_, diagnostics_);
}

UnitInfo* Checker::NewUnit(const ast::Unit* tree, const SourceFile* file) {
  UnitInfo* unit = &units_.emplace_back();
  unit->name = tree->name.name.str();
  unit->is_interface = tree->kind == ast::UnitKind::kInterface;
  unit->is_unsafe = tree->is_unsafe;
  unit->warns = package_files_.count(file) > 0;
  unit->failed = tree->has_errors;
  unit->tree = tree;
  unit->file = file;
  unit->name_span = tree->name.span;
  unit->checker = this;
  unit->scope = &scopes_.emplace_back();
  unit->scope->parent = &universe_;
  unit->scope->unit = unit;
  unit->scope->unit_level = true;
  unit->body.unit = unit;
  unit->checked = Make<CheckedUnit>();
  unit->checked->name = unit->name;
  unit->checked->link_name = source_.LinkPrefix(file) + unit->name;
  unit->checked->file = file;
  unit->checked->is_interface = unit->is_interface;
  return unit;
}

namespace {

std::string RenameHint(const SourceFile* file) {
  return "rename the file, or the unit: " + std::string(FileStem(file->path()));
}

}  // namespace

UnitInfo* Checker::LoadFile(const SourceFile* file) {
  if (const auto found = by_file_.find(file); found != by_file_.end()) return found->second;
  by_file_[file] = nullptr;
  const ast::Unit* tree = ParseFile(file);
  if (tree == nullptr) return nullptr;
  if (tree->is_generic) {
    Error(MessageId::kGenericInWrongFile, tree->name.span, tree->name.name);
    return nullptr;
  }
  UnitInfo* unit = NewUnit(tree, file);
  by_file_[file] = unit;

  auto& same_kind = unit->is_interface ? interfaces_ : modules_;
  bool has_other_name = false;  // and reported
  if (const auto found = same_kind.find(unit->checked->link_name);
      found != same_kind.end() && found->second != nullptr) {
    auto error = Error(MessageId::kUnitTwice, unit->name_span, UnitWord(tree), unit->name);
    error.Note(MessageId::kDeclaredHere, found->second->name_span, unit->name);
    has_other_name = FileStem(file->path()) != unit->name;
    if (has_other_name) error.Hint(RenameHint(file));
  } else {
    same_kind[unit->checked->link_name] = unit;
  }
  // A program in one file may have any file name.
  const auto is_main = [&] {
    if (unit->is_interface) return false;
    if (!tree->has_exports) return unit->name == "Main";
    return std::any_of(tree->exports.begin(), tree->exports.end(),
                       [](const ast::Ident& e) { return e.name == "Main"; });
  };
  if (FileStem(file->path()) != unit->name && !is_main() && !has_other_name) {
    Error(MessageId::kWrongFileName, unit->name_span, UnitWord(tree), unit->name,
          unit->is_interface ? ".i3" : ".m3")
        .Hint(RenameHint(file));
  }

  loading_.push_back(unit);
  if (tree->is_instance && !Instantiate(unit)) unit->failed = true;
  unit->checked->is_unsafe = unit->is_unsafe;
  for (const ast::LibraryPragma& pragma : tree->libraries) {
    unit->checked->libraries.push_back({pragma.library.str(), pragma.package.str()});
  }
  LoadImports(unit);
  loading_.pop_back();
  unit->loading = UnitInfo::Loading::kDone;
  DeclareUnit(unit);
  IndexRevelations(unit);
  return unit;
}

const SourceFile* Checker::FindInterface(std::string_view name, const SourceFile* importer) const {
  if (const SourceFile* file = source_.Interface(name, importer)) return file;
  // A generic of another package may use units of the instance's package.
  if (!loading_.empty() && loading_.back()->instance != nullptr &&
      loading_.back()->file != importer) {
    return source_.Interface(name, loading_.back()->file);
  }
  return nullptr;
}

UnitInfo* Checker::LoadInterface(std::string_view name, SourceSpan span, bool required) {
  const ImportKey key(span.file, name);
  const auto found = imported_.find(key);
  UnitInfo* unit = found == imported_.end() ? nullptr : found->second;
  if (found == imported_.end()) {
    const SourceFile* file = FindInterface(name, span.file);
    if (file == nullptr) {
      // A unit whose file has another name; that was reported.
      const auto misnamed = interfaces_.find(name);
      if (misnamed != interfaces_.end()) unit = misnamed->second;
      if (unit == nullptr && !required) return nullptr;
      if (unit == nullptr) unit = MisnamedInterface(name);
      if (unit == nullptr && unknown_interfaces_.emplace(name).second) {
        DiagnosticBuilder error = Error(MessageId::kUnknownInterface, span, name);
        advisor_->SuggestInterface(name, span, error);
      }
    } else {
      const auto known = by_file_.find(file);
      unit = known != by_file_.end() ? known->second : LoadFile(file);
      // The unit's name may differ from the file's; that was reported when the file was read.
      if (unit != nullptr && (!unit->is_interface || unit->name != name)) unit = nullptr;
    }
    imported_[{span.file, std::string(name)}] = unit;
  }
  if (unit != nullptr && unit->loading == UnitInfo::Loading::kInProgress) {
    std::string path;
    const auto first = std::find(loading_.begin(), loading_.end(), unit);
    for (auto it = first; it != loading_.end(); ++it) path += (*it)->name + " -> ";
    Error(MessageId::kImportCycle, span, path + unit->name).Hint(MessageId::kThirdInterface);
    return nullptr;
  }
  return unit;
}

// An interface of the package whose file has its name in other capitals; LoadFile reports that.
UnitInfo* Checker::MisnamedInterface(std::string_view name) {
  const auto has_same_letters = [](std::string_view a, std::string_view b) {
    return std::ranges::equal(
        a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
  };
  for (const SourceFile* file : options_.units) {
    if (file == nullptr || !file->path().ends_with(".i3") ||
        !has_same_letters(FileStem(file->path()), name)) {
      continue;
    }
    UnitInfo* unit = LoadFile(file);
    if (unit != nullptr && unit->is_interface && unit->name == name) return unit;
  }
  return nullptr;
}

UnitInfo* Checker::LoadedInterface(std::string_view name, const SourceFile* importer) const {
  const auto found = imported_.find(ImportKey(importer, name));
  return found == imported_.end() ? nullptr : found->second;
}

std::vector<UnitInfo*> Checker::ExportersOfMain() {
  std::vector<UnitInfo*> mains;
  for (UnitInfo& unit : units_) {
    if (!unit.is_interface || unit.name != "Main") continue;
    mains.insert(mains.end(), unit.exporters.begin(), unit.exporters.end());
  }
  return mains;
}

ast::Ident Checker::InterfaceOf(const ast::Import& import, const ast::Unit* tree) {
  if (!import.is_from) return import.interface;
  for (const ast::Import& other : tree->imports) {
    if (!other.is_from && other.local.name == import.interface.name) return other.interface;
  }
  return import.interface;
}

// Makes unit->tree the generic's, under the instance's name and with the actuals imported (21.2).
bool Checker::Instantiate(UnitInfo* unit) {
  const ast::Unit* instance = unit->tree;
  unit->instance = instance;
  const std::string_view generic_name = instance->generic.name.view();
  const SourceFile* file = unit->is_interface
                               ? source_.GenericInterface(generic_name, instance->generic.span.file)
                               : source_.GenericModule(generic_name, instance->generic.span.file);
  ast::Unit* tree = arena_.New<ast::Unit>(*instance);
  tree->is_instance = false;
  unit->tree = tree;
  if (file == nullptr) {
    Error(MessageId::kUnknownGeneric, instance->generic.span, UnitWord(instance),
          instance->generic.name);
    return false;
  }
  const ast::Unit* generic = ParseFile(file);
  if (generic == nullptr) return false;
  if (!generic->is_generic || generic->kind != instance->kind ||
      generic->name.name != instance->generic.name) {
    Error(MessageId::kNotThatGeneric, generic->name.span, UnitWord(instance),
          instance->generic.name);
    return false;
  }
  *tree = *generic;
  tree->name = instance->name;
  tree->is_generic = false;
  tree->has_exports = instance->has_exports;
  tree->exports = instance->exports;
  tree->has_errors = instance->has_errors || generic->has_errors;
  tree->libraries.insert(tree->libraries.end(), instance->libraries.begin(),
                         instance->libraries.end());
  if (!tree->external.is_external) tree->external = instance->external;
  unit->is_unsafe = instance->is_unsafe || generic->is_unsafe;
  unit->failed = tree->has_errors;
  const size_t super = SaysRoot(*instance, *generic) ? 1 : 0;
  if (generic->formals.size() + super != instance->actuals.size()) {
    std::string formals;
    for (const ast::Ident& formal : generic->formals) {
      formals += (formals.empty() ? "" : ", ") + formal.name.str();
    }
    Error(MessageId::kGenericArity, instance->generic.span, generic->name.name,
          generic->formals.size(), instance->actuals.size())
        .Hint("an interface for each of " + formals);
    return false;
  }
  std::vector<ast::Import> imports;
  for (size_t i = 0; i < generic->formals.size(); ++i) {
    const ast::Ident& actual = instance->actuals[super + i];
    ast::Import import;
    import.interface = actual;
    import.local = {generic->formals[i].name, actual.span};
    import.span = actual.span;
    imports.push_back(import);
  }
  tree->imports.insert(tree->imports.begin(), imports.begin(), imports.end());
  return true;
}

void Checker::NoteInstance(DiagnosticBuilder& builder, SourceSpan span) {
  if (unit_ == nullptr || unit_->instance == nullptr || span.file == unit_->file) return;
  std::string actuals;
  for (const ast::Ident& actual : unit_->instance->actuals) {
    actuals += (actuals.empty() ? "" : ", ") + actual.name.str();
  }
  builder.Note(MessageId::kInstanceHere, unit_->instance->generic.span, unit_->name,
               unit_->instance->generic.name, actuals);
}

void Checker::AddImport(UnitInfo* unit, UnitInfo* interface, bool reveals) {
  if (reveals && std::ranges::find(unit->revealing, interface) == unit->revealing.end())
    unit->revealing.push_back(interface);
  if (std::find(unit->imports.begin(), unit->imports.end(), interface) != unit->imports.end())
    return;
  unit->imports.push_back(interface);
  unit->checked->imports.push_back(interface->checked);
}

// A module without EXPORTS whose interface is missing.
void Checker::ReportNoInterface(const ast::Ident& module) {
  if (!module.name || !unknown_interfaces_.emplace(module.name.view()).second) return;
  DiagnosticBuilder error = Error(MessageId::kUnknownInterface, module.span, module.name);
  if (options_.needs_main && !advisor_->PackageHasMain()) {
    error.Hint(MessageId::kMainModule, module.name);
    error.Fix(module.span.file->Span(module.span.end, module.span.end), " EXPORTS Main");
  } else {
    error.Hint(MessageId::kMakeInterface, module.name);
  }
}

void Checker::LoadImports(UnitInfo* unit) {
  ContextScope context(*this);
  unit_ = unit;
  const ast::Unit* tree = unit->tree;
  auto check_safety = [&](UnitInfo* interface, SourceSpan span, std::string_view verb) {
    if (interface->is_unsafe && !unit->is_unsafe) {
      Error(MessageId::kUnsafeImport, span, unit->name, verb, interface->name);
    }
  };
  if (!unit->is_interface) {
    std::vector<ast::Ident> exports = tree->exports;
    if (!tree->has_exports) exports = {tree->name};
    for (const ast::Ident& name : exports) {
      UnitInfo* interface = LoadInterface(name.name.view(), name.span, tree->has_exports);
      if (interface == nullptr && !tree->has_exports) ReportNoInterface(name);
      if (interface == nullptr) {
        unit->failed = true;
        continue;
      }
      check_safety(interface, name.span, "export");
      if (std::find(unit->exports.begin(), unit->exports.end(), interface) != unit->exports.end()) {
        Error(MessageId::kExportedTwice, name.span, name.name);
        continue;
      }
      unit->exports.push_back(interface);
      interface->exporters.push_back(unit);
      AddImport(unit, interface, true);
    }
  }
  for (const ast::Import& import : tree->imports) {
    const ast::Ident name = InterfaceOf(import, tree);
    UnitInfo* interface = LoadInterface(name.name.view(), name.span, true);
    if (interface == nullptr) continue;
    check_safety(interface, import.interface.span, "import");
    AddImport(unit, interface, !import.is_from);
  }
}

void Checker::DeclareImports(UnitInfo* unit) {
  auto find = [&](const ast::Import& import) -> UnitInfo* {
    const ast::Ident name = InterfaceOf(import, unit->tree);
    UnitInfo* interface = LoadedInterface(name.name.view(), name.span.file);
    // An interface that is still being loaded is part of an import cycle, which was reported.
    return interface != nullptr && interface->loading == UnitInfo::Loading::kDone ? interface : nullptr;
  };
  for (const ast::Import& import : unit->tree->imports) {
    Symbol* symbol = nullptr;
    if (!import.is_from) {
      symbol = Make<Symbol>();
      symbol->name = import.local.name;
      symbol->span = import.local.span;
      symbol->state = ResolveState::kDone;
      symbol->unit = unit;
      symbol->interface = find(import);
      symbol->kind = symbol->interface == nullptr ? SymbolKind::kError : SymbolKind::kInterface;
      const auto guess = interface_guesses_.find(import.interface.name.str());
      if (symbol->interface == nullptr && guess != interface_guesses_.end() &&
          import.local.span == import.interface.span && unit->instance == nullptr) {
        guess->second.error.Fix(import.interface.span, guess->second.replacement);
        guesses_[symbol] = guess->second;
      }
    } else {
      if (UnitInfo* interface = find(import)) {
        Scope::Entry* entry = interface->scope->FindHere(import.local.name);
        if (entry != nullptr && entry->origin == Scope::Origin::kDeclared) {
          symbol = entry->symbol;
        } else if (!interface->failed) {
          DiagnosticBuilder error = Error(MessageId::kNotInInterface, import.local.span,
                                          interface->name, import.local.name);
          symbol =
              MakeMissing(import.local, error, advisor_->SuggestIn(interface, import.local, error));
        }
      }
      if (symbol == nullptr) {
        symbol = Make<Symbol>();
        symbol->name = import.local.name;
        symbol->span = import.local.span;
        symbol->state = ResolveState::kDone;
      }
    }
    Scope::Entry entry{symbol, import.local.span,
                       import.is_from ? Scope::Origin::kFromImport : Scope::Origin::kImport};
    entry.unused_ok = unit->instance != nullptr;
    if (universe_.FindHere(import.local.name) != nullptr) {
      Error(MessageId::kReservedName, import.local.span, import.local.name);
    } else if (!unit->scope->Insert(import.local.name, entry)) {
      ReportDuplicate(import.local.name, import.local.span,
                      *unit->scope->FindHere(import.local.name));
    }
  }
}

void Checker::DeclareExports(UnitInfo* unit) {
  for (UnitInfo* interface : unit->exports) {
    for (const auto& [name, entry] : interface->scope->in_order()) {
      if (entry->origin != Scope::Origin::kDeclared) continue;
      Scope::Entry exported{entry->symbol, entry->span, Scope::Origin::kExport, true, true};
      if (!unit->scope->Insert(name, exported)) {
        Error(MessageId::kExportClash, unit->name_span, unit->name, name)
            .Note(MessageId::kDeclaredHere, unit->scope->FindHere(name)->span, name)
            .Note(MessageId::kDeclaredHere, entry->span, name);
      }
    }
  }
}

void Checker::DeclareUnit(UnitInfo* unit) {
  ContextScope context(*this);
  unit_ = unit;
  scope_ = unit->scope;
  body_ = &unit->body;
  DeclareExports(unit);
  DeclareImports(unit);
  for (const ast::FatalPragma& fatal : unit->tree->block.fatal)
    unit->scope->fatal.push_back(&fatal);
  DeclareDecls(unit->tree->block.declarations, unit->scope, &unit->symbols);
}

void Checker::LoadNeeded() {
  LoadInterface("RuntimeError", {}, false);
  LoadInterface("Text", {}, false);
  LoadInterface("TextFlat", {}, false);
}

namespace {

// Whether one of the words is in the unit's text; for an instance, in the generic's text.
bool Mentions(const UnitInfo& unit, std::initializer_list<std::string_view> words) {
  for (const SourceFile* file : {unit.file, unit.tree->span.file, unit.tree->block.span.file}) {
    if (file == nullptr) continue;
    for (const std::string_view word : words) {
      if (file->text().find(word) != std::string_view::npos) return true;
    }
  }
  return false;
}

}  // namespace

void Checker::LoadExporters() {
  for (size_t i = 0; i < units_.size(); ++i) {
    // LOCK calls Thread.Acquire and Thread.Release; Thread's module reveals MUTEX.
    if (Mentions(units_[i], {"LOCK", "MUTEX"})) LoadInterface("Thread", {}, false);
    if (!units_[i].is_interface) continue;
    for (const SourceFile* file : source_.ModulesExporting(units_[i].name, units_[i].file)) {
      LoadFile(file);
    }
  }
}

uint64_t Checker::ContentKey(UnitInfo* unit) {
  if (unit->key_known) return unit->key;
  unit->key_known = true;
  abi::FingerprintHasher hasher;
  hasher.Add(unit->checked->link_name);
  hasher.Add(unit->file->text());
  hasher.Add(unit->file->path());  // run-time errors and line tables name it
  if (unit->instance != nullptr && unit->tree->block.span.file != nullptr) {
    hasher.Add(unit->tree->block.span.file->text());
  } else if (unit->instance != nullptr && unit->tree->span.file != nullptr) {
    hasher.Add(unit->tree->span.file->text());
  }
  hasher.Add(unit->hidden_methods);
  for (UnitInfo* interface : unit->imports) hasher.Add(ContentKey(interface));
  unit->key = hasher.Finish();
  return unit->key;
}

}  // namespace tenure::compiler
