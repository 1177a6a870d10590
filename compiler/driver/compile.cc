#include "compiler/driver/compile.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "compiler/driver/build_job.h"
#include "compiler/package/tool_program.h"

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
    std::string made = (fs::temp_directory_path(ignored) / "tenure-check.XXXXXX").string();
    if (mkdtemp(made.data()) == nullptr) return;  // the build file reports that it cannot write
    made_ = made;
    setenv("TENURE_STATE", made_.c_str(), 1);
  }
  ~StateOfCheck() {
    std::error_code ignored;
    if (!made_.empty()) std::filesystem::remove_all(made_, ignored);
  }
  StateOfCheck(const StateOfCheck&) = delete;
  StateOfCheck& operator=(const StateOfCheck&) = delete;

 private:
  std::string made_;  // empty: none
};

}  // namespace

int CheckSources(const Options& options) {
  const StateOfCheck state(options.directory);
  BuildJob job(options);
  job.AllowLibrary();
  if (const int status = job.OpenPackage(); status != kExitOk) return status;
  if (options.dump == Dump::kAst) return job.DumpTrees();
  return job.Check();
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
