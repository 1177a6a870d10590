// Which variables of a procedure have a place in its frame record: those that a nested procedure
// uses, and those that more than one of the procedure's own functions use, since the body of a TRY
// is a function of its own. Which of these a TRY body may change, and whether its handler or later
// code may use them.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "compiler/check/checked_unit.h"

namespace tenure::compiler {

// One procedure, or the body of a module (procedure null).
struct Activation {
  const Procedure* procedure = nullptr;
  // In the order of their first use, which is the order of their places in the record.
  std::vector<const Variable*> captured;
  // Its slot in the frame record.
  std::unordered_map<const Variable*, size_t> slot_of;
  // Of the TRY and LOCK bodies, and of FINALLY parts: the variables of the activation that occur
  // there, and those that occur outside of the TRY and LOCK bodies therein.
  struct Occurrences {
    std::vector<const Variable*> all;
    std::unordered_set<const Variable*> direct;
    // Of a TRY body: those whose values may be used when an exception has left the body and a
    // handler of the procedure has caught it.
    std::unordered_set<const Variable*> live_after;
  };
  std::unordered_map<const StmtList*, Occurrences> occurrences;
  std::unordered_set<const Variable*> direct;  // in the procedure's own function
  // Variables whose location has another name (WITH) or is a value (ADR).
  std::unordered_set<const Variable*> located;
  std::unordered_set<const Variable*> assigned;  // or passed by reference
  bool has_try = false;                          // some TRY or LOCK body is a function of its own
  bool has_nested = false;  // procedures are declared in it: they get its frame record
  // Some of these are used as values. Closures of two activations differ (language.md 16.4), so
  // each activation has a frame record, even an empty one.
  bool has_closures = false;

  bool IsCaptured(const Variable* variable) const { return slot_of.count(variable) != 0; }
  // Whether a TRY or LOCK body in the variable's scope may change it.
  bool ChangesInTries(const Variable* variable) const {
    return variable->writable &&
           (variable->kind != Variable::Kind::kFormal || assigned.count(variable) != 0);
  }
};

// The captures of all procedures of a unit and of its body.
class Captures {
 public:
  explicit Captures(const CheckedUnit& unit);

  // Adds a procedure of another unit; it has no nested ones.
  void Add(const Procedure* procedure);

  const Activation& Of(const Procedure* procedure) const { return activations_.at(procedure); }
  // Aliases (WITH) of the module body that procedures declared in one of its blocks use: they have
  // no frame record to find them in.
  bool IsStaticAlias(const Variable* variable) const {
    return static_aliases_.count(variable) != 0;
  }

 private:
  friend class CaptureWalk;
  std::unordered_map<const Procedure*, Activation> activations_;
  std::unordered_set<const Variable*> static_aliases_;
};

}  // namespace tenure::compiler
