#include "compiler/emit/emit.h"

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace tenure::compiler {

namespace {

constexpr const char* kTriple = "x86_64-unknown-linux-gnu";

void Optimise(llvm::Module& module, llvm::TargetMachine& machine, bool optimize) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes =
      optimize ? builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2)
               : builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0);
  passes.run(module, modules);
}

}  // namespace

std::unique_ptr<llvm::TargetMachine> MakeTargetMachine(bool optimize) {
  static const bool initialized = [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    return true;
  }();
  (void)initialized;
  std::string problem;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(kTriple, problem);
  if (target == nullptr) {
    std::fprintf(stderr, "tenure: internal error: %s\n", problem.c_str());
    std::abort();
  }
  llvm::TargetOptions options;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      kTriple, "x86-64", "", options, llvm::Reloc::Static, llvm::CodeModel::Small,
      optimize ? llvm::CodeGenOptLevel::Default : llvm::CodeGenOptLevel::None));
}

std::string VerifyModule(const llvm::Module& module) {
  std::string complaint;
  llvm::raw_string_ostream stream(complaint);
  const bool broken = llvm::verifyModule(module, &stream);
  return broken ? stream.str() + " " : "";
}

std::string PrintModule(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return stream.str();
}

std::string EmitObject(llvm::Module& module, llvm::TargetMachine& machine, bool optimize,
                       const std::string& path) {
  Optimise(module, machine, optimize);
  const std::string temporary = path + ".new" + std::to_string(getpid());
  std::error_code error;
  llvm::raw_fd_ostream file(temporary, error, llvm::sys::fs::OF_None);
  if (error) return "cannot write '" + temporary + "': " + error.message();
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, file, nullptr, llvm::CodeGenFileType::ObjectFile)) {
    return "LLVM cannot write object files for this machine";
  }
  passes.run(module);
  file.close();
  if (file.has_error()) {
    const std::string problem = "cannot write '" + temporary + "': " + file.error().message();
    file.clear_error();
    unlink(temporary.c_str());
    return problem;
  }
  if (std::error_code renamed = llvm::sys::fs::rename(temporary, path)) {
    unlink(temporary.c_str());
    return "cannot write '" + path + "': " + renamed.message();
  }
  return "";
}

}  // namespace tenure::compiler
