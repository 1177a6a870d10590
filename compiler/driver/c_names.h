// The names by which C code calls procedures of interfaces (docs/packages.md).
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "compiler/source/problem.h"

namespace tenure::compiler {

struct Program;

// Writes a script for the linker: `Interface__Procedure`, where C code refers to it and does not
// define it, is the procedure of that interface.
Problem WriteCNames(const Program& program, const std::string& path);

// The interfaces of which a text in C may name procedures so: the names before each `__`.
std::set<std::string> InterfacesNamedInC(std::string_view text);

}  // namespace tenure::compiler
