// `tenure new`: makes a package that builds, runs and passes its test.
#pragma once

#include <string>

#include "compiler/source/problem.h"

namespace tenure::compiler {

// Makes the directory `path`, whose last part is the package's name. Prints the next steps. Returns
// an exit status; a failure leaves nothing.
int NewPackage(const std::string& path, bool library);

// Why no package can have this name; none if one can.
Problem CheckPackageName(const std::string& name);

}  // namespace tenure::compiler
