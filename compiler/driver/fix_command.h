// `tenure fix`: applies the fixes that messages about a package's sources carry.
#pragma once

#include "compiler/driver/options.h"

namespace tenure::compiler {

// Checks the package, applies fixes, and checks again, until no fix is left that helps. Writes the
// files of the package that changed, each whole or not at all, and none whose contents are no
// longer those that were checked; with --dry-run prints the difference on stdout instead. Prints
// what is left on stderr. Returns an ExitStatus: kExitProblems if errors are left, or if --dry-run
// would have changed a file.
int FixSources(const Options& options);

}  // namespace tenure::compiler
