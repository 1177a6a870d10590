#include "compiler/lower/debug_info.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfoMetadata.h>

#include "compiler/types/layout.h"

namespace tenure::compiler {

DebugInfo::DebugInfo(llvm::Module& module, const SourceFile* file, bool enabled, bool optimized)
    : enabled_(enabled && file != nullptr) {
  if (!enabled_) return;
  module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  module.addModuleFlag(llvm::Module::Warning, "Dwarf Version", 4);
  builder_ = std::make_unique<llvm::DIBuilder>(module);
  unit_ = builder_->createCompileUnit(llvm::dwarf::DW_LANG_Modula3, FileFor(file->path()), "tenure",
                                      optimized, "", 0);
  signature_ = builder_->createSubroutineType(builder_->getOrCreateTypeArray({}));
}

llvm::DIFile* DebugInfo::FileFor(std::string_view path) {
  const auto found = files_.find(path);
  if (found != files_.end()) return found->second;
  // No directory: a path is shown as it was given to the compiler.
  llvm::DIFile* file = builder_->createFile(llvm::StringRef(path.data(), path.size()), "");
  files_.emplace(std::string(path), file);
  return file;
}

void DebugInfo::Begin(llvm::Function& function, const std::string& name, SourceSpan span) {
  if (!enabled_) return;
  llvm::DIFile* file = span.valid() ? FileFor(span.start().path()) : unit_->getFile();
  const unsigned line = span.valid() ? span.line() : 1;
  auto flags = llvm::DISubprogram::SPFlagDefinition;
  if (unit_->isOptimized()) flags |= llvm::DISubprogram::SPFlagOptimized;
  function.setSubprogram(builder_->createFunction(file, name, "", file, line, signature_, line,
                                                  llvm::DINode::FlagPrototyped, flags));
}

void DebugInfo::SetPlace(llvm::IRBuilderBase& builder, llvm::Function& function, SourceSpan span) {
  if (!enabled_) return;
  llvm::DISubprogram* subprogram = function.getSubprogram();
  if (subprogram == nullptr) return;
  llvm::DIScope* scope = subprogram;
  if (span.valid()) {
    llvm::DIFile* file = FileFor(span.start().path());
    if (file != subprogram->getFile()) scope = builder_->createLexicalBlockFile(subprogram, file);
  }
  builder.SetCurrentDebugLocation(llvm::DILocation::get(
      function.getContext(), span.valid() ? span.line() : subprogram->getLine(),
      span.valid() ? span.column() : 0, scope));
}

llvm::DIType* DebugInfo::TypeFor(const Type* type) {
  llvm::DIType*& made = types_[type];
  if (made != nullptr) return made;
  const std::string name = TypeToString(type);
  while (const auto* packed = As<PackedType>(type)) type = packed->base;
  const uint64_t bits = static_cast<uint64_t>(LayoutOf(type).bytes) * 8;
  unsigned encoding = 0;
  if (type->kind == TypeKind::kReal || type->kind == TypeKind::kLongreal ||
      type->kind == TypeKind::kExtended) {
    encoding = llvm::dwarf::DW_ATE_float;
  } else if (IsOrdinal(type)) {
    const auto* enumeration = As<EnumerationType>(BaseType(const_cast<Type*>(type)));
    encoding = FirstOf(type) < 0 ? llvm::dwarf::DW_ATE_signed : llvm::dwarf::DW_ATE_unsigned;
    if (enumeration != nullptr) {
      if (enumeration->builtin == EnumerationType::Builtin::kBoolean)
        encoding = llvm::dwarf::DW_ATE_boolean;
      if (enumeration->builtin == EnumerationType::Builtin::kChar)
        encoding = llvm::dwarf::DW_ATE_unsigned_char;
    }
  } else if (IsReference(type) || IsProcedure(type)) {
    made = builder_->createPointerType(nullptr, 64, 0, std::nullopt, name);
    return made;
  } else {
    made = builder_->createUnspecifiedType(name);
    return made;
  }
  made = builder_->createBasicType(name, bits, encoding);
  return made;
}

void DebugInfo::Declare(llvm::IRBuilderBase& builder, llvm::Function& function,
                        const Variable& variable, llvm::Value* storage, bool indirect) {
  if (!enabled_ || function.getSubprogram() == nullptr || !variable.span.valid()) return;
  const Type* type = variable.type;
  while (const auto* packed = As<PackedType>(type)) type = packed->base;
  if (!IsOrdinal(type) && !IsFloat(type) && !IsReference(type) && !IsProcedure(type)) return;
  llvm::DISubprogram* scope = function.getSubprogram();
  llvm::DILocalVariable* description =
      builder_->createAutoVariable(scope, variable.name, FileFor(variable.span.start().path()),
                                   variable.span.line(), TypeFor(variable.type), true);
  llvm::DIExpression* expression = indirect ? builder_->createExpression({llvm::dwarf::DW_OP_deref})
                                            : builder_->createExpression();
  builder_->insertDeclare(
      storage, description, expression,
      llvm::DILocation::get(function.getContext(), variable.span.line(), 0, scope),
      builder.GetInsertBlock());
}

void DebugInfo::Finish() {
  if (enabled_) builder_->finalize();
}

}  // namespace tenure::compiler
