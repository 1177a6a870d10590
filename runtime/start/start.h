// From process start to exit: the work of every compiled program's `main` (main.cc).
#pragma once

#include "abi/program.h"

namespace tenure::runtime {

// Takes the run time's flags, makes heap, registry and mutator, installs signal handlers, runs the
// units' bodies in their order, then the exit actions. The process ends with 0, 2 for a bad flag, 3
// if the machine lacks a resource, 4 after a run-time error, or the program's own status.
[[noreturn]] void RunProgram(const abi::ProgramInfo& program, int argc, const char* const* argv);

}  // namespace tenure::runtime
