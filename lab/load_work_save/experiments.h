// The experiments of Moss 1990, each a series of measurements on the standard output.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tenure::lab::load_work_save {

struct Options {
  bool quick = false;     // fewer sizes
  std::string directory;  // for stores; empty: the system's for temporary files
};

// create, initialize, traverse, work, write, prepare, load, warm, caches, check
std::vector<std::string_view> ExperimentNames();
// False: there is none of this name.
bool RunExperiment(std::string_view name, const Options& options);

}  // namespace tenure::lab::load_work_save
