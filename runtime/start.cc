#include "runtime/start.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "runtime/arguments.h"
#include "runtime/exit_actions.h"
#include "runtime/gc_report.h"
#include "runtime/options.h"
#include "runtime/persistence.h"
#include "runtime/runtime.h"
#include "runtime/traps.h"

namespace tenure::runtime {
namespace {

constexpr int kUsageStatus = 2;
constexpr int kEnvironmentStatus = 3;

[[noreturn]] void Refuse(const char* program, const std::string& message, int status) {
  std::fprintf(stderr, "%s: %s\n", program, message.c_str());
  std::exit(status);
}

Options TakeOptions(int argc, const char* const* argv, const char* name) {
  Arguments arguments;
  Options options;
  std::string error;
  if (!ParseArguments(argc, argv, std::getenv("TENURE_OPTIONS"), arguments, options, error)) {
    Refuse(name, error, kUsageStatus);
  }
  if (options.help) {
    std::fputs(OptionsHelp().c_str(), stdout);
    std::exit(std::fflush(stdout) == 0 ? 0 : kEnvironmentStatus);
  }
  SetProcessArguments(std::move(arguments));
  return options;
}

}  // namespace

void RunProgram(const abi::ProgramInfo& program, int argc, const char* const* argv) {
  const char* name = argc > 0 ? argv[0] : program.program_name;
  const Options options = TakeOptions(argc, argv, name);

  const Status created = Runtime::Create(program, options);
  if (!created.ok()) {
    Refuse(name, std::string("cannot start: ") + created.text(), kEnvironmentStatus);
  }
  InstallTrapHandlers();
  // A limit on the size of files, or a pipe without a reader, is an error of the write, no signal.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  // Registered first, so it runs last.
  if (options.gc_statistics) RegisterExitAction(PrintHeapStatistics);
  const Status persistence = StartPersistence();
  if (!persistence.ok()) {
    Refuse(name, std::string("cannot start: ") + persistence.text(), kEnvironmentStatus);
  }

  for (uint32_t u = 0; u < program.unit_count; ++u) {
    if (program.units[u]->initialize != nullptr) program.units[u]->initialize();
  }
  ExitProcess(0);
}

}  // namespace tenure::runtime
