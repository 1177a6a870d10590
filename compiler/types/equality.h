// Structural equality of possibly recursive types (docs/language.md 6).
#pragma once

#include "compiler/types/type.h"

namespace tenure::compiler {

// Coinductive: when the same pair comes again, it is assumed to be equal. An opaque type equals
// itself, and its concrete type when `see_concrete` (set when all revelations are known; scopes
// pass false and resolve visible revelations themselves through RevelationScope, assignability.h).
bool SameType(const Type* a, const Type* b, bool see_concrete = false);
// Values of defaults.
bool SameConstant(const Constant* a, const Constant* b);
bool SameSignature(const Signature& a, const Signature& b, bool with_names,
                   bool see_concrete = false);

}  // namespace tenure::compiler
