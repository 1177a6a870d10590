// The checker's state for one unit of the program. Internal to compiler/check.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "compiler/check/scope.h"
#include "compiler/types/assignability.h"

namespace tenure::compiler {

class Checker;

// One REVEAL declaration.
struct Revelation {
  UnitInfo* unit = nullptr;
  const ast::RevealDecl* decl = nullptr;
  Symbol* target = nullptr;  // the type that the left side names; null after an error
  ResolveState state = ResolveState::kUnseen;  // of the right side
  Type* type = nullptr;
};

// The exceptions that may leave a list of statements (13.3): one entry per TRY EXCEPT around it.
struct CatchFrame {
  const std::vector<TryExceptStmt::Handler>* handlers = nullptr;
  bool catches_all = false;
};

// The body of a procedure or module while its statements are checked.
struct BodyContext {
  UnitInfo* unit = nullptr;
  Procedure* procedure = nullptr;        // null: the module body
  const Signature* signature = nullptr;  // null: the module body
  bool damaged = false;                  // its text has syntax errors
  std::vector<CatchFrame> catches;
  int loop_depth = 0;
  int nested_blocks = 0;
  // Depths of loops at which a TRY with ELSE was entered, for the warning about an EXIT or RETURN
  // that ELSE catches.
  std::vector<int> else_at_loop_depth;
  // For each enclosing handler and FINALLY part: the place of the variable for
  // Compiler.ThisException.
  std::vector<Variable**> activations;
};

class UnitInfo : public RevelationScope {
 public:
  Type* Revealed(const OpaqueType* opaque) const override;
  Type* KnownSuper(const OpaqueType* opaque) const override;

  // The revelations that hold in the unit: its own, and those of the imports in `revealing`.
  // Resolves their types at the first call.
  using RevelationsByType = std::unordered_map<const OpaqueType*, std::vector<Revelation*>>;
  const RevelationsByType& VisibleRevelations() const;

  std::string name;
  bool is_interface = false;
  bool is_unsafe = false;
  bool warns = false;   // warnings are wanted: one of CheckOptions::units
  bool failed = false;  // could not be parsed: its names are unknown, and errors are reported once
  bool text_missing_reported = false;
  const ast::Unit* tree = nullptr;  // the tree that is checked; for an instance, the generic's tree
  const ast::Unit* instance = nullptr;  // `INTERFACE I = G(...) END I.`, else null
  const SourceFile* file = nullptr;     // of the unit, for instances of the instance
  SourceSpan name_span;
  CheckedUnit* checked = nullptr;
  Scope* scope = nullptr;
  Checker* checker = nullptr;

  enum class Loading : uint8_t { kInProgress, kDone } loading = Loading::kInProgress;
  std::vector<UnitInfo*> imports;  // directly imported interfaces, in order, each once
  std::vector<UnitInfo*>
      revealing;  // the imports whose revelations hold here: not those by FROM alone
  std::vector<UnitInfo*> exports;
  std::vector<UnitInfo*> exporters;      // of interfaces: modules of the program
  std::vector<Revelation*> revelations;  // declared here
  std::vector<Symbol*> symbols;          // declared here, at unit level, in order
  BodyContext body;                      // of the module body
  uint64_t key = 0;                      // content_key, once computed
  bool key_known = false;
  std::string hidden_methods;  // the meaning of T.m here, through layers that the unit does not see
  std::unordered_map<std::string, int>
      symbol_uses;  // link names given in this unit, to keep them distinct

 private:
  struct Knowledge {
    Type* complete = nullptr;
    Type* super = nullptr;
    bool known = false;  // both computed
    bool in_progress = false;
  };
  Knowledge& Know(const OpaqueType* opaque) const;
  mutable std::unordered_map<const OpaqueType*, Knowledge> knowledge_;
  mutable RevelationsByType visible_;
  mutable bool visible_known_ = false;
};

}  // namespace tenure::compiler
