// DWARF: line tables and procedures always, which traces need; types and variables on request.
#pragma once

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compiler/lower/debug_types.h"
#include "compiler/source/source_file.h"
#include "compiler/types/entity.h"

namespace tenure::compiler {

class DebugInfo {
 public:
  // Does nothing without a file. `variables`: types and variables, too, and where the sources are
  // from the root.
  DebugInfo(llvm::Module& module, const SourceFile* file, bool variables, bool optimized);

  // Makes the function's subprogram. `name` is for people.
  void Begin(llvm::Function& function, const std::string& name, SourceSpan span);
  // A new scope for the part of the source, in `outer` or (null) in the function, in which names
  // are declared.
  llvm::DIScope* NewScope(llvm::Function& function, llvm::DIScope* outer, SourceSpan span);
  // The place of the instructions that follow, in the scope or (null) in the function. An invalid
  // span: the function's own line.
  void SetPlace(llvm::IRBuilderBase& builder, llvm::Function& function, llvm::DIScope* scope,
                SourceSpan span);

  bool variables() const { return types_ != nullptr; }
  // `slot` is an alloca, `path` the operations (DW_OP_...) that lead from its address to that of
  // the variable's storage: of the variable itself or, when `indirect`, of its address. Open arrays
  // are described by their storage, pointer and lengths. `number`: of a formal, from 1; 0: not a
  // formal.
  void Declare(llvm::IRBuilderBase& builder, llvm::Function& function, llvm::DIScope* scope,
               const Variable& variable, llvm::Value* slot, std::vector<uint64_t> path,
               bool indirect, unsigned number);
  // Declares `name`, and a field of a variable with the unit's name: gdb finds `Unit.name`.
  void DeclareGlobal(llvm::GlobalVariable& global, const Variable& variable);
  // Describes the type also if no variable has it: an object's own type is found by its name.
  void Retain(const Type* type);
  void Finish();

 private:
  llvm::DIFile* FileFor(std::string_view path);
  void DeclareGlobalsByUnit();

  std::unique_ptr<llvm::DIBuilder> builder_;  // null: no information is written
  std::unique_ptr<DebugTypes> types_;
  llvm::DICompileUnit* unit_ = nullptr;
  llvm::DISubroutineType* signature_ = nullptr;
  std::map<std::string, llvm::DIFile*, std::less<>> files_;
  std::string unit_name_;
  std::string directory_;  // the current directory, for relative names; empty: unknown
  std::vector<std::pair<llvm::GlobalVariable*, const Variable*>> globals_;
};

}  // namespace tenure::compiler
