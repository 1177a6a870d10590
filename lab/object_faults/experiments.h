// The experiments of Hosking & Moss 1993, each a series of measurements on the standard output.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tenure::lab::object_faults {

struct Options {
  bool quick = false;     // fewer runs
  std::string directory;  // for stores; empty: the system's for temporary files
  std::string system;     // only the system of this name; empty: all
  uint32_t parts = 20000;
};

// lookup, traversal, hot
std::vector<std::string_view> ExperimentNames();
// non-persistent, ID-resident, ..., ID-OBJ, FB-LSEG, ..., FB-lazy-OBJ, ...
std::vector<std::string> SystemNames();
// False: there is none of this name.
bool RunExperiment(std::string_view name, const Options& options);

}  // namespace tenure::lab::object_faults
