#include "compiler/lower/debug_info.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfoMetadata.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace tenure::compiler {

DebugInfo::DebugInfo(llvm::Module& module, const SourceFile* file, bool variables, bool optimized) {
  if (file == nullptr) return;
  module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  module.addModuleFlag(llvm::Module::Warning, "Dwarf Version", 5);
  builder_ = std::make_unique<llvm::DIBuilder>(module);
  unit_name_ = module.getName().str();
  if (variables) {
    std::error_code ignored;
    directory_ = std::filesystem::current_path(ignored).string();
  }
  // A name that begins like this tells gdb that the line table has the place where a procedure's
  // parameters are in memory.
  constexpr const char* kProducer = "clang LLVM (tenure)";
  unit_ =
      builder_->createCompileUnit(llvm::dwarf::DW_LANG_Modula3, FileFor(file->path()), kProducer,
                                  optimized, "", 0, "", llvm::DICompileUnit::FullDebug, 0, true,
                                  false, llvm::DICompileUnit::DebugNameTableKind::None);
  signature_ = builder_->createSubroutineType(builder_->getOrCreateTypeArray({}));
  if (variables) types_ = std::make_unique<DebugTypes>(*builder_, unit_);
}

llvm::DIFile* DebugInfo::FileFor(std::string_view path) {
  const auto found = files_.find(path);
  if (found != files_.end()) return found->second;
  // A path is shown as it was given to the compiler. The path must have a directory, because
  // readers of the line table put one before a name without.
  if (!directory_.empty() && !path.starts_with('/')) {
    llvm::DIFile* file =
        builder_->createFile(llvm::StringRef(path.data(), path.size()), directory_);
    files_.emplace(std::string(path), file);
    return file;
  }
  const size_t slash = path.rfind('/');
  const bool bare = slash == std::string_view::npos;
  const std::string name(bare ? path : path.substr(slash + 1));
  const std::string directory(bare ? "." : path.substr(0, std::max<size_t>(slash, 1)));
  llvm::DIFile* file = builder_->createFile(name, directory);
  files_.emplace(std::string(path), file);
  return file;
}

void DebugInfo::Begin(llvm::Function& function, const std::string& name, SourceSpan span) {
  if (builder_ == nullptr) return;
  llvm::DIFile* file = span.valid() ? FileFor(span.start().path()) : unit_->getFile();
  const unsigned line = span.valid() ? span.line() : 1;
  auto flags = llvm::DISubprogram::SPFlagDefinition;
  if (unit_->isOptimized()) flags |= llvm::DISubprogram::SPFlagOptimized;
  function.setSubprogram(builder_->createFunction(file, name, "", file, line, signature_, line,
                                                  llvm::DINode::FlagPrototyped, flags));
}

llvm::DIScope* DebugInfo::NewScope(llvm::Function& function, llvm::DIScope* outer,
                                   SourceSpan span) {
  if (types_ == nullptr || function.getSubprogram() == nullptr || !span.valid()) return outer;
  if (outer == nullptr) outer = function.getSubprogram();
  return builder_->createLexicalBlock(outer, FileFor(span.start().path()), span.line(),
                                      span.column());
}

void DebugInfo::SetPlace(llvm::IRBuilderBase& builder, llvm::Function& function,
                         llvm::DIScope* scope, SourceSpan span) {
  if (builder_ == nullptr) return;
  llvm::DISubprogram* subprogram = function.getSubprogram();
  if (subprogram == nullptr) return;
  if (scope == nullptr) scope = subprogram;
  if (span.valid()) {
    llvm::DIFile* file = FileFor(span.start().path());
    if (file != scope->getFile()) scope = builder_->createLexicalBlockFile(scope, file);
  }
  builder.SetCurrentDebugLocation(llvm::DILocation::get(
      function.getContext(), span.valid() ? span.line() : subprogram->getLine(),
      span.valid() ? span.column() : 0, scope));
}

void DebugInfo::Declare(llvm::IRBuilderBase& builder, llvm::Function& function,
                        llvm::DIScope* scope, const Variable& variable, llvm::Value* slot,
                        std::vector<uint64_t> path, bool indirect, unsigned number) {
  if (types_ == nullptr || function.getSubprogram() == nullptr || !variable.span.valid()) return;
  if (scope == nullptr) scope = function.getSubprogram();
  llvm::DIFile* file = FileFor(variable.span.start().path());
  const unsigned line = variable.span.line();
  // Optimised code may keep the variable in a register.
  llvm::DIType* type =
      unit_->isOptimized() ? types_->OfValue(variable.type) : types_->Of(variable.type);
  // Formals stand in the function's own scope.
  llvm::DILocalVariable* description =
      number != 0 ? builder_->createParameterVariable(function.getSubprogram(), variable.name,
                                                      number, file, line, type, true)
                  : builder_->createAutoVariable(scope, variable.name, file, line, type, true);
  // A frame that procedures share agrees with the source only as far as they need it: stores are
  // left out, or come later. The variable is shown as missing.
  if (unit_->isOptimized() && !path.empty()) return;
  if (indirect) path.push_back(llvm::dwarf::DW_OP_deref);
  builder_->insertDeclare(
      slot, description, builder_->createExpression(path),
      llvm::DILocation::get(function.getContext(), line, 0, description->getScope()),
      builder.GetInsertBlock());
}

void DebugInfo::DeclareGlobal(llvm::GlobalVariable& global, const Variable& variable) {
  if (types_ == nullptr || !variable.span.valid()) return;
  global.addDebugInfo(builder_->createGlobalVariableExpression(
      unit_, variable.name, "", FileFor(variable.span.start().path()), variable.span.line(),
      types_->Of(variable.type), global.hasLocalLinkage()));
  globals_.emplace_back(&global, &variable);
}

// A record in pieces: each field lies where its variable does.
void DebugInfo::DeclareGlobalsByUnit() {
  if (types_ == nullptr || globals_.empty()) return;
  std::vector<DebugTypes::Part> parts;
  for (const auto& [global, variable] : globals_) {
    parts.push_back({variable->name, variable->type});
  }
  llvm::DICompositeType* record = types_->RecordOfParts(unit_name_, parts);
  llvm::DIGlobalVariable* whole =
      builder_
          ->createGlobalVariableExpression(unit_, unit_name_, "", unit_->getFile(), 0, record,
                                           /*IsLocalToUnit=*/false)
          ->getVariable();
  uint64_t offset = 0;
  for (size_t i = 0; i < globals_.size(); ++i) {
    const uint64_t bits = parts[i].bits;
    if (bits == 0) continue;
    std::vector<uint64_t> place;
    if (bits != record->getSizeInBits()) {
      place = {llvm::dwarf::DW_OP_LLVM_fragment, offset, bits};
    }
    globals_[i].first->addDebugInfo(llvm::DIGlobalVariableExpression::get(
        whole->getContext(), whole, builder_->createExpression(place)));
    offset += bits;
  }
}

void DebugInfo::Retain(const Type* type) {
  if (types_ != nullptr) builder_->retainType(llvm::cast<llvm::DIScope>(types_->Of(type)));
}

void DebugInfo::Finish() {
  DeclareGlobalsByUnit();
  if (builder_ != nullptr) builder_->finalize();
}

}  // namespace tenure::compiler
