#include "compiler/emit/exact_lines.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <mutex>

#include "compiler/emit/llvm_versions.h"

namespace tenure::compiler {
namespace {

// Metadata of loads and stores: the last place that the instruction had.
constexpr char kPlace[] = "tn.place";

}  // namespace

void ForbidMergingOfPaths() {
  static std::once_flag once;
  std::call_once(once, [] {
    for (const char* name :
         {"simplifycfg-hoist-common", "simplifycfg-sink-common", "enable-tail-merge"}) {
      SetCommandLineOption(name, false);
    }
  });
}

void ForbidMergingOfPaths(llvm::PassInstrumentationCallbacks& callbacks) {
  callbacks.registerShouldRunOptionalPassCallback(
      [](llvm::StringRef pass, const llvm::Any&) { return pass != "MergedLoadStoreMotionPass"; });
}

void ForbidMergingOfCalls(llvm::Module& module) {
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call == nullptr || call->isInlineAsm() || llvm::isa<llvm::IntrinsicInst>(call)) continue;
      call->addFnAttr(llvm::Attribute::NoMerge);
    }
  }
}

llvm::PreservedAnalyses KeepLinesPass::run(llvm::Function& function,
                                           llvm::FunctionAnalysisManager& /*analyses*/) {
  const llvm::DISubprogram* subprogram = function.getSubprogram();
  if (subprogram == nullptr) return llvm::PreservedAnalyses::all();
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)) continue;
    if (const llvm::DebugLoc& place = instruction.getDebugLoc(); place && place.getLine() != 0) {
      instruction.setMetadata(kPlace, place.getAsMDNode());
      continue;
    }
    auto* kept = llvm::dyn_cast_or_null<llvm::DILocation>(instruction.getMetadata(kPlace));
    // If an instruction was inlined here before this pass ran, its place belongs to another
    // function.
    if (kept == nullptr || kept->getInlinedAtScope()->getSubprogram() != subprogram) continue;
    instruction.setDebugLoc(kept);
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace tenure::compiler
