#include "compiler/driver/compile.h"

#include <fcntl.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <set>
#include <system_error>
#include <vector>

#include "abi/fingerprint.h"
#include "base/arena.h"
#include "base/machine_limits.h"
#include "compiler/ast/print.h"
#include "compiler/check/check.h"
#include "compiler/driver/build_record.h"
#include "compiler/driver/c_names.h"
#include "compiler/driver/link.h"
#include "compiler/driver/object_cache.h"
#include "compiler/driver/parallel.h"
#include "compiler/emit/emit.h"
#include "compiler/lower/lower.h"
#include "compiler/package/installation.h"
#include "compiler/package/package_source.h"
#include "compiler/package/tool_program.h"
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
  Arena arena;
  Interner interner;
  for (const SourceFile* file : package.PackageUnits()) {
    if (const ast::Unit* unit = Parse(*file, arena, interner, diagnostics)) {
      std::fputs(ast::Print(*unit).c_str(), stdout);
    }
  }
  if (!package.problem().empty()) return EnvironmentProblem(package.problem());
  diagnostics.Print(stderr, options.format);
  return diagnostics.has_errors() ? kExitProblems : kExitOk;
}

// Where the program goes; empty with a `problem`. Asked before compiling, so that nobody waits for
// the answer.
std::string OutputPath(const std::string& output, const PackageSource& package,
                       std::string* problem) {
  std::error_code error;
  if (output.empty()) {
    const std::string directory = StateDirectory(package.directory()) + "/bin";
    fs::create_directories(directory, error);
    if (error) *problem = "cannot make the directory '" + directory + "': " + error.message();
    return error ? "" : directory + "/" + package.name();
  }
  fs::path directory = fs::path(output).parent_path();
  if (directory.empty()) directory = ".";
  int failure = 0;
  if (fs::is_directory(output, error)) {
    failure = EISDIR;
  } else if (!fs::is_directory(directory, error)) {
    failure = fs::exists(directory, error) ? ENOTDIR : ENOENT;
  } else if (access(directory.c_str(), W_OK) != 0) {
    failure = errno;
  }
  if (failure == 0) return output;
  *problem = "cannot write '" + output + "': " + std::strerror(failure);
  return "";
}

// Why the program is not to take the place of the file `output`; empty if it may.
std::string MustStay(const std::string& output, const PackageSource& package) {
  std::error_code error;
  const fs::file_status status = fs::status(output, error);
  if (output.empty() || !fs::exists(status) || fs::is_directory(status)) return "";
  if (!fs::is_regular_file(status)) {
    return "the output '" + output + "' is there already, and no regular file";
  }
  const auto is_output = [&](const std::string& path) {
    std::error_code ignored;
    return fs::equivalent(path, output, ignored);
  };
  bool is_input = std::ranges::any_of(package.FilesRead(), is_output);
  for (const auto& part : package.packages()) {
    for (const auto* files : {&part->units, &part->c_sources, &part->link_arguments}) {
      is_input |= std::ranges::any_of(*files, is_output);
    }
  }
  // A build file may ask about the program of the last build, which can be executed.
  const bool is_program = (status.permissions() & fs::perms::owner_exec) != fs::perms::none;
  is_input |= !is_program && std::ranges::any_of(package.build_file_inputs().paths, is_output);
  return is_input ? "the output '" + output + "' is a file that the program is made from" : "";
}

// Two builds of one program in one place take turns, until the returned descriptor is closed: the
// second finds the first one's objects, and neither removes what the other is about to link. -1
// where locking is impossible.
int LockObjects(const std::string& directory) {
  const int lock = open((directory + "/LOCK").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock < 0) return -1;
  while (flock(lock, LOCK_EX) != 0) {
    if (errno == EINTR) continue;
    close(lock);
    return -1;
  }
  return lock;
}

// One unit, or with a null unit the tables of the whole program, to an object file.
class Generator {
 public:
  Generator(const Program& program, const Options& options, const Installation& installation)
      : program_(program),
        options_(options),
        installation_(installation),
        layout_(MakeProgramLayout(program)),
        machine_(MakeTargetMachine(options.optimize)) {
    lower_options_.checks = options.checks;
    lower_options_.debug = options.debug;
    lower_options_.optimize = options.optimize;
  }

  std::unique_ptr<llvm::Module> Lower(const CheckedUnit* unit, llvm::LLVMContext& context) {
    return unit == nullptr
               ? LowerProgram(program_, *layout_, lower_options_, context, *machine_)
               : LowerUnit(program_, *layout_, *unit, lower_options_, context, *machine_);
  }

  const ProgramLayout& layout() const { return *layout_; }

  // Empty, or the problem with the file. A module that does not verify is our bug, and stops the
  // compiler.
  std::string Generate(const CheckedUnit* unit, const std::string& path) {
    if (unit != nullptr && unit->procedures.size() > kMostDefinitions) {
      return GenerateInParts(unit, path);
    }
    return Emit(unit, path, *machine_);
  }

 private:
  std::string Emit(const CheckedUnit* unit, const std::string& path, llvm::TargetMachine& machine) {
    llvm::LLVMContext context;
    std::unique_ptr<llvm::Module> module = Lower(unit, context);
    if (const std::string complaint = VerifyModule(*module); !complaint.empty()) {
      std::fprintf(stderr, "tenure: internal error: bad code for %s:\n%s\n",
                   unit == nullptr ? "the program's tables" : unit->name.c_str(),
                   complaint.c_str());
      std::exit(kExitInternal);
    }
    return EmitObject(*module, machine, lower_options_.optimize, path);
  }

  // A tool has written it; all processors share the work.
  std::string GenerateInParts(const CheckedUnit* unit, const std::string& path) {
    const std::unique_ptr<llvm::TargetMachine> machine = MakeTargetMachine(/*optimize=*/false);
    const LowerOptions of_others = lower_options_;
    lower_options_.optimize = false;
    const int processes =
        options_.processes == 0 ? static_cast<int>(ProcessorCount()) : options_.processes;
    lower_options_.parts = static_cast<size_t>(std::clamp(processes, 1, 16));
    std::vector<std::string> parts;
    for (size_t i = 0; i < lower_options_.parts; ++i) {
      parts.push_back(path + ".part" + std::to_string(i) + "." + std::to_string(getpid()));
    }
    std::string problem = ForEachInParallel(parts.size(), processes, [&](size_t i) {
      lower_options_.part = i;
      return Emit(unit, parts[i], *machine);
    });
    lower_options_ = of_others;
    if (problem.empty()) return LinkParts(parts, installation_, path);
    for (const std::string& part : parts) unlink(part.c_str());
    return problem;
  }

  const Program& program_;
  const Options& options_;
  const Installation& installation_;
  LowerOptions lower_options_;
  std::unique_ptr<ProgramLayout, void (*)(ProgramLayout*)> layout_;
  std::unique_ptr<llvm::TargetMachine> machine_;
};

int DumpLlvm(const Program& program, PackageSource& package, const Options& options,
             const Installation& installation) {
  for (const Type* type : program.types.all()) {
    const auto* opaque = As<OpaqueType>(type);
    if (opaque == nullptr || opaque->concrete != nullptr) continue;
    std::fprintf(stderr, "tenure: a library leaves %s to be revealed, so there is no code yet\n",
                 opaque->name.c_str());
    return kExitProblems;
  }
  Generator generator(program, options, installation);
  for (const CheckedUnit* unit : program.units) {
    if (package.IsLibraryFile(unit->file)) continue;
    llvm::LLVMContext context;
    std::fputs(PrintModule(*generator.Lower(unit, context)).c_str(), stdout);
  }
  return kExitOk;
}

// Compiles what is not in the cache; appends the object files in the order of the link.
// Adds the names of those in the package's directory to `kept`.
std::string GenerateObjects(const Program& program, const Installation& installation,
                            const Options& options, const std::string& private_objects,
                            bool is_library, std::vector<std::string>* objects,
                            std::set<std::string>* kept) {
  abi::FingerprintHasher options_key;
  options_key.Add(uint64_t{options.optimize});
  options_key.Add(uint64_t{options.checks});
  options_key.Add(uint64_t{options.debug});
  Generator generator(program, options, installation);
  ObjectCache cache(program, generator.layout(), options.optimize, options_key.Finish(),
                    private_objects, installation.object_cache);
  struct Missing {
    const CheckedUnit* unit;
    std::string path;
  };
  std::vector<Missing> missing;
  std::set<std::string> told;  // an interface and its module are one line
  const auto need = [&](const CheckedUnit* unit, const std::string& path) {
    objects->push_back(path);
    if (ObjectCache::HasWhole(path)) return;
    const std::string& name = unit == nullptr ? program.name : unit->name;
    if (options.verbose && told.insert(name).second) {
      std::fprintf(stderr, "compile %s\n", name.c_str());
    }
    missing.push_back({unit, path});
  };
  for (const CheckedUnit* unit : program.units) {
    // A library may leave types to be revealed by the programs that use it.
    if (!is_library || cache.KnowsLayouts(*unit)) need(unit, cache.PathFor(*unit));
  }
  if (!is_library) need(nullptr, cache.PathForProgram());
  const std::string problem = ForEachInParallel(
      missing.size(),
      options.processes == 0 ? static_cast<int>(ProcessorCount()) : options.processes,
      [&](size_t i) { return generator.Generate(missing[i].unit, missing[i].path); });
  kept->insert(cache.used().begin(), cache.used().end());
  return problem;
}

// Compiles what is not in the cache, and links unless `output` is empty: the package is a library.
std::string MakeProgram(const Program& program, PackageSource& package,
                        const Installation& installation, const Options& options,
                        const std::string& private_objects, const std::string& output,
                        std::set<std::string>* objects_used,
                        std::set<std::string>* foreign_inputs) {
  LinkInputs inputs;
  inputs.boehm = options.boehm;
  std::string problem = GenerateObjects(program, installation, options, private_objects,
                                        output.empty(), &inputs.objects, objects_used);
  if (output.empty()) return problem;
  bool has_foreign_code = false;
  for (const auto& part : package.packages()) {
    if (!problem.empty()) return problem;
    problem = CompileForeign(*part, installation, private_objects + "/foreign", options.verbose,
                             &inputs.objects, foreign_inputs);
    inputs.arguments.insert(inputs.arguments.end(), part->link_arguments.begin(),
                            part->link_arguments.end());
    has_foreign_code |= !part->c_sources.empty() || !part->link_arguments.empty();
  }
  if (problem.empty() && has_foreign_code) {
    const std::string names = private_objects + "/" + program.name + ".names.ld";
    problem = WriteCNames(program, names);
    inputs.arguments.push_back(names);
  }
  return problem.empty() ? Link(inputs, installation, output, options.verbose) : problem;
}

// What decides whether a package is as it was when its program was made. False if that cannot be
// told.
bool RecordInputs(const PackageSource& package, const Options& options,
                  const Installation& installation, const std::set<std::string>& foreign_inputs,
                  BuildRecord* record) {
  const BuildFileInputs of_build_files = package.build_file_inputs();
  if (!of_build_files.complete) return false;
  for (const std::string& path : of_build_files.paths) record->AddInput(path);
  for (const auto& [name, value] : of_build_files.environment) record->AddEnvironment(name);
  for (const auto& part : package.packages()) {
    for (const std::string& argument : part->link_arguments) {
      // Which file the linker finds is its own business.
      if (argument[0] == '-') return false;
      record->AddInput(argument);
    }
    if (!part->has_build_file) {
      record->AddInput(part->directory);
      record->AddInput(part->directory + "/src");
    }
  }
  for (const std::string& file : foreign_inputs) {
    std::error_code error;
    if (!fs::exists(file, error)) return false;  // gcc wrote its name in a way of its own
    record->AddInput(file);
  }
  for (const std::string& file : package.FilesRead()) record->AddInput(file);
  record->AddInput(installation.runtime_archive);
  if (options.boehm) record->AddInput(installation.boehm_archive);
  std::error_code ignored;
  if (fs::is_directory(options.directory, ignored)) {
    record->AddInput(options.directory);
    record->AddInput(options.directory + "/src");
  }
  record->AddInput(installation.library_directory);
  for (fs::recursive_directory_iterator it(installation.library_directory, ignored), end;
       !ignored && it != end; it.increment(ignored)) {
    if (it->is_directory()) record->AddInput(it->path().string());
  }
  return true;
}

}  // namespace

int Build(const Options& options, std::string* program_path) {
  BuildRecord record(options);
  *program_path = record.UpToDateProgram();
  if (!program_path->empty()) return kExitOk;
  Installation installation;
  if (std::string problem = FindInstallation(&installation); !problem.empty())
    return EnvironmentProblem(problem);
  PackageSource package;
  Diagnostics diagnostics;
  diagnostics.set_max_errors(options.max_errors);
  for (const std::string& code : options.disabled_warnings) diagnostics.DisableWarning(code);
  diagnostics.set_color(options.color);
  diagnostics.set_no_warnings(options.no_warnings);
  diagnostics.set_warnings_are_errors(options.warnings_are_errors);
  std::string problem =
      package.Open(options.directory, installation.library_directory, diagnostics);
  if (problem.empty() && !options.test_module.empty()) {
    problem = package.UseTest(options.test_module);
  }
  if (!problem.empty()) return EnvironmentProblem(problem);
  if (diagnostics.has_errors()) {
    diagnostics.Print(stderr, options.format);
    return kExitProblems;
  }
  if (options.dump == Dump::kAst) return DumpAst(package, options, diagnostics);

  // Never freed, piece by piece: the process is about to end.
  static auto& kept = *new std::deque<std::vector<std::unique_ptr<Program>>>;
  std::vector<std::unique_ptr<Program>>& programs = kept.emplace_back();
  for (size_t i = 0; i < package.program_count(); ++i) {
    package.UseProgram(i);
    CheckOptions check;
    check.program_name = package.name();
    check.units = package.PackageUnits();
    check.needs_main = package.makes_program();
    programs.push_back(CheckProgram(package, check, diagnostics));
    package.ReportImports(diagnostics);
    if (programs.back() == nullptr) continue;
    for (CheckedUnit* unit : programs.back()->units)
      unit->is_standard = package.IsStandardFile(unit->file);
  }
  // First, because errors in what could not be read would be beside the point.
  if (!package.problem().empty()) return EnvironmentProblem(package.problem());
  diagnostics.Print(stderr, options.format);
  const auto is_missing = [](const auto& program) { return program == nullptr; };
  if (diagnostics.has_errors() || std::ranges::any_of(programs, is_missing)) return kExitProblems;
  // Below this line the source cannot be at fault.

  const size_t main_program = package.MainProgram(options.output);
  if (options.dump == Dump::kLlvm)
    return DumpLlvm(*programs[main_program], package, options, installation);
  if (const std::string reason = MustStay(options.output, package); !reason.empty()) {
    std::fprintf(stderr, "tenure: %s\n", reason.c_str());
    return kExitUsage;
  }

  std::vector<std::string> outputs;
  for (size_t i = 0; i < programs.size(); ++i) {
    package.UseProgram(i);
    const std::string given = i == main_program ? options.output : std::string();
    outputs.push_back(package.makes_program() ? OutputPath(given, package, &problem) : "");
    if (!problem.empty()) return EnvironmentProblem(problem);
  }

  const std::string private_objects =
      StateDirectory(package.directory()) + "/objects/" + package.objects_name();
  std::error_code error;
  fs::create_directories(private_objects, error);
  if (error)
    return EnvironmentProblem("cannot make the directory '" + private_objects +
                              "': " + error.message());
  const int lock = LockObjects(private_objects);
  std::set<std::string> objects_used, foreign_inputs;
  for (size_t i = 0; i < programs.size() && problem.empty(); ++i) {
    package.UseProgram(i);
    problem = MakeProgram(*programs[i], package, installation, options, private_objects, outputs[i],
                          &objects_used, &foreign_inputs);
  }
  if (problem.empty()) ObjectCache::RemoveUnused(private_objects, objects_used);
  if (lock >= 0) close(lock);
  if (!problem.empty()) return EnvironmentProblem(problem);
  *program_path = outputs[main_program];
  // Warnings are to be seen again in the next build.
  if (diagnostics.Sorted().empty() && !program_path->empty() &&
      RecordInputs(package, options, installation, foreign_inputs, &record)) {
    for (const std::string& output : outputs) {
      if (output != *program_path) record.AddOutput(output);
    }
    record.Write(*program_path);
  }
  return kExitOk;
}

}  // namespace tenure::compiler
