// Names and their entities (docs/language.md 3). Internal to compiler/check.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "compiler/ast/ast.h"
#include "compiler/check/checked_unit.h"
#include "compiler/source/interner.h"

namespace tenure::compiler {

class UnitInfo;
struct Scope;

enum class SymbolKind : uint8_t {
  kError,  // its declaration was wrong and was reported
  kConstant,
  kType,
  kException,
  kVariable,
  kProcedure,
  kInterface,  // the local name of an imported interface
  kBuiltin,    // ABS, NEW ...
};

// Built-in operations (17), in the order of their spellings in scope.cc.
enum class BuiltinName : uint8_t {
  kAbs,
  kAdr,
  kAdrsize,
  kBitsize,
  kBytesize,
  kCeiling,
  kDec,
  kDispose,
  kFirst,
  kFloat,
  kFloor,
  kInc,
  kIstype,
  kLast,
  kLoophole,
  kMax,
  kMin,
  kNarrow,
  kNew,
  kNumber,
  kOrd,
  kRound,
  kSubarray,
  kTrunc,
  kTypecode,
  kVal,
};

enum class ResolveState : uint8_t { kUnseen, kInProgress, kDone };

// One declared name. Resolved on demand (Checker::Resolve), because declarations are visible before
// their text.
struct Symbol {
  SymbolKind kind = SymbolKind::kError;
  Name name;
  SourceSpan span;
  UnitInfo* unit = nullptr;         // null: predeclared
  Scope* scope = nullptr;           // where the declaration stands
  const ast::Decl* decl = nullptr;  // null: predeclared, interfaces, formals and the like
  ResolveState state = ResolveState::kUnseen;

  // After Resolve, by kind.
  Type* type = nullptr;  // constants, types, variables; procedures: the type as declared here
  const Constant* constant = nullptr;
  Variable* variable = nullptr;
  Exception* exception = nullptr;
  Procedure* procedure =
      nullptr;  // shared by an interface's procedure and the one that implements it
  UnitInfo* interface = nullptr;
  BuiltinName builtin{};

  Expr* initial = nullptr;           // variables whose type was inferred: the checked initial value
  Symbol* implements = nullptr;      // procedures of modules: the interface's symbol
  Symbol* implemented_by = nullptr;  // procedures of interfaces: the module's symbol
  bool used = false;                 // other than by its own declaration
  bool used_elsewhere = false;       // by another unit
  SourceSpan first_use;
};

struct Scope {
  // How the name came into the scope.
  enum class Origin : uint8_t { kDeclared, kFormal, kLocal, kImport, kFromImport, kExport };
  struct Entry {
    Symbol* symbol = nullptr;
    SourceSpan span;
    Origin origin = Origin::kDeclared;
    bool used = false;
    bool unused_ok = false;  // <*UNUSED*>
  };

  Scope* parent = nullptr;
  UnitInfo* unit = nullptr;
  Procedure* owner =
      nullptr;  // whose body it is part of; null at unit level and in blocks of the module body
  bool unit_level = false;
  std::vector<const ast::FatalPragma*> fatal;  // its FATAL pragmas

  Entry* FindHere(Name name);
  // The nearest entry with this name, searched outwards; null if there is none.
  Entry* Find(Name name);
  // False if the scope has the name already.
  bool Insert(Name name, const Entry& entry);
  const std::vector<std::pair<Name, Entry*>>& in_order() const { return order_; }

 private:
  std::unordered_map<Name, std::unique_ptr<Entry>> entries_;
  std::vector<std::pair<Name, Entry*>> order_;
};

// The predeclared scope (1.4): fills `universe`; symbols are made by `program`.
void DeclareUniverse(Program& program, Interner& interner, Scope& universe);
std::string_view BuiltinSpelling(BuiltinName name);

}  // namespace tenure::compiler
