#include "compiler/emit/emit.h"

#include <fcntl.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/StandardInstrumentations.h>
#include <llvm/Support/CodeGen.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <optional>

#include "base/check.h"
#include "compiler/emit/endless_recursion.h"
#include "compiler/emit/keep_traps.h"
#include "compiler/emit/loop_barriers.h"
#include "compiler/emit/scalar_loops.h"
#include "compiler/emit/unroll_recursion.h"

namespace tenure::compiler {

namespace {

constexpr char kTriple[] = "x86_64-pc-linux-gnu";

// LLVM's passes take time quadratic in these. Functions beyond, which a tool has written, are
// compiled as by -O0, and so is the machine code of all of their unit.
constexpr size_t kMostPredecessors = 3000;
constexpr size_t kMostInBlock = 30000;
constexpr size_t kMostBlocks = 30000;
constexpr size_t kMostInstructions = 400000;
// Passes over loops take more than quadratic time in the loops of a function: of this many calls
// each may bring some along.
constexpr size_t kMostCalls = 100;
// The fast register allocator looks at all registers of a block at each call in it.
constexpr size_t kLongBlock = 2000;

bool IsHuge(const llvm::Function& function) {
  if (function.size() > kMostBlocks || function.getInstructionCount() > kMostInstructions)
    return true;
  return std::any_of(function.begin(), function.end(), [](const llvm::BasicBlock& block) {
    return block.hasNPredecessorsOrMore(kMostPredecessors) || block.size() > kMostInBlock;
  });
}

// Whether there are any.
bool SpareHugeFunctions(llvm::Module& module) {
  bool found = false;
  for (llvm::Function& function : module) {
    if (!IsHuge(function)) continue;
    found = true;
    function.removeFnAttr(llvm::Attribute::AlwaysInline);
    function.addFnAttr(llvm::Attribute::NoInline);
    function.addFnAttr(llvm::Attribute::OptimizeNone);
  }
  return found;
}

bool HasTooManyDefinitions(const llvm::Module& module) {
  const auto count =
      std::count_if(module.begin(), module.end(),
                    [](const llvm::Function& function) { return !function.isDeclaration(); });
  return static_cast<size_t>(count) > kMostDefinitions;
}

// A procedure with very many calls does not take in what all of them call.
void SpareLongLists(llvm::Module& module) {
  for (llvm::Function& caller : module) {
    size_t count = 0;
    for (llvm::BasicBlock& block : caller) {
      for (llvm::Instruction& instruction : block) {
        auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        const llvm::Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
        if (callee == nullptr || callee->isDeclaration()) continue;
        if (callee->hasFnAttribute(llvm::Attribute::AlwaysInline)) continue;
        if (++count > kMostCalls) call->setIsNoInline();
      }
    }
  }
}

void CutLongBlocks(llvm::Module& module) {
  for (llvm::Function& function : module) {
    for (llvm::BasicBlock& block : function) {
      // Memory that is not taken in the first block is not part of the frame.
      auto begin = block.getFirstNonPHI()->getIterator();
      for (auto it = begin; it != block.end(); ++it) {
        if (llvm::isa<llvm::AllocaInst>(*it)) begin = it;
      }
      std::vector<llvm::BasicBlock::iterator> cuts;
      size_t count = 0;
      for (auto it = std::next(begin); it != block.end() && !it->isTerminator(); ++it) {
        if (++count % kLongBlock == 0) cuts.push_back(it);
      }
      // From the end, since a cut moves all that comes after it. The loop over blocks comes to the
      // parts as well, which are short enough.
      for (; !cuts.empty(); cuts.pop_back()) block.splitBasicBlock(cuts.back());
    }
  }
}

void Optimize(llvm::Module& module, llvm::TargetMachine& machine, bool optimize) {
  // Passes ask it whether a function wants them.
  llvm::PassInstrumentationCallbacks callbacks;
  llvm::OptNoneInstrumentation skip_huge(false);
  skip_huge.registerCallbacks(callbacks);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine, llvm::PipelineTuningOptions(), std::nullopt, &callbacks);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.registerOptimizerEarlyEPCallback(
      [](llvm::ModulePassManager& early, llvm::OptimizationLevel level) {
        if (level != llvm::OptimizationLevel::O0) early.addPass(UnrollRecursionPass());
      });
  builder.registerVectorizerStartEPCallback(
      [](llvm::FunctionPassManager& before, llvm::OptimizationLevel) {
        before.addPass(LoopBarriersPass());
        before.addPass(ScalarLoopsPass());
      });
  llvm::ModulePassManager passes;
  // What becomes of a loaded value is seen when local variables are values too.
  if (optimize) passes.addPass(llvm::createModuleToFunctionPassAdaptor(llvm::PromotePass()));
  passes.addPass(KeepTrapsPass());
  if (optimize) passes.addPass(EndlessRecursionPass());
  passes.addPass(optimize ? builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2)
                          : builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0));
  passes.run(module, modules);
}

// A last call that is a jump would let a recursion without an end, by methods or across units, run
// for ever, and callers would be missing in stack traces.
void KeepCalls(llvm::Module& module) {
  for (llvm::Function& function : module) function.addFnAttr("disable-tail-calls", "true");
}

// Many processors decode a jump anew each time when it touches the end of 32 bytes of code; a short
// loop then takes up to twice as long, by where it happens to lie. A few bytes of padding prevent
// that; where they are needed is found in time quadratic in the jumps of a huge function. LLVM has
// this only as an option of its command line, which a machine's back end reads when it is made.
void KeepBranchesWithinLines(bool keep) {
  llvm::StringMap<llvm::cl::Option*>& options = llvm::cl::getRegisteredOptions();
  const auto found = options.find("x86-branches-within-32B-boundaries");
  if (found == options.end()) return;
  found->second->addOccurrence(0, found->first(), keep ? "true" : "false", /*MultiArg=*/true);
}

std::string Problem(const std::string& path, int error) {
  return "cannot write '" + path + "': " + std::strerror(error);
}

// Writes and closes; 0 or an errno value.
int WriteAll(int fd, llvm::StringRef bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      const int error = errno;
      close(fd);
      return error;
    }
    bytes = bytes.drop_front(static_cast<size_t>(count));
  }
  return close(fd) == 0 ? 0 : errno;
}

}  // namespace

std::unique_ptr<llvm::TargetMachine> MakeTargetMachine(bool optimize) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
  });
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(kTriple, error);
  TN_CHECK(target != nullptr);
  llvm::TargetOptions options;
  options.ExceptionModel = llvm::ExceptionHandling::DwarfCFI;
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      kTriple, "x86-64", "", options, llvm::Reloc::Static, llvm::CodeModel::Small,
      optimize ? llvm::CodeGenOptLevel::Default : llvm::CodeGenOptLevel::None));
  TN_CHECK(machine != nullptr);
  return machine;
}

std::string VerifyModule(const llvm::Module& module) {
  std::string complaint;
  llvm::raw_string_ostream stream(complaint);
  bool broken_debug_info = false;
  const bool broken = llvm::verifyModule(module, &stream, &broken_debug_info);
  if (!broken && !broken_debug_info) return "";
  return complaint.empty() ? "the module is broken" : complaint;
}

std::string PrintModule(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}

std::string EmitObject(llvm::Module& module, llvm::TargetMachine& machine, bool optimize,
                       const std::string& path) {
  std::unique_ptr<llvm::TargetMachine> simple;
  if (optimize) {
    optimize = !HasTooManyDefinitions(module);
    SpareLongLists(module);
    if (!optimize || SpareHugeFunctions(module)) simple = MakeTargetMachine(/*optimize=*/false);
  }
  llvm::TargetMachine& emitter = simple != nullptr ? *simple : machine;
  Optimize(module, machine, optimize);
  if (!optimize || simple != nullptr) CutLongBlocks(module);
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager passes;
  KeepBranchesWithinLines(optimize && simple == nullptr);
  KeepCalls(module);
  TN_CHECK(
      !emitter.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile));
  passes.run(module);

  // Under another name until it is whole.
  const std::string temporary = path + ".new" + std::to_string(getpid());
  const int fd = open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return Problem(temporary, errno);
  int error = WriteAll(fd, llvm::StringRef(object.data(), object.size()));
  if (error == 0 && rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0) return "";
  unlink(temporary.c_str());
  return Problem(path, error);
}

}  // namespace tenure::compiler
