#include "compiler/driver/compile.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "compiler/driver/build_job.h"
#include "compiler/driver/temporary_directory.h"
#include "compiler/package/package.h"
#include "compiler/package/package_source.h"
#include "compiler/package/tool_program.h"
#include "compiler/source/problem.h"

namespace tenure::compiler {

namespace {

// Each program of the package: its objects, and the executable.
int MakePrograms(BuildJob& job) {
  for (size_t i = 0; i < job.program_count(); ++i) {
    job.UseProgram(i);
    if (const int status = job.Lower(); status != kExitOk) return status;
    if (const int status = job.CompileForeignSources(); status != kExitOk) return status;
    if (const int status = job.Link(); status != kExitOk) return status;
  }
  return kExitOk;
}

// Where a build file generates files while the package is only checked.
class StateOfCheck {
 public:
  explicit StateOfCheck(const std::string& package) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    const fs::path given = package;
    const std::string kept =
        StateDirectory((fs::is_directory(given, ignored) ? given : given.parent_path()).string());
    if (fs::is_directory(kept, ignored) && access(kept.c_str(), W_OK) == 0) return;
    // If there can be none, the build file reports that it cannot write.
    if (!made_.Make("tenure-check").ok()) return;
    setenv("TENURE_STATE", made_.path().c_str(), 1);
  }
  StateOfCheck(const StateOfCheck&) = delete;
  StateOfCheck& operator=(const StateOfCheck&) = delete;

 private:
  TemporaryDirectory made_;
};

int CheckOnly(const Options& options, const SourceTexts& texts, const SeeMessages& see) {
  BuildJob job(options);
  job.AllowLibrary();
  job.UseTexts(texts);
  if (const int status = job.OpenPackage(); status != kExitOk) return status;
  if (options.dump == Dump::kAst) return job.DumpTrees();
  if (!see) return job.Check();
  if (const Problem problem = job.CheckSilently(); !problem.ok()) return problem.Print();
  see(job.messages(), job.package());
  return job.messages().has_errors() ? kExitProblems : kExitOk;
}

// Checks the modules of the directory of tests, each in the program that `tenure test` makes of its
// kind.
int CheckTests(const Options& options, const SourceTexts& texts, const SeeMessages& see) {
  namespace fs = std::filesystem;
  const std::string directory = (fs::path(options.directory) / "tests").lexically_normal().string();
  std::error_code error;
  if (!fs::is_directory(directory, error)) return kExitOk;
  Problem problem;
  const std::vector<std::string> modules = SourcesIn(directory, &problem);
  if (!problem.ok()) return problem.Print();
  Options of_tests = options;
  // The warnings about the package's own units have been printed.
  of_tests.no_warnings = true;
  int status = kExitOk;
  const auto check = [&](const Options& test) {
    status = std::max(status, CheckOnly(test, texts, see));
  };
  if (std::ranges::any_of(modules, PackageSource::HasTests)) {
    of_tests.test_directory = directory;
    check(of_tests);
    of_tests.test_directory.clear();
  }
  for (const std::string& module : modules) {
    if (!PackageSource::ExportsMain(module)) continue;
    of_tests.test_module = module;
    check(of_tests);
  }
  return status;
}

}  // namespace

int CheckSources(const Options& options) { return CheckTexts(options, {}, nullptr); }

int CheckTexts(const Options& options, const SourceTexts& texts, const SeeMessages& see) {
  const StateOfCheck state(options.directory);
  const int status = CheckOnly(options, texts, see);
  // Tests are made of the package's units: with errors in these, the same would be said again.
  return status == kExitOk && options.dump == Dump::kNone ? CheckTests(options, texts, see)
                                                          : status;
}

int Build(const Options& options, std::string* program) {
  BuildJob job(options);
  *program = job.UpToDateProgram();
  if (!program->empty()) return kExitOk;

  if (const int status = job.OpenPackage(); status != kExitOk) return status;
  if (options.dump == Dump::kAst) return job.DumpTrees();
  if (const int status = job.Check(); status != kExitOk) return status;
  if (options.dump == Dump::kLlvm) return job.DumpModules();

  if (const int status = job.ChooseOutputs(); status != kExitOk) return status;
  if (const int status = job.LockObjects(); status != kExitOk) return status;
  if (const int status = MakePrograms(job); status != kExitOk) return status;
  job.Record();
  *program = job.main_output();
  return kExitOk;
}

}  // namespace tenure::compiler
