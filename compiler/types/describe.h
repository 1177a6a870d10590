// Parts of types in words, for diagnostics; TypeToString in type.h describes whole types.
#pragma once

#include <cstdint>
#include <string>

#include "compiler/types/type.h"

namespace tenure::compiler {

// "(a: INTEGER; VAR b: TEXT): BOOLEAN RAISES {Main.E}".
std::string SignatureToString(const Signature& signature);
// A value of the ordinal base type: "3", "'x'", "Color.Red" with `name` for the enumeration.
std::string ElementToString(const Type* base, int64_t value, const std::string& name);

}  // namespace tenure::compiler
