// Where a build puts the program.
#pragma once

#include <string>

#include "compiler/driver/problem.h"
#include "compiler/package/package_source.h"

namespace tenure::compiler {

// The path of the program: `output`, the argument of -o, or a file in the package's state directory
// if that is empty. A problem if no file can be made there. Asked before compiling, so that nobody
// waits for the answer.
OrProblem<std::string> OutputPath(const std::string& output, const PackageSource& package);

// A problem if the program must not replace the file `output`: a file that is not regular, or one
// that the program is made from.
Problem CheckMayReplace(const std::string& output, const PackageSource& package);

}  // namespace tenure::compiler
