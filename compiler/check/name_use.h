// The use of a name that is not found; the suggestion depends on it.
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
