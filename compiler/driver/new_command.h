// `tenure new`: makes a package that builds, runs and passes its test.
#pragma once

#include <string>

#include "compiler/driver/problem.h"

namespace tenure::compiler {

// Makes the directory `path`, whose last name is the package's. Prints what to do next. Returns an
// exit status; nothing is left of a package that could not be made.
int NewPackage(const std::string& path, bool library);

// Why no package can have this name; none if one can.
Problem CheckPackageName(const std::string& name);

}  // namespace tenure::compiler
