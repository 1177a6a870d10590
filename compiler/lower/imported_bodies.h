// Short procedures of other units are compiled again in the units that call them, so that the
// optimiser can inline them: procedures of the standard library, which no edit of a package
// changes, and procedures with <*INLINE*>. Each also exists as an ordinary function in its own
// unit's object.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "compiler/check/checked_unit.h"

namespace tenure::compiler {

class ImportedBodies {
 public:
  explicit ImportedBodies(const Program& program);

  // The imported procedures whose bodies are compiled in this unit, in the order in which they are
  // found.
  std::vector<const Procedure*> Of(const CheckedUnit& unit) const;

  // Whether a procedure that is compiled in another unit too uses this global variable of a module
  // (not of an interface), so that the linker must know its name.
  bool IsShared(const Variable* variable) const { return shared_.count(variable) != 0; }

 private:
  void Add(const Procedure* procedure);

  // For each procedure that may be compiled in other units: the procedures that it calls.
  std::unordered_map<const Procedure*, std::vector<const Procedure*>> calls_of_;
  std::unordered_set<const Variable*> shared_;
};

}  // namespace tenure::compiler
