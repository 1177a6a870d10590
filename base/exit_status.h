// The exit statuses of commands: `tenure` and all its commands (build, check, db, serve, ...), and
// of programs, as far as the run time ends them. A program that `tenure run` starts ends with its
// own status.
#pragma once

namespace tenure {

enum ExitStatus : int {
  kExitOk = 0,            // done; for a server: ended by a signal
  kExitProblems = 1,      // done, and not all is well: errors in the source, a test that failed, a
                          // store that verification finds fault with, objects that are lost
  kExitUsage = 2,         // the command line is wrong; nothing was done
  kExitEnvironment = 3,   // it could not be done: files, disk, rights, tools, another process
  kExitRuntimeError = 4,  // a program: a run-time error, or an unhandled exception
  kExitInternal = 70,     // a bug of the command
};

}  // namespace tenure
