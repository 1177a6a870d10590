// Types in words, for diagnostics.
#pragma once

#include <cstdint>
#include <string>

#include "compiler/types/type.h"

namespace tenure::compiler {

// "INTEGER", "Rd.T", "ARRAY [0..3] OF CHAR".
std::string TypeToString(const Type* type);
// The structure of a value of the type, without names of types: "{red, green}", "RECORD x: [0..9]
// END". References and procedures in it are written as by TypeToString.
std::string ValueToString(const Type* type);
// "(a: INTEGER; VAR b: TEXT): BOOLEAN RAISES {Main.E}".
std::string SignatureToString(const Signature& signature);
// A value of the ordinal base type: "3", "'x'", "Color.Red" with `name` for the enumeration.
std::string ElementToString(const Type* base, int64_t value, const std::string& name);

}  // namespace tenure::compiler
