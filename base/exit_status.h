// The exit statuses of the command `tenure`. A program that `tenure run` starts answers with its
// own status: see runtime/README.md.
#pragma once

namespace tenure {

enum ExitStatus : int {
  kExitOk = 0,
  kExitProblems = 1,     // the sources have errors, or the file that was examined has
  kExitUsage = 2,        // wrong usage
  kExitEnvironment = 3,  // tools, files, disk
  kExitInternal = 70,    // a bug of ours
};

}  // namespace tenure
