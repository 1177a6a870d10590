// The environment of an LLVM pass in a test: code as text, and the managers of analyses.
#pragma once

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/SourceMgr.h>

#include <memory>
#include <string>

namespace tenure::compiler {

// Null if the code is not valid LLVM; the test has then failed.
inline std::unique_ptr<llvm::Module> ModuleOf(const std::string& code, llvm::LLVMContext& context) {
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(code, problem, context);
  EXPECT_NE(module, nullptr) << problem.getMessage().str() << " in line " << problem.getLineNo();
  return module;
}

struct Analyses {
  Analyses() {
    llvm::PassBuilder builder;
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
  }

  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
};

}  // namespace tenure::compiler
