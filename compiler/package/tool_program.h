// Programs that build files run and other packages make.
#pragma once

#include <string>

#include "compiler/source/problem.h"

namespace tenure::compiler {

// The folder for the files that a build of the package in this directory makes: TENURE_STATE, or
// else `.tenure` in the package.
std::string StateDirectory(const std::string& package_directory);

// Builds the program of the package in `directory`, unless it is up to date; all files go below
// `state`. Sets `path` to the program. Errors in the package itself go to stderr.
Problem BuildToolProgram(const std::string& directory, const std::string& name,
                         const std::string& state, std::string* path);

// Whether this process is already building the tool of that name, for another package.
bool IsBuildingTool(const std::string& name);

}  // namespace tenure::compiler
