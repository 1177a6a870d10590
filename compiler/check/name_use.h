// How a name is used where it is not found, which decides what is suggested.
#pragma once

#include <cstdint>

namespace tenure::compiler {

enum class NameUse : uint8_t {
  kValue,
  kCallee,     // f in f(x)
  kQualifier,  // M in M.x
  kType,
  kException,
};

}  // namespace tenure::compiler
