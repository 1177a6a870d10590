// The descriptions of containers (docs/looking.md, "Views") that come with packages.
#pragma once

#include <string>
#include <vector>

namespace tenure::compiler {

inline constexpr const char* kViewsName = "views.json";

// The files views.json of the package around `directory`, and of the packages that it needs
// according to its tenure.lock, as far as these are on this machine; each in the package's
// directory or in its src. Those of the package itself come last. Empty: `directory` lies in no
// package.
std::vector<std::string> ViewsOfPackages(const std::string& directory);

}  // namespace tenure::compiler
