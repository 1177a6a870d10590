#include "compiler/driver/compile.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

#include "abi/fingerprint.h"
#include "compiler/ast/arena.h"
#include "compiler/ast/print.h"
#include "compiler/check/check.h"
#include "compiler/driver/link.h"
#include "compiler/driver/object_cache.h"
#include "compiler/driver/package.h"
#include "compiler/emit/emit.h"
#include "compiler/lower/lower.h"
#include "compiler/parse/parser.h"
#include "compiler/source/interner.h"

namespace tenure::compiler {

namespace fs = std::filesystem;

namespace {

int EnvironmentProblem(const std::string& problem) {
  std::fprintf(stderr, "tenure: %s\n", problem.c_str());
  return kExitEnvironment;
}

int DumpAst(PackageSource& package, const Options& options, Diagnostics& diagnostics) {
  ast::Arena arena;
  Interner interner;
  for (const SourceFile* file : package.PackageUnits()) {
    if (const ast::Unit* unit = Parse(*file, arena, interner, diagnostics)) {
      std::fputs(ast::Print(*unit).c_str(), stdout);
    }
  }
  diagnostics.Print(stderr, options.format);
  return diagnostics.has_errors() ? kExitSource : kExitOk;
}

// One unit, or with a null unit the tables of the whole program, to an object file.
class Generator {
 public:
  Generator(const Program& program, const Options& options)
      : program_(program), options_(options), layout_(MakeProgramLayout(program)),
        machine_(MakeTargetMachine(options.optimize)) {
    lower_options_.checks = options.checks;
    lower_options_.optimize = options.optimize;
  }

  std::unique_ptr<llvm::Module> Lower(const CheckedUnit* unit, llvm::LLVMContext& context) {
    return unit == nullptr ? LowerProgram(program_, *layout_, lower_options_, context, *machine_)
                           : LowerUnit(program_, *layout_, *unit, lower_options_, context, *machine_);
  }

  // Empty, or the problem with the file. A module that does not verify is our bug, and stops the compiler.
  std::string Generate(const CheckedUnit* unit, const std::string& path) {
    llvm::LLVMContext context;
    std::unique_ptr<llvm::Module> module = Lower(unit, context);
    if (const std::string complaint = VerifyModule(*module); !complaint.empty()) {
      std::fprintf(stderr, "tenure: internal error: bad code for %s:\n%s\n",
                   unit == nullptr ? "the program's tables" : unit->name.c_str(), complaint.c_str());
      std::exit(kExitInternal);
    }
    return EmitObject(*module, *machine_, options_.optimize, path);
  }

 private:
  const Program& program_;
  const Options& options_;
  LowerOptions lower_options_;
  std::unique_ptr<ProgramLayout, void (*)(ProgramLayout*)> layout_;
  std::unique_ptr<llvm::TargetMachine> machine_;
};

int DumpLlvm(const Program& program, PackageSource& package, const Options& options) {
  Generator generator(program, options);
  for (const CheckedUnit* unit : program.units) {
    if (package.IsLibraryFile(unit->file)) continue;
    llvm::LLVMContext context;
    std::fputs(PrintModule(*generator.Lower(unit, context)).c_str(), stdout);
  }
  return kExitOk;
}

// Compiles what is not in the cache; appends the object files in the order of the link.
std::string GenerateObjects(const Program& program, PackageSource& package, const Installation& installation,
                            const Options& options, std::vector<std::string>* objects) {
  abi::FingerprintHasher options_key;
  options_key.Add(uint64_t{options.optimize});
  options_key.Add(uint64_t{options.checks});
  const Fingerprints fingerprints(program.types);
  const std::string private_objects = package.directory() + "/.tenure/objects";
  ObjectCache cache(program, fingerprints, options_key.Finish(), private_objects, installation.object_cache);
  std::error_code error;
  if (!fs::is_directory(private_objects, error)) return "cannot make the directory '" + private_objects + "'";

  Generator generator(program, options);
  auto produce = [&](const CheckedUnit* unit, const std::string& path) -> std::string {
    objects->push_back(path);
    std::error_code ignored;
    if (fs::exists(path, ignored)) return "";
    if (options.verbose) {
      std::fprintf(stderr, "compile %s\n", unit == nullptr ? program.name.c_str() : unit->name.c_str());
    }
    return generator.Generate(unit, path);
  };
  for (const CheckedUnit* unit : program.units) {
    std::string problem = produce(unit, cache.PathFor(*unit, package.IsLibraryFile(unit->file)));
    if (!problem.empty()) return problem;
  }
  std::string problem = produce(nullptr, cache.PathForProgram());
  if (problem.empty()) cache.RemoveUnused();
  return problem;
}

}  // namespace

int Build(const Options& options, std::string* program_path) {
  Installation installation;
  if (std::string problem = FindInstallation(&installation); !problem.empty()) return EnvironmentProblem(problem);
  PackageSource package;
  if (std::string problem = package.Open(options.directory, installation.library_directory); !problem.empty()) {
    return EnvironmentProblem(problem);
  }

  Diagnostics diagnostics;
  diagnostics.set_no_warnings(options.no_warnings);
  diagnostics.set_warnings_are_errors(options.warnings_are_errors);
  if (options.dump == Dump::kAst) return DumpAst(package, options, diagnostics);

  CheckOptions check;
  check.program_name = package.name();
  check.units = package.PackageUnits();
  std::unique_ptr<Program> program = CheckProgram(package, check, diagnostics);
  diagnostics.Print(stderr, options.format);
  if (!package.problem().empty()) return EnvironmentProblem(package.problem());
  if (diagnostics.has_errors() || program == nullptr) return kExitSource;
  // Below this line the source cannot be at fault.

  if (options.dump == Dump::kLlvm) return DumpLlvm(*program, package, options);

  std::vector<std::string> objects;
  std::string problem = GenerateObjects(*program, package, installation, options, &objects);
  if (!problem.empty()) return EnvironmentProblem(problem);

  std::string output = options.output;
  if (output.empty()) {
    const std::string directory = package.directory() + "/.tenure/bin";
    std::error_code error;
    fs::create_directories(directory, error);
    if (error) return EnvironmentProblem("cannot make the directory '" + directory + "': " + error.message());
    output = directory + "/" + package.name();
  }
  problem = Link(objects, installation, output, options.verbose);
  if (!problem.empty()) return EnvironmentProblem(problem);
  *program_path = output;
  return kExitOk;
}

}  // namespace tenure::compiler
