// Where a build puts the program.
#pragma once

#include <string>

#include "compiler/package/package_source.h"
#include "compiler/source/problem.h"

namespace tenure::compiler {

// The path of the program: `output`, the argument of -o, or if that is empty a file in the
// package's state directory. A problem if no file can be made there. Called before compiling, so
// that the user learns of the problem at once.
OrProblem<std::string> OutputPath(const std::string& output, const PackageSource& package);

// A problem if the program must not replace the file `output`: a file that is not regular, or an
// input of the program.
Problem CheckMayReplace(const std::string& output, const PackageSource& package);

}  // namespace tenure::compiler
