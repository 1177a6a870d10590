#include "compiler/driver/build_job.h"

#include <fcntl.h>
#include <llvm/IR/LLVMContext.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <system_error>
#include <utility>

#include "abi/fingerprint.h"
#include "base/arena.h"
#include "compiler/ast/print.h"
#include "compiler/dependencies/git_repository.h"
#include "compiler/diagnostics/print.h"
#include "compiler/driver/c_names.h"
#include "compiler/driver/generator.h"
#include "compiler/driver/object_cache.h"
#include "compiler/driver/output_path.h"
#include "compiler/driver/parallel.h"
#include "compiler/driver/user_cache.h"
#include "compiler/emit/emit.h"
#include "compiler/package/tool_program.h"
#include "compiler/parse/parser.h"
#include "compiler/source/interner.h"

namespace tenure::compiler {

namespace fs = std::filesystem;

namespace {

constexpr int kMostWarnings = 100;  // for people; --help says so, too

// Programs are never freed, because that would take long and the process is about to end.
std::vector<std::unique_ptr<Program>>& NewPrograms() {
  static auto& kept = *new std::deque<std::vector<std::unique_ptr<Program>>>;
  return kept.emplace_back();
}

// Two builds of one program in one place take turns, until the returned descriptor is closed: the
// second finds the first one's objects, and neither removes what the other is about to link. -1
// where locking is impossible.
int LockDirectory(const std::string& directory) {
  const int lock = open((directory + "/LOCK").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock < 0) return -1;
  while (flock(lock, LOCK_EX) != 0) {
    if (errno == EINTR) continue;
    close(lock);
    return -1;
  }
  return lock;
}

}  // namespace

BuildJob::BuildJob(const Options& options)
    : options_(options), record_(options), manifests_(MakeResolver()), programs_(NewPrograms()) {
  if (options.locked) manifests_.KeepLock();
  if (options.offline) GitRepository::StayOffline();
  diagnostics_.set_max_errors(options.max_errors);
  for (const std::string& code : options.disabled_warnings) diagnostics_.DisableWarning(code);
  diagnostics_.set_no_warnings(options.no_warnings);
  diagnostics_.set_warnings_are_errors(options.warnings_are_errors);
}

BuildJob::~BuildJob() {
  if (lock_ >= 0) close(lock_);
}

// --- The source ---

int BuildJob::OpenPackage() {
  Problem problem = FindInstallation(&installation_);
  if (problem.ok()) {
    package_.set_library_name(installation_.library_name);
    package_.set_manifest_finder([this](const std::string& directory, ManifestFacts* facts) {
      return manifests_.Find(directory, facts);
    });
    problem = package_.Open(options_.directory, installation_.library_directory, diagnostics_);
  }
  if (problem.ok() && !options_.test_module.empty()) {
    problem = package_.UseTest(options_.test_module);
  }
  if (problem.ok() && !options_.test_directory.empty()) {
    const bool none = options_.test_directory == "-";
    problem = package_.UseTests(none ? std::string() : options_.test_directory);
  }
  if (!problem.ok()) return problem.Print();
  if (!diagnostics_.has_errors()) return kExitOk;
  PrintMessages();
  return kExitProblems;
}

void BuildJob::PrintMessages() const {
  PrintForm form{.format = options_.format, .color = options_.color};
  // Programs that read the messages get all of them, unless they ask for fewer.
  if (options_.format == DiagnosticFormat::kText) form.max_warnings = kMostWarnings;
  if (options_.max_warnings != 0) form.max_warnings = options_.max_warnings;
  PrintDiagnostics(stderr, diagnostics_, form);
}

// Printed once, and only for people: programs that read the messages expect nothing else.
void BuildJob::MentionExplain() const {
  if (options_.format != DiagnosticFormat::kText || isatty(STDERR_FILENO) == 0) return;
  for (const Diagnostic* diagnostic : diagnostics_.Sorted()) {
    if (diagnostic->severity != Severity::kError || diagnostic->rule.empty()) continue;
    std::fprintf(stderr, "tenure: 'tenure explain %s' shows the rule and an example\n",
                 GetMessageInfo(diagnostic->id).code);
    return;
  }
}

int BuildJob::DumpTrees() {
  Arena arena;
  Interner interner;
  for (const SourceFile* file : package_.PackageUnits()) {
    if (const ast::Unit* unit = Parse(*file, arena, interner, diagnostics_)) {
      std::fputs(ast::Print(*unit).c_str(), stdout);
    }
  }
  if (!package_.problem().ok()) return package_.problem().Print();
  PrintMessages();
  MentionExplain();
  return diagnostics_.has_errors() ? kExitProblems : kExitOk;
}

Problem BuildJob::CheckSilently() {
  for (size_t i = 0; i < package_.program_count(); ++i) {
    package_.UseProgram(i);
    CheckOptions check;
    check.program_name = package_.name();
    check.units = package_.PackageUnits();
    AddUnitsThatCNames(check.units);
    check.needs_main = package_.makes_program() &&
                       (!may_be_library_ || package_.has_build_file() || package_.HasMain());
    programs_.push_back(CheckProgram(package_, check, diagnostics_));
    package_.ReportImports(diagnostics_);
    if (programs_.back() == nullptr) continue;
    for (CheckedUnit* unit : programs_.back()->units)
      unit->is_standard = package_.IsStandardFile(unit->file);
  }
  return package_.problem();
}

int BuildJob::Check() {
  // First, because errors in what could not be read would be beside the point.
  if (const Problem problem = CheckSilently(); !problem.ok()) return problem.Print();
  PrintMessages();
  const auto is_missing = [](const auto& program) { return program == nullptr; };
  if (diagnostics_.has_errors() || std::ranges::any_of(programs_, is_missing)) {
    return kExitProblems;
  }
  main_program_ = package_.MainProgram(options_.output);
  return kExitOk;
}

// Interfaces of the library whose procedures a source in C calls are part of the program, imported
// or not. A source that cannot be read is reported when it is compiled.
void BuildJob::AddUnitsThatCNames(std::vector<const SourceFile*>& units) {
  for (const auto& part : package_.packages()) {
    for (const std::string& source : part->c_sources) {
      std::string text;
      if (ReadWholeFile(source, text) != 0) continue;
      for (const std::string& name : InterfacesNamedInC(text)) {
        const SourceFile* file = package_.Interface(name, /*importer=*/nullptr);
        if (file != nullptr && std::ranges::find(units, file) == units.end()) units.push_back(file);
      }
    }
  }
}

int BuildJob::DumpModules() {
  const Program& program = *programs_[main_program_];
  for (const Type* type : program.types.all()) {
    const auto* opaque = As<OpaqueType>(type);
    if (opaque == nullptr || opaque->concrete != nullptr) continue;
    std::fprintf(stderr, "tenure: a library leaves %s to be revealed, so there is no code yet\n",
                 opaque->name.c_str());
    return kExitProblems;
  }
  Generator generator(program, options_, installation_);
  for (const CheckedUnit* unit : program.units) {
    if (package_.IsLibraryFile(unit->file)) continue;
    llvm::LLVMContext context;
    std::fputs(PrintModule(*generator.Lower(unit, context)).c_str(), stdout);
  }
  return kExitOk;
}

// --- Where files go ---

int BuildJob::ChooseOutputs() {
  if (const Problem problem = CheckMayReplace(options_.output, package_); !problem.ok()) {
    return problem.Print(kExitUsage);
  }
  for (size_t i = 0; i < programs_.size(); ++i) {
    package_.UseProgram(i);
    if (!package_.makes_program()) {
      outputs_.emplace_back();
      continue;
    }
    OrProblem<std::string> output =
        OutputPath(i == main_program_ ? options_.output : std::string(), package_);
    if (!output.ok()) return output.problem().Print();
    outputs_.push_back(*std::move(output));
  }
  if (!options_.output.empty() && main_output().empty()) {
    return Problem("'" + options_.directory +
                   "' is a library: -o says where a program goes, and a library's code becomes "
                   "part of the programs that import it")
        .Print(kExitUsage);
  }
  return kExitOk;
}

int BuildJob::LockObjects() {
  objects_directory_ = StateDirectory(package_.directory()) + "/objects/" + package_.objects_name();
  std::error_code error;
  fs::create_directories(objects_directory_, error);
  if (error) {
    return Problem("cannot make the directory '" + objects_directory_ + "': " + error.message())
        .Print();
  }
  lock_ = LockDirectory(objects_directory_);
  return kExitOk;
}

// --- One program ---

void BuildJob::UseProgram(size_t index) {
  package_.UseProgram(index);
  current_ = index;
  link_inputs_ = LinkInputs();
  link_inputs_.boehm = options_.boehm;
  link_inputs_.faults = options_.faults;
  link_inputs_.is_static = options_.linked_static;
}

int BuildJob::Lower() {
  const Problem problem = GenerateObjects();
  return problem.ok() ? kExitOk : problem.Print();
}

Problem BuildJob::GenerateObjects() {
  const Program& program = *programs_[current_];
  abi::FingerprintHasher options_key;
  options_key.Add(uint64_t{options_.optimize});
  options_key.Add(uint64_t{options_.checks});
  options_key.Add(uint64_t{options_.debug});
  options_key.Add(static_cast<uint64_t>(options_.barriers));
  Generator generator(program, options_, installation_);
  generator.CountOnly([this](const SourceFile* file) { return !package_.IsLibraryFile(file); });
  ObjectCache cache(program, generator.layout(), options_.optimize, options_key.Finish(),
                    objects_directory_, installation_.new_objects,
                    installation_.object_cache != installation_.new_objects
                        ? installation_.object_cache
                        : std::string());
  abi::FingerprintHasher package_key;
  package_key.Add(uint64_t{options_.coverage});
  // Debuggers find sources from any directory: names that are not absolute get the current one.
  std::error_code ignored;
  if (options_.debug) package_key.Add(fs::current_path(ignored).string());
  cache.set_package_key(package_key.Finish());
  struct Missing {
    const CheckedUnit* unit;
    std::string path;
  };
  std::vector<Missing> missing;
  std::set<std::string> told;  // an interface and its module are one line
  const auto need = [&](const CheckedUnit* unit, const std::string& path) {
    link_inputs_.objects.push_back(path);
    if (ObjectCache::HasWhole(path)) return;
    const std::string& name = unit == nullptr ? program.name : unit->name;
    if (options_.verbose && told.insert(name).second) {
      std::fprintf(stderr, "compile %s\n", name.c_str());
    }
    missing.push_back({unit, path});
  };
  for (const CheckedUnit* unit : program.units) {
    link_inputs_.libraries.insert(link_inputs_.libraries.end(), unit->libraries.begin(),
                                  unit->libraries.end());
    // A library may leave types to be revealed by the programs that use it.
    if (!is_library() || cache.KnowsLayouts(*unit)) need(unit, cache.PathFor(*unit));
  }
  if (!is_library()) need(nullptr, cache.PathForProgram());
  Problem problem = ForEachInParallel(missing.size(), ProcessesFor(options_), [&](size_t i) {
    return generator.Generate(missing[i].unit, missing[i].path);
  });
  objects_used_.insert(cache.used().begin(), cache.used().end());
  wrote_objects_ |= !missing.empty();
  return problem;
}

int BuildJob::CompileForeignSources() {
  if (is_library()) return kExitOk;
  bool has_foreign_code = false;
  for (const auto& part : package_.packages()) {
    const ForeignInputs inputs = {*part, installation_, objects_directory_ + "/foreign",
                                  options_.verbose};
    const Problem problem = CompileForeign(inputs, &link_inputs_.objects, &foreign_inputs_);
    if (!problem.ok()) return problem.Print();
    link_inputs_.arguments.insert(link_inputs_.arguments.end(), part->link_arguments.begin(),
                                  part->link_arguments.end());
    has_foreign_code |= !part->c_sources.empty() || !part->link_arguments.empty();
  }
  if (!has_foreign_code) return kExitOk;
  const Program& program = *programs_[current_];
  const std::string names = objects_directory_ + "/" + program.name + ".names.ld";
  if (const Problem problem = WriteCNames(program, names); !problem.ok()) return problem.Print();
  link_inputs_.arguments.push_back(names);
  return kExitOk;
}

int BuildJob::Link() {
  if (is_library()) return kExitOk;
  const Problem problem =
      LinkProgram(link_inputs_, installation_, outputs_[current_], options_.verbose);
  return problem.ok() ? kExitOk : problem.Print();
}

// --- The record ---

void BuildJob::Record() {
  ObjectCache::RemoveUnused(objects_directory_, objects_used_);
  if (wrote_objects_ &&
      (installation_.new_objects != installation_.object_cache || manifests_.used_repositories())) {
    TrimUserCache(UserCacheDirectory(), UserCacheLimit());
  }
  if (lock_ >= 0) close(std::exchange(lock_, -1));
  // A build with warnings is not recorded, so that the next build shows them again.
  if (!diagnostics_.Sorted().empty() || main_output().empty() || !AddInputsToRecord()) return;
  for (const std::string& output : outputs_) {
    if (output != main_output()) record_.AddOutput(output);
  }
  record_.Write(main_output());
}

// Adds to the record all files that decide whether the programs are up to date. False if these are
// unknown.
bool BuildJob::AddInputsToRecord() {
  const BuildFileInputs of_build_files = package_.build_file_inputs();
  if (!of_build_files.complete) return false;
  for (const std::string& path : of_build_files.paths) record_.AddInput(path);
  for (const auto& [name, value] : of_build_files.environment) record_.AddEnvironment(name);
  for (const auto& part : package_.packages()) {
    for (const std::string& argument : part->link_arguments) {
      // Which file the linker finds is its own business.
      if (argument[0] == '-') return false;
      record_.AddInput(argument);
    }
    if (!part->has_build_file) {
      record_.AddInput(part->directory);
      record_.AddInput(part->directory + "/src");
    }
  }
  for (const std::string& file : foreign_inputs_) {
    std::error_code error;
    if (!fs::exists(file, error)) return false;  // gcc wrote its name in a way of its own
    record_.AddInput(file);
  }
  for (const std::string& file : package_.FilesRead()) record_.AddInput(file);
  record_.AddInput(installation_.runtime_archive);
  if (options_.boehm) record_.AddInput(installation_.boehm_archive);
  if (options_.faults) record_.AddInput(installation_.faults_archive);
  std::error_code ignored;
  for (const std::string& tests :
       {options_.test_directory, fs::path(options_.test_module).parent_path().string()}) {
    if (fs::is_directory(tests, ignored)) record_.AddInput(tests);
  }
  if (fs::is_directory(options_.directory, ignored)) {
    record_.AddInput(options_.directory);
    record_.AddInput(options_.directory + "/src");
  }
  record_.AddInput(installation_.library_directory);
  for (fs::recursive_directory_iterator it(installation_.library_directory, ignored), end;
       !ignored && it != end; it.increment(ignored)) {
    if (it->is_directory()) record_.AddInput(it->path().string());
  }
  return true;
}

}  // namespace tenure::compiler
