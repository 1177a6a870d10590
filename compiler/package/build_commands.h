// The commands of build files (docs/packages.md): calls that fill in the description of a package.
#pragma once

#include <functional>
#include <string>

#include "compiler/package/package.h"
#include "compiler/quake/interpreter.h"

namespace tenure::compiler {

// Reads an imported package; null when it is part of our own library, or after an error.
using Importer = std::function<const Package*(const quake::Call&)>;
// Called with a package and the directory that replaces the package's own.
using Overrider = std::function<void(const std::string& package, const std::string& directory)>;

// Defines the commands and the variables that build files expect. All refer to the package, which
// must outlive the interpreter. Generated sources go to `derived_directory`, which is made when
// needed. Call the result after the build file has run: it reports generated units that were named
// (derived_interface) and whose files do not exist.
std::function<void()> DefineBuildCommands(quake::Interpreter& interpreter, Package& package,
                                          const std::string& derived_directory, Importer import,
                                          Overrider override_directory);

}  // namespace tenure::compiler
