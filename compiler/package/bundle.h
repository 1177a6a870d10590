// The units of a bundle: a program's resources as texts (docs/library.md 11, Bundle).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "compiler/source/problem.h"

namespace tenure::compiler {

std::string BundleInterface(const std::string& name);
// `resources`: the name of each and the file that it is read from. An empty problem on success.
std::string BundleModule(const std::string& name,
                         const std::vector<std::pair<std::string, std::string>>& resources,
                         Problem* problem);

}  // namespace tenure::compiler
