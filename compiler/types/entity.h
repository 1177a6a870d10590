// The entities besides types that names denote: values of constants, exceptions, variables,
// procedures. They stand below the checker because types refer to them (defaults, methods, raises
// sets) and are compared and hashed by them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/source/source_file.h"
#include "compiler/types/type.h"

namespace tenure::compiler {

struct Expr;         // check/checked_unit.h
struct Stmt;         // check/checked_unit.h
struct CheckedUnit;  // check/checked_unit.h
using StmtList = std::vector<Stmt*>;

// --- values of constants ---

// The value of a constant expression. Which members count follows from `kind`; its type is the
// expression's.
struct Constant {
  enum class Kind : uint8_t { kOrdinal, kReal, kText, kNil, kSet, kProcedure, kRecord, kArray };
  Kind kind = Kind::kNil;
  int64_t ordinal = 0;  // INTEGER, LONGINT, enumerations (position), subranges
  double real = 0;      // already rounded to the type (REAL: exactly representable as float)
  std::u32string text;  // code points; wide when one exceeds 255 or the literal was W"..."
  bool wide = false;
  std::vector<uint64_t> set_words;  // bit i of the whole is element FirstOf(element type) + i
  Procedure* procedure = nullptr;   // top-level
  std::vector<const Constant*> components;  // all fields in order, all elements (`..` expanded)
};

// --- entities ---

// One EXCEPTION declaration.
struct Exception {
  std::string name;  // "Interface.Name"
  CheckedUnit* unit = nullptr;
  Type* argument = nullptr;  // null: none
  bool implicit = false;     // <*IMPLICIT*>
  std::string symbol;        // link name
};

struct Variable {
  enum class Kind : uint8_t { kGlobal, kLocal, kFormal, kWith, kFor, kHandler, kTypecase };
  std::string name;
  Kind kind = Kind::kLocal;
  Type* type = nullptr;
  ParameterMode mode = ParameterMode::kValue;  // kFormal
  // The variable is an alias of another: its location is found at run time. VAR formals; READONLY
  // formals of any type that is passed by reference (see Argument); WITH of a designator.
  bool alias = false;
  bool writable = true;
  Procedure* owner = nullptr;  // null for globals and for the locals of a module body's blocks
  CheckedUnit* unit = nullptr;
  bool used_by_nested = false;  // some nested procedure refers to it
  bool external = false;        // <*EXTERNAL*> VAR
  std::string symbol;  // globals: link name "Unit.name" (interfaces), "Unit.m3.name" (modules)
  const Constant* initial = nullptr;  // interface variables: constant initial value or null
  SourceSpan span;
};

struct Procedure {
  std::string name;       // "Insert"
  std::string full_name;  // for people and traces: "List.Insert", nested "List.Insert.Walk"
  std::string symbol;     // link name: "Interface.Name"; module-private "Module.m3.Name"; nested
                          // "....Outer.Name"; EXTERNAL: as given
  CheckedUnit* unit = nullptr;     // where the body is (or the interface, for EXTERNAL)
  Procedure* parent = nullptr;     // enclosing procedure; null at top level
  ProcedureType* type = nullptr;   // signature as declared in the module (defaults, names)
  std::vector<Variable*> formals;  // in order; empty when there is no body here
  std::vector<Variable*> locals;  // every kLocal/kWith/kFor/kHandler/kTypecase variable of the body
  StmtList body;                  // begins with the assignments of initial values
  bool has_body = false;
  bool external = false;
  bool is_inline = false;  // <*INLINE*>
  bool exported = false;   // declared in an interface
  // By the conservative analysis of 13.3 the body may raise an exception that the raises set does
  // not allow. The procedure is then not inlined, and is listed for the run time
  // (abi::RaisesEntry).
  bool may_violate_raises = false;
  bool address_taken = false;  // used as a value
  SourceSpan span;             // of the heading
  SourceSpan end_span;         // of the final END
};

}  // namespace tenure::compiler
