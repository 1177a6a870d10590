// The command `tenure`.
#include <llvm/Support/ErrorHandling.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>
#include <string_view>
#include <vector>

#include "base/executable_path.h"
#include "base/inherited_signals.h"
#include "base/standard_descriptors.h"
#include "base/terminal_text.h"
#include "compiler/debug/debugger.h"
#include "compiler/doc/document.h"
#include "compiler/driver/clean_command.h"
#include "compiler/driver/compile.h"
#include "compiler/driver/dependency_commands.h"
#include "compiler/driver/explain.h"
#include "compiler/driver/fix_command.h"
#include "compiler/driver/format_command.h"
#include "compiler/driver/new_command.h"
#include "compiler/driver/options.h"
#include "compiler/driver/package_views.h"
#include "compiler/driver/test_command.h"
#include "compiler/driver/version.h"
#include "compiler/heap/snapshot_report.h"
#include "compiler/package/installation.h"
#include "compiler/source/problem.h"

namespace tenure::compiler {

namespace {

// Becomes the program, so that its status, signals and streams are its own.
int Execute(const std::string& program, const std::vector<std::string>& arguments) {
  // A name without a slash would not be looked up in the current directory.
  const std::string path = std::filesystem::absolute(program).string();
  std::vector<char*> argv = {const_cast<char*>(path.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  std::signal(SIGXFSZ, SIG_DFL);
  execv(path.c_str(), argv.data());
  std::fprintf(stderr, "tenure: cannot run '%s': %s\n", path.c_str(), std::strerror(errno));
  return kExitEnvironment;
}

// The requested text has been printed, unless standard output is full or closed.
int Printed(int status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  std::fprintf(stderr, "tenure: cannot write to standard output: %s\n", std::strerror(errno));
  return kExitEnvironment;
}

// `tenure db` and `tenure serve` are a program of its own, beside this one.
int ExecuteDatabaseTool(const std::vector<std::string>& arguments) {
  const std::filesystem::path self = ExecutablePath();
  std::string views;
  for (const std::string& file : ViewsOfPackages(".")) views += (views.empty() ? "" : ":") + file;
  // Read by dbtool/look/view_files.h.
  if (views.empty()) {
    unsetenv("TENURE_PACKAGE_VIEWS");
  } else {
    setenv("TENURE_PACKAGE_VIEWS", views.c_str(), 1);
  }
  return Execute((self.parent_path() / "tenure-db").string(), arguments);
}

int Document(const Options& options) {
  Installation installation;
  Problem problem = FindInstallation(&installation);
  const std::string output = options.output.empty() ? "doc" : options.output;
  if (problem.ok()) {
    // In a folder without sources the pages are those of the library alone.
    const bool is_default = options.directory == "." && !IsPackage(".");
    problem =
        Problem(WriteDocumentation(installation.library_directory,
                                   is_default ? "" : options.directory, output, {options.guide}));
  }
  return problem.ok() ? kExitOk : problem.Print();
}

int LookAfterPackage(const Options& options) {
  const PackageOptions& package = options.package;
  switch (options.package_command) {
    case PackageCommand::kNew: return NewPackage(package.name, package.library);
    case PackageCommand::kClean:
      return package.clean_cache ? CleanCache() : CleanPackage(options.directory);
    case PackageCommand::kAdd: return AddDependency(options);
    case PackageCommand::kRemove: return RemoveDependencies(options);
    case PackageCommand::kUpdate: return UpdateDependencies(options);
    case PackageCommand::kVendor: return VendorDependencies(options);
  }
  return kExitInternal;
}

// Whether the file is one that the system can execute, and no source.
bool IsProgram(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  char magic[4] = {};
  return file.read(magic, sizeof magic) && std::memcmp(magic, "\177ELF", sizeof magic) == 0;
}

[[noreturn]] void EndWithoutMemory() {
  constexpr std::string_view kProblem = "tenure: out of memory\n";
  (void)!write(STDERR_FILENO, kProblem.data(), kProblem.size());
  _exit(kExitEnvironment);
}

int Main(int argc, char** argv) {
  OpenStandardDescriptors(ClosedOutput::kFails);
  ResetInheritedSignals();
  std::set_new_handler(EndWithoutMemory);
  llvm::install_bad_alloc_error_handler([](void*, const char*, bool) { EndWithoutMemory(); });
  // A limit on the size of files is an error of the write, no signal.
  std::signal(SIGXFSZ, SIG_IGN);
  // Without PATH gcc does not find its own parts.
  setenv("PATH", "/usr/local/bin:/usr/bin:/bin", /*overwrite=*/0);
  // `tenure help COMMAND` is `tenure COMMAND --help`.
  static char help[] = "--help";
  if (argc >= 3 && std::strcmp(argv[1], "help") == 0) {
    argv[1] = argv[2];
    argv[2] = help;
  }
  if (argc >= 2 && std::strcmp(argv[1], "db") == 0) {
    return ExecuteDatabaseTool(std::vector<std::string>(argv + 2, argv + argc));
  }
  if (argc >= 2 && std::strcmp(argv[1], "serve") == 0) {
    return ExecuteDatabaseTool(std::vector<std::string>(argv + 1, argv + argc));
  }
  // A node is a program of its own, too: it alone is linked with PostgreSQL's library.
  if (argc >= 2 && std::strcmp(argv[1], "node") == 0) {
    const std::filesystem::path self = ExecutablePath();
    return Execute((self.parent_path() / "tenure-node").string(),
                   std::vector<std::string>(argv + 2, argv + argc));
  }
  OrProblem<Options> options = ParseOptions(argc, argv);
  if (!options.ok()) return options.problem().Print(kExitUsage);
  switch (options->command) {
    case Options::Command::kHelp:
      std::fputs(ForTerminal(STDOUT_FILENO, HelpText(options->help_topic)).c_str(), stdout);
      return Printed(kExitOk);
    case Options::Command::kVersion:
      std::puts(VersionText().c_str());
      if (const int status = Printed(kExitOk); status != kExitOk) return status;
      return ExecuteDatabaseTool({"--version"});
    case Options::Command::kCommandTable:
      std::puts(CommandTableText().c_str());
      return Printed(kExitOk);
    case Options::Command::kTest:
    case Options::Command::kBench: return Printed(RunTests(*options));
    case Options::Command::kExplain:
      return Printed(options->list_codes ? ListExplanations() : Explain(options->code));
    case Options::Command::kFix: return Printed(FixSources(*options));
    case Options::Command::kFormat: return Printed(FormatSources(*options));
    case Options::Command::kDoc: return Document(*options);
    case Options::Command::kHeap:
      return Printed(ReportHeap(options->snapshot, options->snapshot_type, options->snapshot_top));
    case Options::Command::kPackage: return Printed(LookAfterPackage(*options));
    case Options::Command::kCheck:
      if (options->database.empty()) return Printed(CheckSources(*options));
      break;
    case Options::Command::kBuild:
    case Options::Command::kDebug:
    case Options::Command::kRun: break;
  }
  std::string program;
  const bool debugs = options->command == Options::Command::kDebug;
  if (debugs && IsProgram(options->directory)) {
    return Problem(StartDebugger(options->directory, options->debugger_words,
                                 options->program_arguments))
        .Print();
  }
  const int status = Build(*options, &program);
  if (status == kExitOk && program.empty() && options->command != Options::Command::kBuild) {
    std::fprintf(stderr,
                 "tenure: the package makes no program: its build file has no program(...)\n");
    return kExitUsage;
  }
  if (status != kExitOk || program.empty() || options->command == Options::Command::kBuild) {
    return Printed(status);
  }
  if (options->command == Options::Command::kCheck) {
    // The program itself knows its types best; the tool asks it.
    return ExecuteDatabaseTool({"check", options->database, program});
  }
  if (debugs) {
    return Problem(StartDebugger(program, options->debugger_words, options->program_arguments))
        .Print();
  }
  return Execute(program, options->program_arguments);
}

}  // namespace

}  // namespace tenure::compiler

int main(int argc, char** argv) { return tenure::compiler::Main(argc, argv); }
