// Short procedures of other units are compiled along with those that call them, so that the
// optimiser can put them in line: those of the standard library, which no edit of a package
// changes, and those with <*INLINE*>. Each also exists as an ordinary function in its own unit's
// object.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "compiler/check/checked_unit.h"

namespace tenure::compiler {

class ImportedBodies {
 public:
  explicit ImportedBodies(const Program& program);

  // The procedures whose bodies come along with the unit's own, in the order in which they are
  // met.
  std::vector<const Procedure*> Of(const CheckedUnit& unit) const;

  // Whether a global variable of a module, not of an interface, is used by a procedure that comes
  // along elsewhere, so that its name must be known to the linker.
  bool IsShared(const Variable* variable) const { return shared_.count(variable) != 0; }

 private:
  void Add(const Procedure* procedure);

  // Of those that may come along: the procedures that they call.
  std::unordered_map<const Procedure*, std::vector<const Procedure*>> calls_of_;
  std::unordered_set<const Variable*> shared_;
};

}  // namespace tenure::compiler
