#include "compiler/driver/generator.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "compiler/driver/linker.h"
#include "compiler/driver/parallel.h"
#include "compiler/emit/emit.h"

namespace tenure::compiler {

Generator::Generator(const Program& program, const Options& options,
                     const Installation& installation)
    : program_(program),
      options_(options),
      installation_(installation),
      layout_(MakeProgramLayout(program)),
      machine_(MakeTargetMachine(options.optimize)) {
  lower_options_.checks = options.checks;
  lower_options_.debug = options.debug;
  lower_options_.optimize = options.optimize;
  lower_options_.coverage = options.coverage;
  lower_options_.barriers = options.barriers;
}

std::unique_ptr<llvm::Module> Generator::Lower(const CheckedUnit* unit,
                                               llvm::LLVMContext& context) {
  if (unit == nullptr) return LowerProgram(program_, *layout_, lower_options_, context, *machine_);
  LowerOptions options = lower_options_;
  if (counts_ && !counts_(unit->file)) options.coverage = false;
  return LowerUnit(program_, *layout_, *unit, options, context, *machine_);
}

Problem Generator::Generate(const CheckedUnit* unit, const std::string& path) {
  if (unit != nullptr && unit->procedures.size() > kMostDefinitions) {
    return GenerateInParts(unit, path);
  }
  return Emit(unit, path, *machine_);
}

Problem Generator::Emit(const CheckedUnit* unit, const std::string& path,
                        llvm::TargetMachine& machine) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = Lower(unit, context);
  if (const std::string complaint = VerifyModule(*module); !complaint.empty()) {
    std::fprintf(stderr, "tenure: internal error: bad code for %s:\n%s\n",
                 unit == nullptr ? "the program's tables" : unit->name.c_str(), complaint.c_str());
    std::exit(kExitInternal);
  }
  return Problem(EmitObject(*module, machine, lower_options_.optimize, path));
}

Problem Generator::GenerateInParts(const CheckedUnit* unit, const std::string& path) {
  const std::unique_ptr<llvm::TargetMachine> machine = MakeTargetMachine(/*optimize=*/false);
  const LowerOptions of_others = lower_options_;
  lower_options_.optimize = false;
  const int processes = ProcessesFor(options_);
  constexpr int kMostParts = 16;
  lower_options_.parts = static_cast<size_t>(std::clamp(processes, 1, kMostParts));
  std::vector<std::string> parts;
  for (size_t i = 0; i < lower_options_.parts; ++i) {
    parts.push_back(path + ".part" + std::to_string(i) + "." + std::to_string(getpid()));
  }
  Problem problem = ForEachInParallel(parts.size(), processes, [&](size_t i) {
    lower_options_.part = i;
    return Emit(unit, parts[i], *machine);
  });
  lower_options_ = of_others;
  if (problem.ok()) return LinkParts(parts, installation_, path);
  for (const std::string& part : parts) unlink(part.c_str());
  return problem;
}

}  // namespace tenure::compiler
