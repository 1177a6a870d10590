// `tenure clean`: removes what builds made.
#pragma once

#include <string>

namespace tenure::compiler {

// Removes .tenure from the package in `directory` and from the packages in its tests, and prints
// the removed paths. Returns an exit status.
int CleanPackage(const std::string& directory);

// Removes the user's cache.
int CleanCache();

}  // namespace tenure::compiler
