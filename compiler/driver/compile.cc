#include "compiler/driver/compile.h"

#include "compiler/driver/build_job.h"

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

}  // namespace

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
