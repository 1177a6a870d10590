// How code is made.
#pragma once

#include <cstddef>

#include "abi/program.h"

namespace tenure::compiler {

struct LowerOptions {
  bool checks = true;     // --no-checks: no range and subscript checks
  bool debug = false;     // -g: types and variables for debuggers
  bool optimize = true;   // emit for -O2 (false: -O0, still correct)
  bool coverage = false;  // count statements and branches, but in the standard library
  abi::StoreBarriers barriers = abi::StoreBarriers::kTrap;  // --barriers
  // A unit with very many procedures is made in parts that are linked to one object file. The first
  // part has everything except procedures.
  size_t part = 0;
  size_t parts = 1;
};

}  // namespace tenure::compiler
