// The descriptions of containers (docs/looking.md, "Views") that come with packages.
#pragma once

#include <string>
#include <vector>

namespace tenure::compiler {

inline constexpr const char* kViewsName = "views.json";

// The files views.json of the package that `directory` lies in, and of the packages that it needs
// as its tenure.lock says, as far as these are on this machine; each in the package's directory or
// in its src. Those of the package itself come last. None: `directory` lies in no package.
std::vector<std::string> ViewsOfPackages(const std::string& directory);

}  // namespace tenure::compiler
