// Programs that build files run and other packages make.
#pragma once

#include <string>

namespace tenure::compiler {

// Where a build of the package in this directory keeps what it makes: TENURE_STATE, or else
// `.tenure` in the package.
std::string StateDirectory(const std::string& package_directory);

// Builds the program of the package in `directory`, with all that this makes below `state`, unless
// it is up to date. Sets `path` to the program. An error text, or "". What is wrong in the package
// itself goes to stderr.
std::string BuildToolProgram(const std::string& directory, const std::string& name,
                             const std::string& state, std::string* path);

// Whether this very process builds the tool of that name, for another package.
bool IsBuildingTool(const std::string& name);

}  // namespace tenure::compiler
