// `tenure test`: builds and runs the tests of a package.
#pragma once

#include "compiler/driver/options.h"

namespace tenure::compiler {

// Prints a line for each test, what its failures were, and the count. Returns an ExitStatus:
// kExitProblems when one failed, kExitEnvironment when one could not be built for another reason
// than errors in its sources.
int RunTests(const Options& options);

}  // namespace tenure::compiler
