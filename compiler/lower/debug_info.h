// DWARF: line tables, procedures and the variables of simple types.
#pragma once

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "compiler/source/source_file.h"
#include "compiler/types/entity.h"

namespace tenure::compiler {

class DebugInfo {
 public:
  // Does nothing when not `enabled`.
  DebugInfo(llvm::Module& module, const SourceFile* file, bool enabled, bool optimized);

  // Makes the function's subprogram. `name` is for people.
  void Begin(llvm::Function& function, const std::string& name, SourceSpan span);
  // The place of the instructions that follow. An invalid span: the function's own line.
  void SetPlace(llvm::IRBuilderBase& builder, llvm::Function& function, SourceSpan span);
  // `storage` is an alloca that holds the variable, or with `indirect` its address.
  void Declare(llvm::IRBuilderBase& builder, llvm::Function& function, const Variable& variable,
               llvm::Value* storage, bool indirect);
  void Finish();

 private:
  llvm::DIFile* FileFor(std::string_view path);
  llvm::DIType* TypeFor(const Type* type);

  bool enabled_;
  std::unique_ptr<llvm::DIBuilder> builder_;
  llvm::DICompileUnit* unit_ = nullptr;
  llvm::DISubroutineType* signature_ = nullptr;
  std::map<std::string, llvm::DIFile*, std::less<>> files_;
  std::unordered_map<const Type*, llvm::DIType*> types_;
};

}  // namespace tenure::compiler
