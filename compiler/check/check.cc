// The order of work: load, declare, resolve, verify, check bodies, finish.
#include "compiler/check/check.h"

#include "base/check.h"
#include "base/near_names.h"
#include "compiler/check/advisor.h"
#include "compiler/check/builtins.h"
#include "compiler/check/checker.h"
#include "compiler/check/constructors.h"
#include "compiler/types/layout.h"

namespace tenure::compiler {

std::unique_ptr<Program> CheckProgram(UnitSource& source, const CheckOptions& options,
                                      Diagnostics& diagnostics) {
  return Checker(source, options, diagnostics).Run();
}

Checker::Checker(UnitSource& source, const CheckOptions& options, Diagnostics& diagnostics)
    : source_(source),
      options_(options),
      diagnostics_(diagnostics),
      program_(std::make_unique<Program>()),
      advisor_(std::make_unique<Advisor>(*this)),
      constructors_(std::make_unique<ConstructorChecker>(*this)),
      builtins_(std::make_unique<BuiltinChecker>(*this)) {
  program_->name = options.program_name;
  error_constant_ = Make<Constant>();
  DeclareUniverse(*program_, interner_, universe_);
  for (const SourceFile* file : options.units) package_files_.insert(file);
}

Checker::~Checker() = default;

std::unique_ptr<Program> Checker::Run() {
  for (const SourceFile* file : options_.units) {
    if (file != nullptr) LoadFile(file);
  }
  if (options_.needs_main) {
    const std::vector<UnitInfo*> mains = ExportersOfMain();
    // The module that exports Main may be one that could not be read.
    if (mains.empty() && !diagnostics_.has_errors()) {
      DiagnosticBuilder error = Error(MessageId::kNoMain, SourceSpan{});
      error.Hint(MessageId::kWriteMain);
    }
    if (mains.size() > 1) {
      Error(MessageId::kTwoMains, mains[1]->name_span)
          .Note(MessageId::kDeclaredHere, mains[0]->name_span, mains[0]->name);
    }
  }
  LoadNeeded();
  LoadExporters();
  is_loading_ = false;
  CheckUnits(0);
  FinishProgram();
  if (diagnostics_.error_count() > 0) return nullptr;
  return std::move(program_);
}

void Checker::CheckUnits(size_t from) {
  for (size_t i = from; i < units_.size(); ++i) {
    for (Symbol* symbol : units_[i].symbols) Resolve(symbol);
    for (Revelation* revelation : units_[i].revelations) TypeOfRevelation(revelation);
  }
  Settle();
  for (size_t i = from; i < units_.size(); ++i) CheckRevelations(&units_[i]);
  RunVerifications();
  for (size_t i = from; i < units_.size(); ++i) {
    if (!units_[i].is_interface) CheckBodies(&units_[i]);
  }
  RunVerifications();
  for (size_t i = from; i < units_.size(); ++i) {
    ContextScope context(*this);
    unit_ = &units_[i];
    scope_ = unit_->scope;
    if (!unit_->failed && !diagnostics_.has_errors()) WarnUnused(unit_->scope);
  }
}

void Checker::Verify(std::function<void()> check) {
  verifications_.push_back(
      [this, unit = unit_, scope = scope_, body = body_, check = std::move(check)] {
        ContextScope context(*this);
        unit_ = unit;
        scope_ = scope;
        body_ = body;
        check();
      });
}

void Checker::RunVerifications() {
  // What is verified is complete, and records may lie within each other as deep as they like.
  const KeptLayouts kept;
  while (!verifications_.empty()) {
    std::vector<std::function<void()>> batch;
    batch.swap(verifications_);
    for (const auto& verification : batch) {
      Settle();
      verification();
    }
  }
  Settle();
}

void Checker::CheckBodies(UnitInfo* unit) {
  ContextScope context(*this);
  unit_ = unit;
  scope_ = unit->scope;
  body_ = &unit->body;
  locals_.clear();
  member_guesses_.clear();
  CheckFatal(unit->tree->block);
  for (Symbol* symbol : unit->symbols) {
    if (symbol->kind == SymbolKind::kProcedure) CheckProcedureBody(symbol);
  }
  AddInitializations(unit->symbols, &unit->checked->body, /*globals=*/true);
  const ast::Block& block = unit->tree->block;
  unit->body.damaged = block.has_errors;
  CheckStatements(block.body, &unit->checked->body, block.trace.empty() ? nullptr : &block.trace);
  WarnUnreachable(unit->checked->body);
  WarnValueFlow(unit->checked->body, GlobalsOfBody(*unit->checked));
}

// A procedure of an interface that is used and has no body: at the module that should have the
// body, or at the use if there is no module.
void Checker::ReportLackingBody(const Symbol* symbol) {
  const UnitInfo* interface = symbol->unit;
  if (interface->exporters.empty()) {
    auto error = Error(MessageId::kNoBody, symbol->first_use, symbol->procedure->full_name);
    if (interface->instance != nullptr) {
      std::string actuals;
      for (const ast::Ident& actual : interface->instance->actuals) {
        actuals += (actuals.empty() ? "" : ", ") + actual.name.str();
      }
      error.Hint("the instance has no module: write MODULE " + interface->name + " = " +
                 interface->instance->generic.name.str() + "(" + actuals + ") END " +
                 interface->name + ". in " + interface->name + ".m3");
    } else {
      error.Hint(MessageId::kWriteModule, interface->name);
    }
    error.Note(MessageId::kDeclaredHere, symbol->span, symbol->name);
    return;
  }
  UnitInfo* module = interface->exporters.front();
  for (UnitInfo* exporter : interface->exporters) {
    if (exporter->name == interface->name) module = exporter;
  }
  DiagnosticBuilder error = Error(MessageId::kModuleLacks, module->name_span, module->name,
                                  symbol->name, interface->name);
  NearNames near(symbol->name.view());
  for (const Symbol* other : module->symbols) {
    if (other->kind == SymbolKind::kProcedure && other->implements == nullptr) {
      near.Consider(other->name.view());
    }
  }
  if (!near.best().empty()) {
    error.Hint(MessageId::kSpelledOtherwise, near.best());
  } else {
    const auto* decl = ast::As<ast::ProcedureDecl>(symbol->decl);
    error.Hint(MessageId::kWriteBody, symbol->name, decl->signature.span.text());
  }
  error.Note(MessageId::kDeclaredHere, symbol->span, symbol->name);
  if (symbol->first_use.valid()) error.Note(MessageId::kUsedHere, symbol->first_use, symbol->name);
}

void Checker::FinishProgram() {
  // The missing body may stand in a unit that could not be read.
  bool complete = options_.needs_main;
  for (const auto& [file, unit] : by_file_) complete = complete && unit != nullptr && !unit->failed;
  CompleteOpaqueTypes(complete);
  CheckBrands();
  // Every used procedure of an interface must have a body in the program (11.1).
  for (Symbol* symbol : procedure_symbols_) {
    const Procedure* procedure = symbol->procedure;
    if (procedure == nullptr || procedure->external || procedure->has_body ||
        !symbol->first_use.valid())
      continue;
    if (!complete || symbol->implemented_by != nullptr) continue;
    // Calls of these procedures need no body.
    if (WordFunction(procedure) || symbol->unit->name == "Compiler") continue;
    ReportLackingBody(symbol);
  }
  if (diagnostics_.error_count() > 0) return;
  WarnNotKept();

  auto find = [&](std::string_view interface, std::string_view name) -> Symbol* {
    const UnitInfo* found = OwnInterface(interface);
    if (found == nullptr) return nullptr;
    Scope::Entry* entry = found->scope->FindHere(interner_.Intern(name));
    return entry == nullptr ? nullptr : entry->symbol;
  };
  if (Symbol* cat = find("Text", "Cat")) program_->text_cat = cat->procedure;
  if (Symbol* text8 = find("TextFlat", "T8")) program_->text8_type = As<ObjectType>(text8->type);
  if (Symbol* text16 = find("TextFlat", "T16"))
    program_->text16_type = As<ObjectType>(text16->type);
  for (UnitInfo& unit : units_) {
    unit.checked->content_key = ContentKey(&unit);
    // A variable of a block in the module body became a global if a nested procedure uses it.
    std::erase_if(unit.checked->body_locals, [](const Variable* variable) {
      return variable->kind == Variable::Kind::kGlobal;
    });
  }
  OrderUnits();
}

}  // namespace tenure::compiler
