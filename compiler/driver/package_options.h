// The command line of the commands that look after a package: new, clean, add, remove, update,
// vendor.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tenure::compiler {

struct PackageOptions {
  std::string name;          // new: the package's name, or a path that ends with it
  bool library = false;      // new --library
  bool clean_cache = false;  // clean --cache
  // add: the dependency's name (or empty), and one of path and git.
  // `source` is either, as it was written behind the name.
  std::string dependency, source, path, git;
  std::string tag, commit, branch, subdirectory;  // of git
  std::vector<std::string> names;  // remove, update: dependencies; update: none is all
};

enum class PackageCommand : unsigned char { kNew, kClean, kAdd, kRemove, kUpdate, kVendor };

// Adds a command to the command line, with its options. Parsing fills `options`, and `directory`
// with the package if the command takes one.
CLI::App* AddPackageCommand(CLI::App& app, PackageCommand command, PackageOptions& options,
                            std::string& directory);

}  // namespace tenure::compiler
