// Turns a checked unit into its object file: lower, verify, emit.
#pragma once

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "compiler/check/checked_unit.h"
#include "compiler/driver/options.h"
#include "compiler/lower/lower.h"
#include "compiler/package/installation.h"
#include "compiler/source/problem.h"

namespace tenure::compiler {

// For one program. A null unit stands for the tables of the whole program. The arguments of the
// constructor outlive the generator.
class Generator {
 public:
  Generator(const Program& program, const Options& options, const Installation& installation);

  // With --coverage, only units whose files this is true of are counted.
  void CountOnly(std::function<bool(const SourceFile*)> counts) { counts_ = std::move(counts); }

  const ProgramLayout& layout() const { return *layout_; }

  std::unique_ptr<llvm::Module> Lower(const CheckedUnit* unit, llvm::LLVMContext& context);

  // Writes the object file `path`. A problem if the file cannot be written; a module that does not
  // verify is a bug of the compiler, and ends the process.
  Problem Generate(const CheckedUnit* unit, const std::string& path);

 private:
  Problem Emit(const CheckedUnit* unit, const std::string& path, llvm::TargetMachine& machine);
  // For a very large unit, written by a tool: all processors share the work.
  Problem GenerateInParts(const CheckedUnit* unit, const std::string& path);

  const Program& program_;
  const Options& options_;
  const Installation& installation_;
  LowerOptions lower_options_;
  std::function<bool(const SourceFile*)> counts_;  // empty: all
  std::unique_ptr<ProgramLayout, void (*)(ProgramLayout*)> layout_;
  std::unique_ptr<llvm::TargetMachine> machine_;
};

}  // namespace tenure::compiler
