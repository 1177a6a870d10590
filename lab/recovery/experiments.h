// The recovery study (White & DeWitt 1995): five schemes over clients and a server of other
// processes. Each measurement is a line (lab/support/measure.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tenure::lab::recovery {

struct ExperimentOptions {
  bool quick = false;
  std::string directory;  // where stores are made; empty: where the system keeps temporary files
  std::string system;     // only this one; empty: all
  size_t clients = 0;     // only cells with this many; 0: all
};

std::vector<std::string_view> ExperimentNames();
std::vector<std::string> SystemNames();
// False: there is no such experiment.
bool RunExperiment(std::string_view name, const ExperimentOptions& options);

}  // namespace tenure::lab::recovery
