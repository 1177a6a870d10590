// The laboratory's program: runs experiments and prints their measurements, a JSON object a line.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "lab/load_work_save/experiments.h"
#include "lab/object_faults/experiments.h"
#include "lab/oo1/program.h"
#include "lab/oo7/program.h"
#include "lab/quickstore/costs.h"
#include "lab/recovery/experiments.h"
#include "lab/support/lab_server.h"

namespace tenure::lab {
namespace {

constexpr char kUsage[] =
    "usage: lab PAPER [EXPERIMENT ...] [OPTION ...]\n"
    "       lab oo7 ACTION ...\n"
    "       lab oo1 ACTION ...\n"
    "       lab serve STORE\n"
    "\n"
    "Runs the experiments of a paper, all of them unless some are named, and prints each "
    "measurement\n"
    "as a JSON object on a line of its own. docs/experiments.md says how to add to them.\n"
    "\n"
    "papers and their experiments:\n";

constexpr char kOptions[] =
    "\n"
    "options:\n"
    "  --quick           fewer sizes and runs\n"
    "  --directory=DIR   where stores are made (otherwise in $TMPDIR or /tmp); must be a disk if\n"
    "                    times of loading and saving are to say something\n"
    "  --system=NAME     only this system (object-faults, recovery)\n"
    "  --clients=N       only cells with N clients (recovery)\n"
    "  --parts=N         the number of parts (object-faults; otherwise 20000)\n"
    "  --help            prints this\n";

int Usage(std::FILE* to, int status) {
  std::fputs(kUsage, to);
  const auto list = [&](const char* paper, const std::vector<std::string_view>& names) {
    std::fprintf(to, "  %-16s", paper);
    for (const std::string_view name : names) {
      std::fprintf(to, " %.*s", static_cast<int>(name.size()), name.data());
    }
    std::fputs("\n", to);
  };
  list("load-work-save", load_work_save::ExperimentNames());
  list("object-faults", object_faults::ExperimentNames());
  list("recovery", recovery::ExperimentNames());
  list("costs", quickstore::ExperimentNames());
  std::fprintf(to, "\nOO7:\n%s\nOO1:\n%s", oo7::kForms, oo1::kForms);
  std::fputs(kOptions, to);
  return status;
}

int Wrong(const std::string& what) {
  std::fprintf(stderr, "lab: %s; see lab --help\n", what.c_str());
  return 2;
}

int Run(int argc, char** argv) {
  const bool oo1 = argc > 1 && std::strcmp(argv[1], "oo1") == 0;
  if (oo1 || (argc > 1 && std::strcmp(argv[1], "oo7") == 0)) {
    std::string wrong;
    const std::vector<std::string> arguments(argv + 2, argv + argc);
    const int status = oo1 ? oo1::Run(arguments, &wrong) : oo7::Run(arguments, &wrong);
    return wrong.empty() ? status : Wrong(wrong);
  }
  if (argc == 3 && std::strcmp(argv[1], "serve") == 0) return ServeStore(argv[2]);
  std::string paper, directory, system;
  std::vector<std::string_view> experiments;
  bool quick = false;
  unsigned long parts = 20000, clients = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--help") return Usage(stdout, 0);
    if (argument == "--quick") {
      quick = true;
    } else if (argument.starts_with("--directory=")) {
      directory = argument.substr(std::strlen("--directory="));
    } else if (argument.starts_with("--system=")) {
      system = argument.substr(std::strlen("--system="));
    } else if (argument.starts_with("--parts=")) {
      char* end = nullptr;
      parts = std::strtoul(argv[i] + std::strlen("--parts="), &end, 10);
      if (*end != '\0' || parts < 100 || parts > 100000) {
        return Wrong("--parts takes a number from 100 to 100000");
      }
    } else if (argument.starts_with("--clients=")) {
      char* end = nullptr;
      clients = std::strtoul(argv[i] + std::strlen("--clients="), &end, 10);
      if (*end != '\0' || clients < 1 || clients > 5) {
        return Wrong("--clients takes a number from 1 to 5");
      }
    } else if (argument.starts_with("-")) {
      return Wrong("there is no option " + std::string(argument));
    } else if (paper.empty()) {
      paper = argument;
    } else {
      experiments.push_back(argument);
    }
  }
  if (paper.empty()) return Usage(stderr, 2);
  if (paper == "recovery") {
    const recovery::ExperimentOptions options = {quick, directory, system, clients};
    const std::vector<std::string> systems = recovery::SystemNames();
    if (!system.empty() && std::find(systems.begin(), systems.end(), system) == systems.end()) {
      return Wrong("there is no system '" + system + "'");
    }
    if (experiments.empty()) experiments = recovery::ExperimentNames();
    for (const std::string_view experiment : experiments) {
      if (!recovery::RunExperiment(experiment, options)) {
        return Wrong("there is no experiment '" + std::string(experiment) + "' of recovery");
      }
    }
    return 0;
  }
  const bool faults = paper == "object-faults", costs = paper == "costs";
  if (!faults && !costs && paper != "load-work-save") {
    return Wrong("there is no paper '" + paper + "'");
  }
  const std::vector<std::string_view> known = faults  ? object_faults::ExperimentNames()
                                              : costs ? quickstore::ExperimentNames()
                                                      : load_work_save::ExperimentNames();
  if (experiments.empty()) experiments = known;
  if (faults && !system.empty()) {
    bool found = false;
    for (const std::string& name : object_faults::SystemNames()) found = found || name == system;
    if (!found) return Wrong("there is no system '" + system + "'");
  }
  for (const std::string_view experiment : experiments) {
    const bool done =
        faults ? object_faults::RunExperiment(
                     experiment, {quick, directory, system, static_cast<uint32_t>(parts)})
        : costs ? quickstore::RunExperiment(experiment, quick)
                : load_work_save::RunExperiment(experiment, {quick, directory});
    if (!done) return Wrong("there is no experiment '" + std::string(experiment) + "' of " + paper);
  }
  return 0;
}

}  // namespace
}  // namespace tenure::lab

int main(int argc, char** argv) { return tenure::lab::Run(argc, argv); }
