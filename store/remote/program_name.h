// The names of programs, for people.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

namespace tenure::store {

// The name of a process's program, as /proc has it; empty: not known.
std::string ProgramName(pid_t process);
// A name that a program gave itself, or another one, to be shown: short, with '?' for each byte
// that is not printable ASCII.
std::string ShownProgramName(std::string_view name);

}  // namespace tenure::store
