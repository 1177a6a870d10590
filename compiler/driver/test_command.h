// `tenure test`: builds and runs the programs in a package's tests/.
#pragma once

#include "compiler/driver/options.h"

namespace tenure::compiler {

// Prints a line for each test and the count. Returns an ExitStatus: kExitProblems when one failed.
int RunTests(const Options& options);

}  // namespace tenure::compiler
