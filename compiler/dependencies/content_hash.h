// The hash by which a lock knows the files of a package.
#pragma once

#include <string>
#include <vector>

#include "compiler/source/problem.h"

namespace tenure::compiler {

// The paths of a package's files and links, relative to its directory and sorted; without what
// belongs to version control and builds: .git, and the folder .tenure.
Problem FilesOfPackage(const std::string& directory, std::vector<std::string>* files);

// "sha256:" and 64 digits: the hash of a list with a line for each of these files, made of the hash
// of the file's contents and its path. Times, permissions and empty folders do not count.
Problem HashPackage(const std::string& directory, std::string* hash);

}  // namespace tenure::compiler
