// The counters of one module that is compiled for coverage (abi/coverage.h).
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <string>

#include "compiler/source/source_file.h"

namespace tenure::compiler {

class CoverageCounters {
 public:
  explicit CoverageCounters(llvm::Module& module);

  // Emits code that counts one more time that a statement begins; that a choice takes its nth way
  // out; that a procedure is entered.
  void CountStatement(llvm::IRBuilderBase& builder, SourceSpan span);
  void CountBranch(llvm::IRBuilderBase& builder, SourceSpan span, size_t n);
  void CountProcedure(llvm::IRBuilderBase& builder, SourceSpan span, const std::string& name);

  // Defines the counters and their map. No code is emitted afterwards.
  void Finish();

 private:
  void Count(llvm::IRBuilderBase& builder, const std::string& line);

  llvm::Module& module_;
  llvm::GlobalVariable* unit_;  // the abi::CoverageUnit
  uint64_t count_ = 0;
  std::string map_;
};

}  // namespace tenure::compiler
