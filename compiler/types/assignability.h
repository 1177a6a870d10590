// Subtyping and assignability (docs/language.md 7 and 8), relative to the revelations visible in a
// scope.
#pragma once

#include "compiler/types/type.h"

namespace tenure::compiler {

// The revelations of opaque types that a scope sees (docs/language.md 9). The checker has one per
// unit.
class RevelationScope {
 public:
  virtual ~RevelationScope() = default;
  // The complete revelation if the scope sees it, else null.
  virtual Type* Revealed(const OpaqueType* opaque) const = 0;
  // The most specific supertype that the scope knows: complete or partial revelation, or the bound.
  virtual Type* KnownSuper(const OpaqueType* opaque) const = 0;
};

// Same type when visible complete revelations are interchangeable with their opaque types.
bool SameTypeIn(const RevelationScope& scope, const Type* a, const Type* b);

// T <: U.
bool IsSubtypeOf(const RevelationScope& scope, Type* t, Type* u);

// The run-time check that an assignment of an expression of type `from` to a variable of type `to`
// needs.
enum class Assignability : uint8_t {
  kNo,
  kYes,         // nothing to check
  kRangeCheck,  // ordinals: value must lie in `to`
  kNarrow,      // references: type test
  kShapeCheck,  // arrays: lengths must agree
};
// `unsafe`: the unit is UNSAFE, so ADDRESS is assignable to untraced references.
Assignability AssignableTo(const RevelationScope& scope, Type* from, Type* to, bool unsafe);

// Signature `q` covers signature `p` (7.5). `skip_first`: ignore p's first formal
// (methods, 5.10.6).
bool Covers(const RevelationScope& scope, const Signature& q, const Signature& p,
            bool skip_first_of_p);

}  // namespace tenure::compiler
