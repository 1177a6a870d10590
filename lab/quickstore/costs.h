// The costs of a trap and a check on this machine.
#pragma once

#include <string_view>
#include <vector>

namespace tenure::lab::quickstore {

// The experiments, in the order that they are run.
std::vector<std::string_view> ExperimentNames();

// Runs one, and prints a row (lab/support/measure.h) for each measurement. False: there is no such
// experiment.
bool RunExperiment(std::string_view name, bool quick);

}  // namespace tenure::lab::quickstore
