// From process start to exit: what `main` of every compiled program does (main.cc).
#pragma once

#include "abi/program.h"

namespace tenure::runtime {

// Takes the run time's flags, makes heap, registry and mutator, installs signal handlers, runs the
// units' bodies in their order, then the exit actions. The process ends with 0, with 2 for a bad
// flag, 3 when the machine cannot give what is needed, 4 after a run-time error, or what the
// program asks for.
[[noreturn]] void RunProgram(const abi::ProgramInfo& program, int argc, const char* const* argv);

}  // namespace tenure::runtime
