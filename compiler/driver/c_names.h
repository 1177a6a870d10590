// The names by which C code calls procedures of interfaces (docs/packages.md).
#pragma once

#include <string>

#include "compiler/driver/problem.h"

namespace tenure::compiler {

struct Program;

// Writes a script for the linker: `Interface__Procedure`, where C code refers to it and does not
// define it, is the procedure of that interface.
Problem WriteCNames(const Program& program, const std::string& path);

}  // namespace tenure::compiler
